import { expect, it } from 'vitest'
import { parseRichText } from './parse-rich-text.ts'

it('parseRichText splits a text at paired and empty tags', () => {
  expect(parseRichText('Read the <link>guide</link>, checked <time/>.')).toEqual([
    { tag: '', content: 'Read the ' },
    { tag: 'link', content: 'guide' },
    { tag: '', content: ', checked ' },
    { tag: 'time', content: '' },
    { tag: '', content: '.' },
  ])
})

it('parseRichText leaves text without tags and unmatched angle brackets unchanged', () => {
  expect(parseRichText('Ada <ada@example.org>')).toEqual([{ tag: '', content: 'Ada <ada@example.org>' }])
  expect(parseRichText('')).toEqual([])
})
