import { expect, it } from 'vitest'
import { emailShares, ratio } from './rates.ts'

const NONE = { sent: 0, delivered: 0, opened: 0, clicked: 0, bounced: 0, complained: 0 }

it('emailShares never reports all emails as delivered if some bounced', () => {
  const shares = emailShares({ ...NONE, sent: 984, delivered: 984, bounced: 16 })
  expect(shares.delivered).toEqual([984, 1000])
  expect(shares.bounced).toEqual([16, 1000])
})

it('emailShares relates opens to sent emails while no delivery is reported', () => {
  expect(emailShares({ ...NONE, sent: 10, opened: 5 }).opened).toEqual([5, 10])
})

it('ratio is zero without emails and at most one', () => {
  expect(ratio([0, 0])).toBe(0)
  expect(ratio([3, 2])).toBe(1)
})
