/**
 * Every statement on the table of jobs. Jobs are added inside the caller's transaction, so that a job exists exactly if
 * its cause does: `enqueue` adds one, `enqueueMany` a thousand (15 ms), `addJobSql` and `addJobsStep` are part of a larger
 * statement.
 */
import type { Expression, QueryExecutorProvider, RawBuilder } from 'kysely'
import type { ClientBase, Pool } from 'pg'
import { currentSpan } from '../../kernel/tracing.ts'
import { sql } from '../database/connection/sql.ts'
import { JOB_DEFAULTS, JOB_NAMES, type JobCatalogue, type JobName, PRIORITY } from './catalogue.ts'
import { TIMETABLE_KEYS } from './timetable.ts'

/** The migration that creates it. */
export const QUEUE_MIGRATION = '0025-jobs.sql'

interface EnqueueOptions {
  /** Not before this time; immediately if absent. */
  runAt?: Date
  /** A waiting job with the same key is replaced; a running one finishes, and this one runs after it. */
  jobKey?: string
  priority?: number
}

/** Each option can also be an expression over the rows of the surrounding statement. */
interface AddJobSqlOptions {
  runAt?: Date | Expression<unknown>
  jobKey?: string | Expression<unknown>
  priority?: number | Expression<unknown>
}

/** Writes the catalogue to the database, where triggers and `posthorn_queue.add_job` look up priorities and attempts. */
export async function publishCatalogue(pool: Pool): Promise<void> {
  await pool.query(
    `insert into posthorn_queue.job_kinds as kind (name, priority, max_attempts)
     select * from unnest($1::text[], $2::smallint[], $3::smallint[])
     on conflict (name) do update set priority = excluded.priority, max_attempts = excluded.max_attempts
     where (kind.priority, kind.max_attempts) <> (excluded.priority, excluded.max_attempts)`,
    [
      JOB_NAMES,
      JOB_NAMES.map((name) => JOB_DEFAULTS[name].priority),
      JOB_NAMES.map((name) => JOB_DEFAULTS[name].maxAttempts),
    ],
  )
}

/** Before this migration, triggers enqueue `complete-campaign` under its former name. */
export const JOB_NAMES_MIGRATION = '0064-job-names.sql'

export async function publishFormerName(pool: Pool): Promise<void> {
  const { priority, maxAttempts } = JOB_DEFAULTS['complete-campaign']
  await pool.query('insert into posthorn_queue.job_kinds (name, priority, max_attempts) values ($1, $2, $3)', [
    'settle-campaign',
    priority,
    maxAttempts,
  ])
}

/** The trace travels with the job; without one, the payload is unchanged. */
export function withTrace<T extends object>(payload: T): T {
  const span = currentSpan()
  return span ? { ...payload, traceparent: span.traceparent } : payload
}

export async function enqueue<N extends JobName>(
  db: QueryExecutorProvider,
  name: N,
  payload: JobCatalogue[N],
  options: EnqueueOptions = {},
): Promise<void> {
  await sql`select ${addJobSql(name, sql`${JSON.stringify(withTrace(payload))}`, options)}`.execute(db)
}

export async function enqueueMany<N extends JobName>(
  db: QueryExecutorProvider,
  name: N,
  payloads: readonly JobCatalogue[N][],
  { runAt, priority }: Omit<EnqueueOptions, 'jobKey'> = {},
): Promise<void> {
  if (payloads.length === 0) return
  const rows = sql`select payload from json_array_elements(${JSON.stringify(payloads.map(withTrace))}::json) as item(payload)`
  await insertJobs(name, rows, { runAt, priority }).execute(db)
}

export interface WaitingJob<N extends JobName> {
  payload: JobCatalogue[N]
  at: Date
  /** Why it waits, as for a job that is retried. */
  reason?: string | undefined
}

export async function enqueueWaiting<N extends JobName>(
  db: QueryExecutorProvider,
  name: N,
  jobs: WaitingJob<N>[],
  priority: number,
): Promise<void> {
  await sql`/* enqueue-waiting-jobs */
    insert into posthorn_queue.jobs (name, payload, run_at, last_error, priority, max_attempts)
    select ${name}::text, payload, at, reason, ${priority}::smallint, ${JOB_DEFAULTS[name].maxAttempts}::smallint
    from json_to_recordset(${JSON.stringify(jobs)}::json) as job(payload json, at timestamptz, reason text)`.execute(db)
}

/** Jobs that wait for a reason with this start become due after `inMs`. Workers look for due jobs every second. */
export async function wakeWaiting(db: QueryExecutorProvider, reason: string, inMs: number): Promise<void> {
  await sql`/* wake-waiting-jobs */
    update posthorn_queue.jobs set run_at = now() + make_interval(secs => ${inMs / 1000}::float8)
    where ${sql.raw(IS_WAITING)} and run_at > now() + make_interval(secs => ${inMs / 1000}::float8)
      and starts_with(last_error, ${reason})`.execute(db)
}

/** The most jobs that one statement wakes. */
const WOKEN_AT_ONCE = 10_000
/** The expression of the index jobs_by_project. */
const PROJECT_OF_JOB = sql.raw(
  `(coalesce(substring(payload::text from '"projectId"\\s*:\\s*"([^"]*)"'), '-') collate "C")`,
)

/** Jobs of the project that wait for this reason become due now, in the order in which they were. */
export async function wakeWaitingOf(db: QueryExecutorProvider, projectId: string, reason: string): Promise<void> {
  for (let woken = WOKEN_AT_ONCE; woken === WOKEN_AT_ONCE; ) {
    const { numAffectedRows } = await sql`/* wake-waiting-jobs-of-project */
      update posthorn_queue.jobs set run_at = now() where ${sql.raw(IS_WAITING)} and id in (
        select id from posthorn_queue.jobs
        where ${sql.raw(IS_WAITING)} and priority = any(${Object.values(PRIORITY)}::smallint[]) and ${PROJECT_OF_JOB} = ${projectId}
          and run_at > now() and last_error = ${reason}
        order by priority, run_at, id limit ${WOKEN_AT_ONCE})`.execute(db)
    woken = Number(numAffectedRows)
  }
}

/**
 * A call that adds one job for each row of the surrounding statement and returns the job's id: `with email as (insert …
 * returning id) select ${addJobSql('deliver-email', sql`json_build_object('emailId', email.id, …)`)} from email`. The
 * statement's last select must be this one or read from it, because PostgreSQL skips steps whose result isn't read.
 */
export function addJobSql(
  name: JobName,
  payload: Expression<unknown>,
  { runAt, jobKey, priority }: AddJobSqlOptions = {},
): RawBuilder<number> {
  return sql<number>`posthorn_queue.add_job(${name}, ${payload}::json, ${runAt ?? null}::timestamptz,
    ${jobKey ?? null}::text, ${priority ?? null}::int)`
}

/** The same for a list of ids, `size` of them in each job; they are in `field` of the payload. */
export const addBatchesSql = (
  name: JobName,
  payload: Expression<unknown>,
  { field, ids, size }: { field: string; ids: Expression<unknown>; size: number },
): RawBuilder<number> => sql<number>`posthorn_queue.add_batches(${name}, ${payload}, ${field}, ${ids}, ${size}::int)`

/** A step that adds a job for every row of `payloads`, which selects one json column. */
export const addJobsStep = (
  name: JobName,
  payloads: RawBuilder<unknown>,
  options: InsertOptions = {},
): RawBuilder<unknown> => sql`added_jobs as (${insertJobs(name, payloads, options)})`

/** Adds a job for every row of `jobs`, which selects: payload, run_at, key. No waiting job has one of the keys. */
export const insertTimedJobs = (name: JobName, jobs: RawBuilder<unknown>): RawBuilder<unknown> => sql`
      insert into posthorn_queue.jobs (name, payload, run_at, key, priority, max_attempts)
      select ${name}::text, item.payload, item.run_at, item.key, ${JOB_DEFAULTS[name].priority}::smallint,
        ${JOB_DEFAULTS[name].maxAttempts}::smallint
      from (${jobs}) as item(payload, run_at, key)`

/** Removes waiting jobs by the keys that are selected. One that is running finishes. */
export const removeJobSql = (keys: RawBuilder<unknown>): RawBuilder<unknown> => sql`
      delete from posthorn_queue.jobs where key in (${keys}) and locked_by is null`

interface InsertOptions {
  runAt?: Date | undefined
  priority?: number | undefined
}

function insertJobs(
  name: JobName,
  payloads: RawBuilder<unknown>,
  { runAt, priority }: InsertOptions,
): RawBuilder<unknown> {
  const defaults = JOB_DEFAULTS[name]
  return sql`
      insert into posthorn_queue.jobs (name, payload, run_at, priority, max_attempts)
      select ${name}::text, item.payload, coalesce(${runAt ?? null}::timestamptz, now()),
        ${priority ?? defaults.priority}::smallint, ${defaults.maxAttempts}::smallint
      from (${payloads}) as item(payload)`
}

/**
 * For connections of the queue itself. Its records need not wait for the disk: if a crash of the database loses one,
 * the job runs again, which every job allows. The table grows and shrinks too fast for statistics, so plans always use
 * its indexes.
 */
export const SETTINGS = `
  set synchronous_commit = off; set plan_cache_mode = force_generic_plan; set jit = off;
  set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off;
  set enable_hashjoin = off; set enable_mergejoin = off`

export type Connection = Pick<Pool | ClientBase, 'query'>

export interface Job {
  id: string
  name: JobName
  payload: unknown
  priority: number
  runAt: Date
  /** Including this one. */
  attempts: number
  maxAttempts: number
}

export const IS_WAITING = 'locked_by is null and attempts < max_attempts'

/** Each priority that has waiting jobs, found by one index lookup each. */
export const LEVELS = `
  level as (
    (select priority from posthorn_queue.jobs where ${IS_WAITING} order by priority limit 1)
    union all
    select (select priority from posthorn_queue.jobs where ${IS_WAITING} and priority > level.priority order by priority limit 1)
    from level where level.priority is not null
  )`

export async function completeJobs(connection: Connection, lockNumber: number, ids: string[]): Promise<void> {
  const text = '/* complete-jobs */ delete from posthorn_queue.jobs where id = any($2) and locked_by = $1'
  await connection.query(text, [lockNumber, ids])
}

export interface Retry {
  id: string
  /** An exponential back-off of up to six hours if absent. */
  at?: Date
  countsAsAttempt: boolean
  /** Replaces the payload of the job. */
  payload?: object | undefined
  error: string
}

export const RETRY_MIN_MS = 100

/**
 * No retry is due immediately by the database's clock: if that clock is ahead of ours, a job rescheduled for a time
 * that has already passed there would be claimed repeatedly.
 */
const RETRY = `/* retry-jobs */
  with retry as (
    select * from unnest($2::bigint[], $3::timestamptz[], $4::smallint[], $5::text[], $6::text[])
      as retry(id, at, uncounted, error, payload)
  ), replaced as (
    delete from posthorn_queue.jobs using retry where jobs.id = retry.id and locked_by = $1 and max_attempts = 0
  )
  update posthorn_queue.jobs set
    locked_by = null, locked_at = null, attempts = attempts - retry.uncounted, last_error = retry.error,
    payload = coalesce(retry.payload::json, jobs.payload),
    run_at = coalesce(greatest(retry.at, now() + interval '${RETRY_MIN_MS} milliseconds'),
      greatest(run_at, now()) + exp(least(attempts, 10)) * interval '1 second')
  from retry where jobs.id = retry.id and locked_by = $1 and max_attempts > 0`

export async function retryJobs(connection: Connection, lockNumber: number, retries: Retry[]): Promise<void> {
  await connection.query(RETRY, [
    lockNumber,
    retries.map((retry) => retry.id),
    retries.map((retry) => retry.at ?? null),
    retries.map((retry) => (retry.countsAsAttempt ? 0 : 1)),
    retries.map((retry) => retry.error),
    retries.map((retry) => (retry.payload ? JSON.stringify(retry.payload) : null)),
  ])
}

const release = (whose: string, change: string) => `
  with replaced as (
    delete from posthorn_queue.jobs where ${whose} and max_attempts = 0
  ), released as (
    update posthorn_queue.jobs set locked_by = null, locked_at = null, ${change}
    where ${whose} and max_attempts > 0 returning id
  )
  select count(*)::int as count, posthorn_queue.wake_workers() from released`

async function count(connection: Connection, text: string, values: unknown[]): Promise<number> {
  return (await connection.query<{ count: number }>(text, values)).rows[0]!.count
}

const UNCOUNTED = 'attempts = attempts - 1'
/** After the loss of the last attempt there is one more, in which the job is only recorded as failed; see `perform`. */
const LOST = `last_error = 'the process that ran it exited', max_attempts = greatest(max_attempts, attempts + 1)`
/** A stop doesn't count if it was the last attempt. */
const INTERRUPTED = `last_error = 'the process that ran it was stopped', attempts = least(attempts, max_attempts - 1)`

export const releaseUnstartedJobs = (connection: Connection, lockNumber: number, ids: string[]): Promise<number> =>
  count(connection, release('locked_by = $1 and id = any($2)', UNCOUNTED), [lockNumber, ids])

/** All jobs that this process has locked but never started, because it doesn't know them. */
export const releaseUnknownJobs = (connection: Connection, lockNumber: number, ids: string[]): Promise<number> =>
  count(connection, release('locked_by = $1 and id <> all($2)', UNCOUNTED), [lockNumber, ids])

/** All jobs that this process has locked, because it stops. Their handlers may have started, so the attempts count. */
export const releaseOwnJobs = (connection: Connection, lockNumber: number): Promise<number> =>
  count(connection, release('locked_by = $1', INTERRUPTED), [lockNumber])

/** In one statement with the check, so that a process that regained its lock in time keeps its jobs. */
export const releaseLostJobs = (connection: Connection, lockNumbers: number[]): Promise<number> =>
  count(connection, release('locked_by = any($1) and not posthorn_queue.is_running(locked_by)', LOST), [lockNumbers])

/** Without waiting for the lock: for processes that are known to have exited. All, if none are given. */
export const releaseJobsOfExited = (connection: Connection, lockNumbers?: number[]): Promise<number> =>
  count(
    connection,
    release(
      `locked_by is not null and ($1::int[] is null or locked_by = any($1)) and not posthorn_queue.holds_lock(locked_by)`,
      LOST,
    ),
    [lockNumbers ?? null],
  )

/** Lock numbers of processes that hold jobs and no longer hold their lock. */
export async function findLostWorkers(connection: Connection): Promise<number[]> {
  const { rows } = await connection.query<{ number: number }>(
    `select number from (select distinct locked_by as number from posthorn_queue.jobs where locked_by is not null) as holder
     where not posthorn_queue.is_running(number)`,
  )
  return rows.map((row) => row.number)
}

export interface QueueDepth {
  /** Due and not yet claimed. */
  ready: number
  /** Due later, retries included. */
  scheduled: number
  /** Out of attempts. */
  failed: number
  /** How long the longest waiting job has been due; 0 if none is. */
  oldestReadySeconds: number
}

/** Per priority. Beyond this, the exact number doesn't matter, and counting stays cheap. */
const COUNT_READY_TO = 50_000
const COUNT_OTHERS_TO = 10_000

export async function queueDepth(db: QueryExecutorProvider): Promise<QueueDepth> {
  const waiting = sql.raw(`from posthorn_queue.jobs where ${IS_WAITING} and priority = level.priority`)
  const { rows } = await sql<QueueDepth>`
    with recursive ${sql.raw(LEVELS)}
    select
      coalesce(sum(ready), 0)::float8 as ready,
      coalesce(sum(scheduled), 0)::float8 as scheduled,
      (select count(*)::float8 from (
        select from posthorn_queue.jobs
        where locked_by is null and attempts >= max_attempts limit ${COUNT_OTHERS_TO}) as failed) as failed,
      greatest(0, coalesce(extract(epoch from now() - min(oldest)), 0))::float8 as "oldestReadySeconds"
    from level, lateral (
      select
        (select count(*) from (select ${waiting} and run_at <= now() limit ${COUNT_READY_TO}) as due) as ready,
        (select count(*) from (select ${waiting} and run_at > now() limit ${COUNT_OTHERS_TO}) as later) as scheduled,
        (select min(run_at) ${waiting} and run_at <= now()) as oldest
    ) as counts
    where level.priority is not null`.execute(db)
  return rows[0]!
}

/** A job in a backup. */
export interface CopiedJob {
  name: string
  payload: unknown
  runAt: string
  priority: number
  maxAttempts: number
  key: string | null
}

const READ_AT_ONCE = 1_000

/** Inside a transaction. Periodic jobs are skipped, because they are enqueued again anyway. */
export async function* readJobs(client: ClientBase): AsyncGenerator<CopiedJob> {
  await client.query(`
    declare copied_jobs no scroll cursor for
    select name, payload, run_at::text as "runAt", priority, max_attempts as "maxAttempts", key from posthorn_queue.jobs
    where coalesce(key, '') not like '${TIMETABLE_KEYS}%' and max_attempts > 0`)
  for (;;) {
    const { rows } = await client.query<CopiedJob>(`fetch ${READ_AT_ONCE} from copied_jobs`)
    if (rows.length === 0) break
    yield* rows
  }
  await client.query('close copied_jobs')
}

export async function writeJobs(client: ClientBase, jobs: CopiedJob[]): Promise<void> {
  await client.query(
    `insert into posthorn_queue.jobs (name, payload, run_at, max_attempts, priority, key)
     select name, payload, "runAt"::timestamptz, "maxAttempts", priority, key
     from json_to_recordset($1::json)
       as job(name text, payload json, "runAt" text, "maxAttempts" smallint, priority smallint, key text)`,
    [JSON.stringify(jobs)],
  )
}
