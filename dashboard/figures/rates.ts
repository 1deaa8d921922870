/** Shares of emails, by the definitions of `GET /activity/stats`, as a part and its whole. */

export interface EmailCounts {
  sent: number
  delivered: number
  opened: number
  clicked: number
  bounced: number
  complained: number
}

type Share = [part: number, whole: number]

export function emailShares(counts: EmailCounts): Record<Exclude<keyof EmailCounts, 'sent'>, Share> {
  const { sent, delivered, opened, clicked, bounced, complained } = counts
  // An address that is rejected at once was not sent to, but its bounce counts.
  const attempted = Math.max(sent, delivered + bounced)
  const arrived = delivered || sent
  return {
    delivered: [delivered, attempted],
    opened: [opened, arrived],
    clicked: [clicked, arrived],
    bounced: [bounced, attempted],
    complained: [complained, sent],
  }
}

export const ratio = ([part, whole]: Share): number => (whole === 0 ? 0 : Math.min(1, part / whole))
