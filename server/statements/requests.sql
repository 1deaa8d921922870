-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* delete-requests-before */
with recursive owner as (
  (select project_id from api_requests order by project_id limit 1)
  union all
  select (select r.project_id from api_requests r where r.project_id > owner.project_id order by r.project_id limit 1)
  from owner where owner.project_id is not null
)
delete from api_requests r using (
  select old.project_id, old.second, old.first_id from owner cross join lateral (
    select project_id, second, first_id from api_requests
    where api_requests.project_id = owner.project_id and second < $1::timestamptz
    order by second limit $2
  ) as old limit $3
) as old
where r.project_id = old.project_id and r.second = old.second and r.first_id = old.first_id;

/* insert-requests */
with lazy_commit as materialized (select set_config('synchronous_commit', 'off', true)),
existing as materialized (select id from projects where id = any($1::uuid[]) for key share)
insert into api_requests (project_id, second, first_id, method, status, code, key_type, key_id, key_name, ip, error,
  ignored_fields, ids, paths, durations_ms)
select g.project_id, g.second, g.first_id, g.method, g.status, g.code, g.key_type, g.key_id, g.key_name, g.ip, g.error,
  case when g.ignored_fields is not null then array(select jsonb_array_elements_text(g.ignored_fields)) end,
  g.ids::uuid[], g.paths::text[], g.durations::int[]
from lazy_commit, unnest(
  $2::uuid[], $3::timestamptz[], $4::uuid[], $5::text[], $6::smallint[],
  $7::text[], $8::text[], $9::uuid[], $10::text[], $11::text[],
  $12::jsonb[],
  $13::jsonb[],
  $14::text[],
  $15::text[],
  $16::text[]
) as g(project_id, second, first_id, method, status, code, key_type, key_id, key_name, ip, error, ignored_fields, ids, paths, durations)
join existing on existing.id = g.project_id;
