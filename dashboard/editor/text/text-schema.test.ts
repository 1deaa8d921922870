import { expect, it } from 'vitest'
import { fromDocument, readAlign, readColor, toUrl } from './text-schema.ts'

it.each([
  ['left', 'left'],
  ['center', 'center'],
  ['right', 'right'],
  ['justify', null],
  ['start', null],
  ['', null],
])('readAlign reads the alignment "%s" of pasted text as %s', (given, read) => {
  expect(readAlign(given)).toBe(read)
})

it.each([
  ['#1D4ED8', '#1d4ed8'],
  ['rgb(29, 78, 216)', '#1d4ed8'],
  ['rgb(0,0,10)', '#00000a'],
  ['rgba(0, 0, 0, 0.5)', null],
  ['windowtext', null],
  ['var(--ink)', null],
  ['', null],
])('readColor reads the color "%s" of pasted text as %s', (given, read) => {
  expect(readColor(given)).toBe(read)
})

it('fromDocument leaves out styles without a color, which pasted text often has', () => {
  const style = (color: string | null) => ({ type: 'textStyle', attrs: { color } })
  const content = [
    { type: 'text', text: 'plain', marks: [style(null)] },
    { type: 'text', text: 'bold', marks: [{ type: 'bold' }, style(null)] },
    { type: 'text', text: 'blue', marks: [style('#1d4ed8')] },
  ]
  expect(fromDocument('line', { type: 'doc', content: [{ type: 'paragraph', content }] })).toEqual([
    { type: 'text', text: 'plain' },
    { type: 'text', text: 'bold', marks: [{ type: 'bold' }] },
    { type: 'text', text: 'blue', marks: [style('#1d4ed8')] },
  ])
})

it.each([
  ['example.com/sale', 'https://example.com/sale'],
  [' example.com ', 'https://example.com'],
  ['https://example.com', 'https://example.com'],
  ['mailto:a@example.com', 'mailto:a@example.com'],
  ['{{url}}', '{{url}}'],
  ['sale', 'sale'],
])('toUrl reads "%s" as %s', (typed, url) => {
  expect(toUrl(typed)).toBe(url)
})
