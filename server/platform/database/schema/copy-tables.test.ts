import { describe, expect, it } from 'vitest'
import { batchLengths } from './copy-tables.ts'

const MEGABYTE = 1_000_000

describe('batches of rows', () => {
  it.each<[string, number[], number[]]>([
    ['no rows', [], []],
    ['small rows together', [10, 20, 30], [3]],
    ['a row that is larger than a batch alone', [10, 50 * MEGABYTE, 10], [1, 1, 1]],
    ['large rows after small ones a few at a time', [10, 10, ...Array(6).fill(2 * MEGABYTE)], [3, 2, 2, 1]],
  ])('contain %s', (_name, sizes, lengths) => {
    expect(batchLengths(sizes)).toEqual(lengths)
  })
})
