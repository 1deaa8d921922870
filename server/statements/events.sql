-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* list-event-fields */
with recursive recent as (
  select id, case jsonb_typeof(data) when 'object' then data else '{}' end as data
  from events where project_id = $1 and name = $2 order by id desc limit $3
), node as (
  select recent.id, array[e.key] as path, e.value from recent, jsonb_each(recent.data) e
  union all
  select n.id, n.path || e.key, e.value from node n, jsonb_each(n.value) e where jsonb_typeof(n.value) = 'object'
), leaf as (
  select path, (array_agg(field_type(value) order by id desc))[1] as type, count(*)::int as events
  from node where jsonb_typeof(value) not in ('object', 'null') group by path
)
select * from (
  select path, type, events, (select count(*) from recent)::int as sampled from leaf
  order by events desc, path limit $4
) as listed order by path;

/* list-event-users */
select kind, id, name from (
  select 'segment' as kind, id, name from segments
  where project_id = $1 and event_names @> array[$2::text]
  union all
  select 'campaign', id, name from campaigns
  where project_id = $3 and event_names @> array[$4::text]
  union all
  select 'workflow', w.id, w.name from workflows w
  where w.project_id = $5 and ((w.trigger_type = 'EVENT' and w.event_name = $6) or exists (
    select from workflow_steps s
    where s.project_id = w.project_id and s.workflow_id = w.id and (s.event_name = $7
      or s.used_fields @> array['event.' || $8::text])))
) as users order by id;

/* track-events */
with
  lock_timeout_set as materialized (select set_config('lock_timeout', $1, true)),
  person as (
    select p.*, ($2::uuid[])[p.request] as project_id,
      coalesce(p.subscribed, ($3::boolean[])[p.request]) as subscribed_if_new,
      array(select jsonb_array_elements_text(($4::jsonb[])[p.request])) as removed,
      ($5::timestamptz[])[p.request] as asked_at,
      ($6::jsonb[])[p.request] as cause,
      ($7::boolean[])[p.request] as by_public_key,
      ($8::boolean[])[p.request] as only_new
    from unnest(
      $9::int[], $10::text[], $11::uuid[],
      $12::uuid[], $13::boolean[],
      $14::jsonb[]
    ) as p(request, email, new_id, event_id, subscribed, patch)
  ),
  asked as (
    select distinct on (project_id, email) * from person where (select true from lock_timeout_set) order by project_id, email, request
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
  event as (
    select e.request, e.id, e.name, e.data, e.idempotency_key, e.claim_id, e.fingerprint, person.project_id, person.asked_at, contact.id as contact_id
    from unnest(
      $15::int[], $16::uuid[], $17::text[],
      $18::jsonb[], $19::text[],
      $20::uuid[], $21::bytea[]
    ) as e(request, id, name, data, idempotency_key, claim_id, fingerprint)
    join person on person.request = e.request
    join contact on contact.project_id = person.project_id and contact.email = person.email
  ),
  "tracked_rows" as (
    select * from (
    select project_id, id, name, contact_id, null::uuid, data, asked_at from event
    union all
    select * from flips
    ) as r(project_id, id, name, contact_id, email_id, data, created_at)
  ),
  "tracked_rows_for_workflows" as (
    select posthorn_queue.add_batches($22, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $23, array_agg(id), $24::int)
    from (select r.* from "tracked_rows" r where r.contact_id is not null and coalesce(
      (select true from workflows w
       where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
      (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
      (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))) as wanted group by project_id
  ),
  "tracked_rows_for_webhooks" as (
    insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
      created_at, next_attempt_at)
    select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, e.email_id, null::jsonb, e.created_at, e.created_at
    from (select * from (select r.* from "tracked_rows" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
      select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
          select from unnest(w.event_types) as wanted(type)
          where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
    ) as endpoint
    returning 1
  ),
  "tracked_rows_for_conversions" as (
    insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
    select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
      and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
    then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end,
      case when case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
      and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
    then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
    from (select r.* from "tracked_rows" r where r.contact_id is not null and exists (
      select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)) as wanted join projects p on p.id = wanted.project_id cross join lateral (
      select k.email_id, k.campaign_id from link_clicks k
      where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
        and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
      order by k.last_at desc limit 1
    ) as clicked
    on conflict do nothing returning 1
  ),
  "tracked_days" as (
    insert into event_day_changes (project_id, day, name, change)
    select project_id, utc_day(created_at), name, count(*) from "tracked_rows" group by project_id, utc_day(created_at), name
  ),
  "tracked_contacts" as (
    insert into event_contact_changes (project_id, name, contact_id, change)
    select project_id, name, contact_id, count(*) from "tracked_rows" where contact_id is not null
    group by project_id, name, contact_id
  ),
  "tracked_for_watchers" as (
    select pg_notify('posthorn_activity', r.project_id::text) from "tracked_rows" r
    where exists (select from activity_watchers w where w.project_id = r.project_id and w.until > now()) group by r.project_id
  ),
  "tracked" as (
    insert into events (project_id, id, name, contact_id, email_id, data, created_at)
    select * from "tracked_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "tracked_rows_for_workflows") >= 0 and (select count(*) from "tracked_rows_for_webhooks") >= 0 and (select count(*) from "tracked_rows_for_conversions") >= 0 and (select set_config('posthorn.events_counted_at', statement_timestamp()::text, true)) is not null and (select count(*) from "tracked_for_watchers") >= 0
  ),
  completed as (
insert into idempotency_keys as existing (project_id, key, request, status_code, response, created_at, claim_id, fingerprint)
select done.project_id, done.key, coalesce(claimed.request, refuse_lost_claim()), 200, done.response, claimed.created_at,
  done.claim_id, done.fingerprint
from (
    select project_id, idempotency_key, claim_id, jsonb_build_object('contact', contact_id, 'event', id,
      'timestamp', to_char(asked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), fingerprint
    from event where idempotency_key is not null) as done(project_id, key, claim_id, response, fingerprint) left join lateral (
  select request, created_at from idempotency_keys
  where idempotency_keys.project_id = done.project_id and idempotency_keys.key = done.key limit 1
) as claimed on true
on conflict (project_id, key) do update set status_code = excluded.status_code, response = excluded.response,
  fingerprint = excluded.fingerprint,
  request = case when existing.claim_id = excluded.claim_id and existing.status_code is null then existing.request
    else refuse_lost_claim() end)
  select contact_id from event order by request;

/* track-events-with-topics */
with
  lock_timeout_set as materialized (select set_config('lock_timeout', $1, true)),
  person as (
    select p.*, ($2::uuid[])[p.request] as project_id,
      coalesce(p.subscribed, ($3::boolean[])[p.request]) as subscribed_if_new,
      array(select jsonb_array_elements_text(($4::jsonb[])[p.request])) as removed,
      ($5::timestamptz[])[p.request] as asked_at,
      ($6::jsonb[])[p.request] as cause,
      ($7::boolean[])[p.request] as by_public_key,
      ($8::boolean[])[p.request] as only_new
      ,
      array(select jsonb_array_elements_text(($9::jsonb[])[p.nth])::int) as decisions,
      array(select jsonb_array_elements_text(($10::jsonb[])[p.nth])::int) as undoing,
      ($11::boolean[])[p.nth] as keeps_opt_outs
    from unnest(
      $12::int[], $13::text[], $14::uuid[],
      $15::uuid[], $16::boolean[],
      $17::jsonb[]
    ) with ordinality as p(request, email, new_id, event_id, subscribed, patch, nth)
  ),
  asked as (
    select distinct on (project_id, email) * from person where (select true from lock_timeout_set) order by project_id, email, request
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
  ),
  event as (
    select e.request, e.id, e.name, e.data, e.idempotency_key, e.claim_id, e.fingerprint, person.project_id, person.asked_at, contact.id as contact_id
    from unnest(
      $18::int[], $19::uuid[], $20::text[],
      $21::jsonb[], $22::text[],
      $23::uuid[], $24::bytea[]
    ) as e(request, id, name, data, idempotency_key, claim_id, fingerprint)
    join person on person.request = e.request
    join contact on contact.project_id = person.project_id and contact.email = person.email
  ),
  "tracked_rows" as (
    select * from (
    select project_id, id, name, contact_id, null::uuid, data, asked_at from event
    union all
    select * from flips
    ) as r(project_id, id, name, contact_id, email_id, data, created_at)
  ),
  "tracked_rows_for_workflows" as (
    select posthorn_queue.add_batches($25, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $26, array_agg(id), $27::int)
    from (select r.* from "tracked_rows" r where r.contact_id is not null and coalesce(
      (select true from workflows w
       where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
      (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
      (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))) as wanted group by project_id
  ),
  "tracked_rows_for_webhooks" as (
    insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
      created_at, next_attempt_at)
    select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, e.email_id, null::jsonb, e.created_at, e.created_at
    from (select * from (select r.* from "tracked_rows" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
      select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
          select from unnest(w.event_types) as wanted(type)
          where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
    ) as endpoint
    returning 1
  ),
  "tracked_rows_for_conversions" as (
    insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
    select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
      and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
    then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end,
      case when case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
      and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
    then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
    from (select r.* from "tracked_rows" r where r.contact_id is not null and exists (
      select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)) as wanted join projects p on p.id = wanted.project_id cross join lateral (
      select k.email_id, k.campaign_id from link_clicks k
      where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
        and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
      order by k.last_at desc limit 1
    ) as clicked
    on conflict do nothing returning 1
  ),
  "tracked_days" as (
    insert into event_day_changes (project_id, day, name, change)
    select project_id, utc_day(created_at), name, count(*) from "tracked_rows" group by project_id, utc_day(created_at), name
  ),
  "tracked_contacts" as (
    insert into event_contact_changes (project_id, name, contact_id, change)
    select project_id, name, contact_id, count(*) from "tracked_rows" where contact_id is not null
    group by project_id, name, contact_id
  ),
  "tracked_for_watchers" as (
    select pg_notify('posthorn_activity', r.project_id::text) from "tracked_rows" r
    where exists (select from activity_watchers w where w.project_id = r.project_id and w.until > now()) group by r.project_id
  ),
  "tracked" as (
    insert into events (project_id, id, name, contact_id, email_id, data, created_at)
    select * from "tracked_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "tracked_rows_for_workflows") >= 0 and (select count(*) from "tracked_rows_for_webhooks") >= 0 and (select count(*) from "tracked_rows_for_conversions") >= 0 and (select set_config('posthorn.events_counted_at', statement_timestamp()::text, true)) is not null and (select count(*) from "tracked_for_watchers") >= 0
  ),
  completed as (
insert into idempotency_keys as existing (project_id, key, request, status_code, response, created_at, claim_id, fingerprint)
select done.project_id, done.key, coalesce(claimed.request, refuse_lost_claim()), 200, done.response, claimed.created_at,
  done.claim_id, done.fingerprint
from (
    select project_id, idempotency_key, claim_id, jsonb_build_object('contact', contact_id, 'event', id,
      'timestamp', to_char(asked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), fingerprint
    from event where idempotency_key is not null) as done(project_id, key, claim_id, response, fingerprint) left join lateral (
  select request, created_at from idempotency_keys
  where idempotency_keys.project_id = done.project_id and idempotency_keys.key = done.key limit 1
) as claimed on true
on conflict (project_id, key) do update set status_code = excluded.status_code, response = excluded.response,
  fingerprint = excluded.fingerprint,
  request = case when existing.claim_id = excluded.claim_id and existing.status_code is null then existing.request
    else refuse_lost_claim() end)
  select contact_id from event order by request;
