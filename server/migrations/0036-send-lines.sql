-- Emails that wait for a slot of a sending rate form a line for each project and priority. While there is a line, less urgent
-- emails get no slot, and projects with lines of the same priority take turns. Both tables are unlogged, as send_paces: after
-- a crash the lines begin again.
create unlogged table send_lines (
  scope uuid not null, -- as in send_paces
  priority smallint not null,
  project_id uuid not null,
  until timestamptz not null, -- when the email that comes next may expect a slot
  asked_at timestamptz not null, -- for a slot, in vain
  served_at timestamptz not null,
  primary key (scope, priority, project_id)
) with (fillfactor = 50);

-- Each email in a line, so that an older one gets its slot first whichever process retries it.
create unlogged table send_places (
  scope uuid not null,
  priority smallint not null,
  project_id uuid not null,
  email_id uuid not null,
  retry_at timestamptz not null,
  primary key (scope, priority, project_id, email_id)
) with (fillfactor = 50);
