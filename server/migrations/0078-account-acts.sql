-- What an account did lately that is limited: emails to people who are not members yet, new projects, and addresses without an
-- account that it tried to add. Rows are deleted after a day. Recipients are hashed.
create table account_acts (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null,
  recipient bytea,
  created_at timestamptz not null
);
create index account_acts_by_user on account_acts (user_id, kind, created_at);
create index account_acts_by_recipient on account_acts (recipient, created_at) where recipient is not null;
