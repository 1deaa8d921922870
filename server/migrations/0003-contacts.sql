-- Contacts and what is known of their free-form fields.

create table contacts (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  email text not null,
  subscribed boolean not null,
  -- The value before the last write: an upsert reports a flip without a second look at the row.
  subscribed_before boolean not null,
  -- Went from subscribed to not, as opposed to never having subscribed.
  opted_out boolean not null default false,
  data jsonb not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  constraint contacts_email_once unique (project_id, email)
);

-- Search by any part of the address within a project.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create index contacts_search on contacts using gin (project_id, email gin_trgm_ops);
