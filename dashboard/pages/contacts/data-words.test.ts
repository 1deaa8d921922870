import { describe, expect, it } from 'vitest'
import { changesOf, dataInWords, readData } from './data-words.ts'

describe('data on one line', () => {
  it('shows the first keys and counts the rest', () => {
    expect(dataInWords({ a: 'x', b: 1, c: { d: true } }, 2)).toBe('a: x, b: 1 and 1 more')
    expect(dataInWords(null)).toBe('')
  })
})

describe('changes of data', () => {
  it('holds only what differs, and null for what is gone', () => {
    expect(changesOf({ keep: 1, change: 'a', drop: true }, { keep: 1, change: 'b', add: [1] })).toEqual({
      change: 'b',
      add: [1],
      drop: null,
    })
  })

  it('is empty when nothing changed', () => {
    expect(changesOf({ a: { b: 1 } }, { a: { b: 1 } })).toEqual({})
  })
})

describe('reading data', () => {
  it('takes an object and nothing else', () => {
    expect(readData('{"a": 1}')).toEqual({ data: { a: 1 } })
    expect(readData('  ')).toEqual({ data: {} })
    for (const text of ['[1]', '"x"', 'null', '{']) expect(readData(text)).toHaveProperty('wrong')
  })
})
