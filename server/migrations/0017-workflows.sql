-- Workflows: a graph of steps that an event starts for a contact, and one row for each contact on its way through it.

create table workflows (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  name text not null,
  description text,
  trigger_type text not null default 'EVENT' check (trigger_type in ('EVENT', 'MANUAL')),
  event_name text,
  enabled boolean not null default false,
  allow_reentry boolean not null default false,
  revision integer not null default 1, -- counts changes of the graph, so that a worker knows whether it remembers this one
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id)
);
create index workflows_trigger on workflows (project_id, event_name) where enabled and trigger_type = 'EVENT';

create table workflow_steps (
  project_id uuid not null,
  id uuid not null,
  workflow_id uuid not null,
  type text not null check (type in
    ('SEND_EMAIL', 'DELAY', 'WAIT_FOR_EVENT', 'CONDITION', 'WEBHOOK', 'UPDATE_CONTACT', 'EXIT')),
  name text,
  config jsonb not null,
  template_id uuid, -- of SEND_EMAIL
  event_name text, -- of WAIT_FOR_EVENT
  position jsonb, -- where an editor draws it
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  foreign key (project_id, workflow_id) references workflows on delete cascade
);
create index workflow_steps_workflow on workflow_steps (project_id, workflow_id, id);
create index workflow_steps_template on workflow_steps (project_id, template_id) where template_id is not null;
create index workflow_steps_event on workflow_steps (project_id, event_name) where event_name is not null;

create table workflow_transitions (
  project_id uuid not null,
  id uuid not null,
  workflow_id uuid not null,
  from_step_id uuid not null,
  to_step_id uuid not null,
  branch text check (branch in ('yes', 'no')),
  created_at timestamptz(3) not null,
  primary key (project_id, id),
  foreign key (project_id, workflow_id) references workflows on delete cascade,
  foreign key (project_id, from_step_id) references workflow_steps on delete cascade,
  foreign key (project_id, to_step_id) references workflow_steps on delete cascade,
  unique nulls not distinct (project_id, from_step_id, branch)
);
create index workflow_transitions_workflow on workflow_transitions (project_id, workflow_id, id);
create index workflow_transitions_to on workflow_transitions (project_id, to_step_id);

-- Not tied to its workflow by a foreign key: a workflow goes at once, a million executions of it go in batches.
create table workflow_executions (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  workflow_id uuid not null,
  contact_id uuid, -- empty once the contact is erased
  status text not null check (status in ('RUNNING', 'WAITING', 'COMPLETED', 'EXITED', 'FAILED', 'CANCELLED')),
  current_step_id uuid,
  exit_reason text,
  error text,
  context jsonb not null default '{}',
  event jsonb, -- data of the event that started it; empty for a start by hand
  only_once boolean not null,
  -- How many workflows led to this one by what they did: a circle of them ends.
  depth integer not null default 0,
  -- Counts what may go on with it. A job that carries an older number is out of date and does nothing.
  turn integer not null default 1,
  -- Events up to this one belong to the past. An event is waited for from here on, not from when a worker got to it.
  seen_up_to uuid not null,
  awaited_event text,
  resume_at timestamptz(3),
  alarm_set boolean not null default false,
  started_at timestamptz(3) not null,
  completed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id)
) with (fillfactor = 80);
-- Two events at once start one execution: whoever comes second runs into one of these.
create unique index workflow_executions_once on workflow_executions (project_id, workflow_id, contact_id)
  where only_once;
create unique index workflow_executions_active on workflow_executions (project_id, workflow_id, contact_id)
  where status in ('RUNNING', 'WAITING');
create index workflow_executions_list on workflow_executions (project_id, workflow_id, id);
create index workflow_executions_contact on workflow_executions (project_id, contact_id, id);
create index workflow_executions_alarm on workflow_executions (resume_at) where status = 'WAITING' and not alarm_set;

create table workflow_step_runs (
  project_id uuid not null,
  id uuid not null,
  execution_id uuid not null,
  step_id uuid not null,
  type text not null,
  status text not null check (status in ('RUNNING', 'WAITING', 'COMPLETED', 'SKIPPED', 'FAILED', 'CANCELLED')),
  output jsonb,
  error text,
  started_at timestamptz(3) not null,
  completed_at timestamptz(3),
  resume_at timestamptz(3),
  primary key (project_id, execution_id, id),
  foreign key (project_id, execution_id) references workflow_executions on delete cascade
);

-- Signs webhooks. The one before stays good for a day, so that receivers can change over.
create table webhook_secrets (
  project_id uuid primary key references projects on delete cascade,
  sealed bytea not null,
  sealed_before bytea,
  before_until timestamptz(3),
  created_at timestamptz(3) not null
);

-- An id that sorts beside another one, always the same for the same seed: what is done twice is written once.
create function id_beside(other uuid, seed text) returns uuid language sql immutable parallel safe as $$
  select (left(other::text, 14) || '7' || substr(other::text, 16, 4)
    || translate(substr(hash, 1, 1), '01234567cdef', '89ab89ab89ab') || substr(hash, 2, 3) || '-' || substr(hash, 5, 12))::uuid
  from (select md5(other::text || seed) as hash) as seeded
$$;

-- A fact goes up through the queue: events that start a workflow or that a step may wait for get a job, in the
-- transaction that records them. A name counts as waited for as soon as a step is written that waits for it, and not
-- when somebody gets to that step, so no event falls between a look and a wait.
-- The sub-selects are scalar on purpose: an `exists` may be planned as a hash over everybody's workflows.
create function dispatch_events() returns trigger language plpgsql as $$
begin
  perform posthorn_queue.add_job('dispatch-event',
    json_build_object('projectId', project_id, 'eventIds', json_agg(id order by id),
      'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int),
    null, 25, 10, null)
  from (
    select project_id, id, row_number() over (partition by project_id order by id) / 100 as batch
    from added
    where contact_id is not null and coalesce(
      (select true from workflows w
       where w.project_id = added.project_id and w.event_name = added.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
      (select true from workflow_steps s where s.project_id = added.project_id and s.event_name = added.name limit 1))
  ) as wanted
  group by project_id, batch;
  return null;
end $$;

create trigger events_added after insert on events
  referencing new table as added for each statement execute function dispatch_events();
