/** What comes back about emails from Amazon: taken in at once, dealt with by a job. */
import type { Context } from '../../context.ts'
import { TryAgainAt } from '../../platform/queue/try-again.ts'
import { noteBounces, noteComplaints, noteDelivered, noteWords } from '../delivery/outcomes.ts'
import type { Tracking } from '../tracking/actions.ts'
import { isBot } from '../tracking/bots.ts'
import { ownIdIn } from './inbound-facts.ts'
import { takeSesMail } from './inbound-ses.ts'
import * as queries from './queries.ts'
import { readSesNotification, type SesNotification } from './ses-notification.ts'

/** A notification may be here before we have recorded what SES called the email; after this it is about nobody of ours. */
const WAIT_MS = 3_600_000
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 10 * 60_000
/** SNS gives up long before. */
const REMEMBERED_MS = 14 * 24 * 3_600_000

export async function takeNotification(
  ctx: Context,
  tracking: Tracking,
  { messageId }: { messageId: string },
): Promise<void> {
  const message = await queries.findMessage(ctx.db, messageId)
  if (!message) return
  const notification = readSesNotification(message.body)
  if (notification && !(await apply(ctx, tracking, notification))) {
    const ageMs = ctx.clock.now().getTime() - message.receivedAt.getTime()
    if (ageMs < WAIT_MS) throw waitFor(ctx, ageMs)
    ctx.log.info(
      { providerId: notification.providerId },
      'SES reported on an email that this installation did not send',
    )
  }
  await queries.forgetMessageBody(ctx.db, messageId)
}

/** Pauses that grow with the time it has waited already. */
function waitFor(ctx: Context, ageMs: number): TryAgainAt {
  const pauseMs = Math.min(Math.max(ageMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
  const at = new Date(ctx.clock.now().getTime() + pauseMs)
  return new TryAgainAt(at, { countsAsAttempt: false, reason: 'the email has not been recorded yet' })
}

/** False when the email is not known. */
async function apply(ctx: Context, tracking: Tracking, notification: SesNotification): Promise<boolean> {
  if (notification.kind === 'received') {
    await takeSesMail(ctx, notification.content)
    return true
  }
  const email = await findEmail(ctx, notification)
  if (!email) return false
  const outcome = { ...email, at: notification.at ?? ctx.clock.now() }
  switch (notification.kind) {
    case 'delivery':
      await noteDelivered(ctx, [{ ...outcome, words: notification.words }])
      break
    case 'bounce':
      await noteBounces(ctx, [{ ...outcome, permanent: notification.permanent, words: notification.words }])
      break
    case 'complaint':
      await noteComplaints(ctx, [{ ...outcome, words: notification.words }])
      break
    case 'open':
      await tracking.noteOpen({ ...outcome, isBot: isBotAgent(notification.agent) })
      break
    case 'click':
      await tracking.noteClick({ ...outcome, isBot: isBotAgent(notification.agent), link: notification.link })
      break
    default:
      await noteWords(ctx, [{ ...outcome, kind: notification.kind, words: notification.words }])
  }
  return true
}

/**
 * Where mail reaches SES over SMTP, our own Message-ID is all we know it by. Whoever has got a mail knows it too, so it
 * counts only from topics that somebody named: anybody can have Amazon sign a message of a topic of their own.
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

export const forgetOldNotifications = (ctx: Context): Promise<void> =>
  queries.forgetMessagesBefore(ctx.db, new Date(ctx.clock.now().getTime() - REMEMBERED_MS))
