/**
 * When the reputation of a project is bad. The last seven days count if they have enough emails; otherwise everything
 * it ever sent counts. Mail providers start to refuse senders at about these rates.
 */
export const THRESHOLDS = {
  minimumEmails: 100,
  bounceRate: { warning: 0.05, critical: 0.1 },
  complaintRate: { warning: 0.001, critical: 0.003 },
}

export interface DeliveryCounts {
  sent: number
  bounces: number
  complaints: number
}

export type Reputation = 'healthy' | 'warning' | 'critical'

export interface Rates extends DeliveryCounts {
  bounceRate: number
  complaintRate: number
}

export const ratesOf = (counts: DeliveryCounts): Rates => ({
  ...counts,
  bounceRate: counts.sent === 0 ? 0 : Math.min(1, counts.bounces / counts.sent),
  complaintRate: counts.sent === 0 ? 0 : Math.min(1, counts.complaints / counts.sent),
})

export function assessReputation(sevenDay: DeliveryCounts, allTime: DeliveryCounts): Reputation {
  const counts = [sevenDay, allTime].find(({ sent }) => sent >= THRESHOLDS.minimumEmails)
  if (!counts) return 'healthy'
  const rates = ratesOf(counts)
  const reaches = (level: 'warning' | 'critical') =>
    rates.bounceRate >= THRESHOLDS.bounceRate[level] || rates.complaintRate >= THRESHOLDS.complaintRate[level]
  return reaches('critical') ? 'critical' : reaches('warning') ? 'warning' : 'healthy'
}
