/** Emails: accepting them, delivering them, and the ledger of what became of them. */
import type { Context } from '../../context.ts'
import { applyDataRules } from '../../kernel/contact-data.ts'
import { badRequest, invalid, invalidField, notFound } from '../../kernel/errors.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { isStatic, TemplateError } from '../../kernel/liquid.ts'
import { cursorPage } from '../../kernel/pages.ts'
import { htmlToPlainText } from '../../platform/mail/html-to-plain-text.ts'
import { getContact, newPerson } from '../contacts/actions.ts'
import { requireVerifiedSender } from '../domains/actions.ts'
import { getTemplateForSending, refuseBrokenLiquid } from '../templates/actions.ts'
import { decodedBytes } from './attachments.ts'
import { composeEmail, renderEmail, renderSubject } from './compose.ts'
import * as queries from './queries.ts'
import { EMAIL_STATUSES, type SendInput } from './schemas.ts'

const MEGABYTE = 1024 * 1024

/** POST /v1/send: everything is checked before anything is written, and everything is written at once. */
export async function sendEmails(ctx: Context, projectId: string, input: SendInput, idempotencyKey?: string) {
  const change = applyDataRules(input.data)
  refuseLargeAttachments(ctx, input.attachments ?? [])
  const { content, sender } = await contentOf(ctx, projectId, input)
  refuseBrokenLiquid({ subject: content.subject, body: content.body })
  await requireVerifiedSender(ctx, projectId, sender.fromEmail)

  const now = ctx.clock.now()
  const recipients = input.to.map((to) => ({ emailId: newId(now), email: to.email, name: to.name ?? null }))
  const people = [...new Set(recipients.map((r) => r.email))].map((email) =>
    newPerson(now, email, change.patch, input.subscribed),
  )
  const outcome = await queries.insertEmails(
    ctx.db,
    { projectId, now, people, subscribedByDefault: false, removed: change.removed },
    { id: newId(now), ...content, attachments: input.attachments ?? [] },
    {
      ...sender,
      headers: input.headers ?? {},
      variables: change.visible,
      subject: isStatic(content.subject) ? content.subject : null,
      templateId: input.template ?? null,
    },
    recipients,
    idempotencyKey,
  )
  if ('optedOut' in outcome) throw optedOut(outcome.optedOut, input)
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
      fromName: from.name || input.name || null,
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

export interface EmailListInput {
  limit: number
  cursor?: string | undefined
  contactId?: string | undefined
  campaignId?: string | undefined
  status?: string | undefined
  search?: string | undefined
}

export async function listEmails(ctx: Context, projectId: string, input: EmailListInput) {
  const { limit, cursor, ...filter } = input
  if (filter.status !== undefined && !EMAIL_STATUSES.some((status) => status === filter.status)) {
    throw badRequest(`status must be one of ${EMAIL_STATUSES.join(', ')}.`)
  }
  if (filter.contactId !== undefined) await requireContact(ctx, projectId, filter.contactId)
  if (filter.campaignId !== undefined) throw notFound('campaign', filter.campaignId)
  const [rows, total] = await Promise.all([
    queries.listEmails(ctx.db, projectId, { ...filter, before: cursor, limit }),
    cursor === undefined ? queries.countEmails(ctx.db, projectId, filter) : 0,
  ])
  const subjects = new Map(await Promise.all(rows.map(async (row) => [row.id, await subjectOf(ctx, row)] as const)))
  return cursorPage(rows, limit, total, (row) => showEmail(row, subjects.get(row.id)!))
}

async function requireContact(ctx: Context, projectId: string, contactId: string): Promise<void> {
  if (!isId(contactId)) throw notFound('contact', contactId)
  await getContact(ctx, projectId, contactId)
}

export async function getEmail(ctx: Context, projectId: string, id: string) {
  const row = await findEmail(ctx, projectId, id)
  const [rendered, events] = await Promise.all([tryRender(ctx, row), queries.listEmailEvents(ctx.db, projectId, id)])
  return {
    ...showEmail(row, row.subject ?? rendered?.subject ?? row.content_subject),
    html: rendered?.html ?? null,
    text: rendered ? htmlToPlainText(rendered.html) : null,
    timeline: [
      { event: 'queued', at: row.created_at, data: {} },
      ...events.map((event) => ({ event: event.name, at: event.created_at, data: event.data })),
    ],
  }
}

/** The message as it goes over the wire. */
export async function getRawEmail(ctx: Context, projectId: string, id: string): Promise<Buffer> {
  const row = await findEmail(ctx, projectId, id)
  const rendered = await tryRender(ctx, row)
  if (!rendered) throw badRequest(`This email could not be rendered: ${row.error ?? 'its template asks for too much'}`)
  return composeEmail(ctx, row, rendered)
}

async function findEmail(ctx: Context, projectId: string, id: string) {
  const row = await queries.findEmail(ctx.db, projectId, id)
  if (!row) throw notFound('email', id)
  return { ...row, attachments: row.attachments as never }
}

async function tryRender(ctx: Context, row: Parameters<typeof renderEmail>[1]) {
  try {
    return await renderEmail(ctx, row)
  } catch (error) {
    if (error instanceof TemplateError) return undefined
    throw error
  }
}

async function subjectOf(ctx: Context, row: queries.EmailRow): Promise<string> {
  if (row.subject !== null) return row.subject
  try {
    return await renderSubject(ctx, row)
  } catch (error) {
    if (error instanceof TemplateError) return row.content_subject
    throw error
  }
}

const showEmail = (row: queries.EmailRow, subject: string) => ({
  id: row.id,
  projectId: row.project_id,
  contactId: row.contact_id,
  to: row.to_email,
  toName: row.to_name,
  subject,
  from: row.from_email,
  fromName: row.from_name,
  replyTo: row.reply_to,
  headers: row.headers,
  messageId: row.message_id,
  sourceType: row.source_type,
  templateId: row.template_id,
  campaignId: row.campaign_id,
  workflowExecutionId: row.workflow_execution_id,
  status: row.status,
  error: row.error,
  attempts: row.attempts,
  sentAt: row.sent_at,
  deliveredAt: row.delivered_at,
  openedAt: row.opened_at,
  clickedAt: row.clicked_at,
  bouncedAt: row.bounced_at,
  complainedAt: row.complained_at,
  opens: row.opens,
  clicks: row.clicks,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
