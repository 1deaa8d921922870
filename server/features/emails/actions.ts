/** Emails: accepting them. Delivery is in deliver.ts, what became of them in ledger.ts. */
import type { Context } from '../../context.ts'
import { applyDataRules } from '../../kernel/contact-data.ts'
import { billingLimitExceeded, invalid, invalidField, senderNotVerified } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { isStatic } from '../../kernel/liquid.ts'
import { blankNames, newPerson } from '../contacts/actions.ts'
import { senderDomain } from '../domains/actions.ts'
import { getTemplateForSending, refuseBrokenLiquid } from '../templates/actions.ts'
import { acceptEmails } from './accept-together.ts'
import { decodedBytes } from './attachments.ts'
import type { SendInput } from './schemas.ts'

export { findTransportPause } from './breaker.ts'
export {
  cancelCampaignEmails,
  countRecipients,
  hasPendingEmails,
  insertCampaignContent,
  insertSlice,
  insertTestEmail,
  listPendingEmails,
  listRecipients,
  type RecipientRow,
  retryFailedEmails,
} from './campaign-queries.ts'
export { deliverEmails } from './delivery-slice.ts'
export {
  type Bounce,
  type Note,
  noteBounces,
  noteClick,
  noteComplaints,
  noteDelivered,
  noteOpen,
  noteWords,
  type Outcome,
} from './outcomes.ts'
export {
  findSendingProjects,
  forgetReceivedBefore,
  insertReceived,
  type ReceivedMessage,
  type Receiver,
} from './received-queries.ts'
export { emailOfReturnPath, returnPathOf } from './return-path.ts'
export { EMAIL_STATUSES } from './schemas.ts'
export { isBot } from './tracking-bots.ts'
export { addWorkflowEmail, isSuppressed } from './workflow-emails.ts'

const MEGABYTE = 1024 * 1024

/** How a message that is ready-made goes the same road: as it is, with its own text part if it has one. */
export interface ReadyMade {
  plain: string | null
}

/** POST /v1/send: everything is checked before anything is written, and everything is written at once. */
export async function sendEmails(
  ctx: Context,
  projectId: string,
  input: SendInput,
  idempotencyKey?: string,
  readyMade?: ReadyMade,
) {
  const change = applyDataRules(input.data)
  refuseLargeAttachments(ctx, input.attachments ?? [])
  const { content, sender } = await contentOf(ctx, projectId, input)
  if (!readyMade) refuseBrokenLiquid({ subject: content.subject, body: content.body })

  const now = ctx.clock.now()
  const recipients = input.to.map((to) => ({ emailId: newId(now), email: to.email, name: to.name ?? null }))
  const people = [...new Set(recipients.map((r) => r.email))].map((email) =>
    newPerson(now, email, change.patch, input.subscribed),
  )
  const outcome = await acceptEmails(ctx, {
    upsert: { projectId, now, people, subscribedByDefault: false, removed: change.removed },
    content: {
      id: newId(now),
      ...content,
      attachments: input.attachments ?? [],
      literal: readyMade !== undefined,
      plain: readyMade?.plain ?? null,
    },
    envelope: {
      ...sender,
      headers: input.headers ?? {},
      variables: change.visible,
      blanks: blankNames(change),
      subject: readyMade || isStatic(content.subject) ? content.subject : null,
      templateId: input.template ?? null,
    },
    recipients,
    idempotencyKey,
  })
  if ('unverified' in outcome) throw senderNotVerified(sender.fromDomain)
  if ('optedOut' in outcome) throw optedOut(outcome.optedOut, input)
  if ('overLimit' in outcome) throw billingLimitExceeded('transactional', outcome.overLimit)
  const emails = outcome.accepted.map((row) => ({
    contact: { id: row.contactId, email: row.email },
    email: row.emailId,
  }))
  return { success: true, data: { emails, timestamp: now } }
}

/** Subject, body and sender: the request's own, or the template's where the request has none. */
async function contentOf(ctx: Context, projectId: string, input: SendInput) {
  const template =
    input.template === undefined ? undefined : await getTemplateForSending(ctx, projectId, input.template)
  const from = input.from ?? { email: template!.from, name: template!.fromName ?? undefined }
  return {
    content: {
      subject: input.subject ?? template!.subject,
      body: input.body ?? template!.body,
      type: template?.type ?? ('TRANSACTIONAL' as const),
    },
    sender: {
      fromEmail: from.email,
      fromDomain: senderDomain(from.email),
      fromName: from.name || (input.from?.plain ? input.name : undefined) || null,
      replyTo: input.reply ?? template?.replyTo ?? null,
    },
  }
}

const optedOut = (emails: string[], input: SendInput) =>
  invalid(
    input.to.flatMap((to, i) =>
      emails.includes(to.email)
        ? [
            {
              field: input.to.length > 1 ? `to.${i}` : 'to',
              message: `${to.email} has unsubscribed from marketing mail.`,
              code: 'unsubscribed',
            },
          ]
        : [],
    ),
  )

function refuseLargeAttachments(ctx: Context, attachments: Array<{ content: string }>): void {
  const bytes = attachments.reduce((sum, attachment) => sum + decodedBytes(attachment.content), 0)
  const max = ctx.settings.ATTACHMENT_MAX_MB
  if (bytes > max * MEGABYTE) throw invalidField('attachments', `Attachments may hold ${max} MB together.`, 'too_big')
}
