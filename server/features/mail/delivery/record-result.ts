/**
 * Records the result of an attempt, and decides when an email that wasn't sent is retried. Recording is repeated until
 * the database has it.
 */
import type { Context } from '../../../context.ts'
import { createBatcher } from '../../../kernel/flow/waiting.ts'
import { newId } from '../../../kernel/ids.ts'
import { isDatabaseUnavailable } from '../../../platform/database/connection/transaction.ts'
import { countEmail, observeQueued } from '../../../platform/metrics.ts'
import { priorityName } from '../../../platform/queue/catalogue.ts'
import { CANNOT_SEND, type MailResult } from '../../../platform/transports/transport.ts'
import { messageIdOf } from '../../content/composing/compose.ts'
import type { Breaker, Outage } from './breaker.ts'
import type { ClaimedEmail } from './claim-queries.ts'
import { recordCopies } from './copies/copies.ts'
import type { Lanes } from './lanes.ts'
import { recordBounces, recordFailure, recordNotes, recordSimulatedOutcome } from './outcomes.ts'
import * as queries from './queries.ts'
import { mayPass, type Records } from './records.ts'
import { after, type DeliveryResult, later } from './result.ts'

/**
 * How long an accepted email waits to be recorded together with others. A statement costs far more than one more email in
 * it; but what is not recorded is sent again if the process is killed. The same on every machine; the lane of emails that
 * are being sent limits how many those are.
 */
const GATHER_MS = 5
/**
 * How long an accepted email waits for a statement that records others, before another one starts. Longer than a statement
 * takes on a busy machine, where more and smaller ones would make it busier.
 */
const PATIENCE_MS = 100
/** When to check again whether the SECRET that an email needs is configured. */
const UNKNOWN_SECRET_MS = 60_000
const TRIES_MAX = 5
const RETRY_BASE_MS = 15_000
/** For a simulated failure, because a developer is waiting for it. */
const SIMULATED_RETRY_BASE_MS = 2_000
/** An outage doesn't count as an attempt, but an email this old is no longer sent. */
const AGE_MAX_MS = 5 * 24 * 3_600_000

type Accepted = Extract<MailResult, { outcome: 'accepted' }>
type Unavailable = Extract<MailResult, { outcome: 'unavailable' }>

export type Recorder = ReturnType<typeof createRecorder>

export function createRecorder(ctx: Context, breaker: Breaker, lanes: Lanes, { recordSurely }: Records) {
  /** More emails will be recorded soon, and none of them waits long for the place of this one. */
  const mayGather = () => lanes.claimed.inUse() > 0 && (!lanes.sending.hasWaiting() || lanes.isQuick())
  /** No other email will be recorded before one of those that are gathered. */
  const isGathered = () => lanes.inTransit() === 0 && !lanes.sending.hasPlace()

  // A second one starts only if the first takes long, for example because it waits for a lock.
  const recordSent = createBatcher(recordAllSent, {
    batchMax: lanes.claimedMax,
    concurrency: 2,
    patienceMs: PATIENCE_MS,
    gatherMs: () => (mayGather() ? GATHER_MS : 0),
    isGathered,
    retryAlone: (error) => mayPass(error) && !isDatabaseUnavailable(error),
  })

  async function recordAllSent(sent: queries.SentEmail[]): Promise<undefined[]> {
    await queries.recordSent(ctx.db, sent, ctx.clock.now())
    return sent.map(() => undefined)
  }

  async function fail(email: ClaimedEmail, reason: string): Promise<DeliveryResult> {
    await recordFailure(ctx, refOf(email), { error: reason, statuses: ['SENDING'] })
    return { state: 'failed' }
  }

  async function recordResult(
    email: ClaimedEmail,
    subject: string,
    result: MailResult,
    outage: Outage | undefined,
  ): Promise<DeliveryResult> {
    const { outcome } = result
    const isRetried = outcome === 'unavailable' || (outcome === 'later' && email.attempts < TRIES_MAX)
    await recordCopies(ctx, email, result, { attempt: email.attempts, isRetried })
    switch (result.outcome) {
      case 'accepted':
        return recordAccepted(email, subject, result)
      case 'rejected':
        return result.because === 'message' ? fail(email, result.reason) : bounce(email, subject, result.reason)
      case 'later':
        return retryLater(email, result.reason)
      case 'unavailable':
        return retryWhenAvailable(email, result, outage!)
    }
  }

  async function recordAccepted(email: ClaimedEmail, subject: string, result: Accepted): Promise<DeliveryResult> {
    const now = ctx.clock.now()
    await recordSent({
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
    return { state: 'sent' }
  }

  /** The address was permanently rejected before anything was sent. */
  async function bounce(email: ClaimedEmail, subject: string, response: string): Promise<DeliveryResult> {
    const at = ctx.clock.now()
    const outcome = { ...refOf(email), at, permanent: true, response, subject, messageId: messageIdOf(email) }
    await recordBounces(ctx, [outcome])
    countEmail('bounced')
    return { state: 'bounced' }
  }

  async function retryLater(email: ClaimedEmail, reason: string): Promise<DeliveryResult> {
    if (email.attempts >= TRIES_MAX) return fail(email, `Gave up after ${TRIES_MAX} attempts: ${reason}`)
    const now = ctx.clock.now()
    await queries.recordNotSent(ctx.db, refOf(email), { error: reason, counts: true }, now)
    await recordNotes(ctx, [{ ...refOf(email), at: now, kind: 'deferred', text: reason }])
    countEmail('retried')
    const base = ctx.mail.capabilities.captures || email.test ? SIMULATED_RETRY_BASE_MS : RETRY_BASE_MS
    return later({ at: after(ctx, base * 4 ** (email.attempts - 1)), reason })
  }

  /** No email can be sent, so this doesn't count as an attempt, unless other emails are sent. */
  async function retryWhenAvailable(
    email: ClaimedEmail,
    { reason, aboutOne }: Unavailable,
    { at, worksForOthers }: Outage,
  ): Promise<DeliveryResult> {
    if (aboutOne && worksForOthers) return retryLater(email, reason)
    if (isTooOld(email)) return fail(email, `Gave up after 5 days: ${reason}`)
    await queries.recordNotSent(ctx.db, refOf(email), { error: reason, counts: false }, ctx.clock.now())
    return later({ at, reason: CANNOT_SEND + reason })
  }

  const isTooOld = (email: ClaimedEmail) => ctx.clock.now().getTime() - email.available_at.getTime() > AGE_MAX_MS

  return {
    /** What the transport responded. */
    async record(email: ClaimedEmail, subject: string, result: MailResult, priority: number): Promise<DeliveryResult> {
      if (result.outcome === 'accepted' && !email.test) {
        observeQueued(priorityName(priority), (ctx.clock.now().getTime() - email.available_at.getTime()) / 1000)
      }
      // Not with the outcome of the email, because that may be repeated, and one failure counts once.
      const outage = email.test ? undefined : await recordSurely(() => breaker.record(result))
      return recordSurely(() => recordResult(email, subject, result, outage))
    },
    /** It can't be sent, now or later. */
    fail,
    /** The operator can still configure the SECRET, so the email is given up only after as long as in an outage. */
    async waitForSecret(email: ClaimedEmail, problem: string): Promise<DeliveryResult> {
      const error = `The content of this email or the key of its domain can't be read. ${problem}`
      ctx.log.error({ emailId: email.id }, error)
      if (isTooOld(email)) return fail(email, error)
      await queries.recordNotSent(ctx.db, refOf(email), { error, counts: false }, ctx.clock.now())
      const reason = 'the SECRET that encrypted this email is not configured'
      return { state: 'blocked', at: after(ctx, UNKNOWN_SECRET_MS), reason }
    },
  }
}

/** The fields that every event about an email has. */
const eventFacts = (email: ClaimedEmail, subject: string, messageId: string) => ({
  subject,
  from: email.from_email,
  fromName: email.from_name,
  messageId,
  emailId: email.id,
  templateId: email.template_id,
  campaignId: email.campaign_id,
  sourceType: email.source_type,
})

const refOf = (email: ClaimedEmail): queries.EmailRef => ({ projectId: email.project_id, emailId: email.id })
