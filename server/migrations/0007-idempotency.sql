-- Idempotency keys: claimed before any effect, completed in the same statement as the effect.

create table idempotency_keys (
  project_id uuid not null references projects on delete cascade,
  key text not null,
  request text not null,
  status_code integer, -- null while the first request runs
  response jsonb,
  created_at timestamptz(3) not null,
  primary key (project_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
