/**
 * Receives email. Reports about our emails are recorded on them; every other message becomes an email, a contact and
 * the event `email.received`, for each project whose verified domain it was sent to. Receiving a message twice changes
 * nothing.
 */
import type { Context } from '../../../context.ts'
import { isEmailAddress, normalizeEmail, senderDomain } from '../../../kernel/email-address.ts'
import { newId } from '../../../kernel/ids.ts'
import type { ReceivedEmail } from '../../../platform/mime/message-thread.ts'
import type { Verdicts } from '../../../platform/mime/verdicts.ts'
import { newPerson } from '../../audience/contacts/actions.ts'
import { recordReport, recordReturned } from '../reports/actions.ts'
import { ownIdIn } from '../reports/message-ids.ts'
import { isAutomaticReply, keptHeaders } from './facts.ts'
import {
  deleteReceivedBefore,
  findProjectsOfDomains,
  insertReceived,
  type ReceivedMessage,
  type Receiver,
} from './queries.ts'

export interface IncomingMail {
  /** The envelope sender; empty for a report (`<>`). */
  sender: string
  recipients: string[]
  message: ReceivedEmail['message']
  attachments: ReceivedEmail['attachments']
  /** Its body, safe to show. */
  html: string
  /** False if only the headers are available. */
  hasContent: boolean
  fingerprint: Uint8Array
  at: Date
  findVerdicts(): Promise<Verdicts>
  /** Measured from `startedAt` if absent. */
  processingTimeMillis?: number | undefined
  startedAt: number
}

/**
 * Longer bodies are cut in the event; GET /emails/{id} returns them in full. Events are not encrypted, so with
 * DATA_ENCRYPTION they have no body.
 */
const BODY_IN_EVENT_MAX = 256 * 1024
/** Senders stop retrying after five days. */
const REMEMBERED_MS = 7 * 24 * 3_600_000

export const deleteOldReceivedMessages = (ctx: Context): Promise<void> =>
  deleteReceivedBefore(ctx.db, new Date(ctx.clock.now().getTime() - REMEMBERED_MS))

/** The projects that receive email for these addresses, each with its addresses. */
export async function findReceivingProjects(ctx: Context, recipients: string[]) {
  const addresses = [...new Set(recipients.map(normalizeEmail))].filter(isEmailAddress)
  const rows = await findProjectsOfDomains(ctx.db, [...new Set(addresses.map(senderDomain))])
  const projects = new Map<string, { projectId: string; disabled: boolean; recipients: string[] }>()
  for (const { domain, projectId, disabled } of rows) {
    const project = projects.get(projectId) ?? { projectId, disabled, recipients: [] }
    project.recipients.push(...addresses.filter((address) => senderDomain(address) === domain))
    projects.set(projectId, project)
  }
  return [...projects.values()]
}

/** `over-limit`: every receiving project has reached its monthly limit. */
export type Reception = 'accepted' | 'over-limit' | 'no-recipient'

export async function receiveMail(ctx: Context, mail: IncomingMail): Promise<Reception> {
  const { returned, others } = await recordReturned(ctx, mail)
  const projects = (await findReceivingProjects(ctx, others)).filter(({ disabled }) => !disabled)
  const reported = await recordReport(ctx, mail, projects)
  const receivers = projects.filter(({ projectId }) => !reported.has(projectId))
  const full = receivers.length > 0 ? await record(ctx, mail, receivers) : []
  if (full.length > 0)
    ctx.log.info({ projects: full.length }, 'email was received for projects that have reached their limit')
  const accepted = returned + projects.length - full.length
  return accepted > 0 ? 'accepted' : full.length > 0 ? 'over-limit' : 'no-recipient'
}

/** Returns the projects that have reached their limit. */
async function record(
  ctx: Context,
  mail: IncomingMail,
  projects: Array<{ projectId: string; recipients: string[] }>,
): Promise<string[]> {
  const { authenticatedDomains: _, ...verdicts } = await mail.findVerdicts()
  const { message, html } = mail
  const from = senderOf(mail)
  const fingerprint = Buffer.from(mail.fingerprint)
  const messageId = message.messageId || `${fingerprint.toString('hex').slice(0, 32)}@no-message-id`
  const processingTimeMillis = mail.processingTimeMillis ?? Math.round(performance.now() - mail.startedAt)
  const event = {
    messageId,
    from: from.email,
    fromHeader: message.fromHeader || from.email,
    subject: message.subject,
    timestamp: mail.at.toISOString(),
    hasContent: mail.hasContent,
    body: ctx.settings.DATA_ENCRYPTION === 'on' ? '' : html.slice(0, BODY_IN_EVENT_MAX).toWellFormed(),
    ...verdicts,
    processingTimeMillis,
  }
  const received: ReceivedMessage = {
    fingerprint,
    subject: message.subject,
    html,
    plain: message.text ?? null,
    attachments: Buffer.from(mail.attachments.buffer, mail.attachments.byteOffset, mail.attachments.byteLength),
    fromEmail: from.email,
    fromName: from.name ?? null,
    replyTo: message.replyTo[0]?.email ?? null,
    headers: keptHeaders(message.headers),
    // An id without @ could be confused with the id that a provider gave to one of our emails.
    messageId: messageId.includes('@') ? messageId : `<${messageId}>`,
    ownId: ownIdIn(message.messageId),
    event: isAutomaticReply(message.headers) ? null : event,
  }
  return insertReceived(ctx.db, ctx.secrets, received, receiversOf(ctx, mail, projects, from.email), ctx.clock.now())
}

/** From the message's headers, or from the envelope if they have no sender. */
function senderOf({ message, sender }: IncomingMail): { email: string; name?: string | undefined } {
  return message.from && isEmailAddress(message.from.email) ? message.from : { email: normalizeEmail(sender) }
}

function receiversOf(
  ctx: Context,
  { sender }: IncomingMail,
  projects: Array<{ projectId: string; recipients: string[] }>,
  from: string,
): Receiver[] {
  const now = ctx.clock.now()
  const hasValidSender = sender !== '' && isEmailAddress(from)
  return projects.map(({ projectId, recipients }) => ({
    projectId,
    contentId: newId(now),
    sender: hasValidSender ? newPerson(now, from, {}, undefined) : null,
    recipients: recipients.map((to) => {
      const emailId = newId(now)
      return { to, emailId, eventId: newId(now), event: { to, recipients, emailId } }
    }),
  }))
}
