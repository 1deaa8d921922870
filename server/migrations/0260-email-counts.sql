-- Emails that bounced at once, without being sent: with the sent ones they are the base of delivery and bounce rates.
alter table email_days add column refused bigint not null default 0;
alter table email_day_changes add column refused bigint not null default 0;

-- An email that bounces after its delivery no longer counts as delivered. Bounced emails are found by their status, so nothing
-- else is read; emails that are no longer stored keep the counts they had.
with bounced as materialized (
  select e.project_id, e.campaign_id, e.sent_at, e.delivered_at, e.bounced_at, e.source_type, e.test
  from projects p cross join unnest(array['BOUNCED', 'COMPLAINED']) as wanted(status)
  join emails e on e.project_id = p.id and e.status = wanted.status
  where e.bounced_at is not null and (e.delivered_at is not null or e.sent_at is null)
), days as (
  insert into email_day_changes (project_id, day, sent, delivered, opened, clicked, bounced, complained, refused)
  select project_id, utc_day(at), 0, -sum((fact = 1)::int), 0, 0, 0, 0, sum((fact = 2)::int)
  from bounced cross join lateral (values (1, delivered_at), (2, case when sent_at is null then bounced_at end)) as happened(fact, at)
  where at is not null and not is_test(source_type, campaign_id) and test is not true
  group by project_id, utc_day(at)
)
insert into campaign_count_changes (project_id, campaign_id, delivered)
select project_id, campaign_id, -count(*) from bounced where campaign_id is not null and delivered_at is not null
group by project_id, campaign_id;
