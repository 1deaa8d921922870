import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Refusal } from './errors.ts'
import { newId } from './ids.ts'
import {
  cursorPage,
  decodeCursor,
  dirParam,
  encodeCursor,
  numberedPage,
  offsetOf,
  pageOf,
  pageParam,
  sizeParam,
  sortParam,
} from './pages.ts'

describe('a pagination cursor', () => {
  it('decodes to its ID', () => {
    const id = newId(new Date())
    expect(decodeCursor(encodeCursor(id))).toBe(id)
  })

  it.each(['', 'x', 'not a cursor', 'AAAA', newId(new Date())])('is refused if it is %j', (text) => {
    expect(() => decodeCursor(text)).toThrow(Refusal)
  })
})

describe('a page size', () => {
  it.each([
    [undefined, 20],
    ['', 20],
    ['0', 20],
    ['-3', 20],
    ['2.5', 20],
    ['abc', 20],
    ['7', 7],
    ['500', 100],
  ])('is limited and has a default: %j means %d', (text, size) => {
    expect(sizeParam(100).parse(text)).toBe(size)
  })
})

describe('a page', () => {
  const rows = ['a', 'b', 'c'].map((name, i) => ({ name, id: newId(new Date(i)) }))

  it('has more pages if there is an extra row, and ends without a cursor', () => {
    const first = cursorPage(rows, 2, 3, (row) => row.name)
    expect(first).toMatchObject({ data: ['a', 'b'], hasMore: true, total: 3 })
    expect(decodeCursor(first.cursor!)).toBe(rows[1]!.id)
    expect(cursorPage(rows, 3, 0, (row) => row.name)).toEqual({
      data: ['a', 'b', 'c'],
      cursor: null,
      hasMore: false,
      total: 0,
    })
  })
})

describe('a page number', () => {
  it.each([
    [undefined, 1],
    ['', 1],
    ['0', 1],
    ['-1', 1],
    ['1.5', 1],
    ['two', 1],
    ['Infinity', 1],
    ['1e400', 1],
    ['NaN', 1],
    [['2', '3'], 1],
    ['2', 2],
    ['999999999', 999_999_999],
  ])('is limited and has a default: %j means %d', (text, page) => {
    expect(pageParam.parse(text)).toBe(page)
  })

  it('is limited so that the rows before it can be counted', () => {
    const page = pageParam.parse('1e30')
    expect(Number.isSafeInteger(offsetOf({ page, pageSize: 1000 }))).toBe(true)
  })
})

describe('a sort order', () => {
  it.each([
    [undefined, 'createdAt'],
    ['name', 'name'],
    ['NAME', 'createdAt'],
    ['toString', 'createdAt'],
    ['name; drop table x', 'createdAt'],
  ])('by %j means %s', (text, name) => {
    expect(sortParam(['name', 'createdAt'], 'createdAt').parse(text)).toBe(name)
  })

  it.each([
    [undefined, 'desc'],
    ['asc', 'asc'],
    ['ASC', 'desc'],
    ['sideways', 'desc'],
  ])('is descending unless the direction is "asc": %j means %s', (text, dir) => {
    expect(dirParam.parse(text)).toBe(dir)
  })
})

describe('a numbered page', () => {
  it.each([
    [{ page: 1, pageSize: 2 }, 0, 0, 0],
    [{ page: 1, pageSize: 2 }, 2, 1, 0],
    [{ page: 2, pageSize: 2 }, 3, 2, 2],
    [{ page: 9, pageSize: 20 }, 21, 2, 160],
  ])('%o of %d items has %d pages and starts after %d', (choice, total, totalPages, offset) => {
    const page = numberedPage([1, 2], choice, total, String)
    expect(page).toEqual({ data: ['1', '2'], ...choice, total, totalPages })
    expect(offsetOf(choice)).toBe(offset)
    expect(pageOf(z.string()).parse(page)).toEqual(page)
  })
})
