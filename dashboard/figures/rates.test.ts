import { expect, it } from 'vitest'
import { emailShares, ratio } from './rates.ts'

const NONE = { sent: 0, delivered: 0, opened: 0, clicked: 0, bounced: 0, complained: 0, refused: 0 }

it('emailShares relates deliveries and bounces to emails that were sent or refused', () => {
  const shares = emailShares({ ...NONE, sent: 984, delivered: 980, bounced: 20, refused: 16 })
  expect(shares.delivered).toEqual([980, 1000])
  expect(shares.bounced).toEqual([20, 1000])
})

it('emailShares relates opens to emails that did not bounce while no delivery is reported', () => {
  expect(emailShares({ ...NONE, sent: 10, opened: 5, bounced: 3, refused: 1 }).opened).toEqual([5, 8])
})

it('ratio is zero without emails and at most one', () => {
  expect(ratio([0, 0])).toBe(0)
  expect(ratio([3, 2])).toBe(1)
})
