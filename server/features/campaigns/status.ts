/** The life of a campaign as one table: what may be done in which state. Statements check it again when they write. */
import { conflict, type Refusal } from '../../kernel/errors.ts'

export const CAMPAIGN_STATUSES = ['DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED'] as const

export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number]

/**
 * | act           | leads to                                               |
 * |---------------|--------------------------------------------------------|
 * | change        | the same state                                         |
 * | send          | SENDING now, or SCHEDULED for later; SENT when all is done |
 * | cancel        | CANCELLED; what has not left never leaves              |
 * | pause, resume | SENDING, with and without `pausedAt`                   |
 * | retry         | SENDING until the failed ones are done, then SENT      |
 * | delete        | nothing                                                |
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

const VERBS: Record<CampaignAction, string> = {
  change: 'changed',
  send: 'sent',
  cancel: 'cancelled',
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
  const states = ALLOWED[act].join(' or ')
  const message = `A campaign with status ${status} can't be ${VERBS[act]}; the status must be ${states}.`
  return conflict(message, suggestion ? { suggestion } : {})
}
