-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* insert-shared-content */
with message as (select * from
  (select 1 as request, $1::uuid as project_id, $2::timestamptz as asked_at, $3::uuid as content_id,
    $4::text as subject, $5::text as body, $6::text as type, false as literal,
    $7::text as plain, $8::text as from_email, $9::text as from_name,
    $10::text as reply_to, '{}'::jsonb as headers, $11::jsonb as variables,
    $12::text as known_subject, $13::uuid as template_id, null::uuid as campaign_id,
    $14::uuid as workflow_execution_id, null::text as message_id,
    $15::bytea as encrypted_variables, $16::bytea as encrypted
  ) as message)
  insert into email_contents (project_id, id, subject, body, type, attachments, literal, plain, encrypted, emails_left, created_at)
  select project_id, content_id, subject, body, type, '[]'::jsonb, literal, plain, encrypted, null::int, asked_at
  from message on conflict do nothing;

/* insert-test-email */
with shown as (
  select id, email, data from contacts where project_id = $1 and id = coalesce($2::uuid,
    (select id from contacts where project_id = $3 and email = $4))
), test as (
  insert into test_emails (project_id, id, contact_id)
  values ($5, $6, (select id from shown))
),
message as (select *, 1 as emails from
  (select 1 as request, $7::uuid as project_id, $8::timestamptz as asked_at, $9::uuid as content_id,
    $10::text as subject, $11::text as body, $12::text as type, false as literal,
    $13::text as plain, $14::text as from_email, $15::text as from_name,
    $16::text as reply_to, '{}'::jsonb as headers, $17::jsonb as variables,
    $18::text as known_subject, $19::uuid as template_id, null::uuid as campaign_id,
    $20::uuid as workflow_execution_id, null::text as message_id,
    $21::bytea as encrypted_variables, $22::bytea as encrypted
  ) as message),
recipient as (
  select 1 as request, $23::uuid as email_id, null::uuid as contact_id, $24::text as to_email, null::text as to_name,
    coalesce((select data || jsonb_build_object('id', id, 'email', email) from shown), '{}') as contact_data
),
content as (
  insert into email_contents (project_id, id, subject, body, type, attachments, literal, plain, encrypted, emails_left, created_at)
  select project_id, content_id, subject, body, type, convert_from(substring($25::bytea from ($26::int[])[request] - ($27::int[])[request] + 1 for ($28::int[])[request]), 'UTF8')::jsonb, literal, plain, substring($29::bytea from ($30::int[])[request] - ($31::int[])[request] + 1 for ($32::int[])[request]), emails, asked_at
  from message ),
outbox as (
  insert into emails (project_id, id, contact_id, content_id, to_email, to_name, subject, from_email, from_name, reply_to,
    headers, variables, encrypted_variables, contact_data, source_type, template_id, campaign_id, workflow_execution_id, message_id, status,
    created_at, updated_at)
  select m.project_id, r.email_id, r.contact_id, m.content_id, r.to_email, r.to_name, m.known_subject, m.from_email, m.from_name,
    m.reply_to, m.headers, m.variables, m.encrypted_variables, r.contact_data, 'CAMPAIGN', m.template_id, m.campaign_id, m.workflow_execution_id,
    m.message_id, 'PENDING', m.asked_at, m.asked_at
  from recipient r join message m on m.request = r.request
  returning project_id, id, status
), added_jobs as (
  insert into posthorn_queue.jobs (name, payload, run_at, priority, max_attempts)
  select $33::text, item.payload, coalesce($34::timestamptz, now()),
    $35::smallint, $36::smallint
  from (select json_build_object('projectId', project_id, 'emailId', id) from outbox where status = 'PENDING') as item(payload))
select;
