import { expect, it } from 'vitest'
import { excerptOf, mergeParts } from './merge.ts'

const read = { subject: 'News', from: 'a@example.com', content: { blocks: [{ type: 'text', id: 'a' }] } }

it('fields that only one person changed are merged', () => {
  const mine = { ...read, subject: 'My news' }
  const theirs = { ...read, from: 'b@example.com' }
  expect(mergeParts({ saved: read, stored: read, mine, theirs })).toEqual({
    merged: { ...read, subject: 'My news', from: 'b@example.com' },
    taken: ['from'],
    both: [],
  })
})

it('a field that both changed keeps the own value and is reported, unless both changed it to the same', () => {
  const mine = { ...read, subject: 'Mine', from: 'c@example.com' }
  const theirs = { ...read, subject: 'Theirs', from: 'c@example.com' }
  expect(mergeParts({ saved: read, stored: read, mine, theirs })).toEqual({
    merged: mine,
    taken: [],
    both: ['subject'],
  })
})

it('the order of fields, absent fields and what the API changed while saving are no changes', () => {
  const stored = { ...read, subject: 'Trimmed' }
  const saved = { ...read, subject: ' Trimmed ' }
  const theirs = { ...stored, content: { blocks: [{ id: 'a', type: 'text', url: undefined }] }, from: 'b@example.com' }
  expect(mergeParts({ saved, stored, mine: saved, theirs })).toEqual({
    merged: { ...saved, from: 'b@example.com' },
    taken: ['from'],
    both: [],
  })
})

it('a field that one removed and the other left is removed', () => {
  const { from, ...without } = read
  const { merged, taken } = mergeParts({ saved: read, stored: read, mine: read, theirs: without })
  expect([merged.from, taken]).toEqual([undefined, ['from']])
  expect(mergeParts({ saved: read, stored: read, mine: without, theirs: read }).merged).toEqual(without)
})

it.each([
  ['Hello', 'Hello'],
  ['<style>p { color: red }</style><p>Hello <b>you</b></p>', 'Hello you'],
  [
    { editor: 'visual', document: { version: 1, blocks: [{ id: 'x', type: 'text', content: [{ text: 'Hi' }] }] } },
    'Hi',
  ],
  [null, ''],
  [false, 'false'],
  ['x'.repeat(200), `${'x'.repeat(159)}…`],
])('the excerpt of %j is %j', (value, excerpt) => {
  expect(excerptOf(value)).toBe(excerpt)
})
