-- Old rows that EVENT_RETENTION_DAYS and EMAIL_RETENTION_DAYS take out of the database.

-- What the stored counts still contain about rows that are no longer stored. `key` has the key columns of the table `kept`,
-- except the project; `counts` its measures, in the order in which the tally declares them.
create table dropped_counts (
  project_id uuid not null references projects on delete cascade,
  kept text not null,
  key jsonb not null,
  counts bigint[] not null,
  primary key (project_id, kept, key)
);

-- Detached tables, until they are archived and dropped. They are in their own schema, so that backups leave them out.
create schema posthorn_retired;
create table retired_tables (
  name text primary key,
  parent text not null,
  retired_at timestamptz(3) not null,
  counted boolean not null default false, -- whether dropped_counts contains its rows
  archive text, -- the folder of the archive, if there is one
  rows bigint,
  dropped_at timestamptz(3)
);

-- Months that were restored from an archive, and until when they are kept.
create table restored_months (
  parent text not null,
  month date not null,
  first_id uuid not null,
  end_id uuid not null,
  keep_until timestamptz(3) not null,
  primary key (parent, month)
);
