/**
 * When the mail of a project is received badly. The last seven days decide once they hold enough emails; before that,
 * everything it ever sent does. Mail providers begin to refuse senders at about these rates.
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

export type Standing = 'healthy' | 'warning' | 'critical'

export interface Rates extends DeliveryCounts {
  bounceRate: number
  complaintRate: number
}

export const ratesOf = (counts: DeliveryCounts): Rates => ({
  ...counts,
  bounceRate: counts.sent === 0 ? 0 : Math.min(1, counts.bounces / counts.sent),
  complaintRate: counts.sent === 0 ? 0 : Math.min(1, counts.complaints / counts.sent),
})

export function judge(sevenDay: DeliveryCounts, allTime: DeliveryCounts): Standing {
  const decisive = [sevenDay, allTime].find((counts) => counts.sent >= THRESHOLDS.minimumEmails)
  if (!decisive) return 'healthy'
  const rates = ratesOf(decisive)
  const reaches = (level: 'warning' | 'critical') =>
    rates.bounceRate >= THRESHOLDS.bounceRate[level] || rates.complaintRate >= THRESHOLDS.complaintRate[level]
  return reaches('critical') ? 'critical' : reaches('warning') ? 'warning' : 'healthy'
}
