/**
 * SQL of delivery: recording sent emails, paused transports, and the sending rate that all processes share. Claims and
 * outcomes have their own files.
 */
import type { RawBuilder } from 'kysely'
import type { Database } from '../../../platform/database/connection/connect.ts'
import { prepareStatement } from '../../../platform/database/connection/prepared.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { enqueueWaiting } from '../../../platform/queue/job-table.ts'
import { writeCountedEvents } from '../../record/journal/queries.ts'
import { countSentEmailsStep } from '../../record/journal/tally-queries.ts'
import { ed25519KeySql } from '../../tenants/domains/queries.ts'
import { countDeliveriesStep } from '../../tenants/usage/queries.ts'
import {
  endedEmailFanOut,
  markNotSentStep,
  markSentStep,
  type NotSent,
  sentEmailFanOut,
} from '../outbox/change-queries.ts'
import { type Bucket, EMPTY } from './rates/bucket.ts'

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

interface SentValues extends EmailList {
  sent: string
  now: Date
  /** The same as in events. */
  at: string
}

/**
 * What waits to be sent was never sent before, so every email counts as one more that was sent. Counting them here takes
 * less processor time than the triggers, which count every other change.
 */
const COUNTED = sql`(select set_config('posthorn.counted', 'on', true)) is not null`

const recordSentOf = forLists((suffix) =>
  prepareStatement((v: SentValues) => {
    const these = amongList(v, suffix)
    return sql`${named('record-sent', these)}
    with outcome as (
      select * from jsonb_to_recordset(${v.sent}::jsonb) as outcome("projectId" uuid, id uuid, "contactId" uuid,
        subject text, "messageId" text, delivered boolean, "sentEventId" uuid, "deliveredEventId" uuid, facts jsonb)
    ),
    marked as (${markSentStep(v.now, {
      from: sql`outcome o`,
      where: sql`${these.joinedBy('o.projectId', 'o.id')} and ${these.condition} and e.status || '' in ('SENDING', 'PENDING') and ${COUNTED}`,
      returning: sql`o.*, e.project_id, e.campaign_id, e.test, not is_test(e.source_type, e.campaign_id) and e.test is not true as counts`,
    })}
    )${endedEmailFanOut.steps('marked')}${sentEmailFanOut.steps('marked')},
    counted as (${countSentEmailsStep(sql`marked where counts`, v.now)}
    ),
    deliveries_counted as (${countDeliveriesStep(sql`marked where test is not true`, v.now)}
    ),
    ${writeCountedEvents(
      'events_written',
      sql`
      select project_id, "sentEventId", 'email.sent', "contactId", id, facts || jsonb_build_object('sentAt', ${v.at}::text), ${v.now}::timestamptz
      from marked where counts
      union all
      select project_id, "deliveredEventId", 'email.delivery', "contactId", id, facts || jsonb_build_object('deliveredAt', ${v.at}::text), ${v.now}::timestamptz
      from marked where delivered and counts`,
    )}
    select 1 where ${endedEmailFanOut.isAdded('marked')} and ${sentEmailFanOut.isAdded('marked')}`
  }),
)

/**
 * Marks emails as sent and writes their events, once, however often it is called. Test emails have no events. PENDING
 * is an email whose claim PostgreSQL lost in a crash.
 */
export async function recordSent(db: Database, sent: SentEmail[], now: Date): Promise<void> {
  const list = listOf(sent.map(({ projectId, id }) => ({ projectId, emailId: id })))
  await recordSentOf(list)(db, { ...list, sent: JSON.stringify(sent), now, at: now.toISOString() })
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

export interface StoredKey {
  selector: string
  sealed: Buffer
  ed25519Selector: string | null
  ed25519Sealed: Buffer | null
}

/** The keys that sign for a sender's domain, encrypted as they are stored. */
export async function findDkimKey(db: Database, projectId: string, domain: string): Promise<StoredKey | undefined> {
  const { rows } = await sql<StoredKey>`/* find-dkim-key */
    select dkim_selector as selector, dkim_private_key as sealed, ed25519_selector as "ed25519Selector",
      ${ed25519KeySql} as "ed25519Sealed"
    from domains where project_id = ${projectId} and domain = ${domain}`.execute(db)
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

/** Ends the pauses of all transports, or of all but this one. Returns whether there were any. */
export async function endPauses(db: Database, except?: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`/* end-transport-pauses */
    delete from transport_pauses where transport is distinct from ${except ?? null}::text`.execute(db)
  return numAffectedRows > 0n
}

/** Each change of a bucket has another version. */
export async function findBucket(db: Database, scope: string): Promise<{ bucket: Bucket; version: number | null }> {
  const { rows } = await sql<Bucket & { version: number }>`/* find-bucket */
    select extract(epoch from taken_until)::float8 * 1000 as "takenUntil", lines, version
    from send_paces where scope = ${scope}`.execute(db)
  const [row] = rows
  return row ? { bucket: row, version: row.version } : { bucket: EMPTY, version: null }
}

/** False if the bucket has changed since it was read. */
export async function replaceBucket(
  db: Database,
  scope: string,
  { takenUntil, lines }: Bucket,
  version: number | null,
): Promise<boolean> {
  const { numAffectedRows } = await sql`/* replace-bucket */
    insert into send_paces as pace (scope, taken_until, lines)
    values (${scope}, to_timestamp(${takenUntil}::float8 / 1000), ${JSON.stringify(lines)}::jsonb)
    on conflict (scope) do update set taken_until = excluded.taken_until, lines = excluded.lines,
      version = case when pace.version < 2000000000 then pace.version + 1 else 0 end
    where pace.version = ${version}::int`.execute(db)
  return numAffectedRows === 1n
}

/**
 * A plan for lists of any length is made for ten; a shorter list looks cheaper, so the statement would be planned again
 * each time (0.6 ms, half of its cost). Repeating an id changes nothing.
 */
const LIST_MIN = 12

/** The emails of a statement, as its parameters. */
export interface EmailList {
  projects: string[]
  project: string | undefined
  /** Sorted. */
  ids: string[]
  first: string | undefined
  last: string | undefined
}

export function listOf(emails: Array<{ projectId: string; emailId: string }>): EmailList {
  const projects = [...new Set(emails.map(({ projectId }) => projectId))]
  const ids = emails.map(({ emailId }) => emailId.toLowerCase()).sort()
  const [first, last] = [ids[0], ids.at(-1)]
  while (ids.length > 0 && ids.length < LIST_MIN) ids.push(ids[0]!)
  return { projects, project: projects[0], ids, first, last }
}

/** The end of the name of a statement. */
type Suffix = '' | '-of-many'

const suffixOf = ({ projects }: EmailList): Suffix => (projects.length === 1 ? '' : '-of-many')

export interface Among {
  suffix: Suffix
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
export function amongList({ projects, project, ids, first, last }: EmailList, suffix: Suffix): Among {
  const these = sql`e.id = any(${ids}::uuid[]) and e.id between ${first}::uuid and ${last}::uuid`
  if (suffix === '') {
    return {
      suffix,
      condition: sql`e.project_id = ${project}::uuid and ${these}`,
      joinedBy: (_project, email) => sql`e.id = ${sql.ref(email)}`,
    }
  }
  return {
    suffix,
    condition: sql`e.project_id = any(${projects}::uuid[]) and ${these}`,
    joinedBy: (project, email) => sql`e.project_id = ${sql.ref(project)} and e.id = ${sql.ref(email)}`,
  }
}

export function among(emails: Array<{ projectId: string; emailId: string }>): Among {
  const list = listOf(emails)
  return amongList(list, suffixOf(list))
}

/** A statement of each of both texts. */
export function forLists<T>(make: (suffix: Suffix) => T): (list: EmailList) => T {
  const made = { '': make(''), '-of-many': make('-of-many') }
  return (list) => made[suffixOf(list)]
}

/** The start of a statement. */
export const named = (name: string, { suffix }: Among): RawBuilder<unknown> => sql.raw(`/* ${name}${suffix} */`)
