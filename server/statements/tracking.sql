-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* mark-engaged */
with reported as (
    select * from jsonb_to_recordset($1::jsonb) as reported("projectId" uuid, "emailId" uuid, at timestamptz,
      opens int, clicks int, "botOpens" int, "botClicks" int, link text, "botLink" text, links jsonb,
      "openEventId" uuid, "clickEventId" uuid, "botOpenNoteId" uuid, "botClickNoteId" uuid)
  ),
  locked as (
    select reported.*, e.opened_at is null as unopened, e.clicked_at is null as unclicked,
      e.bot_opens = 0 as no_bot_opened, e.bot_clicks = 0 as no_bot_clicked,
      coalesce(reported.at < e.sent_at + make_interval(secs => $2::float8 / 1000), false) as fast
    from reported join emails e on e.id = "reported"."emailId"
    where e.project_id = $3::uuid and e.id = any($4::uuid[]) and e.id between $5::uuid and $6::uuid and e.status || '' not in ('SCHEDULED', 'PENDING', 'SENDING', 'FAILED', 'CANCELLED', 'SKIPPED', 'RECEIVED')
    order by e.project_id, e.id for no key update of e
  ),
  hit as (
    select h.*, case when fast then 0 else opens end as real_opens, case when fast then 0 else clicks end as real_clicks,
      "botOpens" + case when fast then opens else 0 end as bot_opens,
      "botClicks" + case when fast then clicks else 0 end as bot_clicks
    from locked h
  ),
  marked as (
    update emails e set opens = case when h.real_clicks > 0 then greatest(e.opens + h.real_opens, 1) else e.opens + h.real_opens end,
      clicks = e.clicks + h.real_clicks,
      bot_opens = e.bot_opens + h.bot_opens, bot_clicks = e.bot_clicks + h.bot_clicks,
      opened_at = case when h.real_opens + h.real_clicks > 0 then coalesce(e.opened_at, h.at) else e.opened_at end,
      clicked_at = case when h.real_clicks > 0 then coalesce(e.clicked_at, h.at) else e.clicked_at end,
      status = case when h.real_clicks > 0 and e.status in ('SENT', 'DELIVERED', 'OPENED') then 'CLICKED'
        when h.real_opens > 0 and e.status in ('SENT', 'DELIVERED') then 'OPENED' else e.status end, updated_at = $7::timestamptz
    from hit h
    where e.id = "h"."emailId" and e.project_id = $8::uuid and e.id = any($9::uuid[]) and e.id between $10::uuid and $11::uuid
    returning e.*, h.at, h.link, h."botLink", h.links, h.fast, h."openEventId", h."clickEventId", h."botOpenNoteId", h."botClickNoteId",
      h.unopened and h.real_opens + h.real_clicks > 0 as first_open, h.unclicked and h.real_clicks > 0 as first_click,
      h.no_bot_opened and h.bot_opens > 0 as first_bot_open, h.no_bot_clicked and h.bot_clicks > 0 as first_bot_click
  ),
  links_written as (
    insert into link_clicks as known (project_id, email_id, link_hash, link, contact_id, campaign_id, clicks, first_at, last_at)
    select m.project_id, m.id, md5(clicked.link)::uuid, clicked.link, m.contact_id, m.campaign_id, clicked.clicks, m.at, m.at
    from marked m cross join lateral jsonb_to_recordset(m.links) as clicked(link text, clicks int)
    where not m.fast and "m"."test" is not true and exists (
select from contacts c where c.project_id = "m"."project_id" and c.id = "m"."contact_id")
    on conflict (project_id, email_id, link_hash) do update
      set clicks = known.clicks + excluded.clicks, last_at = greatest(known.last_at, excluded.last_at)
  ),
  notes_written as (
insert into email_notes (project_id, id, email_id, kind, words, at)
    select project_id, "botOpenNoteId", id, 'bot.open', '', at from marked where first_bot_open
    union all
    select project_id, "botClickNoteId", id, 'bot.click', coalesce("botLink", link, ''), at from marked where first_bot_click
on conflict (project_id, id) do nothing
  ),
  "written_rows" as (
    select * from (
    select m.project_id, m."openEventId", 'email.open', m.contact_id, m.id,
      jsonb_build_object('subject', coalesce("m"."subject", ''), 'from', "m"."from_email", 'fromName', "m"."from_name",
  'messageId', "m"."message_id", 'emailId', "m"."id", 'templateId', "m"."template_id", 'campaignId', "m"."campaign_id",
  'sourceType', "m"."source_type") || jsonb_build_object('openedAt', to_char(m.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'opens', 1, 'isFirstOpen', true), $12::timestamptz
    from marked m where m.first_open and "m"."test" is not true and exists (
select from contacts c where c.project_id = "m"."project_id" and c.id = "m"."contact_id")
    union all
    select m.project_id, m."clickEventId", 'email.click', m.contact_id, m.id,
      jsonb_build_object('subject', coalesce("m"."subject", ''), 'from', "m"."from_email", 'fromName', "m"."from_name",
  'messageId', "m"."message_id", 'emailId', "m"."id", 'templateId', "m"."template_id", 'campaignId', "m"."campaign_id",
  'sourceType', "m"."source_type") || jsonb_build_object('link', m.link, 'clickedAt', to_char(m.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'clicks', 1, 'isFirstClick', true), $13::timestamptz
    from marked m where m.first_click and "m"."test" is not true and exists (
select from contacts c where c.project_id = "m"."project_id" and c.id = "m"."contact_id")
    ) as r(project_id, id, name, contact_id, email_id, data, created_at)
  ),
  "written_rows_for_workflows" as (
    select posthorn_queue.add_batches($14, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $15, array_agg(id), $16::int)
    from (select r.* from "written_rows" r where r.contact_id is not null and coalesce(
      (select true from workflows w
       where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
      (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
      (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))) as wanted group by project_id
  ),
  "written_rows_for_webhooks" as (
    insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
      created_at, next_attempt_at)
    select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, e.email_id, null::jsonb, e.created_at, e.created_at
    from (select * from (select r.* from "written_rows" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
      select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
          select from unnest(w.event_types) as wanted(type)
          where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
    ) as endpoint
    returning 1
  ),
  "written_rows_for_conversions" as (
    insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
    select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
      and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
    then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end,
      case when case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
      and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
    then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
    from (select r.* from "written_rows" r where r.contact_id is not null and exists (
      select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)) as wanted join projects p on p.id = wanted.project_id cross join lateral (
      select k.email_id, k.campaign_id from link_clicks k
      where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
        and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
      order by k.last_at desc limit 1
    ) as clicked
    on conflict do nothing returning 1
  ),
  "written" as (
    insert into events (project_id, id, name, contact_id, email_id, data, created_at)
    select * from "written_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "written_rows_for_workflows") >= 0 and (select count(*) from "written_rows_for_webhooks") >= 0 and (select count(*) from "written_rows_for_conversions") >= 0
  )
  select 1;

/* mark-engaged-of-many */
with reported as (
    select * from jsonb_to_recordset($1::jsonb) as reported("projectId" uuid, "emailId" uuid, at timestamptz,
      opens int, clicks int, "botOpens" int, "botClicks" int, link text, "botLink" text, links jsonb,
      "openEventId" uuid, "clickEventId" uuid, "botOpenNoteId" uuid, "botClickNoteId" uuid)
  ),
  locked as (
    select reported.*, e.opened_at is null as unopened, e.clicked_at is null as unclicked,
      e.bot_opens = 0 as no_bot_opened, e.bot_clicks = 0 as no_bot_clicked,
      coalesce(reported.at < e.sent_at + make_interval(secs => $2::float8 / 1000), false) as fast
    from reported join emails e on e.project_id = "reported"."projectId" and e.id = "reported"."emailId"
    where e.project_id = any($3::uuid[]) and e.id = any($4::uuid[]) and e.id between $5::uuid and $6::uuid and e.status || '' not in ('SCHEDULED', 'PENDING', 'SENDING', 'FAILED', 'CANCELLED', 'SKIPPED', 'RECEIVED')
    order by e.project_id, e.id for no key update of e
  ),
  hit as (
    select h.*, case when fast then 0 else opens end as real_opens, case when fast then 0 else clicks end as real_clicks,
      "botOpens" + case when fast then opens else 0 end as bot_opens,
      "botClicks" + case when fast then clicks else 0 end as bot_clicks
    from locked h
  ),
  marked as (
    update emails e set opens = case when h.real_clicks > 0 then greatest(e.opens + h.real_opens, 1) else e.opens + h.real_opens end,
      clicks = e.clicks + h.real_clicks,
      bot_opens = e.bot_opens + h.bot_opens, bot_clicks = e.bot_clicks + h.bot_clicks,
      opened_at = case when h.real_opens + h.real_clicks > 0 then coalesce(e.opened_at, h.at) else e.opened_at end,
      clicked_at = case when h.real_clicks > 0 then coalesce(e.clicked_at, h.at) else e.clicked_at end,
      status = case when h.real_clicks > 0 and e.status in ('SENT', 'DELIVERED', 'OPENED') then 'CLICKED'
        when h.real_opens > 0 and e.status in ('SENT', 'DELIVERED') then 'OPENED' else e.status end, updated_at = $7::timestamptz
    from hit h
    where e.project_id = "h"."projectId" and e.id = "h"."emailId" and e.project_id = any($8::uuid[]) and e.id = any($9::uuid[]) and e.id between $10::uuid and $11::uuid
    returning e.*, h.at, h.link, h."botLink", h.links, h.fast, h."openEventId", h."clickEventId", h."botOpenNoteId", h."botClickNoteId",
      h.unopened and h.real_opens + h.real_clicks > 0 as first_open, h.unclicked and h.real_clicks > 0 as first_click,
      h.no_bot_opened and h.bot_opens > 0 as first_bot_open, h.no_bot_clicked and h.bot_clicks > 0 as first_bot_click
  ),
  links_written as (
    insert into link_clicks as known (project_id, email_id, link_hash, link, contact_id, campaign_id, clicks, first_at, last_at)
    select m.project_id, m.id, md5(clicked.link)::uuid, clicked.link, m.contact_id, m.campaign_id, clicked.clicks, m.at, m.at
    from marked m cross join lateral jsonb_to_recordset(m.links) as clicked(link text, clicks int)
    where not m.fast and "m"."test" is not true and exists (
select from contacts c where c.project_id = "m"."project_id" and c.id = "m"."contact_id")
    on conflict (project_id, email_id, link_hash) do update
      set clicks = known.clicks + excluded.clicks, last_at = greatest(known.last_at, excluded.last_at)
  ),
  notes_written as (
insert into email_notes (project_id, id, email_id, kind, words, at)
    select project_id, "botOpenNoteId", id, 'bot.open', '', at from marked where first_bot_open
    union all
    select project_id, "botClickNoteId", id, 'bot.click', coalesce("botLink", link, ''), at from marked where first_bot_click
on conflict (project_id, id) do nothing
  ),
  "written_rows" as (
    select * from (
    select m.project_id, m."openEventId", 'email.open', m.contact_id, m.id,
      jsonb_build_object('subject', coalesce("m"."subject", ''), 'from', "m"."from_email", 'fromName', "m"."from_name",
  'messageId', "m"."message_id", 'emailId', "m"."id", 'templateId', "m"."template_id", 'campaignId', "m"."campaign_id",
  'sourceType', "m"."source_type") || jsonb_build_object('openedAt', to_char(m.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'opens', 1, 'isFirstOpen', true), $12::timestamptz
    from marked m where m.first_open and "m"."test" is not true and exists (
select from contacts c where c.project_id = "m"."project_id" and c.id = "m"."contact_id")
    union all
    select m.project_id, m."clickEventId", 'email.click', m.contact_id, m.id,
      jsonb_build_object('subject', coalesce("m"."subject", ''), 'from', "m"."from_email", 'fromName', "m"."from_name",
  'messageId', "m"."message_id", 'emailId', "m"."id", 'templateId', "m"."template_id", 'campaignId', "m"."campaign_id",
  'sourceType', "m"."source_type") || jsonb_build_object('link', m.link, 'clickedAt', to_char(m.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'clicks', 1, 'isFirstClick', true), $13::timestamptz
    from marked m where m.first_click and "m"."test" is not true and exists (
select from contacts c where c.project_id = "m"."project_id" and c.id = "m"."contact_id")
    ) as r(project_id, id, name, contact_id, email_id, data, created_at)
  ),
  "written_rows_for_workflows" as (
    select posthorn_queue.add_batches($14, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $15, array_agg(id), $16::int)
    from (select r.* from "written_rows" r where r.contact_id is not null and coalesce(
      (select true from workflows w
       where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
      (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
      (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))) as wanted group by project_id
  ),
  "written_rows_for_webhooks" as (
    insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
      created_at, next_attempt_at)
    select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, e.email_id, null::jsonb, e.created_at, e.created_at
    from (select * from (select r.* from "written_rows" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
      select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
          select from unnest(w.event_types) as wanted(type)
          where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
    ) as endpoint
    returning 1
  ),
  "written_rows_for_conversions" as (
    insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
    select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
      and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
    then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end,
      case when case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
      and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
    then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
    from (select r.* from "written_rows" r where r.contact_id is not null and exists (
      select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)) as wanted join projects p on p.id = wanted.project_id cross join lateral (
      select k.email_id, k.campaign_id from link_clicks k
      where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
        and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
      order by k.last_at desc limit 1
    ) as clicked
    on conflict do nothing returning 1
  ),
  "written" as (
    insert into events (project_id, id, name, contact_id, email_id, data, created_at)
    select * from "written_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "written_rows_for_workflows") >= 0 and (select count(*) from "written_rows_for_webhooks") >= 0 and (select count(*) from "written_rows_for_conversions") >= 0
  )
  select 1;
