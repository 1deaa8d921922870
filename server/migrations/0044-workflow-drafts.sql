-- A draft of a workflow's graph, which executions don't follow until it is published.
create table workflow_drafts (
  project_id uuid not null,
  workflow_id uuid not null,
  version integer not null,
  graph jsonb not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, workflow_id),
  foreign key (project_id, workflow_id) references workflows (project_id, id) on delete cascade
);

-- The graphs that were published.
create table workflow_versions (
  project_id uuid not null,
  workflow_id uuid not null,
  number integer not null,
  graph jsonb not null,
  published_at timestamptz(3) not null,
  primary key (project_id, workflow_id, number),
  foreign key (project_id, workflow_id) references workflows (project_id, id) on delete cascade
);

-- What happens to executions that are at a removed step, or arrive there while it is removed.
create table workflow_removed_steps (
  project_id uuid not null,
  workflow_id uuid not null,
  step_id uuid not null,
  executions text not null check (executions in ('move', 'cancel')),
  next_step_id uuid,
  primary key (project_id, workflow_id, step_id),
  foreign key (project_id, workflow_id) references workflows (project_id, id) on delete cascade
);
