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
with lazy_commit as materialized (select set_config('synchronous_commit', 'off', true))
insert into api_requests (project_id, id, method, path, status, code, duration_ms, key_type, key_id, key_name, ip, error,
  ignored_fields, created_at)
select r.project_id, r.id, r.method, r.path, r.status, r.code, r.duration_ms, r.key_type, r.key_id, r.key_name, r.ip, r.error,
  case when r.ignored_fields is not null then array(select jsonb_array_elements_text(r.ignored_fields)) end, r.created_at
from lazy_commit, unnest(
  $1::uuid[], $2::uuid[], $3::text[], $4::text[],
  $5::smallint[], $6::text[], $7::int[], $8::text[],
  $9::uuid[], $10::text[], $11::text[],
  $12::jsonb[],
  $13::jsonb[], $14::timestamptz[]
) as r(project_id, id, method, path, status, code, duration_ms, key_type, key_id, key_name, ip, error, ignored_fields, created_at)
on conflict do nothing;
