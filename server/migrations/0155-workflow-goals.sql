-- An event that completes executions wherever they are, and how many days have to pass before a contact enters again.
alter table workflows add column goal_event text;
alter table workflows add column reentry_days integer;
create index workflows_goal on workflows (project_id, goal_event) where goal_event is not null;

alter table workflow_executions add column goal_reached boolean not null default false;
