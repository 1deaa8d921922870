-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* find-suppressions-of */
select s.id, s.email, s.reason, null::text as topic, s.created_at
from contacts c join suppressions s on s.project_id = c.project_id and s.email = c.email
where c.project_id = $1 and c.id = $2
union all
select s.id, s.email, s.reason, t.key as topic, s.created_at
from contacts c join topic_suppressions s on s.project_id = c.project_id and s.email = c.email
join topics t on t.project_id = s.project_id and t.number = s.topic
where c.project_id = $3 and c.id = $4;

/* find-topic-numbers */
select key, number from topics where project_id = $1 and key = any($2::text[]);

/* has-few-suppressions */
select count(*) <= $1 as few from (
  select from suppressions where project_id = $2
  union all select from topic_suppressions where project_id = $3 limit $4
) as counted;

/* insert-suppressions */
with given as (
      select * from jsonb_to_recordset($1::jsonb)
        as g(id uuid, email text, reason text, created_at timestamptz, topic int)
    ), suppressed as (
  insert into suppressions (project_id, email, id, reason, created_at)
      select $2::uuid, email, id, reason, created_at from given where topic is null order by email
  on conflict (project_id, email) do nothing
  returning project_id, email, reason, created_at
), "suppressions_announced" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (
      select s.project_id, 'suppression.added', null::uuid,
        jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('email', s.email, 'reason', s.reason)), s.created_at
      from suppressed s
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
    ),
    topics_suppressed as (
      insert into topic_suppressions (project_id, email, topic, id, reason, created_at)
      select t.project_id, g.email, g.topic, g.id, g.reason, g.created_at
      from given g join topics t on t.project_id = $3 and t.number = g.topic order by g.email, g.topic
      on conflict (project_id, email, topic) do nothing
      returning project_id, email, topic, reason, created_at
    ), "topic_suppressions_announced" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (
      select s.project_id, 'suppression.added', null::uuid,
        jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('email', s.email, 'reason', s.reason) || jsonb_build_object('topic', (select t.key from topics t where t.project_id = s.project_id and t.number = s.topic))), s.created_at
      from topics_suppressed s
      ) as r(project_id, name, contact_id, facts, created_at)
    ),
    "topic_suppressions_announced_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
      from (select * from (select r.* from "topic_suppressions_announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    )
    select (select count(*) from suppressed) + (select count(*) from topics_suppressed) as count;

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

/* lift-topic-suppressions */
with topics_lifted as (
  delete from topic_suppressions where project_id = $1 and (email, topic) in (select $2::text, unnest($3::int[]))
  returning project_id, email, topic
), "topic_lifts_announced" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (
      select s.project_id, 'suppression.removed', null::uuid,
        jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('email', s.email, 'topic', (select t.key from topics t where t.project_id = s.project_id and t.number = s.topic))), $4::timestamptz
      from topics_lifted s
      ) as r(project_id, name, contact_id, facts, created_at)
    ),
    "topic_lifts_announced_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
      from (select * from (select r.* from "topic_lifts_announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    )
    select count(*) as count from topics_lifted;
