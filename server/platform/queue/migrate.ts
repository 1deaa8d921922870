/**
 * Makes the queue's tables: the library's own, and beside them the schema `posthorn_queue` with our way of adding
 * a job and the list of live workers. Everything here may run again at every start, by many processes at once.
 */
import { runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { JOB_NAMES, type QueueLog } from './catalogue.ts'
import { guardConnections, libraryLogger } from './library-log.ts'

/** First keys of our two-part advisory locks; one-part locks, as migrations take, live in another space. */
export const WORKER_LOCKS = 1_349_481_332
const WAKE_LOCK = 1_349_481_333

export async function migrateQueue(pool: pg.Pool, log?: QueueLog): Promise<void> {
  const unguard = guardConnections(pool, log)
  try {
    await runMigrations({ pgPool: pool, logger: libraryLogger(log) })
    await addOurs(pool)
  } finally {
    unguard()
  }
}

async function addOurs(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1, 0)', [WORKER_LOCKS])
    await client.query(SCHEMA)
    await client.query(
      `insert into graphile_worker._private_tasks (identifier)
       select name from unnest($1::text[]) as known(name)
       where not exists (select from graphile_worker._private_tasks where identifier = name)`,
      [JOB_NAMES],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

/**
 * Why not the library's `add_job`: it tries to insert the task's name at every call, which uses up a 32-bit
 * sequence (two billion jobs, then no more), and it took 0.6 ms a job where this takes 0.05.
 *
 * Why `wake_workers` asks for a lock first: transactions that notify commit one after the other, fsync included.
 * Sixteen connections added 3,800 jobs/s when all of them notified, 7,000 when one at a time does. Who finds
 * another one notifying keeps quiet; the worker looks again a moment after each call (see runner.ts).
 */
const SCHEMA = `
create schema if not exists posthorn_queue;

create table if not exists posthorn_queue.workers (
  worker_id text primary key,
  lock_number int not null,
  registered_at timestamptz not null default now()
);

create index if not exists posthorn_exhausted_jobs
  on graphile_worker._private_jobs (id) where attempts >= max_attempts;

create or replace function posthorn_queue.wake_workers() returns void language plpgsql as $$
begin
  if pg_try_advisory_xact_lock(${WAKE_LOCK}, 0) then
    perform pg_notify('jobs:insert', '{"count":50}');
  end if;
end $$;

-- For what a worker holds besides its jobs. Costly, so that a condition asks everything else first.
create or replace function posthorn_queue.lives(worker_lock int) returns boolean language plpgsql volatile cost 100000 as $$
begin
  return exists (
    select from pg_locks
    where locktype = 'advisory' and granted and objsubid = 2
      and classid = ${WORKER_LOCKS} and objid = worker_lock::oid
      and database = (select oid from pg_database where datname = current_database()));
end $$;

create or replace function posthorn_queue.task_id(job_name text) returns int language plpgsql stable as $$
declare
  found_id int;
begin
  select id into found_id from graphile_worker._private_tasks where identifier = job_name;
  if found_id is null then
    raise exception 'there is no job named %', job_name;
  end if;
  return found_id;
end $$;

create or replace function posthorn_queue.add_job(
  job_name text, job_payload json, job_run_at timestamptz, job_max_attempts int, job_priority int, job_key text
) returns bigint language plpgsql as $$
declare
  new_id bigint;
begin
  while new_id is null loop
    -- A job that is running has read an older state of the world. It may finish, but gives up its key and its retries.
    if job_key is not null then
      update graphile_worker._private_jobs set key = null, attempts = max_attempts, updated_at = now()
      where key = job_key and not is_available;
    end if;
    -- Finds no row only if a worker took the keyed job in this very moment: then once more from the top.
    insert into graphile_worker._private_jobs as jobs (task_id, payload, run_at, max_attempts, priority, key)
    values (posthorn_queue.task_id(job_name), job_payload, coalesce(job_run_at, now()), job_max_attempts, job_priority, job_key)
    on conflict (key) do update set
      task_id = excluded.task_id, payload = excluded.payload, run_at = excluded.run_at,
      max_attempts = excluded.max_attempts, priority = excluded.priority,
      attempts = 0, last_error = null, revision = jobs.revision + 1, updated_at = now()
    where jobs.locked_at is null
    returning id into new_id;
  end loop;
  perform posthorn_queue.wake_workers();
  return new_id;
end $$;
`
