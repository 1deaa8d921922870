/**
 * The counts of emails and the bases of their rates, as every statistic uses them. What makes an email delivered or refused is
 * defined in `features/record/journal/functions.sql`. `dashboard/figures/rates.ts` has the same rates; a test compares them.
 */
import { z } from 'zod'

/** `bounced` are permanent bounces; `refused` are those of them that were never sent. `dropped_counts` has this order. */
export const EMAIL_COUNTS = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'refused'] as const

export type EmailCounts = Record<(typeof EMAIL_COUNTS)[number], number>

export const noEmails = (): EmailCounts => ({
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  bounced: 0,
  complained: 0,
  refused: 0,
})

/** What the mail server accepted or refused: the base of delivery, bounce and complaint rates. */
export const attemptedOf = ({ sent, refused }: Pick<EmailCounts, 'sent' | 'refused'>): number => sent + refused

/**
 * The base of open, click and conversion rates: delivered emails. If the transport reports no deliveries, the emails that
 * didn't bounce.
 */
export const reachedOf = (counts: Pick<EmailCounts, 'sent' | 'refused' | 'delivered' | 'bounced'>): number =>
  counts.delivered > 0 ? counts.delivered : Math.max(0, attemptedOf(counts) - counts.bounced)

/** At most 1: an email of one day can be opened on the next, and one that was opened can bounce. */
export const ratio = ([part, whole]: [part: number, whole: number]): number =>
  whole <= 0 ? 0 : Math.min(1, part / whole)

export const ratesOf = (counts: EmailCounts) => ({
  deliveryRate: ratio([counts.delivered, attemptedOf(counts)]),
  openRate: ratio([counts.opened, reachedOf(counts)]),
  clickRate: ratio([counts.clicked, reachedOf(counts)]),
  bounceRate: ratio([counts.bounced, attemptedOf(counts)]),
  complaintRate: ratio([counts.complained, attemptedOf(counts)]),
})

const count = z.number().int()
const share = z.number().min(0).max(1)
export const REACHED =
  "the delivered emails, or of the emails that didn't bounce if the transport reports no deliveries"
const ATTEMPTED = 'the emails that were sent or refused'

/** Fields of responses. */
export const emailCountFields = {
  sent: count.meta({ description: 'Emails that the mail server accepted.' }),
  delivered: count.meta({ description: 'Emails that were delivered and did not bounce later.' }),
  opened: count.meta({ description: 'Emails that a person opened or clicked.' }),
  clicked: count.meta({ description: 'Emails in which a person clicked a link.' }),
  bounced: count.meta({ description: 'Permanent bounces, of refused emails too.' }),
  complained: count.meta({ description: 'Emails that were reported as spam.' }),
  refused: count.meta({
    description: 'Emails that bounced at once: the mail server refused them, so they were not sent.',
  }),
} as const satisfies Record<keyof EmailCounts, z.ZodType>

export const rateFields = {
  deliveryRate: share.meta({ description: `Delivered emails, as a share of ${ATTEMPTED}.` }),
  openRate: share.meta({ description: `Opened emails, as a share of ${REACHED}.` }),
  clickRate: share.meta({ description: `Clicked emails, as a share of ${REACHED}.` }),
  bounceRate: share.meta({ description: `Bounced emails, as a share of ${ATTEMPTED}.` }),
  complaintRate: share.meta({ description: `Emails reported as spam, as a share of ${ATTEMPTED}.` }),
} as const satisfies Record<keyof ReturnType<typeof ratesOf>, z.ZodType>
