-- Who agreed to what, when and how. Rows are only added; erasing a contact deletes its rows.
create table consents (
  project_id uuid not null,
  contact_id uuid not null,
  id uuid not null,
  kind text not null check (kind in
    ('subscribed', 'unsubscribed', 'topic.subscribed', 'topic.unsubscribed', 'confirmation.requested', 'confirmed')),
  topic text,
  source text not null check (source in
    ('api', 'import', 'form', 'page', 'one-click', 'confirmation', 'dashboard', 'workflow', 'bounce', 'complaint')),
  ip text,
  user_agent text,
  -- What the person was shown.
  text text,
  -- The account or the key that made the change; empty if the person did.
  actor_type text check (actor_type in ('user', 'key')),
  actor_id uuid,
  -- A copy, which stays readable after the account or the key is deleted.
  actor_name text,
  at timestamptz(3) not null,
  primary key (project_id, contact_id, id)
);

-- What is kept of erased contacts who objected to email: enough to prove the objection for a known address, and no address.
create table objections (
  project_id uuid not null,
  email_hash bytea not null,
  objected_at timestamptz(3) not null,
  primary key (project_id, email_hash)
);

-- Who requested an import or a bulk change, for the record of consent.
alter table contact_jobs add column cause jsonb;
