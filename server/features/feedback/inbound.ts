/**
 * Mail that arrives. Reports about mail of ours are noted where they belong; everything else becomes a record, a contact
 * and the event `email.received`, for each project whose verified domain it was sent to. Taking it twice changes nothing.
 */
import type { Context } from '../../context.ts'
import { domainOf, isEmailAddress, normalizeEmail } from '../../kernel/email-address.ts'
import { newId } from '../../kernel/ids.ts'
import type { ReceivedEmail } from '../../platform/mail/message-thread.ts'
import type { Verdicts } from '../../platform/mail/verdicts.ts'
import { newPerson } from '../contacts/actions.ts'
import { noteBounces, noteComplaints, noteDelivered, noteWords } from '../delivery/outcomes.ts'
import { emailOfReturnPath } from '../delivery/return-path.ts'
import { senderDomain } from '../domains/actions.ts'
import { isAutomaticReply, keptHeaders, ownIdIn } from './inbound-facts.ts'
import {
  findSentEmails,
  findTakingProjects,
  forgetReceivedBefore,
  insertReceived,
  type ReceivedMessage,
  type Receiver,
} from './inbound-queries.ts'
import { type About, type Report, readPlainBounce, readReport } from './inbound-report.ts'

export interface Arrival {
  /** Of the envelope; empty for a report (`<>`). */
  sender: string
  recipients: string[]
  message: ReceivedEmail['message']
  /** Its body, safe to show. */
  html: string
  /** False when only what stands in the headers is known. */
  hasContent: boolean
  fingerprint: Uint8Array
  at: Date
  judge(): Promise<Verdicts>
  /** Counted from `startedAt` when absent. */
  processingTimeMillis?: number | undefined
  startedAt: number
}

interface EmailRef {
  projectId: string
  emailId: string
}

/** The event of a workflow is no archive: what is longer is whole at GET /emails/{id}. */
const BODY_IN_EVENT_MAX = 256 * 1024
/** Senders give up after five days. */
const REMEMBERED_MS = 7 * 24 * 3_600_000

export const forgetOldArrivals = (ctx: Context): Promise<void> =>
  forgetReceivedBefore(ctx.db, new Date(ctx.clock.now().getTime() - REMEMBERED_MS))

/** The projects that take mail for these addresses, each with its own addresses among them. */
export async function findTakers(ctx: Context, recipients: string[]) {
  const addresses = [...new Set(recipients.map(normalizeEmail))].filter(isEmailAddress)
  const rows = await findTakingProjects(ctx.db, [...new Set(addresses.map(senderDomain))])
  const takers = new Map<string, { projectId: string; disabled: boolean; recipients: string[] }>()
  for (const { domain, projectId, disabled } of rows) {
    const taker = takers.get(projectId) ?? { projectId, disabled, recipients: [] }
    taker.recipients.push(...addresses.filter((address) => senderDomain(address) === domain))
    takers.set(projectId, taker)
  }
  return [...takers.values()]
}

/** `over-limit`: everyone it is for has had as much mail this month as they may. */
export type Reception = 'taken' | 'over-limit' | 'nobody'

export async function receiveMail(ctx: Context, arrival: Arrival): Promise<Reception> {
  const returned = arrival.recipients.flatMap((address) => emailOfReturnPath(ctx, address) ?? [])
  const read = readReport(arrival.message)
  for (const email of returned)
    await noteReport(ctx, email, read?.report ?? readPlainBounce(arrival.message), arrival.at)

  const others = arrival.recipients.filter((address) => !emailOfReturnPath(ctx, address))
  const takers = (await findTakers(ctx, others)).filter(({ disabled }) => !disabled)
  const told = read ? await takeReport(ctx, read, takers, arrival) : new Set<string>()
  const receivers = takers.filter(({ projectId }) => !told.has(projectId))
  const full = receivers.length > 0 ? await record(ctx, arrival, receivers) : []
  if (full.length > 0)
    ctx.log.info({ projects: full.length }, 'email was received for projects that have reached their limit')
  const taken = returned.length + takers.length - full.length
  return taken > 0 ? 'taken' : full.length > 0 ? 'over-limit' : 'nobody'
}

/**
 * A report that came to an ordinary address. It is recorded if it is about mail of a project that got it. Everyone who got
 * the email knows its Message-ID, so what is found by that alone has an effect only if the recipient's own domain
 * provably sent the report; otherwise it is a note in the timeline.
 */
async function takeReport(
  ctx: Context,
  { report, about }: { report: Report; about: About },
  takers: Array<{ projectId: string }>,
  arrival: Arrival,
): Promise<Set<string>> {
  const projectIds = takers.map(({ projectId }) => projectId)
  const signed = about.returnPaths.flatMap((path) => emailOfReturnPath(ctx, path) ?? [])
  const emailId = signed[0]?.emailId ?? ownIdIn(about.messageId)
  if (!emailId || projectIds.length === 0) return new Set()
  const sent = await findSentEmails(ctx.db, projectIds, emailId)
  for (const { projectId, to } of sent) {
    const email = { projectId, emailId }
    if (signed.length > 0 || (await isFromDomainOf(to, arrival))) await noteReport(ctx, email, report, arrival.at)
    else if ('words' in report) {
      const words = `A ${report.kind} report could not be authenticated and was ignored: ${report.words}`
      await noteWords(ctx, [{ ...email, at: arrival.at, kind: 'unproven-report', words }])
    }
  }
  return new Set(sent.map(({ projectId }) => projectId))
}

/** Whether the report provably comes from the recipient's domain, or from one above or below it. */
async function isFromDomainOf(recipient: string, { message, judge }: Arrival): Promise<boolean> {
  const [from, to] = [domainOf(message.from?.email ?? ''), domainOf(recipient)]
  const isRelated = from !== '' && (from === to || from.endsWith(`.${to}`) || to.endsWith(`.${from}`))
  return isRelated && from.includes('.') && (await judge()).dmarcVerdict === 'PASS'
}

async function noteReport(ctx: Context, email: EmailRef, report: Report, at: Date): Promise<void> {
  switch (report.kind) {
    case 'bounce':
      return noteBounces(ctx, [{ ...email, at, permanent: report.permanent, words: report.words }])
    case 'complaint':
      return noteComplaints(ctx, [{ ...email, at, words: report.words }])
    case 'delivered':
      return noteDelivered(ctx, [{ ...email, at, words: report.words }])
    case 'deferred':
      return noteWords(ctx, [{ ...email, at, kind: 'deferred', words: report.words }])
  }
}

/** Returns the projects that are over their limit. */
async function record(
  ctx: Context,
  arrival: Arrival,
  takers: Array<{ projectId: string; recipients: string[] }>,
): Promise<string[]> {
  const verdicts = await arrival.judge()
  const { message, html } = arrival
  const from = senderOf(arrival)
  const fingerprint = Buffer.from(arrival.fingerprint)
  const messageId = message.messageId || `${fingerprint.toString('hex').slice(0, 32)}@no-message-id`
  const processingTimeMillis = arrival.processingTimeMillis ?? Math.round(performance.now() - arrival.startedAt)
  const event = {
    messageId,
    from: from.email,
    fromHeader: message.fromHeader || from.email,
    subject: message.subject,
    timestamp: arrival.at.toISOString(),
    hasContent: arrival.hasContent,
    body: html.slice(0, BODY_IN_EVENT_MAX).toWellFormed(),
    ...verdicts,
    processingTimeMillis,
  }
  const received: ReceivedMessage = {
    fingerprint,
    subject: message.subject,
    html,
    plain: message.text ?? null,
    attachments: message.attachments,
    fromEmail: from.email,
    fromName: from.name ?? null,
    replyTo: message.replyTo[0]?.email ?? null,
    headers: keptHeaders(message.headers),
    // One without @ could be mistaken for the id that a provider gave to mail of ours.
    messageId: messageId.includes('@') ? messageId : `<${messageId}>`,
    ownId: ownIdIn(message.messageId),
    event: isAutomaticReply(message.headers) ? null : event,
  }
  return insertReceived(ctx.db, received, receiversOf(ctx, arrival, takers, from.email), ctx.clock.now())
}

/** As the message names itself; by the envelope if it doesn't. */
function senderOf({ message, sender }: Arrival): { email: string; name?: string | undefined } {
  return message.from && isEmailAddress(message.from.email) ? message.from : { email: normalizeEmail(sender) }
}

function receiversOf(
  ctx: Context,
  { sender }: Arrival,
  takers: Array<{ projectId: string; recipients: string[] }>,
  from: string,
): Receiver[] {
  const now = ctx.clock.now()
  const isSomebody = sender !== '' && isEmailAddress(from)
  return takers.map(({ projectId, recipients }) => ({
    projectId,
    contentId: newId(now),
    sender: isSomebody ? newPerson(now, from, {}, undefined) : null,
    recipients: recipients.map((to) => {
      const emailId = newId(now)
      return { to, emailId, eventId: newId(now), event: { to, recipients, emailId } }
    }),
  }))
}
