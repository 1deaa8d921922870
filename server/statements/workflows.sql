-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* list-removed-steps */
select step_id as id, executions, next_step_id as "nextStepId" from workflow_removed_steps
where project_id = $1 and workflow_id = $2;

/* list-workflow-steps */
select id, type, key, name, config, template_id, event_name, used_fields, position, created_at, updated_at
from workflow_steps where project_id = $1 and workflow_id = $2 order by id;

/* list-workflow-transitions */
select id, from_step_id, to_step_id, branch, created_at
from workflow_transitions where project_id = $1 and workflow_id = $2 order by id;
