/**
 * Puts jobs into the queue, inside the caller's transaction: a job exists if and only if what it belongs to does.
 * `enqueue` for one, `enqueueMany` for a thousand (15 ms), `addJobSql` and `addJobsSteps` as part of a larger statement.
 */
import { type Expression, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import { JOB_DEFAULTS, type JobCatalogue, type JobName } from './catalogue.ts'

export interface EnqueueOptions {
  /** Not before this moment; at once if left out. */
  runAt?: Date
  /** A waiting job with the same key is replaced; a running one finishes, and this one runs after it. */
  jobKey?: string
  priority?: number
}

/** Each option may also be an expression over the rows of the statement around it. */
export interface AddJobSqlOptions {
  runAt?: Date | Expression<unknown>
  jobKey?: string | Expression<unknown>
  priority?: number | Expression<unknown>
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
  options: Omit<EnqueueOptions, 'jobKey'> = {},
): Promise<void> {
  if (payloads.length === 0) return
  const { maxAttempts, priority } = JOB_DEFAULTS[name]
  await sql`
    with task as materialized (select posthorn_queue.task_id(${name}) as id), added as (
      insert into graphile_worker._private_jobs (task_id, payload, run_at, max_attempts, priority)
      select task.id, item.payload, coalesce(${options.runAt ?? null}::timestamptz, now()),
        ${maxAttempts}::smallint, ${options.priority ?? priority}::smallint
      from task, json_array_elements(${JSON.stringify(payloads)}::json) as item(payload)
      returning id
    )
    select posthorn_queue.wake_workers() from (select from added limit 1) as any_added`.execute(db)
}

/**
 * A call that adds one job for each row of the statement it stands in, and yields the job's id:
 * `with email as (insert … returning id) select ${addJobSql('deliver-email', sql`json_build_object('emailId', email.id, …)`)} from email`.
 * The statement's last select must be or read the select it stands in: PostgreSQL leaves out what nobody reads.
 */
export function addJobSql(
  name: JobName,
  payload: Expression<unknown>,
  options: AddJobSqlOptions = {},
): RawBuilder<number> {
  const { maxAttempts, priority } = JOB_DEFAULTS[name]
  return sql<number>`posthorn_queue.add_job(${name}, ${payload}::json, ${options.runAt ?? null}::timestamptz,
    ${maxAttempts}::int, ${options.priority ?? priority}::int, ${options.jobKey ?? null}::text)`
}

/**
 * Steps that add a job for every row of `payloads`, which selects one json column, and wake the workers once. The
 * statement's last select must read `woken`: PostgreSQL leaves out what nobody reads.
 */
export function addJobsSteps(name: JobName, payloads: RawBuilder<unknown>): RawBuilder<unknown> {
  const { maxAttempts, priority } = JOB_DEFAULTS[name]
  return sql`
    task as materialized (select posthorn_queue.task_id(${name}) as id),
    added as (
      insert into graphile_worker._private_jobs (task_id, payload, run_at, max_attempts, priority)
      select task.id, item.payload, now(), ${maxAttempts}::smallint, ${priority}::smallint
      from task, (${payloads}) as item(payload)
      returning id
    ),
    woken as (select posthorn_queue.wake_workers() from (select from added limit 1) as any_added)`
}
