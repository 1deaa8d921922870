-- A slot that isn't free yet is reserved for the project and priority that asked for it first, so that projects of the same
-- priority take turns, whichever process their emails wait in.
alter table send_paces
  add column reserved_priority smallint,
  add column reserved_project uuid,
  add column reserved_until timestamptz;

-- Emails that wait for a slot form a line for each project and priority. Each gets a time to retry after that of the email
-- before it, and while there is a line, less urgent emails get no slot. Unlogged, as send_paces: after a crash the lines
-- begin again.
create unlogged table send_lines (
  scope uuid not null, -- as in send_paces
  project_id uuid not null,
  priority smallint not null,
  until timestamptz not null, -- when the email that comes next may expect a slot
  last_email uuid not null, -- the newest one in the line: older ones don't go to its end
  primary key (scope, priority, project_id)
) with (fillfactor = 50);
