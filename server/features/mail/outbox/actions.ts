/**
 * Accepts emails: POST /v1/send, and SMTP submission, which becomes the same request. Concurrent requests are accepted
 * by one statement, except large ones, which would delay the others and get their own.
 */
import { setImmediate } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { createBatcher } from '../../../kernel/flow/waiting.ts'
import { currentSpan } from '../../../kernel/tracing.ts'
import { isDatabaseUnavailable } from '../../../platform/database/connection/transaction.ts'
import type { IdempotencyClaim } from '../../../platform/database/idempotency-sql.ts'
import { PRIORITY } from '../../../platform/queue/catalogue.ts'
import { createSameRequestCheck } from '../../audience/contacts/actions.ts'
import { requireVerifiedSender } from '../../tenants/domains/actions.ts'
import { type Acceptance, type EmailsToAccept, insertEmails } from './accept-queries.ts'
import { acceptBatch, type Batch } from './batch.ts'
import { acceptedEmails, type MessageExtras, prepareRequest, type SendMode, templateFinder } from './prepare.ts'
import { attachmentsJson } from './queries.ts'
import type { SendInput } from './schemas.ts'

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
  async function send(projectId: string, input: SendInput, idempotencyKey?: IdempotencyClaim, mode?: SendMode) {
    const request = await prepareRequest(ctx, projectId, input, templateFinder(ctx, projectId), mode)
    const outcome = await accept({
      ...request,
      idempotencyKey,
      priority: priorityOf(projectId, request.recipients.length),
      traceparent: currentSpan()?.traceparent,
    })
    const emails = acceptedEmails(outcome, input, request)
    return { success: true, data: { emails, timestamp: request.upsert.now } }
  }

  /** Stored in one transaction; each message is accepted or refused by the rules of `send`. */
  const sendBatch = (projectId: string, batch: Batch, idempotencyKey?: IdempotencyClaim) =>
    acceptBatch(ctx, projectId, batch, idempotencyKey, (emails) => priorityOf(projectId, emails))

  /** Checks messages as `send` does, and stores nothing. */
  async function check(projectId: string, messages: Array<{ input: SendInput; extras?: MessageExtras }>) {
    for (const { input, extras } of messages) {
      const { envelope } = await prepareRequest(ctx, projectId, input, templateFinder(ctx, projectId), extras)
      await requireVerifiedSender(ctx, projectId, envelope.fromEmail)
    }
  }

  return { send, sendBatch, check }
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
