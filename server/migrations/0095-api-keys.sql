-- API keys with scopes. The public and the secret key of a project stay in project_keys.
create table api_keys (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  name text not null,
  prefix text not null,
  scopes text[] not null,
  allowed_ips text[] not null default '{}',
  expires_at timestamptz(3),
  created_by_type text not null check (created_by_type in ('user', 'key')),
  created_by_id uuid,
  created_by_name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id)
);

-- Only hashes are stored. A key that was replaced works until expires_at; that of the current one is null.
create table api_key_secrets (
  hash bytea primary key,
  project_id uuid not null,
  key_id uuid not null,
  expires_at timestamptz(3),
  foreign key (project_id, key_id) references api_keys (project_id, id) on delete cascade
);
create index api_key_secrets_key on api_key_secrets (project_id, key_id);
create unique index api_key_secrets_current on api_key_secrets (project_id, key_id) where expires_at is null;

-- Separate from the keys, which every request reads.
create table api_key_uses (
  project_id uuid not null,
  key_id uuid not null,
  last_used_at timestamptz(3) not null,
  last_used_ip text,
  primary key (project_id, key_id),
  foreign key (project_id, key_id) references api_keys (project_id, id) on delete cascade
);

alter table audit_log add column actor_key_id uuid;
alter table audit_log add column actor_key_name text;
