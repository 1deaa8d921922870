/**
 * What becomes of emails after they are sent, from whoever tells it: the transport, SES over SNS, a bounce mail, the
 * tracking pixel. Telling it again changes nothing, the order doesn't matter, and a status never moves down.
 */
import type { Context } from '../../context.ts'
import { newId } from '../../kernel/ids.ts'
import * as queries from './outcome-queries.ts'

export interface Outcome {
  projectId: string
  emailId: string
  at: Date
  /** What the other server said, for the timeline. */
  words?: string | undefined
  /** As rendered and as the transport calls it: for an email that was refused before it was recorded as sent. */
  subject?: string | undefined
  messageId?: string | undefined
}

export type Bounce = Outcome & {
  /** False: it bounced for now, which only informs. */
  permanent: boolean
}

export interface Note extends Outcome {
  words: string
  /** What it is about, such as `deferred`. */
  kind: string
}

const AT_ONCE_MAX = 500
const WORDS_MAX = 2_000

export const recordDeliveries = (ctx: Context, outcomes: Outcome[]): Promise<void> =>
  inBatches(ctx, outcomes, queries.markDelivered)

export const recordComplaints = (ctx: Context, outcomes: Outcome[]): Promise<void> =>
  inBatches(ctx, outcomes, queries.markComplained)

export async function recordBounces(ctx: Context, bounces: Bounce[]): Promise<void> {
  const told = (permanent: boolean) => bounces.filter((bounce) => bounce.permanent === permanent)
  await inBatches(ctx, told(true), queries.markBounced)
  await inBatches(ctx, told(false), queries.markTransientBounce)
}

/** Words for the timeline that belong to no event, such as why a delivery was put off. */
export async function noteWords(ctx: Context, notes: Note[]): Promise<void> {
  const now = ctx.clock.now()
  const rows = notes.map(({ projectId, emailId, at, kind, words }) => {
    return { projectId, emailId, id: newId(now), at: notAfter(at, now), kind, words: storableWords(words) }
  })
  if (rows.length > 0) await queries.insertNotes(ctx.db, rows)
}

async function inBatches(
  ctx: Context,
  outcomes: Outcome[],
  mark: (db: Context['db'], rows: queries.OutcomeRow[], now: Date) => Promise<void>,
): Promise<void> {
  const now = ctx.clock.now()
  const rows = [...new Map(outcomes.toReversed().map((o) => [keyOf(o), asRow(o, now)])).values()]
  for (let i = 0; i < rows.length; i += AT_ONCE_MAX) await mark(ctx.db, rows.slice(i, i + AT_ONCE_MAX), now)
}

const keyOf = ({ projectId, emailId }: { projectId: string; emailId: string }) => `${projectId} ${emailId}`

const asRow = ({ projectId, emailId, at, words, subject, messageId }: Outcome, now: Date): queries.OutcomeRow => ({
  projectId,
  emailId,
  at: notAfter(at, now),
  words: words ? storableWords(words) : null,
  eventId: newId(now),
  unsubscribeEventId: newId(now),
  suppressionId: newId(now),
  subject: subject ?? null,
  messageId: messageId ?? null,
})

/** Other servers' clocks may be ahead of ours. */
export const notAfter = (at: Date, now: Date): Date => (at.getTime() <= now.getTime() ? at : now)

/** Other servers say what they like; NUL and halves of characters can't be stored. */
export const storableWords = (words: string): string => words.replaceAll('\0', ' ').slice(0, WORDS_MAX).toWellFormed()
