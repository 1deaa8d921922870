import { expect, it } from 'vitest'
import { highRates, ratedPeriod } from './reputation.ts'

const thresholds = {
  minimumEmails: 100,
  bounceRate: { warning: 0.05, critical: 0.1 },
  complaintRate: { warning: 0.001, critical: 0.003 },
}
const rates = (sent: number, bounces: number, complaints: number) => ({
  sent,
  bounces,
  complaints,
  bounceRate: sent && bounces / sent,
  complaintRate: sent && complaints / sent,
})

it.each([
  [100, 500, 'sevenDay'],
  [99, 500, 'allTime'],
  [10, 99, undefined],
])('%i emails in 7 days and %i in all make ratedPeriod %s', (week, all, period) => {
  expect(ratedPeriod({ sevenDay: rates(week, 0, 0), allTime: rates(all, 0, 0), thresholds })).toBe(period)
})

it('highRates returns only the rates that reach a threshold, each with the highest threshold it reaches', () => {
  const security = { sevenDay: rates(250, 1, 1), allTime: rates(1000, 100, 100), thresholds }
  expect(highRates(security)).toEqual([
    { kind: 'complaints', period: 'sevenDay', count: 1, sent: 250, rate: 0.004, level: 'critical', threshold: 0.003 },
  ])
  expect(highRates({ ...security, sevenDay: rates(250, 20, 0) })).toMatchObject([
    { kind: 'bounces', level: 'warning', threshold: 0.05 },
  ])
})

it('highRates returns nothing if too few emails were sent', () => {
  expect(highRates({ sevenDay: rates(10, 10, 10), allTime: rates(10, 10, 10), thresholds })).toEqual([])
})
