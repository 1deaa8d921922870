-- Campaigns: a text and an audience, and from the start of sending a frozen list of recipients with a cursor in it.

create table campaigns (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  name text not null,
  description text,
  subject text not null,
  body text not null,
  from_email text not null,
  from_domain text not null, -- as domains are stored
  from_name text,
  reply_to text,
  type text not null check (type in ('TRANSACTIONAL', 'MARKETING', 'HEADLESS')),
  status text not null default 'DRAFT' check (status in ('DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED')),
  audience_type text not null check (audience_type in ('ALL', 'SEGMENT', 'FILTERED')),
  segment_id uuid,
  audience_condition jsonb,
  -- Kept beside the condition, so that others find what it refers to without reading it.
  fields text[] not null default '{}',
  event_names text[] not null default '{}',
  segment_ids uuid[] not null default '{}',
  template_id uuid,
  scheduled_for timestamptz(3),
  scheduled_at timestamptz(3), -- when somebody scheduled it
  held_reason text, -- why it did not start at its time
  sent_at timestamptz(3), -- when sending started
  paused_at timestamptz(3),
  finished_at timestamptz(3),
  content_id uuid, -- the text as it was when sending started
  frozen_at timestamptz(3), -- since then the recipients are known
  last_contact_id uuid, -- the cursor: recipients up to here have their email
  moved_at timestamptz(3), -- when the cursor last moved
  drained_at timestamptz(3), -- since then the cursor is at the end: it is over with the last email
  total_recipients integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id)
);
create index campaigns_status on campaigns (project_id, status);
create index campaigns_under_way on campaigns (status) where status in ('SCHEDULED', 'SENDING');

-- Who gets a campaign, each once. Removed when the campaign has ended: the emails tell the rest.
create table campaign_recipients (
  project_id uuid not null,
  campaign_id uuid not null,
  contact_id uuid not null,
  primary key (project_id, campaign_id, contact_id),
  foreign key (project_id, campaign_id) references campaigns on delete cascade
);

create index emails_campaign on emails (project_id, campaign_id, id) where campaign_id is not null;

-- What became of a campaign's emails. Triggers note differences, so every path that changes an email is covered and
-- nobody waits for a counter's row; a job folds them. `ended`: neither waiting nor being sent.
create table campaign_counts (
  project_id uuid not null,
  campaign_id uuid not null,
  ended bigint not null default 0,
  sent bigint not null default 0,
  delivered bigint not null default 0,
  opened bigint not null default 0,
  clicked bigint not null default 0,
  bounced bigint not null default 0,
  complained bigint not null default 0,
  failed bigint not null default 0,
  refused bigint not null default 0, -- bounced before it was sent
  primary key (project_id, campaign_id),
  foreign key (project_id, campaign_id) references campaigns on delete cascade
);

create table campaign_count_changes (
  project_id uuid not null,
  campaign_id uuid not null,
  ended bigint not null default 0,
  sent bigint not null default 0,
  delivered bigint not null default 0,
  opened bigint not null default 0,
  clicked bigint not null default 0,
  bounced bigint not null default 0,
  complained bigint not null default 0,
  failed bigint not null default 0,
  refused bigint not null default 0
);
create index campaign_count_changes_campaign on campaign_count_changes (project_id, campaign_id);

create function note_campaign_emails_changed() returns trigger language plpgsql as $$
begin
  insert into campaign_count_changes (project_id, campaign_id, ended, sent, delivered, opened, clicked, bounced, complained, failed, refused)
  select * from (
    select project_id, campaign_id,
      sum(sign * (status not in ('PENDING', 'SENDING'))::int) as ended,
      sum(sign * (sent_at is not null)::int) as sent,
      sum(sign * (delivered_at is not null)::int) as delivered,
      sum(sign * (opened_at is not null)::int) as opened,
      sum(sign * (clicked_at is not null)::int) as clicked,
      sum(sign * (bounced_at is not null)::int) as bounced,
      sum(sign * (complained_at is not null)::int) as complained,
      sum(sign * (status = 'FAILED')::int) as failed,
      sum(sign * (bounced_at is not null and sent_at is null)::int) as refused
    from (
      select 1 as sign, a.* from after a where a.campaign_id is not null
      union all
      select -1, b.* from before b where b.campaign_id is not null
    ) as email
    group by project_id, campaign_id
  ) as change
  where (ended, sent, delivered, opened, clicked, bounced, complained, failed, refused) <> (0, 0, 0, 0, 0, 0, 0, 0, 0);

  -- The last emails of a campaign may come to their end long after the rest: somebody looks whether that was it.
  perform posthorn_queue.add_job('settle-campaign', json_build_object('projectId', c.project_id, 'campaignId', c.id), null, 25, 10, 'settle:' || c.id)
  from campaigns c
  join (select distinct project_id, campaign_id from after where campaign_id is not null and status not in ('PENDING', 'SENDING')) as ended
    on c.project_id = ended.project_id and c.id = ended.campaign_id
  where c.status = 'SENDING' and c.drained_at is not null;
  return null;
end $$;
create trigger campaign_emails_changed after update on emails
  referencing old table as before new table as after for each statement execute function note_campaign_emails_changed();
