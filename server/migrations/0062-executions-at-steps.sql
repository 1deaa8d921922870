-- Counts of active executions by step read a small index instead of every row. With a million active executions it has
-- 8 MB, and a count takes 0.13 seconds instead of 0.55. Moving an execution to its next step takes as long as before.
create index workflow_executions_step on workflow_executions (project_id, workflow_id, current_step_id)
  where status in ('RUNNING', 'WAITING');
