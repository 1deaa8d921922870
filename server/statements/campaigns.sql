-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* clear-campaign-recipients */
delete from campaign_recipients r using campaigns c
where c.project_id = $1 and c.id = $2 and c.status in ('SENT', 'CANCELLED')
  and r.project_id = $3 and r.campaign_id = $4 and r.contact_id <= coalesce(
    (select contact_id from campaign_recipients where project_id = $5 and campaign_id = $6
     order by contact_id offset $7::int - 1 limit 1),
    'ffffffff-ffff-ffff-ffff-ffffffffffff');

/* clear-campaign-wave-recipients */
delete from campaign_wave_recipients r using campaigns c
where c.project_id = $1 and c.id = $2 and c.status in ('SENT', 'CANCELLED')
  and r.project_id = $3 and r.campaign_id = $4 and (r.wave, r.contact_id) <= coalesce(
    (select row(wave, contact_id) from campaign_wave_recipients where project_id = $5 and campaign_id = $6
     order by wave, contact_id offset $7::int - 1 limit 1),
    row(2147483647, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid));

/* count-campaign-skipped */
select case when error like '%the sunset rule of the project%' then 'sunset' else 'frequencyCap' end as reason, count(*)::int as count
from emails where project_id = $1 and campaign_id = $2 and status = 'SKIPPED'
group by 1 order by 2 desc, 1;

/* count-campaign-unsubscribes */
select count(distinct events.email_id) as count from events
join emails on emails.project_id = events.project_id and emails.id = events.email_id
where events.project_id = $1 and events.name = 'contact.unsubscribed' and events.id >= first_id_at($2::timestamptz)
  and emails.campaign_id = $3 and not events.data ? 'reason' -- a bounce or a complaint is counted as such;

/* count-occurrences */
select count(*)::int as count from campaign_occurrences where project_id = $1 and campaign_id = $2;

/* count-variants */
select w.variant, w.recipients, w.queued, coalesce(e.untried, 0)::int as untried, coalesce(e.sent, 0)::int as sent, coalesce(e.delivered, 0)::int as delivered,
  coalesce(e.refused, 0)::int as refused, coalesce(e.bounced, 0)::int as bounced, coalesce(e.opened, 0)::int as opened,
  coalesce(e.clicked, 0)::int as clicked, coalesce(e.converted, 0)::int as converted
from campaign_waves w
left join (
  select wave, count(*) filter (where status = 'PENDING' and attempts = 0) as untried, count(sent_at) as sent, count(*) filter (where is_delivered(delivered_at, bounced_at)) as delivered,
    count(*) filter (where is_refused(sent_at, bounced_at)) as refused, count(bounced_at) as bounced, count(opened_at) as opened, count(clicked_at) as clicked,
    count(*) filter (where clicked_at is not null and $1::text is not null and exists (
      select from events v where v.project_id = $2 and v.contact_id = emails.contact_id and v.name = $3::text
        and v.created_at >= emails.clicked_at and v.id >= first_id_at(emails.clicked_at))) as converted
  from emails
  where project_id = $4 and campaign_id = $5 and wave in (
    select number from campaign_waves
    where project_id = $6 and campaign_id = $7 and variant is not null)
  group by wave
) as e on e.wave = w.number
where w.project_id = $8 and w.campaign_id = $9 and w.variant is not null;

/* delete-recurrence */
delete from campaign_recurrences where project_id = $1 and campaign_id = $2;

/* find-archive */
select id as project_id, name, sending -> 'archive' ->> 'title' as title, archive_slug as slug, language, branding
from projects where archive_slug = $1 and (sending -> 'archive' ->> 'enabled')::boolean and disabled_at is null;

/* find-campaign */
select c.*, r.status as recurrence, t.campaign_id is not null as has_experiment, (coalesce(k."ended", 0) + coalesce(d."ended", 0))::int as "ended", (coalesce(k."sent", 0) + coalesce(d."sent", 0))::int as "sent", (coalesce(k."delivered", 0) + coalesce(d."delivered", 0))::int as "delivered", (coalesce(k."opened", 0) + coalesce(d."opened", 0))::int as "opened", (coalesce(k."clicked", 0) + coalesce(d."clicked", 0))::int as "clicked", (coalesce(k."bounced", 0) + coalesce(d."bounced", 0))::int as "bounced", (coalesce(k."complained", 0) + coalesce(d."complained", 0))::int as "complained", (coalesce(k."failed", 0) + coalesce(d."failed", 0))::int as "failed", (coalesce(k."refused", 0) + coalesce(d."refused", 0))::int as "refused", (coalesce(k."skipped", 0) + coalesce(d."skipped", 0))::int as "skipped" from (select * from campaigns where project_id = $1 and id = $2) as c
left join campaign_recurrences r on r.project_id = c.project_id and r.campaign_id = c.id
left join campaign_experiments t on t.project_id = c.project_id and t.campaign_id = c.id
left join campaign_counts k on k.project_id = c.project_id and k.campaign_id = c.id
left join lateral (
  select sum("ended") as "ended", sum("sent") as "sent", sum("delivered") as "delivered", sum("opened") as "opened", sum("clicked") as "clicked", sum("bounced") as "bounced", sum("complained") as "complained", sum("failed") as "failed", sum("refused") as "refused", sum("skipped") as "skipped" from campaign_count_changes x where x.project_id = c.project_id and x.campaign_id = c.id
) as d on true;

/* find-campaign-feed */
select data as feed from campaign_feeds where project_id = $1 and campaign_id = $2;

/* find-campaigns */
select * from (
select c.*, r.status as recurrence, t.campaign_id is not null as has_experiment, (coalesce(k."ended", 0) + coalesce(d."ended", 0))::int as "ended", (coalesce(k."sent", 0) + coalesce(d."sent", 0))::int as "sent", (coalesce(k."delivered", 0) + coalesce(d."delivered", 0))::int as "delivered", (coalesce(k."opened", 0) + coalesce(d."opened", 0))::int as "opened", (coalesce(k."clicked", 0) + coalesce(d."clicked", 0))::int as "clicked", (coalesce(k."bounced", 0) + coalesce(d."bounced", 0))::int as "bounced", (coalesce(k."complained", 0) + coalesce(d."complained", 0))::int as "complained", (coalesce(k."failed", 0) + coalesce(d."failed", 0))::int as "failed", (coalesce(k."refused", 0) + coalesce(d."refused", 0))::int as "refused", (coalesce(k."skipped", 0) + coalesce(d."skipped", 0))::int as "skipped" from (
    select campaigns.*, position from unnest($1::uuid[]) with ordinality as page(id, position)
    join campaigns on campaigns.project_id = $2 and campaigns.id = page.id) as c
left join campaign_recurrences r on r.project_id = c.project_id and r.campaign_id = c.id
left join campaign_experiments t on t.project_id = c.project_id and t.campaign_id = c.id
left join campaign_counts k on k.project_id = c.project_id and k.campaign_id = c.id
left join lateral (
  select sum("ended") as "ended", sum("sent") as "sent", sum("delivered") as "delivered", sum("opened") as "opened", sum("clicked") as "clicked", sum("bounced") as "bounced", sum("complained") as "complained", sum("failed") as "failed", sum("refused") as "refused", sum("skipped") as "skipped" from campaign_count_changes x where x.project_id = c.project_id and x.campaign_id = c.id
) as d on true) as listed
  order by position;

/* find-campaigns-without-content */
select * from (
select c.*, r.status as recurrence, t.campaign_id is not null as has_experiment, (coalesce(k."ended", 0) + coalesce(d."ended", 0))::int as "ended", (coalesce(k."sent", 0) + coalesce(d."sent", 0))::int as "sent", (coalesce(k."delivered", 0) + coalesce(d."delivered", 0))::int as "delivered", (coalesce(k."opened", 0) + coalesce(d."opened", 0))::int as "opened", (coalesce(k."clicked", 0) + coalesce(d."clicked", 0))::int as "clicked", (coalesce(k."bounced", 0) + coalesce(d."bounced", 0))::int as "bounced", (coalesce(k."complained", 0) + coalesce(d."complained", 0))::int as "complained", (coalesce(k."failed", 0) + coalesce(d."failed", 0))::int as "failed", (coalesce(k."refused", 0) + coalesce(d."refused", 0))::int as "refused", (coalesce(k."skipped", 0) + coalesce(d."skipped", 0))::int as "skipped" from (
    select short.*, position from unnest($1::uuid[]) with ordinality as page(id, position)
    join campaigns on campaigns.project_id = $2 and campaigns.id = page.id, jsonb_populate_record(campaigns, jsonb_build_object('body', '',
    'document', case when document is not null then '{}'::jsonb end, 'mjml', case when mjml is not null then '<mjml>' end)) as short) as c
left join campaign_recurrences r on r.project_id = c.project_id and r.campaign_id = c.id
left join campaign_experiments t on t.project_id = c.project_id and t.campaign_id = c.id
left join campaign_counts k on k.project_id = c.project_id and k.campaign_id = c.id
left join lateral (
  select sum("ended") as "ended", sum("sent") as "sent", sum("delivered") as "delivered", sum("opened") as "opened", sum("clicked") as "clicked", sum("bounced") as "bounced", sum("complained") as "complained", sum("failed") as "failed", sum("refused") as "refused", sum("skipped") as "skipped" from campaign_count_changes x where x.project_id = c.project_id and x.campaign_id = c.id
) as d on true) as listed
  order by position;

/* find-experiment */
select * from campaign_experiments where project_id = $1 and campaign_id = $2;

/* find-next-campaign-wave */
select min(send_at) as at, count(*) > count(send_at) as undecided from campaign_waves
where project_id = $1 and campaign_id = $2 and queued < recipients;

/* find-public-campaign */
select c.id, coalesce(v.variant ->> 'subject', c.subject) as subject, coalesce(v.variant ->> 'preheader', c.preheader) as preheader,
  coalesce(v.variant ->> 'body', c.body) as body, c.sent_at,
  (select jsonb_build_object('feed', f.data) from campaign_feeds f
    where f.project_id = c.project_id and f.campaign_id = c.id) as data
from campaigns c left join lateral (
  select variant from campaign_experiments x, jsonb_array_elements(x.variants) as variant
  where x.project_id = c.project_id and x.campaign_id = c.id and variant ->> 'name' = x.winner
) as v on true
where c.project_id = $1 and c.is_public and c.status = 'SENT' and c.id = $2::uuid;

/* find-recurrence */
select * from campaign_recurrences where project_id = $1 and campaign_id = $2;

/* find-sending-settings */
select disabled_at is not null as "isDisabled", sending as settings from projects where id = $1;

/* has-pending-emails */
select from emails where project_id = $1 and campaign_id = $2 and status in ('PENDING', 'SENDING')
order by id desc limit 1;

/* has-unwritten-campaign-emails */
select exists (
select from campaign_recipients r where r.project_id = c.project_id and r.campaign_id = c.id
  and r.contact_id > coalesce(c.last_contact_id, '00000000-0000-0000-0000-000000000000')
union all
select from campaign_waves w where w.project_id = c.project_id and w.campaign_id = c.id and w.queued < w.recipients) as unwritten from campaigns c where project_id = $1 and id = $2;

/* insert-campaign-slice */
with campaign as (
  select * from campaigns
  where project_id = $1 and id = $2 and status = 'SENDING' and frozen_at is not null and paused_at is null
    and has_waves = $3::boolean
  for update
),
upcoming as (
  select r.contact_id from campaign cross join lateral (
    select contact_id from campaign_recipients
    where project_id = $4 and campaign_id = $5 and true
      and contact_id > coalesce(campaign.last_contact_id, '00000000-0000-0000-0000-000000000000')
    order by contact_id limit $6
  ) as r
),
cost as (
  select project_id, array_agg(request order by request) as requests, array_agg(size order by request) as sizes,
    date_trunc('month', max(at) at time zone 'UTC')::date as month
  from (select $7::uuid, 1, count(*)::int, $8::timestamptz from upcoming having count(*) > 0) as asked(project_id, request, size, at) group by project_id
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
slice as (select contact_id from upcoming where not exists (select from over_limit)),
message as (
  select 1 as request, project_id, $10::timestamptz as asked_at, content_id, from_email, from_name, reply_to,
    '{}'::jsonb as headers, '{}'::jsonb as variables, null::bytea as encrypted_variables, $11::text as known_subject, template_id, id as campaign_id,
    null::uuid as workflow_execution_id, null::text as message_id
  from campaign),
recipient as (
  select 1 as request, id_at($12::timestamptz, row_number() over (order by contacts.id)) as email_id,
    contacts.id as contact_id, contacts.email as to_email, null::text as to_name, contacts.data as contact_data
  from slice join contacts on contacts.project_id = $13 and contacts.id = slice.contact_id
),
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
  select $14::text, item.payload, coalesce($15::timestamptz, now()),
    $16::smallint, $17::smallint
  from (select (select json_build_object('projectId', $18::text, 'campaignId', $19::text,
      'emailIds', json_agg(id order by id)) from outbox) where exists (select from slice)) as item(payload)),
moved as (
  update campaigns set last_contact_id = (select contact_id from slice order by contact_id desc limit 1), moved_at = $20::timestamptz
  where project_id = $21 and id = $22 and exists (select from slice)
),
gone as (
  insert into campaign_count_changes (project_id, campaign_id, ended)
  select $23, $24, missing.count
  from (select (select count(*) from slice) - (select count(*) from recipient) as count) as missing
  where missing.count > 0
)
select (select count(*) from slice)::int as recipients, (select max from over_limit) as "overLimit";

/* insert-campaign-wave-slice */
with campaign as (
  select * from campaigns
  where project_id = $1 and id = $2 and status = 'SENDING' and frozen_at is not null and paused_at is null
    and has_waves = $3::boolean
  for update
),
wave as (
  select w.* from campaign join campaign_waves w on w.project_id = campaign.project_id and w.campaign_id = campaign.id
  where w.send_at <= $4::timestamptz and w.queued < w.recipients
  order by w.send_at, w.queued, w.number limit 1 for update of w
),
upcoming as (
  select r.contact_id from wave cross join lateral (
    select contact_id from campaign_wave_recipients
    where project_id = $5 and campaign_id = $6 and campaign_wave_recipients.wave = wave.number
      and contact_id > coalesce(wave.last_contact_id, '00000000-0000-0000-0000-000000000000')
    order by contact_id limit $7
  ) as r
),
cost as (
  select project_id, array_agg(request order by request) as requests, array_agg(size order by request) as sizes,
    date_trunc('month', max(at) at time zone 'UTC')::date as month
  from (select $8::uuid, 1, count(*)::int, $9::timestamptz from upcoming having count(*) > 0) as asked(project_id, request, size, at) group by project_id
),
spent as (
  update billing_limits l set month = greatest(l.month, cost.month), used_before = case when l.month >= cost.month then l.used else 0 end,
    used = case when l.month >= cost.month then l.used else 0 end + fitting_sum(l.max - case when l.month >= cost.month then l.used else 0 end, cost.sizes)
  from cost where l.project_id = cost.project_id and l.source = $10::text
  returning l.max, cost.requests, fitting(l.max - l.used_before, cost.sizes) as fits
),
over_limit as (
  select answer.request, spent.max from spent, unnest(spent.requests, spent.fits) as answer(request, fits) where not answer.fits
),
slice as (select contact_id from upcoming where not exists (select from over_limit)),
message as (
  select 1 as request, campaign.project_id, $11::timestamptz as asked_at, coalesce(wave.content_id, campaign.content_id) as content_id,
    coalesce(wave.from_email, campaign.from_email) as from_email,
    case when wave.content_id is null then campaign.from_name else wave.from_name end as from_name, reply_to,
    '{}'::jsonb as headers, '{}'::jsonb as variables, null::bytea as encrypted_variables,
    case when wave.content_id is null then $12::text else wave.subject end as known_subject, template_id, id as campaign_id,
    null::uuid as workflow_execution_id, null::text as message_id, wave.number as wave
  from campaign cross join wave),
recipient as (
  select 1 as request, id_at($13::timestamptz, row_number() over (order by contacts.id)) as email_id,
    contacts.id as contact_id, contacts.email as to_email, null::text as to_name, contacts.data as contact_data
  from slice join contacts on contacts.project_id = $14 and contacts.id = slice.contact_id
),
outbox as (
  insert into emails (project_id, id, contact_id, content_id, to_email, to_name, subject, from_email, from_name, reply_to,
    headers, variables, encrypted_variables, contact_data, source_type, template_id, campaign_id, workflow_execution_id, message_id, status,
    created_at, updated_at, wave)
  select m.project_id, r.email_id, r.contact_id, m.content_id, r.to_email, r.to_name, m.known_subject, m.from_email, m.from_name,
    m.reply_to, m.headers, m.variables, m.encrypted_variables, r.contact_data, 'CAMPAIGN', m.template_id, m.campaign_id, m.workflow_execution_id,
    m.message_id, 'PENDING', m.asked_at, m.asked_at, m.wave
  from recipient r join message m on m.request = r.request
  returning project_id, id, status
), added_jobs as (
  insert into posthorn_queue.jobs (name, payload, run_at, priority, max_attempts)
  select $15::text, item.payload, coalesce($16::timestamptz, now()),
    $17::smallint, $18::smallint
  from (select (select json_build_object('projectId', $19::text, 'campaignId', $20::text,
      'emailIds', json_agg(id order by id)) from outbox) where exists (select from slice)) as item(payload)),
wave_moved as (
  update campaign_waves w set last_contact_id = (select contact_id from slice order by contact_id desc limit 1), queued = w.queued + (select count(*) from slice)
  from wave where w.project_id = wave.project_id and w.campaign_id = wave.campaign_id and w.number = wave.number
    and exists (select from slice)
),
moved as (
  update campaigns set  moved_at = $21::timestamptz
  where project_id = $22 and id = $23 and exists (select from slice)
),
gone as (
  insert into campaign_count_changes (project_id, campaign_id, ended)
  select $24, $25, missing.count
  from (select (select count(*) from slice) - (select count(*) from recipient) as count) as missing
  where missing.count > 0
)
select (select count(*) from slice)::int as recipients, (select max from over_limit) as "overLimit";

/* list-campaign-bounces */
select split_part(e.to_email, '@', 2) as domain, coalesce(min(note.words), min(e.error), '') as reason, count(*)::int as count
from emails e left join lateral (
  select words from email_notes n where n.project_id = e.project_id and n.email_id = e.id and n.kind = 'email.bounce'
  order by n.id desc limit 1
) as note on true
where e.project_id = $1 and e.campaign_id = $2 and e.bounced_at is not null
group by 1, coalesce(substring(note.words from '^\d{3}[ -]\d\.\d+\.\d+'), left(note.words, 60))
order by 3 desc, 1 limit $3;

/* list-campaign-engagement */
select date_trunc($1::text, at, 'UTC') as at, count(*) filter (where kind = 'open')::int as opened,
  count(*) filter (where kind = 'click')::int as clicked
from emails, lateral (values ('open', opened_at), ('click', clicked_at)) as moment(kind, at)
where project_id = $2 and campaign_id = $3 and at is not null
group by 1 order by 1;

/* list-campaign-links */
select url, count(*)::int as clicks, sum(clicks)::int as "totalClicks" from (
  select link as url, clicks from link_clicks where project_id = $1 and campaign_id = $2
  union all
  select events.data ->> 'link', 1 from events
  join emails on emails.project_id = events.project_id and emails.id = events.email_id
  where events.project_id = $3 and events.name = 'email.click'
    and events.id >= first_id_at($4::timestamptz) and events.id < first_id_at($5::timestamptz)
    and emails.campaign_id = $6 and events.data ? 'link' and not exists (
      select from link_clicks k where k.project_id = events.project_id and k.email_id = events.email_id)
) as clicked
group by 1 order by 2 desc, 1 limit $7;

/* list-campaign-waves */
select w.send_at as at, w.recipients, coalesce(w.sent, counted.sent, 0)::int as sent
  from campaign_waves w left join (
select wave, count(sent_at) as sent from emails
where project_id = $1 and campaign_id = $2 and wave is not null
  and exists (
    select from campaign_waves where project_id = $3 and campaign_id = $4 and sent is null)
group by wave) as counted on w.sent is null and counted.wave = w.number
  where w.project_id = $5 and w.campaign_id = $6
  order by w.send_at nulls last, w.number;

/* list-due-recurrences */
select project_id, campaign_id, next_at from campaign_recurrences
where next_at <= $1 order by project_id, campaign_id;

/* list-earlier-campaigns */
select c.id, c.name, c.sent_at as "sentAt", counted.* from (
  select id, name, sent_at, sent_at + make_interval(secs => $1::int) as until from campaigns
  where project_id = $2 and status = 'SENT' and sent_at < $3::timestamptz
  order by sent_at desc, id desc limit $4
) as c
join lateral (
  select count(*) filter (where fact = 'sent')::int as sent, count(*) filter (where fact = 'delivered')::int as delivered,
    count(*) filter (where fact = 'opened')::int as opened, count(*) filter (where fact = 'clicked')::int as clicked,
    count(*) filter (where fact = 'bounced')::int as bounced, count(*) filter (where fact = 'complained')::int as complained,
    count(*) filter (where fact = 'refused')::int as refused
  from emails e cross join lateral email_facts(e.sent_at, e.delivered_at, e.opened_at, e.clicked_at,
    case when e.bounced_at <= c.until then e.bounced_at end, e.complained_at)
  where e.project_id = $5 and e.campaign_id = c.id and at <= c.until
) as counted on counted.sent + counted.refused > 0
order by c.sent_at desc, c.id desc;

/* list-occurrences */
select id, at, sent_campaign_id, reason from campaign_occurrences
where project_id = $1 and campaign_id = $2 and ($3::uuid is null or id < $4::uuid)
order by id desc limit $5::int;

/* list-pending-emails */
select id from emails where project_id = $1 and campaign_id = $2 and status = 'PENDING'
order by id desc limit $3;

/* list-public-campaigns */
select id, subject, preheader, sent_at, data from (
select c.id, coalesce(v.variant ->> 'subject', c.subject) as subject, coalesce(v.variant ->> 'preheader', c.preheader) as preheader,
  coalesce(v.variant ->> 'body', c.body) as body, c.sent_at,
  (select jsonb_build_object('feed', f.data) from campaign_feeds f
    where f.project_id = c.project_id and f.campaign_id = c.id) as data
from campaigns c left join lateral (
  select variant from campaign_experiments x, jsonb_array_elements(x.variants) as variant
  where x.project_id = c.project_id and x.campaign_id = c.id and variant ->> 'name' = x.winner
) as v on true
where c.project_id = $1 and c.is_public and c.status = 'SENT') as c
  order by sent_at desc, id desc limit $2 offset $3;

/* list-stalled-campaigns */
select project_id, id, status, scheduled_for, drained_at is not null as "allQueued", has_waves from campaigns
where (status = 'SCHEDULED' and scheduled_for <= $1 and held_reason is null)
  or (status = 'SENDING' and drained_at is not null)
  or (status = 'SENDING' and paused_at is null and coalesce(moved_at, sent_at) <= $2)
order by project_id, id;

/* list-visual-campaigns */
select id, document from campaigns
where project_id = $1 and document is not null
  and id > coalesce($2::uuid, $3::uuid)
  and ($4::text is null or document ->> 'layoutId' = $5::text) and status in ('DRAFT', 'SCHEDULED')
order by id limit $6;

/* lock-recurrence */
select * from campaign_recurrences where project_id = $1 and campaign_id = $2 for update;

/* read-campaign-conversions */
select
  (select count(distinct email_id) from conversions where project_id = $1 and campaign_id = $2)::int as converted,
  (select coalesce(jsonb_object_agg(currency, total), '{}') from (
    select currency, sum(millionths) / 1000000 as total from conversions
    where project_id = $3 and campaign_id = $4 and currency is not null group by currency
  ) as by_currency) as revenue;

/* record-occurrence */
with recorded as (
  insert into campaign_occurrences (project_id, id, campaign_id, at, sent_campaign_id, reason)
  values ($1, $2, $3, $4, $5::uuid, $6)
)
update campaign_recurrences set sent = sent + ($7::uuid is not null)::int,
  seen_items = ($8::text[] || array(select item from unnest(seen_items) as item where item <> all($9::text[])))[1:$10::int]
where project_id = $11 and campaign_id = $12;

/* save-campaign-feed */
insert into campaign_feeds (project_id, campaign_id, data, fetched_at)
values ($1, $2, $3::jsonb, $4)
on conflict (project_id, campaign_id) do update set data = excluded.data, fetched_at = excluded.fetched_at;

/* save-compiled-campaign */
with saved as (
    update campaigns set body = $1 where project_id = $2 and id = $3 and document = $4::jsonb and body <> $5 and status in ('DRAFT', 'SCHEDULED')
    returning id, version
  )
update content_versions set body = $6 from saved
where content_versions.project_id = $7 and "content_versions"."campaign_id" = saved.id
  and content_versions.number = saved.version and content_versions.body <> $8;

/* save-recurrence */
insert into campaign_recurrences (project_id, campaign_id, rule, uses_template, status, next_at, created_at, updated_at)
values ($1, $2, $3::jsonb, $4, $5, $6, $7, $8)
on conflict (project_id, campaign_id) do update set rule = excluded.rule, uses_template = excluded.uses_template,
  status = excluded.status, next_at = excluded.next_at, updated_at = excluded.updated_at;

/* schedule-occurrence */
update campaigns set status = 'SCHEDULED', scheduled_for = $1, scheduled_at = $2, recurrence_of = $3::uuid
where project_id = $4 and id = $5;

/* set-campaign-drained */
update campaigns c set drained_at = $1
  where project_id = $2 and id = $3 and status = 'SENDING' and frozen_at is not null and drained_at is null
    and not exists (
select from campaign_recipients r where r.project_id = c.project_id and r.campaign_id = c.id
  and r.contact_id > coalesce(c.last_contact_id, '00000000-0000-0000-0000-000000000000')
union all
select from campaign_waves w where w.project_id = c.project_id and w.campaign_id = c.id and w.queued < w.recipients);

/* set-campaign-finished */
with changed as (
    update campaigns c set status = 'SENT', finished_at = $1, paused_at = null, updated_at = $2
    where project_id = $3 and id = $4 and status = 'SENDING' and frozen_at is not null
      and not exists (
select from campaign_recipients r where r.project_id = c.project_id and r.campaign_id = c.id
  and r.contact_id > coalesce(c.last_contact_id, '00000000-0000-0000-0000-000000000000')
union all
select from campaign_waves w where w.project_id = c.project_id and w.campaign_id = c.id and w.queued < w.recipients)
    returning c.*
  ), "announced" as (
    select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
    from (
    select c.project_id, $5::text, null::uuid, jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('campaignId', c.id, 'name', c.name) || case $6::text when 'campaign.paused'
        then jsonb_build_object('reason', c.held_reason) else '{}' end), $7::timestamptz
    from changed c where $8::text is not null
    ) as r(project_id, name, contact_id, facts, created_at)
  ),
  "announced_for_webhooks" as (
    insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
      created_at, next_attempt_at)
    select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
    from (select * from (select r.* from "announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
      select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
          select from unnest(w.event_types) as wanted(type)
          where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
    ) as endpoint
    returning 1
  )
  select from changed;

/* set-campaign-frozen */
update campaigns set frozen_at = $1, moved_at = $2, content_id = $3, total_recipients = $4,
  has_waves = $5::boolean
where project_id = $6 and id = $7 and status = 'SENDING' and frozen_at is null;

/* set-campaign-guard-passed */
update campaigns set guard_passed = true
where project_id = $1 and id = $2 and not guard_passed;

/* set-campaign-guarded */
with changed as (
  update campaigns set paused_at = $1, guarded_at = $2, held_reason = $3, updated_at = $4
  where project_id = $5 and id = $6 and status = 'SENDING' and paused_at is null
  returning *
), "announced" as (
  select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
  from (
  select c.project_id, $7::text, null::uuid, jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('campaignId', c.id, 'name', c.name) || case $8::text when 'campaign.paused'
      then jsonb_build_object('reason', c.held_reason) else '{}' end), $9::timestamptz
  from changed c where $10::text is not null
  ) as r(project_id, name, contact_id, facts, created_at)
),
"announced_for_webhooks" as (
  insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
    created_at, next_attempt_at)
  select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
  from (select * from (select r.* from "announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
    select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
        select from unnest(w.event_types) as wanted(type)
        where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
  ) as endpoint
  returning 1
)
select from changed;

/* set-campaign-held-reason */
update campaigns set held_reason = $1, updated_at = $2
where project_id = $3 and id = $4 and status = 'SCHEDULED' and held_reason is null;

/* set-campaign-moved */
update campaigns set moved_at = $1 where project_id = $2 and id = $3;

/* set-campaign-over-limit */
with changed as (
  update campaigns set paused_at = $1, held_reason = $2, updated_at = $3
  where project_id = $4 and id = $5 and status = 'SENDING' and paused_at is null
  returning *
), "announced" as (
  select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
  from (
  select c.project_id, $6::text, null::uuid, jsonb_build_object('contact', null, 'email', null, 'data', jsonb_build_object('campaignId', c.id, 'name', c.name) || case $7::text when 'campaign.paused'
      then jsonb_build_object('reason', c.held_reason) else '{}' end), $8::timestamptz
  from changed c where $9::text is not null
  ) as r(project_id, name, contact_id, facts, created_at)
),
"announced_for_webhooks" as (
  insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, email_id, facts,
    created_at, next_attempt_at)
  select e.project_id, derive_id(e.id, endpoint.id::text), endpoint.id, e.id, e.name, e.created_at, e.contact_id, null::uuid, e.facts, e.created_at, e.created_at
  from (select * from (select r.* from "announced" r where coalesce((select true from webhook_endpoints w where w.project_id = r.project_id and w.enabled limit 1), false)) as wanted) as e cross join lateral (
    select w.id from webhook_endpoints w where w.project_id = e.project_id and w.enabled and exists (
        select from unnest(w.event_types) as wanted(type)
        where wanted.type in ('*', e.name) or (wanted.type like '%.*' and starts_with(e.name, left(wanted.type, -1)))) offset 0
  ) as endpoint
  returning 1
)
select from changed;

/* set-recurrence-status */
update campaign_recurrences set status = $1, next_at = $2, updated_at = $3
where project_id = $4 and campaign_id = $5;

/* store-campaign-waves */
update campaign_waves w set sent = (
  select count(sent_at) from emails e
  where e.project_id = w.project_id and e.campaign_id = w.campaign_id and e.wave = w.number)
from campaigns c
where w.project_id = $1 and w.campaign_id = $2
  and c.project_id = w.project_id and c.id = w.campaign_id and c.has_waves;
