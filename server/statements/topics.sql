-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* count-topic-subscribers */
with readers as materialized (
    select topics, count(*) as count from contacts
    where project_id = $1 and not (not "contacts"."subscribed" or (("contacts"."paused_until" > $2::timestamptz) is true) )
      and not exists (
select from suppressions where suppressions.project_id = contacts.project_id and suppressions.email = contacts.email)
    group by topics
  ), chosen as (
    select decision, sum(readers.count) as count from readers cross join unnest(readers.topics) as decision group by decision
  ), suppressed as (
    select s.topic, count(*) as count
    from topic_suppressions s
    join topics t on t.project_id = s.project_id and t.number = s.topic
    join contacts on contacts.project_id = s.project_id and contacts.email = s.email
    where s.project_id = $3 and (case when t.default_subscribed then not -t.number = any("contacts"."topics") else t.number = any("contacts"."topics") end)
      and not (not "contacts"."subscribed" or (("contacts"."paused_until" > $4::timestamptz) is true) )
      and not exists (
select from suppressions where suppressions.project_id = contacts.project_id and suppressions.email = contacts.email)
    group by s.topic
  )
  select t.number, (case
      when t.default_subscribed then coalesce((select sum(count) from readers), 0) - coalesce((select count from chosen where decision = -t.number), 0)
      else coalesce((select count from chosen where decision = t.number), 0)
    end - coalesce((select count from suppressed where suppressed.topic = t.number), 0))::bigint as count
  from topics t where t.project_id = $5;

/* count-topics */
select count(*) as count from topics where project_id = $1;

/* list-contact-topics */
select t.key, t.name, t.description, t.number, t.is_public, d.source, d.updated_at,
  coalesce(d.subscribed, t.default_subscribed) as chosen,
  coalesce(d.subscribed, t.default_subscribed) and s.email is null as subscribed
from topics t
left join contact_topics d on d.project_id = t.project_id and d.contact_id = $1 and d.topic = t.number
left join contacts c on c.project_id = t.project_id and c.id = $2
left join topic_suppressions s on s.project_id = t.project_id and s.email = c.email and s.topic = t.number
where t.project_id = $3 order by t.position, t.id desc;
