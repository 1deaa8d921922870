-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* await-confirmations */
with wanted as (
    select c.id from contacts c
    where c.project_id = $1 and c.email = any($2::text[]) and (not c.subscribed and not c.opted_out and not exists (
select from suppressions where suppressions.project_id = c.project_id and suppressions.email = c.email)
      and not exists (
select from objections where objections.project_id = c.project_id::uuid
  and objections.email_hash = sha256(convert_to(c.project_id::uuid::text || ' ' || c.email, 'UTF8'))))
    order by c.email for no key update
  )
  update contacts c set pending = true,
    confirmation_requested_at = case when c.pending then c.confirmation_requested_at
      else greatest($3::timestamptz, c.confirmed_at + interval '1 millisecond') end,
    confirmations_sent = case when c.pending then c.confirmations_sent else 0 end, updated_at = $4::timestamptz
  from wanted where c.project_id = $5 and c.id = wanted.id
  returning c.id;

/* change-contacts */
with wanted as (
  select c.*, g.subscribed as requested, (c.data || g.patch) - g.removed as new_data, g."eventId" as event_id
  from jsonb_to_recordset($1::jsonb)
    as g(id uuid, patch jsonb, removed text[], subscribed boolean, "eventId" uuid)
  join contacts c on c.project_id = $2 and c.id = g.id and c.id = any($3::uuid[])
  order by c.email for update of c
), written as (
  update contacts c set subscribed = coalesce(wanted.requested, "c"."subscribed"), subscribed_before = "c"."subscribed", opted_out = not coalesce(wanted.requested, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" ),
    opted_out_by_api = not coalesce(wanted.requested, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" ) and (not "c"."opted_out" or "c"."opted_out_by_api") , pending = "c"."pending" and not coalesce(wanted.requested, "c"."subscribed") , data = bounded_contact_data(c.data, wanted.new_data),
    updated_at = $4::timestamptz
  from wanted where c.project_id = $5 and c.id = wanted.id and c.id = any($6::uuid[])
    and (wanted.requested <> wanted.subscribed or wanted.new_data <> wanted.data)
  returning c.*, wanted.event_id
),
"flips_rows" as (
  select * from (
  select c.project_id, c.event_id, case when c.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end, c.id,
    null::uuid, '{}'::jsonb, $7::timestamptz
  from written c where c.subscribed <> c.subscribed_before
  ) as r(project_id, id, name, contact_id, email_id, data, created_at)
),
"flips_rows_for_workflows" as (
  select posthorn_queue.add_batches($8, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $9, array_agg(id), $10::int)
  from (select r.* from "flips_rows" r where r.contact_id is not null and coalesce(
    (select true from workflows w
     where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
    (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
    (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))) as wanted group by project_id
),
"flips_rows_for_webhooks" as (
  insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
    created_at, next_attempt_at)
  select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, e.email_id, null::jsonb, e.created_at, e.created_at
  from (select * from (select r.* from "flips_rows" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
    select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
        select from unnest(w.event_types) as wanted(type)
        where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
  ) as endpoint
  returning 1
),
"flips_rows_for_conversions" as (
  insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
  select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
    and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
  then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end,
    case when case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
    and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
  then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
  from (select r.* from "flips_rows" r where r.contact_id is not null and exists (
    select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)) as wanted join projects p on p.id = wanted.project_id cross join lateral (
    select k.email_id, k.campaign_id from link_clicks k
    where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
      and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
    order by k.last_at desc limit 1
  ) as clicked
  on conflict do nothing returning 1
),
"flips" as (
  insert into events (project_id, id, name, contact_id, email_id, data, created_at)
  select * from "flips_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "flips_rows_for_workflows") >= 0 and (select count(*) from "flips_rows_for_webhooks") >= 0 and (select count(*) from "flips_rows_for_conversions") >= 0
),
"flips_consents" as (
  insert into consents (project_id, contact_id, id, kind, topic, source, ip, user_agent, text, actor_type, actor_id, actor_name, at)
  select r.project_id, r.contact_id, id_at(r.at, row_number() over ()), r.kind, r.topic, r.cause ->> 'source', r.cause ->> 'ip',
    r.cause ->> 'userAgent', r.cause ->> 'text', r.cause -> 'by' ->> 'type', (r.cause -> 'by' ->> 'id')::uuid,
    coalesce(r.cause -> 'by' ->> 'name', (select users.email from users where users.id = (r.cause -> 'by' ->> 'id')::uuid)), r.at
  from (
  select c.project_id, c.id, case when c.subscribed then 'subscribed' else 'unsubscribed' end, null, $11::timestamptz, $12::jsonb
  from written c where c.subscribed <> c.subscribed_before
  ) as r(project_id, contact_id, kind, topic, at, cause)
),
"updated" as (
  select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
  from (select c.project_id, 'contact.updated', c.id, jsonb_build_object('contact', jsonb_build_object('id', "c"."id", 'email', "c"."email", 'subscribed', "c"."subscribed"),
    'email', null, 'data', '{}'::jsonb), $13::timestamptz from written c
  ) as r(project_id, name, contact_id, facts, created_at)
),
"updated_for_webhooks" as (
  insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
    created_at, next_attempt_at)
  select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
  from (select * from (select r.* from "updated" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
    select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
        select from unnest(w.event_types) as wanted(type)
        where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
  ) as endpoint
  returning 1
)
select id, email, coalesce(requested, subscribed) as subscribed, paused_until, new_data as data, created_at, updated_at from wanted;

/* confirm-contact */
with written as (
      update contacts c set subscribed = coalesce(true, "c"."subscribed"), subscribed_before = "c"."subscribed", opted_out = not coalesce(true, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or true is false),
        opted_out_by_api = not coalesce(true, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or true is false) and (not "c"."opted_out" or "c"."opted_out_by_api") and true is not false, pending = "c"."pending" and not coalesce(true, "c"."subscribed") and true is not false,
        confirmed_at = $1::timestamptz, confirmations_sent = 0, updated_at = $2::timestamptz
      where c.project_id = $3 and c.id = $4 and (c.pending or c.subscribed and exists (
          select from suppressions s
          where s.project_id = c.project_id and s.email = c.email and s.created_at <= $5::timestamptz))
        and (c.confirmed_at is null or c.confirmed_at < $6::timestamptz)
        and not exists (
          select from emails e where e.project_id = c.project_id
            and e.id = derive_id(first_id_at($7::timestamptz), c.id::text) and e.to_email <> c.email)
      returning c.*
    ), "confirmed_rows" as (
      select * from (
      select project_id, $8::uuid, 'contact.confirmed', id, null::uuid, '{}'::jsonb, $9::timestamptz from written
      union all
      select c.project_id, $10::uuid, case when c.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end, c.id,
        null::uuid, '{}'::jsonb, $11::timestamptz
      from written c where c.subscribed <> c.subscribed_before
      ) as r(project_id, id, name, contact_id, email_id, data, created_at)
    ),
    "confirmed_rows_for_workflows" as (
      select posthorn_queue.add_batches($12, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $13, array_agg(id), $14::int)
      from (select r.* from "confirmed_rows" r where r.contact_id is not null and coalesce(
        (select true from workflows w
         where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
        (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
        (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))) as wanted group by project_id
    ),
    "confirmed_rows_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, e.email_id, null::jsonb, e.created_at, e.created_at
      from (select * from (select r.* from "confirmed_rows" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    ),
    "confirmed_rows_for_conversions" as (
      insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
      select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end,
        case when case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
      from (select r.* from "confirmed_rows" r where r.contact_id is not null and exists (
        select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)) as wanted join projects p on p.id = wanted.project_id cross join lateral (
        select k.email_id, k.campaign_id from link_clicks k
        where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
          and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
        order by k.last_at desc limit 1
      ) as clicked
      on conflict do nothing returning 1
    ),
    "confirmed" as (
      insert into events (project_id, id, name, contact_id, email_id, data, created_at)
      select * from "confirmed_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "confirmed_rows_for_workflows") >= 0 and (select count(*) from "confirmed_rows_for_webhooks") >= 0 and (select count(*) from "confirmed_rows_for_conversions") >= 0
    ), "confirmations_recorded" as (
      insert into consents (project_id, contact_id, id, kind, topic, source, ip, user_agent, text, actor_type, actor_id, actor_name, at)
      select r.project_id, r.contact_id, id_at(r.at, row_number() over ()), r.kind, r.topic, r.cause ->> 'source', r.cause ->> 'ip',
        r.cause ->> 'userAgent', r.cause ->> 'text', r.cause -> 'by' ->> 'type', (r.cause -> 'by' ->> 'id')::uuid,
        coalesce(r.cause -> 'by' ->> 'name', (select users.email from users where users.id = (r.cause -> 'by' ->> 'id')::uuid)), r.at
      from (
      select project_id, id, kind, null, $15::timestamptz, $16::jsonb
      from written cross join (values (1, 'subscribed'), (2, 'confirmed')) as kinds(place, kind)
      where kind = 'confirmed' or subscribed_before is false order by place
      ) as r(project_id, contact_id, kind, topic, at, cause)
    ), "updated" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (select c.project_id, 'contact.updated', c.id, jsonb_build_object('contact', jsonb_build_object('id', "c"."id", 'email', "c"."email", 'subscribed', "c"."subscribed"),
        'email', null, 'data', '{}'::jsonb), $17::timestamptz from written c
      ) as r(project_id, name, contact_id, facts, created_at)
    ),
    "updated_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
      from (select * from (select r.* from "updated" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    ), lifted as (
  delete from suppressions where project_id = $18 and email in (select email from written) returning project_id, email
), "lifts_announced" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (
      select s.project_id, 'suppression.removed', null::uuid, jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('email', s.email)), $19::timestamptz
      from lifted s
      ) as r(project_id, name, contact_id, facts, created_at)
    ),
    "lifts_announced_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
      from (select * from (select r.* from "lifts_announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    )
    select from written;

/* decide-topics */
with found as materialized (
      select project_id, id, email from contacts where project_id = $1 and id = any($2::uuid[])
      order by email for no key update
    ),
    deciding as materialized (
      select r.*, t.key, t.default_subscribed from (
      select found.project_id, found.id as contact_id, unnest($3::int[]) as decision, $4::jsonb as cause,
        $5::boolean as keeps_opt_outs, $6::timestamptz as at
      from found
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
    ), "decisions_recorded_rows" as (
      select * from (
      select d.project_id, id_at(d.updated_at, row_number() over ()),
        case when d.subscribed then 'topic.subscribed' else 'topic.unsubscribed' end, d.contact_id, null::uuid,
        jsonb_build_object('topic', t.key), d.updated_at
      from decided d join topics t on t.project_id = d.project_id and t.number = d.topic
      where d.subscribed <> d.subscribed_before
      ) as r(project_id, id, name, contact_id, email_id, data, created_at)
    ),
    "decisions_recorded_rows_for_workflows" as (
      select posthorn_queue.add_batches($7, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $8, array_agg(id), $9::int)
      from (select r.* from "decisions_recorded_rows" r where r.contact_id is not null and coalesce(
        (select true from workflows w
         where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
        (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
        (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))) as wanted group by project_id
    ),
    "decisions_recorded_rows_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, e.email_id, null::jsonb, e.created_at, e.created_at
      from (select * from (select r.* from "decisions_recorded_rows" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    ),
    "decisions_recorded_rows_for_conversions" as (
      insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
      select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end,
        case when case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
      from (select r.* from "decisions_recorded_rows" r where r.contact_id is not null and exists (
        select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)) as wanted join projects p on p.id = wanted.project_id cross join lateral (
        select k.email_id, k.campaign_id from link_clicks k
        where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
          and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
        order by k.last_at desc limit 1
      ) as clicked
      on conflict do nothing returning 1
    ),
    "decisions_recorded" as (
      insert into events (project_id, id, name, contact_id, email_id, data, created_at)
      select * from "decisions_recorded_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "decisions_recorded_rows_for_workflows") >= 0 and (select count(*) from "decisions_recorded_rows_for_webhooks") >= 0 and (select count(*) from "decisions_recorded_rows_for_conversions") >= 0
    ),
    topics_lifted as (
  delete from topic_suppressions where project_id = $10 and (email, topic) in (select email, decision from found cross join unnest($11::int[]) as decision
        where decision > 0 and not $12::boolean)
  returning project_id, email, topic
), "topic_lifts_announced" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (
      select s.project_id, 'suppression.removed', null::uuid,
        jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('email', s.email, 'topic', (select t.key from topics t where t.project_id = s.project_id and t.number = s.topic))), $13::timestamptz
      from topics_lifted s
      ) as r(project_id, name, contact_id, facts, created_at)
    ),
    "topic_lifts_announced_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
      from (select * from (select r.* from "topic_lifts_announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    )
    select id, id in (select contact_id from decided) as changed from found;

/* decide-topics-in-email */
with found as materialized (
      select project_id, id, email from contacts where project_id = $1 and id = any($2::uuid[])
      order by email for no key update
    ),
    deciding as materialized (
      select r.*, t.key, t.default_subscribed from (
      select found.project_id, found.id as contact_id, unnest($3::int[]) as decision, $4::jsonb as cause,
        $5::boolean as keeps_opt_outs, $6::timestamptz as at
      from found
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
    ), "decisions_recorded_rows" as (
      select * from (
      select d.project_id, id_at(d.updated_at, row_number() over ()),
        case when d.subscribed then 'topic.subscribed' else 'topic.unsubscribed' end, d.contact_id, (
  select id from emails where project_id = $7 and contact_id = $8 and sent_at is not null order by id desc limit 1),
        jsonb_build_object('topic', t.key), d.updated_at
      from decided d join topics t on t.project_id = d.project_id and t.number = d.topic
      where d.subscribed <> d.subscribed_before
      ) as r(project_id, id, name, contact_id, email_id, data, created_at)
    ),
    "decisions_recorded_rows_for_workflows" as (
      select posthorn_queue.add_batches($9, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $10, array_agg(id), $11::int)
      from (select r.* from "decisions_recorded_rows" r where r.contact_id is not null and coalesce(
        (select true from workflows w
         where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
        (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
        (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))) as wanted group by project_id
    ),
    "decisions_recorded_rows_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, e.email_id, null::jsonb, e.created_at, e.created_at
      from (select * from (select r.* from "decisions_recorded_rows" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    ),
    "decisions_recorded_rows_for_conversions" as (
      insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
      select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end,
        case when case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
      from (select r.* from "decisions_recorded_rows" r where r.contact_id is not null and exists (
        select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)) as wanted join projects p on p.id = wanted.project_id cross join lateral (
        select k.email_id, k.campaign_id from link_clicks k
        where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
          and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
        order by k.last_at desc limit 1
      ) as clicked
      on conflict do nothing returning 1
    ),
    "decisions_recorded" as (
      insert into events (project_id, id, name, contact_id, email_id, data, created_at)
      select * from "decisions_recorded_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "decisions_recorded_rows_for_workflows") >= 0 and (select count(*) from "decisions_recorded_rows_for_webhooks") >= 0 and (select count(*) from "decisions_recorded_rows_for_conversions") >= 0
    ),
    topics_lifted as (
  delete from topic_suppressions where project_id = $12 and (email, topic) in (select email, decision from found cross join unnest($13::int[]) as decision
        where decision > 0 and not $14::boolean)
  returning project_id, email, topic
), "topic_lifts_announced" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (
      select s.project_id, 'suppression.removed', null::uuid,
        jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('email', s.email, 'topic', (select t.key from topics t where t.project_id = s.project_id and t.number = s.topic))), $15::timestamptz
      from topics_lifted s
      ) as r(project_id, name, contact_id, facts, created_at)
    ),
    "topic_lifts_announced_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
      from (select * from (select r.* from "topic_lifts_announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    )
    select id, id in (select contact_id from decided) as changed from found;

/* delete-contacts */
with gone as (
  delete from contacts where project_id = $1 and id = any($2::uuid[])
  returning project_id, id, email, subscribed, opted_out, updated_at
), objections_kept as (
  insert into objections (project_id, email_hash, objected_at)
  select r.project_id, sha256(convert_to(r.project_id::text || ' ' || r.email, 'UTF8')), coalesce((
    select consents.at from consents
    where consents.project_id = r.project_id and consents.contact_id = r.id and consents.kind = 'unsubscribed'
    order by consents.id desc limit 1), r.objected_at)
  from (select project_id, id, email, updated_at from gone where opted_out
  ) as r(project_id, id, email, objected_at) order by 1, 2
  on conflict (project_id, email_hash) do update set objected_at = greatest(objections.objected_at, excluded.objected_at)
), "deleted" as (
  select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
  from (select c.project_id, 'contact.deleted', c.id, jsonb_build_object('contact', jsonb_build_object('id', "c"."id", 'email', "c"."email", 'subscribed', "c"."subscribed"),
    'email', null, 'data', '{}'::jsonb), $3::timestamptz from gone c
  ) as r(project_id, name, contact_id, facts, created_at)
),
"deleted_for_webhooks" as (
  insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
    created_at, next_attempt_at)
  select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
  from (select * from (select r.* from "deleted" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
    select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
        select from unnest(w.event_types) as wanted(type)
        where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
  ) as endpoint
  returning 1
)
select id from gone;

/* erase-decisions */
delete from contact_topics where project_id = $1 and contact_id = any($2::uuid[]);

/* find-reader */
select subscribed, opted_out as "optedOut", pending, paused_until as "pausedUntil", topics from contacts
where project_id = $1 and id = $2;

/* find-topics-by-key */
select key, number, default_subscribed as "defaultSubscribed" from topics
where project_id = $1 and key = any(coalesce($2::text[], array[key])) order by position, id desc;

/* is-double-opt-in */
select coalesce((double_opt_in ->> 'enabled')::boolean, false) as enabled from projects where id = $1;

/* is-request-open */
select (c.pending or c.subscribed and exists (
      select from suppressions s
      where s.project_id = c.project_id and s.email = c.email and s.created_at <= $1::timestamptz))
    and (c.confirmed_at is null or c.confirmed_at < $2::timestamptz)
    and not exists (
      select from emails e where e.project_id = c.project_id
        and e.id = derive_id(first_id_at($3::timestamptz), c.id::text) and e.to_email <> c.email) as open from contacts c where c.project_id = $4 and c.id = $5;

/* list-awaiting */
select c.id from unnest($1::uuid[], $2::timestamptz[]) as marked(id, at)
  join contacts c on c.project_id = $3 and c.id = marked.id
  where c.pending and (not c.subscribed and not c.opted_out and not exists (
select from suppressions where suppressions.project_id = c.project_id and suppressions.email = c.email)
      and not exists (
select from objections where objections.project_id = c.project_id::uuid
  and objections.email_hash = sha256(convert_to(c.project_id::uuid::text || ' ' || c.email, 'UTF8')))) and (c.confirmations_sent = 0 or c.confirmation_requested_at <= marked.at);

/* list-campaigns-using-field */
select id, name from campaigns where project_id = $1 and fields @> array[$2::text] order by id;

/* list-contact-fields */
with counted as (
  select path, sum(count)::bigint as contacts from (
    select path, count from contact_counts where project_id = $1 and tally = 'field'
    union all
    select path, change from contact_count_changes where project_id = $2 and tally = 'field'
  ) as parts
  group by path
)
select * from (
  select f.path, f.type, counted.contacts
  from contact_fields f join counted on counted.path = f.path
  where f.project_id = $3 and counted.contacts > 0
    and ($4::text is null or array_to_string(f.path, '.') = $5::text)
  order by counted.contacts desc, f.path limit $6
) as listed order by path;

/* list-contacts */
select page.*, (
select coalesce(sum(count), 0)::bigint from (
  select count from contact_counts where project_id = $1 and tally = $2 and path = '{}'
  union all
  select change from contact_count_changes where project_id = $3 and tally = $4
) as parts) as total from (
    select id, email, subscribed, paused_until, pending, confirmation_requested_at, confirmed_at, data, created_at, updated_at
    from contacts where project_id = $5
    order by "contacts"."id" desc limit 101
  ) as page order by "page"."id" desc limit $6;

/* list-contacts-before */
select page.*, null::bigint as total from (
  select id, email, subscribed, paused_until, pending, confirmation_requested_at, confirmed_at, data, created_at, updated_at
  from contacts where project_id = $1  and id < $2::uuid
  order by "contacts"."id" desc limit 101
) as page order by "page"."id" desc limit $3;

/* list-contacts-by-email */
select page.*, null::bigint as total from (
  select id, email, subscribed, paused_until, pending, confirmation_requested_at, confirmed_at, data, created_at, updated_at
  from contacts where project_id = $1 and email = $2
  order by "contacts"."id" desc limit 101
) as page order by "page"."id" desc limit $3;

/* list-segments-using-field */
select id, name from segments where project_id = $1 and fields @> array[$2::text] order by id;

/* list-workflows-using-field */
select w.id, w.name from workflows w
where w.project_id = $1 and exists (
  select from workflow_steps s
  where s.project_id = w.project_id and s.workflow_id = w.id and s.used_fields @> array[$2::text])
order by w.id;

/* lock-contact */
select updated_at from contacts where project_id = $1 and id = $2 for update;

/* lookup-contacts */
select email from contacts where project_id = $1 and email = any($2::text[]);

/* patch-contact */
with before as (
      select * from contacts where project_id = $1 and id = $2 for update
    ), written as (
      update contacts set
        email = coalesce($3::text, email),
        subscribed = coalesce($4::boolean, "contacts"."subscribed"), subscribed_before = "contacts"."subscribed", opted_out = not coalesce($5::boolean, "contacts"."subscribed") and ("contacts"."opted_out" or "contacts"."subscribed" ),
        opted_out_by_api = not coalesce($6::boolean, "contacts"."subscribed") and ("contacts"."opted_out" or "contacts"."subscribed" ) and (not "contacts"."opted_out" or "contacts"."opted_out_by_api") , pending = "contacts"."pending" and not coalesce($7::boolean, "contacts"."subscribed") ,
        data = bounded_contact_data(data, (data || $8::jsonb) - $9::text[]),
        paused_until = case when $10::boolean then paused_until else $11::timestamptz end,
        updated_at = greatest($12::timestamptz, updated_at + interval '1 millisecond')
      where project_id = $13 and id = (select id from before)
      returning *
    ), changed as (
      select written.* from written join before using (id)
      where (written.email, written.subscribed, written.data, written.paused_until)
        is distinct from (before.email, before.subscribed, before.data, before.paused_until)
    ),
    "flips_rows" as (
      select * from (
      select c.project_id, $14::uuid, case when c.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end, c.id,
        null::uuid, '{}'::jsonb, $15::timestamptz
      from written c where c.subscribed <> c.subscribed_before
      ) as r(project_id, id, name, contact_id, email_id, data, created_at)
    ),
    "flips_rows_for_workflows" as (
      select posthorn_queue.add_batches($16, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $17, array_agg(id), $18::int)
      from (select r.* from "flips_rows" r where r.contact_id is not null and coalesce(
        (select true from workflows w
         where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
        (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
        (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))) as wanted group by project_id
    ),
    "flips_rows_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, e.email_id, null::jsonb, e.created_at, e.created_at
      from (select * from (select r.* from "flips_rows" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    ),
    "flips_rows_for_conversions" as (
      insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
      select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end,
        case when case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
      from (select r.* from "flips_rows" r where r.contact_id is not null and exists (
        select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)) as wanted join projects p on p.id = wanted.project_id cross join lateral (
        select k.email_id, k.campaign_id from link_clicks k
        where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
          and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
        order by k.last_at desc limit 1
      ) as clicked
      on conflict do nothing returning 1
    ),
    "flips" as (
      insert into events (project_id, id, name, contact_id, email_id, data, created_at)
      select * from "flips_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "flips_rows_for_workflows") >= 0 and (select count(*) from "flips_rows_for_webhooks") >= 0 and (select count(*) from "flips_rows_for_conversions") >= 0
    ),
    "flips_consents" as (
      insert into consents (project_id, contact_id, id, kind, topic, source, ip, user_agent, text, actor_type, actor_id, actor_name, at)
      select r.project_id, r.contact_id, id_at(r.at, row_number() over ()), r.kind, r.topic, r.cause ->> 'source', r.cause ->> 'ip',
        r.cause ->> 'userAgent', r.cause ->> 'text', r.cause -> 'by' ->> 'type', (r.cause -> 'by' ->> 'id')::uuid,
        coalesce(r.cause -> 'by' ->> 'name', (select users.email from users where users.id = (r.cause -> 'by' ->> 'id')::uuid)), r.at
      from (
      select c.project_id, c.id, case when c.subscribed then 'subscribed' else 'unsubscribed' end, null, $19::timestamptz, $20::jsonb
      from written c where c.subscribed <> c.subscribed_before
      ) as r(project_id, contact_id, kind, topic, at, cause)
    ), "updated" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (select c.project_id, 'contact.updated', c.id, jsonb_build_object('contact', jsonb_build_object('id', "c"."id", 'email', "c"."email", 'subscribed', "c"."subscribed"),
        'email', null, 'data', '{}'::jsonb), $21::timestamptz from changed c
      ) as r(project_id, name, contact_id, facts, created_at)
    ),
    "updated_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
      from (select * from (select r.* from "updated" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    ),
    lifted as (
  delete from suppressions where project_id = $22 and email in (select email from written where $23::boolean) returning project_id, email
), "lifts_announced" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (
      select s.project_id, 'suppression.removed', null::uuid, jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('email', s.email)), $24::timestamptz
      from lifted s
      ) as r(project_id, name, contact_id, facts, created_at)
    ),
    "lifts_announced_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
      from (select * from (select r.* from "lifts_announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    )
    select id, email, subscribed, paused_until, pending, confirmation_requested_at, confirmed_at, data, created_at, updated_at from written;

/* pause-marketing */
with written as (
  update contacts c set paused_until = $1::timestamptz, updated_at = $2::timestamptz
  where c.project_id = $3 and c.id = $4
  returning c.project_id, c.id, c.email, c.subscribed
), "updated" as (
  select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
  from (select c.project_id, 'contact.updated', c.id, jsonb_build_object('contact', jsonb_build_object('id', "c"."id", 'email', "c"."email", 'subscribed', "c"."subscribed"),
    'email', null, 'data', '{}'::jsonb), $5::timestamptz from written c
  ) as r(project_id, name, contact_id, facts, created_at)
),
"updated_for_webhooks" as (
  insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
    created_at, next_attempt_at)
  select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
  from (select * from (select r.* from "updated" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
    select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
        select from unnest(w.event_types) as wanted(type)
        where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
  ) as endpoint
  returning 1
)
select 1;

/* read-contact-count */
select (
select coalesce(sum(count), 0)::bigint from (
  select count from contact_counts where project_id = $1 and tally = $2 and path = '{}'
  union all
  select change from contact_count_changes where project_id = $3 and tally = $4
) as parts) as count;

/* request-confirmations */
with wanted as (
    select c.project_id, c.id, request.cause, request.at
    from unnest($1::uuid[], $2::jsonb[],
      $3::timestamptz[]) with ordinality as request(project_id, cause, at, number)
    join unnest($4::int[], $5::uuid[]) as given(request, contact_id)
      on given.request = request.number
    join contacts c on c.project_id = request.project_id and c.id = given.contact_id and c.project_id = any($6::uuid[]) and c.id = any($7::uuid[])
    where (not c.subscribed or exists (
select from suppressions where suppressions.project_id = c.project_id and suppressions.email = c.email)) and (c.confirmations_sent = 0 or c.confirmations_sent < 5
      and c.confirmation_requested_at <= request.at - interval '10 minutes')
    order by c.project_id, c.email for no key update of c
  ), asked as (
    update contacts c set pending = not c.subscribed, confirmations_sent = c.confirmations_sent + 1,
      confirmation_requested_at = greatest(wanted.at, c.confirmed_at + interval '1 millisecond'), updated_at = wanted.at
    from wanted where c.project_id = wanted.project_id and c.id = wanted.id and c.project_id = any($8::uuid[]) and c.id = any($9::uuid[])
    returning c.project_id, c.id, c.email, c.subscribed, c.confirmation_requested_at, wanted.cause, wanted.at
  ), "requests_recorded" as (
    insert into consents (project_id, contact_id, id, kind, topic, source, ip, user_agent, text, actor_type, actor_id, actor_name, at)
    select r.project_id, r.contact_id, id_at(r.at, row_number() over ()), r.kind, r.topic, r.cause ->> 'source', r.cause ->> 'ip',
      r.cause ->> 'userAgent', r.cause ->> 'text', r.cause -> 'by' ->> 'type', (r.cause -> 'by' ->> 'id')::uuid,
      coalesce(r.cause -> 'by' ->> 'name', (select users.email from users where users.id = (r.cause -> 'by' ->> 'id')::uuid)), r.at
    from (
    select project_id, id, 'confirmation.requested', null, at, cause from asked
    ) as r(project_id, contact_id, kind, topic, at, cause)
  ), "updated" as (
    select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
    from (select c.project_id, 'contact.updated', c.id, jsonb_build_object('contact', jsonb_build_object('id', "c"."id", 'email', "c"."email", 'subscribed', "c"."subscribed"),
      'email', null, 'data', '{}'::jsonb), c.at::timestamptz from asked c
    ) as r(project_id, name, contact_id, facts, created_at)
  ),
  "updated_for_webhooks" as (
    insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
      created_at, next_attempt_at)
    select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
    from (select * from (select r.* from "updated" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
      select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
          select from unnest(w.event_types) as wanted(type)
          where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
    ) as endpoint
    returning 1
  ),
  added_jobs as (
    insert into posthorn_queue.jobs (name, payload, run_at, priority, max_attempts)
    select $10::text, item.payload, coalesce($11::timestamptz, now()),
      $12::smallint, $13::smallint
    from (
    select json_build_object('projectId', project_id, 'contactId', id, 'requestedAt',
      to_char(confirmation_requested_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) from asked) as item(payload))
  select id from asked;

/* reset-sunset */
update contacts set sunset_reset_at = $1::timestamptz where project_id = $2 and id = $3
returning 1;

/* upsert-contact */
with
    person as (
      select p.*, ($1::uuid[])[p.request] as project_id,
        coalesce(p.subscribed, ($2::boolean[])[p.request]) as subscribed_if_new,
        array(select jsonb_array_elements_text(($3::jsonb[])[p.request])) as removed,
        ($4::timestamptz[])[p.request] as asked_at,
        ($5::jsonb[])[p.request] as cause,
        ($6::boolean[])[p.request] as by_public_key,
        ($7::boolean[])[p.request] as only_new
      from unnest(
        $8::int[], $9::text[], $10::uuid[],
        $11::uuid[], $12::boolean[],
        $13::jsonb[]
      ) as p(request, email, new_id, event_id, subscribed, patch)
    ),
    asked as (
      select distinct on (project_id, email) * from person where true order by project_id, email, request
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
      select posthorn_queue.add_batches($14, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $15, array_agg(id), $16::int)
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
    lifted as (
  delete from suppressions where project_id = $17 and email in (select email from asked where subscribed and not $18::boolean) returning project_id, email
), "lifts_announced" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (
      select s.project_id, 'suppression.removed', null::uuid, jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('email', s.email)), $19::timestamptz
      from lifted s
      ) as r(project_id, name, contact_id, facts, created_at)
    ),
    "lifts_announced_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
      from (select * from (select r.* from "lifts_announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    )
    select id, email, subscribed, paused_until, pending, confirmation_requested_at, confirmed_at, data, created_at, updated_at, is_new from contact;

/* upsert-contact-with-topics */
with
    person as (
      select p.*, ($1::uuid[])[p.request] as project_id,
        coalesce(p.subscribed, ($2::boolean[])[p.request]) as subscribed_if_new,
        array(select jsonb_array_elements_text(($3::jsonb[])[p.request])) as removed,
        ($4::timestamptz[])[p.request] as asked_at,
        ($5::jsonb[])[p.request] as cause,
        ($6::boolean[])[p.request] as by_public_key,
        ($7::boolean[])[p.request] as only_new
        ,
        array(select jsonb_array_elements_text(($8::jsonb[])[p.nth])::int) as decisions,
        array(select jsonb_array_elements_text(($9::jsonb[])[p.nth])::int) as undoing,
        ($10::boolean[])[p.nth] as keeps_opt_outs
      from unnest(
        $11::int[], $12::text[], $13::uuid[],
        $14::uuid[], $15::boolean[],
        $16::jsonb[]
      ) with ordinality as p(request, email, new_id, event_id, subscribed, patch, nth)
    ),
    asked as (
      select distinct on (project_id, email) * from person where true order by project_id, email, request
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
      select posthorn_queue.add_batches($17, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $18, array_agg(id), $19::int)
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
    lifted as (
  delete from suppressions where project_id = $20 and email in (select email from asked where subscribed and not $21::boolean) returning project_id, email
), "lifts_announced" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (
      select s.project_id, 'suppression.removed', null::uuid, jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('email', s.email)), $22::timestamptz
      from lifted s
      ) as r(project_id, name, contact_id, facts, created_at)
    ),
    "lifts_announced_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
      from (select * from (select r.* from "lifts_announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    )
    select id, email, subscribed, paused_until, pending, confirmation_requested_at, confirmed_at, data, created_at, updated_at, is_new from contact;

/* upsert-contacts */
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
), "flips_written_rows" as (
  select * from (select * from flips
  ) as r(project_id, id, name, contact_id, email_id, data, created_at)
),
"flips_written_rows_for_workflows" as (
  select posthorn_queue.add_batches($15, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $16, array_agg(id), $17::int)
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
)
select contact.id from person join contact on contact.project_id = person.project_id and contact.email = person.email
order by person.request;

/* upsert-contacts-with-topics */
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
), "flips_written_rows" as (
  select * from (select * from flips
  ) as r(project_id, id, name, contact_id, email_id, data, created_at)
),
"flips_written_rows_for_workflows" as (
  select posthorn_queue.add_batches($18, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $19, array_agg(id), $20::int)
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
)
select contact.id from person join contact on contact.project_id = person.project_id and contact.email = person.email
order by person.request;
