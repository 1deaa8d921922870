/**
 * Delivers emails, each as a list of steps. At least once: if the process exits between sending and recording, the email
 * is sent again with the same Message-ID. If the database is away, the outcome is recorded as soon as it is back.
 */
import type { Context } from '../../context.ts'
import { gather } from '../../kernel/gather.ts'
import { newId } from '../../kernel/ids.ts'
import { pause } from '../../kernel/wait.ts'
import { isDatabaseAway, isVictim } from '../../platform/database/transaction.ts'
import type { MailResult } from '../../platform/mail/transport.ts'
import { countEmail } from '../../platform/metrics.ts'
import { TryAgainAt } from '../../platform/queue/try-again.ts'
import { TemplateError } from '../../platform/rendering/template-error.ts'
import { composeEmail, messageIdOf, type RenderedEmail, renderEmail } from '../composing/compose.ts'
import { type ClaimedEmail, type ClaimRequest, claimEmails, settleUnclaimed } from './claim-queries.ts'
import { noteBounces, noteComplaints, noteWords } from './outcomes.ts'
import { type Breaker, createBreaker, createThrottle, type Throttle } from './pace.ts'
import * as queries from './queries.ts'
import { returnPathOf } from './return-path.ts'
import { createSignatures, type Signatures } from './signature.ts'

/** How many emails of a slice are delivered at the same time. */
const SLICE_AT_ONCE = 50
const LEASE_MS = 60_000
/** A lease may end before its time, with its holder; so it is worth an earlier look. */
const LOOK_AT_LEASE_MS = 5_000
/** When to try again what the database was not available for. */
const DATABASE_AWAY_MS = 1_000
const RECORD_AGAIN_MS = 200
/** When to look again whether a disabled project or a paused campaign goes on. */
const HELD_MS = { 'the project is disabled': 60_000, 'the campaign is paused': 15_000 }
const TRIES_MAX = 5
const RETRY_BASE_MS = 15_000
/** Of a simulated failure: whoever tries it out is watching. */
const SIMULATED_RETRY_BASE_MS = 2_000
/** An outage costs no tries, but mail this old is no news any more. */
const AGE_MAX_MS = 5 * 24 * 3_600_000

export interface DeliveryRequest extends ClaimRequest {
  /** Of its job: emails that must wait do so in the line of this priority. */
  priority: number
}

export interface SliceOptions {
  /** Of jobs of this kind; see PRIORITY. */
  priority: number
  /** The queue hands the slice out again, so whoever was sending it is gone. */
  takeOver: boolean
}

export interface SliceResult {
  /** How many have to wait for another try. */
  postponed: number
  /** The latest moment at which one of them is tried again. */
  until: Date | undefined
}

/** What the steps of a delivery share. */
interface Shared extends Batches, Records {
  ctx: Context
  breaker: Breaker
  throttle: Throttle
  signatures: Signatures
}

export type Delivery = ReturnType<typeof createDelivery>

export function createDelivery(ctx: Context) {
  const breaker = createBreaker(ctx)
  const throttle = createThrottle(ctx)
  const signatures = createSignatures(ctx)
  const shared: Shared = { ctx, breaker, throttle, signatures, ...createBatches(ctx), ...createRecords() }
  const inProgress = new Set<string>()
  const { recordSurely } = shared

  /** Two jobs may name one email, as after a pause. An email that this process is sending is not begun once more. */
  async function deliverEmail(request: DeliveryRequest): Promise<void> {
    const { emailId } = request
    if (inProgress.has(emailId)) throw waitUntil(after(ctx, LOOK_AT_LEASE_MS), 'another job is sending this email')
    inProgress.add(emailId)
    try {
      await takeSteps(shared, request)
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      throw waitUntil(after(ctx, DATABASE_AWAY_MS), 'the database was unavailable')
    } finally {
      inProgress.delete(emailId)
    }
  }

  /**
   * Delivers many emails from one job, as a campaign does: through the same steps, some at a time.
   * Resolves when each has an outcome or a job of its own for another try. Safe to call again with the same emails:
   * what is done is left alone. Throws the first error when all the others have been seen to.
   */
  async function deliverEmails(emails: queries.EmailRef[], options: SliceOptions): Promise<SliceResult> {
    const later: Array<queries.EmailRef & { at: Date }> = []
    const errors: unknown[] = []
    let next = 0

    async function deliverOneAfterAnother(): Promise<void> {
      while (next < emails.length) {
        const { projectId, emailId } = emails[next++]!
        try {
          await deliverEmail({ projectId, emailId, ...options })
        } catch (error) {
          if (error instanceof TryAgainAt) later.push({ projectId, emailId, at: error.at })
          else errors.push(error)
        }
      }
    }
    await Promise.all(Array.from({ length: Math.min(SLICE_AT_ONCE, emails.length) }, deliverOneAfterAnother))
    if (later.length > 0) await recordSurely(() => queries.enqueueDeliveries(ctx.db, later, options.priority))
    if (errors.length > 0) throw errors[0]
    const until = later.reduce<Date | undefined>((latest, { at }) => (latest && latest > at ? latest : at), undefined)
    return { postponed: later.length, until }
  }

  return { deliverEmail, deliverEmails, sign: signatures.sign }
}

async function takeSteps(shared: Shared, request: DeliveryRequest): Promise<void> {
  await waitForTurn(shared, request)
  const email = await claim(shared, request)
  const rendered = email && (await render(shared, email))
  if (!rendered) return passTurnOn(shared, request)
  const raw = await sign(shared, email, composeEmail(email, rendered))
  const result = await send(shared, email, raw)
  await shared.recordSurely(() => record(shared, email, rendered, result))
}

/** The transport works, and neither the project nor the provider's account is over its rate. */
async function waitForTurn({ breaker, throttle }: Shared, { projectId, priority }: DeliveryRequest): Promise<void> {
  const wait = (await breaker.pausedUntil()) ?? (await throttle.takeSlot(projectId, priority))
  if (!wait) return
  await breaker.giveTurnBack()
  throw waitUntil(wait.at, wait.reason)
}

async function passTurnOn({ breaker, throttle }: Shared, { projectId }: DeliveryRequest): Promise<void> {
  throttle.giveSlotBack(projectId)
  await breaker.giveTurnBack()
}

/** Takes the email for the time of a lease. Nothing when it is done, cancelled or unwanted by now. */
async function claim(shared: Shared, request: DeliveryRequest): Promise<ClaimedEmail | undefined> {
  const { ctx } = shared
  await shared.allRecorded()
  const email = await shared.claimEmail(request)
  const hindrance = email ? undefined : await shared.settleUnclaimed(request)
  if (!hindrance) return email
  await passTurnOn(shared, request)
  if ('held' in hindrance) throw waitUntil(after(ctx, HELD_MS[hindrance.held]), hindrance.held)
  const at = Math.min(hindrance.leasedUntil.getTime(), after(ctx, LOOK_AT_LEASE_MS).getTime())
  throw waitUntil(new Date(at), 'another worker has claimed this email')
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

const sign = ({ ctx, signatures }: Shared, email: ClaimedEmail, raw: Buffer): Promise<Buffer> | Buffer =>
  ctx.mail.signing === 'on-send' ? signatures.sign(email, raw) : raw

async function send({ ctx }: Shared, email: ClaimedEmail, raw: Buffer): Promise<MailResult> {
  return ctx.mail.send({
    id: email.id,
    messageId: messageIdOf(email),
    sender: returnPathOf(ctx, email),
    recipients: [email.to_email],
    attempt: email.attempts,
    raw,
  })
}

async function record(
  shared: Shared,
  email: ClaimedEmail,
  { subject }: RenderedEmail,
  result: MailResult,
): Promise<void> {
  const { ctx, breaker } = shared
  if (result.outcome === 'unavailable') return tryWhenAvailable(shared, email, result)
  await breaker.noteWorking()
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
  if (result.heardNext) await hear(ctx, email, result.heardNext)
}

/** The fields that every event about an email carries. */
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

/** What a simulated mail server has to say afterwards. */
async function hear(ctx: Context, email: ClaimedEmail, what: 'bounce' | 'soft bounce' | 'complaint'): Promise<void> {
  const outcome = { ...refOf(email), at: ctx.clock.now() }
  if (what === 'complaint') return noteComplaints(ctx, [outcome])
  const permanent = what === 'bounce'
  const words = permanent ? '550 5.1.1 The simulator has no such user.' : '452 4.2.2 The simulated mailbox is full.'
  await noteBounces(ctx, [{ ...outcome, permanent, words }])
}

/** The address was refused for good before anything was sent. */
async function bounce(ctx: Context, email: ClaimedEmail, subject: string, words: string): Promise<void> {
  const outcome = {
    ...refOf(email),
    at: ctx.clock.now(),
    permanent: true,
    words,
    subject,
    messageId: messageIdOf(email),
  }
  await noteBounces(ctx, [outcome])
  countEmail('bounced')
}

async function tryLater(ctx: Context, email: ClaimedEmail, reason: string): Promise<void> {
  if (email.attempts >= TRIES_MAX) return fail(ctx, email, `Gave up after ${TRIES_MAX} attempts: ${reason}`)
  const now = ctx.clock.now()
  await queries.recordNotSent(ctx.db, refOf(email), { status: 'PENDING', error: reason, counts: true }, now)
  await noteWords(ctx, [{ ...refOf(email), at: now, kind: 'deferred', words: reason }])
  countEmail('retried')
  const base = ctx.mail.name === 'capture' ? SIMULATED_RETRY_BASE_MS : RETRY_BASE_MS
  throw waitUntil(after(ctx, base * 4 ** (email.attempts - 1)), reason)
}

/** Nobody's mail gets through, so the try doesn't count; unless other mail does. */
async function tryWhenAvailable(
  { ctx, breaker }: Shared,
  email: ClaimedEmail,
  { reason, aboutOne }: Extract<MailResult, { outcome: 'unavailable' }>,
): Promise<void> {
  const { at, worksForOthers } = await breaker.noteUnavailable(reason)
  if (aboutOne && worksForOthers) return tryLater(ctx, email, reason)
  const now = ctx.clock.now()
  if (now.getTime() - email.created_at.getTime() > AGE_MAX_MS)
    return fail(ctx, email, `Gave up after 5 days: ${reason}`)
  await queries.recordNotSent(ctx.db, refOf(email), { status: 'PENDING', error: reason, counts: false }, now)
  throw waitUntil(at, reason)
}

/** The email counts its own tries; waiting is no fault of the job. */
const waitUntil = (at: Date, reason: string) => new TryAgainAt(at, { countsAsAttempt: false, reason })

const after = (ctx: Context, ms: number) => new Date(ctx.clock.now().getTime() + ms)

async function fail(ctx: Context, email: ClaimedEmail, reason: string): Promise<void> {
  await queries.recordNotSent(ctx.db, refOf(email), { status: 'FAILED', error: reason, counts: true }, ctx.clock.now())
  countEmail('failed')
}

const refOf = (email: ClaimedEmail): queries.EmailRef => ({ projectId: email.project_id, emailId: email.id })

/**
 * Emails in flight at the same time share their statements. Not too many: a whole crowd in one would go on as a crowd,
 * the database idle while it is rendered and the processor idle while it is recorded. Two that hold each other up,
 * with the same emails in another order, go on one by one.
 */
const TOGETHER = { most: 50, tryAlone: isVictim }
/** Half of a claim for ten is its fixed cost, so few wait for more. */
const CLAIM = { ...TOGETHER, atOnce: 2, pace: { ms: 10, enough: 20 } }
const SETTLE = { ...TOGETHER, atOnce: 2 }
/** What has left is written down at once, one statement after the other: two at a time are each half as large. */
const RECORD = { ...TOGETHER, atOnce: 1 }

type Batches = ReturnType<typeof createBatches>

function createBatches(ctx: Context) {
  const lease = () => {
    const now = ctx.clock.now()
    const isAlone = ctx.settings.DATABASE_URL === '' && ctx.settings.WORKERS <= 1 // the database is embedded
    return { now, until: new Date(now.getTime() + LEASE_MS), holder: ctx.workerLock ?? null, durable: !isAlone }
  }
  const recordAll = async (sent: queries.SentEmail[]) => {
    await queries.recordSent(ctx.db, sent, ctx.clock.now())
    return sent.map(() => undefined)
  }
  return {
    claimEmail: gather((refs: ClaimRequest[]) => claimEmails(ctx.db, refs, lease()), CLAIM),
    settleUnclaimed: gather((refs: ClaimRequest[]) => settleUnclaimed(ctx.db, refs, lease()), SETTLE),
    recordSent: gather(recordAll, RECORD),
  }
}

type Records = ReturnType<typeof createRecords>

/** What was sent is recorded, however long the database is away, and before this process claims another email. */
function createRecords() {
  const waiting = new Set<Promise<void>>()

  async function repeat(write: () => Promise<void>): Promise<void> {
    for (;;) {
      await pause(RECORD_AGAIN_MS)
      try {
        return await write()
      } catch (error) {
        if (!isDatabaseAway(error)) throw error
      }
    }
  }

  return {
    async recordSurely(write: () => Promise<void>): Promise<void> {
      try {
        return await write()
      } catch (error) {
        if (!isDatabaseAway(error)) throw error
      }
      const recorded = repeat(write)
      waiting.add(recorded)
      try {
        await recorded
      } finally {
        waiting.delete(recorded)
      }
    },
    allRecorded: async (): Promise<void> => {
      while (waiting.size > 0) await Promise.allSettled(waiting)
    },
  }
}
