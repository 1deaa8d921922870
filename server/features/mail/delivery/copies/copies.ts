/**
 * The further recipients of a message, in `cc` and `bcc`. They get it in the same SMTP transaction as the recipient in
 * `to`. What happens to one of them is a note in the timeline and affects neither the status of the email nor a contact.
 * One that was refused temporarily is retried alone.
 */
import type { Context } from '../../../../context.ts'
import type { Mailbox } from '../../../../kernel/email-address.ts'
import { createEmailReader } from '../../../../platform/mime/stored-text.ts'
import {
  CANNOT_SEND,
  type MailResult,
  type OpenTransport,
  type OutgoingMail,
  type RecipientResult,
} from '../../../../platform/transports/transport.ts'
import { composeEmail, messageIdOf, renderEmail } from '../../../content/composing/compose.ts'
import type { ClaimedEmail } from '../claim-queries.ts'
import { recordNotes } from '../outcomes.ts'
import { after, type Wait } from '../result.ts'
import { returnPathOf } from '../signing.ts'
import { enqueueCopies, findSentEmail, markRecipientsDone } from './copies-queries.ts'

const TRIES_MAX = 5
const RETRY_BASE_MS = 15_000
/** For a simulated failure, because a developer is waiting for it. */
const SIMULATED_RETRY_BASE_MS = 2_000

export interface CopiesRequest {
  projectId: string
  emailId: string
  /** 1 for the first attempt, which was that of the email. */
  attempt: number
}

type Addressed = Pick<ClaimedEmail, 'to_email' | 'cc' | 'bcc' | 'skipped' | 'recipients_done'>

/** Those in `cc` and `bcc` that are still to get the message. */
export function copiesLeft({ cc, bcc, skipped, recipients_done }: Addressed): string[] {
  if (!cc && !bcc) return []
  const done = new Set([...addressesIn(skipped), ...(recipients_done ?? [])])
  return [...addressesIn(cc), ...addressesIn(bcc)].filter((email) => !done.has(email))
}

const addressesIn = (stored: unknown): string[] => ((stored ?? []) as Mailbox[]).map(({ email }) => email)

export const mailTo = (
  ctx: Context,
  email: ClaimedEmail,
  raw: Buffer,
  envelope: Pick<OutgoingMail, 'recipients' | 'attempt' | 'priority'>,
): OutgoingMail => ({
  id: email.id,
  messageId: messageIdOf(email),
  sender: returnPathOf(ctx, email),
  raw,
  projectId: email.project_id,
  ...envelope,
})

/** Records what happened to the copies. If the email itself isn't retried, those that were refused temporarily are, alone. */
export async function recordCopies(
  ctx: Context,
  email: ClaimedEmail,
  result: MailResult,
  { attempt, isRetried }: { attempt: number; isRetried: boolean },
): Promise<void> {
  const results = (result.recipients ?? []).filter((each) => each.email !== email.to_email)
  if (results.length === 0) return
  const { left, notes } = sorted(results, isRetried ? 0 : attempt)
  const ref = { projectId: email.project_id, emailId: email.id }
  const now = ctx.clock.now()
  const done = results.filter((each) => !left.includes(each)).map((each) => each.email)
  await recordNotes(
    ctx,
    notes.map((note) => ({ ...ref, at: now, ...note })),
  )
  if (done.length > 0) await markRecipientsDone(ctx.db, ref, done, now)
  if (left.length === 0 || isRetried) return
  const base = ctx.mail.capabilities.captures || email.test ? SIMULATED_RETRY_BASE_MS : RETRY_BASE_MS
  await enqueueCopies(ctx.db, { ...ref, attempt: attempt + 1 }, after(ctx, base * 4 ** (attempt - 1)))
}

function sorted(results: RecipientResult[], attempt: number) {
  const left: RecipientResult[] = []
  const notes: Array<{ kind: string; text: string }> = []
  for (const each of results) {
    if (each.outcome === 'accepted') continue
    const isGivenUp = each.outcome === 'later' && attempt >= TRIES_MAX
    if (each.outcome === 'later' && !isGivenUp) left.push(each)
    const kind = left.includes(each) ? 'copy-deferred' : 'copy-refused'
    notes.push({
      kind,
      text: `${each.email}: ${each.reason}${isGivenUp ? ` (given up after ${attempt} attempts)` : ''}`,
    })
  }
  return { left, notes }
}

/** Returns when to retry, if nothing could be sent. */
export async function deliverCopies(
  ctx: Context,
  transportOf: (email: ClaimedEmail) => OpenTransport,
  { projectId, emailId, attempt }: CopiesRequest,
  { priority, sign }: { priority: number; sign: (email: ClaimedEmail, raw: Buffer) => Promise<Buffer> },
): Promise<Wait | undefined> {
  const found = await findSentEmail(ctx.db, { projectId, emailId })
  if (!found) return undefined
  const email = createEmailReader(ctx)(found)
  const recipients = copiesLeft(email)
  if (recipients.length === 0) return undefined
  const composed = await composeEmail(ctx, email, await renderEmail(ctx, email))
  const raw = ctx.mail.capabilities.signing === 'on-send' ? await sign(email, composed) : composed
  const result = await transportOf(email).send(mailTo(ctx, email, raw, { recipients, attempt, priority }))
  if (result.outcome === 'unavailable') return { at: after(ctx, RETRY_BASE_MS), reason: CANNOT_SEND + result.reason }
  const each = { ...result, recipients: resultsOf(result, recipients) }
  await recordCopies(ctx, email, each, { attempt, isRetried: false })
  return undefined
}

/** A transport that sends to one recipient has only the result of the message. */
const resultsOf = (result: MailResult, recipients: string[]): RecipientResult[] =>
  result.recipients ??
  recipients.map((email) =>
    result.outcome === 'accepted'
      ? { email, outcome: 'accepted' }
      : { email, outcome: result.outcome === 'rejected' ? 'rejected' : 'later', reason: result.reason },
  )
