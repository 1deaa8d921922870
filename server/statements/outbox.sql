-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* insert-emails */
with
  lock_timeout_set as materialized (select set_config('lock_timeout', $1, true)),
  request as (
    select *, ($2::int[])[request] as emails,
      ($3::text[])[request] as from_domain,
      ($4::jsonb[])[request] as blanks,
      ($5::text[])[request] as via, ($6::uuid[])[request] as key_id,
      ($7::text[])[request] as idempotency_key,
      ($8::uuid[])[request] as claim_id,
      ($9::bytea[])[request] as fingerprint
    from
    unnest(
      $10::int[], $11::uuid[], $12::timestamptz[],
      $13::uuid[], $14::text[],
      $15::text[], $16::text[],
      $17::boolean[], $18::text[],
      $19::text[], $20::text[],
      $21::text[], $22::jsonb[],
      $23::jsonb[], $24::text[],
      $25::uuid[], null::uuid[],
      $26::uuid[], $27::text[],
      $28::bytea[], $29::int[]
    ) as message(request, project_id, asked_at, content_id, subject, body, type, literal, plain, from_email, from_name,
      reply_to, headers, variables, known_subject, template_id, campaign_id, workflow_execution_id, message_id,
      encrypted_variables, topic)
  ),
  person as (
    select p.*, ($30::uuid[])[p.request] as project_id,
      coalesce(p.subscribed, ($31::boolean[])[p.request]) as subscribed_if_new,
      array(select jsonb_array_elements_text(($32::jsonb[])[p.request])) as removed,
      ($33::timestamptz[])[p.request] as asked_at,
      ($34::jsonb[])[p.request] as cause,
      ($35::boolean[])[p.request] as by_public_key,
      ($36::boolean[])[p.request] as only_new
    from unnest(
      $37::int[], $38::text[], $39::uuid[],
      $40::uuid[], $41::boolean[],
      $42::jsonb[]
    ) as p(request, email, new_id, event_id, subscribed, patch)
  ),
  unverified as (
    select request from request where not coalesce((
select domains.status = 'VERIFIED' from domains where domains.project_id = request.project_id and domains.domain = request.from_domain), false)
  ),
  opted_out as (
    select request.request, person.email from request join person on person.request = request.request
    left join lateral (
      select * from contacts where contacts.project_id = request.project_id and contacts.email = person.email limit 1
    ) as known on true
    cross join lateral (select
      coalesce(known.opted_out, false) and person.subscribed is not true as opted_out,
      coalesce(known.pending, false) and person.subscribed is not true as pending, known.paused_until
      ) as reader
    where (request.type = 'MARKETING' )
      and ((("reader"."opted_out" or "reader"."pending") or (("reader"."paused_until" > request.asked_at::timestamptz) is true) ) or exists (
select from suppressions where suppressions.project_id = request.project_id and suppressions.email = person.email)
        )
  ),
  accepted as (
    select * from request where (select true from lock_timeout_set)
      and request not in (select request from unverified) and request not in (select request from opted_out)
  ),
  cost as (
    select project_id, array_agg(request order by request) as requests, array_agg(size order by request) as sizes,
      date_trunc('month', max(at) at time zone 'UTC')::date as month
    from (select project_id, request, emails, asked_at from accepted ) as asked(project_id, request, size, at) group by project_id
  ),
  spent as (
    update billing_limits l set month = greatest(l.month, cost.month), used_before = case when l.month >= cost.month then l.used else 0 end,
      used = case when l.month >= cost.month then l.used else 0 end + fitting_sum(l.max - case when l.month >= cost.month then l.used else 0 end, cost.sizes)
    from cost where l.project_id = cost.project_id and l.source = $43::text
    returning l.max, cost.requests, fitting(l.max - l.used_before, cost.sizes) as fits
  ),
  over_limit as (
    select answer.request, spent.max from spent, unnest(spent.requests, spent.fits) as answer(request, fits) where not answer.fits
  ),
  message as (select * from accepted where request not in (select request from over_limit)),
  asked as (
    select distinct on (project_id, email) * from person where request in (select request from message) order by project_id, email, request
  ),
  -- Materialized: inlined, it is looked for among all who are asked, once for each contact that is written. That was
  -- most of an update of 1,000 contacts.
  removing as materialized (select project_id, email, removed from asked where removed <> '{}'),
  -- Lateral: a generic plan of the plain join reads every contact of the project (20 ms instead of 1 at 50,000).
  known as (
    select c.project_id, c.id, c.email, c.subscribed, c.opted_out, c.opted_out_by_api, c.pending, c.confirmation_requested_at, c.confirmed_at,
      c.paused_until, c.data, c.created_at, c.updated_at
    from asked cross join lateral (
      select * from contacts where contacts.project_id = asked.project_id and contacts.email = asked.email limit 1
    ) as c
  ),
  written as (
    insert into contacts (project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at, created_by_import)
    select asked.project_id, asked.new_id, asked.email,
      asked.subscribed_if_new, asked.subscribed_if_new, asked.patch, asked.asked_at, asked.asked_at, (asked.cause ->> 'importId')::uuid
    from asked left join known on known.project_id = asked.project_id and known.email = asked.email
    where known.id is null or not asked.only_new and (
      known.subscribed <> asked.subscribed and not (asked.by_public_key and asked.subscribed and not (not "known"."pending" and (not "known"."opted_out" or "known"."opted_out_by_api")))
      or known.data <> (known.data || asked.patch) - asked.removed
      )
    order by asked.project_id, asked.email
    on conflict (project_id, email) do update set
      subscribed = coalesce(case when (excluded.project_id, excluded.email) in (select project_id, email from asked where subscribed is null or only_new) then null
        when excluded.subscribed and not (not "contacts"."pending" and (not "contacts"."opted_out" or "contacts"."opted_out_by_api")) and (excluded.project_id, excluded.email) in (select project_id, email from asked where by_public_key) then null
        else excluded.subscribed end, "contacts"."subscribed"), subscribed_before = "contacts"."subscribed", opted_out = not coalesce(case when (excluded.project_id, excluded.email) in (select project_id, email from asked where subscribed is null or only_new) then null
        when excluded.subscribed and not (not "contacts"."pending" and (not "contacts"."opted_out" or "contacts"."opted_out_by_api")) and (excluded.project_id, excluded.email) in (select project_id, email from asked where by_public_key) then null
        else excluded.subscribed end, "contacts"."subscribed") and ("contacts"."opted_out" or "contacts"."subscribed" ),
      opted_out_by_api = not coalesce(case when (excluded.project_id, excluded.email) in (select project_id, email from asked where subscribed is null or only_new) then null
        when excluded.subscribed and not (not "contacts"."pending" and (not "contacts"."opted_out" or "contacts"."opted_out_by_api")) and (excluded.project_id, excluded.email) in (select project_id, email from asked where by_public_key) then null
        else excluded.subscribed end, "contacts"."subscribed") and ("contacts"."opted_out" or "contacts"."subscribed" ) and (not "contacts"."opted_out" or "contacts"."opted_out_by_api") , pending = "contacts"."pending" and not coalesce(case when (excluded.project_id, excluded.email) in (select project_id, email from asked where subscribed is null or only_new) then null
        when excluded.subscribed and not (not "contacts"."pending" and (not "contacts"."opted_out" or "contacts"."opted_out_by_api")) and (excluded.project_id, excluded.email) in (select project_id, email from asked where by_public_key) then null
        else excluded.subscribed end, "contacts"."subscribed") ,
      data = case when (excluded.project_id, excluded.email) in (select project_id, email from asked where only_new) then contacts.data
        else bounded_contact_data(contacts.data, (contacts.data || excluded.data) - coalesce((
          select removed from removing where removing.project_id = excluded.project_id and removing.email = excluded.email
        ), '{}')) end,
      updated_at = excluded.updated_at, updated_by_import = coalesce(excluded.created_by_import, contacts.updated_by_import)
    returning project_id, id, email, subscribed, subscribed_before, paused_until, pending, confirmation_requested_at, confirmed_at, data, created_at, updated_at, xmax = 0 as is_new
  ),
  contact as (
    select project_id, id, email, subscribed, paused_until, pending, confirmation_requested_at, confirmed_at, data, created_at, updated_at, is_new, true as changed from written
    union all
    select project_id, id, email, subscribed, paused_until, pending, confirmation_requested_at, confirmed_at, data, created_at, updated_at, false, false from known
    where not exists (select from written where written.project_id = known.project_id and written.email = known.email)
  ),
  "people_announced" as (
    select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
    from (
    select c.project_id, case when c.is_new then 'contact.created' else 'contact.updated' end, c.id, jsonb_build_object('contact', jsonb_build_object('id', "c"."id", 'email', "c"."email", 'subscribed', "c"."subscribed"),
      'email', null, 'data', '{}'::jsonb), c.updated_at
    from written c
    ) as r(project_id, name, contact_id, facts, created_at)
  ),
  "people_announced_for_webhooks" as (
    insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
      created_at, next_attempt_at)
    select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
    from (select * from (select r.* from "people_announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
      select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
          select from unnest(w.event_types) as wanted(type)
          where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
    ) as endpoint
    returning 1
  ),
  flips as (
    select c.project_id, asked.event_id, case when c.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end, c.id,
      null::uuid, '{}'::jsonb, asked.asked_at
    from written c join asked on asked.project_id = c.project_id and asked.email = c.email where c.subscribed <> c.subscribed_before
  ),
  "people_consents" as (
    insert into consents (project_id, contact_id, id, kind, topic, source, ip, user_agent, text, actor_type, actor_id, actor_name, at)
    select r.project_id, r.contact_id, id_at(r.at, row_number() over ()), r.kind, r.topic, r.cause ->> 'source', r.cause ->> 'ip',
      r.cause ->> 'userAgent', r.cause ->> 'text', r.cause -> 'by' ->> 'type', (r.cause -> 'by' ->> 'id')::uuid,
      coalesce(r.cause -> 'by' ->> 'name', (select users.email from users where users.id = (r.cause -> 'by' ->> 'id')::uuid)), r.at
    from (
    select c.project_id, c.id, case when c.subscribed then 'subscribed' else 'unsubscribed' end, null, asked.asked_at, asked.cause
    from written c join asked on asked.project_id = c.project_id and asked.email = c.email
    where c.subscribed <> c.subscribed_before or c.is_new and c.subscribed
    ) as r(project_id, contact_id, kind, topic, at, cause)
  ), "flips_written_rows" as (
    select * from (select * from flips
    ) as r(project_id, id, name, contact_id, email_id, data, created_at)
  ),
  "flips_written_rows_for_workflows" as (
    select posthorn_queue.add_batches($44, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $45, array_agg(id), $46::int)
    from (select r.* from "flips_written_rows" r where r.contact_id is not null and coalesce(
      (select true from workflows w
       where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
      (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
      (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))) as wanted group by project_id
  ),
  "flips_written_rows_for_webhooks" as (
    insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
      created_at, next_attempt_at)
    select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, e.email_id, null::jsonb, e.created_at, e.created_at
    from (select * from (select r.* from "flips_written_rows" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
      select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
          select from unnest(w.event_types) as wanted(type)
          where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
    ) as endpoint
    returning 1
  ),
  "flips_written_rows_for_conversions" as (
    insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
    select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
      and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
    then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end,
      case when case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
      and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
    then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
    from (select r.* from "flips_written_rows" r where r.contact_id is not null and exists (
      select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)) as wanted join projects p on p.id = wanted.project_id cross join lateral (
      select k.email_id, k.campaign_id from link_clicks k
      where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
        and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
      order by k.last_at desc limit 1
    ) as clicked
    on conflict do nothing returning 1
  ),
  "flips_written" as (
    insert into events (project_id, id, name, contact_id, email_id, data, created_at)
    select * from "flips_written_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "flips_written_rows_for_workflows") >= 0 and (select count(*) from "flips_written_rows_for_webhooks") >= 0 and (select count(*) from "flips_written_rows_for_conversions") >= 0
  ),
  recipient as (
    select r.request, r.position, r.email_id, contact.id as contact_id, r.to_email, r.to_name,
      m.blanks || contact.data as contact_data
    from
    unnest(
      $47::int[], $48::uuid[],
      $49::text[], $50::text[]
    ) with ordinality as r(request, email_id, to_email, to_name, position) join message m on m.request = r.request
    join contact on contact.project_id = m.project_id and contact.email = r.to_email
  ),
  content as (
    insert into email_contents (project_id, id, subject, body, type, attachments, literal, plain, encrypted, topic, emails_left, data, created_at)
    select project_id, content_id, subject, body, type, convert_from(substring($51::bytea from ($52::int[])[request] - ($53::int[])[request] + 1 for ($54::int[])[request]), 'UTF8')::jsonb, literal, plain, substring($55::bytea from ($56::int[])[request] - ($57::int[])[request] + 1 for ($58::int[])[request]), topic, emails, null::jsonb, asked_at
    from message ),
  outbox as (
    insert into emails (project_id, id, contact_id, content_id, to_email, to_name, subject, from_email, from_name, reply_to,
      headers, variables, encrypted_variables, contact_data, source_type, template_id, campaign_id, workflow_execution_id, message_id, status,
      created_at, updated_at, via, key_id)
    select m.project_id, r.email_id, r.contact_id, m.content_id, r.to_email, r.to_name, m.known_subject, m.from_email, m.from_name,
      m.reply_to, m.headers, m.variables, m.encrypted_variables, r.contact_data, 'TRANSACTIONAL', m.template_id, m.campaign_id, m.workflow_execution_id,
      m.message_id, 'PENDING', m.asked_at, m.asked_at, m.via, m.key_id
    from recipient r join message m on m.request = r.request
    returning project_id, id, status
  ), added_jobs as (
    insert into posthorn_queue.jobs (name, payload, run_at, priority, max_attempts)
    select $59::text, item.payload, coalesce($60::timestamptz, now()),
      $61::smallint, $62::smallint
    from (select json_build_object('projectId', project_id, 'emailId', id) from outbox where status = 'PENDING') as item(payload)),
  completed as (
insert into idempotency_keys as existing (project_id, key, request, status_code, response, created_at, claim_id, fingerprint)
select done.project_id, done.key, coalesce(claimed.request, refuse_lost_claim()), 200, done.response, claimed.created_at,
  done.claim_id, done.fingerprint
from (
  select m.project_id, m.idempotency_key, m.claim_id, jsonb_build_object(
    'timestamp', to_char(m.asked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'emails', (
      select jsonb_agg(jsonb_build_object('email', r.email_id,
        'contact', jsonb_build_object('id', r.contact_id, 'email', r.to_email)) order by r.position)
      from recipient r where r.request = m.request
    )), m.fingerprint
  from message m where m.idempotency_key is not null) as done(project_id, key, claim_id, response, fingerprint) left join lateral (
  select request, created_at from idempotency_keys
  where idempotency_keys.project_id = done.project_id and idempotency_keys.key = done.key limit 1
) as claimed on true
on conflict (project_id, key) do update set status_code = excluded.status_code, response = excluded.response,
  fingerprint = excluded.fingerprint,
  request = case when existing.claim_id = excluded.claim_id and existing.status_code is null then existing.request
    else refuse_lost_claim() end)
  select request, email_id, contact_id, email, max from (
    select request, position, email_id, contact_id, to_email as email, null::bigint as max from recipient
    union all
    select request, 0, null, null, null, null from unverified
    union all
    select request, 0, null, null, email, null from opted_out where request not in (select request from unverified)
    union all
    select request, 0, null, null, null, max from over_limit
  ) as outcome
  order by request, position;

/* insert-emails-with-options */
with
  lock_timeout_set as materialized (select set_config('lock_timeout', $1, true)),
  request as (
    select *, ($2::int[])[request] as emails,
      ($3::text[])[request] as from_domain,
      ($4::jsonb[])[request] as blanks,
      ($5::text[])[request] as via, ($6::uuid[])[request] as key_id,
      ($7::text[])[request] as idempotency_key,
      ($8::uuid[])[request] as claim_id,
      ($9::bytea[])[request] as fingerprint
      ,
      ($10::jsonb[])[request] as options
    from
    unnest(
      $11::int[], $12::uuid[], $13::timestamptz[],
      $14::uuid[], $15::text[],
      $16::text[], $17::text[],
      $18::boolean[], $19::text[],
      $20::text[], $21::text[],
      $22::text[], $23::jsonb[],
      $24::jsonb[], $25::text[],
      $26::uuid[], null::uuid[],
      $27::uuid[], $28::text[],
      $29::bytea[], $30::int[]
    ) as message(request, project_id, asked_at, content_id, subject, body, type, literal, plain, from_email, from_name,
      reply_to, headers, variables, known_subject, template_id, campaign_id, workflow_execution_id, message_id,
      encrypted_variables, topic)
  ),
  person as (
    select p.*, ($31::uuid[])[p.request] as project_id,
      coalesce(p.subscribed, ($32::boolean[])[p.request]) as subscribed_if_new,
      array(select jsonb_array_elements_text(($33::jsonb[])[p.request])) as removed,
      ($34::timestamptz[])[p.request] as asked_at,
      ($35::jsonb[])[p.request] as cause,
      ($36::boolean[])[p.request] as by_public_key,
      ($37::boolean[])[p.request] as only_new
      ,
      array(select jsonb_array_elements_text(($38::jsonb[])[p.nth])::int) as decisions,
      array(select jsonb_array_elements_text(($39::jsonb[])[p.nth])::int) as undoing,
      ($40::boolean[])[p.nth] as keeps_opt_outs
    from unnest(
      $41::int[], $42::text[], $43::uuid[],
      $44::uuid[], $45::boolean[],
      $46::jsonb[]
    ) with ordinality as p(request, email, new_id, event_id, subscribed, patch, nth)
  ),
  unverified as (
    select request from request where not coalesce((
select domains.status = 'VERIFIED' from domains where domains.project_id = request.project_id and domains.domain = request.from_domain), false)
  ),
  opted_out as (
    select request.request, person.email from request join person on person.request = request.request
    left join topics as topic on topic.project_id = request.project_id and topic.number = request.topic
    left join lateral (
      select * from contacts where contacts.project_id = request.project_id and contacts.email = person.email limit 1
    ) as known on true
    cross join lateral (select
      coalesce(known.opted_out, false) and person.subscribed is not true as opted_out,
      coalesce(known.pending, false) and person.subscribed is not true as pending, known.paused_until
      , coalesce(person.subscribed, known.subscribed, person.subscribed_if_new) as subscribed,
      person.decisions || array(
        select decided from unnest(known.topics) as decided where not person.decisions && array[decided, -decided]) as topics) as reader
    where (request.type = 'MARKETING' or (request.type = 'HEADLESS' and topic.number is not null))
      and (((("reader"."opted_out" or "reader"."pending") or (topic.number is not null and not "reader"."subscribed")) or (("reader"."paused_until" > request.asked_at::timestamptz) is true) or (topic.number is not null and not (case when topic.default_subscribed then not -topic.number = any("reader"."topics") else topic.number = any("reader"."topics") end))) or exists (
select from suppressions where suppressions.project_id = request.project_id and suppressions.email = person.email)
        or exists (
select from topic_suppressions where topic_suppressions.project_id = request.project_id and topic_suppressions.email = person.email
  and topic_suppressions.topic = topic.number))
  ),
  accepted as (
    select * from request where (select true from lock_timeout_set)
      and request not in (select request from unverified) and request not in (select request from opted_out)
  ),
  cost as (
    select project_id, array_agg(request order by request) as requests, array_agg(size order by request) as sizes,
      date_trunc('month', max(at) at time zone 'UTC')::date as month
    from (select project_id, request, emails, asked_at from accepted where not coalesce("accepted"."options" ?| '{sendAt,test}', false)) as asked(project_id, request, size, at) group by project_id
  ),
  spent as (
    update billing_limits l set month = greatest(l.month, cost.month), used_before = case when l.month >= cost.month then l.used else 0 end,
      used = case when l.month >= cost.month then l.used else 0 end + fitting_sum(l.max - case when l.month >= cost.month then l.used else 0 end, cost.sizes)
    from cost where l.project_id = cost.project_id and l.source = $47::text
    returning l.max, cost.requests, fitting(l.max - l.used_before, cost.sizes) as fits
  ),
  over_limit as (
    select answer.request, spent.max from spent, unnest(spent.requests, spent.fits) as answer(request, fits) where not answer.fits
  ),
  message as (select * from accepted where request not in (select request from over_limit)),
  asked as (
    select distinct on (project_id, email) * from person where request in (select request from message) order by project_id, email, request
  ),
  -- Materialized: inlined, it is looked for among all who are asked, once for each contact that is written. That was
  -- most of an update of 1,000 contacts.
  removing as materialized (select project_id, email, removed from asked where removed <> '{}'),
  -- Lateral: a generic plan of the plain join reads every contact of the project (20 ms instead of 1 at 50,000).
  known as (
    select c.project_id, c.id, c.email, c.subscribed, c.opted_out, c.opted_out_by_api, c.pending, c.confirmation_requested_at, c.confirmed_at,
      c.paused_until, c.data, c.created_at, c.updated_at, c.topics
    from asked cross join lateral (
      select * from contacts where contacts.project_id = asked.project_id and contacts.email = asked.email limit 1
    ) as c
  ),
  written as (
    insert into contacts (project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at, created_by_import)
    select asked.project_id, asked.new_id, asked.email,
      asked.subscribed_if_new, asked.subscribed_if_new, asked.patch, asked.asked_at, asked.asked_at, (asked.cause ->> 'importId')::uuid
    from asked left join known on known.project_id = asked.project_id and known.email = asked.email
    where known.id is null or not asked.only_new and (
      known.subscribed <> asked.subscribed and not (asked.by_public_key and asked.subscribed and not (not "known"."pending" and (not "known"."opted_out" or "known"."opted_out_by_api")))
      or known.data <> (known.data || asked.patch) - asked.removed
      or not known.topics @> asked.decisions or known.topics && asked.undoing)
    order by asked.project_id, asked.email
    on conflict (project_id, email) do update set
      subscribed = coalesce(case when (excluded.project_id, excluded.email) in (select project_id, email from asked where subscribed is null or only_new) then null
        when excluded.subscribed and not (not "contacts"."pending" and (not "contacts"."opted_out" or "contacts"."opted_out_by_api")) and (excluded.project_id, excluded.email) in (select project_id, email from asked where by_public_key) then null
        else excluded.subscribed end, "contacts"."subscribed"), subscribed_before = "contacts"."subscribed", opted_out = not coalesce(case when (excluded.project_id, excluded.email) in (select project_id, email from asked where subscribed is null or only_new) then null
        when excluded.subscribed and not (not "contacts"."pending" and (not "contacts"."opted_out" or "contacts"."opted_out_by_api")) and (excluded.project_id, excluded.email) in (select project_id, email from asked where by_public_key) then null
        else excluded.subscribed end, "contacts"."subscribed") and ("contacts"."opted_out" or "contacts"."subscribed" ),
      opted_out_by_api = not coalesce(case when (excluded.project_id, excluded.email) in (select project_id, email from asked where subscribed is null or only_new) then null
        when excluded.subscribed and not (not "contacts"."pending" and (not "contacts"."opted_out" or "contacts"."opted_out_by_api")) and (excluded.project_id, excluded.email) in (select project_id, email from asked where by_public_key) then null
        else excluded.subscribed end, "contacts"."subscribed") and ("contacts"."opted_out" or "contacts"."subscribed" ) and (not "contacts"."opted_out" or "contacts"."opted_out_by_api") , pending = "contacts"."pending" and not coalesce(case when (excluded.project_id, excluded.email) in (select project_id, email from asked where subscribed is null or only_new) then null
        when excluded.subscribed and not (not "contacts"."pending" and (not "contacts"."opted_out" or "contacts"."opted_out_by_api")) and (excluded.project_id, excluded.email) in (select project_id, email from asked where by_public_key) then null
        else excluded.subscribed end, "contacts"."subscribed") ,
      data = case when (excluded.project_id, excluded.email) in (select project_id, email from asked where only_new) then contacts.data
        else bounded_contact_data(contacts.data, (contacts.data || excluded.data) - coalesce((
          select removed from removing where removing.project_id = excluded.project_id and removing.email = excluded.email
        ), '{}')) end,
      updated_at = excluded.updated_at, updated_by_import = coalesce(excluded.created_by_import, contacts.updated_by_import)
    returning project_id, id, email, subscribed, subscribed_before, paused_until, pending, confirmation_requested_at, confirmed_at, data, created_at, updated_at, xmax = 0 as is_new
  ),
  contact as (
    select project_id, id, email, subscribed, paused_until, pending, confirmation_requested_at, confirmed_at, data, created_at, updated_at, is_new, true as changed from written
    union all
    select project_id, id, email, subscribed, paused_until, pending, confirmation_requested_at, confirmed_at, data, created_at, updated_at, false, false from known
    where not exists (select from written where written.project_id = known.project_id and written.email = known.email)
  ),
  "people_announced" as (
    select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
    from (
    select c.project_id, case when c.is_new then 'contact.created' else 'contact.updated' end, c.id, jsonb_build_object('contact', jsonb_build_object('id', "c"."id", 'email', "c"."email", 'subscribed', "c"."subscribed"),
      'email', null, 'data', '{}'::jsonb), c.updated_at
    from written c
    ) as r(project_id, name, contact_id, facts, created_at)
  ),
  "people_announced_for_webhooks" as (
    insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
      created_at, next_attempt_at)
    select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
    from (select * from (select r.* from "people_announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
      select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
          select from unnest(w.event_types) as wanted(type)
          where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
    ) as endpoint
    returning 1
  ),
  deciding as materialized (
    select r.*, t.key, t.default_subscribed from (
    select contact.project_id, contact.id as contact_id, unnest(asked.decisions || array(
        select -stored from unnest(asked.undoing) as stored where stored = any(known.topics))) as decision, asked.cause,
      asked.keeps_opt_outs, asked.asked_at as at
    from asked join contact on contact.project_id = asked.project_id and contact.email = asked.email
    left join known on known.project_id = asked.project_id and known.email = asked.email
    where contact.is_new or not asked.only_new
    ) as r join topics t on t.project_id = r.project_id and t.number = abs(r.decision)
  ),
  keeping as materialized (select project_id, contact_id from deciding where keeps_opt_outs),
  decided as (
    insert into contact_topics as d (project_id, contact_id, topic, subscribed, subscribed_before, source, updated_at)
    select project_id, contact_id, abs(decision), decision > 0, default_subscribed, cause ->> 'source', at from deciding
    order by project_id, contact_id, abs(decision)
    on conflict (project_id, contact_id, topic) do update set
      subscribed = excluded.subscribed, subscribed_before = d.subscribed, source = excluded.source, updated_at = excluded.updated_at
    where d.subscribed <> excluded.subscribed
      and not (excluded.subscribed and (excluded.project_id, excluded.contact_id) in (select project_id, contact_id from keeping))
    returning d.project_id, d.contact_id, d.topic, d.subscribed, d.subscribed_before, d.updated_at
  ),
  "decision_consents" as (
    insert into consents (project_id, contact_id, id, kind, topic, source, ip, user_agent, text, actor_type, actor_id, actor_name, at)
    select r.project_id, r.contact_id, id_at(r.at, row_number() over ()), r.kind, r.topic, r.cause ->> 'source', r.cause ->> 'ip',
      r.cause ->> 'userAgent', r.cause ->> 'text', r.cause -> 'by' ->> 'type', (r.cause -> 'by' ->> 'id')::uuid,
      coalesce(r.cause -> 'by' ->> 'name', (select users.email from users where users.id = (r.cause -> 'by' ->> 'id')::uuid)), r.at
    from (
    select d.project_id, d.contact_id, case when d.subscribed then 'topic.subscribed' else 'topic.unsubscribed' end, a.key, d.updated_at, a.cause
    from decided d join deciding a on a.project_id = d.project_id and a.contact_id = d.contact_id and abs(a.decision) = d.topic
    ) as r(project_id, contact_id, kind, topic, at, cause)
  ),
  flips as (
    select c.project_id, asked.event_id, case when c.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end, c.id,
      null::uuid, '{}'::jsonb, asked.asked_at
    from written c join asked on asked.project_id = c.project_id and asked.email = c.email where c.subscribed <> c.subscribed_before
  union all
    select d.project_id, id_at(d.updated_at, row_number() over ()),
      case when d.subscribed then 'topic.subscribed' else 'topic.unsubscribed' end, d.contact_id, null::uuid,
      jsonb_build_object('topic', t.key), d.updated_at
    from decided d join topics t on t.project_id = d.project_id and t.number = d.topic
    where d.subscribed <> d.subscribed_before
  ),
  "people_consents" as (
    insert into consents (project_id, contact_id, id, kind, topic, source, ip, user_agent, text, actor_type, actor_id, actor_name, at)
    select r.project_id, r.contact_id, id_at(r.at, row_number() over ()), r.kind, r.topic, r.cause ->> 'source', r.cause ->> 'ip',
      r.cause ->> 'userAgent', r.cause ->> 'text', r.cause -> 'by' ->> 'type', (r.cause -> 'by' ->> 'id')::uuid,
      coalesce(r.cause -> 'by' ->> 'name', (select users.email from users where users.id = (r.cause -> 'by' ->> 'id')::uuid)), r.at
    from (
    select c.project_id, c.id, case when c.subscribed then 'subscribed' else 'unsubscribed' end, null, asked.asked_at, asked.cause
    from written c join asked on asked.project_id = c.project_id and asked.email = c.email
    where c.subscribed <> c.subscribed_before or c.is_new and c.subscribed
    ) as r(project_id, contact_id, kind, topic, at, cause)
  ), "flips_written_rows" as (
    select * from (select * from flips
    ) as r(project_id, id, name, contact_id, email_id, data, created_at)
  ),
  "flips_written_rows_for_workflows" as (
    select posthorn_queue.add_batches($48, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $49, array_agg(id), $50::int)
    from (select r.* from "flips_written_rows" r where r.contact_id is not null and coalesce(
      (select true from workflows w
       where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
      (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
      (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))) as wanted group by project_id
  ),
  "flips_written_rows_for_webhooks" as (
    insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
      created_at, next_attempt_at)
    select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, e.email_id, null::jsonb, e.created_at, e.created_at
    from (select * from (select r.* from "flips_written_rows" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
      select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
          select from unnest(w.event_types) as wanted(type)
          where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
    ) as endpoint
    returning 1
  ),
  "flips_written_rows_for_conversions" as (
    insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
    select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
      and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
    then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end,
      case when case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
      and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
    then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
    from (select r.* from "flips_written_rows" r where r.contact_id is not null and exists (
      select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)) as wanted join projects p on p.id = wanted.project_id cross join lateral (
      select k.email_id, k.campaign_id from link_clicks k
      where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
        and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
      order by k.last_at desc limit 1
    ) as clicked
    on conflict do nothing returning 1
  ),
  "flips_written" as (
    insert into events (project_id, id, name, contact_id, email_id, data, created_at)
    select * from "flips_written_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "flips_written_rows_for_workflows") >= 0 and (select count(*) from "flips_written_rows_for_webhooks") >= 0 and (select count(*) from "flips_written_rows_for_conversions") >= 0
  ),
  recipient as (
    select r.request, r.position, r.email_id, contact.id as contact_id, r.to_email, r.to_name,
      case when coalesce("m"."options" ? 'sendAt', false) then m.blanks else m.blanks || contact.data end as contact_data
    from
    unnest(
      $51::int[], $52::uuid[],
      $53::text[], $54::text[]
    ) with ordinality as r(request, email_id, to_email, to_name, position) join message m on m.request = r.request
    join contact on contact.project_id = m.project_id and contact.email = r.to_email
  ),
  content as (
    insert into email_contents (project_id, id, subject, body, type, attachments, literal, plain, encrypted, topic, emails_left, data, created_at)
    select project_id, content_id, subject, body, type, convert_from(substring($55::bytea from ($56::int[])[request] - ($57::int[])[request] + 1 for ($58::int[])[request]), 'UTF8')::jsonb, literal, plain, substring($59::bytea from ($60::int[])[request] - ($61::int[])[request] + 1 for ($62::int[])[request]), topic, emails, null::jsonb, asked_at
    from message ),
  outbox as (
    insert into emails (project_id, id, contact_id, content_id, to_email, to_name, subject, from_email, from_name, reply_to,
      headers, variables, encrypted_variables, contact_data, source_type, template_id, campaign_id, workflow_execution_id, message_id, status,
      created_at, updated_at, via, key_id, tags, reply_to_name, scheduled_for, cc, bcc, test, skipped)
    select m.project_id, r.email_id, r.contact_id, m.content_id, r.to_email, r.to_name, m.known_subject, m.from_email, m.from_name,
      m.reply_to, m.headers, m.variables, m.encrypted_variables, r.contact_data, 'TRANSACTIONAL', m.template_id, m.campaign_id, m.workflow_execution_id,
      m.message_id, case when coalesce("m"."options" ? 'sendAt', false) then 'SCHEDULED' else 'PENDING' end, m.asked_at, m.asked_at, m.via, m.key_id, m.options -> 'tags', m.options ->> 'replyToName', (m.options ->> 'sendAt')::timestamptz, m.options -> 'cc', m.options -> 'bcc',
      (m.options ->> 'test')::boolean, case when not coalesce("m"."options" ? 'sendAt', false) then (
        select jsonb_agg(jsonb_build_object('email', (copy ->> 'email'), 'reason', judged.reason))
        from jsonb_array_elements(coalesce(m.options -> 'cc', '[]') || coalesce(m.options -> 'bcc', '[]')) as copy
        left join topics as topic on topic.project_id = m.project_id and topic.number = m.topic
        left join lateral (
          select case when (("contacts"."opted_out" or "contacts"."pending") or (topic.number is not null and not "contacts"."subscribed")) then 'the contact has unsubscribed'
    when (("contacts"."paused_until" > m.asked_at::timestamptz) is true) then 'the contact has paused marketing email'
    when (topic.number is not null and not (case when topic.default_subscribed then not -topic.number = any("contacts"."topics") else topic.number = any("contacts"."topics") end)) then 'the contact is not subscribed to the topic' end as exclusion from contacts
          where contacts.project_id = m.project_id and contacts.email = (copy ->> 'email') limit 1
        ) as reader on true
        cross join lateral (select case
          when exists (
select from suppressions where suppressions.project_id = m.project_id and suppressions.email = (copy ->> 'email')) then 'The address is suppressed.'
          when not (m.type = 'MARKETING' or (m.type = 'HEADLESS' and topic.number is not null)) then null
          when exists (
select from topic_suppressions where topic_suppressions.project_id = m.project_id and topic_suppressions.email = (copy ->> 'email')
  and topic_suppressions.topic = topic.number) then 'The address is suppressed for the topic.'
          else upper(left(reader.exclusion, 1)) || substr(reader.exclusion, 2) || '.' end as reason) as judged
        where judged.reason is not null) end
    from recipient r join message m on m.request = r.request
    returning project_id, id, status
  ), added_jobs as (
    insert into posthorn_queue.jobs (name, payload, run_at, priority, max_attempts)
    select $63::text, item.payload, coalesce($64::timestamptz, now()),
      $65::smallint, $66::smallint
    from (
    select json_strip_nulls(json_build_object('projectId', outbox.project_id, 'emailId', outbox.id,
      'traceparent', ($67::text[])[recipient.request]))
    from outbox join recipient on recipient.email_id = outbox.id where outbox.status = 'PENDING') as item(payload)),
  scheduled as (
    insert into posthorn_queue.jobs (name, payload, run_at, key, priority, max_attempts)
    select $68::text, item.payload, item.run_at, item.key, $69::smallint,
      $70::smallint
    from (select json_build_object('projectId', m.project_id, 'emailId', r.email_id), (m.options ->> 'sendAt')::timestamptz,
      ('scheduled:' || r.email_id::text)
    from recipient r join message m on m.request = r.request where coalesce("m"."options" ? 'sendAt', false)) as item(payload, run_at, key)
  ),
  tagged as (
    insert into email_tags (project_id, name, value, id)
    select m.project_id, tag.key, tag.value, r.email_id
    from recipient r join message m on m.request = r.request cross join jsonb_each_text(m.options -> 'tags') as tag
    where m.options ? 'tags'
  ),
  completed as (
insert into idempotency_keys as existing (project_id, key, request, status_code, response, created_at, claim_id, fingerprint)
select done.project_id, done.key, coalesce(claimed.request, refuse_lost_claim()), 200, done.response, claimed.created_at,
  done.claim_id, done.fingerprint
from (
  select m.project_id, m.idempotency_key, m.claim_id, jsonb_build_object(
    'timestamp', to_char(m.asked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'emails', (
      select jsonb_agg(jsonb_build_object('email', r.email_id,
        'contact', jsonb_build_object('id', r.contact_id, 'email', r.to_email)) order by r.position)
      from recipient r where r.request = m.request
    )), m.fingerprint
  from message m where m.idempotency_key is not null) as done(project_id, key, claim_id, response, fingerprint) left join lateral (
  select request, created_at from idempotency_keys
  where idempotency_keys.project_id = done.project_id and idempotency_keys.key = done.key limit 1
) as claimed on true
on conflict (project_id, key) do update set status_code = excluded.status_code, response = excluded.response,
  fingerprint = excluded.fingerprint,
  request = case when existing.claim_id = excluded.claim_id and existing.status_code is null then existing.request
    else refuse_lost_claim() end)
  select request, email_id, contact_id, email, max from (
    select request, position, email_id, contact_id, to_email as email, null::bigint as max from recipient
    union all
    select request, 0, null, null, null, null from unverified
    union all
    select request, 0, null, null, email, null from opted_out where request not in (select request from unverified)
    union all
    select request, 0, null, null, null, max from over_limit
  ) as outcome
  order by request, position;

/* insert-shared-content */
with message as (select * from
  (select 1 as request, $1::uuid as project_id, $2::timestamptz as asked_at, $3::uuid as content_id,
    $4::text as subject, $5::text as body, $6::text as type, false as literal,
    $7::text as plain, $8::text as from_email, $9::text as from_name,
    $10::text as reply_to, '{}'::jsonb as headers, $11::jsonb as variables,
    $12::text as known_subject, $13::uuid as template_id, null::uuid as campaign_id,
    $14::uuid as workflow_execution_id, null::text as message_id,
    $15::bytea as encrypted_variables, $16::int as topic, $17::bytea as encrypted,
    $18::jsonb as data
  ) as message)
  insert into email_contents (project_id, id, subject, body, type, attachments, literal, plain, encrypted, topic, emails_left, data, created_at)
  select project_id, content_id, subject, body, type, '[]'::jsonb, literal, plain, encrypted, topic, null::int, data, asked_at
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
    $21::bytea as encrypted_variables, $22::int as topic, $23::bytea as encrypted,
    $24::jsonb as data
  ) as message),
recipient as (
  select 1 as request, $25::uuid as email_id, null::uuid as contact_id, $26::text as to_email, null::text as to_name,
    coalesce((select data || jsonb_build_object('id', id, 'email', email) from shown), '{}') as contact_data
),
content as (
  insert into email_contents (project_id, id, subject, body, type, attachments, literal, plain, encrypted, topic, emails_left, data, created_at)
  select project_id, content_id, subject, body, type, convert_from(substring($27::bytea from ($28::int[])[request] - ($29::int[])[request] + 1 for ($30::int[])[request]), 'UTF8')::jsonb, literal, plain, substring($31::bytea from ($32::int[])[request] - ($33::int[])[request] + 1 for ($34::int[])[request]), topic, emails, null::jsonb, asked_at
  from message ),
outbox as (
  insert into emails (project_id, id, contact_id, content_id, to_email, to_name, subject, from_email, from_name, reply_to,
    headers, variables, encrypted_variables, contact_data, source_type, template_id, campaign_id, workflow_execution_id, message_id, status,
    created_at, updated_at)
  select m.project_id, r.email_id, r.contact_id, m.content_id, r.to_email, r.to_name, m.known_subject, m.from_email, m.from_name,
    m.reply_to, m.headers, m.variables, m.encrypted_variables, r.contact_data, 'TEST', m.template_id, m.campaign_id, m.workflow_execution_id,
    m.message_id, 'PENDING', m.asked_at, m.asked_at
  from recipient r join message m on m.request = r.request
  returning project_id, id, status
), added_jobs as (
  insert into posthorn_queue.jobs (name, payload, run_at, priority, max_attempts)
  select $35::text, item.payload, coalesce($36::timestamptz, now()),
    $37::smallint, $38::smallint
  from (select json_build_object('projectId', project_id, 'emailId', id) from outbox where status = 'PENDING') as item(payload))
select;
