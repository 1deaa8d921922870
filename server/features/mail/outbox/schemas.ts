/** Requests and responses of sending. */
import { z } from 'zod'
import { dataObject } from '../../../kernel/contact-data.ts'
import {
  bodyIsRequired,
  checkOneSource,
  contentFields,
  hasSource,
  sourceFields,
} from '../../../kernel/content/mail-content.ts'
import { emailAddress, type Mailbox, parseMailbox, storedEmail } from '../../../kernel/email-address.ts'
import { emailTagsField } from '../../../kernel/email-tags.ts'
import { invalidField } from '../../../kernel/errors.ts'
import { recordOf } from '../../../kernel/records.ts'
import { sendAtField } from '../../../kernel/sending/send-time.ts'
import { isStructuralHeader } from '../../../platform/mime/mime.ts'
import { isContentType } from '../../../platform/mime/mime-attachment.ts'
import { isHeaderName } from '../../../platform/mime/mime-encoding.ts'
import { topicsField } from '../../audience/contacts/topics.ts'

const LINE_MAX = 998

const oneLine = (max: number) =>
  z
    .string()
    .max(max, `Must be at most ${max} characters.`)
    .regex(/^[^\r\n]*$/, 'Must not contain line breaks.')

const NAME_MAX = 255

const DisplayName = oneLine(NAME_MAX)
const Address = z.object({ name: DisplayName.optional(), email: emailAddress })

/** A string, with or without a name. `plain`: a bare address, to which the deprecated `name` can apply. */
const NamedAddress = z
  .string()
  .transform((text, issues): Mailbox & { plain: boolean } => {
    const mailbox = parseMailbox(text)
    if (mailbox && isName(mailbox.name ?? '')) return { ...mailbox, plain: mailbox.name === undefined }
    issues.addIssue({
      code: 'custom',
      message: mailbox ? `The name must be one line of at most ${NAME_MAX} characters.` : 'Must be an email address.',
      params: { code: 'invalid_string' },
    })
    return z.NEVER
  })
  .meta({ type: 'string', description: 'An address, such as `ada@example.org` or `Ada Lovelace <ada@example.org>`.' })

const isName = (name: string): boolean => DisplayName.safeParse(name).success

const Recipient = z.union([NamedAddress, Address]).transform((given) => ({ plain: false, ...given }))

const HEADERS_MAX = 500

/** The number is checked first, because checking thousands of headers would delay other requests. */
const Headers = z
  .unknown()
  .refine((headers) => Object.keys(headers ?? {}).length <= HEADERS_MAX, {
    error: `Must have at most ${HEADERS_MAX} headers.`,
    params: { code: 'too_big' },
  })
  .pipe(recordOf(z.string(), oneLine(LINE_MAX)))
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
      .transform((text, issues) => {
        const content = readBase64(text)
        if (content !== undefined) return content
        issues.addIssue({ code: 'custom', message: 'Must be base64.', params: { code: 'invalid_string' } })
        return z.NEVER
      })
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

/**
 * Without spaces; undefined if it is not base64. Decoding and encoding it takes a third of the time of the regular
 * expression, which has no repeated group, because on ten megabytes that would overflow the stack.
 */
function readBase64(text: string): string | undefined {
  if (Buffer.from(text, 'base64').toString('base64') === text) return text
  const bare = text.replaceAll(/\s+/g, '')
  return bare.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(bare) ? bare : undefined
}

/** For more recipients, use a campaign. */
const TO_MAX = 1_000
const TO_TOO_MANY = `Must contain at most ${TO_MAX} recipients. Use a campaign to send to more recipients.`

/** `cc` and `bcc` together. */
const COPIES_MAX = 50

const copies = (description: string) =>
  z
    .union([Recipient, z.array(Recipient)])
    .transform((given) => [given].flat())
    .optional()
    .meta({ description })

const Attachments = z.array(Attachment).max(COUNT_MAX, `Must contain at most ${COUNT_MAX} attachments.`)

interface WithCopies {
  to: unknown[]
  cc?: unknown[] | undefined
  bcc?: unknown[] | undefined
}

function checkCopies({ to, cc = [], bcc = [] }: WithCopies, issues: z.RefinementCtx): void {
  const path = [cc.length > 0 ? 'cc' : 'bcc']
  if (cc.length + bcc.length === 0) return
  if (to.length > 1) {
    const message = '`cc` and `bcc` require a single recipient in `to`. Send a message to each of the others.'
    issues.addIssue({ code: 'custom', path, message })
  }
  if (cc.length + bcc.length > COPIES_MAX) {
    const message = `\`cc\` and \`bcc\` must have at most ${COPIES_MAX} recipients together.`
    issues.addIssue({ code: 'custom', path, message, params: { code: 'too_big' } })
  }
}

export const SendRequest = z
  .object({
    to: z
      .union([Recipient, z.array(Recipient).min(1, 'Must contain at least one recipient.').max(TO_MAX, TO_TOO_MANY)])
      .transform((to) => [to].flat()),
    cc: copies(
      'Further recipients of the same message, shown in its header. Only if `to` has one recipient; up to 50 in `cc` and `bcc`. They become no contacts, and suppressed ones are left out.',
    ),
    bcc: copies('The same as `cc`, but not shown in the message.'),
    subject: oneLine(LINE_MAX).min(1, 'Must not be empty.').optional(),
    body: z.string().min(1, 'Must not be empty.').optional().meta({ description: 'HTML with Liquid.' }),
    text: contentFields.text
      .unwrap()
      .optional()
      .meta({ description: 'The plain text part, with Liquid. Generated from the HTML if it is absent.' }),
    preheader: contentFields.preheader.optional(),
    template: z
      .union([z.uuid('Must be a template ID.'), z.object({ name: z.string().min(1, 'Must not be empty.') })])
      .optional()
      .meta({
        description: 'The ID of a template, or its name. Of several templates with that name, the last changed one.',
      }),
    from: Recipient.optional(),
    name: oneLine(255).optional().meta({ deprecated: true, description: 'Display name, if `from` has none.' }),
    subscribed: z.boolean().optional(),
    topics: topicsField.optional(),
    data: dataObject.optional(),
    headers: Headers.optional(),
    reply: NamedAddress.optional().meta({ description: 'The Reply-To address, with or without a name.' }),
    attachments: Attachments.optional(),
    tags: emailTagsField.optional(),
    sendAt: sendAtField.optional(),
  })
  .superRefine(checkCopies)
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
  .meta({ id: 'SendRequest' })

export type SendInput = z.output<typeof SendRequest>

const acceptedEmails = z
  .array(z.object({ contact: z.object({ id: z.uuid(), email: storedEmail }), email: z.uuid() }))
  .meta({ description: 'One entry per recipient, in order.' })

export const SendReply = z.object({
  success: z.literal(true),
  data: z.object({ emails: acceptedEmails, timestamp: z.date() }),
})

const MESSAGES_MAX = 500

/** Messages are checked one by one, so that an invalid one doesn't affect the others. */
export const BatchRequest = z.object({
  messages: z
    .array(z.unknown())
    .min(1, 'Must contain at least one message.')
    .max(MESSAGES_MAX, `Must contain at most ${MESSAGES_MAX} messages. Divide them into several batches.`)
    .meta({
      type: 'array',
      minItems: 1,
      maxItems: MESSAGES_MAX,
      items: { $ref: '#/$defs/SendRequest' },
      description: 'Each has the fields of `POST /v1/send`. Up to 10,000 recipients in all.',
    }),
  atomic: z.boolean().default(false).meta({ description: 'Accepts all messages or, if one of them is refused, none.' }),
})

const batchError = z.object({
  code: z.string(),
  message: z.string(),
  errors: z
    .array(z.object({ field: z.string(), message: z.string(), code: z.string(), received: z.unknown().optional() }))
    .optional()
    .meta({ description: 'The problem with each field of the message, for `VALIDATION_ERROR`.' }),
  details: z.record(z.string(), z.unknown()).optional(),
  suggestion: z.string().optional(),
  docsUrl: z.url(),
})

export const BatchReply = z.object({
  success: z.literal(true),
  data: z.object({
    accepted: z.number().int().meta({ description: 'How many messages were accepted.' }),
    rejected: z.number().int().meta({ description: 'How many messages were refused.' }),
    results: z
      .array(
        z.union([
          z.object({ index: z.number().int(), success: z.literal(true), emails: acceptedEmails }),
          z.object({ index: z.number().int(), success: z.literal(false), error: batchError }),
        ]),
      )
      .meta({ description: 'One entry per message, in the order of the request.' }),
    timestamp: z.date(),
  }),
})

const { subject, body, text, preheader, type, fromName, replyTo } = contentFields

export const TestRequest = z
  .object({
    email: emailAddress.meta({ description: 'The address that receives the test.' }),
    contactId: z
      .uuid('Must be a contact ID.')
      .nullish()
      .meta({ description: 'Renders the test with the data of this contact.' }),
    subject,
    body: body.optional(),
    ...sourceFields,
    text: text.default(null),
    preheader: preheader.default(null),
    type: type.default('MARKETING'),
    from: emailAddress.meta({ description: 'The domain must be verified.' }),
    fromName: fromName.default(null),
    replyTo: replyTo.default(null),
  })
  .refine(hasSource, bodyIsRequired)
  .superRefine(checkOneSource)

export const TestReply = z.object({ success: z.literal(true), message: z.string(), emailId: z.uuid() })

/** Validates a request to POST /v1/send that did not come over HTTP. */
export function checkSendRequest(request: Record<string, unknown>): SendInput {
  const read = SendRequest.safeParse(request)
  if (read.success) return read.data
  const { path, message } = read.error.issues[0]!
  throw invalidField(path.join('.'), message)
}
