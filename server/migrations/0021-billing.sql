-- What a project uses and may use, how its mail is received, and who pays for it.

-- Emails by calendar month (UTC). A trigger notes them, so every path that writes one is covered and nobody waits for a
-- counter's row; a job folds the notes. Neither erasing contacts nor a reset takes anything back.
create table usage_counts (
  project_id uuid not null,
  month date not null,
  source text not null check (source in ('transactional', 'campaigns', 'workflows', 'inbound')),
  count bigint not null,
  primary key (project_id, month, source)
);

create table usage_changes (
  project_id uuid not null,
  month date not null,
  source text not null,
  change bigint not null
);
create index usage_changes_project on usage_changes (project_id, month);

create function note_usage() returns trigger language plpgsql as $$
begin
  insert into usage_changes (project_id, month, source, change)
  select project_id, date_trunc('month', created_at at time zone 'UTC')::date,
    case source_type when 'TRANSACTIONAL' then 'transactional' when 'CAMPAIGN' then 'campaigns'
      when 'WORKFLOW' then 'workflows' else 'inbound' end, count(*)
  from added group by 1, 2, 3;
  return null;
end $$;
create trigger emails_used after insert on emails
  referencing new table as added for each statement execute function note_usage();

-- A row for each limit that is set. It counts for itself, because only a counter in the locked row is exact when two
-- statements reach the limit at once; the fold brings it in line with the notes.
create table billing_limits (
  project_id uuid not null references projects on delete cascade,
  source text not null check (source in ('transactional', 'campaigns', 'workflows', 'inbound')),
  max bigint not null check (max >= 0),
  month date not null, -- to which `used` belongs
  used bigint not null,
  used_before bigint not null default 0, -- before the last statement: it tells that statement what fitted
  primary key (project_id, source)
) with (fillfactor = 50);

-- Which of the requests fit into the room, one after the other: a large one that doesn't leaves room for a small one.
create function fitting(room bigint, sizes int[]) returns boolean[] language plpgsql immutable parallel safe as $$
declare
  fits boolean[] := '{}';
  size int;
begin
  foreach size in array sizes loop
    fits := fits || (size <= room);
    if size <= room then room := room - size; end if;
  end loop;
  return fits;
end $$;

create function fitting_sum(room bigint, sizes int[]) returns bigint language sql immutable parallel safe as $$
  select coalesce(sum(size), 0)::bigint from unnest(sizes, fitting(room, sizes)) as asked(size, fits) where fits
$$;

-- By day: emails handed over or refused for good at once, and those that bounced for good or were complained about. Apart
-- from email_days, which forgets what is deleted: nobody gets rid of a bad reputation by a reset.
create table delivery_counts (
  project_id uuid not null,
  day date not null,
  sent bigint not null default 0,
  bounces bigint not null default 0,
  complaints bigint not null default 0,
  primary key (project_id, day)
);

create table delivery_count_changes (
  project_id uuid not null,
  day date not null,
  sent bigint not null default 0,
  bounces bigint not null default 0,
  complaints bigint not null default 0
);
create index delivery_count_changes_project on delivery_count_changes (project_id);

create function note_deliveries() returns trigger language plpgsql as $$
begin
  insert into delivery_count_changes (project_id, day, sent, bounces, complaints)
  select * from (
    select project_id, (at at time zone 'UTC')::date, sum(sent) as sent, sum(bounces) as bounces, sum(complaints) as complaints
    from (
      select 1 as sign, a.project_id, a.sent_at, a.bounced_at, a.complained_at from after a
      where a.sent_at is not null or a.bounced_at is not null or a.complained_at is not null
      union all
      select -1, b.project_id, b.sent_at, b.bounced_at, b.complained_at from before b
      where b.sent_at is not null or b.bounced_at is not null or b.complained_at is not null
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
create trigger emails_delivered after update on emails
  referencing old table as before new table as after for each statement execute function note_deliveries();

-- What an installation has sent before this table was there.
insert into usage_counts (project_id, month, source, count)
select project_id, date_trunc('month', created_at at time zone 'UTC')::date,
  case source_type when 'TRANSACTIONAL' then 'transactional' when 'CAMPAIGN' then 'campaigns'
    when 'WORKFLOW' then 'workflows' else 'inbound' end, count(*)
from emails group by 1, 2, 3;

insert into delivery_counts (project_id, day, sent, bounces, complaints)
select project_id, (at at time zone 'UTC')::date, sum(sent), sum(bounces), sum(complaints)
from emails cross join lateral (values
  (coalesce(sent_at, bounced_at), 1, 0, 0), (bounced_at, 0, 1, 0), (complained_at, 0, 0, 1)
) as fact(at, sent, bounces, complaints)
where at is not null
group by 1, 2;

-- A reset starts the life of a project anew, but not its reputation.
alter table projects add column sent_before_reset bigint not null default 0;

-- Outlives the project until its subscription is ended.
create table billing_customers (
  project_id uuid primary key,
  customer_id text not null unique,
  subscription_id text,
  subscription_status text,
  period_ends_at timestamptz(3),
  cancels_at_period_end boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- Each event of Stripe once.
create table stripe_events (
  id text primary key,
  type text not null,
  received_at timestamptz(3) not null
);
create index stripe_events_age on stripe_events (received_at);
