-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* delete-requests-before */
with recursive owner as (
  (select project_id from api_requests order by project_id limit 1)
  union all
  select (select r.project_id from api_requests r where r.project_id > owner.project_id order by r.project_id limit 1)
  from owner where owner.project_id is not null
)
delete from api_requests r using (
  select old.project_id, old.id from owner cross join lateral (
    select project_id, id from api_requests where api_requests.project_id = owner.project_id and id < $1::uuid
    order by id limit $2
  ) as old limit $3
) as old
where r.project_id = old.project_id and r.id = old.id;

/* insert-requests */
with lazy_commit as materialized (select set_config('synchronous_commit', 'off', true)),
existing as materialized (select id from projects where id = any($1::uuid[]) for key share)
insert into api_requests (project_id, id, method, path, status, code, duration_ms, key_type, key_id, key_name, ip, error,
  ignored_fields, created_at)
select g.project_id, r.id, g.method, g.path, g.status, g.code, r.duration_ms, g.key_type, g.key_id, g.key_name, g.ip, g.error,
  case when g.ignored_fields is not null then array(select jsonb_array_elements_text(g.ignored_fields)) end,
  to_timestamp(r.time / 1000.0)
from lazy_commit, unnest(
  $2::uuid[], $3::text[], $4::text[], $5::smallint[],
  $6::text[], $7::text[], $8::uuid[], $9::text[], $10::text[],
  $11::jsonb[],
  $12::jsonb[],
  $13::text[], $14::text[], $15::text[]
) as g(project_id, method, path, status, code, key_type, key_id, key_name, ip, error, ignored_fields, ids, durations, times)
join existing on existing.id = g.project_id
cross join lateral unnest(g.ids::uuid[], g.durations::int[], g.times::bigint[]) as r(id, duration_ms, time);
