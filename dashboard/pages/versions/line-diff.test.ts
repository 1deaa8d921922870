import { describe, expect, it } from 'vitest'
import { diffLines, htmlLines, textLines } from './line-diff.ts'

const shown = (before: string, after: string) =>
  diffLines([...before], [...after]).map(({ kind, text }) => ({ same: ' ', added: '+', removed: '-' })[kind] + text)

describe('diffLines', () => {
  it.each([
    ['abc', 'abc', [' a', ' b', ' c']],
    ['abc', 'axc', [' a', '-b', '+x', ' c']],
    ['', 'ab', ['+a', '+b']],
    ['ab', '', ['-a', '-b']],
    ['abcabba', 'cbabac', ['-a', '-b', ' c', '-a', ' b', '+a', ' b', ' a', '+c']],
  ])('compares %j with %j', (before, after, expected) => {
    expect(shown(before, after)).toEqual(expected)
  })

  it('shows all lines as changed if there are too many to compare', () => {
    const lines = (word: string) => Array.from({ length: 3_000 }, (_, i) => `${word}${i}`)
    expect(diffLines(lines('a'), lines('b'))).toHaveLength(6_000)
  })
})

describe('the lines of an email', () => {
  it('are its tags', () => {
    expect(htmlLines('<p>Hi</p><p>\n<b>x</b></p>')).toEqual(['<p>Hi</p>', '<p>', '<b>x</b>', '</p>'])
  })

  it('are its text, without styles, comments and entities', () => {
    const html = '<title>t</title><style>a{}</style><!-- x --><p>Hi &amp; <b>you</b></p><td>5&nbsp;€<br>now</td>'
    expect(textLines(html)).toEqual(['Hi & you', '5 €', 'now'])
  })
})
