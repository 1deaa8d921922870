/**
 * One email on its way out, as a list of steps. At least once: a crash between sending and recording sends it again
 * after the lease, with the same Message-ID.
 */
import type { Context } from '../../context.ts'
import { gather } from '../../kernel/gather.ts'
import { newId } from '../../kernel/ids.ts'
import { TemplateError } from '../../kernel/liquid.ts'
import type { MailResult } from '../../platform/mail/transport.ts'
import { countEmail } from '../../platform/metrics.ts'
import { TryAgainAt } from '../../platform/queue/try-again.ts'
import { composeEmail, messageIdOf, type RenderedEmail, renderEmail } from './compose.ts'
import * as queries from './delivery-queries.ts'

const LEASE_MS = 60_000
const DISABLED_PAUSE_MS = 60_000
const TRIES_MAX = 5
const RETRY_BASE_MS = 15_000

export async function deliverEmail(ctx: Context, ref: queries.ClaimRequest): Promise<void> {
  const email = await claim(ctx, ref)
  if (!email) return
  const rendered = await render(ctx, email)
  if (!rendered) return
  const result = await send(ctx, email, rendered)
  await record(ctx, email, rendered, result)
}

/** Takes the email for the time of a lease. Nothing when it is done or cancelled; later when someone else has it. */
async function claim(ctx: Context, ref: queries.ClaimRequest): Promise<queries.ClaimedEmail | undefined> {
  const { email, leasedUntil, disabled } = await batches(ctx).claim(ref)
  if (disabled) throw waitUntil(after(ctx, DISABLED_PAUSE_MS), 'the project is disabled')
  if (leasedUntil) throw waitUntil(leasedUntil, 'another worker has this email')
  return email
}

async function render(ctx: Context, email: queries.ClaimedEmail): Promise<RenderedEmail | undefined> {
  try {
    return await renderEmail(ctx, email)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    await fail(ctx, email, error.message)
    return undefined
  }
}

async function send(ctx: Context, email: queries.ClaimedEmail, rendered: RenderedEmail): Promise<MailResult> {
  const raw = composeEmail(ctx, email, rendered)
  return ctx.mail.send({
    id: email.id,
    messageId: messageIdOf(email),
    sender: email.from_email,
    recipients: [email.to_email],
    attempt: email.attempts,
    raw,
  })
}

async function record(
  ctx: Context,
  email: queries.ClaimedEmail,
  { subject }: RenderedEmail,
  result: MailResult,
): Promise<void> {
  if (result.outcome === 'rejected') return fail(ctx, email, result.reason)
  if (result.outcome === 'later') return tryLater(ctx, email, result.reason)
  const now = ctx.clock.now()
  await batches(ctx).recordSent({
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
}

/** The fields that every event about an email carries. */
const eventFacts = (email: queries.ClaimedEmail, subject: string, messageId: string) => ({
  subject,
  from: email.from_email,
  fromName: email.from_name,
  messageId,
  emailId: email.id,
  templateId: email.template_id,
  campaignId: email.campaign_id,
  sourceType: email.source_type,
})

async function tryLater(ctx: Context, email: queries.ClaimedEmail, reason: string): Promise<void> {
  if (email.attempts >= TRIES_MAX) return fail(ctx, email, `Gave up after ${TRIES_MAX} tries: ${reason}`)
  await queries.recordNotSent(ctx.db, refOf(email), { status: 'PENDING', error: reason }, ctx.clock.now())
  countEmail('retried')
  throw waitUntil(after(ctx, RETRY_BASE_MS * 4 ** (email.attempts - 1)), reason)
}

/** The email counts its own tries; waiting is no fault of the job. */
const waitUntil = (at: Date, reason: string) => new TryAgainAt(at, { countsAsAttempt: false, reason })

const after = (ctx: Context, ms: number) => new Date(ctx.clock.now().getTime() + ms)

async function fail(ctx: Context, email: queries.ClaimedEmail, reason: string): Promise<void> {
  await queries.recordNotSent(ctx.db, refOf(email), { status: 'FAILED', error: reason }, ctx.clock.now())
  countEmail('failed')
}

const refOf = (email: queries.ClaimedEmail): queries.EmailRef => ({ projectId: email.project_id, emailId: email.id })

/** Emails in flight at the same time share their statements. */
interface Batches {
  claim(ref: queries.ClaimRequest): Promise<queries.Claim>
  recordSent(sent: queries.SentEmail): Promise<void>
}

const batchesOf = new WeakMap<Context, Batches>()

function batches(ctx: Context): Batches {
  let found = batchesOf.get(ctx)
  if (!found) {
    const claimAll = (refs: queries.ClaimRequest[]) => {
      const now = ctx.clock.now()
      return queries.claimEmails(ctx.db, refs, now, new Date(now.getTime() + LEASE_MS))
    }
    const recordAll = async (sent: queries.SentEmail[]) => {
      await queries.recordSent(ctx.db, sent, ctx.clock.now())
      return sent.map(() => undefined)
    }
    found = {
      claim: gather(claimAll, { most: 100, atOnce: 2 }),
      recordSent: gather(recordAll, { most: 100, atOnce: 2 }),
    }
    batchesOf.set(ctx, found)
  }
  return found
}
