-- A campaign whose recipients don't all get the same email at the same time has waves: each has a time and, in an experiment, a
-- variant. `send_at` is null while the wave waits for the winner of the experiment. `content_id`, `subject` and the sender are null
-- if they are the campaign's. Slices move `last_contact_id` and `queued`. `sent` is set when the campaign is complete.
create table campaign_waves (
  project_id uuid not null,
  campaign_id uuid not null,
  number int not null,
  send_at timestamptz(3),
  variant text,
  content_id uuid,
  subject text,
  from_email text,
  from_name text,
  recipients int not null,
  queued int not null default 0,
  last_contact_id uuid,
  sent int,
  primary key (project_id, campaign_id, number),
  foreign key (project_id, campaign_id) references campaigns on delete cascade
);

alter table campaign_recipients add column wave int;
create index campaign_recipients_wave on campaign_recipients (project_id, campaign_id, wave, contact_id) where wave is not null;

alter table campaigns
  add column send_options jsonb,
  add column has_waves boolean not null default false;

alter table emails add column wave int;

-- What an experiment compares, and its decision.
create table campaign_experiments (
  project_id uuid not null,
  campaign_id uuid not null,
  variants jsonb not null,
  share int not null,
  metric text not null check (metric in ('opens', 'clicks', 'conversions')),
  conversion_event text,
  wait_minutes int not null,
  selection text not null check (selection in ('automatic', 'manual')),
  decide_at timestamptz(3),
  winner text,
  conclusive boolean,
  decided_at timestamptz(3),
  decided_by jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, campaign_id),
  foreign key (project_id, campaign_id) references campaigns on delete cascade
);
