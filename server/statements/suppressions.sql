-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* find-suppression-of */
select s.id, s.email, s.reason, s.created_at
from contacts c join suppressions s on s.project_id = c.project_id and s.email = c.email
where c.project_id = $1 and c.id = $2;

/* insert-suppression */
with added as (
  insert into suppressions (project_id, email, id, reason, created_at)
  values ($1, $2, $3, $4, $5)
  -- Changes nothing, but locks the row that is there and returns it.
  on conflict (project_id, email) do update set email = excluded.email
  returning project_id, id, email, reason, created_at, xmax = 0 as is_new
), "suppressions_announced" as (
  select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
  from (
  select s.project_id, 'suppression.added', null::uuid,
    jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('email', s.email, 'reason', s.reason)), s.created_at
  from added s where s.is_new
  ) as r(project_id, name, contact_id, facts, created_at)
),
"suppressions_announced_for_webhooks" as (
  insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
    created_at, next_attempt_at)
  select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
  from (select * from (select r.* from "suppressions_announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
    select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
        select from unnest(w.event_types) as wanted(type)
        where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
  ) as endpoint
  returning 1
)
select id, email, reason, created_at, is_new from added;

/* is-suppressed */
select exists (
select from suppressions where suppressions.project_id = $1 and suppressions.email = $2::text) as suppressed;

/* lift-suppressions */
with lifted as (
  delete from suppressions where project_id = $1 and email in (select unnest($2::text[])) returning project_id, email
), "lifts_announced" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (
      select s.project_id, 'suppression.removed', null::uuid, jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('email', s.email)), $3::timestamptz
      from lifted s
      ) as r(project_id, name, contact_id, facts, created_at)
    ),
    "lifts_announced_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
      from (select * from (select r.* from "lifts_announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    )
    select count(*) as count from lifted;
