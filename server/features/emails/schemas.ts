/** What POST /v1/send takes, and an email as the ledger shows it. */
import { z } from 'zod'
import { dataObject } from '../../kernel/contact-data.ts'
import { emailAddress, storedEmail } from '../../kernel/email-address.ts'
import { cursorPageOf, cursorParam, sizeParam } from '../../kernel/pages.ts'
import { isStructuralHeader } from '../../platform/mail/mime.ts'
import { isHeaderName } from '../../platform/mail/mime-header.ts'
import { Attachments } from './attachments.ts'

const LINE_MAX = 998

const oneLine = (max: number) =>
  z
    .string()
    .max(max, `Must be at most ${max} characters.`)
    .regex(/^[^\r\n]*$/, 'Must not contain line breaks.')

const Address = z.object({ name: oneLine(255).optional(), email: emailAddress })

const Recipient = z.union([emailAddress, Address]).transform(asAddress)

/** `plain`: it was written as a bare address, so the deprecated `name` may still name it. */
function asAddress(given: string | z.output<typeof Address>): z.output<typeof Address> & { plain: boolean } {
  return typeof given === 'string' ? { email: given, plain: true } : { ...given, plain: false }
}

const Headers = z
  .record(z.string(), oneLine(LINE_MAX))
  .superRefine((headers, issues) => {
    for (const name of Object.keys(headers)) {
      const message = headerNameProblem(name)
      if (message) issues.addIssue({ code: 'custom', path: [name], message, params: { code: 'invalid_string' } })
    }
  })
  .meta({ type: 'object', additionalProperties: { type: 'string', maxLength: LINE_MAX } })

function headerNameProblem(name: string): string | undefined {
  if (!isHeaderName(name)) return 'A header name is printable ASCII without spaces, colons or line breaks.'
  if (isStructuralHeader(name)) return `The header ${name} is set by the service and cannot be given.`
  return undefined
}

export const SendRequest = z
  .object({
    to: z.union([Recipient, z.array(Recipient).min(1, 'Name at least one recipient.')]).transform((to) => [to].flat()),
    subject: oneLine(LINE_MAX).min(1, 'Must not be empty.').optional(),
    body: z.string().min(1, 'Must not be empty.').optional().meta({ description: 'HTML with Liquid.' }),
    template: z.uuid('Must be a template id.').optional(),
    from: Recipient.optional(),
    name: oneLine(255).optional().meta({ deprecated: true, description: 'Display name where `from` has none.' }),
    subscribed: z.boolean().optional(),
    data: dataObject.optional(),
    headers: Headers.optional(),
    reply: emailAddress.optional().meta({ description: 'Reply-To.' }),
    attachments: Attachments.optional(),
  })
  .superRefine((request, issues) => {
    if (request.template !== undefined) return
    for (const field of ['subject', 'body', 'from'] as const) {
      if (request[field] === undefined) {
        issues.addIssue({
          code: 'custom',
          path: [field],
          message: 'This field is required.',
          params: { code: 'invalid_type' },
        })
      }
    }
  })

export type SendInput = z.output<typeof SendRequest>

export const SendReply = z.object({
  success: z.literal(true),
  data: z.object({
    emails: z.array(z.object({ contact: z.object({ id: z.uuid(), email: storedEmail }), email: z.uuid() })),
    timestamp: z.date(),
  }),
})

export const EMAIL_STATUSES = [
  'PENDING',
  'SENDING',
  'SENT',
  'DELIVERED',
  'OPENED',
  'CLICKED',
  'BOUNCED',
  'COMPLAINED',
  'FAILED',
  'CANCELLED',
  'RECEIVED',
] as const

export const Email = z
  .object({
    id: z.uuid(),
    projectId: z.uuid(),
    contactId: z.uuid().nullable(),
    to: z.string(),
    toName: z.string().nullable(),
    subject: z.string().meta({ description: 'As rendered.' }),
    from: z.string(),
    fromName: z.string().nullable(),
    replyTo: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
    messageId: z.string().nullable(),
    sourceType: z.enum(['TRANSACTIONAL', 'CAMPAIGN', 'WORKFLOW', 'INBOUND']),
    templateId: z.uuid().nullable(),
    campaignId: z.uuid().nullable(),
    workflowExecutionId: z.uuid().nullable(),
    status: z.enum(EMAIL_STATUSES),
    error: z.string().nullable(),
    attempts: z.number().int(),
    sentAt: z.date().nullable(),
    deliveredAt: z.date().nullable(),
    openedAt: z.date().nullable(),
    clickedAt: z.date().nullable(),
    bouncedAt: z.date().nullable(),
    complainedAt: z.date().nullable(),
    opens: z.number().int(),
    clicks: z.number().int(),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'Email' })

export const EmailWithContent = Email.extend({
  html: z.string().nullable().meta({ description: 'As rendered; null when it could not be rendered.' }),
  text: z.string().nullable(),
  attachments: z
    .array(
      z.object({
        filename: z.string(),
        contentType: z.string(),
        contentId: z.string().nullable(),
        disposition: z.enum(['attachment', 'inline']),
        size: z.number().int().meta({ description: 'In bytes.' }),
      }),
    )
    .meta({ description: 'In order; the first is at `/emails/{id}/attachments/0`. Empty when no longer kept.' }),
  timeline: z.array(
    z.object({
      event: z.string(),
      at: z.date(),
      data: z.record(z.string(), z.unknown()),
      words: z.string().optional().meta({ description: 'What the other server said, or why it did not leave.' }),
    }),
  ),
}).meta({ id: 'EmailWithContent' })

export const SimulateRequest = z.object({
  outcome: z.enum(['open', 'click', 'bounce', 'softbounce', 'complaint']),
  link: z
    .string()
    .max(2_000, 'Must be at most 2000 characters.')
    .refine((link) => /^https?:\/\//i.test(link) && URL.canParse(link), 'Must be an http:// or https:// address.')
    .optional()
    .meta({ description: 'Which link is clicked. The first of the email if left out.' }),
})

export type SimulateInput = z.output<typeof SimulateRequest>

export const EmailListQuery = z.object({
  limit: sizeParam(100),
  cursor: cursorParam,
  contactId: z.string().optional(),
  campaignId: z.string().optional(),
  status: z
    .string()
    .optional()
    .meta({ enum: [...EMAIL_STATUSES] }),
  search: z.string().optional().meta({ description: 'Part of the recipient address or the subject, in any case.' }),
})

export const EmailPage = cursorPageOf(Email)
