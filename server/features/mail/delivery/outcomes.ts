/**
 * Outcomes of emails from every source: the transport, SES over SNS, bounce messages, the tracking pixel. Recording an
 * outcome again changes nothing, the order doesn't matter, and a status never moves backwards.
 */
import type { Context } from '../../../context.ts'
import { newId } from '../../../kernel/ids.ts'
import { countEmail, countReports } from '../../../platform/metrics.ts'
import * as queries from './outcome-queries.ts'

export interface Outcome {
  projectId: string
  emailId: string
  at: Date
  /** The response of the remote server, for the timeline. */
  response?: string | undefined
  /** The rendered subject and the transport's id: for an email that was rejected before it was recorded as sent. */
  subject?: string | undefined
  messageId?: string | undefined
}

export type Bounce = Outcome & {
  /** False: a transient bounce, which is only recorded. */
  permanent: boolean
}

export interface Note extends Pick<Outcome, 'projectId' | 'emailId' | 'at'> {
  text: string
  /** The kind of note, such as `deferred`. */
  kind: string
}

const AT_ONCE_MAX = 500
const RESPONSE_MAX = 2_000

export const recordDeliveries = (ctx: Context, outcomes: Outcome[]): Promise<void> =>
  inBatches(ctx, outcomes, queries.markDelivered)

export async function recordComplaints(ctx: Context, outcomes: Outcome[]): Promise<void> {
  await inBatches(ctx, outcomes, queries.markComplained)
  countReports('complaint', outcomes.length)
}

export async function recordBounces(ctx: Context, bounces: Bounce[]): Promise<void> {
  const bouncesOf = (permanent: boolean) => bounces.filter((bounce) => bounce.permanent === permanent)
  const [permanent, transient] = [bouncesOf(true), bouncesOf(false)]
  await inBatches(ctx, permanent, queries.markBounced)
  await inBatches(ctx, transient, queries.markTransientBounce)
  countReports('bounce', permanent.length)
  countReports('transient-bounce', transient.length)
}

/** An email that won't be sent. In statuses other than `statuses`, its outcome is already known and stays. */
export async function recordFailure(
  ctx: Context,
  { projectId, emailId }: Pick<Outcome, 'projectId' | 'emailId'>,
  { error, statuses }: { error: string; statuses: string[] },
): Promise<void> {
  const now = ctx.clock.now()
  await queries.markFailed(ctx.db, { projectId, emailId, error, statuses, eventId: newId(now) }, now)
  countEmail('failed')
}

/** What a simulated mail server reports after it accepted an email. */
export async function recordSimulatedOutcome(
  ctx: Context,
  email: Pick<Outcome, 'projectId' | 'emailId'>,
  what: 'bounce' | 'soft bounce' | 'complaint',
): Promise<void> {
  const outcome = { ...email, at: ctx.clock.now() }
  if (what === 'complaint') return recordComplaints(ctx, [outcome])
  const permanent = what === 'bounce'
  const response = permanent ? '550 5.1.1 The simulator has no such user.' : '452 4.2.2 The simulated mailbox is full.'
  await recordBounces(ctx, [{ ...outcome, permanent, response }])
}

/** Notes for the timeline without an event, such as why a delivery was delayed. */
export async function recordNotes(ctx: Context, notes: Note[]): Promise<void> {
  const now = ctx.clock.now()
  const rows = notes.map(({ projectId, emailId, at, kind, text }) => {
    return { projectId, emailId, id: newId(now), at: notAfter(at, now), kind, words: storableResponse(text) }
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

const asRow = ({ projectId, emailId, at, response, subject, messageId }: Outcome, now: Date): queries.OutcomeRow => ({
  projectId,
  emailId,
  at: notAfter(at, now),
  words: response ? storableResponse(response) : null,
  eventId: newId(now),
  unsubscribeEventId: newId(now),
  suppressionId: newId(now),
  subject: subject ?? null,
  messageId: messageId ?? null,
})

/** Clocks of other servers can be ahead of ours. */
export const notAfter = (at: Date, now: Date): Date => (at.getTime() <= now.getTime() ? at : now)

/** Responses can contain NUL and lone surrogates, which can't be stored. */
export const storableResponse = (response: string): string =>
  response.replaceAll('\0', ' ').slice(0, RESPONSE_MAX).toWellFormed()
