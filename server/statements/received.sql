-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* find-receiving-projects */
select d.domain, d.project_id as "projectId", p.disabled_at is not null as disabled
from domains d join projects p on p.id = d.project_id
where d.domain = any($1::text[]) and d.status = 'VERIFIED'
order by d.project_id;

/* insert-received */
with
  arrived as (
    select * from unnest(
      $1::uuid[], $2::text[],
      $3::uuid[], $4::uuid[],
      $5::jsonb[], $6::int[]
    ) as arrived(project_id, recipient, email_id, event_id, own_event, request)
  ),
  unseen as (
    select arrived.* from arrived where not exists (
      select from received_messages r
      where r.project_id = arrived.project_id and r.recipient = arrived.recipient and r.fingerprint = $7::bytea)
  ),
  cost as (
    select project_id, array_agg(request order by request) as requests, array_agg(size order by request) as sizes,
      date_trunc('month', max(at) at time zone 'UTC')::date as month
    from (select project_id, request, count(*)::int, $8::timestamptz from unseen group by project_id, request) as asked(project_id, request, size, at) group by project_id
  ),
  spent as (
    update billing_limits l set month = greatest(l.month, cost.month), used_before = case when l.month >= cost.month then l.used else 0 end,
      used = case when l.month >= cost.month then l.used else 0 end + fitting_sum(l.max - case when l.month >= cost.month then l.used else 0 end, cost.sizes)
    from cost where l.project_id = cost.project_id and l.source = $9::text
    returning l.max, cost.requests, fitting(l.max - l.used_before, cost.sizes) as fits
  ),
  over_limit as (
    select answer.request, spent.max from spent, unnest(spent.requests, spent.fits) as answer(request, fits) where not answer.fits
  ),
  fresh as (
    insert into received_messages (project_id, recipient, fingerprint, received_at)
    select project_id, recipient, $10::bytea, $11::timestamptz from unseen
    where request not in (select request from over_limit) order by project_id, recipient
    on conflict do nothing
    returning project_id, recipient
  ),
  person as (
    select p.*, ($12::uuid[])[p.request] as project_id,
      coalesce(p.subscribed, ($13::boolean[])[p.request]) as subscribed_if_new,
      array(select jsonb_array_elements_text(($14::jsonb[])[p.request])) as removed,
      ($15::timestamptz[])[p.request] as asked_at,
      ($16::jsonb[])[p.request] as cause,
      ($17::boolean[])[p.request] as by_public_key,
      ($18::boolean[])[p.request] as only_new
    from unnest(
      $19::int[], $20::text[], $21::uuid[],
      $22::uuid[], $23::boolean[],
      $24::jsonb[]
    ) as p(request, email, new_id, event_id, subscribed, patch)
  ),
  asked as (
    select distinct on (project_id, email) * from person where project_id in (select project_id from fresh) order by project_id, email, request
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
  ),
  recipient as (
    select arrived.request, arrived.project_id, arrived.email_id, contact.id as contact_id, arrived.recipient as to_email,
      null::text as to_name, '{}'::jsonb as contact_data, arrived.event_id, arrived.own_event
    from arrived join fresh on fresh.project_id = arrived.project_id and fresh.recipient = arrived.recipient
    left join contact on contact.project_id = arrived.project_id
  ),
  message as (
    select message.*, r.emails from
    unnest(
      $25::int[], $26::uuid[], $27::timestamptz[],
      $28::uuid[], $29::text[],
      $30::text[], $31::text[],
      $32::boolean[], $33::text[],
      $34::text[], $35::text[],
      $36::text[], $37::jsonb[],
      $38::jsonb[], $39::text[],
      $40::uuid[], null::uuid[],
      $41::uuid[], $42::text[],
      $43::bytea[], $44::int[]
    ) as message(request, project_id, asked_at, content_id, subject, body, type, literal, plain, from_email, from_name,
      reply_to, headers, variables, known_subject, template_id, campaign_id, workflow_execution_id, message_id,
      encrypted_variables, topic)
    join (select request, count(*)::int as emails from recipient group by request) as r on r.request = message.request
  ),
  content as (
    insert into email_contents (project_id, id, subject, body, type, attachments, literal, plain, encrypted, topic, emails_left, data, created_at)
    select project_id, content_id, subject, body, type, convert_from(substring($45::bytea from ($46::int[])[request] - ($47::int[])[request] + 1 for ($48::int[])[request]), 'UTF8')::jsonb, literal, plain, substring($49::bytea from ($50::int[])[request] - ($51::int[])[request] + 1 for ($52::int[])[request]), topic, emails, null::jsonb, asked_at
    from message ),
  outbox as (
    insert into emails (project_id, id, contact_id, content_id, to_email, to_name, subject, from_email, from_name, reply_to,
      headers, variables, encrypted_variables, contact_data, source_type, template_id, campaign_id, workflow_execution_id, message_id, status,
      created_at, updated_at)
    select m.project_id, r.email_id, r.contact_id, m.content_id, r.to_email, r.to_name, m.known_subject, m.from_email, m.from_name,
      m.reply_to, m.headers, m.variables, m.encrypted_variables, r.contact_data, 'INBOUND', m.template_id, m.campaign_id, m.workflow_execution_id,
      m.message_id, 'RECEIVED', m.asked_at, m.asked_at
    from recipient r join message m on m.request = r.request
    returning project_id, id, status
  ),
  "events_written_rows" as (
    select * from (
    select project_id, event_id, 'email.received', contact_id, email_id, shared.event || own_event, $53::timestamptz
    from recipient, (select $54::jsonb as event) as shared
    where shared.event is not null and not exists (
select from emails e where e.project_id = recipient.project_id and e.id = $55::uuid and e.source_type <> 'INBOUND')
    union all
    select * from flips
    ) as r(project_id, id, name, contact_id, email_id, data, created_at)
  ),
  "events_written_rows_for_workflows" as (
    select posthorn_queue.add_batches($56, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $57, array_agg(id), $58::int)
    from (select r.* from "events_written_rows" r where r.contact_id is not null and coalesce(
      (select true from workflows w
       where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
      (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
      (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))) as wanted group by project_id
  ),
  "events_written_rows_for_webhooks" as (
    insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
      created_at, next_attempt_at)
    select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, e.email_id, null::jsonb, e.created_at, e.created_at
    from (select * from (select r.* from "events_written_rows" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
      select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
          select from unnest(w.event_types) as wanted(type)
          where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
    ) as endpoint
    returning 1
  ),
  "events_written_rows_for_conversions" as (
    insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
    select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
      and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
    then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end,
      case when case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
      and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
    then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
    from (select r.* from "events_written_rows" r where r.contact_id is not null and exists (
      select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)) as wanted join projects p on p.id = wanted.project_id cross join lateral (
      select k.email_id, k.campaign_id from link_clicks k
      where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
        and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
      order by k.last_at desc limit 1
    ) as clicked
    on conflict do nothing returning 1
  ),
  "events_written" as (
    insert into events (project_id, id, name, contact_id, email_id, data, created_at)
    select * from "events_written_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "events_written_rows_for_workflows") >= 0 and (select count(*) from "events_written_rows_for_webhooks") >= 0 and (select count(*) from "events_written_rows_for_conversions") >= 0
  )
  select request from over_limit;
