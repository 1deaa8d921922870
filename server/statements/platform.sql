-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* claim-jobs */
with recursive
level as (
  (select priority from posthorn_queue.jobs where locked_by is null and attempts < max_attempts order by priority limit 1)
  union all
  select (select priority from posthorn_queue.jobs where locked_by is null and attempts < max_attempts and priority > level.priority order by priority limit 1)
  from level where level.priority is not null
), due as materialized (
  select job.id from level, lateral (
    select id from posthorn_queue.jobs
    where locked_by is null and attempts < max_attempts and priority = level.priority and priority <= $6::smallint and run_at <= greatest($4::timestamptz, now())
      and name = any($3) and id <> all($5)
    order by run_at, id limit $2 for update skip locked
  ) as job limit $2
)
update posthorn_queue.jobs as job set locked_by = $1, locked_at = now(), attempts = attempts + 1
from due where job.id = due.id
returning job.id::text, name, payload, priority, run_at as "runAt", attempts, max_attempts as "maxAttempts";

/* claim-jobs-in-turn */
with due as materialized (
  select id from posthorn_queue.find_in_turn($3::text[], $4::smallint, $5::text[], $6::text, $7::int, $2::int) as found(id)
)
update posthorn_queue.jobs as job set locked_by = $1, locked_at = now(), attempts = attempts + 1
from due where job.id = due.id
returning job.id::text, name, payload, priority, run_at as "runAt", attempts, max_attempts as "maxAttempts";

/* complete-jobs */
delete from posthorn_queue.jobs where id = any($2) and locked_by = $1;

/* count-running-workers */
select count(*)::int as count from posthorn_queue.running_workers
where ($1::int is null or lock_number = $2::int)
  and seen_at between clock_timestamp() - make_interval(secs => $3::float8) and clock_timestamp();

/* delete-captured-before */
delete from captured_messages where id in (
  select id from captured_messages where id < $1::uuid limit $2);

/* enqueue-waiting-jobs */
insert into posthorn_queue.jobs (name, payload, run_at, last_error, priority, max_attempts)
select $1::text, payload, at, reason, $2::smallint, $3::smallint
from json_to_recordset($4::json) as job(payload json, at timestamptz, reason text);

/* find-grown-tables */
select c.oid::regclass::text as table,
  case when bool_or(i.indexprs is not null) then ''
  else '(' || string_agg(distinct quote_ident(a.attname), ', ') || ')' end as columns
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_index i on i.indrelid = c.oid
join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
where n.nspname in (current_schema(), 'posthorn_queue') and c.relkind = 'r' and pg_has_role(c.relowner, 'usage')
  and pg_stat_get_live_tuples(c.oid) > greatest(2 * c.reltuples, $1::float)
group by c.oid
order by c.reltuples;

/* keep-messages */
with lazy_commit as materialized (select set_config('synchronous_commit', 'off', true))
insert into captured_messages (id, email_id, system, sender, recipients, raw, encrypted, created_at)
select id, email_id, system, sender, array(select jsonb_array_elements_text(mail.recipients)),
  substring($1::bytea from start + 1 for length), encrypted, $2::timestamptz
from lazy_commit, unnest(
  $3::uuid[], $4::uuid[],
  $5::boolean[], $6::text[], $7::jsonb[],
  $8::int[], $9::int[], $10::boolean[]
) as mail(id, email_id, system, sender, recipients, start, length, encrypted);

/* record-running-worker */
with exited as (
  delete from posthorn_queue.running_workers
  where lock_number <> $1 and seen_at not between now() - interval '1 hour' and now() + interval '1 minute'
)
insert into posthorn_queue.running_workers as worker (lock_number, seen_at) values ($1, now())
on conflict (lock_number) do update set seen_at = excluded.seen_at
where worker.seen_at not between now() - interval '5 seconds' and now();

/* retry-jobs */
with retry as (
  select * from unnest($2::bigint[], $3::timestamptz[], $4::smallint[], $5::text[], $6::text[])
    as retry(id, at, uncounted, error, payload)
), replaced as (
  delete from posthorn_queue.jobs using retry where jobs.id = retry.id and locked_by = $1 and max_attempts = 0
)
update posthorn_queue.jobs set
  locked_by = null, locked_at = null, attempts = attempts - retry.uncounted, last_error = retry.error,
  payload = coalesce(retry.payload::json, jobs.payload),
  run_at = coalesce(greatest(retry.at, now() + interval '100 milliseconds'),
    greatest(run_at, now()) + exp(least(attempts, 10)) * interval '1 second')
from retry where jobs.id = retry.id and locked_by = $1 and max_attempts > 0;

/* wake-waiting-jobs */
update posthorn_queue.jobs set run_at = now() + make_interval(secs => $1::float8)
where locked_by is null and attempts < max_attempts and run_at > now() + make_interval(secs => $2::float8)
  and starts_with(last_error, $3);

/* wake-waiting-jobs-of-project */
update posthorn_queue.jobs set run_at = now() where locked_by is null and attempts < max_attempts and id in (
  select id from posthorn_queue.jobs
  where locked_by is null and attempts < max_attempts and priority = any($1::smallint[]) and (coalesce(substring(payload::text from '"projectId"\s*:\s*"([^"]*)"'), '-') collate "C") = $2
    and run_at > now() and last_error = $3
  order by priority, run_at, id limit $4);
