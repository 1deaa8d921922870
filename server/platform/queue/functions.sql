-- The functions of the queue. Priorities and attempts come from posthorn_queue.job_kinds, which is written from catalogue.ts
-- at every start.

-- Transactions that notify commit one after the other, fsync included: sixteen connections added 3,800 jobs/s when all
-- of them notified, 7,000 when one at a time does. The others skip it; workers look again shortly after each
-- notification, when those have been committed too.
create or replace function posthorn_queue.wake_workers() returns void language plpgsql as $$
begin
  if pg_try_advisory_xact_lock(1349481333, 0) then
    perform pg_notify('posthorn_jobs', '');
  end if;
end $$;

-- The first key of the two-part advisory locks that worker processes hold; the second is their lock number.
create or replace function posthorn_queue.worker_locks() returns int language sql immutable parallel safe return 1349481332;

-- Costly, so that a condition evaluates everything else first.
create or replace function posthorn_queue.holds_lock(worker_lock int) returns boolean language plpgsql volatile cost 100000 as $$
begin
  return exists (
    select from pg_locks
    where locktype = 'advisory' and granted and objsubid = 2
      and classid = posthorn_queue.worker_locks() and objid = worker_lock::oid
      and database = (select oid from pg_database where datname = current_database()));
end $$;

-- A restart of PostgreSQL releases all locks; processes that kept running have theirs again within seconds (process-lock.ts),
-- so until then each counts as running. If one session crashes, PostgreSQL ends all others and recovers without a new
-- postmaster; it then discards its statistics, and they count from that moment.
create or replace function posthorn_queue.is_running(worker_lock int) returns boolean language plpgsql volatile cost 100000 as $$
begin
  return posthorn_queue.holds_lock(worker_lock)
    or greatest(pg_postmaster_start_time(), (select stats_reset from pg_stat_bgwriter)) > clock_timestamp() - interval '5 seconds';
end $$;

create or replace function posthorn_queue.add_job(
  job_name text, job_payload json, job_run_at timestamptz default null, job_key text default null, job_priority int default null
) returns bigint language plpgsql as $$
declare
  kind posthorn_queue.job_kinds;
  new_id bigint;
begin
  select * into kind from posthorn_queue.job_kinds where name = job_name;
  if not found then
    raise exception 'there is no job named %', job_name;
  end if;
  while new_id is null loop
    -- A job that is running has read an older state: it may finish but isn't retried. One that has failed stays as it is.
    if job_key is not null then
      update posthorn_queue.jobs set key = null, max_attempts = case when locked_by is null then max_attempts else 0 end
      where key = job_key and (locked_by is not null or attempts >= max_attempts);
    end if;
    -- Inserts nothing only if a worker claimed the job with this key in the meantime; then the loop repeats.
    insert into posthorn_queue.jobs as waiting (name, payload, run_at, priority, max_attempts, key)
    values (job_name, job_payload, coalesce(job_run_at, now()), coalesce(job_priority, kind.priority), kind.max_attempts, job_key)
    on conflict (key) where key is not null do update set
      name = excluded.name, payload = excluded.payload, run_at = excluded.run_at, priority = excluded.priority,
      max_attempts = excluded.max_attempts, attempts = 0, last_error = null, created_at = now()
    where waiting.locked_by is null and waiting.attempts < waiting.max_attempts
    returning id into new_id;
  end loop;
  return new_id;
end $$;

-- Adds a job for every `size` of the ids, with the ids in the field of the payload that is named.
create or replace function posthorn_queue.add_batches(job_name text, job_payload jsonb, field text, ids uuid[], size int)
returns int language plpgsql as $$
begin
  perform posthorn_queue.add_job(job_name, (job_payload || jsonb_build_object(field, jsonb_agg(id order by id)))::json)
  from (select id, (row_number() over (order by id) - 1) / size as batch from unnest(ids) as id) as numbered
  group by batch;
  return cardinality(ids);
end $$;

-- Finds due jobs of projects that are not busy, up to max_each of each project and priority. Projects have turns: the first is the
-- one after last_project. The project of a job is found in the text, because PostgreSQL can't read a field of JSON that contains \u0000;
-- jobs without one count as a project '-'. Each project with waiting jobs costs a lookup in jobs_by_project, however many jobs it has: the
-- conditions and the order allow no other index (with `=`, PostgreSQL could read all jobs in the order in which they are due).
create or replace function posthorn_queue.find_in_turn(
  job_names text[], up_to smallint, busy text[], last_project text, max_each int, max_total int
) returns setof bigint language plpgsql as $$
declare
  level smallint := -32768;
  project text;
  has_wrapped boolean;
  job_id bigint;
begin
  loop
    select min(priority) into level from (
      select priority from posthorn_queue.jobs
      where locked_by is null and attempts < max_attempts and priority > level and priority <= up_to
      order by priority limit 1) as next_level;
    exit when level is null;
    project := last_project;
    has_wrapped := false;
    loop
      select owner into project from (
        select coalesce(substring(payload::text from '"projectId"\s*:\s*"([^"]*)"'), '-') collate "C" as owner from posthorn_queue.jobs
        where locked_by is null and attempts < max_attempts and priority = level) as job
      where owner > project
      order by owner limit 1;
      if project is null then
        exit when has_wrapped or last_project = '';
        has_wrapped := true;
        project := '';
        continue;
      end if;
      exit when has_wrapped and project collate "C" > last_project;
      continue when project = any(busy);
      for job_id in
        select id from posthorn_queue.jobs
        where locked_by is null and attempts < max_attempts and priority = level
          and coalesce(substring(payload::text from '"projectId"\s*:\s*"([^"]*)"'), '-') collate "C" between project and project
          and run_at <= now() and name = any(job_names)
        order by coalesce(substring(payload::text from '"projectId"\s*:\s*"([^"]*)"'), '-') collate "C", run_at, id
        limit least(max_each, max_total) for update skip locked
      loop
        return next job_id;
        max_total := max_total - 1;
      end loop;
      if max_total <= 0 then return; end if;
    end loop;
  end loop;
end $$;
