import { expect, it } from 'vitest'
import { changeOf, totalsOf } from './totals.ts'

const day = { date: '2030-01-01', sent: 2, delivered: 1, opened: 1, clicked: 0, bounced: 1, complained: 0, refused: 0 }

it('totalsOf adds up the counts of all days', () => {
  expect(totalsOf([day, day])).toEqual({
    sent: 4,
    delivered: 2,
    opened: 2,
    clicked: 0,
    bounced: 2,
    complained: 0,
    refused: 0,
  })
  expect(totalsOf([]).sent).toBe(0)
})

it.each([
  [150, 100, 0.5],
  [50, 100, -0.5],
  [7, 0, undefined],
])('changeOf %i after %i is %s', (now, before, change) => {
  expect(changeOf(now, before)).toBe(change)
})
