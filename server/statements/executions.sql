-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* cancel-execution */
with
batch as (select project_id, id from workflow_executions
  where project_id = $1 and id = $2 and workflow_id = $3),
cancelled as (
  update workflow_executions x set status = 'CANCELLED', version = x.version + 1, resume_at = null, awaited_event = null,
    completed_at = $4::timestamptz, updated_at = $5::timestamptz
  from batch where x.project_id = batch.project_id and x.id = batch.id and x.status in ('RUNNING', 'WAITING')
  returning x.project_id, x.id
),
runs as (
  update workflow_step_runs r set status = 'CANCELLED', completed_at = $6::timestamptz
  from cancelled where r.project_id = cancelled.project_id and r.execution_id = cancelled.id
    and r.status in ('RUNNING', 'WAITING')
) select from cancelled;

/* cancel-executions */
with
batch as (select project_id, id from workflow_executions
  where project_id = $1 and workflow_id = $2 and status in ('RUNNING', 'WAITING') and id <= $3::uuid limit $4),
cancelled as (
  update workflow_executions x set status = 'CANCELLED', version = x.version + 1, resume_at = null, awaited_event = null,
    completed_at = $5::timestamptz, updated_at = $6::timestamptz
  from batch where x.project_id = batch.project_id and x.id = batch.id and x.status in ('RUNNING', 'WAITING')
  returning x.project_id, x.id
),
runs as (
  update workflow_step_runs r set status = 'CANCELLED', completed_at = $7::timestamptz
  from cancelled where r.project_id = cancelled.project_id and r.execution_id = cancelled.id
    and r.status in ('RUNNING', 'WAITING')
) select count(*) as count from cancelled;

/* change-waits */
with changed as (
  update workflow_executions x set resume_at = c.until, alarm_set = coalesce(c.until <= $1::timestamptz, false),
    version = x.version + 1, updated_at = $2::timestamptz
  from unnest($3::uuid[], $4::timestamptz[]) as c(id, until)
  where x.project_id = $5 and x.id = c.id and x.status = 'WAITING'
  returning x.project_id, x.id, x.version, x.resume_at, x.alarm_set, x.awaited_event
), runs as (
  update workflow_step_runs r set resume_at = changed.resume_at
  from changed where r.project_id = $6 and r.execution_id = changed.id and r.status = 'WAITING'
), due as (
  select project_id, id, version, greatest(resume_at, $7::timestamptz) as at from changed where alarm_set
  union all
  select project_id, id, version, $8::timestamptz from changed where awaited_event is not null
)
select posthorn_queue.add_job($9, json_build_object('projectId', due.project_id, 'executionId', due.id, 'version', due.version)::json, due.at::timestamptz,
$10::text, $11::int) from due;

/* complete-goals */
with reached as (
  select x.project_id, x.id, w.goal_event
  from unnest($1::uuid[], $2::uuid[]) as given(project_id, id)
  join events e on e.project_id = given.project_id and e.id = given.id
  join workflows w on w.project_id = e.project_id and w.goal_event = e.name
  join workflow_executions x on x.project_id = e.project_id and x.contact_id = e.contact_id and x.workflow_id = w.id
    and x.status in ('RUNNING', 'WAITING') and left(x.id::text, 13) <= left(e.id::text, 13)
  order by x.contact_id, x.id for update of x
), completed as (
  update workflow_executions x set status = 'COMPLETED', goal_reached = true, version = x.version + 1, resume_at = null,
    awaited_event = null, completed_at = $3::timestamptz, updated_at = $4::timestamptz
  from reached where x.project_id = reached.project_id and x.id = reached.id
  returning x.project_id, x.id, x.workflow_id, x.contact_id, x.status, x.error, reached.goal_event
), runs as (
  update workflow_step_runs r set status = case r.status when 'WAITING' then 'SKIPPED' else 'CANCELLED' end,
    output = jsonb_build_object('goal', completed.goal_event), completed_at = $5::timestamptz
  from completed where r.project_id = completed.project_id and r.execution_id = completed.id
    and r.status in ('RUNNING', 'WAITING')
), "announced" as (
  select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
  from (
  select s.project_id, 'workflow.execution.' || case s.status when 'FAILED' then 'failed' else 'completed' end, s.contact_id,
    jsonb_build_object('contact', (
        select jsonb_build_object('id', p.id, 'email', p.email, 'subscribed', p.subscribed)
        from contacts p where p.project_id = s.project_id and p.id = s.contact_id),
      'email', null, 'data', jsonb_build_object('workflowId', s.workflow_id, 'executionId', s.id, 'status', s.status)
        || case s.status when 'FAILED' then jsonb_build_object('error', s.error) else '{}' end),
    $6::timestamptz
  from "completed" s where s.status in ('COMPLETED', 'EXITED', 'FAILED')
  ) as r(project_id, name, contact_id, facts, created_at)
),
"announced_for_webhooks" as (
  insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
    created_at, next_attempt_at)
  select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
  from (select * from (select r.* from "announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
    select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
        select from unnest(w.event_types) as wanted(type)
        where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
  ) as endpoint
  returning 1
)
select;

/* count-active-executions */
select current_step_id as "stepId", count(*) as active from workflow_executions
where project_id = $1 and workflow_id = $2 and status in ('RUNNING', 'WAITING') and id >= $3::uuid and id < $4::uuid
group by current_step_id;

/* count-executions */
select w.id as "workflowId", coalesce(done.completed, 0) as completed, (
  select count(*) from (
    select from workflow_executions x
    where x.project_id = $1 and x.workflow_id = w.id and x.status in ('RUNNING', 'WAITING') limit $2
  ) as found) as active
from workflows w
left join (
  select workflow_id, count(*) as completed from (
    select workflow_id from workflow_executions
    where project_id = $3 and status in ('COMPLETED', 'EXITED')
      and feed_id(completed_at, 'workflow.completed', id) >= first_id_at($4::timestamptz)
    order by feed_id(completed_at, 'workflow.completed', id) desc limit $5
  ) as newest
  group by workflow_id
) as done on done.workflow_id = w.id
where w.project_id = $6 and w.enabled order by w.id;

/* count-runs */
select count(*) as counted, count(*) filter (where status in ('RUNNING', 'WAITING')) as active,
  count(*) filter (where status in ('COMPLETED', 'EXITED')) as completed,
  count(*) filter (where status = 'FAILED') as failed, count(*) filter (where goal_reached) as converted
from (
  select status, goal_reached from workflow_executions
  where project_id = $1 and workflow_id = $2 and id >= $3::uuid and id < $4::uuid
  order by id desc limit $5) as x;

/* count-step-runs */
select run.step_id as "stepId", count(*) as entered, count(*) filter (where run.status = 'COMPLETED') as completed,
  count(*) filter (where run.status = 'SKIPPED') as skipped, count(*) filter (where run.status = 'FAILED') as failed,
  count(email.sent_at) as emails, count(*) filter (where is_delivered(email.delivered_at, email.bounced_at)) as delivered,
  count(*) filter (where is_refused(email.sent_at, email.bounced_at)) as refused, count(email.bounced_at) as bounced,
  count(email.opened_at) as opened, count(email.clicked_at) as clicked,
  count(*) filter (where x.goal_reached) as converted
from (
  select id, goal_reached from workflow_executions
  where project_id = $1 and workflow_id = $2 and id >= $3::uuid and id < $4::uuid
  order by id desc limit $5
) as x
join workflow_step_runs run on run.project_id = $6 and run.execution_id = x.id
left join lateral (
  select sent_at, delivered_at, bounced_at, opened_at, clicked_at from emails
  where emails.project_id = $7 and emails.id = (run.output ->> 'emailId')::uuid limit 1
) as email on run.type = 'SEND_EMAIL'
group by run.step_id;

/* delete-executions */
delete from workflow_executions where project_id = $1 and id = any(array(
  select id from workflow_executions where project_id = $2 and workflow_id = $3 limit $4));

/* dispatch-events */
with event as materialized (
  select e.project_id, e.id, e.name, e.contact_id, e.data, greatest(dispatched.depth, coalesce(cause.depth + 1, 0)) as depth
  from unnest($1::uuid[], $2::uuid[],
    $3::int[]) as dispatched(project_id, id, depth)
  join events e on e.project_id = dispatched.project_id and e.id = dispatched.id
  join projects p on p.id = e.project_id and p.disabled_at is null
  left join emails on emails.project_id = e.project_id and emails.id = e.email_id
  left join workflow_executions cause on cause.project_id = emails.project_id and cause.id = emails.workflow_execution_id
), started as (
  insert into workflow_executions (project_id, id, workflow_id, contact_id, status, error, event, only_once, depth,
    seen_up_to, started_at, completed_at, created_at, updated_at)
  select w.project_id, derive_id(e.id, w.id::text), w.id, e.contact_id,
    case when e.depth > $4 then 'FAILED' else 'RUNNING' end,
    case when e.depth > $5 then $6::text end, e.data, not w.allow_reentry, e.depth, e.id, $7::timestamptz,
    case when e.depth > $8 then $9::timestamptz end, $10::timestamptz, $11::timestamptz
  from event e
  join workflows w on w.project_id = e.project_id and w.event_name = e.name and w.enabled and w.trigger_type = 'EVENT'
  join contacts c on c.project_id = e.project_id and c.id = e.contact_id
  where
  ((w.allow_reentry and w.reentry_days is null) or not exists (
    select from workflow_executions x
    where x.project_id = w.project_id and x.contact_id = e.contact_id and x.workflow_id = w.id
      and (not w.allow_reentry or w.reentry_days is null
        or x.started_at > $12::timestamptz - make_interval(hours => 24 * w.reentry_days))))
  order by e.id
  on conflict do nothing
  returning project_id, id, version, status
), woken as (
  select distinct x.project_id, x.id, x.version from event e
  join workflow_executions x on x.project_id = e.project_id and x.contact_id = e.contact_id
    and x.status = 'WAITING' and x.awaited_event = e.name and x.seen_up_to < e.id
),
added_jobs as (
  insert into posthorn_queue.jobs (name, payload, run_at, priority, max_attempts)
  select $13::text, item.payload, coalesce($14::timestamptz, now()),
    $15::smallint, $16::smallint
  from (select json_build_object('projectId', project_id, 'executionId', id, 'version', version) from (
    select project_id, id, version from started where status = 'RUNNING'
    union all
    select project_id, id, version from woken) as due) as item(payload))
select;

/* end-executions */
with active as (
  select id from workflow_executions
  where project_id = $1 and contact_id = any($2::uuid[]) and status in ('RUNNING', 'WAITING')
  for update skip locked
), ended as (
  update workflow_executions set status = 'CANCELLED', error = 'The contact was deleted.', version = version + 1,
    resume_at = null, awaited_event = null, completed_at = $3::timestamptz, updated_at = $4::timestamptz
  where project_id = $5 and id in (select id from active)
)
update workflow_step_runs set status = 'CANCELLED', completed_at = $6::timestamptz
where project_id = $7 and execution_id in (select id from active) and status in ('RUNNING', 'WAITING');

/* erase-executions */
with batch as (
  select id from workflow_executions where project_id = $1 and contact_id = any($2::uuid[])
  limit $3 for update skip locked
), erased as (
  update workflow_executions x set contact_id = null, context = '{}', event = case when x.event is not null then '{}'::jsonb end,
    version = x.version + 1, updated_at = $4::timestamptz,
    status = case when x.status in ('RUNNING', 'WAITING') then 'CANCELLED' else x.status end,
    completed_at = coalesce(x.completed_at, $5::timestamptz), resume_at = null, awaited_event = null,
    error = case when x.error is not null then 'Erased with the contact.' end
  from batch where x.project_id = $6 and x.id = batch.id
  returning x.id
), sent as (
  select (output ->> 'emailId')::uuid as id from workflow_step_runs
  where project_id = $7 and execution_id in (select id from erased) and output ? 'emailId'
), emails_about as (
  update emails e set variables = '{}', encrypted_variables = null, contact_data = '{}', subject = '', updated_at = $8::timestamptz
  where e.project_id = $9 and e.id in (select id from sent) and e.contact_id is null
), runs as (
  update workflow_step_runs set output = null, error = case when error is not null then 'Erased with the contact.' end,
    status = case when status in ('RUNNING', 'WAITING') then 'CANCELLED' else status end,
    completed_at = coalesce(completed_at, $10::timestamptz)
  where project_id = $11 and execution_id in (select id from erased)
)
select count(*)::int as erased from erased;

/* find-execution */
select id, workflow_id, contact_id, status, current_step_id, exit_reason, goal_reached, error, resume_at, started_at,
completed_at, created_at, updated_at, context, event from workflow_executions
  where project_id = $1 and id = $2 and workflow_id = $3;

/* has-step */
select from workflow_steps where project_id = $1 and workflow_id = $2 and id = $3;

/* list-step-runs */
select id, step_id, type, status, output, error, started_at, completed_at, resume_at
from workflow_step_runs where project_id = $1 and execution_id = $2 order by id;

/* load-executions */
select x.id, x.status, x.current_step_id, x.context, x.event, x.seen_up_to, x.awaited_event, x.resume_at, x.started_at,
  x.depth, x.workflow_id, p.disabled_at is not null as disabled, w.name as workflow_name, w.revision,
  case when w.goal_event is not null and x.current_step_id is null then exists (
    select from events e where e.project_id = x.project_id and e.contact_id = x.contact_id and e.name = w.goal_event
      and e.id > x.seen_up_to) else false end as goal_reached,
  c.id as contact_id, c.email, c.subscribed, c.data,
  run.id as open_run_id, run.step_id as open_step_id, run.type as open_type, run.status as open_status,
  run.started_at as open_started_at
from unnest($1::uuid[], $2::uuid[],
  $3::int[]) as ref(project_id, id, version)
join workflow_executions x on x.project_id = ref.project_id and x.id = ref.id and x.version = ref.version
  and x.status in ('RUNNING', 'WAITING')
join projects p on p.id = x.project_id
left join workflows w on w.project_id = x.project_id and w.id = x.workflow_id
left join contacts c on c.project_id = x.project_id and c.id = x.contact_id
left join lateral (
  select id, step_id, type, status, started_at from workflow_step_runs r
  where r.project_id = x.project_id and r.execution_id = x.id and r.status in ('RUNNING', 'WAITING')
  order by id desc limit 1
) as run on true
order by x.contact_id, x.id;

/* lock-executions */
select x.id, x.status, x.current_step_id, x.context, x.event, x.seen_up_to, x.awaited_event, x.resume_at, x.started_at,
  x.depth, x.workflow_id, p.disabled_at is not null as disabled, w.name as workflow_name, w.revision,
  case when w.goal_event is not null and x.current_step_id is null then exists (
    select from events e where e.project_id = x.project_id and e.contact_id = x.contact_id and e.name = w.goal_event
      and e.id > x.seen_up_to) else false end as goal_reached,
  c.id as contact_id, c.email, c.subscribed, c.data,
  run.id as open_run_id, run.step_id as open_step_id, run.type as open_type, run.status as open_status,
  run.started_at as open_started_at , x.xmin <> (
  select before.xmin from workflow_executions before where before.project_id = x.project_id and before.id = x.id
) as waited
from unnest($1::uuid[], $2::uuid[],
  $3::int[]) as ref(project_id, id, version)
join workflow_executions x on x.project_id = ref.project_id and x.id = ref.id and x.version = ref.version
  and x.status in ('RUNNING', 'WAITING')
join projects p on p.id = x.project_id
left join workflows w on w.project_id = x.project_id and w.id = x.workflow_id
left join contacts c on c.project_id = x.project_id and c.id = x.contact_id
left join lateral (
  select id, step_id, type, status, started_at from workflow_step_runs r
  where r.project_id = x.project_id and r.execution_id = x.id and r.status in ('RUNNING', 'WAITING')
  order by id desc limit 1
) as run on true
order by x.contact_id, x.id
for update of x;

/* lock-waits */
select x.id, x.resume_at as "resumeAt", run.started_at as since, c.id as "contactId", c.email, c.subscribed, coalesce(c.data, '{}') as data
from workflow_executions x
join contacts c on c.project_id = x.project_id and c.id = x.contact_id
join lateral (
  select started_at from workflow_step_runs r
  where r.project_id = x.project_id and r.execution_id = x.id and r.status = 'WAITING' order by id desc limit 1
) as run on true
where x.project_id = $1 and x.workflow_id = $2 and x.status = 'WAITING'
  and x.current_step_id = $3::uuid
  and (x.resume_at > $4::timestamptz or x.resume_at is null and x.awaited_event is not null)
  and x.contact_id > coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')
order by x.contact_id limit $6 for update of x;

/* retry-execution */
with resumed as (
  update workflow_executions set status = 'RUNNING', error = null, completed_at = null, version = version + 1,
    updated_at = $1::timestamptz
  where project_id = $2 and id = $3 and workflow_id = $4 and status = 'FAILED'
    and contact_id is not null
  returning project_id, id, version
)
select posthorn_queue.add_job($5, json_build_object('projectId', "resumed"."project_id", 'executionId', "resumed"."id", 'version', "resumed"."version")::json, $6::timestamptz,
$7::text, $8::int) from resumed;

/* save-executions */
with ended as (
  update workflow_step_runs r set status = e.status, output = nullif(e.output, 'null'), error = e.error,
    completed_at = e."completedAt", resume_at = e."resumeAt"
  from jsonb_to_recordset($1::jsonb) as e("projectId" uuid, "executionId" uuid, id uuid, status text,
    output jsonb, error text, "completedAt" timestamptz, "resumeAt" timestamptz)
  where r.project_id = e."projectId" and r.execution_id = e."executionId" and r.id = e.id
), added as (
  insert into workflow_step_runs (project_id, execution_id, id, step_id, type, status, output, error, started_at,
    completed_at, resume_at)
  select "projectId", "executionId", id, "stepId", type, status, nullif(output, 'null'), error, "startedAt", "completedAt",
    "resumeAt"
  from jsonb_to_recordset($2::jsonb) as run("projectId" uuid, "executionId" uuid, id uuid, "stepId" uuid,
    type text, status text, output jsonb, error text, "startedAt" timestamptz, "completedAt" timestamptz, "resumeAt" timestamptz)
), saved as (
  update workflow_executions x set status = c.status, current_step_id = c."currentStepId", exit_reason = c."exitReason", goal_reached = c."goalReached",
    error = c.error, seen_up_to = c."seenUpTo", awaited_event = c."awaitedEvent", resume_at = c."resumeAt",
    alarm_set = c."alarmSet", completed_at = c."completedAt",
    version = x.version + case when c."keepVersion" then 0 else 1 end, updated_at = $3::timestamptz
  from jsonb_to_recordset($4::jsonb) as c("projectId" uuid, "executionId" uuid, status text,
    "currentStepId" uuid, "exitReason" text, "goalReached" boolean, error text, "seenUpTo" uuid, "awaitedEvent" text, "resumeAt" timestamptz,
    "alarmSet" boolean, "completedAt" timestamptz, "keepVersion" boolean, "jobsAt" jsonb)
  where x.project_id = c."projectId" and x.id = c."executionId"
  returning x.project_id, x.id, x.version, x.workflow_id, x.contact_id, x.status, x.error, c."jobsAt" as jobs_at
), "announced" as (
  select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
  from (
  select s.project_id, 'workflow.execution.' || case s.status when 'FAILED' then 'failed' else 'completed' end, s.contact_id,
    jsonb_build_object('contact', (
        select jsonb_build_object('id', p.id, 'email', p.email, 'subscribed', p.subscribed)
        from contacts p where p.project_id = s.project_id and p.id = s.contact_id),
      'email', null, 'data', jsonb_build_object('workflowId', s.workflow_id, 'executionId', s.id, 'status', s.status)
        || case s.status when 'FAILED' then jsonb_build_object('error', s.error) else '{}' end),
    $5::timestamptz
  from "saved" s where s.status in ('COMPLETED', 'EXITED', 'FAILED')
  ) as r(project_id, name, contact_id, facts, created_at)
),
"announced_for_webhooks" as (
  insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
    created_at, next_attempt_at)
  select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
  from (select * from (select r.* from "announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
    select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
        select from unnest(w.event_types) as wanted(type)
        where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
  ) as endpoint
  returning 1
)
select posthorn_queue.add_job($6, json_build_object('projectId', saved.project_id, 'executionId', saved.id, 'version', saved.version)::json, job.at::timestamptz::timestamptz,
$7::text, $8::int)
from saved, jsonb_array_elements_text(saved.jobs_at) as job(at);

/* set-chain-depth */
select set_config('posthorn.chain_depth', $1, true);

/* set-workflow-alarms */
with batch as (
  select project_id, id from workflow_executions
  where status = 'WAITING' and not alarm_set and resume_at <= $1::timestamptz
  order by resume_at limit $2 for update skip locked
), due as (
  update workflow_executions x set alarm_set = true from batch
  where x.project_id = batch.project_id and x.id = batch.id
  returning x.project_id, x.id, x.version, x.resume_at
), jobs as (
  select posthorn_queue.add_job($3, json_build_object('projectId', due.project_id, 'executionId', due.id, 'version', due.version)::json, due.resume_at::timestamptz,
$4::text, $5::int) from due
)
select count(*) as count from jobs;

/* start-execution */
with started as (
    insert into workflow_executions (project_id, id, workflow_id, contact_id, status, context, only_once, seen_up_to,
      started_at, created_at, updated_at)
    select w.project_id, $1::uuid, w.id, $2::uuid, 'RUNNING', $3::jsonb,
      not w.allow_reentry, $4::uuid, $5::timestamptz, $6::timestamptz, $7::timestamptz
    from workflows w
    where w.project_id = $8 and w.id = $9 and w.enabled and
    ((w.allow_reentry and w.reentry_days is null) or not exists (
      select from workflow_executions x
      where x.project_id = w.project_id and x.contact_id = $10::uuid and x.workflow_id = w.id
        and (not w.allow_reentry or w.reentry_days is null
          or x.started_at > $11::timestamptz - make_interval(hours => 24 * w.reentry_days))))
    on conflict do nothing
    returning *
  ), jobs as (select posthorn_queue.add_job($12, json_build_object('projectId', "started"."project_id", 'executionId', "started"."id", 'version', "started"."version")::json, $13::timestamptz,
  $14::text, $15::int) from started)
  select id, workflow_id, contact_id, status, current_step_id, exit_reason, goal_reached, error, resume_at, started_at,
completed_at, created_at, updated_at, context, event from started where (select count(*) from jobs) > 0;

/* wake-executions */
with batch as materialized (
  select id, contact_id from workflow_executions
  where project_id = $1 and workflow_id = $2 and status = 'WAITING'
    and current_step_id = any($3::uuid[]) and contact_id > coalesce($4::uuid, '00000000-0000-0000-0000-000000000000')
  order by contact_id limit $5
), waiting as (
  update workflow_executions x set awaited_event = coalesce((
      select event_name from workflow_steps s where s.project_id = $6 and s.id = x.current_step_id
    ), x.awaited_event)
  from batch
  where x.project_id = $7 and x.id = batch.id and x.status = 'WAITING'
    and x.current_step_id = any($8::uuid[])
  returning x.project_id, x.id, x.version
),
added_jobs as (
  insert into posthorn_queue.jobs (name, payload, run_at, priority, max_attempts)
  select $9::text, item.payload, coalesce($10::timestamptz, now()),
    $11::smallint, $12::smallint
  from (select json_build_object('projectId', project_id, 'executionId', id, 'version', version) from waiting) as item(payload))
select contact_id as last, count(*) over () as count from batch order by contact_id desc limit 1;
