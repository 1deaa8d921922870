-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* choose-preference */
with written as (
      update contacts c set subscribed = coalesce($1::boolean, "c"."subscribed"), subscribed_before = "c"."subscribed", opted_out = not coalesce($2::boolean, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or $3::boolean is false),
        opted_out_by_api = not coalesce($4::boolean, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or $5::boolean is false) and (not "c"."opted_out" or "c"."opted_out_by_api") and $6::boolean is not false, pending = "c"."pending" and not coalesce($7::boolean, "c"."subscribed") and $8::boolean is not false, updated_at = $9::timestamptz
      where c.project_id = $10 and c.id = $11 and ("c"."subscribed", "c"."opted_out", "c"."opted_out_by_api", "c"."pending")
        <> (coalesce($12::boolean, "c"."subscribed"), not coalesce($13::boolean, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or $14::boolean is false), not coalesce($15::boolean, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or $16::boolean is false) and (not "c"."opted_out" or "c"."opted_out_by_api") and $17::boolean is not false, "c"."pending" and not coalesce($18::boolean, "c"."subscribed") and $19::boolean is not false)
      returning c.project_id, c.id, c.email, c.subscribed, c.subscribed_before
    ),
    "flips_rows" as (
      select * from (
      select c.project_id, $20::uuid, case when c.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end, c.id,
        (
  select id from emails where project_id = $21 and contact_id = $22 and sent_at is not null order by id desc limit 1), '{}'::jsonb, $23::timestamptz
      from written c where c.subscribed <> c.subscribed_before
      ) as r(project_id, id, name, contact_id, email_id, data, created_at)
    ),
    "flips_rows_for_workflows" as (
      select posthorn_queue.add_batches($24, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $25, array_agg(id), $26::int)
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
      select c.project_id, c.id, case when c.subscribed then 'subscribed' else 'unsubscribed' end, null, $27::timestamptz, $28::jsonb
      from written c
      ) as r(project_id, contact_id, kind, topic, at, cause)
    ), "updated" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (select c.project_id, 'contact.updated', c.id, jsonb_build_object('contact', jsonb_build_object('id', "c"."id", 'email', "c"."email", 'subscribed', "c"."subscribed"),
        'email', null, 'data', '{}'::jsonb), $29::timestamptz from written c
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
  delete from suppressions where project_id = $30 and email in (select email from contacts where project_id = $31 and id = $32 and $33::boolean) returning project_id, email
), "lifts_announced" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (
      select s.project_id, 'suppression.removed', null::uuid, jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('email', s.email)), $34::timestamptz
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
    select 1;

/* find-preferences */
select p.name as project_name, p.language as project_language, p.branding, c.email, c.subscribed, c.opted_out, exists (
select from suppressions where suppressions.project_id = p.id and suppressions.email = c.email) as is_suppressed,
    c.paused_until, c.data -> 'locale' as locale, c.data -> 'timezone' as timezone,
    p.preference_page as offers
  from projects p left join contacts c on c.project_id = p.id and c.id = $1
  where p.id = $2;
