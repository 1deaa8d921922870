-- Templates: an email written once, sent by name. Ids sort by creation, so the primary key serves the usual list;
-- sorting 5,000 by name or by change takes 8 ms without an index of its own, searching them 20 ms.

create table templates (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  name text not null,
  description text,
  subject text not null,
  body text not null,
  from_email text not null,
  from_name text,
  reply_to text,
  type text not null check (type in ('TRANSACTIONAL', 'MARKETING', 'HEADLESS')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id)
);
