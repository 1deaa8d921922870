/** Another try for an email that failed, by hand. */
import type { Context } from '../../context.ts'
import { conflict } from '../../kernel/errors.ts'
import { PRIORITY } from '../../platform/queue/catalogue.ts'
import { requireVerifiedSender } from '../domains/actions.ts'
import { getEmailRecord } from './ledger.ts'
import { reviveEmail } from './ledger-queries.ts'

const PRIORITIES: Record<string, number> = { CAMPAIGN: PRIORITY.campaign, WORKFLOW: PRIORITY.workflow }

/** Why not, in words: what was sent is not sent again, and a cancelled email was stopped on purpose. */
const REASONS: Record<string, string> = {
  PENDING: 'it is waiting to be sent',
  SENDING: 'it is being sent',
  BOUNCED: 'it bounced for good. Check the address and send a new email',
  CANCELLED: 'it was cancelled',
  FAILED: 'its content is no longer kept',
  RECEIVED: 'it arrived here',
}

/** The same email, with its Message-ID, as it would have been. */
export async function resendEmail(ctx: Context, projectId: string, id: string) {
  const email = await getEmailRecord(ctx, projectId, id)
  if (email.status === 'FAILED') {
    await requireVerifiedSender(ctx, projectId, email.from)
    const priority = PRIORITIES[email.sourceType] ?? PRIORITY.transactional
    if (await reviveEmail(ctx.db, projectId, id, priority, ctx.clock.now())) return getEmailRecord(ctx, projectId, id)
  }
  throw conflict(`This email cannot be sent again: ${REASONS[email.status] ?? 'it was sent'}.`)
}
