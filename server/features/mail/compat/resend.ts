/** Requests and responses of Resend. */
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { type FieldProblem, invalidField } from '../../../kernel/errors.ts'
import type { getEmail } from '../emails/actions.ts'
import { describeProblems } from './errors.ts'
import { type CompatMessage, type FieldNames, notTooMany, onlyOne, unsupported } from './message.ts'
import { resendTime } from './schedule.ts'

const addresses = z.union([z.string(), z.array(z.string())]).transform((given) => [given].flat())

const Attachment = z.object({
  filename: z.string().optional().meta({ description: 'The name of the file. Required.' }),
  content: z.string().optional().meta({ description: 'The file in base64. Required.' }),
  path: z.string().optional().meta({ description: 'Not supported: files are not fetched from URLs.' }),
  content_type: z.string().optional().meta({ description: 'By default, that of the file name.' }),
  content_id: z
    .string()
    .optional()
    .meta({ description: 'Shows the file in the body, which refers to it as cid:<content_id>.' }),
})

export const ResendEmail = z
  .object({
    from: z
      .string()
      .optional()
      .meta({ description: 'The sender, such as `Acme <hello@example.com>`. Required, unless the template has one.' }),
    to: addresses.refine(...notTooMany).meta({ description: 'Up to 50 recipients, who see each other.' }),
    subject: z.string().optional().meta({ description: 'Required, unless a template is named.' }),
    cc: addresses.optional().meta({ description: 'Further recipients, shown in the message.' }),
    bcc: addresses.optional().meta({ description: 'Further recipients, not shown in the message.' }),
    reply_to: addresses.optional().meta({ description: 'One address for replies.' }),
    html: z.string().optional().meta({ description: 'The HTML, sent unchanged.' }),
    text: z
      .string()
      .optional()
      .meta({ description: 'The plain text, sent unchanged. Generated from the HTML if it is absent.' }),
    headers: z.record(z.string(), z.string()).optional().meta({ description: 'Further headers.' }),
    attachments: z.array(Attachment).optional().meta({ description: 'Up to 10 files.' }),
    tags: z
      .array(
        z.object({
          name: z.string().meta({ description: 'Up to 64 letters, digits, hyphens and underscores.' }),
          value: z.string().meta({ description: 'Up to 256 characters.' }),
        }),
      )
      .optional()
      .meta({ description: 'Up to 10 tags.' }),
    scheduled_at: z
      .string()
      .optional()
      .meta({ description: 'When the email is sent: ISO 8601 with an offset, or such as "in 10 minutes".' }),
    template: z
      .object({
        id: z.string().min(1, 'Must not be empty.').meta({ description: 'The ID or the name of a template.' }),
        variables: z.record(z.string(), z.unknown()).optional().meta({ description: 'The variables of the template.' }),
      })
      .optional()
      .meta({ description: 'A template instead of `html` and `text`.' }),
    topic_id: z.string().nullish().meta({ description: 'Not supported: a template has its topic.' }),
  })
  .meta({ id: 'ResendEmail' })

const BATCH_MAX = 500

export const ResendBatch = z
  .array(z.unknown())
  .min(1, 'Must contain at least one email.')
  .max(BATCH_MAX, `Must contain at most ${BATCH_MAX} emails. Divide them into several batches.`)
  .meta({ type: 'array', minItems: 1, maxItems: BATCH_MAX, items: { $ref: '#/$defs/ResendEmail' } })

export const ResendChanges = z.object({
  scheduled_at: z.string().meta({ description: 'The new time: ISO 8601 with an offset, or such as "in 10 minutes".' }),
})

export const RESEND_NAMES: FieldNames = {
  body: 'html',
  reply: 'reply_to',
  sendAt: 'scheduled_at',
  data: 'template.variables',
  template: 'template.id',
  attachment: { contentType: 'content_type', contentId: 'content_id' },
}

export const readResend =
  ({ clock }: Pick<Context, 'clock'>) =>
  (body: z.output<typeof ResendEmail>): CompatMessage => {
    const { reply_to = [], tags = [], template, scheduled_at, topic_id, attachments, ...same } = body
    if (topic_id) throw unsupported('topic_id', 'Set the topic of a template instead, and send the template.')
    for (const field of ['html', 'text'] as const) {
      if (template && same[field] !== undefined) throw invalidField(field, 'Must be absent if `template` is present.')
    }
    return {
      ...same,
      replyTo: onlyOne(reply_to, 'reply_to'),
      tags: tags.map((tag, i) => ({ ...tag, field: `tags.${i}.name` })),
      attachments: attachments?.map(readAttachment),
      template: template && { ref: template.id, data: template.variables ?? {} },
      sendAt: scheduled_at === undefined ? undefined : resendTime(scheduled_at, clock.now(), 'scheduled_at'),
    }
  }

function readAttachment({ filename, content, path, content_type, content_id }: z.output<typeof Attachment>, i: number) {
  if (path !== undefined) {
    throw unsupported(
      `attachments.${i}.path`,
      'Files are not fetched from URLs. Send the file in `content`, in base64.',
    )
  }
  if (filename === undefined || content === undefined) {
    throw invalidField(`attachments.${i}.${filename === undefined ? 'filename' : 'content'}`, 'This field is required.')
  }
  return { filename, content, contentType: content_type, contentId: content_id, isInline: content_id !== undefined }
}

const nullableList = z.array(z.string()).nullable()

export const ResendId = z.object({ id: z.uuid().meta({ description: 'The ID of the email.' }) })

export const ResendBatchReply = z.object({
  data: z.array(ResendId).meta({ description: 'The accepted emails, in order.' }),
  errors: z
    .array(z.object({ index: z.number().int(), message: z.string() }))
    .optional()
    .meta({ description: 'Those that were refused, with `x-batch-validation: permissive`.' }),
})

export const ResendError = z.object({
  statusCode: z.number().int(),
  name: z.string().meta({ description: 'Such as `validation_error`.' }),
  message: z.string(),
})

export const ResendChanged = z.object({ object: z.literal('email'), id: z.uuid() })

export const ResendShown = z.object({
  object: z.literal('email'),
  id: z.uuid(),
  message_id: z.string().nullable(),
  to: z.array(z.string()),
  from: z.string(),
  created_at: z.date(),
  subject: z.string(),
  html: z.string().nullable(),
  text: z.string().nullable(),
  bcc: nullableList,
  cc: nullableList,
  reply_to: nullableList,
  last_event: z
    .string()
    .meta({ description: 'Such as `queued`, `scheduled`, `sent`, `delivered`, `bounced` or `canceled`.' }),
  scheduled_at: z.date().nullable(),
  tags: z.array(z.object({ name: z.string(), value: z.string() })),
})

const EVENTS: Record<string, string> = {
  PENDING: 'queued',
  SENDING: 'queued',
  CANCELLED: 'canceled',
  SKIPPED: 'suppressed',
  RECEIVED: 'delivered',
}

const mailbox = ({ email, name }: { email: string; name: string | null }): string =>
  name ? `${name} <${email}>` : email
const orNull = (list: string[]) => (list.length > 0 ? list : null)

export function showResend(email: Awaited<ReturnType<typeof getEmail>>): z.output<typeof ResendShown> {
  const { id, from, fromName, to, toName, cc, replyTo, replyToName, subject, html, text, tags } = email
  return {
    object: 'email',
    id,
    message_id: email.messageId,
    to: [{ email: to, name: toName }, ...cc.filter(({ inTo }) => inTo)].map(mailbox),
    from: mailbox({ email: from, name: fromName }),
    created_at: email.createdAt,
    subject,
    html: html || null,
    text,
    bcc: orNull(email.bcc.map(mailbox)),
    cc: orNull(cc.filter(({ inTo }) => !inTo).map(mailbox)),
    reply_to: replyTo ? [mailbox({ email: replyTo, name: replyToName })] : null,
    last_event: EVENTS[email.status] ?? email.status.toLowerCase(),
    scheduled_at: email.scheduledFor,
    tags: Object.entries(tags).map(([name, value]) => ({ name, value })),
  }
}

/** The first response to a repeated request, from what is stored with its key. */
export const replayResend = (stored: unknown): z.output<typeof ResendId> => ({
  id: (stored as { emails: Array<{ email: string }> }).emails[0]!.email,
})

type Result =
  | { index: number; success: true; emails: Array<{ email: string }> }
  | { index: number; success: false; error: { message: string; errors?: FieldProblem[] | undefined } }

export function resendBatchReply(results: Result[], isPermissive: boolean): z.output<typeof ResendBatchReply> {
  const data = results.flatMap((result) => (result.success ? [{ id: result.emails[0]!.email }] : []))
  const errors = results.flatMap((result) => {
    if (result.success) return []
    const { message, errors: problems } = result.error
    return [{ index: result.index, message: problems ? describeProblems(problems) : message }]
  })
  return isPermissive ? { data, errors } : { data }
}

export function replayResendBatch(stored: unknown): z.output<typeof ResendBatchReply> {
  const { results, rejected } = stored as { results: Result[]; rejected: number }
  return resendBatchReply(results, rejected > 0)
}
