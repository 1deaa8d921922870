import { expect, it } from 'vitest'
import { percentOf, totalsOf } from './totals.ts'

const day = { date: '2030-01-01', sent: 2, delivered: 1, opened: 1, clicked: 0, bounced: 1, complained: 0 }

it('adds up the days', () => {
  expect(totalsOf([day, day])).toEqual({ sent: 4, delivered: 2, opened: 2, clicked: 0, bounced: 2, complained: 0 })
  expect(totalsOf([]).sent).toBe(0)
})

it('tells a share with one decimal, a dash for none, and never above all', () => {
  expect(percentOf(1, 3)).toBe(`${(33.3).toLocaleString()} %`)
  expect(percentOf(0, 0)).toBe('–')
  expect(percentOf(3, 2)).toBe('100 %')
})
