/** Shares of emails as a part and its whole, with the bases of the API's rates (docs/analytics.md). */

export interface EmailCounts {
  sent: number
  /** Without those that bounced later. */
  delivered: number
  opened: number
  clicked: number
  bounced: number
  complained: number
  /** Bounced at once, without being sent. */
  refused: number
}

export type Share = [part: number, whole: number]

/** The base of open and click rates: if the transport reports no deliveries, the emails that didn't bounce. */
export const reachedOf = ({
  sent,
  delivered,
  bounced,
  refused,
}: Pick<EmailCounts, 'sent' | 'delivered' | 'bounced' | 'refused'>): number =>
  delivered > 0 ? delivered : Math.max(0, sent + refused - bounced)

export function emailShares(counts: EmailCounts): Record<Exclude<keyof EmailCounts, 'sent' | 'refused'>, Share> {
  const { sent, delivered, opened, clicked, bounced, complained, refused } = counts
  const attempted = sent + refused
  const reached = reachedOf(counts)
  return {
    delivered: [delivered, attempted],
    opened: [opened, reached],
    clicked: [clicked, reached],
    bounced: [bounced, attempted],
    complained: [complained, attempted],
  }
}

/** The counts of a campaign, and of its statistics. */
export const countsOfCampaign = (numbers: {
  sentCount: number
  deliveredCount: number
  openedCount: number
  clickedCount: number
  bouncedCount: number
  refusedCount: number
  complainedCount?: number
}): EmailCounts => ({
  sent: numbers.sentCount,
  delivered: numbers.deliveredCount,
  opened: numbers.openedCount,
  clicked: numbers.clickedCount,
  bounced: numbers.bouncedCount,
  refused: numbers.refusedCount,
  complained: numbers.complainedCount ?? 0,
})

export const ratio = ([part, whole]: Share): number => (whole === 0 ? 0 : Math.min(1, part / whole))
