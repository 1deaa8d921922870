/**
 * Statements that add, wake, remove, count and copy jobs. Jobs are added inside the caller's transaction, so that a job exists exactly if
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

export const IS_WAITING = 'locked_by is null and attempts < max_attempts'

/** Each priority that has waiting jobs, found by one index lookup each. */
export const LEVELS = `
  level as (
    (select priority from posthorn_queue.jobs where ${IS_WAITING} order by priority limit 1)
    union all
    select (select priority from posthorn_queue.jobs where ${IS_WAITING} and priority > level.priority order by priority limit 1)
    from level where level.priority is not null
  )`

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
