/**
 * Delivers emails, each as a list of steps. At least once: if the process exits between sending and recording, the
 * email is sent again with the same Message-ID. If the database is unavailable, the outcome is recorded as soon as it
 * is available again.
 */
import type { Context } from '../../../context.ts'
import { newId } from '../../../kernel/ids.ts'
import { withSpan } from '../../../kernel/tracing.ts'
import { CannotDecrypt } from '../../../platform/content-encryption.ts'
import { isDatabaseUnavailable } from '../../../platform/database/connection/transaction.ts'
import { countEmail, observeQueued } from '../../../platform/metrics.ts'
import { createEmailReader } from '../../../platform/mime/stored-text.ts'
import { priorityName } from '../../../platform/queue/catalogue.ts'
import { TryAgainAt } from '../../../platform/queue/try-again.ts'
import { TemplateError } from '../../../platform/rendering/template-error.ts'
import { CANNOT_SEND, type MailResult } from '../../../platform/transports/transport.ts'
import { composeEmail, messageIdOf, type RenderedEmail, renderEmail } from '../../content/composing/compose.ts'
import type { Breaker, Outage } from './breaker.ts'
import {
  type ClaimedEmail,
  type ClaimRequest,
  createStatements,
  eventFacts,
  releaseClaim,
  type Statements,
} from './claim-queries.ts'
import { recordBounces, recordFailure, recordNotes, recordSimulatedOutcome } from './outcomes.ts'
import { createFlow, createThrottle, type Flow, type Throttle, type Wait } from './pace.ts'
import * as queries from './queries.ts'
import { createRecords, type Records } from './records.ts'
import { createSignatures, returnPathOf, type Signatures } from './signing.ts'

/** A lease may expire early, with the process that holds it, so the email is checked again sooner. */
const CHECK_LEASE_MS = 5_000
/** Less than others wait before they take over the jobs of a process that has lost its lock. */
const CLAIM_HOLDS_MS = 4_000
/** When another worker sends the emails of one that stops. Most stop within this time. */
const STOPPING_MS = 500
/** When to retry after the database was unavailable. */
const DATABASE_AWAY_MS = 1_000
/** When to check again whether a disabled project is enabled or a paused campaign is resumed. */
const HELD_MS = { 'the project is disabled': 60_000, 'the campaign is paused': 15_000 }
/** When to check again whether the SECRET that an email needs is configured. */
const UNKNOWN_SECRET_MS = 60_000
const TRIES_MAX = 5
const RETRY_BASE_MS = 15_000
/** For a simulated failure, because a developer is waiting for it. */
const SIMULATED_RETRY_BASE_MS = 2_000
/** An outage doesn't count as an attempt, but an email this old is no longer sent. */
const AGE_MAX_MS = 5 * 24 * 3_600_000
const GIVEN_UP =
  'Sending failed repeatedly because of an internal error. The email may have been sent. The log contains the reason.'
const DOMAIN_DELETED = 'The domain of the sender was deleted before this email was sent.'

export interface DeliveryRequest extends ClaimRequest {
  /** Of its job. Wherever emails wait, the most urgent is served first. */
  priority: number
}

export interface SliceOptions {
  /** The priority of jobs of this kind; see PRIORITY. */
  priority: number
  /** The queue runs the slice again, so the process that was sending it has exited. */
  takeOver: boolean
}

export interface SliceResult {
  /** How many were rescheduled as separate jobs. */
  postponed: number
  /** The latest time at which one of them is retried. */
  until: Date | undefined
  /** The rest of the slice, if it must wait: for the sending rate, or because sending is paused. */
  waiting: { emailIds: string[]; until: Date; reason: string } | undefined
}

/** What the steps of a delivery share. */
interface Shared extends Statements, Records {
  ctx: Context
  breaker: Breaker
  throttle: Throttle
  flow: Flow
  signatures: Signatures
  readEmail: ReturnType<typeof createEmailReader>
}

export type Delivery = ReturnType<typeof createDelivery>

export function createDelivery(ctx: Context, breaker: Breaker) {
  const flow = createFlow(ctx.mail.parallel)
  const records = createRecords(ctx.mail.parallel, ctx.log)
  const shared: Shared = {
    ctx,
    breaker,
    throttle: createThrottle(ctx),
    flow,
    signatures: createSignatures(ctx),
    ...createStatements(ctx, flow, records.isSlotFree),
    ...records,
    readEmail: createEmailReader(ctx),
  }
  const inProgress = new Set<string>()
  const { recordSurely, signatures } = shared

  /** Two jobs may name the same email, for example after a pause. An email that this process is sending isn't started again. */
  async function only({ projectId, emailId }: DeliveryRequest, steps: () => Promise<void>): Promise<void> {
    if (inProgress.has(emailId)) throw waitUntil(after(ctx, CHECK_LEASE_MS), 'another job is sending this email')
    inProgress.add(emailId)
    try {
      const attributes = { 'posthorn.project.id': projectId, 'posthorn.email.id': emailId }
      await withSpan('deliver email', { attributes, isFailure: (error) => !(error instanceof TryAgainAt) }, steps)
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      // The email may be claimed although the reply was lost, and no other worker takes over from one that is running.
      await recordSurely(() => releaseClaim(ctx, { projectId, emailId }))
      throw waitUntil(after(ctx, DATABASE_AWAY_MS), 'the database was unavailable')
    } finally {
      inProgress.delete(emailId)
      await breaker.releaseProbe(emailId).catch(() => undefined) // it expires
    }
  }

  async function deliverEmail(request: DeliveryRequest): Promise<void> {
    await only(request, async () => {
      const wait = await takeTurn(shared, request)
      if (wait) throw waitUntil(wait.at, wait.reason)
      await takeSteps(shared, request)
    })
  }

  /**
   * Delivers many emails from one job, as a campaign does, through the same steps and in the order of their turns.
   * Resolves when each has an outcome, a job of its own for a retry, or is returned because it must wait. Calling it
   * again with the same emails is safe: those that are done are skipped. Throws the first error after all others are done.
   */
  async function deliverEmails(emails: queries.EmailRef[], options: SliceOptions): Promise<SliceResult> {
    const later: Array<queries.EmailRef & { at: Date; reason: string }> = []
    const errors: unknown[] = []
    const deliveries: Promise<void>[] = []
    let waiting: SliceResult['waiting']

    /** Resolves as soon as the email has its turn. If it must wait, so must all that follow. */
    function start(email: queries.EmailRef): Promise<Wait | undefined> {
      const request = { ...email, ...options }
      return new Promise((resolve) => {
        const delivered = only(request, async () => {
          const wait = await takeTurn(shared, request, 'slice')
          resolve(wait)
          if (!wait) await takeSteps(shared, request)
        }).catch((error: unknown) => {
          resolve(undefined)
          if (error instanceof TryAgainAt) later.push({ ...email, at: error.at, reason: error.message })
          else errors.push(error)
        })
        deliveries.push(delivered)
      })
    }

    for (let i = 0; i < emails.length && !waiting; i++) {
      const wait = await start(emails[i]!)
      if (!wait) continue
      waiting = { emailIds: emails.slice(i).map(({ emailId }) => emailId), until: wait.at, reason: wait.reason }
    }
    await Promise.all(deliveries)
    if (later.length > 0) await recordSurely(() => queries.enqueueDeliveries(ctx.db, later, options.priority))
    if (errors.length > 0) throw errors[0]
    const until = later.reduce<Date | undefined>((latest, { at }) => (latest && latest > at ? latest : at), undefined)
    return { postponed: later.length, until, waiting }
  }

  /** With a job for each email; those that are done are skipped. */
  async function deliverSeparately(emails: queries.EmailRef[], priority: number): Promise<void> {
    const now = ctx.clock.now()
    const due = emails.map((email) => ({ ...email, at: now }))
    await queries.enqueueDeliveries(ctx.db, due, priority)
  }

  /** The queue won't start its job again. */
  async function failEmail(ref: queries.EmailRef): Promise<void> {
    await recordFailure(ctx, ref, { error: GIVEN_UP, statuses: ['PENDING', 'SENDING'] })
  }

  return { deliverEmail, deliverEmails, deliverSeparately, failEmail, stop: flow.stop, signAgain: signatures.signAgain }
}

async function takeSteps(shared: Shared, request: DeliveryRequest): Promise<void> {
  const { flow, ctx } = shared
  const { priority, projectId } = request
  await flow.enter(priority, projectId)
  let isInFlow = true
  const leaveFlow = () => {
    if (isInFlow) flow.leave(priority, projectId)
    isInFlow = false
  }
  try {
    await waitIfStopping(shared, request)
    const claimedAt = ctx.clock.now()
    const prepared = await prepare(shared, request)
    if (!prepared) return releaseSlot(shared, request)
    const { email, rendered, raw } = prepared
    await shared.untilRecorded(priority, projectId, async () => {
      await waitIfStopping(shared, request)
      if (!(await isStillClaimed(shared, request, claimedAt))) return releaseSlot(shared, request)
      const result = await send(shared, email, raw, priority)
      leaveFlow()
      if (result.outcome === 'accepted') {
        observeQueued(priorityName(priority), (ctx.clock.now().getTime() - email.created_at.getTime()) / 1000)
      }
      // Not with the outcome of the email, because that may be repeated, and one failure counts once.
      const outage = await shared.recordSurely(() => shared.breaker.record(result))
      await shared.recordSurely(() => record(shared, email, rendered, result, outage))
    })
  } finally {
    leaveFlow()
  }
}

/** The claimed email, ready to be sent. Undefined if it won't be sent after all. */
async function prepare(shared: Shared, request: DeliveryRequest) {
  const claimed = await claim(shared, request)
  if (!claimed) return undefined
  try {
    return await prepareClaimed(shared, claimed, request.priority)
  } catch (error) {
    if (!(error instanceof CannotDecrypt)) throw error
    return waitForSecret(shared, request, claimed, error.message)
  }
}

async function prepareClaimed(shared: Shared, claimed: ClaimedEmail, priority: number) {
  const { ctx, flow, signatures, readEmail } = shared
  const email = readEmail(claimed)
  const readKey = await signatures.findKey(email)
  if (!readKey) return void (await fail(ctx, email, DOMAIN_DELETED))
  const composed = await flow.renderInTurn(priority, email.project_id, async () => {
    const rendered = await render(shared, email)
    return rendered && { rendered, raw: await composeEmail(ctx, email, rendered) }
  })
  if (!composed) return undefined
  const { rendered, raw } = composed
  const signed =
    ctx.mail.capabilities.signing === 'on-send' ? await signatures.signWith(readKey, email, raw, priority) : raw
  return { email, rendered, raw: signed }
}

/** The process exits soon, perhaps before it can record the outcome of another email, which would then be sent twice. */
async function waitIfStopping(shared: Shared, request: DeliveryRequest): Promise<void> {
  if (!shared.flow.isStopping()) return
  releaseSlot(shared, request)
  throw waitUntil(after(shared.ctx, STOPPING_MS), 'the worker is stopping')
}

/** Undefined if the transport is available and neither the project nor the provider's account exceeds its rate. */
async function takeTurn(
  { ctx, breaker, throttle, flow }: Shared,
  { projectId, emailId, priority }: DeliveryRequest,
  heads?: 'slice',
): Promise<Wait | undefined> {
  if (flow.isStopping()) return { at: after(ctx, STOPPING_MS), reason: 'the worker is stopping' }
  const request = { projectId, emailId, priority, ...(heads ? { heads } : {}) }
  return (await breaker.pausedUntil(emailId)) ?? (await throttle.takeSlot(request))
}

const releaseSlot = ({ throttle }: Shared, { projectId }: DeliveryRequest): void => throttle.releaseSlot(projectId)

/** Claims the email with a lease. Undefined if it is done, canceled or must no longer be sent. */
async function claim(shared: Shared, request: DeliveryRequest): Promise<ClaimedEmail | undefined> {
  const { ctx } = shared
  await shared.allRecorded()
  const email = await shared.claimEmail(request, request.priority)
  const block = email ? undefined : await shared.resolveUnclaimed(request)
  if (!block) return email
  releaseSlot(shared, request)
  if ('held' in block) throw waitUntil(after(ctx, HELD_MS[block.held]), block.held)
  const at = Math.min(block.leasedUntil.getTime(), after(ctx, CHECK_LEASE_MS).getTime())
  throw waitUntil(new Date(at), 'another worker has claimed this email')
}

/**
 * If this process was suspended or its machine unreachable, others may have taken over the email. So a claim that isn't
 * recent is made again before anything is sent.
 */
async function isStillClaimed(shared: Shared, request: DeliveryRequest, claimedAt: Date): Promise<boolean> {
  const age = shared.ctx.clock.now().getTime() - claimedAt.getTime()
  return (age >= 0 && age < CLAIM_HOLDS_MS) || (await claim(shared, request)) !== undefined
}

async function render({ ctx }: Shared, email: ClaimedEmail): Promise<RenderedEmail | undefined> {
  try {
    return await renderEmail(ctx, email)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    await fail(ctx, email, error.message)
    return undefined
  }
}

async function send({ ctx }: Shared, email: ClaimedEmail, raw: Buffer, priority: number): Promise<MailResult> {
  return ctx.mail.send({
    id: email.id,
    messageId: messageIdOf(email),
    sender: returnPathOf(ctx, email),
    recipients: [email.to_email],
    attempt: email.attempts,
    raw,
    priority,
    projectId: email.project_id,
  })
}

async function record(
  shared: Shared,
  email: ClaimedEmail,
  { subject }: RenderedEmail,
  result: MailResult,
  outage: Outage | undefined,
): Promise<void> {
  const { ctx } = shared
  if (result.outcome === 'unavailable') return tryWhenAvailable(ctx, email, result, outage!)
  if (result.outcome === 'later') return tryLater(ctx, email, result.reason)
  if (result.outcome === 'rejected') {
    if (result.because === 'message') return fail(ctx, email, result.reason)
    return bounce(ctx, email, subject, result.reason)
  }
  const now = ctx.clock.now()
  await shared.recordSent({
    projectId: email.project_id,
    id: email.id,
    contactId: email.contact_id,
    subject,
    messageId: result.providerId,
    delivered: result.delivered,
    sentEventId: newId(now),
    deliveredEventId: newId(now),
    facts: eventFacts(email, subject, result.providerId),
  })
  countEmail('sent')
  if (result.simulatedOutcome) await recordSimulatedOutcome(ctx, refOf(email), result.simulatedOutcome)
}

/** The address was permanently rejected before anything was sent. */
async function bounce(ctx: Context, email: ClaimedEmail, subject: string, words: string): Promise<void> {
  const at = ctx.clock.now()
  const outcome = { ...refOf(email), at, permanent: true, words, subject, messageId: messageIdOf(email) }
  await recordBounces(ctx, [outcome])
  countEmail('bounced')
}

async function tryLater(ctx: Context, email: ClaimedEmail, reason: string): Promise<void> {
  if (email.attempts >= TRIES_MAX) return fail(ctx, email, `Gave up after ${TRIES_MAX} attempts: ${reason}`)
  const now = ctx.clock.now()
  await queries.recordNotSent(ctx.db, refOf(email), { error: reason, counts: true }, now)
  await recordNotes(ctx, [{ ...refOf(email), at: now, kind: 'deferred', words: reason }])
  countEmail('retried')
  const base = ctx.mail.capabilities.captures ? SIMULATED_RETRY_BASE_MS : RETRY_BASE_MS
  throw waitUntil(after(ctx, base * 4 ** (email.attempts - 1)), reason)
}

/** No email can be sent, so this doesn't count as an attempt, unless other emails are sent. */
async function tryWhenAvailable(
  ctx: Context,
  email: ClaimedEmail,
  { reason, aboutOne }: Extract<MailResult, { outcome: 'unavailable' }>,
  { at, worksForOthers }: Outage,
): Promise<void> {
  if (aboutOne && worksForOthers) return tryLater(ctx, email, reason)
  const now = ctx.clock.now()
  if (now.getTime() - email.created_at.getTime() > AGE_MAX_MS)
    return fail(ctx, email, `Gave up after 5 days: ${reason}`)
  await queries.recordNotSent(ctx.db, refOf(email), { error: reason, counts: false }, now)
  throw waitUntil(at, CANNOT_SEND + reason)
}

/**
 * The operator can still configure the SECRET, so the email is not given up for as long as it would be in an outage. If
 * it is given up, the caller releases its turn, as for every email that won't be sent.
 */
async function waitForSecret(
  shared: Shared,
  request: DeliveryRequest,
  email: ClaimedEmail,
  problem: string,
): Promise<undefined> {
  const { ctx } = shared
  const now = ctx.clock.now()
  const error = `The content of this email or the key of its domain can't be read. ${problem}`
  ctx.log.error({ emailId: email.id }, error)
  if (now.getTime() - email.created_at.getTime() > AGE_MAX_MS) return void (await fail(ctx, email, error))
  releaseSlot(shared, request)
  await queries.recordNotSent(ctx.db, refOf(email), { error, counts: false }, now)
  throw waitUntil(after(ctx, UNKNOWN_SECRET_MS), 'the SECRET that encrypted this email is not configured')
}

/** The email counts its own attempts; waiting isn't an attempt of the job. */
const waitUntil = (at: Date, reason: string) => new TryAgainAt(at, { countsAsAttempt: false, reason })

const after = (ctx: Context, ms: number) => new Date(ctx.clock.now().getTime() + ms)

const fail = (ctx: Context, email: ClaimedEmail, reason: string): Promise<void> =>
  recordFailure(ctx, refOf(email), { error: reason, statuses: ['SENDING'] })

const refOf = (email: ClaimedEmail): queries.EmailRef => ({ projectId: email.project_id, emailId: email.id })
