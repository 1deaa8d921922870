/** What a project's reputation is based on, as the server rates it. */
import type { Schemas } from '../data/api.ts'

type Security = Schemas['Security']
type Rated = Pick<Security, 'sevenDay' | 'allTime' | 'thresholds'>

/** The last 7 days if they have enough emails, otherwise all time. Undefined if too few emails were sent. */
export const ratedPeriod = ({ sevenDay, allTime, thresholds }: Rated): 'sevenDay' | 'allTime' | undefined =>
  sevenDay.sent >= thresholds.minimumEmails
    ? 'sevenDay'
    : allTime.sent >= thresholds.minimumEmails
      ? 'allTime'
      : undefined

export interface HighRate {
  kind: 'bounces' | 'complaints'
  period: 'sevenDay' | 'allTime'
  count: number
  sent: number
  rate: number
  level: 'warning' | 'critical'
  threshold: number
}

/** The rates that reach a threshold, each with the highest threshold it reaches. */
export function highRates(security: Rated): HighRate[] {
  const period = ratedPeriod(security)
  if (!period) return []
  const { sent, bounces, complaints, bounceRate, complaintRate } = security[period]
  const { thresholds } = security
  return [
    { kind: 'bounces' as const, count: bounces, rate: bounceRate, levels: thresholds.bounceRate },
    { kind: 'complaints' as const, count: complaints, rate: complaintRate, levels: thresholds.complaintRate },
  ].flatMap(({ kind, count, rate, levels }) => {
    const level = (['critical', 'warning'] as const).find((name) => rate >= levels[name])
    return level ? [{ kind, period, count, sent, rate, level, threshold: levels[level] }] : []
  })
}
