/**
 * The service's own emails to the people who run projects, not to their contacts. A notice is enqueued in the
 * transaction of its cause, so it is sent exactly if that commits, with the same transport as all emails, from
 * SYSTEM_FROM.
 */
import type { Context } from '../../../context.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { composeMessage } from '../../../platform/mime/mime.ts'
import { type JobCatalogue, type JobRun, PRIORITY } from '../../../platform/queue/catalogue.ts'
import { enqueueMany } from '../../../platform/queue/job-table.ts'
import { TryAgainAt } from '../../../platform/queue/try-again.ts'
import { CANNOT_SEND, type MailResult } from '../../../platform/transports/transport.ts'
import { htmlOf } from './notice-html.ts'
import { findConfirmed } from './queries.ts'

export {
  campaignHeldNotice,
  campaignPausedNotice,
  domainLostNotice,
  domainVerifiedNotice,
  webhookDisabledNotice,
} from './notice-texts.ts'

export interface Notice {
  to: string
  subject: string
  /** Paragraphs are separated by empty lines. A URL on its own line becomes a link, one in its own paragraph a button. */
  text: string
  /** The label of the button; "Open Posthorn" if absent. */
  action?: string
  /** Generated from the text if absent. */
  html?: string
  /**
   * Also sent if no account has confirmed the address: only for emails that prove the address or offer an invitation,
   * which are limited in number. Anyone can sign up with the address of someone else and cause all others.
   */
  toAnyone?: boolean
}

/** Records what a result says about the transport, as for all other emails. */
export type RecordResult = (result: MailResult) => Promise<unknown>

const FIRST_PAUSE_MS = 15_000
const LONGEST_PAUSE_MS = 3_600_000

type NoticeContext = Pick<Context, 'clock' | 'mail'>

export const enqueueNotice = (ctx: NoticeContext, db: Database | Tx, notice: Notice): Promise<void> =>
  enqueueNotices(ctx, db, [notice])

export async function enqueueNotices(ctx: NoticeContext, db: Database | Tx, notices: Notice[]): Promise<void> {
  const now = ctx.clock.now()
  const payloads = (await withoutUnconfirmed(ctx, db, notices)).map(({ toAnyone: _, ...notice }) => ({
    ...notice,
    id: newId(now),
    queuedAt: now.toISOString(),
  }))
  if (payloads.length > 0) await enqueueMany(db, 'send-notice', payloads)
}

/** Captured email reaches nobody, so then every address counts as confirmed. */
async function withoutUnconfirmed(ctx: NoticeContext, db: Database | Tx, notices: Notice[]): Promise<Notice[]> {
  const others = notices.filter(({ toAnyone }) => !toAnyone).map(({ to }) => to)
  if (ctx.mail.capabilities.captures || others.length === 0) return notices
  const confirmed = await findConfirmed(db, others)
  return notices.filter(({ to, toAnyone }) => toAnyone || confirmed.has(to))
}

/** Retries with growing pauses if the server is busy; a permanent rejection is only logged. */
export async function sendNotice(
  ctx: Context,
  recordResult: RecordResult,
  notice: JobCatalogue['send-notice'],
  run: JobRun,
): Promise<void> {
  const sender = ctx.settings.SYSTEM_FROM
  const messageId = `${notice.id}@${sender.slice(sender.lastIndexOf('@') + 1)}`
  const raw = composeMessage({
    messageId: `<${messageId}>`,
    date: new Date(notice.queuedAt),
    from: { email: sender, name: 'Posthorn' },
    to: [{ email: notice.to }],
    subject: notice.subject,
    text: notice.text,
    html: notice.html ?? htmlOf(notice),
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
  const mail = {
    id: notice.id,
    messageId,
    attempt: run.attempt,
    sender,
    recipients: [notice.to],
    raw,
    priority: PRIORITY.transactional,
    system: true,
  }
  const result = await ctx.mail.send(mail)
  // The outcome of the notice doesn't depend on it, and one that was sent must not be sent again.
  await recordResult(result).catch((error) =>
    ctx.log.warn({ err: error }, 'the state of the transport was not recorded'),
  )
  if (result.outcome === 'rejected') {
    ctx.log.warn({ noticeId: notice.id, reason: result.reason }, 'a notification email was permanently rejected')
  } else if (result.outcome !== 'accepted') {
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (run.attempt - 1), LONGEST_PAUSE_MS)
    throw new TryAgainAt(new Date(ctx.clock.now().getTime() + pause), {
      countsAsAttempt: result.outcome === 'later', // if no email can be sent, this email is not at fault
      reason: result.outcome === 'unavailable' ? CANNOT_SEND + result.reason : result.reason,
    })
  }
}
