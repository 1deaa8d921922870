-- An import can ask the contacts that aren't subscribed to confirm, so many in an hour. `confirm_next_at`: when the next ones are asked.
alter table contact_jobs add column confirmations_per_hour integer, add column confirmations_total integer not null default 0,
  add column confirmations_sent integer not null default 0, add column confirmations_skipped integer not null default 0,
  add column confirm_next_at timestamptz(3);

-- The contacts of an import that are still to be asked, in the order of their ids.
create table import_confirmations (
  project_id uuid not null,
  job_id uuid not null,
  contact_id uuid not null,
  queued_at timestamptz(3) not null,
  primary key (project_id, job_id, contact_id),
  foreign key (project_id, job_id) references contact_jobs (project_id, id) on delete cascade
);
