-- Emails that wait for a slot of a sending rate form a line for each project and priority. Each gets a time to retry after
-- that of the email before it. While there is a line, less urgent emails get no slot, and projects with lines of the same
-- priority take turns. Unlogged, as send_paces: after a crash the lines begin again.
create unlogged table send_lines (
  scope uuid not null, -- as in send_paces
  priority smallint not null,
  project_id uuid not null,
  until timestamptz not null, -- when the email that comes next may expect a slot
  last_email uuid not null, -- the newest one in the line: older ones don't go to its end
  asked_at timestamptz not null, -- for a slot, in vain
  served_at timestamptz not null,
  primary key (scope, priority, project_id)
) with (fillfactor = 50);
