import { expect, it } from 'vitest'
import { longJson } from './long-json.ts'

it.each([
  ['no fields', {}],
  ['short texts', { id: '1', at: new Date(0), none: null, absent: undefined, list: [1, { a: '"' }] }],
  ['a long text with escapes', { id: '1', html: '"\n\\é'.repeat(400_000), text: null }],
  ['characters of two code units at every step', { html: `a${'😀'.repeat(600_000)}`, text: '😀'.repeat(600_000) }],
  ['half a character', { html: '\ud83d'.repeat(1_200_000) }],
])('gives the text of JSON.stringify for an object with %s', async (_name, object) => {
  expect((await longJson(object)).toString() === JSON.stringify(object)).toBe(true)
})
