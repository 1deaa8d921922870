/** Amazon SNS notifications about emails: accepted immediately, processed by a job. */
import type { Context } from '../../../context.ts'
import { CannotDecrypt } from '../../../platform/content-encryption.ts'
import { TryAgainAt } from '../../../platform/queue/try-again.ts'
import { recordBounces, recordComplaints, recordDeliveries, recordNotes } from '../delivery/outcomes.ts'
import type { Tracking } from '../tracking/actions.ts'
import { isBot } from '../tracking/bots.ts'
import { ownIdIn } from './message-ids.ts'
import * as queries from './queries.ts'
import { readSesNotification, type SesNotification } from './ses-notification.ts'

/**
 * A notification can be received before the SES id of the email is stored; after this time it isn't about one of our
 * emails.
 */
const WAIT_MS = 3_600_000
/** When to check again whether the SECRET that a notification needs is configured. */
const UNKNOWN_SECRET_MS = 60_000
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 10 * 60_000
/** SNS stops retrying long before. */
const REMEMBERED_MS = 14 * 24 * 3_600_000

/** Stores email that SES received. It is passed in, because reports know nothing about received email. */
type Receive = (ctx: Context, content: Received['content']) => Promise<unknown>
type Received = Extract<SesNotification, { kind: 'received' }>

export async function processNotification(
  ctx: Context,
  { tracking, receive }: { tracking: Tracking; receive: Receive },
  { messageId }: { messageId: string },
): Promise<void> {
  const message = await queries.findMessage(ctx.db, messageId)
  if (!message) return
  const body = message.encrypted ? decrypt(ctx, messageId, message.encrypted) : message.body!
  const notification = readSesNotification(body)
  if (notification && !(await apply(ctx, tracking, receive, notification))) {
    const ageMs = ctx.clock.now().getTime() - message.receivedAt.getTime()
    if (ageMs < WAIT_MS) throw waitFor(ctx, ageMs)
    ctx.log.info(
      { providerId: notification.providerId },
      'SES reported on an email that this installation did not send',
    )
  }
  await queries.deleteMessageBody(ctx.db, messageId)
}

/** The operator can still configure the SECRET, so waiting for it isn't an attempt. */
function decrypt(ctx: Context, messageId: string, encrypted: Buffer): string {
  try {
    return ctx.secrets.decryptJson<string>(messageId, encrypted)
  } catch (error) {
    if (!(error instanceof CannotDecrypt)) throw error
    ctx.log.error({ messageId }, `This SNS notification can't be read. ${error.message}`)
    const at = new Date(ctx.clock.now().getTime() + UNKNOWN_SECRET_MS)
    throw new TryAgainAt(at, { countsAsAttempt: false, reason: "the notification can't be decrypted", cause: error })
  }
}

/** Pauses grow with the age of the notification. */
function waitFor(ctx: Context, ageMs: number): TryAgainAt {
  const pauseMs = Math.min(Math.max(ageMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
  const at = new Date(ctx.clock.now().getTime() + pauseMs)
  return new TryAgainAt(at, { countsAsAttempt: false, reason: 'the email has not been recorded yet' })
}

/** False if the email is unknown. */
async function apply(
  ctx: Context,
  tracking: Tracking,
  receive: Receive,
  notification: SesNotification,
): Promise<boolean> {
  if (notification.kind === 'received') {
    await receive(ctx, notification.content)
    return true
  }
  const email = await findEmail(ctx, notification)
  if (!email) return false
  const outcome = { ...email, at: notification.at ?? ctx.clock.now() }
  if (await isAboutCopies(ctx, notification, outcome)) return true
  switch (notification.kind) {
    case 'delivery':
      await recordDeliveries(ctx, [{ ...outcome, response: notification.response }])
      break
    case 'bounce':
      await recordBounces(ctx, [{ ...outcome, permanent: notification.permanent, response: notification.response }])
      break
    case 'complaint':
      await recordComplaints(ctx, [{ ...outcome, response: notification.response }])
      break
    case 'open':
      await tracking.recordOpen({ ...outcome, isBot: isBotAgent(notification.agent) })
      break
    case 'click':
      await tracking.recordClick({ ...outcome, isBot: isBotAgent(notification.agent), link: notification.link })
      break
    default:
      await recordNotes(ctx, [{ ...outcome, kind: notification.kind, text: notification.response }])
  }
  return true
}

/**
 * What happened to recipients in `cc` and `bcc` is recorded in the timeline only. False if the notification is also, or may
 * be, about the recipient in `to`.
 */
async function isAboutCopies(
  ctx: Context,
  { kind, recipients, ...notification }: SesNotification,
  outcome: { projectId: string; emailId: string; at: Date },
): Promise<boolean> {
  if (recipients.length === 0) return false
  const addressed = await queries.findAddressed(ctx.db, outcome)
  if (!addressed?.hasCopies) return false
  const copies = recipients.filter((email) => email !== addressed.to)
  const response = 'response' in notification ? (notification.response ?? '') : ''
  const notes = kind === 'delivery' ? [] : copies.map((email) => `${email} (${kind}): ${response}`)
  await recordNotes(
    ctx,
    notes.map((text) => ({ ...outcome, kind: 'copy-report', text })),
  )
  return copies.length === recipients.length
}

/**
 * If email is sent to SES over SMTP, our own Message-ID is the only key. Every recipient of an email has it too, so it
 * counts only for configured topics: anyone can have Amazon sign a message of their own topic.
 */
async function findEmail(ctx: Context, { providerId, ownId }: SesNotification) {
  const found = await queries.findEmailByProviderId(ctx.db, providerId)
  const { SNS_TOPIC_ARNS, SNS_TRUSTED_HOSTS } = ctx.settings
  if (found || (SNS_TOPIC_ARNS.length === 0 && SNS_TRUSTED_HOSTS.length === 0)) return found
  for (const messageId of [providerId, ownId ?? '']) {
    const emailId = ownIdIn(messageId)
    const own = emailId && (await queries.findEmailByOwnId(ctx.db, emailId, messageId))
    if (own) return own
  }
  return undefined
}

const isBotAgent = (agent: string) => isBot({ method: 'GET', headers: { 'user-agent': agent } }, false)

export const deleteOldNotifications = (ctx: Context): Promise<void> =>
  queries.deleteMessagesBefore(ctx.db, new Date(ctx.clock.now().getTime() - REMEMBERED_MS))
