-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* count-topic-subscribers */
with reader as materialized (
    select topics from contacts
    where project_id = $1 and not (not "contacts"."subscribed" or coalesce("contacts"."paused_until" > $2::timestamptz, false) )
      and not exists (
select from suppressions where suppressions.project_id = contacts.project_id and suppressions.email = contacts.email)
  ), chosen as (
    select decision, count(*) as count from reader cross join unnest(reader.topics) as decision group by decision
  )
  select t.number, case
      when t.default_subscribed then (select count(*) from reader) - coalesce((select count from chosen where decision = -t.number), 0)
      else coalesce((select count from chosen where decision = t.number), 0)
    end as count
  from topics t where t.project_id = $3;

/* count-topics */
select count(*) as count from topics where project_id = $1;

/* list-contact-topics */
select t.key, t.name, t.description, t.number, t.is_public, coalesce(d.subscribed, t.default_subscribed) as subscribed, d.source, d.updated_at
from topics t
left join contact_topics d on d.project_id = t.project_id and d.contact_id = $1 and d.topic = t.number
where t.project_id = $2 order by t.position, t.id desc;
