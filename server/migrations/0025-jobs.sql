-- The queue is a table of our own. Until now a library kept it in the schema graphile_worker, which its own migrations
-- created; jobs that are waiting there move here.
create schema if not exists posthorn_queue;

-- Written from the catalogue (platform/queue/catalogue.ts) at every start.
create table posthorn_queue.job_kinds (
  name text primary key,
  priority smallint not null,
  max_attempts smallint not null,
  -- The occurrence in the timetable that was enqueued last.
  planned_at timestamptz
);

create table posthorn_queue.jobs (
  id bigint generated always as identity primary key,
  name text not null,
  payload json not null, -- not jsonb: nothing searches in it, and json costs less to write
  priority smallint not null,
  run_at timestamptz not null default now(),
  attempts smallint not null default 0,
  -- 0 for a running job that was replaced by a newer one with its key: it is never retried.
  max_attempts smallint not null,
  key text,
  locked_by int, -- the lock number of the process that runs it, see posthorn_queue.lives
  locked_at timestamptz,
  last_error text,
  created_at timestamptz not null default now()
)
-- Every job is written twice and deleted. Claiming it changes what the indexes cover, so free space on its page
-- (fillfactor) would save nothing; early vacuums do.
with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

create index jobs_ready on posthorn_queue.jobs (priority, run_at, id) where locked_by is null and attempts < max_attempts;
create index jobs_failed on posthorn_queue.jobs (id) where locked_by is null and attempts >= max_attempts;
create index jobs_locked on posthorn_queue.jobs (locked_by) where locked_by is not null;
create unique index jobs_key on posthorn_queue.jobs (key) where key is not null;

-- Transactions that notify commit one after the other, fsync included: sixteen connections added 3,800 jobs/s when all
-- of them notified, 7,000 when one at a time does. The others stay silent; workers look again shortly after each
-- notification, when those have been committed too.
create or replace function posthorn_queue.wake_workers() returns void language plpgsql as $$
begin
  if pg_try_advisory_xact_lock(1349481333, 0) then
    perform pg_notify('posthorn_jobs', '');
  end if;
end $$;

create function posthorn_queue.jobs_added() returns trigger language plpgsql as $$
begin
  perform posthorn_queue.wake_workers();
  return null;
end $$;

-- The first key of the two-part advisory locks that worker processes hold; the second is their lock number.
create function posthorn_queue.worker_locks() returns int language sql immutable parallel safe return 1349481332;

-- Costly, so that a condition evaluates everything else first.
create or replace function posthorn_queue.lives(worker_lock int) returns boolean language plpgsql volatile cost 100000 as $$
begin
  return exists (
    select from pg_locks
    where locktype = 'advisory' and granted and objsubid = 2
      and classid = posthorn_queue.worker_locks() and objid = worker_lock::oid
      and database = (select oid from pg_database where datname = current_database()));
end $$;

drop function if exists posthorn_queue.add_job(text, json, timestamptz, int, int, text);

create function posthorn_queue.add_job(
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
    -- Inserts nothing only if a worker claimed the job with this key in the meantime: then once more from the top.
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

-- Everything that waits in the library's tables, in its order. Jobs that were running run again, as after a crash.
-- The table `workers` tells that the schema is the one that Posthorn created.
do $$
begin
  if to_regclass('posthorn_queue.workers') is not null and to_regclass('graphile_worker._private_jobs') is not null then
    lock table graphile_worker._private_jobs in access exclusive mode;
    insert into posthorn_queue.jobs (name, payload, priority, run_at, attempts, max_attempts, key, last_error, created_at)
    select t.identifier, j.payload, j.priority, j.run_at, j.attempts, j.max_attempts, j.key, j.last_error, j.created_at
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    order by j.id;
    drop schema graphile_worker cascade;
  end if;
end $$;
drop table if exists posthorn_queue.workers;
drop function if exists posthorn_queue.task_id(text);

create trigger jobs_added after insert on posthorn_queue.jobs for each statement execute function posthorn_queue.jobs_added();

-- As in 0016 and 0017, but for the call of add_job: priority and attempts come from the catalogue.
create or replace function note_campaign_emails_changed() returns trigger language plpgsql as $$
begin
  insert into campaign_count_changes (project_id, campaign_id, ended, sent, delivered, opened, clicked, bounced, complained, failed, refused)
  select * from (
    select project_id, campaign_id,
      sum(sign * (status not in ('PENDING', 'SENDING'))::int) as ended,
      sum(sign * (sent_at is not null)::int) as sent,
      sum(sign * (delivered_at is not null)::int) as delivered,
      sum(sign * (opened_at is not null)::int) as opened,
      sum(sign * (clicked_at is not null)::int) as clicked,
      sum(sign * (bounced_at is not null)::int) as bounced,
      sum(sign * (complained_at is not null)::int) as complained,
      sum(sign * (status = 'FAILED')::int) as failed,
      sum(sign * (bounced_at is not null and sent_at is null)::int) as refused
    from (
      select 1 as sign, a.* from after a where a.campaign_id is not null
      union all
      select -1, b.* from before b where b.campaign_id is not null
    ) as email
    group by project_id, campaign_id
  ) as change
  where (ended, sent, delivered, opened, clicked, bounced, complained, failed, refused) <> (0, 0, 0, 0, 0, 0, 0, 0, 0);

  -- The last emails of a campaign may end long after the rest: a job checks whether the campaign is complete.
  perform posthorn_queue.add_job('settle-campaign', json_build_object('projectId', c.project_id, 'campaignId', c.id),
    job_key => 'settle:' || c.id)
  from campaigns c
  join (select distinct project_id, campaign_id from after where campaign_id is not null and status not in ('PENDING', 'SENDING')) as ended
    on c.project_id = ended.project_id and c.id = ended.campaign_id
  where c.status = 'SENDING' and c.drained_at is not null;
  return null;
end $$;

-- The sub-selects are scalar on purpose: an `exists` may be planned as a hash over everybody's workflows.
create or replace function dispatch_events() returns trigger language plpgsql as $$
begin
  perform posthorn_queue.add_job('dispatch-event',
    json_build_object('projectId', project_id, 'eventIds', json_agg(id order by id),
      'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int))
  from (
    select project_id, id, row_number() over (partition by project_id order by id) / 100 as batch
    from added
    where contact_id is not null and coalesce(
      (select true from workflows w
       where w.project_id = added.project_id and w.event_name = added.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
      (select true from workflow_steps s where s.project_id = added.project_id and s.event_name = added.name limit 1))
  ) as wanted
  group by project_id, batch;
  return null;
end $$;
