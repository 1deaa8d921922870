import { describe, expect, it } from 'vitest'
import { nameOf } from '../../../pickers/contact-name.ts'
import { changesOf, formatValue, parseData, summarizeData, withoutName } from './contact-data.ts'

describe('summarizeData', () => {
  it('shows the first keys and the number of the others', () => {
    expect(summarizeData({ a: 'x', b: 1, c: { d: true } }, 2)).toBe('a: x, b: 1 and 1 more')
    expect(summarizeData(null)).toBe('')
  })
})

it('withoutName leaves out every field that contains a name', () => {
  expect(withoutName({ first_name: 'Ada', lastName: 'Lind', name: 'Ada', plan: 'pro' })).toEqual({ plan: 'pro' })
  expect(withoutName(null)).toEqual({})
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

describe('nameOf', () => {
  it.each([
    [{ name: 'Ada Lovelace' }, 'Ada Lovelace'],
    [{ first_name: 'Ada', 'Last Name': 'Lovelace' }, 'Ada Lovelace'],
    [{ name: 'Ada', lastName: 'Lovelace' }, 'Ada Lovelace'],
    [{ firstName: 'Ada' }, 'Ada'],
    [{ plan: 'pro' }, ''],
    [null, ''],
  ])('%o has the name "%s"', (data, name) => {
    expect(nameOf(data)).toBe(name)
  })
})

it('formatValue shows values of every type, and nothing for a missing one', () => {
  expect(['x', 5, true, false, ['a'], null, undefined].map(formatValue)).toEqual([
    'x',
    '5',
    'Yes',
    'No',
    '["a"]',
    '',
    '',
  ])
})
