/** An email as responses show it. */
import type { Context } from '../../../context.ts'
import type { Copy } from '../../../kernel/email-address.ts'
import type { EmailTags } from '../../../kernel/email-tags.ts'
import { CannotDecrypt } from '../../../platform/content-encryption.ts'
import { readVariables } from '../../../platform/mime/stored-text.ts'
import { TemplateError } from '../../../platform/rendering/template-error.ts'
import { renderSubject } from '../../content/composing/compose.ts'
import type { EmailRow } from './list-queries.ts'

/** The rendered subject, or the template if it can't be rendered. */
export async function subjectOf(ctx: Context, row: EmailRow): Promise<string> {
  if (row.subject !== null) return row.subject
  const source = row.content_subject ?? ''
  try {
    const variables = readVariables(ctx.secrets, row)
    return await renderSubject(ctx, { ...row, variables, content_subject: source })
  } catch (error) {
    if (error instanceof TemplateError || error instanceof CannotDecrypt) return source
    throw error
  }
}

const showMailboxes = (stored: unknown) =>
  ((stored ?? []) as Copy[]).map(({ email, name, inTo }) => ({ email, name: name ?? null, ...(inTo && { inTo }) }))

export const showEmail = (row: Omit<EmailRow, 'tracking'>, subject: string) => ({
  id: row.id,
  projectId: row.project_id,
  contactId: row.contact_id,
  to: row.to_email,
  toName: row.to_name,
  cc: showMailboxes(row.cc),
  bcc: showMailboxes(row.bcc),
  skipped: (row.skipped ?? []) as Array<{ email: string; reason: string }>,
  subject,
  from: row.from_email,
  fromName: row.from_name,
  replyTo: row.reply_to,
  replyToName: row.reply_to_name,
  headers: row.headers,
  messageId: row.message_id,
  sourceType: row.source_type,
  templateId: row.template_id,
  campaignId: row.campaign_id,
  workflowExecutionId: row.workflow_execution_id,
  tags: (row.tags ?? {}) as EmailTags,
  test: row.test ?? false,
  status: row.status,
  error: row.error,
  attempts: row.attempts,
  scheduledFor: row.scheduled_for,
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
