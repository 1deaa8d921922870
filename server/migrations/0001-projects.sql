-- People, their projects, and the keys that open them.

create table users (
  id uuid primary key,
  email text not null unique,
  password_hash text not null,
  email_verified_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

create table login_failures (
  id uuid primary key,
  email text not null,
  failed_at timestamptz(3) not null
);
create index login_failures_email on login_failures (email, failed_at);

create table projects (
  id uuid primary key,
  name text not null,
  public_key text not null,
  secret_key_hint text not null,
  disabled_at timestamptz(3),
  disabled_reason text,
  tracking text not null default 'ENABLED' check (tracking in ('ENABLED', 'DISABLED', 'MARKETING_ONLY')),
  language text not null default 'en',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- Exactly two a project. Only hashes are kept: who reads the database cannot send.
create table project_keys (
  hash bytea primary key,
  project_id uuid not null references projects on delete cascade,
  kind text not null check (kind in ('public', 'secret')),
  unique (project_id, kind)
);

create table members (
  project_id uuid not null references projects on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('OWNER', 'ADMIN', 'MEMBER')),
  created_at timestamptz(3) not null,
  primary key (project_id, user_id)
);
create index members_user on members (user_id);

-- Requests of a project in its current minute. Unlogged: after a crash every count starts at zero, and that is fine.
create unlogged table rate_windows (
  project_id uuid not null,
  budget text not null check (budget in ('keys', 'sessions')),
  started_at timestamptz(3) not null,
  count integer not null,
  primary key (project_id, budget)
) with (fillfactor = 50);
