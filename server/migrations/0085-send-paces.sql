-- A sending rate is one row, which processes replace if it is unchanged since they read it. The lines, formerly in send_lines and
-- send_places, are those who wait: by priority and project, until when, and when the project was last served. Both tables are
-- left for processes of the previous version.
alter table send_paces
  add column lines jsonb not null default '{}',
  add column version integer not null default 0;
