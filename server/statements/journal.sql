-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* announce */
with "announced" as (
  select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
  from (select $1::uuid, $2::text, null::uuid, jsonb_build_object('contact', null, 'email', null, 'data', $3::jsonb), $4::timestamptz
  ) as r(project_id, name, contact_id, facts, created_at)
),
"announced_for_webhooks" as (
  insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
    created_at, next_attempt_at)
  select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
  from (select * from (select r.* from "announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
    select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
        select from unnest(w.event_types) as wanted(type)
        where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
  ) as endpoint
  returning 1
)
select 1;

/* count-contact-events */
select count(*) as count from events
where project_id = $1 and contact_id = $2 and name = coalesce($3, name);

/* delete-events */
with batch as materialized (
  select project_id, id from events
  where project_id = $1 and name = $2 and id < $3::uuid order by id limit $4
), gone as (
  delete from events using batch where events.project_id = batch.project_id and events.id = batch.id returning events.id
)
select count(*) as count from gone;

/* erase-events */
with batch as (
  select id from events where project_id = $1 and contact_id = any($2::uuid[]) limit $3
)
update events set contact_id = null, data = '{}' from batch
where events.project_id = $4 and events.id = batch.id;

/* list-event-names */
select name from (
  select name from (
    select name, count from event_names where project_id = $1
    union all
    select name, change from event_day_changes where project_id = $2
  ) as parts
  group by name having sum(count) > 0 order by sum(count) desc, name limit $3
) as listed order by name;

/* read-email-days */
with counted as (
  select day, sum("sent")::bigint as "sent", sum("delivered")::bigint as "delivered", sum("opened")::bigint as "opened", sum("clicked")::bigint as "clicked", sum("bounced")::bigint as "bounced", sum("complained")::bigint as "complained", sum("refused")::bigint as "refused" from (
    select * from email_days where project_id = $1 and day between $2::date and $3::date
    union all
    select * from email_day_changes where project_id = $4 and day between $5::date and $6::date
  ) as parts group by day
)
select to_char(series.day, 'YYYY-MM-DD') as day, coalesce("sent", 0)::bigint as "sent", coalesce("delivered", 0)::bigint as "delivered", coalesce("opened", 0)::bigint as "opened", coalesce("clicked", 0)::bigint as "clicked", coalesce("bounced", 0)::bigint as "bounced", coalesce("complained", 0)::bigint as "complained", coalesce("refused", 0)::bigint as "refused"
from generate_series($7::date::timestamp, $8::date::timestamp, interval '1 day') as series(day)
left join counted on counted.day = series.day::date
order by series.day;

/* read-event-days */
with counted as (
  select day, sum(count)::bigint as count from (
    select day, count from event_days where project_id = $1 and day between $2::date and $3::date and name = $4
    union all
    select day, change from event_day_changes where project_id = $5 and day between $6::date and $7::date and name = $8
  ) as parts group by day
)
select to_char(series.day, 'YYYY-MM-DD') as day, coalesce(counted.count, 0)::bigint as count
from generate_series($9::date::timestamp, $10::date::timestamp, interval '1 day') as series(day)
left join counted on counted.day = series.day::date
order by series.day;

/* read-top-names */
select name, sum(count)::bigint as count from (
  select name, count from event_days where project_id = $1 and day between $2::date and $3::date
  union all
  select name, change from event_day_changes where project_id = $4 and day between $5::date and $6::date
) as parts
group by name having sum(count) > 0
order by 2 desc, name limit $7;
