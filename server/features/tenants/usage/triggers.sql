-- Records emails by calendar month (UTC) as differences that `fold-tallies` adds up. Erasing contacts or resetting the
-- project doesn't reduce the counts. An email that is sent later is counted then, by the statement that releases it.
create or replace function record_usage() returns trigger language plpgsql as $$
begin
  insert into usage_changes (project_id, month, source, change)
  select project_id, date_trunc('month', created_at at time zone 'UTC')::date,
    case source_type when 'TRANSACTIONAL' then 'transactional' when 'CAMPAIGN' then 'campaigns'
      when 'TEST' then 'campaigns' when 'WORKFLOW' then 'workflows' else 'inbound' end, count(*)
  from added where status <> 'SCHEDULED' and test is not true group by 1, 2, 3;
  return null;
end $$;

create or replace trigger emails_used after insert on emails
  referencing new table as added for each statement execute function record_usage();

-- Records by day how many emails were sent or refused permanently, bounced and were complained about. Campaign tests are
-- included, the emails of test keys are not, and nothing is subtracted on deletion, so a sender can't get rid of a bad reputation.
create or replace function record_deliveries() returns trigger language plpgsql as $$
begin
  insert into delivery_count_changes (project_id, day, sent, bounces, complaints)
  select * from (
    select project_id, (at at time zone 'UTC')::date, sum(sent) as sent, sum(bounces) as bounces, sum(complaints) as complaints
    from (
      select 1 as sign, a.project_id, a.sent_at, a.bounced_at, a.complained_at from after a
      where (a.sent_at is not null or a.bounced_at is not null or a.complained_at is not null) and a.test is not true
      union all
      select -1, b.project_id, b.sent_at, b.bounced_at, b.complained_at from before b
      where (b.sent_at is not null or b.bounced_at is not null or b.complained_at is not null) and b.test is not true
    ) as email
    cross join lateral (values
      (coalesce(sent_at, bounced_at), sign, 0, 0), (bounced_at, 0, sign, 0), (complained_at, 0, 0, sign)
    ) as fact(at, sent, bounces, complaints)
    where at is not null
    group by 1, 2
  ) as change
  where (sent, bounces, complaints) <> (0, 0, 0);
  return null;
end $$;

-- Claiming an email changes nothing that is counted, and the statement that records sent emails counts them itself, so both skip the triggers
-- that count. The condition is not in a function, which would be parsed for every statement.
create or replace trigger emails_delivered after update on emails
  referencing old table as before new table as after for each statement when (coalesce(current_setting('posthorn.counted', true), '') <> 'on')
  execute function record_deliveries();
