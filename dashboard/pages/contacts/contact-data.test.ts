import { describe, expect, it } from 'vitest'
import { changesOf, parseData, summarizeData } from './contact-data.ts'

describe('summarizeData', () => {
  it('shows the first keys and the number of the others', () => {
    expect(summarizeData({ a: 'x', b: 1, c: { d: true } }, 2)).toBe('a: x, b: 1 and 1 more')
    expect(summarizeData(null)).toBe('')
  })
})

describe('changesOf', () => {
  it('contains only keys that differ, with null for removed ones', () => {
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

describe('parseData', () => {
  it('accepts a JSON object and rejects everything else', () => {
    expect(parseData('{"a": 1}')).toEqual({ data: { a: 1 } })
    expect(parseData('  ')).toEqual({ data: {} })
    for (const text of ['[1]', '"x"', 'null', '{']) expect(parseData(text)).toHaveProperty('error')
  })
})
