-- The step types are listed in the code alone (features/workflows/steps/registry.ts), which validates them.
alter table workflow_steps drop constraint workflow_steps_type_check;

-- The counter that makes outdated jobs do nothing gets the usual name.
alter table workflow_executions rename column turn to version;

update posthorn_queue.jobs
set payload = json_build_object('projectId', payload -> 'projectId', 'executionId', payload -> 'executionId', 'version', payload -> 'turn')
where name = 'run-workflow-step';
