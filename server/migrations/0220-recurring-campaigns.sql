-- Campaigns that recur: a campaign with a rule stays a draft, and each time a copy of it is sent. `rule` is a RecurrenceRule.
-- `next_at` is null unless it is active. `seen_items` has the ids of the items of its feed that were sent.
create table campaign_recurrences (
  project_id uuid not null,
  campaign_id uuid not null,
  rule jsonb not null,
  uses_template boolean not null default false,
  status text not null check (status in ('active', 'paused', 'ended')),
  next_at timestamptz(3),
  sent int not null default 0,
  seen_items text[] not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, campaign_id),
  foreign key (project_id, campaign_id) references campaigns on delete cascade
);
create index campaign_recurrences_due on campaign_recurrences (next_at) where next_at is not null;

-- What happened each time: a campaign was made, or none for a reason.
create table campaign_occurrences (
  project_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  at timestamptz(3) not null,
  sent_campaign_id uuid,
  reason text,
  primary key (project_id, id),
  unique (project_id, campaign_id, at),
  foreign key (project_id, campaign_id) references campaign_recurrences on delete cascade
);

-- What a campaign shows as `feed`, as it was fetched when the campaign started.
create table campaign_feeds (
  project_id uuid not null,
  campaign_id uuid not null,
  data jsonb not null,
  fetched_at timestamptz(3) not null,
  primary key (project_id, campaign_id),
  foreign key (project_id, campaign_id) references campaigns on delete cascade
);

-- `feed` is a FeedSetting. `recurrence_of` is the campaign that this one is an occurrence of.
alter table campaigns
  add column feed jsonb,
  add column recurrence_of uuid;

-- What all emails with this content have in their templates, beside their own variables.
alter table email_contents add column data jsonb;
