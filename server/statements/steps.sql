-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* find-awaited-event */
select id, data, created_at from events
where project_id = $1 and contact_id = $2 and name = $3
  and id > $4::uuid and id < coalesce($5::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
order by id limit 1;

/* find-webhook-secret */
select sealed, sealed_before, before_until, created_at from webhook_secrets where project_id = $1;

/* insert-workflow-email */
with
cost as (
  select project_id, array_agg(request order by request) as requests, array_agg(size order by request) as sizes,
    date_trunc('month', max(at) at time zone 'UTC')::date as month
  from (select $1::uuid, 1, 1, $2::timestamptz) as asked(project_id, request, size, at) group by project_id
),
spent as (
  update billing_limits l set month = greatest(l.month, cost.month), used_before = case when l.month >= cost.month then l.used else 0 end,
    used = case when l.month >= cost.month then l.used else 0 end + fitting_sum(l.max - case when l.month >= cost.month then l.used else 0 end, cost.sizes)
  from cost where l.project_id = cost.project_id and l.source = $3::text
  returning l.max, cost.requests, fitting(l.max - l.used_before, cost.sizes) as fits
),
over_limit as (
  select answer.request, spent.max from spent, unnest(spent.requests, spent.fits) as answer(request, fits) where not answer.fits
),
message as (select * from
  (select 1 as request, $4::uuid as project_id, $5::timestamptz as asked_at, $6::uuid as content_id,
    $7::text as subject, $8::text as body, $9::text as type, false as literal,
    $10::text as plain, $11::text as from_email, $12::text as from_name,
    $13::text as reply_to, '{}'::jsonb as headers, $14::jsonb as variables,
    $15::text as known_subject, $16::uuid as template_id, null::uuid as campaign_id,
    $17::uuid as workflow_execution_id, null::text as message_id,
    $18::bytea as encrypted_variables, $19::int as topic, $20::bytea as encrypted,
    $21::jsonb as data
  ) as message where not exists (select from over_limit)),
recipient as (
  select 1 as request, $22::uuid as email_id, $23::uuid as contact_id, $24::text as to_email,
    null::text as to_name, $25::jsonb as contact_data
),
content as (
  insert into email_contents (project_id, id, subject, body, type, attachments, literal, plain, encrypted, topic, emails_left, data, created_at)
  select project_id, content_id, subject, body, type, '[]'::jsonb, literal, plain, encrypted, topic, null::int, data, asked_at
  from message on conflict do nothing),
outbox as (
  insert into emails (project_id, id, contact_id, content_id, to_email, to_name, subject, from_email, from_name, reply_to,
    headers, variables, encrypted_variables, contact_data, source_type, template_id, campaign_id, workflow_execution_id, message_id, status,
    created_at, updated_at)
  select m.project_id, r.email_id, r.contact_id, m.content_id, r.to_email, r.to_name, m.known_subject, m.from_email, m.from_name,
    m.reply_to, m.headers, m.variables, m.encrypted_variables, r.contact_data, 'WORKFLOW', m.template_id, m.campaign_id, m.workflow_execution_id,
    m.message_id, 'PENDING', m.asked_at, m.asked_at
  from recipient r join message m on m.request = r.request
  returning project_id, id, status
), added_jobs as (
  insert into posthorn_queue.jobs (name, payload, run_at, priority, max_attempts)
  select $26::text, item.payload, coalesce($27::timestamptz, now()),
    $28::smallint, $29::smallint
  from (select json_build_object('projectId', project_id, 'emailId', id) from outbox where status = 'PENDING') as item(payload))
select (select max from over_limit) as max;
