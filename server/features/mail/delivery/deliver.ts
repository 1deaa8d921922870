/**
 * Delivers emails, each in seven steps. At least once: if the process exits between sending and recording, the email is
 * sent again with the same Message-ID. If the database is unavailable, the outcome is recorded as soon as it is available
 * again.
 */
import type { Context } from '../../../context.ts'
import { WARMING_UP } from '../../../kernel/sending/warm-up.ts'
import { withSpan } from '../../../kernel/tracing.ts'
import { isDatabaseUnavailable } from '../../../platform/database/connection/transaction.ts'
import { TryAgainAt } from '../../../platform/queue/try-again.ts'
import { captureTransport } from '../../../platform/transports/capture.ts'
import type { Breaker } from './breaker.ts'
import type { ClaimedEmail } from './claim-queries.ts'
import { type CopiesRequest, deliverCopies } from './copies/copies.ts'
import { createLanes } from './lanes.ts'
import { CHECK_LEASE_MS, createLeases, type LeaseRequest } from './lease.ts'
import { recordFailure } from './outcomes.ts'
import { createPreparation } from './prepare.ts'
import * as queries from './queries.ts'
import { createRates, type RateRequest } from './rates/rates.ts'
import { createRecorder } from './record-result.ts'
import { createRecords } from './records.ts'
import { after, type DeliveryResult, isResult, later, type Wait } from './result.ts'
import { createSignatures } from './signing.ts'
import { type SliceOptions, type SliceResult, withWarmingUp } from './slices.ts'

/** When to retry after the database was unavailable. */
const DATABASE_AWAY_MS = 1_000
const GIVEN_UP =
  'Sending failed repeatedly because of an internal error. The email may have been sent. The log contains the reason.'

export interface DeliveryRequest extends LeaseRequest {
  /** Its place in the line for the sending rate, if it has waited for that. */
  place?: number
}

export type Delivery = ReturnType<typeof createDelivery>

export function createDelivery(ctx: Context, breaker: Breaker) {
  const lanes = createLanes(ctx.mail.parallel)
  const records = createRecords(ctx.log)
  const rates = createRates(ctx)
  const leases = createLeases(ctx, lanes, records)
  const recorder = createRecorder(ctx, breaker, lanes, records)
  const signatures = createSignatures(ctx)
  const prepare = createPreparation(ctx, lanes, recorder, signatures)
  const inProgress = new Set<string>()
  const capture = captureTransport(ctx)
  const transportOf = ({ test }: Pick<ClaimedEmail, 'test'>) => (test ? capture : ctx.mail)

  /** admit → claim → render → compose → sign → send → record. `onAdmitted` is called with how long the email must wait. */
  async function deliver(request: DeliveryRequest, onAdmitted?: (wait: Wait | undefined) => void) {
    const wait = await admit(request, onAdmitted ? 'slice' : (request.place ?? 'new'))
    onAdmitted?.(wait)
    if (wait) return later(wait)
    let isSent = false
    try {
      return await lanes.claimed.run(request, async (leave) => {
        const lease = await leases.claim(request)
        if (isResult(lease)) return lease
        const message = await prepare(lease.email, request)
        if (isResult(message)) return message
        return await lanes.sending.run(request, async () => {
          const lost = await lease.renew()
          if (lost) return lost
          isSent = true
          const response = await lanes.transit(() => transportOf(lease.email).send(message.mail))
          leave()
          return recorder.record(lease.email, message.subject, response, request.priority)
        })
      })
    } finally {
      if (!isSent) rates.release(request.projectId)
    }
  }

  /** Undefined if the transport is available and neither the project nor the provider's account exceeds its rate. */
  const admit = async ({ projectId, emailId, priority }: DeliveryRequest, place: RateRequest['place']) =>
    leases.whenStopping() ?? (await breaker.pausedUntil(emailId)) ?? (await rates.take({ projectId, priority, place }))

  /** Two jobs may name the same email, for example after a pause. An email that this process is sending isn't started again. */
  async function deliverOnce(
    request: DeliveryRequest,
    onAdmitted?: (wait: Wait | undefined) => void,
  ): Promise<DeliveryResult> {
    const { projectId, emailId } = request
    if (inProgress.has(emailId)) {
      return later({ at: after(ctx, CHECK_LEASE_MS), reason: 'another job is sending this email' })
    }
    inProgress.add(emailId)
    try {
      const attributes = { 'posthorn.project.id': projectId, 'posthorn.email.id': emailId }
      return await withSpan('deliver email', { attributes }, () => deliver(request, onAdmitted))
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      await leases.release(request)
      return later({ at: after(ctx, DATABASE_AWAY_MS), reason: 'the database was unavailable' })
    } finally {
      inProgress.delete(emailId)
      await breaker.releaseProbe(emailId).catch(() => undefined) // it expires
    }
  }

  /** The email counts its own attempts; waiting isn't an attempt of the job. */
  async function deliverEmail(request: DeliveryRequest): Promise<void> {
    const result = await deliverOnce(request)
    if (!('at' in result)) return
    const { projectId, emailId } = request
    const payload = result.place !== undefined && { payload: { projectId, emailId, place: result.place } }
    throw new TryAgainAt(result.at, { countsAsAttempt: false, reason: result.reason, ...payload })
  }

  /**
   * Delivers many emails from one job, as a campaign does, through the same steps and in the order of their turns.
   * Resolves when each has an outcome, a job of its own for a retry, or is returned because it must wait. Calling it
   * again with the same emails is safe: those that are done are skipped. Throws the first error after all others are done.
   */
  async function deliverEmails(emails: queries.EmailRef[], options: SliceOptions): Promise<SliceResult> {
    const retries: Array<queries.EmailRef & Wait> = []
    const errors: unknown[] = []
    const warmingUp = new Map<string, Wait>()
    const deliveries: Promise<void>[] = []
    let waiting: SliceResult['waiting']

    /** Resolves as soon as the email is admitted. If it must wait, so must all that follow. */
    function start(email: queries.EmailRef): Promise<Wait | undefined> {
      return new Promise((resolve) => {
        let mustWait = false
        const delivered = deliverOnce({ ...email, ...options }, (wait) => {
          mustWait = wait !== undefined
          resolve(wait)
        })
          .then((result) => {
            if (!('at' in result) || mustWait) return
            if (result.reason === WARMING_UP) warmingUp.set(email.emailId, result)
            else retries.push({ ...email, at: result.at, reason: result.reason })
          })
          .catch((error: unknown) => void errors.push(error))
          .finally(() => resolve(undefined))
        deliveries.push(delivered)
      })
    }

    for (let i = 0; i < emails.length && !waiting; i++) {
      const wait = await start(emails[i]!)
      if (!wait) continue
      waiting = { emailIds: emails.slice(i).map(({ emailId }) => emailId), until: wait.at, reason: wait.reason }
    }
    await Promise.all(deliveries)
    waiting = withWarmingUp(emails, warmingUp, waiting)
    if (retries.length > 0) {
      await records.recordSurely(() => queries.enqueueDeliveries(ctx.db, retries, options.priority))
    }
    if (errors.length > 0) throw errors[0]
    const until = retries.reduce<Date | undefined>((latest, { at }) => (latest && latest > at ? latest : at), undefined)
    return { postponed: retries.length, until, waiting }
  }

  /** With a job for each email; those that are done are skipped. */
  async function deliverSeparately(emails: queries.EmailRef[], priority: number): Promise<void> {
    const now = ctx.clock.now()
    const due = emails.map((email) => ({ ...email, at: now }))
    await queries.enqueueDeliveries(ctx.db, due, priority)
  }

  /** Sends the message again to the recipients in `cc` and `bcc` that were refused temporarily. */
  async function retryCopies(request: CopiesRequest, priority: number): Promise<void> {
    const { projectId, emailId } = request
    const wait =
      (await admit({ projectId, emailId, priority, takeOver: false }, 'new')) ??
      (await deliverCopies(ctx, transportOf, request, { priority, sign: signatures.signAgain }))
    if (wait) throw new TryAgainAt(wait.at, { countsAsAttempt: false, reason: wait.reason })
  }

  /** The queue won't start its job again. */
  async function failEmail(ref: queries.EmailRef): Promise<void> {
    await recordFailure(ctx, ref, { error: GIVEN_UP, statuses: ['PENDING', 'SENDING'] })
  }

  return {
    deliverEmail,
    deliverEmails,
    deliverSeparately,
    retryCopies,
    failEmail,
    stop: leases.stop,
    signAgain: signatures.signAgain,
  }
}
