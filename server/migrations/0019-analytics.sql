-- What is known about events and emails without counting them, per project and UTC day. Triggers note differences in
-- the transaction of the fact, so every path is covered and nobody waits for a counter's row; a job folds them.
-- Sums of what is folded and what is noted are exact at any moment.

create table event_days (
  project_id uuid not null references projects on delete cascade,
  day date not null,
  name text not null,
  count bigint not null,
  primary key (project_id, day, name)
);
create index event_days_empty on event_days (project_id) where count = 0;

-- `contacts`: how many different ones have an event of the name.
create table event_names (
  project_id uuid not null references projects on delete cascade,
  name text not null,
  count bigint not null default 0,
  contacts bigint not null default 0,
  primary key (project_id, name)
);

create table event_day_changes (
  project_id uuid not null,
  day date not null,
  name text not null,
  change bigint not null
);
create index event_day_changes_project on event_day_changes (project_id);

-- How often each contact has an event of a name. No foreign key: a million rows at once would check each of them.
create table event_contacts (
  project_id uuid not null,
  name text not null,
  contact_id uuid not null,
  count bigint not null,
  primary key (project_id, name, contact_id)
);
create index event_contacts_empty on event_contacts (project_id) where count = 0;

-- Without an index: a row for every event is written here, and a minute's worth is read at once.
create table event_contact_changes (
  project_id uuid not null,
  name text not null,
  contact_id uuid not null,
  change bigint not null
);

-- By the day on which each thing happened to an email. `bounced` is for good.
create table email_days (
  project_id uuid not null references projects on delete cascade,
  day date not null,
  sent bigint not null,
  delivered bigint not null,
  opened bigint not null,
  clicked bigint not null,
  bounced bigint not null,
  complained bigint not null,
  primary key (project_id, day)
);

create table email_day_changes (
  project_id uuid not null,
  day date not null,
  sent bigint not null,
  delivered bigint not null,
  opened bigint not null,
  clicked bigint not null,
  bounced bigint not null,
  complained bigint not null
);
create index email_day_changes_project on email_day_changes (project_id);

-- Projects whose activity somebody watches at this moment. Others cause no notification: those of PostgreSQL make
-- commits wait for each other.
create unlogged table activity_watchers (
  project_id uuid primary key,
  until timestamptz not null
) with (fillfactor = 50);

create function utc_day(at timestamptz) returns date language sql immutable parallel safe as $$
  select (at at time zone 'UTC')::date
$$;

create function note_events_added() returns trigger language plpgsql as $$
begin
  insert into event_day_changes (project_id, day, name, change)
  select project_id, utc_day(created_at), name, count(*) from added group by project_id, utc_day(created_at), name;
  insert into event_contact_changes (project_id, name, contact_id, change)
  select project_id, name, contact_id, count(*) from added where contact_id is not null
  group by project_id, name, contact_id;
  perform pg_notify('posthorn_activity', w.project_id::text) from activity_watchers w
  where w.until > now() and w.project_id in (select project_id from added);
  return null;
end $$;

create function note_events_gone() returns trigger language plpgsql as $$
begin
  insert into event_day_changes (project_id, day, name, change)
  select project_id, utc_day(created_at), name, -count(*) from gone group by project_id, utc_day(created_at), name;
  insert into event_contact_changes (project_id, name, contact_id, change)
  select project_id, name, contact_id, -count(*) from gone where contact_id is not null
  group by project_id, name, contact_id;
  return null;
end $$;

-- An event changes only when its contact is erased.
create function note_events_changed() returns trigger language plpgsql as $$
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

create trigger events_counted after insert on events
  referencing new table as added for each statement execute function note_events_added();
create trigger events_gone after delete on events
  referencing old table as gone for each statement execute function note_events_gone();
create trigger events_changed after update on events
  referencing old table as before new table as after for each statement execute function note_events_changed();

-- Emails are written before anything has happened to them, so there is nothing to note when they are added.
create function note_emails_changed() returns trigger language plpgsql as $$
begin
  insert into email_day_changes
  select * from (
    select project_id, utc_day(at),
      sum(sign * (fact = 1)::int) as sent, sum(sign * (fact = 2)::int) as delivered, sum(sign * (fact = 3)::int) as opened,
      sum(sign * (fact = 4)::int) as clicked, sum(sign * (fact = 5)::int) as bounced, sum(sign * (fact = 6)::int) as complained
    from (
      select 1 as sign, project_id, sent_at, delivered_at, opened_at, clicked_at, bounced_at, complained_at
      from after where sent_at is not null or bounced_at is not null or complained_at is not null
      union all
      select -1, project_id, sent_at, delivered_at, opened_at, clicked_at, bounced_at, complained_at
      from before where sent_at is not null or bounced_at is not null or complained_at is not null
    ) as email
    cross join lateral (values (1, sent_at), (2, delivered_at), (3, opened_at), (4, clicked_at), (5, bounced_at),
      (6, complained_at)) as happened(fact, at)
    where at is not null
    group by project_id, utc_day(at)
  ) as change
  where (sent, delivered, opened, clicked, bounced, complained) <> (0, 0, 0, 0, 0, 0);
  return null;
end $$;

create function note_emails_gone() returns trigger language plpgsql as $$
begin
  insert into email_day_changes
  select project_id, utc_day(at), -sum((fact = 1)::int), -sum((fact = 2)::int), -sum((fact = 3)::int),
    -sum((fact = 4)::int), -sum((fact = 5)::int), -sum((fact = 6)::int)
  from gone cross join lateral (values (1, sent_at), (2, delivered_at), (3, opened_at), (4, clicked_at), (5, bounced_at),
    (6, complained_at)) as happened(fact, at)
  where at is not null
  group by project_id, utc_day(at);
  return null;
end $$;

create trigger emails_counted after update on emails
  referencing old table as before new table as after for each statement execute function note_emails_changed();
create trigger emails_gone after delete on emails
  referencing old table as gone for each statement execute function note_emails_gone();

-- The place of something in the feed of all activity: an id that sorts by the moment, always the same for the same
-- thing. Events have one of their own.
create function feed_id(at timestamptz, type text, id uuid) returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex((extract(epoch from at at time zone 'UTC') * 1000)::bigint), 12, '0')
    || '7' || substr(md5(type || id::text), 1, 3) || '8' || substr(md5(type || id::text), 4, 15))::uuid
$$;

create index campaigns_sent on campaigns (project_id, feed_id(sent_at, 'campaign.sent', id)) where sent_at is not null;
create index campaigns_scheduled on campaigns (project_id, feed_id(scheduled_at, 'campaign.scheduled', id))
  where scheduled_at is not null;
create index workflow_executions_started on workflow_executions (project_id, feed_id(started_at, 'workflow.started', id));
create index workflow_executions_completed on workflow_executions
  (project_id, feed_id(completed_at, 'workflow.completed', id)) where status in ('COMPLETED', 'EXITED');
create index workflow_executions_failed on workflow_executions
  (project_id, feed_id(completed_at, 'workflow.failed', id)) where status = 'FAILED';
create index workflow_executions_upcoming on workflow_executions (project_id, resume_at, id)
  where status = 'WAITING' and resume_at is not null;

-- What is there already.
insert into event_day_changes
  select project_id, utc_day(created_at), name, count(*) from events group by 1, 2, 3;
insert into event_contact_changes
  select project_id, name, contact_id, count(*) from events where contact_id is not null group by 1, 2, 3;
insert into email_day_changes
  select project_id, utc_day(at), sum((fact = 1)::int), sum((fact = 2)::int), sum((fact = 3)::int),
    sum((fact = 4)::int), sum((fact = 5)::int), sum((fact = 6)::int)
  from emails cross join lateral (values (1, sent_at), (2, delivered_at), (3, opened_at), (4, clicked_at), (5, bounced_at),
    (6, complained_at)) as happened(fact, at)
  where at is not null
  group by 1, 2;
