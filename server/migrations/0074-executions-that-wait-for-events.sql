-- The executions that an event can wake. Most contacts have none, so a burst of events reads a small index. Without it, and
-- with a plan that was made while the table was small, each event read all active executions of the project: 5,000 events
-- that started 5,000 executions took up to 29 seconds.
create index workflow_executions_awaiting on workflow_executions (project_id, contact_id)
  where status = 'WAITING' and awaited_event is not null;
