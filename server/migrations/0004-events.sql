-- The journal: what happened, never changed. Split by month through the time in the id.

create table events (
  project_id uuid not null,
  id uuid not null,
  name text not null,
  contact_id uuid,
  email_id uuid,
  data jsonb not null default '{}',
  created_at timestamptz(3) not null,
  primary key (project_id, id)
) partition by range (id);

create table events_default partition of events default;

create index events_name on events (project_id, name, id);
create index events_contact on events (project_id, contact_id, id);
create index events_email on events (project_id, email_id) where email_id is not null;
