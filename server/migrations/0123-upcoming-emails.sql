-- The scheduled emails of a project, soonest first.
create index emails_scheduled on emails (project_id, scheduled_for, id) where status = 'SCHEDULED';
