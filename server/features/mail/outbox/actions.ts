/**
 * Accepts emails: POST /v1/send, and SMTP submission, which becomes the same request. Concurrent requests are accepted
 * by one statement, except large ones, which would delay the others and get their own.
 */
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { applyDataRules, dataObject } from '../../../kernel/contact-data.ts'
import {
  bodyIsRequired,
  checkOneSource,
  contentFields,
  hasSource,
  sourceFields,
} from '../../../kernel/content/mail-content.ts'
import { emailAddress, senderDomain, storedEmail } from '../../../kernel/email-address.ts'
import { billingLimitExceeded, invalid, invalidField, Refusal, senderNotVerified } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { SUBSCRIBED_IF_NEW } from '../../../kernel/subscription.ts'
import { currentSpan } from '../../../kernel/tracing.ts'
import { createBatcher } from '../../../kernel/waiting.ts'
import { isDatabaseUnavailable } from '../../../platform/database/connection/transaction.ts'
import type { IdempotencyClaim } from '../../../platform/database/idempotency-sql.ts'
import { isStructuralHeader } from '../../../platform/mime/mime.ts'
import { decodedBytes, isContentType } from '../../../platform/mime/mime-attachment.ts'
import { isHeaderName } from '../../../platform/mime/mime-encoding.ts'
import { PRIORITY } from '../../../platform/queue/catalogue.ts'
import { refuseBrokenLiquid } from '../../../platform/rendering/renderer.ts'
import { isStatic } from '../../../platform/rendering/template.ts'
import { blankNames, createSameRequestCheck, newPerson } from '../../audience/contacts/actions.ts'
import { withPreheader } from '../../content/composing/additions.ts'
import { getTemplateForSending } from '../../content/templates/actions.ts'
import { type Acceptance, attachmentsJson, type EmailsToAccept, insertEmails } from './queries.ts'

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

const HEADERS_MAX = 500

/** The number is checked first, because checking thousands of headers would delay other requests. */
const Headers = z
  .unknown()
  .refine((headers) => Object.keys(headers ?? {}).length <= HEADERS_MAX, {
    error: `Must have at most ${HEADERS_MAX} headers.`,
    params: { code: 'too_big' },
  })
  .pipe(z.record(z.string(), oneLine(LINE_MAX)))
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

const Attachments = z.array(Attachment).max(COUNT_MAX, `Must contain at most ${COUNT_MAX} attachments.`)

export const SendRequest = z
  .object({
    to: z
      .union([Recipient, z.array(Recipient).min(1, 'Must contain at least one recipient.').max(TO_MAX, TO_TOO_MANY)])
      .transform((to) => [to].flat()),
    subject: oneLine(LINE_MAX).min(1, 'Must not be empty.').optional(),
    body: z.string().min(1, 'Must not be empty.').optional().meta({ description: 'HTML with Liquid.' }),
    preheader: contentFields.preheader.optional(),
    template: z.uuid('Must be a template ID.').optional(),
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

type SendInput = z.output<typeof SendRequest>

export const SendReply = z.object({
  success: z.literal(true),
  data: z.object({
    emails: z.array(z.object({ contact: z.object({ id: z.uuid(), email: storedEmail }), email: z.uuid() })),
    timestamp: z.date(),
  }),
})

const { subject, body, preheader, type, fromName, replyTo } = contentFields

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
    preheader: preheader.default(null),
    type: type.default('MARKETING'),
    from: emailAddress.meta({ description: 'The domain must be verified.' }),
    fromName: fromName.default(null),
    replyTo: replyTo.default(null),
  })
  .refine(hasSource, bodyIsRequired)
  .superRefine(checkOneSource)

export const TestReply = z.object({ success: z.literal(true), message: z.string(), emailId: z.uuid() })

const MEGABYTE = 1024 * 1024

const TOGETHER = { batchMax: 50, concurrency: 3 }
const SHARED_CHARACTERS_MAX = 512 * 1024
const SHARED_RECIPIENTS_MAX = 100
const LARGE_CHARACTERS = SHARED_CHARACTERS_MAX / 8
const LARGE_RECIPIENTS = 10

/**
 * How many emails of a project are urgent in a period. Of a project that sends more at once, the rest is sent after the
 * urgent email of all other projects.
 */
const URGENT_MAX = 300
const PERIOD_MS = 10_000

/** A message that was composed by another program is sent unchanged, with its own text part if it has one. */
interface PreparedMessage {
  plain: string | null
}

export type Outbox = ReturnType<typeof createOutbox>

export function createOutbox(ctx: Context) {
  const priorityOf = createBurstMeter(ctx)
  const acceptTogether = createBatcher((requests: EmailsToAccept[]) => insertEmails(ctx.db, ctx.secrets, requests), {
    ...TOGETHER,
    mayJoin,
    // While the database is unavailable, the effect of the statement is unknown.
    retryAlone: (error) => !isDatabaseUnavailable(error),
  })

  async function accept(request: EmailsToAccept): Promise<Acceptance> {
    return isLarge(request) ? acceptAlone(request) : acceptTogether(request)
  }

  /** Other requests are served between the steps, each of which takes milliseconds for megabytes. */
  async function acceptAlone({ content, ...request }: EmailsToAccept): Promise<Acceptance> {
    await setImmediate()
    const attachments = attachmentsJson(content.attachments ?? [])
    await setImmediate()
    const [outcome] = await insertEmails(ctx.db, ctx.secrets, [{ ...request, content: { ...content, attachments } }])
    return outcome!
  }

  /** Everything is validated before anything is written, and written in one statement. */
  async function send(
    projectId: string,
    input: SendInput,
    idempotencyKey?: IdempotencyClaim,
    prepared?: PreparedMessage,
  ) {
    const change = applyDataRules(input.data)
    refuseLargeAttachments(ctx, input.attachments ?? [])
    const { content, sender, preheader } = await contentOf(ctx, projectId, input)
    const { subject, body } = content
    if (!prepared) await refuseBrokenLiquid(ctx.renderer, projectId, { preheader, subject, body })

    const now = ctx.clock.now()
    const recipients = input.to.map((to) => ({ emailId: newId(now), email: to.email, name: to.name ?? null }))
    const people = [...new Set(recipients.map((r) => r.email))].map((email) =>
      newPerson(now, email, change.patch, input.subscribed),
    )
    const outcome = await accept({
      upsert: { projectId, now, people, subscribedByDefault: SUBSCRIBED_IF_NEW.send, removed: change.removed },
      content: {
        id: newId(now),
        ...content,
        body: withPreheader(content.body, preheader ?? null),
        attachments: input.attachments ?? [],
        literal: prepared !== undefined,
        plain: prepared?.plain ?? null,
      },
      envelope: {
        ...sender,
        headers: input.headers ?? {},
        variables: change.visible,
        blanks: blankNames(change),
        subject: prepared || isStatic(content.subject) ? content.subject : null,
        templateId: input.template ?? null,
      },
      recipients,
      idempotencyKey,
      priority: priorityOf(projectId, recipients.length),
      traceparent: currentSpan()?.traceparent,
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

  return { send }
}

/** Each process counts what it accepts itself. */
function createBurstMeter(ctx: Context): (projectId: string, emails: number) => number {
  const counts = new Map<string, number>()
  let periodEnds = 0
  return (projectId, emails) => {
    const now = ctx.clock.now().getTime()
    if (now >= periodEnds || now < periodEnds - PERIOD_MS) {
      counts.clear()
      periodEnds = now + PERIOD_MS
    }
    const count = (counts.get(projectId) ?? 0) + emails
    counts.set(projectId, count)
    return count <= URGENT_MAX ? PRIORITY.transactional : PRIORITY.burst
  }
}

/** Subject, body and sender from the request, or from the template if the request has none. */
async function contentOf(ctx: Context, projectId: string, input: SendInput) {
  const template =
    input.template === undefined ? undefined : await getTemplateForSending(ctx, projectId, input.template)
  const from = input.from ?? { email: template!.from, name: template!.fromName ?? undefined }
  const preheader = (input.preheader === undefined ? template?.preheader : input.preheader) ?? undefined
  return {
    preheader,
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
              message: `${to.email} has unsubscribed from marketing email.`,
              code: 'unsubscribed',
            },
          ]
        : [],
    ),
  )

function refuseLargeAttachments(ctx: Context, attachments: Array<{ content: string }>): void {
  const bytes = attachments.reduce((sum, attachment) => sum + decodedBytes(attachment.content), 0)
  const max = ctx.settings.ATTACHMENT_MAX_MB
  if (bytes > max * MEGABYTE)
    throw invalidField('attachments', `The attachments exceed the maximum total size of ${max} MB.`, 'too_big')
}

/** Validates a request to POST /v1/send that did not come over HTTP. */
export function checkSendRequest(request: Record<string, unknown>): SendInput {
  const read = SendRequest.safeParse(request)
  if (read.success) return read.data
  const { path, message } = read.error.issues[0]!
  throw new Refusal('invalid', 'VALIDATION_ERROR', `${path.join(' ')}: ${message}`)
}

function mayJoin(): (request: EmailsToAccept) => boolean {
  const requestsSame = createSameRequestCheck()
  let characters = 0
  let recipients = 0
  let priority: number | undefined
  return (request) => {
    priority ??= request.priority
    const fits =
      request.priority === priority &&
      characters + charactersOf(request) <= SHARED_CHARACTERS_MAX &&
      recipients + request.recipients.length <= SHARED_RECIPIENTS_MAX
    if (!fits || !requestsSame(request.upsert)) return false
    characters += charactersOf(request)
    recipients += request.recipients.length
    return true
  }
}

const isLarge = (request: EmailsToAccept): boolean =>
  charactersOf(request) > LARGE_CHARACTERS || request.recipients.length > LARGE_RECIPIENTS

/** Data is limited by its own rules; the body and attachments can be large. */
const charactersOf = ({ content: { attachments = [], body, plain } }: EmailsToAccept): number =>
  (Array.isArray(attachments) ? attachments : []).reduce(
    (sum, attachment) => sum + attachment.content.length,
    body.length + (plain?.length ?? 0),
  )
