-- Records differences in the counts of events and emails by day, in the transaction of the fact; `fold-tallies` adds
-- them up. The sum of folded counts and differences is exact at any moment.

-- Only projects whose activity someone watches are notified: notifications make commits wait for each other.
create or replace function record_events_added() returns trigger language plpgsql as $$
begin
  if not exists (select from added) then return null; end if; -- a statement that may record events, and has none
  insert into event_day_changes (project_id, day, name, change)
  select project_id, utc_day(created_at), name, count(*) from added group by project_id, utc_day(created_at), name;
  insert into event_contact_changes (project_id, name, contact_id, change)
  select project_id, name, contact_id, count(*) from added where contact_id is not null
  group by project_id, name, contact_id;
  perform pg_notify('posthorn_activity', w.project_id::text) from activity_watchers w
  where w.until > now() and w.project_id in (select project_id from added);
  return null;
end $$;

create or replace function record_events_gone() returns trigger language plpgsql as $$
begin
  insert into event_day_changes (project_id, day, name, change)
  select project_id, utc_day(created_at), name, -count(*) from gone group by project_id, utc_day(created_at), name;
  insert into event_contact_changes (project_id, name, contact_id, change)
  select project_id, name, contact_id, -count(*) from gone where contact_id is not null
  group by project_id, name, contact_id;
  return null;
end $$;

-- An event changes only when its contact is erased.
create or replace function record_events_changed() returns trigger language plpgsql as $$
begin
  insert into event_contact_changes (project_id, name, contact_id, change)
  select project_id, name, contact_id, sum(sign) from (
    select 1 as sign, project_id, name, contact_id from after
    union all
    select -1, project_id, name, contact_id from before
  ) as event
  where contact_id is not null
  group by project_id, name, contact_id having sum(sign) <> 0;
  return null;
end $$;

create or replace trigger events_counted after insert on events
  referencing new table as added for each statement when (coalesce(current_setting('posthorn.events_counted_at', true), '') <> statement_timestamp()::text)
  execute function record_events_added();
create or replace trigger events_gone after delete on events
  referencing old table as gone for each statement execute function record_events_gone();
create or replace trigger events_changed after update on events
  referencing old table as before new table as after for each statement execute function record_events_changed();

-- Emails are inserted before anything has happened to them, so an insert has nothing to record.
create or replace function record_emails_changed() returns trigger language plpgsql as $$
begin
  insert into email_day_changes (project_id, day, sent, delivered, opened, clicked, bounced, complained, refused)
  select * from (
    select project_id, utc_day(at),
      sum(sign * (fact = 'sent')::int) as sent, sum(sign * (fact = 'delivered')::int) as delivered,
      sum(sign * (fact = 'opened')::int) as opened, sum(sign * (fact = 'clicked')::int) as clicked,
      sum(sign * (fact = 'bounced')::int) as bounced, sum(sign * (fact = 'complained')::int) as complained,
      sum(sign * (fact = 'refused')::int) as refused
    from (
      select 1 as sign, project_id, sent_at, delivered_at, opened_at, clicked_at, bounced_at, complained_at
      from after where (sent_at is not null or bounced_at is not null or complained_at is not null)
        and not is_test(source_type, campaign_id) and test is not true
      union all
      select -1, project_id, sent_at, delivered_at, opened_at, clicked_at, bounced_at, complained_at
      from before where (sent_at is not null or bounced_at is not null or complained_at is not null)
        and not is_test(source_type, campaign_id) and test is not true
    ) as email
    cross join lateral email_facts(sent_at, delivered_at, opened_at, clicked_at, bounced_at, complained_at)
    where at is not null
    group by project_id, utc_day(at)
  ) as change
  where (sent, delivered, opened, clicked, bounced, complained, refused) <> (0, 0, 0, 0, 0, 0, 0);
  return null;
end $$;

create or replace function record_emails_gone() returns trigger language plpgsql as $$
begin
  insert into email_day_changes (project_id, day, sent, delivered, opened, clicked, bounced, complained, refused)
  select project_id, utc_day(at), -sum((fact = 'sent')::int), -sum((fact = 'delivered')::int), -sum((fact = 'opened')::int),
    -sum((fact = 'clicked')::int), -sum((fact = 'bounced')::int), -sum((fact = 'complained')::int), -sum((fact = 'refused')::int)
  from gone cross join lateral email_facts(sent_at, delivered_at, opened_at, clicked_at, bounced_at, complained_at)
  where at is not null and not is_test(source_type, campaign_id) and test is not true
  group by project_id, utc_day(at);
  return null;
end $$;

create or replace trigger emails_counted after update on emails
  referencing old table as before new table as after for each statement when (coalesce(current_setting('posthorn.counted', true), '') <> 'on')
  execute function record_emails_changed();
create or replace trigger emails_gone after delete on emails
  referencing old table as gone for each statement execute function record_emails_gone();

-- Counts of emails and events that are no longer stored, when a project is reset or events are deleted by name. Counts by
-- name contain only stored events, so `event_days` is changed directly.
create or replace function subtract_dropped_counts() returns trigger language plpgsql as $$
begin
  insert into event_days (project_id, day, name, count)
  select project_id, (key ->> 'day')::date, key ->> 'name', -counts[1] from gone
  where kept = 'event_days' and exists (select from projects where projects.id = gone.project_id)
  order by 1, 2, 3
  on conflict (project_id, day, name) do update set count = event_days.count + excluded.count;
  insert into email_day_changes (project_id, day, sent, delivered, opened, clicked, bounced, complained, refused)
  select project_id, (key ->> 'day')::date, -counts[1], -counts[2], -counts[3], -counts[4], -counts[5], -counts[6],
    -coalesce(counts[7], 0)
  from gone where kept = 'email_days';
  return null;
end $$;

create or replace trigger dropped_counts_gone after delete on dropped_counts
  referencing old table as gone for each statement execute function subtract_dropped_counts();
