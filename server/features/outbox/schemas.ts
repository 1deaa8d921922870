/** The request of POST /v1/send. Attachments are base64. */
import { z } from 'zod'
import { dataObject } from '../../kernel/contact-data.ts'
import { emailAddress, storedEmail } from '../../kernel/email-address.ts'
import { contentFields } from '../../kernel/mail-content.ts'
import { isStructuralHeader } from '../../platform/mail/mime.ts'
import { isContentType } from '../../platform/mail/mime-attachment.ts'
import { isHeaderName } from '../../platform/mail/mime-encoding.ts'

const LINE_MAX = 998

const oneLine = (max: number) =>
  z
    .string()
    .max(max, `Must be at most ${max} characters.`)
    .regex(/^[^\r\n]*$/, 'Must not contain line breaks.')

const Address = z.object({ name: oneLine(255).optional(), email: emailAddress })

const Recipient = z.union([emailAddress, Address]).transform(asAddress)

/** `plain`: a bare address, to which the deprecated `name` can apply. */
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
  if (!isHeaderName(name)) return 'A header name must be printable ASCII without spaces, colons or line breaks.'
  if (isStructuralHeader(name))
    return `The header ${name} is set automatically or controls the email provider, so it can't be set here.`
  return undefined
}

const COUNT_MAX = 10

const Attachment = z
  .object({
    filename: z
      .string()
      .min(1, 'Must not be empty.')
      .max(255, 'Must be at most 255 characters.')
      .regex(/^[^\r\n"]*$/, 'Must not contain line breaks or quotation marks.'),
    content: z
      .string()
      .transform((text) => text.replaceAll(/\s+/g, ''))
      .refine(isBase64, { message: 'Must be base64.', params: { code: 'invalid_string' } })
      .meta({ type: 'string', contentEncoding: 'base64' }),
    contentType: z.string().refine(isContentType, {
      message: 'Must be a MIME type such as application/pdf.',
      params: { code: 'invalid_string' },
    }),
    contentId: z
      .string()
      .min(1, 'Must not be empty.')
      .max(255, 'Must be at most 255 characters.')
      .regex(/^[^\s<>"]+$/, 'Must not contain spaces, quotes or angle brackets.')
      .optional()
      .meta({ description: 'Reference it in the body as cid:<contentId>.' }),
    disposition: z.enum(['attachment', 'inline']).default('attachment'),
  })
  .superRefine((attachment, issues) => {
    if (attachment.disposition === 'inline' && attachment.contentId === undefined) {
      issues.addIssue({
        code: 'custom',
        path: ['contentId'],
        message: 'An inline attachment requires a contentId.',
        params: { code: 'invalid_type' },
      })
    }
  })

/** No repeated group, because on ten megabytes it would overflow the stack. */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

/** More is a campaign. */
const TO_MAX = 1_000
const TO_TOO_MANY = `Must contain at most ${TO_MAX} recipients. Use a campaign to send to more recipients.`

const Attachments = z.array(Attachment).max(COUNT_MAX, `Must contain at most ${COUNT_MAX} attachments.`)

export const SendRequest = z
  .object({
    to: z
      .union([Recipient, z.array(Recipient).min(1, 'Must contain at least one recipient.').max(TO_MAX, TO_TOO_MANY)])
      .transform((to) => [to].flat()),
    subject: oneLine(LINE_MAX).min(1, 'Must not be empty.').optional(),
    body: z.string().min(1, 'Must not be empty.').optional().meta({ description: 'HTML with Liquid.' }),
    template: z.uuid('Must be a template id.').optional(),
    from: Recipient.optional(),
    name: oneLine(255).optional().meta({ deprecated: true, description: 'Display name, if `from` has none.' }),
    subscribed: z.boolean().optional(),
    data: dataObject.optional(),
    headers: Headers.optional(),
    reply: emailAddress.optional().meta({ description: 'The Reply-To address.' }),
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

const { subject, body, type, fromName, replyTo } = contentFields

export const TestRequest = z.object({
  email: emailAddress.meta({ description: 'The address that receives the test.' }),
  subject,
  body,
  type: type.default('MARKETING'),
  from: emailAddress.meta({ description: 'The domain must be verified.' }),
  fromName: fromName.default(null),
  replyTo: replyTo.default(null),
})

export const TestReply = z.object({ success: z.literal(true), message: z.string(), emailId: z.uuid() })
