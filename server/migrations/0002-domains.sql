-- Sender domains. Each project proves a domain for itself.

create table domains (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  domain text not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'VERIFIED', 'FAILED')),
  ownership_token text not null,
  dkim_selector text not null,
  dkim_public_key text not null,
  dkim_private_key bytea not null, -- encrypted with a key derived from SECRET
  last_checked_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  constraint domains_once unique (project_id, domain)
);
create unique index domains_id on domains (id);
