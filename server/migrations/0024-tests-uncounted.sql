-- The test of a campaign belongs to no campaign, and counts in no statistics. A sender's reputation has it all the same
-- (note_deliveries): nobody gets around that by sending everything as a test.
create function is_test(source_type text, campaign_id uuid) returns boolean language sql immutable parallel safe as $$
  select source_type = 'CAMPAIGN' and campaign_id is null
$$;

create or replace function note_emails_changed() returns trigger language plpgsql as $$
begin
  insert into email_day_changes
  select * from (
    select project_id, utc_day(at),
      sum(sign * (fact = 1)::int) as sent, sum(sign * (fact = 2)::int) as delivered, sum(sign * (fact = 3)::int) as opened,
      sum(sign * (fact = 4)::int) as clicked, sum(sign * (fact = 5)::int) as bounced, sum(sign * (fact = 6)::int) as complained
    from (
      select 1 as sign, project_id, sent_at, delivered_at, opened_at, clicked_at, bounced_at, complained_at
      from after where (sent_at is not null or bounced_at is not null or complained_at is not null)
        and not is_test(source_type, campaign_id)
      union all
      select -1, project_id, sent_at, delivered_at, opened_at, clicked_at, bounced_at, complained_at
      from before where (sent_at is not null or bounced_at is not null or complained_at is not null)
        and not is_test(source_type, campaign_id)
    ) as email
    cross join lateral (values (1, sent_at), (2, delivered_at), (3, opened_at), (4, clicked_at), (5, bounced_at),
      (6, complained_at)) as happened(fact, at)
    where at is not null
    group by project_id, utc_day(at)
  ) as change
  where (sent, delivered, opened, clicked, bounced, complained) <> (0, 0, 0, 0, 0, 0);
  return null;
end $$;

create or replace function note_emails_gone() returns trigger language plpgsql as $$
begin
  insert into email_day_changes
  select project_id, utc_day(at), -sum((fact = 1)::int), -sum((fact = 2)::int), -sum((fact = 3)::int),
    -sum((fact = 4)::int), -sum((fact = 5)::int), -sum((fact = 6)::int)
  from gone cross join lateral (values (1, sent_at), (2, delivered_at), (3, opened_at), (4, clicked_at), (5, bounced_at),
    (6, complained_at)) as happened(fact, at)
  where at is not null and not is_test(source_type, campaign_id)
  group by project_id, utc_day(at);
  return null;
end $$;

-- Those that were counted so far.
insert into email_day_changes
select project_id, utc_day(at), -sum((fact = 1)::int), -sum((fact = 2)::int), -sum((fact = 3)::int),
  -sum((fact = 4)::int), -sum((fact = 5)::int), -sum((fact = 6)::int)
from emails cross join lateral (values (1, sent_at), (2, delivered_at), (3, opened_at), (4, clicked_at), (5, bounced_at),
  (6, complained_at)) as happened(fact, at)
where at is not null and is_test(source_type, campaign_id)
group by project_id, utc_day(at);
