/** Test emails of templates and campaigns: rendered as the real ones, without a contact, and not counted. */
import type { Context } from '../../context.ts'
import { conflict } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { ContentType } from '../../kernel/mail-content.ts'
import { refuseBrokenLiquid } from '../../platform/rendering/renderer.ts'
import { requireVerifiedSender } from '../domains/actions.ts'
import { isSuppressed } from '../suppressions/actions.ts'
import { requireWithinLimit } from '../usage/actions.ts'
import { insertTestEmail, storedMessage } from './queries.ts'

const PREFIX = '[TEST] '

export interface TestContent {
  subject: string
  body: string
  type: ContentType
  from: string
  fromName: string | null
  replyTo: string | null
}

/** Returns the id of the email. */
export async function sendTestEmail(
  ctx: Context,
  projectId: string,
  { subject, body, type, from, fromName, replyTo }: TestContent,
  to: string,
): Promise<string> {
  await refuseBrokenLiquid(ctx.renderer, { subject, body })
  await requireVerifiedSender(ctx, projectId, from)
  if (type !== 'TRANSACTIONAL' && (await isSuppressed(ctx.db, projectId, to)))
    throw conflict(`${to} is suppressed, so it receives only transactional email.`, {
      suggestion: 'Send the test to another address, or remove the suppression with DELETE /suppressions/{email}.',
    })
  await requireWithinLimit(ctx, projectId, 'campaigns', 1)
  const now = ctx.clock.now()
  const emailId = newId(now)
  const message = {
    projectId,
    now,
    content: { id: newId(now), subject: PREFIX + subject, body, type },
    envelope: { fromEmail: from, fromName, replyTo, subject: null },
  }
  await insertTestEmail(ctx.db, storedMessage(ctx.secrets, message), { emailId, to })
  return emailId
}
