/** Which actions are allowed in which status of a campaign. Statements check it again when they write. */
import { conflict, type Refusal } from '../../kernel/errors.ts'

export const CAMPAIGN_STATUSES = ['DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED'] as const

export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number]

/**
 * | action        | resulting status                                           |
 * |---------------|------------------------------------------------------------|
 * | change        | unchanged                                                  |
 * | send          | SENDING now, or SCHEDULED for later; SENT when all is sent |
 * | cancel        | CANCELLED; emails that haven't been sent won't be sent     |
 * | pause, resume | SENDING, with and without `pausedAt`                       |
 * | retry         | SENDING until the failed emails are retried, then SENT     |
 * | delete        | none                                                       |
 */
export const ALLOWED = {
  change: ['DRAFT', 'SCHEDULED'],
  send: ['DRAFT', 'SCHEDULED'],
  cancel: ['SCHEDULED', 'SENDING'],
  pause: ['SENDING'],
  resume: ['SENDING'],
  retry: ['SENDING', 'SENT'],
  delete: ['DRAFT', 'SENT', 'CANCELLED'],
} as const satisfies Record<string, readonly CampaignStatus[]>

export type CampaignAction = keyof typeof ALLOWED

const LIST = new Intl.ListFormat('en-GB', { type: 'disjunction' })

const VERBS: Record<CampaignAction, string> = {
  change: 'changed',
  send: 'sent',
  cancel: 'canceled',
  pause: 'paused',
  resume: 'resumed',
  retry: 'retried',
  delete: 'deleted',
}

export const isAllowed = (act: CampaignAction, status: string): boolean =>
  (ALLOWED[act] as readonly string[]).some((allowed) => allowed === status)

export function notAllowed(act: CampaignAction, status: string): Refusal {
  const suggestion =
    act === 'delete'
      ? 'Cancel the campaign first.'
      : act === 'send' || act === 'change'
        ? 'Duplicate the campaign instead.'
        : undefined
  const states = LIST.format(ALLOWED[act])
  const message = `A campaign with status ${status} can't be ${VERBS[act]}; the status must be ${states}.`
  return conflict(message, suggestion ? { suggestion } : {})
}
