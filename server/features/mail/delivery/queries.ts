/**
 * SQL of delivery: recording sent emails, paused transports, and the sending rate that all processes share. Claims and
 * outcomes have their own files.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/connect.ts'
import { enqueueWaiting } from '../../../platform/queue/job-table.ts'
import { writeEvents } from '../../record/journal/queries.ts'
import { markNotSentStep, markSentStep, type NotSent } from '../outbox/change-queries.ts'

export interface EmailRef {
  projectId: string
  emailId: string
}

export interface SentEmail {
  projectId: string
  id: string
  contactId: string | null
  subject: string
  messageId: string
  delivered: boolean
  sentEventId: string
  deliveredEventId: string
  /** The fields of every event about this email. */
  facts: Record<string, unknown>
}

/**
 * Marks emails as sent and writes their events, once, however often it is called. Test emails have no events. PENDING
 * is an email whose claim PostgreSQL lost in a crash.
 */
export async function recordSent(db: Database, sent: SentEmail[], now: Date): Promise<void> {
  const at = now.toISOString()
  const these = among(sent.map(({ projectId, id }) => ({ projectId, emailId: id })))
  await sql`${named('record-sent', these)}
    with outcome as (
      select * from jsonb_to_recordset(${JSON.stringify(sent)}::jsonb) as outcome("projectId" uuid, id uuid, "contactId" uuid,
        subject text, "messageId" text, delivered boolean, "sentEventId" uuid, "deliveredEventId" uuid, facts jsonb)
    ),
    marked as (${markSentStep(now, {
      from: sql`outcome o`,
      where: sql`${these.joinedBy('o.projectId', 'o.id')} and ${these.condition} and e.status || '' in ('SENDING', 'PENDING')`,
      returning: sql`o.*, e.project_id, not is_test(e.source_type, e.campaign_id) as counts`,
    })}
    )
    ${writeEvents(sql`
      select project_id, "sentEventId", 'email.sent', "contactId", id, facts || jsonb_build_object('sentAt', ${at}::text), ${now}::timestamptz
      from marked where counts
      union all
      select project_id, "deliveredEventId", 'email.delivery', "contactId", id, facts || jsonb_build_object('deliveredAt', ${at}::text), ${now}::timestamptz
      from marked where delivered and counts`)}`.execute(db)
}

/** Reschedules an email that couldn't be sent. */
export async function recordNotSent(
  db: Database,
  ref: EmailRef,
  outcome: Pick<NotSent, 'error' | 'counts'>,
  now: Date,
): Promise<void> {
  const where = sql`project_id = ${ref.projectId} and id = ${ref.emailId} and status || '' = 'SENDING'`
  await sql`/* record-not-sent */ ${markNotSentStep({ status: 'PENDING', ...outcome }, now, { where })}`.execute(db)
}

/** A separate job for each email, at its time. */
export const enqueueDeliveries = (
  db: Database,
  deliveries: Array<EmailRef & { at: Date; reason?: string }>,
  priority: number,
): Promise<void> =>
  enqueueWaiting(
    db,
    'deliver-email',
    deliveries.map(({ projectId, emailId, at, reason }) => ({ payload: { projectId, emailId }, at, reason })),
    priority,
  )

/** The key that signs for a sender's domain, encrypted as it is stored. */
export async function findDkimKey(
  db: Database,
  projectId: string,
  domain: string,
): Promise<{ selector: string; sealed: Buffer } | undefined> {
  const { rows } = await sql<{ selector: string; sealed: Buffer }>`/* find-dkim-key */
    select dkim_selector as selector, dkim_private_key as sealed from domains
    where project_id = ${projectId} and domain = ${domain}`.execute(db)
  return rows[0]
}

export interface Pause {
  reason: string
  credentialsRefused: boolean
  since: Date
  pausedUntil: Date
}

const PAUSE_COLUMNS = sql`reason, credentials_refused as "credentialsRefused", since, paused_until as "pausedUntil"`

export async function findPause(db: Database, transport: string): Promise<Pause | undefined> {
  const { rows } = await sql<Pause>`/* find-transport-pause */
    select ${PAUSE_COLUMNS} from transport_pauses where transport = ${transport}`.execute(db)
  return rows[0]
}

/** A pause that ends later than any can was recorded before the clock was set back. */
const isPaused = (pause: string, now: Date, longestMs: number) => sql`(
  ${sql.ref(`${pause}.paused_until`)} > ${now}::timestamptz
  and ${sql.ref(`${pause}.paused_until`)} <= ${now}::timestamptz + make_interval(secs => ${longestMs / 1000}::float8))`

/** Each pause is twice as long as the last one; failures during a pause belong to the one before it. */
export async function pauseTransport(
  db: Database,
  transport: string,
  { reason, credentialsRefused }: Pick<Pause, 'reason' | 'credentialsRefused'>,
  now: Date,
  pauseMs: { first: number; longest: number },
): Promise<Pause> {
  const { rows } = await sql<Pause>`/* pause-transport */
    insert into transport_pauses as p (transport, reason, credentials_refused, since, paused_until, pauses)
    values (${transport}, ${reason}, ${credentialsRefused}, ${now},
      ${now}::timestamptz + make_interval(secs => ${pauseMs.first / 1000}::float8), 1)
    on conflict (transport) do update set
      reason = excluded.reason, credentials_refused = excluded.credentials_refused, probed_until = null, probed_by = null,
      pauses = case when ${isPaused('p', now, pauseMs.longest)} then p.pauses else p.pauses + 1 end,
      paused_until = case when ${isPaused('p', now, pauseMs.longest)} then p.paused_until else ${now}::timestamptz + make_interval(
        secs => least(${pauseMs.longest / 1000}::float8, ${pauseMs.first / 1000}::float8 * power(2, least(p.pauses, 30)))) end
    returning ${PAUSE_COLUMNS}`.execute(db)
  return rows[0]!
}

export interface Probe {
  now: Date
  probeMs: number
  longestPauseMs: number
  /** The lock that shows that this process is running. Another process takes over the test if this one has exited. */
  prober: number | null
}

/** After a pause, returns true for one of all waiting emails, which tests the transport. */
export async function claimProbe(
  db: Database,
  transport: string,
  { now, probeMs, longestPauseMs, prober }: Probe,
): Promise<boolean> {
  const until = new Date(now.getTime() + probeMs)
  const { numAffectedRows } = await sql`/* claim-transport-probe */
    update transport_pauses set probed_until = ${until}, probed_by = ${prober}::int
    where transport = ${transport} and not ${isPaused('transport_pauses', now, longestPauseMs)}
      and (probed_until is null or probed_until <= ${now} or probed_until > ${until}
        or (probed_by is not null and not posthorn_queue.is_running(probed_by)))`.execute(db)
  return numAffectedRows === 1n
}

export async function releaseProbe(db: Database, transport: string, prober: number | null): Promise<void> {
  await sql`/* release-transport-probe */
    update transport_pauses set probed_until = null, probed_by = null
    where transport = ${transport} and probed_by is not distinct from ${prober}::int`.execute(db)
}

export async function resumeTransport(db: Database, transport: string): Promise<void> {
  await sql`/* resume-transport */ delete from transport_pauses where transport = ${transport}`.execute(db)
}

/** Of all transports, or of all but this one. Returns whether there were any. */
export async function endPauses(db: Database, except?: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`/* end-transport-pauses */
    delete from transport_pauses where transport is distinct from ${except ?? null}::text`.execute(db)
  return numAffectedRows > 0n
}

/** Unused slots are kept for this long. Workers look for due jobs once a second. */
const SAVED_SECONDS = 1
/** Times are rounded to milliseconds. */
const EARLY_SECONDS = 0.001
/** An email in a line can claim its slot this late; until then, less urgent ones don't get it. */
const LATE_SECONDS = 0.5
/** A project that got no slot keeps its turn for this long, and for two slots. */
const TURN_SECONDS = 1

export interface SlotsRequest {
  scope: string
  perSecond: number
  most: number
  now: Date
  projectId: string
  priority: number
  /** Null if others are retried with it: then it gets no place in a line. */
  emailId: string | null
}

export interface Grant {
  slots: number
  /** When to request a slot again. */
  nextAt: Date
}

/** Slots are never claimed for the future, so the clock was set back. Clocks of different machines differ by less. */
const AHEAD_SECONDS = 600

/** Enough to determine that an email has to wait for long. It requests a slot again then. */
const COUNTED_MAX = 1_000

const seconds = (value: number | RawBuilder<unknown>): RawBuilder<Date> => sql`make_interval(secs => ${value}::float8)`

/**
 * Claims up to `most` slots that are free by now. None while more urgent emails wait in a line, or as many older ones of
 * the same project and priority as there are slots. One is left for each project that waits, has the same priority and
 * was served less recently. An email that gets none has a place in the line of its project.
 */
export async function claimSlots(db: Database, request: SlotsRequest): Promise<Grant> {
  const { scope, perSecond, most, now, projectId, priority, emailId } = request
  const inLine = sql`scope = ${scope} and priority = ${priority}::smallint and project_id = ${projectId}::uuid`
  const { rows } = await sql<Grant & { isAhead: boolean }>`/* claim-slots */
    with pace as (
      select greatest(taken_until, ${now}::timestamptz - ${seconds(SAVED_SECONDS)}) as since
      from send_paces where scope = ${scope} for update
    ), urgent as (
      select max(until) + ${seconds(LATE_SECONDS)} as ends_at from send_lines
      where scope = ${scope} and priority < ${priority}::smallint
    ), older as (
      select count(*)::int as before_it from (
        select from send_places where ${inLine} and email_id < ${emailId}::uuid
          and retry_at > ${now}::timestamptz - ${seconds(LATE_SECONDS)} limit ${COUNTED_MAX}
      ) as waiting
    ), others as (
      select count(*)::int as before_us from send_lines
      where scope = ${scope} and priority = ${priority}::smallint and project_id <> ${projectId}::uuid
        and asked_at > ${now}::timestamptz - ${seconds(2 / perSecond + TURN_SECONDS)} and served_at < coalesce((
          select served_at from send_lines where ${inLine}), '-infinity')
    ), grants as (
      select *, case when ends_at > ${now}::timestamptz then 0 else greatest(0, least(${most}::int, floor(
        (extract(epoch from ${now}::timestamptz - since) + ${EARLY_SECONDS}::float8) * ${perSecond}::float8) - before_us - before_it))::int end as slots
      from pace, urgent, older, others
    ), outcome as (
      select slots, since, greatest(ends_at, since + ${seconds(sql`(1 + before_us + before_it) / ${perSecond}::float8`)}) as next_at
      from grants
    ), kept as (
      update send_paces set taken_until = since + ${seconds(sql`slots / ${perSecond}::float8`)}
      from outcome where scope = ${scope} and slots > 0
    ), line as (
      insert into send_lines as line (scope, priority, project_id, until, asked_at, served_at)
      select ${scope}, ${priority}, ${projectId},
        case when slots > 0 or ${emailId}::uuid is null then '-infinity' else next_at + ${seconds(1 / perSecond)} end,
        case when slots > 0 then '-infinity' else ${now}::timestamptz end, case when slots > 0 then ${now}::timestamptz else '-infinity' end
      from outcome
      on conflict (scope, priority, project_id) do update set until = greatest(line.until, excluded.until),
        asked_at = greatest(line.asked_at, excluded.asked_at), served_at = greatest(line.served_at, excluded.served_at)
    ), place as (
      insert into send_places (scope, priority, project_id, email_id, retry_at)
      select ${scope}, ${priority}, ${projectId}, ${emailId}::uuid, next_at from outcome where slots = 0 and ${emailId}::uuid is not null
      on conflict (scope, priority, project_id, email_id) do update set retry_at = excluded.retry_at
    ), gone as (
      delete from send_places where ${inLine} and case email_id when ${emailId}::uuid then exists (select from outcome where slots > 0)
        else retry_at < ${now}::timestamptz - interval '1 minute' end
    )
    select slots, next_at as "nextAt", since > ${now}::timestamptz + ${seconds(AHEAD_SECONDS)} as "isAhead" from outcome`.execute(
    db,
  )
  if (rows[0]?.isAhead) {
    await restartPace(db, scope, now)
    return claimSlots(db, request)
  }
  if (rows[0]) return rows[0]
  await sql`/* begin-pace */
    insert into send_paces (scope, taken_until) values (${scope}, '-infinity') on conflict (scope) do nothing`.execute(
    db,
  )
  return claimSlots(db, request)
}

/** The clock was set back: what was recorded before would block all emails until it has caught up. */
async function restartPace(db: Database, scope: string, now: Date): Promise<void> {
  await sql`/* restart-pace */
    with lines as (delete from send_lines where scope = ${scope}), places as (delete from send_places where scope = ${scope})
    update send_paces set taken_until = ${now} where scope = ${scope}`.execute(db)
}

/**
 * A plan for lists of any length is made for ten; a shorter list looks cheaper, so the statement would be planned again
 * each time (0.6 ms, half of its cost). Repeating an id changes nothing.
 */
const LIST_MIN = 12

export interface Among {
  /** For the name of the statement. */
  suffix: '' | '-of-many'
  /** Over `emails e`. */
  condition: RawBuilder<boolean>
  /**
   * Joins `emails e` to rows that name them, by these two columns. For a single project the condition is omitted: it is
   * redundant, and with it the planner expected a single row and compared every row with every email.
   */
  joinedBy(project: string, email: string): RawBuilder<boolean>
}

/**
 * Repeats which emails a statement over a list of them selects. Without it, the planner read the whole outbox for every
 * batch, along the index on status or without one: 90 ms with 20,000 waiting emails, 4 ms by the key. With a list of
 * projects instead of one it scanned all contacts, so a statement has two texts and two names.
 */
export function among(emails: Array<{ projectId: string; emailId: string }>): Among {
  const projects = [...new Set(emails.map(({ projectId }) => projectId))]
  const ids = emails.map(({ emailId }) => emailId.toLowerCase()).sort()
  const between = sql`e.id between ${ids[0]}::uuid and ${ids.at(-1)}::uuid`
  while (ids.length > 0 && ids.length < LIST_MIN) ids.push(ids[0]!)
  if (projects.length === 1) {
    return {
      suffix: '',
      condition: sql`e.project_id = ${projects[0]}::uuid and e.id = any(${ids}::uuid[]) and ${between}`,
      joinedBy: (_project, email) => sql`e.id = ${sql.ref(email)}`,
    }
  }
  return {
    suffix: '-of-many',
    condition: sql`e.project_id = any(${projects}::uuid[]) and e.id = any(${ids}::uuid[]) and ${between}`,
    joinedBy: (project, email) => sql`e.project_id = ${sql.ref(project)} and e.id = ${sql.ref(email)}`,
  }
}

/** The start of a statement. */
export const named = (name: string, { suffix }: Among): RawBuilder<unknown> => sql.raw(`/* ${name}${suffix} */`)
