-- What accounts need beyond a password, how people come into a project, and the record of administrative acts.

-- Who came in through a sign-in provider may have no password.
alter table users alter column password_hash drop not null;

-- The secret is encrypted. It counts once `two_factor_enabled_at` is set; a step of the clock is accepted once.
alter table users
  add column two_factor_secret bytea,
  add column two_factor_enabled_at timestamptz(3),
  add column two_factor_last_step bigint;

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  hash bytea not null,
  used_at timestamptz(3),
  primary key (user_id, hash)
);

-- What a link in a mail carries, hashed: who reads the database cannot follow it.
create table account_tokens (
  hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('VERIFY_EMAIL', 'RESET_PASSWORD')),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index account_tokens_user on account_tokens (user_id, purpose, created_at);
create index account_tokens_expiry on account_tokens (expires_at);

-- Accounts elsewhere that open an account here.
create table identities (
  provider text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz(3) not null,
  primary key (provider, subject)
);
create index identities_user on identities (user_id);

alter table sessions
  add column seen_at timestamptz(3),
  add column ip text,
  add column user_agent text;

-- One open invitation for an address in a project; accepting or withdrawing it removes the row.
create table invitations (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  email text not null,
  role text not null check (role in ('ADMIN', 'MEMBER')),
  token_hash bytea not null unique,
  invited_by uuid references users on delete set null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (project_id, id),
  constraint invitations_email_once unique (project_id, email)
);
create index invitations_expiry on invitations (expires_at);

-- Outlives the project on purpose: that it was deleted, and by whom, is worth knowing too.
create table audit_log (
  project_id uuid not null,
  id uuid not null,
  act text not null,
  actor_kind text not null check (actor_kind in ('USER', 'KEY', 'SYSTEM')),
  actor_user_id uuid,
  actor_email text,
  details jsonb not null,
  ip text,
  created_at timestamptz(3) not null,
  primary key (project_id, id)
);
create index audit_log_act on audit_log (project_id, act, id);
create index audit_log_age on audit_log (id);
