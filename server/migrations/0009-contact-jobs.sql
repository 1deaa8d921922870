-- Work on many contacts at once: imports and bulk changes, how far they have come, and what they work on.

create table contact_jobs (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  type text not null check (type in ('IMPORT', 'BULK_SUBSCRIBE', 'BULK_UNSUBSCRIBE', 'BULK_DELETE')),
  status text not null default 'PENDING' check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  progress smallint not null default 0 check (progress between 0 and 100),
  -- Moves in the same transaction as the work: who runs the job after a crash goes on from here.
  bytes_done integer not null default 0,
  rows_done integer not null default 0,
  result jsonb,
  error text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id)
);
create index contact_jobs_age on contact_jobs (updated_at);

-- Apart from the job, because it is large, never changes, and goes when the job is done.
create table contact_job_inputs (
  project_id uuid not null,
  job_id uuid not null,
  file bytea,
  layout jsonb,
  contact_ids uuid[],
  primary key (project_id, job_id),
  foreign key (project_id, job_id) references contact_jobs on delete cascade
);
-- Not compressed, so that a window of the file is read without the rest of it.
alter table contact_job_inputs alter column file set storage external;
