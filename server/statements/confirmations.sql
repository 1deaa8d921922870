-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* find-confirmations */
select s.position::int, p.name as project_name, p.language as project_language, p.branding, p.disabled_at is not null as disabled,
  p.double_opt_in ->> 'templateId' as template_id, p.double_opt_in ->> 'redirectUrl' as redirect_url,
  (select d.domain from domains d where d.project_id = p.id and d.status = 'VERIFIED' order by d.id limit 1) as domain,
  c.email, c.data -> 'locale' as locale, coalesce(c.confirmation_requested_at = s.requested_at, false) as is_latest
from
  unnest($1::uuid[], $2::uuid[],
    $3::timestamptz[]) with ordinality as s(project_id, contact_id, requested_at, position) join projects p on p.id = s.project_id
left join lateral (select * from contacts where contacts.project_id = p.id and contacts.id = s.contact_id limit 1) as c on true;

/* insert-confirmations */
with unsent as (
  select s.position::int as request, c.project_id, c.id, c.email, c.data, s.email_id
  from (select *, derive_id(first_id_at(requested_at), contact_id::text) as email_id
    from
  unnest($1::uuid[], $2::uuid[],
    $3::timestamptz[]) with ordinality as s(project_id, contact_id, requested_at, position)) as s
  cross join lateral (select * from contacts where contacts.project_id = s.project_id and contacts.id = s.contact_id limit 1) as c
  where not exists (select from emails e where e.project_id = s.project_id and e.id = s.email_id)
), requested as (select *, 1 as emails from
  unnest(
    $4::int[], $5::uuid[], $6::timestamptz[],
    $7::uuid[], $8::text[],
    $9::text[], $10::text[],
    $11::boolean[], $12::text[],
    $13::text[], $14::text[],
    $15::text[], $16::jsonb[],
    $17::jsonb[], $18::text[],
    $19::uuid[], null::uuid[],
    $20::uuid[], $21::text[],
    $22::bytea[], $23::int[]
  ) as message(request, project_id, asked_at, content_id, subject, body, type, literal, plain, from_email, from_name,
    reply_to, headers, variables, known_subject, template_id, campaign_id, workflow_execution_id, message_id,
    encrypted_variables, topic)),
cost as (
  select project_id, array_agg(request order by request) as requests, array_agg(size order by request) as sizes,
    date_trunc('month', max(at) at time zone 'UTC')::date as month
  from (select project_id, request, 1, asked_at from requested where request in (select request from unsent)) as asked(project_id, request, size, at) group by project_id
),
spent as (
  update billing_limits l set month = greatest(l.month, cost.month), used_before = case when l.month >= cost.month then l.used else 0 end,
    used = case when l.month >= cost.month then l.used else 0 end + fitting_sum(l.max - case when l.month >= cost.month then l.used else 0 end, cost.sizes)
  from cost where l.project_id = cost.project_id and l.source = $24::text
  returning l.max, cost.requests, fitting(l.max - l.used_before, cost.sizes) as fits
),
over_limit as (
  select answer.request, spent.max from spent, unnest(spent.requests, spent.fits) as answer(request, fits) where not answer.fits
),
message as (
  select * from requested
  where request in (select request from unsent) and request not in (select request from over_limit)
),
recipient as (
  select message.request, unsent.email_id, unsent.id as contact_id, unsent.email as to_email, null::text as to_name,
    unsent.data as contact_data
  from message join unsent on unsent.request = message.request
),
content as (
  insert into email_contents (project_id, id, subject, body, type, attachments, literal, plain, encrypted, topic, emails_left, data, created_at)
  select project_id, content_id, subject, body, type, convert_from(substring($25::bytea from ($26::int[])[request] - ($27::int[])[request] + 1 for ($28::int[])[request]), 'UTF8')::jsonb, literal, plain, substring($29::bytea from ($30::int[])[request] - ($31::int[])[request] + 1 for ($32::int[])[request]), topic, emails, null::jsonb, asked_at
  from message ),
outbox as (
  insert into emails (project_id, id, contact_id, content_id, to_email, to_name, subject, from_email, from_name, reply_to,
    headers, variables, encrypted_variables, contact_data, source_type, template_id, campaign_id, workflow_execution_id, message_id, status,
    created_at, updated_at)
  select m.project_id, r.email_id, r.contact_id, m.content_id, r.to_email, r.to_name, m.known_subject, m.from_email, m.from_name,
    m.reply_to, m.headers, m.variables, m.encrypted_variables, r.contact_data, 'TRANSACTIONAL', m.template_id, m.campaign_id, m.workflow_execution_id,
    m.message_id, 'PENDING', m.asked_at, m.asked_at
  from recipient r join message m on m.request = r.request
  returning project_id, id, status
), added_jobs as (
  insert into posthorn_queue.jobs (name, payload, run_at, priority, max_attempts)
  select $33::text, item.payload, coalesce($34::timestamptz, now()),
    $35::smallint, $36::smallint
  from (select json_build_object('projectId', project_id, 'emailId', id) from outbox where status = 'PENDING') as item(payload))
select;
