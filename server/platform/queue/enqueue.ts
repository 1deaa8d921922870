/**
 * Adds jobs to the queue inside the caller's transaction, so that a job exists exactly if its cause does. `enqueue`
 * adds one, `enqueueMany` a thousand (15 ms), `addJobSql` and `addJobsStep` are part of a larger statement.
 */
import { type Expression, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { JOB_DEFAULTS, JOB_NAMES, type JobCatalogue, type JobName } from './catalogue.ts'

export interface EnqueueOptions {
  /** Not before this time; immediately if absent. */
  runAt?: Date
  /** A waiting job with the same key is replaced; a running one finishes, and this one runs after it. */
  jobKey?: string
  priority?: number
}

/** Each option can also be an expression over the rows of the surrounding statement. */
export interface AddJobSqlOptions {
  runAt?: Date | Expression<unknown>
  jobKey?: string | Expression<unknown>
  priority?: number | Expression<unknown>
}

/** Writes the catalogue to the database, where triggers and `posthorn_queue.add_job` look up priorities and attempts. */
export async function publishCatalogue(pool: pg.Pool): Promise<void> {
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

export async function enqueue<N extends JobName>(
  db: QueryExecutorProvider,
  name: N,
  payload: JobCatalogue[N],
  options: EnqueueOptions = {},
): Promise<void> {
  await sql`select ${addJobSql(name, sql`${JSON.stringify(payload)}`, options)}`.execute(db)
}

export async function enqueueMany<N extends JobName>(
  db: QueryExecutorProvider,
  name: N,
  payloads: readonly JobCatalogue[N][],
  { runAt, priority }: Omit<EnqueueOptions, 'jobKey'> = {},
): Promise<void> {
  if (payloads.length === 0) return
  const rows = sql`select payload from json_array_elements(${JSON.stringify(payloads)}::json) as item(payload)`
  await insertJobs(name, rows, { runAt, priority }).execute(db)
}

/**
 * A call that adds one job for each row of the statement it stands in, and yields the job's id:
 * `with email as (insert … returning id) select ${addJobSql('deliver-email', sql`json_build_object('emailId', email.id, …)`)} from email`.
 * The statement's last select must be or read the select it stands in: PostgreSQL leaves out what nobody reads.
 */
export function addJobSql(
  name: JobName,
  payload: Expression<unknown>,
  { runAt, jobKey, priority }: AddJobSqlOptions = {},
): RawBuilder<number> {
  return sql<number>`posthorn_queue.add_job(${name}, ${payload}::json, ${runAt ?? null}::timestamptz,
    ${jobKey ?? null}::text, ${priority ?? null}::int)`
}

/** A step that adds a job for every row of `payloads`, which selects one json column. */
export const addJobsStep = (
  name: JobName,
  payloads: RawBuilder<unknown>,
  options: InsertOptions = {},
): RawBuilder<unknown> => sql`added_jobs as (${insertJobs(name, payloads, options)})`

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
