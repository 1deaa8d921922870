-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* claim-emails */
with
claim_settings as materialized (
  select set_config('synchronous_commit', case when $1::boolean then current_setting('synchronous_commit') else 'off' end, true),
    set_config('posthorn.counted', 'on', true)
),
requested as (
  select requested.*, p.disabled_at is not null as disabled, p.tracking, p.language, p.name as project_name, p.branding, p.sending -> 'utm' as project_utm,
    exists (
select from domain_warm_ups w where w.project_id = "p"."id" and w.per_day is not null) as warms_up, p.sending -> 'frequencyCap' as cap, p.sending -> 'sunset' as sunset, case when p.sending ? 'quietHours' then quiet_until(p.sending -> 'quietHours', $2::timestamptz) end as quiet_until
  from unnest(
    $3::uuid[], $4::uuid[], $5::boolean[]
  ) as requested(project_id, id, take_over)
  join projects p on p.id = requested.project_id
),
  due as (
    select requested.*, e.from_email, e.warm_up_day, e.test is not true and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic)) as may_warm_up
    from requested join emails e on e.id = "requested"."id" and e.project_id = $6::uuid and e.id = any($7::uuid[]) and e.id between $8::uuid and $9::uuid
      left join lateral (
select subject, body, type, literal, plain, encrypted, topic, data, attachments from email_contents
where email_contents.project_id = "e"."project_id" and email_contents.id = "e"."content_id"
  and true
limit 1) as c on true
left join topics as t on t.project_id = e.project_id and t.number = c.topic
    where
(e.status = 'PENDING' or (e.status = 'SENDING' and (e.lease_until <= $10::timestamptz
  or e.lease_holder = $11::int or (requested.take_over and e.lease_holder is null)
  or (e.lease_holder is not null and not posthorn_queue.is_running(e.lease_holder))))) and not requested.disabled and not exists (
select from campaigns where campaigns.project_id = e.project_id and campaigns.id = e.campaign_id
  and campaigns.paused_at is not null and (campaigns.held_reason is null or campaigns.guarded_at = campaigns.paused_at)) and not (requested.quiet_until is not null and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic)))
      and coalesce(
case
  when c.type is null then 'its content is no longer stored'
  when exists (
select from suppressions join projects on projects.id = suppressions.project_id and not projects.send_to_bounced
where suppressions.project_id = e.project_id and suppressions.email = e.to_email and suppressions.reason = 'BOUNCE') then 'the address is suppressed because of a permanent bounce'
  when c.type = 'TRANSACTIONAL' or e.contact_id is null then null
  when e.source_type = 'TRANSACTIONAL' and c.type <> 'MARKETING' and t.number is null then null
  when exists (
select from suppressions where suppressions.project_id = e.project_id and suppressions.email = e.to_email) then 'the address is suppressed'
  when exists (
select from topic_suppressions where topic_suppressions.project_id = e.project_id and topic_suppressions.email = e.to_email
  and topic_suppressions.topic = t.number) then 'the address is suppressed for the topic'
  when e.source_type = 'TRANSACTIONAL' then (
    select case when (("contacts"."opted_out" or "contacts"."pending") or (t.number is not null and not "contacts"."subscribed")) then 'the contact has unsubscribed'
    when (("contacts"."paused_until" > $12::timestamptz) is true) then 'the contact has paused marketing email'
    when (t.number is not null and not (case when t.default_subscribed then not -t.number = any("contacts"."topics") else t.number = any("contacts"."topics") end)) then 'the contact is not subscribed to the topic' end from contacts
    where contacts.project_id = e.project_id and contacts.id = e.contact_id)
  else coalesce(
    (select coalesce(case when not "contacts"."subscribed" then 'the contact has unsubscribed'
    when (("contacts"."paused_until" > $13::timestamptz) is true) then 'the contact has paused marketing email'
    when (t.number is not null and not (case when t.default_subscribed then not -t.number = any("contacts"."topics") else t.number = any("contacts"."topics") end)) then 'the contact is not subscribed to the topic' end, '')
     from contacts where contacts.project_id = e.project_id and contacts.id = e.contact_id),
    'the contact was deleted')
end, '') = '' and not (
requested.cap is not null and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic)) and is_capped(requested.cap, e.project_id, e.contact_id, e.id, $14::timestamptz,
  first_id_at($15::timestamptz - make_interval(days => (requested.cap ->> 'days')::int + $16::int)))) and not (requested.sunset is not null and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic))
  and sunset_since(requested.sunset, e.project_id, e.contact_id) is not null)
  ),
  candidates as materialized (
    select due.project_id, due.id, w.domain from due join domain_warm_ups w on (
w.project_id = "due"."project_id" and w.per_day is not null
  and lower(substring("due"."from_email" from '[^@]*$')) = any(w.names))
    where due.warms_up and due.may_warm_up and "due"."warm_up_day" is distinct from warm_up_day(w.counted_on, $17::timestamptz)),
  warm_up as materialized (
    select w.project_id, w.domain, warm_up_day(w.counted_on, $18::timestamptz) as day, warm_up_limit(w.started_on, w.per_day, w.growth, warm_up_day(w.counted_on, $19::timestamptz)) - case when w.counted_on = warm_up_day(w.counted_on, $20::timestamptz) then w.counted else 0 end as places
    from (select distinct project_id, domain from candidates) as wanted
      join domain_warm_ups w on w.project_id = wanted.project_id and w.domain = wanted.domain and w.per_day is not null
    order by w.project_id, w.domain for no key update of w
  ),
  places as (
    select c.project_id, c.id, c.domain, case when c.nth <= warm_up.places then warm_up.day end as day
    from (select *, row_number() over (partition by project_id, domain order by id) as nth from candidates) as c
      join warm_up on warm_up.project_id = c.project_id and warm_up.domain = c.domain
    where warm_up.places is not null
  ),
  admitted as (
    select due.*, places.domain as place_domain, places.day as place_day, places.id is not null and places.day is null as is_held
    from due left join places on places.project_id = due.project_id and places.id = due.id
  ),
  claimed as (
    update emails e set status = 'SENDING',
      attempts = e.attempts + case when e.status = 'SENDING' and e.lease_holder = $21::int then 0 else 1 end,
      lease_until = $22::timestamptz,
      lease_holder = $23::int, warm_up_day = coalesce(requested.place_day, e.warm_up_day),
      warm_up_at = case when requested.place_day is null then e.warm_up_at else coalesce(e.warm_up_at, $24::timestamptz) end, tracking = coalesce(e.tracking, requested.tracking),
      language = coalesce(e.language, case when e.tracking is null then requested.language else 'en' end), updated_at = $25::timestamptz
    from admitted as requested, claim_settings
    where e.id = "requested"."id" and e.project_id = $26::uuid and e.id = any($27::uuid[]) and e.id between $28::uuid and $29::uuid and not requested.is_held and
(e.status = 'PENDING' or (e.status = 'SENDING' and (e.lease_until <= $30::timestamptz
  or e.lease_holder = $31::int or (requested.take_over and e.lease_holder is null)
  or (e.lease_holder is not null and not posthorn_queue.is_running(e.lease_holder)))))
    returning e.project_id, e.id, e.contact_id, e.to_email, e.to_name, e.cc, e.bcc, e.skipped, e.recipients_done, e.from_email, e.from_name, e.reply_to, e.reply_to_name, e.headers,
      e.variables, e.encrypted_variables, e.contact_data, e.source_type, e.template_id, e.campaign_id, e.attempts, e.test, coalesce(e.queued_at, e.created_at) as created_at, e.tracking, e.language,
      e.content_id, requested.project_name, requested.branding, requested.project_utm,
      coalesce(e.warm_up_at, e.queued_at, e.created_at) as available_at, requested.place_domain, requested.place_day
  ),
  counted as (
    update domain_warm_ups w set counted_on = taken.day, counted = taken.count + case when w.counted_on = taken.day then w.counted else 0 end
    from (
      select project_id, place_domain as domain, place_day as day, count(*)::int as count from claimed
      where place_day is not null group by 1, 2, 3
    ) as taken
    where w.project_id = taken.project_id and w.domain = taken.domain
  ),
  numbered as (select *, row_number() over (partition by project_id, content_id) as nth from claimed)
  select numbered.*, c.subject as content_subject, c.body as content_body, c.type as content_type,
    c.literal as content_literal, c.plain as content_plain, c.encrypted as content_encrypted, c.topic as content_topic, c.data as content_data, c.attachments,
    links.utm, links.campaign_name
  from numbered left join lateral (
select subject, body, type, literal, plain, encrypted, topic, data, attachments from email_contents
where email_contents.project_id = "numbered"."project_id" and email_contents.id = "numbered"."content_id"
  and numbered.nth = 1
limit 1) as c on true
    cross join lateral (
select coalesce(campaign.utm, numbered.project_utm) as utm, campaign.name as campaign_name
from (select) as one left join campaigns as campaign
  on campaign.project_id = "numbered"."project_id" and campaign.id = "numbered"."campaign_id" and numbered.nth = 1) as links;

/* claim-emails-of-many */
with
claim_settings as materialized (
  select set_config('synchronous_commit', case when $1::boolean then current_setting('synchronous_commit') else 'off' end, true),
    set_config('posthorn.counted', 'on', true)
),
requested as (
  select requested.*, p.disabled_at is not null as disabled, p.tracking, p.language, p.name as project_name, p.branding, p.sending -> 'utm' as project_utm,
    exists (
select from domain_warm_ups w where w.project_id = "p"."id" and w.per_day is not null) as warms_up, p.sending -> 'frequencyCap' as cap, p.sending -> 'sunset' as sunset, case when p.sending ? 'quietHours' then quiet_until(p.sending -> 'quietHours', $2::timestamptz) end as quiet_until
  from unnest(
    $3::uuid[], $4::uuid[], $5::boolean[]
  ) as requested(project_id, id, take_over)
  join projects p on p.id = requested.project_id
),
  due as (
    select requested.*, e.from_email, e.warm_up_day, e.test is not true and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic)) as may_warm_up
    from requested join emails e on e.project_id = "requested"."project_id" and e.id = "requested"."id" and e.project_id = any($6::uuid[]) and e.id = any($7::uuid[]) and e.id between $8::uuid and $9::uuid
      left join lateral (
select subject, body, type, literal, plain, encrypted, topic, data, attachments from email_contents
where email_contents.project_id = "e"."project_id" and email_contents.id = "e"."content_id"
  and true
limit 1) as c on true
left join topics as t on t.project_id = e.project_id and t.number = c.topic
    where
(e.status = 'PENDING' or (e.status = 'SENDING' and (e.lease_until <= $10::timestamptz
  or e.lease_holder = $11::int or (requested.take_over and e.lease_holder is null)
  or (e.lease_holder is not null and not posthorn_queue.is_running(e.lease_holder))))) and not requested.disabled and not exists (
select from campaigns where campaigns.project_id = e.project_id and campaigns.id = e.campaign_id
  and campaigns.paused_at is not null and (campaigns.held_reason is null or campaigns.guarded_at = campaigns.paused_at)) and not (requested.quiet_until is not null and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic)))
      and coalesce(
case
  when c.type is null then 'its content is no longer stored'
  when exists (
select from suppressions join projects on projects.id = suppressions.project_id and not projects.send_to_bounced
where suppressions.project_id = e.project_id and suppressions.email = e.to_email and suppressions.reason = 'BOUNCE') then 'the address is suppressed because of a permanent bounce'
  when c.type = 'TRANSACTIONAL' or e.contact_id is null then null
  when e.source_type = 'TRANSACTIONAL' and c.type <> 'MARKETING' and t.number is null then null
  when exists (
select from suppressions where suppressions.project_id = e.project_id and suppressions.email = e.to_email) then 'the address is suppressed'
  when exists (
select from topic_suppressions where topic_suppressions.project_id = e.project_id and topic_suppressions.email = e.to_email
  and topic_suppressions.topic = t.number) then 'the address is suppressed for the topic'
  when e.source_type = 'TRANSACTIONAL' then (
    select case when (("contacts"."opted_out" or "contacts"."pending") or (t.number is not null and not "contacts"."subscribed")) then 'the contact has unsubscribed'
    when (("contacts"."paused_until" > $12::timestamptz) is true) then 'the contact has paused marketing email'
    when (t.number is not null and not (case when t.default_subscribed then not -t.number = any("contacts"."topics") else t.number = any("contacts"."topics") end)) then 'the contact is not subscribed to the topic' end from contacts
    where contacts.project_id = e.project_id and contacts.id = e.contact_id)
  else coalesce(
    (select coalesce(case when not "contacts"."subscribed" then 'the contact has unsubscribed'
    when (("contacts"."paused_until" > $13::timestamptz) is true) then 'the contact has paused marketing email'
    when (t.number is not null and not (case when t.default_subscribed then not -t.number = any("contacts"."topics") else t.number = any("contacts"."topics") end)) then 'the contact is not subscribed to the topic' end, '')
     from contacts where contacts.project_id = e.project_id and contacts.id = e.contact_id),
    'the contact was deleted')
end, '') = '' and not (
requested.cap is not null and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic)) and is_capped(requested.cap, e.project_id, e.contact_id, e.id, $14::timestamptz,
  first_id_at($15::timestamptz - make_interval(days => (requested.cap ->> 'days')::int + $16::int)))) and not (requested.sunset is not null and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic))
  and sunset_since(requested.sunset, e.project_id, e.contact_id) is not null)
  ),
  candidates as materialized (
    select due.project_id, due.id, w.domain from due join domain_warm_ups w on (
w.project_id = "due"."project_id" and w.per_day is not null
  and lower(substring("due"."from_email" from '[^@]*$')) = any(w.names))
    where due.warms_up and due.may_warm_up and "due"."warm_up_day" is distinct from warm_up_day(w.counted_on, $17::timestamptz)),
  warm_up as materialized (
    select w.project_id, w.domain, warm_up_day(w.counted_on, $18::timestamptz) as day, warm_up_limit(w.started_on, w.per_day, w.growth, warm_up_day(w.counted_on, $19::timestamptz)) - case when w.counted_on = warm_up_day(w.counted_on, $20::timestamptz) then w.counted else 0 end as places
    from (select distinct project_id, domain from candidates) as wanted
      join domain_warm_ups w on w.project_id = wanted.project_id and w.domain = wanted.domain and w.per_day is not null
    order by w.project_id, w.domain for no key update of w
  ),
  places as (
    select c.project_id, c.id, c.domain, case when c.nth <= warm_up.places then warm_up.day end as day
    from (select *, row_number() over (partition by project_id, domain order by id) as nth from candidates) as c
      join warm_up on warm_up.project_id = c.project_id and warm_up.domain = c.domain
    where warm_up.places is not null
  ),
  admitted as (
    select due.*, places.domain as place_domain, places.day as place_day, places.id is not null and places.day is null as is_held
    from due left join places on places.project_id = due.project_id and places.id = due.id
  ),
  claimed as (
    update emails e set status = 'SENDING',
      attempts = e.attempts + case when e.status = 'SENDING' and e.lease_holder = $21::int then 0 else 1 end,
      lease_until = $22::timestamptz,
      lease_holder = $23::int, warm_up_day = coalesce(requested.place_day, e.warm_up_day),
      warm_up_at = case when requested.place_day is null then e.warm_up_at else coalesce(e.warm_up_at, $24::timestamptz) end, tracking = coalesce(e.tracking, requested.tracking),
      language = coalesce(e.language, case when e.tracking is null then requested.language else 'en' end), updated_at = $25::timestamptz
    from admitted as requested, claim_settings
    where e.project_id = "requested"."project_id" and e.id = "requested"."id" and e.project_id = any($26::uuid[]) and e.id = any($27::uuid[]) and e.id between $28::uuid and $29::uuid and not requested.is_held and
(e.status = 'PENDING' or (e.status = 'SENDING' and (e.lease_until <= $30::timestamptz
  or e.lease_holder = $31::int or (requested.take_over and e.lease_holder is null)
  or (e.lease_holder is not null and not posthorn_queue.is_running(e.lease_holder)))))
    returning e.project_id, e.id, e.contact_id, e.to_email, e.to_name, e.cc, e.bcc, e.skipped, e.recipients_done, e.from_email, e.from_name, e.reply_to, e.reply_to_name, e.headers,
      e.variables, e.encrypted_variables, e.contact_data, e.source_type, e.template_id, e.campaign_id, e.attempts, e.test, coalesce(e.queued_at, e.created_at) as created_at, e.tracking, e.language,
      e.content_id, requested.project_name, requested.branding, requested.project_utm,
      coalesce(e.warm_up_at, e.queued_at, e.created_at) as available_at, requested.place_domain, requested.place_day
  ),
  counted as (
    update domain_warm_ups w set counted_on = taken.day, counted = taken.count + case when w.counted_on = taken.day then w.counted else 0 end
    from (
      select project_id, place_domain as domain, place_day as day, count(*)::int as count from claimed
      where place_day is not null group by 1, 2, 3
    ) as taken
    where w.project_id = taken.project_id and w.domain = taken.domain
  ),
  numbered as (select *, row_number() over (partition by project_id, content_id) as nth from claimed)
  select numbered.*, c.subject as content_subject, c.body as content_body, c.type as content_type,
    c.literal as content_literal, c.plain as content_plain, c.encrypted as content_encrypted, c.topic as content_topic, c.data as content_data, c.attachments,
    links.utm, links.campaign_name
  from numbered left join lateral (
select subject, body, type, literal, plain, encrypted, topic, data, attachments from email_contents
where email_contents.project_id = "numbered"."project_id" and email_contents.id = "numbered"."content_id"
  and numbered.nth = 1
limit 1) as c on true
    cross join lateral (
select coalesce(campaign.utm, numbered.project_utm) as utm, campaign.name as campaign_name
from (select) as one left join campaigns as campaign
  on campaign.project_id = "numbered"."project_id" and campaign.id = "numbered"."campaign_id" and numbered.nth = 1) as links;

/* claim-transport-probe */
update transport_pauses set probed_until = $1, probed_by = $2::int
  where transport = $3 and not (
"transport_pauses"."paused_until" > $4::timestamptz
and "transport_pauses"."paused_until" <= $5::timestamptz + make_interval(secs => $6::float8))
    and (probed_until is null or probed_until <= $7 or probed_until > $8
      or (probed_by is not null and not posthorn_queue.is_running(probed_by)));

/* end-transport-pauses */
delete from transport_pauses where transport is distinct from $1::text;

/* find-bucket */
select extract(epoch from taken_until)::float8 * 1000 as "takenUntil", lines, version
from send_paces where scope = $1;

/* find-dkim-key */
select dkim_selector as selector, dkim_private_key as sealed, ed25519_selector as "ed25519Selector",
case when $1 = any(domains.records_found) then domains.ed25519_private_key end as "ed25519Sealed"
  from domains where project_id = $2 and domain = $3;

/* find-sent-email */
select e.*, coalesce(e.queued_at, e.created_at) as created_at, p.name as project_name, p.branding, c.subject as content_subject,
    c.body as content_body, c.type as content_type, c.literal as content_literal, c.plain as content_plain, c.topic as content_topic,
    c.encrypted as content_encrypted, c.attachments, links.utm, links.campaign_name
  from emails e join projects p on p.id = e.project_id cross join lateral (
select subject, body, type, literal, plain, encrypted, topic, data, attachments from email_contents
where email_contents.project_id = "e"."project_id" and email_contents.id = "e"."content_id"
  and true
limit 1) as c
    cross join lateral (
select coalesce(campaign.utm, p.sending -> 'utm') as utm, campaign.name as campaign_name
from (select) as one left join campaigns as campaign
  on campaign.project_id = "e"."project_id" and campaign.id = "e"."campaign_id" and true) as links
  where e.project_id = $1 and e.id = $2 and e.to_email <> '' and e.tracking is not null
    and e.status || '' not in ('SCHEDULED', 'PENDING', 'SENDING', 'CANCELLED', 'SKIPPED');

/* find-transport-pause */
select reason, credentials_refused as "credentialsRefused", since, paused_until as "pausedUntil" from transport_pauses where transport = $1;

/* insert-notes */
insert into email_notes (project_id, id, email_id, kind, words, at)
    select n."projectId", n.id, n."emailId", n.kind, n.words, n.at
    from jsonb_to_recordset($1::jsonb)
      as n("projectId" uuid, id uuid, "emailId" uuid, kind text, words text, at timestamptz)
on conflict (project_id, id) do nothing;

/* mark-bounced */
with
    reported as (
      select * from jsonb_to_recordset($1::jsonb) as reported("projectId" uuid, "emailId" uuid, at timestamptz,
        words text, "eventId" uuid, "unsubscribeEventId" uuid, "suppressionId" uuid, subject text, "messageId" text)
    ),
    locked as (
      select reported.* from reported join emails e on e.id = "reported"."emailId"
      where e.project_id = $2::uuid and e.id = any($3::uuid[]) and e.id between $4::uuid and $5::uuid and not (e.bounced_at is not null) and e.status || '' not in ('SCHEDULED', 'CANCELLED', 'SKIPPED', 'RECEIVED')
      order by e.project_id, e.id for no key update of e
    ),
    marked as (
      update emails e set bounced_at = h.at, lease_until = null, error = coalesce(h.words, e.error),
        status = case e.status when 'COMPLAINED' then e.status else 'BOUNCED' end,
        subject = coalesce(e.subject, h.subject), message_id = coalesce(e.message_id, h."messageId"), updated_at = $6::timestamptz
      from locked h
      where e.id = "h"."emailId" and e.project_id = $7::uuid and e.id = any($8::uuid[]) and e.id between $9::uuid and $10::uuid
      returning e.*, h.words, h."eventId", h."unsubscribeEventId", h."suppressionId", h.at),
    "marked_for_campaigns" as (
      select posthorn_queue.add_job($11, json_build_object('projectId', c.project_id, 'campaignId', c.campaign_id)::json, $12::timestamptz,
    'complete:' || c.campaign_id::text, $13::int)
      from (select distinct project_id, campaign_id from (select r.* from "marked" r where r.campaign_id is not null) as wanted offset 0) as c
      where awaits_last_emails(c.project_id, c.campaign_id)
    ),
    notes_written as (
  insert into email_notes (project_id, id, email_id, kind, words, at)
      select project_id, "eventId", id, $14::text, words, at from marked where words is not null
  on conflict (project_id, id) do nothing
    ),
    "events_written_rows" as (
      select * from (
      select m.project_id, m."eventId", $15::text, m.contact_id, m.id, jsonb_build_object('subject', coalesce("m"."subject", ''), 'from', "m"."from_email", 'fromName', "m"."from_name",
    'messageId', "m"."message_id", 'emailId', "m"."id", 'templateId', "m"."template_id", 'campaignId', "m"."campaign_id",
    'sourceType', "m"."source_type") || jsonb_build_object('bounceType', 'Permanent', 'bouncedAt', to_char(m.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), $16::timestamptz
      from marked m where "m"."test" is not true and exists (
  select from contacts c where c.project_id = "m"."project_id" and c.id = "m"."contact_id")
      ) as r(project_id, id, name, contact_id, email_id, data, created_at)
    ),
    "events_written_rows_for_workflows" as (
      select posthorn_queue.add_batches($17, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $18, array_agg(id), $19::int)
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
    ),
    suppressed as (
  insert into suppressions (project_id, email, id, reason, created_at)
      select distinct on (project_id, to_email) project_id, to_email, "suppressionId", $20::text, $21::timestamptz
      from "marked" where to_email <> '' and test is not true
  on conflict (project_id, email) do nothing
  returning project_id, email, reason, created_at
), "suppressions_announced" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (
      select s.project_id, 'suppression.added', null::uuid,
        jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('email', s.email, 'reason', s.reason)), s.created_at
      from suppressed s
      ) as r(project_id, name, contact_id, facts, created_at)
    ),
    "suppressions_announced_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
      from (select * from (select r.* from "suppressions_announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    ),
    owner as (
      select c.project_id, c.id
      from (select distinct project_id, to_email, contact_id from "marked" where test is not true order by project_id, to_email) as m
      cross join lateral (
        select project_id, id from contacts
        where contacts.project_id = m.project_id and contacts.id = m.contact_id and contacts.email = m.to_email
        limit 1 for no key update
      ) as c
    ),
    stopped as (
      update contacts c set subscribed = coalesce(false, "c"."subscribed"), subscribed_before = "c"."subscribed", opted_out = not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false),
        opted_out_by_api = not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false) and (not "c"."opted_out" or "c"."opted_out_by_api") and false is not false, pending = "c"."pending" and not coalesce(false, "c"."subscribed") and false is not false, updated_at = $22::timestamptz
      from owner
      where c.project_id = owner.project_id and c.id = owner.id and ("c"."subscribed", "c"."opted_out", "c"."opted_out_by_api", "c"."pending")
        <> (coalesce(false, "c"."subscribed"), not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false), not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false) and (not "c"."opted_out" or "c"."opted_out_by_api") and false is not false, "c"."pending" and not coalesce(false, "c"."subscribed") and false is not false)
      returning c.project_id, c.id, c.email, c.subscribed, c.subscribed_before
    ),
    "unsubscribed_rows" as (
      select * from (
      select c.project_id, c."unsubscribeEventId", case when c.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end, c.id,
        c.email_id, jsonb_build_object('reason', $23::text), $24::timestamptz
      from (
        select distinct on (s.project_id, s.id) s.*, m."unsubscribeEventId", m.id as email_id
        from stopped s join "marked" m on m.project_id = s.project_id and m.contact_id = s.id) as c where c.subscribed <> c.subscribed_before
      ) as r(project_id, id, name, contact_id, email_id, data, created_at)
    ),
    "unsubscribed_rows_for_workflows" as (
      select posthorn_queue.add_batches($25, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $26, array_agg(id), $27::int)
      from (select r.* from "unsubscribed_rows" r where r.contact_id is not null and coalesce(
        (select true from workflows w
         where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
        (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
        (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))) as wanted group by project_id
    ),
    "unsubscribed_rows_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, e.email_id, null::jsonb, e.created_at, e.created_at
      from (select * from (select r.* from "unsubscribed_rows" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    ),
    "unsubscribed_rows_for_conversions" as (
      insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
      select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end,
        case when case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
      from (select r.* from "unsubscribed_rows" r where r.contact_id is not null and exists (
        select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)) as wanted join projects p on p.id = wanted.project_id cross join lateral (
        select k.email_id, k.campaign_id from link_clicks k
        where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
          and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
        order by k.last_at desc limit 1
      ) as clicked
      on conflict do nothing returning 1
    ),
    "unsubscribed" as (
      insert into events (project_id, id, name, contact_id, email_id, data, created_at)
      select * from "unsubscribed_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "unsubscribed_rows_for_workflows") >= 0 and (select count(*) from "unsubscribed_rows_for_webhooks") >= 0 and (select count(*) from "unsubscribed_rows_for_conversions") >= 0
    ),
    "unsubscribed_consents" as (
      insert into consents (project_id, contact_id, id, kind, topic, source, ip, user_agent, text, actor_type, actor_id, actor_name, at)
      select r.project_id, r.contact_id, id_at(r.at, row_number() over ()), r.kind, r.topic, r.cause ->> 'source', r.cause ->> 'ip',
        r.cause ->> 'userAgent', r.cause ->> 'text', r.cause -> 'by' ->> 'type', (r.cause -> 'by' ->> 'id')::uuid,
        coalesce(r.cause -> 'by' ->> 'name', (select users.email from users where users.id = (r.cause -> 'by' ->> 'id')::uuid)), r.at
      from (
      select c.project_id, c.id, case when c.subscribed then 'subscribed' else 'unsubscribed' end, null, $28::timestamptz, $29::jsonb
      from (
        select distinct on (s.project_id, s.id) s.*, m."unsubscribeEventId", m.id as email_id
        from stopped s join "marked" m on m.project_id = s.project_id and m.contact_id = s.id) as c
      ) as r(project_id, contact_id, kind, topic, at, cause)
    ),
    "updated" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (select c.project_id, 'contact.updated', c.id, jsonb_build_object('contact', jsonb_build_object('id', "c"."id", 'email', "c"."email", 'subscribed', "c"."subscribed"),
        'email', null, 'data', '{}'::jsonb), $30::timestamptz from stopped c
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
    select 1 where true and (select count(*) from "marked_for_campaigns") >= 0;

/* mark-bounced-of-many */
with
    reported as (
      select * from jsonb_to_recordset($1::jsonb) as reported("projectId" uuid, "emailId" uuid, at timestamptz,
        words text, "eventId" uuid, "unsubscribeEventId" uuid, "suppressionId" uuid, subject text, "messageId" text)
    ),
    locked as (
      select reported.* from reported join emails e on e.project_id = "reported"."projectId" and e.id = "reported"."emailId"
      where e.project_id = any($2::uuid[]) and e.id = any($3::uuid[]) and e.id between $4::uuid and $5::uuid and not (e.bounced_at is not null) and e.status || '' not in ('SCHEDULED', 'CANCELLED', 'SKIPPED', 'RECEIVED')
      order by e.project_id, e.id for no key update of e
    ),
    marked as (
      update emails e set bounced_at = h.at, lease_until = null, error = coalesce(h.words, e.error),
        status = case e.status when 'COMPLAINED' then e.status else 'BOUNCED' end,
        subject = coalesce(e.subject, h.subject), message_id = coalesce(e.message_id, h."messageId"), updated_at = $6::timestamptz
      from locked h
      where e.project_id = "h"."projectId" and e.id = "h"."emailId" and e.project_id = any($7::uuid[]) and e.id = any($8::uuid[]) and e.id between $9::uuid and $10::uuid
      returning e.*, h.words, h."eventId", h."unsubscribeEventId", h."suppressionId", h.at),
    "marked_for_campaigns" as (
      select posthorn_queue.add_job($11, json_build_object('projectId', c.project_id, 'campaignId', c.campaign_id)::json, $12::timestamptz,
    'complete:' || c.campaign_id::text, $13::int)
      from (select distinct project_id, campaign_id from (select r.* from "marked" r where r.campaign_id is not null) as wanted offset 0) as c
      where awaits_last_emails(c.project_id, c.campaign_id)
    ),
    notes_written as (
  insert into email_notes (project_id, id, email_id, kind, words, at)
      select project_id, "eventId", id, $14::text, words, at from marked where words is not null
  on conflict (project_id, id) do nothing
    ),
    "events_written_rows" as (
      select * from (
      select m.project_id, m."eventId", $15::text, m.contact_id, m.id, jsonb_build_object('subject', coalesce("m"."subject", ''), 'from', "m"."from_email", 'fromName', "m"."from_name",
    'messageId', "m"."message_id", 'emailId', "m"."id", 'templateId', "m"."template_id", 'campaignId', "m"."campaign_id",
    'sourceType', "m"."source_type") || jsonb_build_object('bounceType', 'Permanent', 'bouncedAt', to_char(m.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), $16::timestamptz
      from marked m where "m"."test" is not true and exists (
  select from contacts c where c.project_id = "m"."project_id" and c.id = "m"."contact_id")
      ) as r(project_id, id, name, contact_id, email_id, data, created_at)
    ),
    "events_written_rows_for_workflows" as (
      select posthorn_queue.add_batches($17, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $18, array_agg(id), $19::int)
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
    ),
    suppressed as (
  insert into suppressions (project_id, email, id, reason, created_at)
      select distinct on (project_id, to_email) project_id, to_email, "suppressionId", $20::text, $21::timestamptz
      from "marked" where to_email <> '' and test is not true
  on conflict (project_id, email) do nothing
  returning project_id, email, reason, created_at
), "suppressions_announced" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (
      select s.project_id, 'suppression.added', null::uuid,
        jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('email', s.email, 'reason', s.reason)), s.created_at
      from suppressed s
      ) as r(project_id, name, contact_id, facts, created_at)
    ),
    "suppressions_announced_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
      from (select * from (select r.* from "suppressions_announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    ),
    owner as (
      select c.project_id, c.id
      from (select distinct project_id, to_email, contact_id from "marked" where test is not true order by project_id, to_email) as m
      cross join lateral (
        select project_id, id from contacts
        where contacts.project_id = m.project_id and contacts.id = m.contact_id and contacts.email = m.to_email
        limit 1 for no key update
      ) as c
    ),
    stopped as (
      update contacts c set subscribed = coalesce(false, "c"."subscribed"), subscribed_before = "c"."subscribed", opted_out = not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false),
        opted_out_by_api = not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false) and (not "c"."opted_out" or "c"."opted_out_by_api") and false is not false, pending = "c"."pending" and not coalesce(false, "c"."subscribed") and false is not false, updated_at = $22::timestamptz
      from owner
      where c.project_id = owner.project_id and c.id = owner.id and ("c"."subscribed", "c"."opted_out", "c"."opted_out_by_api", "c"."pending")
        <> (coalesce(false, "c"."subscribed"), not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false), not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false) and (not "c"."opted_out" or "c"."opted_out_by_api") and false is not false, "c"."pending" and not coalesce(false, "c"."subscribed") and false is not false)
      returning c.project_id, c.id, c.email, c.subscribed, c.subscribed_before
    ),
    "unsubscribed_rows" as (
      select * from (
      select c.project_id, c."unsubscribeEventId", case when c.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end, c.id,
        c.email_id, jsonb_build_object('reason', $23::text), $24::timestamptz
      from (
        select distinct on (s.project_id, s.id) s.*, m."unsubscribeEventId", m.id as email_id
        from stopped s join "marked" m on m.project_id = s.project_id and m.contact_id = s.id) as c where c.subscribed <> c.subscribed_before
      ) as r(project_id, id, name, contact_id, email_id, data, created_at)
    ),
    "unsubscribed_rows_for_workflows" as (
      select posthorn_queue.add_batches($25, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $26, array_agg(id), $27::int)
      from (select r.* from "unsubscribed_rows" r where r.contact_id is not null and coalesce(
        (select true from workflows w
         where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
        (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
        (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))) as wanted group by project_id
    ),
    "unsubscribed_rows_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, e.email_id, null::jsonb, e.created_at, e.created_at
      from (select * from (select r.* from "unsubscribed_rows" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    ),
    "unsubscribed_rows_for_conversions" as (
      insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
      select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end,
        case when case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
      from (select r.* from "unsubscribed_rows" r where r.contact_id is not null and exists (
        select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)) as wanted join projects p on p.id = wanted.project_id cross join lateral (
        select k.email_id, k.campaign_id from link_clicks k
        where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
          and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
        order by k.last_at desc limit 1
      ) as clicked
      on conflict do nothing returning 1
    ),
    "unsubscribed" as (
      insert into events (project_id, id, name, contact_id, email_id, data, created_at)
      select * from "unsubscribed_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "unsubscribed_rows_for_workflows") >= 0 and (select count(*) from "unsubscribed_rows_for_webhooks") >= 0 and (select count(*) from "unsubscribed_rows_for_conversions") >= 0
    ),
    "unsubscribed_consents" as (
      insert into consents (project_id, contact_id, id, kind, topic, source, ip, user_agent, text, actor_type, actor_id, actor_name, at)
      select r.project_id, r.contact_id, id_at(r.at, row_number() over ()), r.kind, r.topic, r.cause ->> 'source', r.cause ->> 'ip',
        r.cause ->> 'userAgent', r.cause ->> 'text', r.cause -> 'by' ->> 'type', (r.cause -> 'by' ->> 'id')::uuid,
        coalesce(r.cause -> 'by' ->> 'name', (select users.email from users where users.id = (r.cause -> 'by' ->> 'id')::uuid)), r.at
      from (
      select c.project_id, c.id, case when c.subscribed then 'subscribed' else 'unsubscribed' end, null, $28::timestamptz, $29::jsonb
      from (
        select distinct on (s.project_id, s.id) s.*, m."unsubscribeEventId", m.id as email_id
        from stopped s join "marked" m on m.project_id = s.project_id and m.contact_id = s.id) as c
      ) as r(project_id, contact_id, kind, topic, at, cause)
    ),
    "updated" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (select c.project_id, 'contact.updated', c.id, jsonb_build_object('contact', jsonb_build_object('id', "c"."id", 'email', "c"."email", 'subscribed', "c"."subscribed"),
        'email', null, 'data', '{}'::jsonb), $30::timestamptz from stopped c
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
    select 1 where true and (select count(*) from "marked_for_campaigns") >= 0;

/* mark-complained */
with
    reported as (
      select * from jsonb_to_recordset($1::jsonb) as reported("projectId" uuid, "emailId" uuid, at timestamptz,
        words text, "eventId" uuid, "unsubscribeEventId" uuid, "suppressionId" uuid, subject text, "messageId" text)
    ),
    locked as (
      select reported.* from reported join emails e on e.id = "reported"."emailId"
      where e.project_id = $2::uuid and e.id = any($3::uuid[]) and e.id between $4::uuid and $5::uuid and not (e.complained_at is not null) and e.status || '' not in ('SCHEDULED', 'CANCELLED', 'SKIPPED', 'RECEIVED')
      order by e.project_id, e.id for no key update of e
    ),
    marked as (
      update emails e set complained_at = h.at, status = 'COMPLAINED', lease_until = null, updated_at = $6::timestamptz
      from locked h
      where e.id = "h"."emailId" and e.project_id = $7::uuid and e.id = any($8::uuid[]) and e.id between $9::uuid and $10::uuid
      returning e.*, h.words, h."eventId", h."unsubscribeEventId", h."suppressionId", h.at),
    "marked_for_campaigns" as (
      select posthorn_queue.add_job($11, json_build_object('projectId', c.project_id, 'campaignId', c.campaign_id)::json, $12::timestamptz,
    'complete:' || c.campaign_id::text, $13::int)
      from (select distinct project_id, campaign_id from (select r.* from "marked" r where r.campaign_id is not null) as wanted offset 0) as c
      where awaits_last_emails(c.project_id, c.campaign_id)
    ),
    notes_written as (
  insert into email_notes (project_id, id, email_id, kind, words, at)
      select project_id, "eventId", id, $14::text, words, at from marked where words is not null
  on conflict (project_id, id) do nothing
    ),
    "events_written_rows" as (
      select * from (
      select m.project_id, m."eventId", $15::text, m.contact_id, m.id, jsonb_build_object('subject', coalesce("m"."subject", ''), 'from', "m"."from_email", 'fromName', "m"."from_name",
    'messageId', "m"."message_id", 'emailId', "m"."id", 'templateId', "m"."template_id", 'campaignId', "m"."campaign_id",
    'sourceType', "m"."source_type") || jsonb_build_object('complainedAt', to_char(m.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), $16::timestamptz
      from marked m where "m"."test" is not true and exists (
  select from contacts c where c.project_id = "m"."project_id" and c.id = "m"."contact_id")
      ) as r(project_id, id, name, contact_id, email_id, data, created_at)
    ),
    "events_written_rows_for_workflows" as (
      select posthorn_queue.add_batches($17, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $18, array_agg(id), $19::int)
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
    ),
    suppressed as (
  insert into suppressions (project_id, email, id, reason, created_at)
      select distinct on (project_id, to_email) project_id, to_email, "suppressionId", $20::text, $21::timestamptz
      from "marked" where to_email <> '' and test is not true
  on conflict (project_id, email) do nothing
  returning project_id, email, reason, created_at
), "suppressions_announced" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (
      select s.project_id, 'suppression.added', null::uuid,
        jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('email', s.email, 'reason', s.reason)), s.created_at
      from suppressed s
      ) as r(project_id, name, contact_id, facts, created_at)
    ),
    "suppressions_announced_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
      from (select * from (select r.* from "suppressions_announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    ),
    owner as (
      select c.project_id, c.id
      from (select distinct project_id, to_email, contact_id from "marked" where test is not true order by project_id, to_email) as m
      cross join lateral (
        select project_id, id from contacts
        where contacts.project_id = m.project_id and contacts.id = m.contact_id and contacts.email = m.to_email
        limit 1 for no key update
      ) as c
    ),
    stopped as (
      update contacts c set subscribed = coalesce(false, "c"."subscribed"), subscribed_before = "c"."subscribed", opted_out = not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false),
        opted_out_by_api = not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false) and (not "c"."opted_out" or "c"."opted_out_by_api") and false is not false, pending = "c"."pending" and not coalesce(false, "c"."subscribed") and false is not false, updated_at = $22::timestamptz
      from owner
      where c.project_id = owner.project_id and c.id = owner.id and ("c"."subscribed", "c"."opted_out", "c"."opted_out_by_api", "c"."pending")
        <> (coalesce(false, "c"."subscribed"), not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false), not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false) and (not "c"."opted_out" or "c"."opted_out_by_api") and false is not false, "c"."pending" and not coalesce(false, "c"."subscribed") and false is not false)
      returning c.project_id, c.id, c.email, c.subscribed, c.subscribed_before
    ),
    "unsubscribed_rows" as (
      select * from (
      select c.project_id, c."unsubscribeEventId", case when c.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end, c.id,
        c.email_id, jsonb_build_object('reason', $23::text), $24::timestamptz
      from (
        select distinct on (s.project_id, s.id) s.*, m."unsubscribeEventId", m.id as email_id
        from stopped s join "marked" m on m.project_id = s.project_id and m.contact_id = s.id) as c where c.subscribed <> c.subscribed_before
      ) as r(project_id, id, name, contact_id, email_id, data, created_at)
    ),
    "unsubscribed_rows_for_workflows" as (
      select posthorn_queue.add_batches($25, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $26, array_agg(id), $27::int)
      from (select r.* from "unsubscribed_rows" r where r.contact_id is not null and coalesce(
        (select true from workflows w
         where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
        (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
        (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))) as wanted group by project_id
    ),
    "unsubscribed_rows_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, e.email_id, null::jsonb, e.created_at, e.created_at
      from (select * from (select r.* from "unsubscribed_rows" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    ),
    "unsubscribed_rows_for_conversions" as (
      insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
      select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end,
        case when case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
      from (select r.* from "unsubscribed_rows" r where r.contact_id is not null and exists (
        select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)) as wanted join projects p on p.id = wanted.project_id cross join lateral (
        select k.email_id, k.campaign_id from link_clicks k
        where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
          and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
        order by k.last_at desc limit 1
      ) as clicked
      on conflict do nothing returning 1
    ),
    "unsubscribed" as (
      insert into events (project_id, id, name, contact_id, email_id, data, created_at)
      select * from "unsubscribed_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "unsubscribed_rows_for_workflows") >= 0 and (select count(*) from "unsubscribed_rows_for_webhooks") >= 0 and (select count(*) from "unsubscribed_rows_for_conversions") >= 0
    ),
    "unsubscribed_consents" as (
      insert into consents (project_id, contact_id, id, kind, topic, source, ip, user_agent, text, actor_type, actor_id, actor_name, at)
      select r.project_id, r.contact_id, id_at(r.at, row_number() over ()), r.kind, r.topic, r.cause ->> 'source', r.cause ->> 'ip',
        r.cause ->> 'userAgent', r.cause ->> 'text', r.cause -> 'by' ->> 'type', (r.cause -> 'by' ->> 'id')::uuid,
        coalesce(r.cause -> 'by' ->> 'name', (select users.email from users where users.id = (r.cause -> 'by' ->> 'id')::uuid)), r.at
      from (
      select c.project_id, c.id, case when c.subscribed then 'subscribed' else 'unsubscribed' end, null, $28::timestamptz, $29::jsonb
      from (
        select distinct on (s.project_id, s.id) s.*, m."unsubscribeEventId", m.id as email_id
        from stopped s join "marked" m on m.project_id = s.project_id and m.contact_id = s.id) as c
      ) as r(project_id, contact_id, kind, topic, at, cause)
    ),
    "updated" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (select c.project_id, 'contact.updated', c.id, jsonb_build_object('contact', jsonb_build_object('id', "c"."id", 'email', "c"."email", 'subscribed', "c"."subscribed"),
        'email', null, 'data', '{}'::jsonb), $30::timestamptz from stopped c
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
    select 1 where true and (select count(*) from "marked_for_campaigns") >= 0;

/* mark-complained-of-many */
with
    reported as (
      select * from jsonb_to_recordset($1::jsonb) as reported("projectId" uuid, "emailId" uuid, at timestamptz,
        words text, "eventId" uuid, "unsubscribeEventId" uuid, "suppressionId" uuid, subject text, "messageId" text)
    ),
    locked as (
      select reported.* from reported join emails e on e.project_id = "reported"."projectId" and e.id = "reported"."emailId"
      where e.project_id = any($2::uuid[]) and e.id = any($3::uuid[]) and e.id between $4::uuid and $5::uuid and not (e.complained_at is not null) and e.status || '' not in ('SCHEDULED', 'CANCELLED', 'SKIPPED', 'RECEIVED')
      order by e.project_id, e.id for no key update of e
    ),
    marked as (
      update emails e set complained_at = h.at, status = 'COMPLAINED', lease_until = null, updated_at = $6::timestamptz
      from locked h
      where e.project_id = "h"."projectId" and e.id = "h"."emailId" and e.project_id = any($7::uuid[]) and e.id = any($8::uuid[]) and e.id between $9::uuid and $10::uuid
      returning e.*, h.words, h."eventId", h."unsubscribeEventId", h."suppressionId", h.at),
    "marked_for_campaigns" as (
      select posthorn_queue.add_job($11, json_build_object('projectId', c.project_id, 'campaignId', c.campaign_id)::json, $12::timestamptz,
    'complete:' || c.campaign_id::text, $13::int)
      from (select distinct project_id, campaign_id from (select r.* from "marked" r where r.campaign_id is not null) as wanted offset 0) as c
      where awaits_last_emails(c.project_id, c.campaign_id)
    ),
    notes_written as (
  insert into email_notes (project_id, id, email_id, kind, words, at)
      select project_id, "eventId", id, $14::text, words, at from marked where words is not null
  on conflict (project_id, id) do nothing
    ),
    "events_written_rows" as (
      select * from (
      select m.project_id, m."eventId", $15::text, m.contact_id, m.id, jsonb_build_object('subject', coalesce("m"."subject", ''), 'from', "m"."from_email", 'fromName', "m"."from_name",
    'messageId', "m"."message_id", 'emailId', "m"."id", 'templateId', "m"."template_id", 'campaignId', "m"."campaign_id",
    'sourceType', "m"."source_type") || jsonb_build_object('complainedAt', to_char(m.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), $16::timestamptz
      from marked m where "m"."test" is not true and exists (
  select from contacts c where c.project_id = "m"."project_id" and c.id = "m"."contact_id")
      ) as r(project_id, id, name, contact_id, email_id, data, created_at)
    ),
    "events_written_rows_for_workflows" as (
      select posthorn_queue.add_batches($17, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $18, array_agg(id), $19::int)
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
    ),
    suppressed as (
  insert into suppressions (project_id, email, id, reason, created_at)
      select distinct on (project_id, to_email) project_id, to_email, "suppressionId", $20::text, $21::timestamptz
      from "marked" where to_email <> '' and test is not true
  on conflict (project_id, email) do nothing
  returning project_id, email, reason, created_at
), "suppressions_announced" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (
      select s.project_id, 'suppression.added', null::uuid,
        jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('email', s.email, 'reason', s.reason)), s.created_at
      from suppressed s
      ) as r(project_id, name, contact_id, facts, created_at)
    ),
    "suppressions_announced_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
      from (select * from (select r.* from "suppressions_announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    ),
    owner as (
      select c.project_id, c.id
      from (select distinct project_id, to_email, contact_id from "marked" where test is not true order by project_id, to_email) as m
      cross join lateral (
        select project_id, id from contacts
        where contacts.project_id = m.project_id and contacts.id = m.contact_id and contacts.email = m.to_email
        limit 1 for no key update
      ) as c
    ),
    stopped as (
      update contacts c set subscribed = coalesce(false, "c"."subscribed"), subscribed_before = "c"."subscribed", opted_out = not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false),
        opted_out_by_api = not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false) and (not "c"."opted_out" or "c"."opted_out_by_api") and false is not false, pending = "c"."pending" and not coalesce(false, "c"."subscribed") and false is not false, updated_at = $22::timestamptz
      from owner
      where c.project_id = owner.project_id and c.id = owner.id and ("c"."subscribed", "c"."opted_out", "c"."opted_out_by_api", "c"."pending")
        <> (coalesce(false, "c"."subscribed"), not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false), not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false) and (not "c"."opted_out" or "c"."opted_out_by_api") and false is not false, "c"."pending" and not coalesce(false, "c"."subscribed") and false is not false)
      returning c.project_id, c.id, c.email, c.subscribed, c.subscribed_before
    ),
    "unsubscribed_rows" as (
      select * from (
      select c.project_id, c."unsubscribeEventId", case when c.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end, c.id,
        c.email_id, jsonb_build_object('reason', $23::text), $24::timestamptz
      from (
        select distinct on (s.project_id, s.id) s.*, m."unsubscribeEventId", m.id as email_id
        from stopped s join "marked" m on m.project_id = s.project_id and m.contact_id = s.id) as c where c.subscribed <> c.subscribed_before
      ) as r(project_id, id, name, contact_id, email_id, data, created_at)
    ),
    "unsubscribed_rows_for_workflows" as (
      select posthorn_queue.add_batches($25, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $26, array_agg(id), $27::int)
      from (select r.* from "unsubscribed_rows" r where r.contact_id is not null and coalesce(
        (select true from workflows w
         where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
        (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
        (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))) as wanted group by project_id
    ),
    "unsubscribed_rows_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, e.email_id, null::jsonb, e.created_at, e.created_at
      from (select * from (select r.* from "unsubscribed_rows" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    ),
    "unsubscribed_rows_for_conversions" as (
      insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
      select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end,
        case when case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
      from (select r.* from "unsubscribed_rows" r where r.contact_id is not null and exists (
        select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)) as wanted join projects p on p.id = wanted.project_id cross join lateral (
        select k.email_id, k.campaign_id from link_clicks k
        where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
          and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
        order by k.last_at desc limit 1
      ) as clicked
      on conflict do nothing returning 1
    ),
    "unsubscribed" as (
      insert into events (project_id, id, name, contact_id, email_id, data, created_at)
      select * from "unsubscribed_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "unsubscribed_rows_for_workflows") >= 0 and (select count(*) from "unsubscribed_rows_for_webhooks") >= 0 and (select count(*) from "unsubscribed_rows_for_conversions") >= 0
    ),
    "unsubscribed_consents" as (
      insert into consents (project_id, contact_id, id, kind, topic, source, ip, user_agent, text, actor_type, actor_id, actor_name, at)
      select r.project_id, r.contact_id, id_at(r.at, row_number() over ()), r.kind, r.topic, r.cause ->> 'source', r.cause ->> 'ip',
        r.cause ->> 'userAgent', r.cause ->> 'text', r.cause -> 'by' ->> 'type', (r.cause -> 'by' ->> 'id')::uuid,
        coalesce(r.cause -> 'by' ->> 'name', (select users.email from users where users.id = (r.cause -> 'by' ->> 'id')::uuid)), r.at
      from (
      select c.project_id, c.id, case when c.subscribed then 'subscribed' else 'unsubscribed' end, null, $28::timestamptz, $29::jsonb
      from (
        select distinct on (s.project_id, s.id) s.*, m."unsubscribeEventId", m.id as email_id
        from stopped s join "marked" m on m.project_id = s.project_id and m.contact_id = s.id) as c
      ) as r(project_id, contact_id, kind, topic, at, cause)
    ),
    "updated" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (select c.project_id, 'contact.updated', c.id, jsonb_build_object('contact', jsonb_build_object('id', "c"."id", 'email', "c"."email", 'subscribed', "c"."subscribed"),
        'email', null, 'data', '{}'::jsonb), $30::timestamptz from stopped c
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
    select 1 where true and (select count(*) from "marked_for_campaigns") >= 0;

/* mark-delivered */
with
  reported as (
    select * from jsonb_to_recordset($1::jsonb) as reported("projectId" uuid, "emailId" uuid, at timestamptz,
      words text, "eventId" uuid, "unsubscribeEventId" uuid, "suppressionId" uuid, subject text, "messageId" text)
  ),
  locked as (
    select reported.* from reported join emails e on e.id = "reported"."emailId"
    where e.project_id = $2::uuid and e.id = any($3::uuid[]) and e.id between $4::uuid and $5::uuid and not (e.delivered_at is not null) and e.status || '' not in ('SCHEDULED', 'PENDING', 'SENDING', 'FAILED', 'CANCELLED', 'SKIPPED', 'RECEIVED')
    order by e.project_id, e.id for no key update of e
  ),
  marked as (
    update emails e set delivered_at = h.at, status = case e.status when 'SENT' then 'DELIVERED' else e.status end, updated_at = $6::timestamptz
    from locked h
    where e.id = "h"."emailId" and e.project_id = $7::uuid and e.id = any($8::uuid[]) and e.id between $9::uuid and $10::uuid
    returning e.*, h.words, h."eventId", h."unsubscribeEventId", h."suppressionId", h.at),
  notes_written as (
insert into email_notes (project_id, id, email_id, kind, words, at)
    select project_id, "eventId", id, $11::text, words, at from marked where words is not null
on conflict (project_id, id) do nothing
  ),
  "events_written_rows" as (
    select * from (
    select m.project_id, m."eventId", $12::text, m.contact_id, m.id, jsonb_build_object('subject', coalesce("m"."subject", ''), 'from', "m"."from_email", 'fromName', "m"."from_name",
  'messageId', "m"."message_id", 'emailId', "m"."id", 'templateId', "m"."template_id", 'campaignId', "m"."campaign_id",
  'sourceType', "m"."source_type") || jsonb_build_object('deliveredAt', to_char(m.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), $13::timestamptz
    from marked m where "m"."test" is not true and exists (
select from contacts c where c.project_id = "m"."project_id" and c.id = "m"."contact_id")
    ) as r(project_id, id, name, contact_id, email_id, data, created_at)
  ),
  "events_written_rows_for_workflows" as (
    select posthorn_queue.add_batches($14, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $15, array_agg(id), $16::int)
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
  select 1;

/* mark-delivered-of-many */
with
  reported as (
    select * from jsonb_to_recordset($1::jsonb) as reported("projectId" uuid, "emailId" uuid, at timestamptz,
      words text, "eventId" uuid, "unsubscribeEventId" uuid, "suppressionId" uuid, subject text, "messageId" text)
  ),
  locked as (
    select reported.* from reported join emails e on e.project_id = "reported"."projectId" and e.id = "reported"."emailId"
    where e.project_id = any($2::uuid[]) and e.id = any($3::uuid[]) and e.id between $4::uuid and $5::uuid and not (e.delivered_at is not null) and e.status || '' not in ('SCHEDULED', 'PENDING', 'SENDING', 'FAILED', 'CANCELLED', 'SKIPPED', 'RECEIVED')
    order by e.project_id, e.id for no key update of e
  ),
  marked as (
    update emails e set delivered_at = h.at, status = case e.status when 'SENT' then 'DELIVERED' else e.status end, updated_at = $6::timestamptz
    from locked h
    where e.project_id = "h"."projectId" and e.id = "h"."emailId" and e.project_id = any($7::uuid[]) and e.id = any($8::uuid[]) and e.id between $9::uuid and $10::uuid
    returning e.*, h.words, h."eventId", h."unsubscribeEventId", h."suppressionId", h.at),
  notes_written as (
insert into email_notes (project_id, id, email_id, kind, words, at)
    select project_id, "eventId", id, $11::text, words, at from marked where words is not null
on conflict (project_id, id) do nothing
  ),
  "events_written_rows" as (
    select * from (
    select m.project_id, m."eventId", $12::text, m.contact_id, m.id, jsonb_build_object('subject', coalesce("m"."subject", ''), 'from', "m"."from_email", 'fromName', "m"."from_name",
  'messageId', "m"."message_id", 'emailId', "m"."id", 'templateId', "m"."template_id", 'campaignId', "m"."campaign_id",
  'sourceType', "m"."source_type") || jsonb_build_object('deliveredAt', to_char(m.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), $13::timestamptz
    from marked m where "m"."test" is not true and exists (
select from contacts c where c.project_id = "m"."project_id" and c.id = "m"."contact_id")
    ) as r(project_id, id, name, contact_id, email_id, data, created_at)
  ),
  "events_written_rows_for_workflows" as (
    select posthorn_queue.add_batches($14, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $15, array_agg(id), $16::int)
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
  select 1;

/* mark-failed */
with marked as (
    update emails e set status = $1, error = $2, lease_until = null, lease_holder = null,
      attempts = attempts - $3::int, updated_at = $4::timestamptz
    where e.project_id = $5 and e.id = $6 and e.status || '' = any($7::text[])
    returning e.*
  ),
  "marked_for_campaigns" as (
    select posthorn_queue.add_job($8, json_build_object('projectId', c.project_id, 'campaignId', c.campaign_id)::json, $9::timestamptz,
  'complete:' || c.campaign_id::text, $10::int)
    from (select distinct project_id, campaign_id from (select r.* from "marked" r where r.campaign_id is not null) as wanted offset 0) as c
    where awaits_last_emails(c.project_id, c.campaign_id)
  ),
  "events_written_rows" as (
    select * from (
    select m.project_id, $11::uuid, 'email.failed', m.contact_id, m.id, jsonb_build_object('subject', coalesce("m"."subject", ''), 'from', "m"."from_email", 'fromName', "m"."from_name",
  'messageId', "m"."message_id", 'emailId', "m"."id", 'templateId', "m"."template_id", 'campaignId', "m"."campaign_id",
  'sourceType', "m"."source_type") || jsonb_build_object('subject', coalesce(m.subject, (
  select c.subject from email_contents c where c.project_id = m.project_id and c.id = m.content_id), ''), 'failedAt', to_char($12::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'error', $13::text), $14::timestamptz
    from marked m where "m"."test" is not true and exists (
select from contacts c where c.project_id = "m"."project_id" and c.id = "m"."contact_id")
    ) as r(project_id, id, name, contact_id, email_id, data, created_at)
  ),
  "events_written_rows_for_workflows" as (
    select posthorn_queue.add_batches($15, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $16, array_agg(id), $17::int)
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
  select 1 where true and (select count(*) from "marked_for_campaigns") >= 0;

/* mark-recipients-done */
update emails e set recipients_done = coalesce(e.recipients_done, '{}') || $1::text[], updated_at = $2::timestamptz
where e.project_id = $3 and e.id = $4 and e.to_email <> '';

/* mark-transient-bounce */
with
    reported as (
      select * from jsonb_to_recordset($1::jsonb) as reported("projectId" uuid, "emailId" uuid, at timestamptz,
        words text, "eventId" uuid, "unsubscribeEventId" uuid, "suppressionId" uuid, subject text, "messageId" text)
    ),
    locked as (
      select reported.* from reported join emails e on e.id = "reported"."emailId"
      where e.project_id = $2::uuid and e.id = any($3::uuid[]) and e.id between $4::uuid and $5::uuid and not (e.transient_bounced_at is not null) and e.status || '' not in ('SCHEDULED', 'PENDING', 'SENDING', 'FAILED', 'CANCELLED', 'SKIPPED', 'RECEIVED')
      order by e.project_id, e.id for no key update of e
    ),
    marked as (
      update emails e set transient_bounced_at = h.at, updated_at = $6::timestamptz
      from locked h
      where e.id = "h"."emailId" and e.project_id = $7::uuid and e.id = any($8::uuid[]) and e.id between $9::uuid and $10::uuid
      returning e.*, h.words, h."eventId", h."unsubscribeEventId", h."suppressionId", h.at),
    notes_written as (
  insert into email_notes (project_id, id, email_id, kind, words, at)
      select project_id, "eventId", id, $11::text, words, at from marked where words is not null
  on conflict (project_id, id) do nothing
    ),
    "events_written_rows" as (
      select * from (
      select m.project_id, m."eventId", $12::text, m.contact_id, m.id, jsonb_build_object('subject', coalesce("m"."subject", ''), 'from', "m"."from_email", 'fromName', "m"."from_name",
    'messageId', "m"."message_id", 'emailId', "m"."id", 'templateId', "m"."template_id", 'campaignId', "m"."campaign_id",
    'sourceType', "m"."source_type") || jsonb_build_object('bounceType', 'Transient', 'transientBounce', true), $13::timestamptz
      from marked m where "m"."test" is not true and exists (
  select from contacts c where c.project_id = "m"."project_id" and c.id = "m"."contact_id")
      ) as r(project_id, id, name, contact_id, email_id, data, created_at)
    ),
    "events_written_rows_for_workflows" as (
      select posthorn_queue.add_batches($14, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $15, array_agg(id), $16::int)
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
    ),
    soft_bounced as (
      select m.* from marked m join projects p on p.id = m.project_id where p.sending ? 'softBounces' and m.test is not true and (
        select count(*) >= (p.sending -> 'softBounces' ->> 'count')::int
          and min(bounced) <= m.at - make_interval(days => (p.sending -> 'softBounces' ->> 'days')::int)
        from (
          select bounced, count(*) filter (where bounced is null) over (order by id desc) as others
          from (
            select e.id, case when e.id = m.id then m.at
                when coalesce(e.delivered_at, e.opened_at) > e.transient_bounced_at then null else e.transient_bounced_at end as bounced from emails e
            where e.project_id = m.project_id and e.contact_id = m.contact_id and e.id <= m.id and e.sent_at is not null
            order by e.id desc limit 1000
          ) as latest
        ) as in_a_row where others = 0)
    ),
    suppressed as (
  insert into suppressions (project_id, email, id, reason, created_at)
      select distinct on (project_id, to_email) project_id, to_email, "suppressionId", $17::text, $18::timestamptz
      from "soft_bounced" where to_email <> '' and test is not true
  on conflict (project_id, email) do nothing
  returning project_id, email, reason, created_at
), "suppressions_announced" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (
      select s.project_id, 'suppression.added', null::uuid,
        jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('email', s.email, 'reason', s.reason)), s.created_at
      from suppressed s
      ) as r(project_id, name, contact_id, facts, created_at)
    ),
    "suppressions_announced_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
      from (select * from (select r.* from "suppressions_announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    ),
    owner as (
      select c.project_id, c.id
      from (select distinct project_id, to_email, contact_id from "soft_bounced" where test is not true order by project_id, to_email) as m
      cross join lateral (
        select project_id, id from contacts
        where contacts.project_id = m.project_id and contacts.id = m.contact_id and contacts.email = m.to_email
        limit 1 for no key update
      ) as c
    ),
    stopped as (
      update contacts c set subscribed = coalesce(false, "c"."subscribed"), subscribed_before = "c"."subscribed", opted_out = not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false),
        opted_out_by_api = not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false) and (not "c"."opted_out" or "c"."opted_out_by_api") and false is not false, pending = "c"."pending" and not coalesce(false, "c"."subscribed") and false is not false, updated_at = $19::timestamptz
      from owner
      where c.project_id = owner.project_id and c.id = owner.id and ("c"."subscribed", "c"."opted_out", "c"."opted_out_by_api", "c"."pending")
        <> (coalesce(false, "c"."subscribed"), not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false), not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false) and (not "c"."opted_out" or "c"."opted_out_by_api") and false is not false, "c"."pending" and not coalesce(false, "c"."subscribed") and false is not false)
      returning c.project_id, c.id, c.email, c.subscribed, c.subscribed_before
    ),
    "unsubscribed_rows" as (
      select * from (
      select c.project_id, c."unsubscribeEventId", case when c.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end, c.id,
        c.email_id, jsonb_build_object('reason', $20::text), $21::timestamptz
      from (
        select distinct on (s.project_id, s.id) s.*, m."unsubscribeEventId", m.id as email_id
        from stopped s join "soft_bounced" m on m.project_id = s.project_id and m.contact_id = s.id) as c where c.subscribed <> c.subscribed_before
      ) as r(project_id, id, name, contact_id, email_id, data, created_at)
    ),
    "unsubscribed_rows_for_workflows" as (
      select posthorn_queue.add_batches($22, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $23, array_agg(id), $24::int)
      from (select r.* from "unsubscribed_rows" r where r.contact_id is not null and coalesce(
        (select true from workflows w
         where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
        (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
        (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))) as wanted group by project_id
    ),
    "unsubscribed_rows_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, e.email_id, null::jsonb, e.created_at, e.created_at
      from (select * from (select r.* from "unsubscribed_rows" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    ),
    "unsubscribed_rows_for_conversions" as (
      insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
      select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end,
        case when case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
      from (select r.* from "unsubscribed_rows" r where r.contact_id is not null and exists (
        select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)) as wanted join projects p on p.id = wanted.project_id cross join lateral (
        select k.email_id, k.campaign_id from link_clicks k
        where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
          and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
        order by k.last_at desc limit 1
      ) as clicked
      on conflict do nothing returning 1
    ),
    "unsubscribed" as (
      insert into events (project_id, id, name, contact_id, email_id, data, created_at)
      select * from "unsubscribed_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "unsubscribed_rows_for_workflows") >= 0 and (select count(*) from "unsubscribed_rows_for_webhooks") >= 0 and (select count(*) from "unsubscribed_rows_for_conversions") >= 0
    ),
    "unsubscribed_consents" as (
      insert into consents (project_id, contact_id, id, kind, topic, source, ip, user_agent, text, actor_type, actor_id, actor_name, at)
      select r.project_id, r.contact_id, id_at(r.at, row_number() over ()), r.kind, r.topic, r.cause ->> 'source', r.cause ->> 'ip',
        r.cause ->> 'userAgent', r.cause ->> 'text', r.cause -> 'by' ->> 'type', (r.cause -> 'by' ->> 'id')::uuid,
        coalesce(r.cause -> 'by' ->> 'name', (select users.email from users where users.id = (r.cause -> 'by' ->> 'id')::uuid)), r.at
      from (
      select c.project_id, c.id, case when c.subscribed then 'subscribed' else 'unsubscribed' end, null, $25::timestamptz, $26::jsonb
      from (
        select distinct on (s.project_id, s.id) s.*, m."unsubscribeEventId", m.id as email_id
        from stopped s join "soft_bounced" m on m.project_id = s.project_id and m.contact_id = s.id) as c
      ) as r(project_id, contact_id, kind, topic, at, cause)
    ),
    "updated" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (select c.project_id, 'contact.updated', c.id, jsonb_build_object('contact', jsonb_build_object('id', "c"."id", 'email', "c"."email", 'subscribed', "c"."subscribed"),
        'email', null, 'data', '{}'::jsonb), $27::timestamptz from stopped c
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

/* mark-transient-bounce-of-many */
with
    reported as (
      select * from jsonb_to_recordset($1::jsonb) as reported("projectId" uuid, "emailId" uuid, at timestamptz,
        words text, "eventId" uuid, "unsubscribeEventId" uuid, "suppressionId" uuid, subject text, "messageId" text)
    ),
    locked as (
      select reported.* from reported join emails e on e.project_id = "reported"."projectId" and e.id = "reported"."emailId"
      where e.project_id = any($2::uuid[]) and e.id = any($3::uuid[]) and e.id between $4::uuid and $5::uuid and not (e.transient_bounced_at is not null) and e.status || '' not in ('SCHEDULED', 'PENDING', 'SENDING', 'FAILED', 'CANCELLED', 'SKIPPED', 'RECEIVED')
      order by e.project_id, e.id for no key update of e
    ),
    marked as (
      update emails e set transient_bounced_at = h.at, updated_at = $6::timestamptz
      from locked h
      where e.project_id = "h"."projectId" and e.id = "h"."emailId" and e.project_id = any($7::uuid[]) and e.id = any($8::uuid[]) and e.id between $9::uuid and $10::uuid
      returning e.*, h.words, h."eventId", h."unsubscribeEventId", h."suppressionId", h.at),
    notes_written as (
  insert into email_notes (project_id, id, email_id, kind, words, at)
      select project_id, "eventId", id, $11::text, words, at from marked where words is not null
  on conflict (project_id, id) do nothing
    ),
    "events_written_rows" as (
      select * from (
      select m.project_id, m."eventId", $12::text, m.contact_id, m.id, jsonb_build_object('subject', coalesce("m"."subject", ''), 'from', "m"."from_email", 'fromName', "m"."from_name",
    'messageId', "m"."message_id", 'emailId', "m"."id", 'templateId', "m"."template_id", 'campaignId', "m"."campaign_id",
    'sourceType', "m"."source_type") || jsonb_build_object('bounceType', 'Transient', 'transientBounce', true), $13::timestamptz
      from marked m where "m"."test" is not true and exists (
  select from contacts c where c.project_id = "m"."project_id" and c.id = "m"."contact_id")
      ) as r(project_id, id, name, contact_id, email_id, data, created_at)
    ),
    "events_written_rows_for_workflows" as (
      select posthorn_queue.add_batches($14, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $15, array_agg(id), $16::int)
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
    ),
    soft_bounced as (
      select m.* from marked m join projects p on p.id = m.project_id where p.sending ? 'softBounces' and m.test is not true and (
        select count(*) >= (p.sending -> 'softBounces' ->> 'count')::int
          and min(bounced) <= m.at - make_interval(days => (p.sending -> 'softBounces' ->> 'days')::int)
        from (
          select bounced, count(*) filter (where bounced is null) over (order by id desc) as others
          from (
            select e.id, case when e.id = m.id then m.at
                when coalesce(e.delivered_at, e.opened_at) > e.transient_bounced_at then null else e.transient_bounced_at end as bounced from emails e
            where e.project_id = m.project_id and e.contact_id = m.contact_id and e.id <= m.id and e.sent_at is not null
            order by e.id desc limit 1000
          ) as latest
        ) as in_a_row where others = 0)
    ),
    suppressed as (
  insert into suppressions (project_id, email, id, reason, created_at)
      select distinct on (project_id, to_email) project_id, to_email, "suppressionId", $17::text, $18::timestamptz
      from "soft_bounced" where to_email <> '' and test is not true
  on conflict (project_id, email) do nothing
  returning project_id, email, reason, created_at
), "suppressions_announced" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (
      select s.project_id, 'suppression.added', null::uuid,
        jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('email', s.email, 'reason', s.reason)), s.created_at
      from suppressed s
      ) as r(project_id, name, contact_id, facts, created_at)
    ),
    "suppressions_announced_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
      from (select * from (select r.* from "suppressions_announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    ),
    owner as (
      select c.project_id, c.id
      from (select distinct project_id, to_email, contact_id from "soft_bounced" where test is not true order by project_id, to_email) as m
      cross join lateral (
        select project_id, id from contacts
        where contacts.project_id = m.project_id and contacts.id = m.contact_id and contacts.email = m.to_email
        limit 1 for no key update
      ) as c
    ),
    stopped as (
      update contacts c set subscribed = coalesce(false, "c"."subscribed"), subscribed_before = "c"."subscribed", opted_out = not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false),
        opted_out_by_api = not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false) and (not "c"."opted_out" or "c"."opted_out_by_api") and false is not false, pending = "c"."pending" and not coalesce(false, "c"."subscribed") and false is not false, updated_at = $19::timestamptz
      from owner
      where c.project_id = owner.project_id and c.id = owner.id and ("c"."subscribed", "c"."opted_out", "c"."opted_out_by_api", "c"."pending")
        <> (coalesce(false, "c"."subscribed"), not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false), not coalesce(false, "c"."subscribed") and ("c"."opted_out" or "c"."subscribed" or false is false) and (not "c"."opted_out" or "c"."opted_out_by_api") and false is not false, "c"."pending" and not coalesce(false, "c"."subscribed") and false is not false)
      returning c.project_id, c.id, c.email, c.subscribed, c.subscribed_before
    ),
    "unsubscribed_rows" as (
      select * from (
      select c.project_id, c."unsubscribeEventId", case when c.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end, c.id,
        c.email_id, jsonb_build_object('reason', $20::text), $21::timestamptz
      from (
        select distinct on (s.project_id, s.id) s.*, m."unsubscribeEventId", m.id as email_id
        from stopped s join "soft_bounced" m on m.project_id = s.project_id and m.contact_id = s.id) as c where c.subscribed <> c.subscribed_before
      ) as r(project_id, id, name, contact_id, email_id, data, created_at)
    ),
    "unsubscribed_rows_for_workflows" as (
      select posthorn_queue.add_batches($22, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $23, array_agg(id), $24::int)
      from (select r.* from "unsubscribed_rows" r where r.contact_id is not null and coalesce(
        (select true from workflows w
         where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
        (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
        (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))) as wanted group by project_id
    ),
    "unsubscribed_rows_for_webhooks" as (
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
        created_at, next_attempt_at)
      select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, e.email_id, null::jsonb, e.created_at, e.created_at
      from (select * from (select r.* from "unsubscribed_rows" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
        select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
            select from unnest(w.event_types) as wanted(type)
            where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
      ) as endpoint
      returning 1
    ),
    "unsubscribed_rows_for_conversions" as (
      insert into conversions (project_id, id, email_id, campaign_id, millionths, currency, at)
      select wanted.project_id, wanted.id, clicked.email_id, clicked.campaign_id, case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end,
        case when case when jsonb_typeof(wanted.data -> 'value') in ('number', 'string')
        and wanted.data ->> 'value' ~ '^-?[0-9]{1,12}(\.[0-9]{1,6})?$' and upper(wanted.data ->> 'currency') ~ '^[A-Z]{3}$'
      then ((wanted.data ->> 'value')::numeric * 1000000)::bigint end is not null then upper(wanted.data ->> 'currency') end, wanted.created_at
      from (select r.* from "unsubscribed_rows" r where r.contact_id is not null and exists (
        select from projects p where p.id = r.project_id and p.sending -> 'conversion' ->> 'event' = r.name)) as wanted join projects p on p.id = wanted.project_id cross join lateral (
        select k.email_id, k.campaign_id from link_clicks k
        where k.project_id = wanted.project_id and k.contact_id = wanted.contact_id and k.last_at <= wanted.created_at
          and k.last_at >= wanted.created_at - make_interval(days => (p.sending -> 'conversion' ->> 'days')::int)
        order by k.last_at desc limit 1
      ) as clicked
      on conflict do nothing returning 1
    ),
    "unsubscribed" as (
      insert into events (project_id, id, name, contact_id, email_id, data, created_at)
      select * from "unsubscribed_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "unsubscribed_rows_for_workflows") >= 0 and (select count(*) from "unsubscribed_rows_for_webhooks") >= 0 and (select count(*) from "unsubscribed_rows_for_conversions") >= 0
    ),
    "unsubscribed_consents" as (
      insert into consents (project_id, contact_id, id, kind, topic, source, ip, user_agent, text, actor_type, actor_id, actor_name, at)
      select r.project_id, r.contact_id, id_at(r.at, row_number() over ()), r.kind, r.topic, r.cause ->> 'source', r.cause ->> 'ip',
        r.cause ->> 'userAgent', r.cause ->> 'text', r.cause -> 'by' ->> 'type', (r.cause -> 'by' ->> 'id')::uuid,
        coalesce(r.cause -> 'by' ->> 'name', (select users.email from users where users.id = (r.cause -> 'by' ->> 'id')::uuid)), r.at
      from (
      select c.project_id, c.id, case when c.subscribed then 'subscribed' else 'unsubscribed' end, null, $25::timestamptz, $26::jsonb
      from (
        select distinct on (s.project_id, s.id) s.*, m."unsubscribeEventId", m.id as email_id
        from stopped s join "soft_bounced" m on m.project_id = s.project_id and m.contact_id = s.id) as c
      ) as r(project_id, contact_id, kind, topic, at, cause)
    ),
    "updated" as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (select c.project_id, 'contact.updated', c.id, jsonb_build_object('contact', jsonb_build_object('id', "c"."id", 'email', "c"."email", 'subscribed', "c"."subscribed"),
        'email', null, 'data', '{}'::jsonb), $27::timestamptz from stopped c
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

/* pause-transport */
insert into transport_pauses as p (transport, reason, credentials_refused, since, paused_until, pauses)
  values ($1, $2, $3, $4,
    $5::timestamptz + make_interval(secs => $6::float8), 1)
  on conflict (transport) do update set
    reason = excluded.reason, credentials_refused = excluded.credentials_refused, probed_until = null, probed_by = null,
    pauses = case when (
"p"."paused_until" > $7::timestamptz
and "p"."paused_until" <= $8::timestamptz + make_interval(secs => $9::float8)) then p.pauses else p.pauses + 1 end,
    paused_until = case when (
"p"."paused_until" > $10::timestamptz
and "p"."paused_until" <= $11::timestamptz + make_interval(secs => $12::float8)) then p.paused_until else $13::timestamptz + make_interval(
      secs => least($14::float8, $15::float8 * power(2, least(p.pauses, 30)))) end
  returning reason, credentials_refused as "credentialsRefused", since, paused_until as "pausedUntil";

/* record-not-sent */
update emails e set status = $1, error = $2, lease_until = null, lease_holder = null,
  attempts = attempts - $3::int, updated_at = $4::timestamptz
where project_id = $5 and id = $6 and status || '' = 'SENDING';

/* record-sent */
with outcome as (
  select * from jsonb_to_recordset($1::jsonb) as outcome("projectId" uuid, id uuid, "contactId" uuid,
    subject text, "messageId" text, delivered boolean, "sentEventId" uuid, "deliveredEventId" uuid, facts jsonb)
),
marked as (
  update emails e set status = case when o.delivered then 'DELIVERED' else 'SENT' end, subject = o.subject, message_id = o."messageId",
    error = null, lease_until = null, lease_holder = null, sent_at = $2::timestamptz,
    delivered_at = case when o.delivered then $3::timestamptz end, updated_at = $4::timestamptz
  from outcome o
  where e.id = "o"."id" and e.project_id = $5::uuid and e.id = any($6::uuid[]) and e.id between $7::uuid and $8::uuid and e.status || '' in ('SENDING', 'PENDING') and (select set_config('posthorn.counted', 'on', true)) is not null
  returning o.*, e.project_id, e.campaign_id, e.test, not is_test(e.source_type, e.campaign_id) and e.test is not true as counts
),
"marked_for_campaigns" as (
  select posthorn_queue.add_job($9, json_build_object('projectId', c.project_id, 'campaignId', c.campaign_id)::json, $10::timestamptz,
'complete:' || c.campaign_id::text, $11::int)
  from (select distinct project_id, campaign_id from (select r.* from "marked" r where r.campaign_id is not null) as wanted offset 0) as c
  where awaits_last_emails(c.project_id, c.campaign_id)
),
"marked_for_campaign_counts" as (
  insert into campaign_count_changes (project_id, campaign_id, ended, sent, delivered)
  select project_id, campaign_id, count(*), count(*), count(*) filter (where delivered) from (select r.* from "marked" r where r.campaign_id is not null) as wanted group by project_id, campaign_id
  returning 1
),
counted as (
  insert into email_day_changes (project_id, day, sent, delivered, opened, clicked, bounced, complained)
  select project_id, utc_day($12::timestamptz), count(*), count(*) filter (where delivered), 0, 0, 0, 0 from marked where counts group by project_id
),
deliveries_counted as (
  insert into delivery_count_changes (project_id, day, sent)
  select project_id, utc_day($13::timestamptz), count(*) from marked where test is not true group by project_id
),
"events_written_rows" as (
  select * from (
  select project_id, "sentEventId", 'email.sent', "contactId", id, facts || jsonb_build_object('sentAt', $14::text), $15::timestamptz
  from marked where counts
  union all
  select project_id, "deliveredEventId", 'email.delivery', "contactId", id, facts || jsonb_build_object('deliveredAt', $16::text), $17::timestamptz
  from marked where delivered and counts
  ) as r(project_id, id, name, contact_id, email_id, data, created_at)
),
"events_written_rows_for_workflows" as (
  select posthorn_queue.add_batches($18, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $19, array_agg(id), $20::int)
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
"events_written_days" as (
  insert into event_day_changes (project_id, day, name, change)
  select project_id, utc_day(created_at), name, count(*) from "events_written_rows" group by project_id, utc_day(created_at), name
),
"events_written_contacts" as (
  insert into event_contact_changes (project_id, name, contact_id, change)
  select project_id, name, contact_id, count(*) from "events_written_rows" where contact_id is not null
  group by project_id, name, contact_id
),
"events_written_for_watchers" as (
  select pg_notify('posthorn_activity', r.project_id::text) from "events_written_rows" r
  where exists (select from activity_watchers w where w.project_id = r.project_id and w.until > now()) group by r.project_id
),
"events_written" as (
  insert into events (project_id, id, name, contact_id, email_id, data, created_at)
  select * from "events_written_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "events_written_rows_for_workflows") >= 0 and (select count(*) from "events_written_rows_for_webhooks") >= 0 and (select count(*) from "events_written_rows_for_conversions") >= 0 and (select set_config('posthorn.events_counted_at', statement_timestamp()::text, true)) is not null and (select count(*) from "events_written_for_watchers") >= 0
)
select 1 where true and (select count(*) from "marked_for_campaigns") >= 0 and true and (select count(*) from "marked_for_campaign_counts") >= 0;

/* record-sent-of-many */
with outcome as (
  select * from jsonb_to_recordset($1::jsonb) as outcome("projectId" uuid, id uuid, "contactId" uuid,
    subject text, "messageId" text, delivered boolean, "sentEventId" uuid, "deliveredEventId" uuid, facts jsonb)
),
marked as (
  update emails e set status = case when o.delivered then 'DELIVERED' else 'SENT' end, subject = o.subject, message_id = o."messageId",
    error = null, lease_until = null, lease_holder = null, sent_at = $2::timestamptz,
    delivered_at = case when o.delivered then $3::timestamptz end, updated_at = $4::timestamptz
  from outcome o
  where e.project_id = "o"."projectId" and e.id = "o"."id" and e.project_id = any($5::uuid[]) and e.id = any($6::uuid[]) and e.id between $7::uuid and $8::uuid and e.status || '' in ('SENDING', 'PENDING') and (select set_config('posthorn.counted', 'on', true)) is not null
  returning o.*, e.project_id, e.campaign_id, e.test, not is_test(e.source_type, e.campaign_id) and e.test is not true as counts
),
"marked_for_campaigns" as (
  select posthorn_queue.add_job($9, json_build_object('projectId', c.project_id, 'campaignId', c.campaign_id)::json, $10::timestamptz,
'complete:' || c.campaign_id::text, $11::int)
  from (select distinct project_id, campaign_id from (select r.* from "marked" r where r.campaign_id is not null) as wanted offset 0) as c
  where awaits_last_emails(c.project_id, c.campaign_id)
),
"marked_for_campaign_counts" as (
  insert into campaign_count_changes (project_id, campaign_id, ended, sent, delivered)
  select project_id, campaign_id, count(*), count(*), count(*) filter (where delivered) from (select r.* from "marked" r where r.campaign_id is not null) as wanted group by project_id, campaign_id
  returning 1
),
counted as (
  insert into email_day_changes (project_id, day, sent, delivered, opened, clicked, bounced, complained)
  select project_id, utc_day($12::timestamptz), count(*), count(*) filter (where delivered), 0, 0, 0, 0 from marked where counts group by project_id
),
deliveries_counted as (
  insert into delivery_count_changes (project_id, day, sent)
  select project_id, utc_day($13::timestamptz), count(*) from marked where test is not true group by project_id
),
"events_written_rows" as (
  select * from (
  select project_id, "sentEventId", 'email.sent', "contactId", id, facts || jsonb_build_object('sentAt', $14::text), $15::timestamptz
  from marked where counts
  union all
  select project_id, "deliveredEventId", 'email.delivery', "contactId", id, facts || jsonb_build_object('deliveredAt', $16::text), $17::timestamptz
  from marked where delivered and counts
  ) as r(project_id, id, name, contact_id, email_id, data, created_at)
),
"events_written_rows_for_workflows" as (
  select posthorn_queue.add_batches($18, jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int), $19, array_agg(id), $20::int)
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
"events_written_days" as (
  insert into event_day_changes (project_id, day, name, change)
  select project_id, utc_day(created_at), name, count(*) from "events_written_rows" group by project_id, utc_day(created_at), name
),
"events_written_contacts" as (
  insert into event_contact_changes (project_id, name, contact_id, change)
  select project_id, name, contact_id, count(*) from "events_written_rows" where contact_id is not null
  group by project_id, name, contact_id
),
"events_written_for_watchers" as (
  select pg_notify('posthorn_activity', r.project_id::text) from "events_written_rows" r
  where exists (select from activity_watchers w where w.project_id = r.project_id and w.until > now()) group by r.project_id
),
"events_written" as (
  insert into events (project_id, id, name, contact_id, email_id, data, created_at)
  select * from "events_written_rows" where (select set_config('posthorn.fanned_out', 'on', true)) is not null and true and (select count(*) from "events_written_rows_for_workflows") >= 0 and (select count(*) from "events_written_rows_for_webhooks") >= 0 and (select count(*) from "events_written_rows_for_conversions") >= 0 and (select set_config('posthorn.events_counted_at', statement_timestamp()::text, true)) is not null and (select count(*) from "events_written_for_watchers") >= 0
)
select 1 where true and (select count(*) from "marked_for_campaigns") >= 0 and true and (select count(*) from "marked_for_campaign_counts") >= 0;

/* release-claim */
update emails e set status = 'PENDING', attempts = e.attempts - 1, lease_until = null, lease_holder = null, updated_at = $1::timestamptz
  where e.project_id = $2 and e.id = $3 and e.status || '' = 'SENDING'
and e.lease_holder = $4::int;

/* release-transport-probe */
update transport_pauses set probed_until = null, probed_by = null
where transport = $1 and probed_by is not distinct from $2::int;

/* replace-bucket */
insert into send_paces as pace (scope, taken_until, lines)
values ($1, to_timestamp($2::float8 / 1000), $3::jsonb)
on conflict (scope) do update set taken_until = excluded.taken_until, lines = excluded.lines,
  version = case when pace.version < 2000000000 then pace.version + 1 else 0 end
where pace.version = $4::int;

/* resolve-unclaimed */
with
requested as (
  select requested.*, p.disabled_at is not null as disabled, p.tracking, p.language, p.name as project_name, p.branding, p.sending -> 'utm' as project_utm,
    exists (
select from domain_warm_ups w where w.project_id = "p"."id" and w.per_day is not null) as warms_up, p.sending -> 'frequencyCap' as cap, p.sending -> 'sunset' as sunset, case when p.sending ? 'quietHours' then quiet_until(p.sending -> 'quietHours', $1::timestamptz) end as quiet_until
  from unnest(
    $2::uuid[], $3::uuid[], $4::boolean[]
  ) as requested(project_id, id, take_over)
  join projects p on p.id = requested.project_id
),
  unwanted as (
    select requested.*, coalesce(nullif(unwanted.reason, ''), case when capped then 'the contact has received ' || (requested.cap ->> 'emails') || case (requested.cap ->> 'emails') when '1' then ' marketing email' else ' marketing emails' end || ' in '
|| (requested.cap ->> 'days') || case (requested.cap ->> 'days') when '1' then ' day' else ' days' end || ', the frequency cap of the project' when sunset_now then 'the contact opened and clicked nothing in at least ' || (requested.sunset ->> 'emails')
|| ' marketing emails within ' || (requested.sunset ->> 'days') || ' days, the sunset rule of the project' end) as reason,
      coalesce(unwanted.reason, '') = '' and (capped or sunset_now) as skips
    from requested join emails e on e.id = "requested"."id" and e.project_id = $5::uuid and e.id = any($6::uuid[]) and e.id between $7::uuid and $8::uuid
      left join lateral (
select subject, body, type, literal, plain, encrypted, topic, data, attachments from email_contents
where email_contents.project_id = "e"."project_id" and email_contents.id = "e"."content_id"
  and true
limit 1) as c on true
left join topics as t on t.project_id = e.project_id and t.number = c.topic
      cross join lateral (select
case
  when c.type is null then 'its content is no longer stored'
  when exists (
select from suppressions join projects on projects.id = suppressions.project_id and not projects.send_to_bounced
where suppressions.project_id = e.project_id and suppressions.email = e.to_email and suppressions.reason = 'BOUNCE') then 'the address is suppressed because of a permanent bounce'
  when c.type = 'TRANSACTIONAL' or e.contact_id is null then null
  when e.source_type = 'TRANSACTIONAL' and c.type <> 'MARKETING' and t.number is null then null
  when exists (
select from suppressions where suppressions.project_id = e.project_id and suppressions.email = e.to_email) then 'the address is suppressed'
  when exists (
select from topic_suppressions where topic_suppressions.project_id = e.project_id and topic_suppressions.email = e.to_email
  and topic_suppressions.topic = t.number) then 'the address is suppressed for the topic'
  when e.source_type = 'TRANSACTIONAL' then (
    select case when (("contacts"."opted_out" or "contacts"."pending") or (t.number is not null and not "contacts"."subscribed")) then 'the contact has unsubscribed'
    when (("contacts"."paused_until" > $9::timestamptz) is true) then 'the contact has paused marketing email'
    when (t.number is not null and not (case when t.default_subscribed then not -t.number = any("contacts"."topics") else t.number = any("contacts"."topics") end)) then 'the contact is not subscribed to the topic' end from contacts
    where contacts.project_id = e.project_id and contacts.id = e.contact_id)
  else coalesce(
    (select coalesce(case when not "contacts"."subscribed" then 'the contact has unsubscribed'
    when (("contacts"."paused_until" > $10::timestamptz) is true) then 'the contact has paused marketing email'
    when (t.number is not null and not (case when t.default_subscribed then not -t.number = any("contacts"."topics") else t.number = any("contacts"."topics") end)) then 'the contact is not subscribed to the topic' end, '')
     from contacts where contacts.project_id = e.project_id and contacts.id = e.contact_id),
    'the contact was deleted')
end as reason, (
requested.cap is not null and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic)) and is_capped(requested.cap, e.project_id, e.contact_id, e.id, $11::timestamptz,
  first_id_at($12::timestamptz - make_interval(days => (requested.cap ->> 'days')::int + $13::int)))) as capped, (requested.sunset is not null and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic))
  and sunset_since(requested.sunset, e.project_id, e.contact_id) is not null) as sunset_now offset 0) as unwanted
    where
(e.status = 'PENDING' or (e.status = 'SENDING' and (e.lease_until <= $14::timestamptz
  or e.lease_holder = $15::int or (requested.take_over and e.lease_holder is null)
  or (e.lease_holder is not null and not posthorn_queue.is_running(e.lease_holder))))) and not requested.disabled and not exists (
select from campaigns where campaigns.project_id = e.project_id and campaigns.id = e.campaign_id
  and campaigns.paused_at is not null and (campaigns.held_reason is null or campaigns.guarded_at = campaigns.paused_at)) and not (requested.quiet_until is not null and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic)))
  ),
  cancelled as (
    update emails e set status = case when requested.skips then 'SKIPPED' else 'CANCELLED' end, error = 'Not sent: ' || requested.reason || '.', lease_until = null, lease_holder = null,
      tracking = coalesce(e.tracking, requested.tracking),
      language = coalesce(e.language, case when e.tracking is null then requested.language else 'en' end), updated_at = $16::timestamptz
    from unwanted as requested
    where e.id = "requested"."id" and e.project_id = $17::uuid and e.id = any($18::uuid[]) and e.id between $19::uuid and $20::uuid and
(e.status = 'PENDING' or (e.status = 'SENDING' and (e.lease_until <= $21::timestamptz
  or e.lease_holder = $22::int or (requested.take_over and e.lease_holder is null)
  or (e.lease_holder is not null and not posthorn_queue.is_running(e.lease_holder)))))
      and requested.reason not in ('', 'the address is suppressed because of a permanent bounce')
    returning e.project_id, e.id, e.campaign_id
  ),
  "cancelled_for_campaigns" as (
    select posthorn_queue.add_job($23, json_build_object('projectId', c.project_id, 'campaignId', c.campaign_id)::json, $24::timestamptz,
  'complete:' || c.campaign_id::text, $25::int)
    from (select distinct project_id, campaign_id from (select r.* from "cancelled" r where r.campaign_id is not null) as wanted offset 0) as c
    where awaits_last_emails(c.project_id, c.campaign_id)
  )
  select e.id, e.lease_until, exists (
      select from unwanted where unwanted.project_id = requested.project_id and unwanted.id = requested.id
        and unwanted.reason = 'the address is suppressed because of a permanent bounce') as is_bounced,
    case when requested.disabled then 'the project is disabled' when exists (
select from campaigns where campaigns.project_id = e.project_id and campaigns.id = e.campaign_id
  and campaigns.paused_at is not null and (campaigns.held_reason is null or campaigns.guarded_at = campaigns.paused_at)) then 'the campaign is paused'
      when (requested.quiet_until is not null and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic))) then 'these are quiet hours' when full_until.at is not null then 'the sender domain has sent its marketing email for today' end as reason,
    case when (requested.quiet_until is not null and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic))) then requested.quiet_until else full_until.at end as until
  from requested join emails e on e.id = "requested"."id" and e.project_id = $26::uuid and e.id = any($27::uuid[]) and e.id between $28::uuid and $29::uuid
    left join lateral (
select subject, body, type, literal, plain, encrypted, topic, data, attachments from email_contents
where email_contents.project_id = "e"."project_id" and email_contents.id = "e"."content_id"
  and true
limit 1) as c on true
left join topics as t on t.project_id = e.project_id and t.number = c.topic
    left join lateral (
      select case when warm_up_limit(w.started_on, w.per_day, w.growth, warm_up_day(w.counted_on, $30::timestamptz)) - case when w.counted_on = warm_up_day(w.counted_on, $31::timestamptz) then w.counted else 0 end <= 0 then ((warm_up_day(w.counted_on, $32::timestamptz) + 1)::timestamp at time zone 'UTC') end as at from domain_warm_ups w
      where (
w.project_id = "e"."project_id" and w.per_day is not null
  and lower(substring("e"."from_email" from '[^@]*$')) = any(w.names)) and requested.warms_up and
(e.status = 'PENDING' or (e.status = 'SENDING' and (e.lease_until <= $33::timestamptz
  or e.lease_holder = $34::int or (requested.take_over and e.lease_holder is null)
  or (e.lease_holder is not null and not posthorn_queue.is_running(e.lease_holder))))) and e.test is not true and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic))
        and "e"."warm_up_day" is distinct from warm_up_day(w.counted_on, $35::timestamptz)
    ) as full_until on true
  where e.status in ('PENDING', 'SENDING') and not exists (
    select from cancelled where cancelled.project_id = requested.project_id and cancelled.id = requested.id)
    and true and (select count(*) from "cancelled_for_campaigns") >= 0;

/* resolve-unclaimed-of-many */
with
requested as (
  select requested.*, p.disabled_at is not null as disabled, p.tracking, p.language, p.name as project_name, p.branding, p.sending -> 'utm' as project_utm,
    exists (
select from domain_warm_ups w where w.project_id = "p"."id" and w.per_day is not null) as warms_up, p.sending -> 'frequencyCap' as cap, p.sending -> 'sunset' as sunset, case when p.sending ? 'quietHours' then quiet_until(p.sending -> 'quietHours', $1::timestamptz) end as quiet_until
  from unnest(
    $2::uuid[], $3::uuid[], $4::boolean[]
  ) as requested(project_id, id, take_over)
  join projects p on p.id = requested.project_id
),
  unwanted as (
    select requested.*, coalesce(nullif(unwanted.reason, ''), case when capped then 'the contact has received ' || (requested.cap ->> 'emails') || case (requested.cap ->> 'emails') when '1' then ' marketing email' else ' marketing emails' end || ' in '
|| (requested.cap ->> 'days') || case (requested.cap ->> 'days') when '1' then ' day' else ' days' end || ', the frequency cap of the project' when sunset_now then 'the contact opened and clicked nothing in at least ' || (requested.sunset ->> 'emails')
|| ' marketing emails within ' || (requested.sunset ->> 'days') || ' days, the sunset rule of the project' end) as reason,
      coalesce(unwanted.reason, '') = '' and (capped or sunset_now) as skips
    from requested join emails e on e.project_id = "requested"."project_id" and e.id = "requested"."id" and e.project_id = any($5::uuid[]) and e.id = any($6::uuid[]) and e.id between $7::uuid and $8::uuid
      left join lateral (
select subject, body, type, literal, plain, encrypted, topic, data, attachments from email_contents
where email_contents.project_id = "e"."project_id" and email_contents.id = "e"."content_id"
  and true
limit 1) as c on true
left join topics as t on t.project_id = e.project_id and t.number = c.topic
      cross join lateral (select
case
  when c.type is null then 'its content is no longer stored'
  when exists (
select from suppressions join projects on projects.id = suppressions.project_id and not projects.send_to_bounced
where suppressions.project_id = e.project_id and suppressions.email = e.to_email and suppressions.reason = 'BOUNCE') then 'the address is suppressed because of a permanent bounce'
  when c.type = 'TRANSACTIONAL' or e.contact_id is null then null
  when e.source_type = 'TRANSACTIONAL' and c.type <> 'MARKETING' and t.number is null then null
  when exists (
select from suppressions where suppressions.project_id = e.project_id and suppressions.email = e.to_email) then 'the address is suppressed'
  when exists (
select from topic_suppressions where topic_suppressions.project_id = e.project_id and topic_suppressions.email = e.to_email
  and topic_suppressions.topic = t.number) then 'the address is suppressed for the topic'
  when e.source_type = 'TRANSACTIONAL' then (
    select case when (("contacts"."opted_out" or "contacts"."pending") or (t.number is not null and not "contacts"."subscribed")) then 'the contact has unsubscribed'
    when (("contacts"."paused_until" > $9::timestamptz) is true) then 'the contact has paused marketing email'
    when (t.number is not null and not (case when t.default_subscribed then not -t.number = any("contacts"."topics") else t.number = any("contacts"."topics") end)) then 'the contact is not subscribed to the topic' end from contacts
    where contacts.project_id = e.project_id and contacts.id = e.contact_id)
  else coalesce(
    (select coalesce(case when not "contacts"."subscribed" then 'the contact has unsubscribed'
    when (("contacts"."paused_until" > $10::timestamptz) is true) then 'the contact has paused marketing email'
    when (t.number is not null and not (case when t.default_subscribed then not -t.number = any("contacts"."topics") else t.number = any("contacts"."topics") end)) then 'the contact is not subscribed to the topic' end, '')
     from contacts where contacts.project_id = e.project_id and contacts.id = e.contact_id),
    'the contact was deleted')
end as reason, (
requested.cap is not null and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic)) and is_capped(requested.cap, e.project_id, e.contact_id, e.id, $11::timestamptz,
  first_id_at($12::timestamptz - make_interval(days => (requested.cap ->> 'days')::int + $13::int)))) as capped, (requested.sunset is not null and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic))
  and sunset_since(requested.sunset, e.project_id, e.contact_id) is not null) as sunset_now offset 0) as unwanted
    where
(e.status = 'PENDING' or (e.status = 'SENDING' and (e.lease_until <= $14::timestamptz
  or e.lease_holder = $15::int or (requested.take_over and e.lease_holder is null)
  or (e.lease_holder is not null and not posthorn_queue.is_running(e.lease_holder))))) and not requested.disabled and not exists (
select from campaigns where campaigns.project_id = e.project_id and campaigns.id = e.campaign_id
  and campaigns.paused_at is not null and (campaigns.held_reason is null or campaigns.guarded_at = campaigns.paused_at)) and not (requested.quiet_until is not null and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic)))
  ),
  cancelled as (
    update emails e set status = case when requested.skips then 'SKIPPED' else 'CANCELLED' end, error = 'Not sent: ' || requested.reason || '.', lease_until = null, lease_holder = null,
      tracking = coalesce(e.tracking, requested.tracking),
      language = coalesce(e.language, case when e.tracking is null then requested.language else 'en' end), updated_at = $16::timestamptz
    from unwanted as requested
    where e.project_id = "requested"."project_id" and e.id = "requested"."id" and e.project_id = any($17::uuid[]) and e.id = any($18::uuid[]) and e.id between $19::uuid and $20::uuid and
(e.status = 'PENDING' or (e.status = 'SENDING' and (e.lease_until <= $21::timestamptz
  or e.lease_holder = $22::int or (requested.take_over and e.lease_holder is null)
  or (e.lease_holder is not null and not posthorn_queue.is_running(e.lease_holder)))))
      and requested.reason not in ('', 'the address is suppressed because of a permanent bounce')
    returning e.project_id, e.id, e.campaign_id
  ),
  "cancelled_for_campaigns" as (
    select posthorn_queue.add_job($23, json_build_object('projectId', c.project_id, 'campaignId', c.campaign_id)::json, $24::timestamptz,
  'complete:' || c.campaign_id::text, $25::int)
    from (select distinct project_id, campaign_id from (select r.* from "cancelled" r where r.campaign_id is not null) as wanted offset 0) as c
    where awaits_last_emails(c.project_id, c.campaign_id)
  )
  select e.id, e.lease_until, exists (
      select from unwanted where unwanted.project_id = requested.project_id and unwanted.id = requested.id
        and unwanted.reason = 'the address is suppressed because of a permanent bounce') as is_bounced,
    case when requested.disabled then 'the project is disabled' when exists (
select from campaigns where campaigns.project_id = e.project_id and campaigns.id = e.campaign_id
  and campaigns.paused_at is not null and (campaigns.held_reason is null or campaigns.guarded_at = campaigns.paused_at)) then 'the campaign is paused'
      when (requested.quiet_until is not null and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic))) then 'these are quiet hours' when full_until.at is not null then 'the sender domain has sent its marketing email for today' end as reason,
    case when (requested.quiet_until is not null and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic))) then requested.quiet_until else full_until.at end as until
  from requested join emails e on e.project_id = "requested"."project_id" and e.id = "requested"."id" and e.project_id = any($26::uuid[]) and e.id = any($27::uuid[]) and e.id between $28::uuid and $29::uuid
    left join lateral (
select subject, body, type, literal, plain, encrypted, topic, data, attachments from email_contents
where email_contents.project_id = "e"."project_id" and email_contents.id = "e"."content_id"
  and true
limit 1) as c on true
left join topics as t on t.project_id = e.project_id and t.number = c.topic
    left join lateral (
      select case when warm_up_limit(w.started_on, w.per_day, w.growth, warm_up_day(w.counted_on, $30::timestamptz)) - case when w.counted_on = warm_up_day(w.counted_on, $31::timestamptz) then w.counted else 0 end <= 0 then ((warm_up_day(w.counted_on, $32::timestamptz) + 1)::timestamp at time zone 'UTC') end as at from domain_warm_ups w
      where (
w.project_id = "e"."project_id" and w.per_day is not null
  and lower(substring("e"."from_email" from '[^@]*$')) = any(w.names)) and requested.warms_up and
(e.status = 'PENDING' or (e.status = 'SENDING' and (e.lease_until <= $33::timestamptz
  or e.lease_holder = $34::int or (requested.take_over and e.lease_holder is null)
  or (e.lease_holder is not null and not posthorn_queue.is_running(e.lease_holder))))) and e.test is not true and (
"e"."contact_id" is not null and is_marketing("e"."source_type", c.type, c.topic))
        and "e"."warm_up_day" is distinct from warm_up_day(w.counted_on, $35::timestamptz)
    ) as full_until on true
  where e.status in ('PENDING', 'SENDING') and not exists (
    select from cancelled where cancelled.project_id = requested.project_id and cancelled.id = requested.id)
    and true and (select count(*) from "cancelled_for_campaigns") >= 0;

/* resume-transport */
delete from transport_pauses where transport = $1;
