/**
 * Accepts emails: POST /v1/send, and SMTP submission, which becomes the same request. Concurrent requests are accepted
 * by one statement, except large ones, which would delay the others and get their own.
 */
import type { Context } from '../../context.ts'
import { createBatcher } from '../../kernel/batcher.ts'
import { applyDataRules } from '../../kernel/contact-data.ts'
import { senderDomain } from '../../kernel/email-address.ts'
import { billingLimitExceeded, invalid, invalidField, Refusal, senderNotVerified } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { SUBSCRIBED_IF_NEW } from '../../kernel/subscription.ts'
import type { IdempotencyClaim } from '../../platform/database/idempotency-sql.ts'
import { isDatabaseUnavailable } from '../../platform/database/transaction.ts'
import { decodedBytes } from '../../platform/mail/mime-attachment.ts'
import { refuseBrokenLiquid } from '../../platform/rendering/renderer.ts'
import { isStatic } from '../../platform/rendering/template.ts'
import { blankNames, createSameRequestCheck, newPerson } from '../contacts/actions.ts'
import { getTemplateForSending } from '../templates/actions.ts'
import { type Acceptance, type EmailsToAccept, insertEmails } from './queries.ts'
import { type SendInput, SendRequest } from './schemas.ts'

const MEGABYTE = 1024 * 1024

/** With 64 connections, three statements of about twenty requests each run concurrently. */
const TOGETHER = { batchMax: 50, concurrency: 3 }
const SHARED_CHARACTERS_MAX = 512 * 1024
const SHARED_RECIPIENTS_MAX = 100
const LARGE_CHARACTERS = SHARED_CHARACTERS_MAX / 8
const LARGE_RECIPIENTS = 10

/** A message that was composed by another program is sent unchanged, with its own text part if it has one. */
export interface PreparedMessage {
  plain: string | null
}

export type Outbox = ReturnType<typeof createOutbox>

export function createOutbox(ctx: Context) {
  const acceptTogether = createBatcher((requests: EmailsToAccept[]) => insertEmails(ctx.db, ctx.secrets, requests), {
    ...TOGETHER,
    mayJoin,
    // While the database is unavailable, the effect of the statement is unknown.
    retryAlone: (error) => !isDatabaseUnavailable(error),
  })

  async function accept(request: EmailsToAccept): Promise<Acceptance> {
    if (isLarge(request)) return (await insertEmails(ctx.db, ctx.secrets, [request]))[0]!
    return acceptTogether(request)
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
    const { content, sender } = await contentOf(ctx, projectId, input)
    if (!prepared) await refuseBrokenLiquid(ctx.renderer, { subject: content.subject, body: content.body })

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

/** Subject, body and sender from the request, or from the template if the request has none. */
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
  return (request) => {
    const fits =
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
const charactersOf = ({ content }: EmailsToAccept): number =>
  (content.attachments ?? []).reduce(
    (sum, attachment) => sum + attachment.content.length,
    content.body.length + (content.plain?.length ?? 0),
  )
