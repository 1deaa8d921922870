-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* campaign-exists */
select from campaigns where project_id = $1 and id = $2;

/* cancel-campaign-emails */
update emails e set status = 'CANCELLED', error = $1, updated_at = $2::timestamptz
where e.project_id = $3 and e.campaign_id = $4 and e.status = 'PENDING';

/* cancel-scheduled-email */
with changed as (
  update emails e set status = 'CANCELLED', error = $1, updated_at = $2::timestamptz
  where e.project_id = $3 and e.id = $4 and e.status || '' = 'SCHEDULED'
  returning e.id),
removed as (
  delete from posthorn_queue.jobs where key in (select ('scheduled:' || changed.id::text) from changed) and locked_by is null)
select id from changed;

/* erase-emails */
with batch as (
    select project_id, id, tags from emails
    where project_id = $1 and contact_id = any($2::uuid[])
      and (status <> 'SENDING' or lease_until <= $3::timestamptz)
    limit $4 for update skip locked
  ), erased as (
    update emails e set contact_id = null, to_email = '', to_name = null, subject = '', reply_to = null, headers = '{}',
      variables = '{}', encrypted_variables = null, contact_data = '{}', tags = null,
      error = case when e.status = 'SCHEDULED' or e.error = 'Not sent: the contact was deleted.' then 'Not sent: the contact was deleted.' end, reply_to_name = null,
      cc = null, bcc = null, skipped = null, recipients_done = null,
      from_email = case e.source_type when 'INBOUND' then '' else e.from_email end,
      from_name = case e.source_type when 'INBOUND' then null else e.from_name end,
      message_id = case e.source_type when 'INBOUND' then null else e.message_id end, lease_until = null,
      status = case when e.status = 'SCHEDULED' then 'FAILED' when e.status in ('PENDING', 'SENDING') then 'CANCELLED' else e.status end, updated_at = $5::timestamptz
    from batch
    where e.project_id = $6 and e.id = batch.id
    returning e.id, e.content_id, e.project_id, e.campaign_id
  ),
  "erased_for_campaigns" as (
    select posthorn_queue.add_job($7, json_build_object('projectId', c.project_id, 'campaignId', c.campaign_id)::json, $8::timestamptz,
  'complete:' || c.campaign_id::text, $9::int)
    from (select distinct project_id, campaign_id from (select r.* from "erased" r where r.campaign_id is not null) as wanted offset 0) as c
    where awaits_last_emails(c.project_id, c.campaign_id)
  ), untagged as (
    delete from email_tags t using (select project_id, id, tags from batch where tags is not null) as gone cross join jsonb_each_text(gone.tags) as tag
    where t.project_id = gone.project_id and t.name = tag.key and t.value = tag.value and t.id = gone.id
  ), unnoted as (
delete from email_notes where project_id = $10 and email_id in (select id from erased)
  ), unclicked as (
delete from link_clicks where project_id = $11 and email_id in (select id from erased)
  ), uncaptured as (
delete from captured_messages where email_id in (select id from erased)
  ), contents as (
    update email_contents c set emails_left = c.emails_left - used.emails,
      subject = case when c.emails_left > used.emails then c.subject else '' end,
      body = case when c.emails_left > used.emails then c.body else '' end,
      plain = case when c.emails_left > used.emails then c.plain end,
      encrypted = case when c.emails_left > used.emails then c.encrypted end,
      attachments = case when c.emails_left > used.emails then c.attachments else '[]' end
    from (select content_id, count(*)::int as emails from erased group by content_id) as used where c.project_id = $12 and c.id = used.content_id and c.emails_left is not null
  )
  select count(*)::int as erased from erased where true and (select count(*) from "erased_for_campaigns") >= 0;

/* erase-test-emails */
with gone as (
    delete from test_emails where project_id = $1 and contact_id = any($2::uuid[]) returning id
  ), erased as (
    update emails e set variables = '{}', encrypted_variables = null, contact_data = '{}', subject = '', updated_at = $3::timestamptz
    from gone
    where e.project_id = $4 and e.id = gone.id
    returning e.id
  ), uncaptured as (
delete from captured_messages where email_id in (select id from erased))
  select count(*)::int as erased from erased;

/* find-addressee */
select id from contacts where project_id = $1 and email = $2;

/* find-due-emails */
select e.project_id as "projectId", e.id as "emailId", e.from_email as from
from unnest($1::uuid[], $2::uuid[]) as asked(project_id, id)
cross join lateral (
  select project_id, id, from_email from emails
  where emails.project_id = asked.project_id and emails.id = asked.id and status || '' = 'SCHEDULED'
    and scheduled_for <= $3::timestamptz limit 1
) as e;

/* find-lease */
select max(lease_until) as lease_until from emails
where project_id = $1 and contact_id = any($2::uuid[]) and status = 'SENDING';

/* find-sunset */
select sunset_since(p.sending -> 'sunset', c.project_id, c.id) as since, c.sunset_reset_at as reset_at
from contacts c join projects p on p.id = c.project_id
where c.project_id = $1 and c.id = $2;

/* find-template-version */
select (output ->> 'templateVersion')::int as version from workflow_step_runs
where project_id = $1 and execution_id = $2 and output ->> 'emailId' = $3::text
limit 1;

/* list-timeline */
select e.name, e.data, coalesce(e.created_at, n.at) as at, n.kind, n.words
from (select * from events where project_id = $1 and email_id = $2) as e
full join (select * from email_notes where project_id = $3 and email_id = $4) as n on n.id = e.id
order by coalesce(e.id, n.id);

/* read-attachment */
select attachments -> $1::int ->> 'content' as content
from email_contents where project_id = $2 and id = $3;

/* read-attachments */
select attachments::text as json from email_contents where project_id = $1 and id = $2;

/* release-due-emails */
with asked as (
    select * from unnest(
      $1::uuid[], $2::uuid[], $3::text[]
    ) with ordinality as asked(project_id, id, from_domain, request)
  ),
  judged as (
    select e.project_id, e.id, e.test, asked.request::int, contact.data, case
    when c.type is null then 'its content is no longer stored'
    when contact.id is null then 'the contact was deleted'
    when not coalesce((
select domains.status = 'VERIFIED' from domains where domains.project_id = e.project_id and domains.domain = asked.from_domain), false) then 'the sender domain ' || asked.from_domain || ' is not verified'
    when exists (
select from suppressions join projects on projects.id = suppressions.project_id and not projects.send_to_bounced
where suppressions.project_id = e.project_id and suppressions.email = e.to_email and suppressions.reason = 'BOUNCE') then 'the address is suppressed because of a permanent bounce'
    when not (c.type = 'MARKETING' or (c.type = 'HEADLESS' and t.number is not null)) then null
    when exists (
select from suppressions where suppressions.project_id = e.project_id and suppressions.email = e.to_email) then 'the address is suppressed'
    when exists (
select from topic_suppressions where topic_suppressions.project_id = e.project_id and topic_suppressions.email = e.to_email
  and topic_suppressions.topic = t.number) then 'the address is suppressed for the topic'
  end as reason,
      (
        select jsonb_agg(jsonb_build_object('email', (copy ->> 'email'), 'reason', judged.reason))
        from jsonb_array_elements(coalesce(e.cc, '[]') || coalesce(e.bcc, '[]')) as copy
        left join topics as topic on topic.project_id = e.project_id and topic.number = c.topic
        left join lateral (
          select case when (("contacts"."opted_out" or "contacts"."pending") or (topic.number is not null and not "contacts"."subscribed")) then 'the contact has unsubscribed'
    when (("contacts"."paused_until" > $4::timestamptz) is true) then 'the contact has paused marketing email'
    when (topic.number is not null and not (case when topic.default_subscribed then not -topic.number = any("contacts"."topics") else topic.number = any("contacts"."topics") end)) then 'the contact is not subscribed to the topic' end as exclusion from contacts
          where contacts.project_id = e.project_id and contacts.email = (copy ->> 'email') limit 1
        ) as reader on true
        cross join lateral (select case
          when exists (
select from suppressions where suppressions.project_id = e.project_id and suppressions.email = (copy ->> 'email')) then 'The address is suppressed.'
          when not (c.type = 'MARKETING' or (c.type = 'HEADLESS' and topic.number is not null)) then null
          when exists (
select from topic_suppressions where topic_suppressions.project_id = e.project_id and topic_suppressions.email = (copy ->> 'email')
  and topic_suppressions.topic = topic.number) then 'The address is suppressed for the topic.'
          else upper(left(reader.exclusion, 1)) || substr(reader.exclusion, 2) || '.' end as reason) as judged
        where judged.reason is not null) as skipped,
      case when (c.type = 'MARKETING' or (c.type = 'HEADLESS' and t.number is not null)) and not exists (
select from suppressions join projects on projects.id = suppressions.project_id and not projects.send_to_bounced
where suppressions.project_id = e.project_id and suppressions.email = e.to_email and suppressions.reason = 'BOUNCE') then contact.exclusion end as exclusion
    from asked cross join lateral (
      select * from emails
      where emails.project_id = asked.project_id and emails.id = asked.id and status || '' = 'SCHEDULED'
        and scheduled_for <= $5::timestamptz limit 1
    ) as e
    left join lateral (
      select type, topic from email_contents where email_contents.project_id = e.project_id and email_contents.id = e.content_id limit 1
    ) as c on true
    left join topics as t on t.project_id = e.project_id and t.number = c.topic
    left join lateral (
      select id, data, case when (("contacts"."opted_out" or "contacts"."pending") or (t.number is not null and not "contacts"."subscribed")) then 'the contact has unsubscribed'
    when (("contacts"."paused_until" > $6::timestamptz) is true) then 'the contact has paused marketing email'
    when (t.number is not null and not (case when t.default_subscribed then not -t.number = any("contacts"."topics") else t.number = any("contacts"."topics") end)) then 'the contact is not subscribed to the topic' end as exclusion from contacts
      where contacts.project_id = e.project_id and contacts.id = e.contact_id limit 1
    ) as contact on true
  ),
  cost as (
    select project_id, array_agg(request order by request) as requests, array_agg(size order by request) as sizes,
      date_trunc('month', max(at) at time zone 'UTC')::date as month
    from (select project_id, request, 1, $7::timestamptz from judged where reason is null and exclusion is null and test is not true) as asked(project_id, request, size, at) group by project_id
  ),
  spent as (
    update billing_limits l set month = greatest(l.month, cost.month), used_before = case when l.month >= cost.month then l.used else 0 end,
      used = case when l.month >= cost.month then l.used else 0 end + fitting_sum(l.max - case when l.month >= cost.month then l.used else 0 end, cost.sizes)
    from cost where l.project_id = cost.project_id and l.source = $8::text
    returning l.max, cost.requests, fitting(l.max - l.used_before, cost.sizes) as fits
  ),
  over_limit as (
    select answer.request, spent.max from spent, unnest(spent.requests, spent.fits) as answer(request, fits) where not answer.fits
  ),
  released as (
    update emails e set status = 'PENDING', queued_at = $9::timestamptz, contact_data = e.contact_data || judged.data, skipped = judged.skipped, updated_at = $10::timestamptz
    from judged
    where e.project_id = judged.project_id and e.id = judged.id and e.project_id = $11::uuid and e.id = any($12::uuid[]) and e.id between $13::uuid and $14::uuid and e.status || '' = 'SCHEDULED'
      and e.scheduled_for <= $15::timestamptz and judged.reason is null and judged.exclusion is null
      and judged.request not in (select request from over_limit)
    returning e.project_id, e.id, e.test
  ),
  used as (
    insert into usage_changes (project_id, month, source, change)
    select project_id, date_trunc('month', $16::timestamptz at time zone 'UTC')::date, $17::text, count(*)
    from released where test is not true group by project_id),
  cancelled as (
    update emails e set status = 'CANCELLED', error = 'Not sent: ' || judged.exclusion || '.', updated_at = $18::timestamptz
    from judged
    where e.project_id = judged.project_id and e.id = judged.id and e.project_id = $19::uuid and e.id = any($20::uuid[]) and e.id between $21::uuid and $22::uuid and e.status || '' = 'SCHEDULED'
      and e.scheduled_for <= $23::timestamptz and judged.exclusion is not null
  ),
  added_jobs as (
    insert into posthorn_queue.jobs (name, payload, run_at, priority, max_attempts)
    select $24::text, item.payload, coalesce($25::timestamptz, now()),
      $26::smallint, $27::smallint
    from (select json_build_object('projectId', project_id, 'emailId', id) from released) as item(payload))
  select judged.project_id as "projectId", judged.id as "emailId", judged.reason, over_limit.max
  from judged left join over_limit on over_limit.request = judged.request
  where judged.exclusion is null and (judged.reason is not null or over_limit.request is not null);

/* release-due-emails-of-many */
with asked as (
    select * from unnest(
      $1::uuid[], $2::uuid[], $3::text[]
    ) with ordinality as asked(project_id, id, from_domain, request)
  ),
  judged as (
    select e.project_id, e.id, e.test, asked.request::int, contact.data, case
    when c.type is null then 'its content is no longer stored'
    when contact.id is null then 'the contact was deleted'
    when not coalesce((
select domains.status = 'VERIFIED' from domains where domains.project_id = e.project_id and domains.domain = asked.from_domain), false) then 'the sender domain ' || asked.from_domain || ' is not verified'
    when exists (
select from suppressions join projects on projects.id = suppressions.project_id and not projects.send_to_bounced
where suppressions.project_id = e.project_id and suppressions.email = e.to_email and suppressions.reason = 'BOUNCE') then 'the address is suppressed because of a permanent bounce'
    when not (c.type = 'MARKETING' or (c.type = 'HEADLESS' and t.number is not null)) then null
    when exists (
select from suppressions where suppressions.project_id = e.project_id and suppressions.email = e.to_email) then 'the address is suppressed'
    when exists (
select from topic_suppressions where topic_suppressions.project_id = e.project_id and topic_suppressions.email = e.to_email
  and topic_suppressions.topic = t.number) then 'the address is suppressed for the topic'
  end as reason,
      (
        select jsonb_agg(jsonb_build_object('email', (copy ->> 'email'), 'reason', judged.reason))
        from jsonb_array_elements(coalesce(e.cc, '[]') || coalesce(e.bcc, '[]')) as copy
        left join topics as topic on topic.project_id = e.project_id and topic.number = c.topic
        left join lateral (
          select case when (("contacts"."opted_out" or "contacts"."pending") or (topic.number is not null and not "contacts"."subscribed")) then 'the contact has unsubscribed'
    when (("contacts"."paused_until" > $4::timestamptz) is true) then 'the contact has paused marketing email'
    when (topic.number is not null and not (case when topic.default_subscribed then not -topic.number = any("contacts"."topics") else topic.number = any("contacts"."topics") end)) then 'the contact is not subscribed to the topic' end as exclusion from contacts
          where contacts.project_id = e.project_id and contacts.email = (copy ->> 'email') limit 1
        ) as reader on true
        cross join lateral (select case
          when exists (
select from suppressions where suppressions.project_id = e.project_id and suppressions.email = (copy ->> 'email')) then 'The address is suppressed.'
          when not (c.type = 'MARKETING' or (c.type = 'HEADLESS' and topic.number is not null)) then null
          when exists (
select from topic_suppressions where topic_suppressions.project_id = e.project_id and topic_suppressions.email = (copy ->> 'email')
  and topic_suppressions.topic = topic.number) then 'The address is suppressed for the topic.'
          else upper(left(reader.exclusion, 1)) || substr(reader.exclusion, 2) || '.' end as reason) as judged
        where judged.reason is not null) as skipped,
      case when (c.type = 'MARKETING' or (c.type = 'HEADLESS' and t.number is not null)) and not exists (
select from suppressions join projects on projects.id = suppressions.project_id and not projects.send_to_bounced
where suppressions.project_id = e.project_id and suppressions.email = e.to_email and suppressions.reason = 'BOUNCE') then contact.exclusion end as exclusion
    from asked cross join lateral (
      select * from emails
      where emails.project_id = asked.project_id and emails.id = asked.id and status || '' = 'SCHEDULED'
        and scheduled_for <= $5::timestamptz limit 1
    ) as e
    left join lateral (
      select type, topic from email_contents where email_contents.project_id = e.project_id and email_contents.id = e.content_id limit 1
    ) as c on true
    left join topics as t on t.project_id = e.project_id and t.number = c.topic
    left join lateral (
      select id, data, case when (("contacts"."opted_out" or "contacts"."pending") or (t.number is not null and not "contacts"."subscribed")) then 'the contact has unsubscribed'
    when (("contacts"."paused_until" > $6::timestamptz) is true) then 'the contact has paused marketing email'
    when (t.number is not null and not (case when t.default_subscribed then not -t.number = any("contacts"."topics") else t.number = any("contacts"."topics") end)) then 'the contact is not subscribed to the topic' end as exclusion from contacts
      where contacts.project_id = e.project_id and contacts.id = e.contact_id limit 1
    ) as contact on true
  ),
  cost as (
    select project_id, array_agg(request order by request) as requests, array_agg(size order by request) as sizes,
      date_trunc('month', max(at) at time zone 'UTC')::date as month
    from (select project_id, request, 1, $7::timestamptz from judged where reason is null and exclusion is null and test is not true) as asked(project_id, request, size, at) group by project_id
  ),
  spent as (
    update billing_limits l set month = greatest(l.month, cost.month), used_before = case when l.month >= cost.month then l.used else 0 end,
      used = case when l.month >= cost.month then l.used else 0 end + fitting_sum(l.max - case when l.month >= cost.month then l.used else 0 end, cost.sizes)
    from cost where l.project_id = cost.project_id and l.source = $8::text
    returning l.max, cost.requests, fitting(l.max - l.used_before, cost.sizes) as fits
  ),
  over_limit as (
    select answer.request, spent.max from spent, unnest(spent.requests, spent.fits) as answer(request, fits) where not answer.fits
  ),
  released as (
    update emails e set status = 'PENDING', queued_at = $9::timestamptz, contact_data = e.contact_data || judged.data, skipped = judged.skipped, updated_at = $10::timestamptz
    from judged
    where e.project_id = judged.project_id and e.id = judged.id and e.project_id = any($11::uuid[]) and e.id = any($12::uuid[]) and e.id between $13::uuid and $14::uuid and e.status || '' = 'SCHEDULED'
      and e.scheduled_for <= $15::timestamptz and judged.reason is null and judged.exclusion is null
      and judged.request not in (select request from over_limit)
    returning e.project_id, e.id, e.test
  ),
  used as (
    insert into usage_changes (project_id, month, source, change)
    select project_id, date_trunc('month', $16::timestamptz at time zone 'UTC')::date, $17::text, count(*)
    from released where test is not true group by project_id),
  cancelled as (
    update emails e set status = 'CANCELLED', error = 'Not sent: ' || judged.exclusion || '.', updated_at = $18::timestamptz
    from judged
    where e.project_id = judged.project_id and e.id = judged.id and e.project_id = any($19::uuid[]) and e.id = any($20::uuid[]) and e.id between $21::uuid and $22::uuid and e.status || '' = 'SCHEDULED'
      and e.scheduled_for <= $23::timestamptz and judged.exclusion is not null
  ),
  added_jobs as (
    insert into posthorn_queue.jobs (name, payload, run_at, priority, max_attempts)
    select $24::text, item.payload, coalesce($25::timestamptz, now()),
      $26::smallint, $27::smallint
    from (select json_build_object('projectId', project_id, 'emailId', id) from released) as item(payload))
  select judged.project_id as "projectId", judged.id as "emailId", judged.reason, over_limit.max
  from judged left join over_limit on over_limit.request = judged.request
  where judged.exclusion is null and (judged.reason is not null or over_limit.request is not null);

/* requeue-email */
with asked as (
    select case when (e.to_email = '' or (e.contact_id is not null and not exists (
select from contacts where contacts.project_id = e.project_id and contacts.id = e.contact_id))) then 'the contact was deleted' else (select
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
    when (("contacts"."paused_until" > $1::timestamptz) is true) then 'the contact has paused marketing email'
    when (t.number is not null and not (case when t.default_subscribed then not -t.number = any("contacts"."topics") else t.number = any("contacts"."topics") end)) then 'the contact is not subscribed to the topic' end from contacts
    where contacts.project_id = e.project_id and contacts.id = e.contact_id)
  else coalesce(
    (select coalesce(case when not "contacts"."subscribed" then 'the contact has unsubscribed'
    when (("contacts"."paused_until" > $2::timestamptz) is true) then 'the contact has paused marketing email'
    when (t.number is not null and not (case when t.default_subscribed then not -t.number = any("contacts"."topics") else t.number = any("contacts"."topics") end)) then 'the contact is not subscribed to the topic' end, '')
     from contacts where contacts.project_id = e.project_id and contacts.id = e.contact_id),
    'the contact was deleted')
end from (select) as one left join lateral (
select subject, body, type, literal, plain, encrypted, topic, data, attachments from email_contents
where email_contents.project_id = "e"."project_id" and email_contents.id = "e"."content_id"
  and true
limit 1) as c on true
left join topics as t on t.project_id = e.project_id and t.number = c.topic) end as undeliverable
    from emails e where e.project_id = $3 and e.id = $4
  ), requeued as (
    update emails e set status = case when e.scheduled_for is not null and e.queued_at is null then 'SCHEDULED' else 'PENDING' end, error = null, attempts = 0, lease_until = null,
      scheduled_for = case when e.scheduled_for is not null and e.queued_at is null then least(e.scheduled_for, $5::timestamptz) else e.scheduled_for end, updated_at = $6::timestamptz
    from asked
    where e.project_id = $7 and e.id = $8 and e.status || '' in ('FAILED', 'CANCELLED')
      and coalesce(asked.undeliverable, '') = ''
    returning e.project_id, e.id, e.status
  ), jobs as (
    select case requeued.status when 'SCHEDULED' then posthorn_queue.add_job($9, json_build_object('projectId', requeued.project_id, 'emailId', requeued.id)::json, $10::timestamptz,
  ('scheduled:' || requeued.id::text)::text, $11::int) else posthorn_queue.add_job($12, json_build_object('projectId', requeued.project_id, 'emailId', requeued.id)::json, $13::timestamptz,
  $14::text, $15::int::int) end
    from requeued
  )
  select (select count(*) from jobs) > 0 as requeued, undeliverable from asked;

/* reschedule-email */
with changed as (
  update emails e set status = 'SCHEDULED', error = null, scheduled_for = $1::timestamptz, updated_at = $2::timestamptz
  where e.project_id = $3 and e.id = $4 and e.status || '' = 'SCHEDULED'
  returning e.project_id, e.id)
select posthorn_queue.add_job($5, json_build_object('projectId', changed.project_id, 'emailId', changed.id)::json, $6::timestamptz,
('scheduled:' || changed.id::text)::text, $7::int) from changed;

/* retry-failed-emails */
with requeued as (
  update emails e set status = case when e.scheduled_for is not null and e.queued_at is null then 'SCHEDULED' else 'PENDING' end, error = null, attempts = 0, lease_until = null,
    scheduled_for = case when e.scheduled_for is not null and e.queued_at is null then least(e.scheduled_for, $1::timestamptz) else e.scheduled_for end, updated_at = $2::timestamptz
  where e.project_id = $3 and e.campaign_id = $4 and e.status = 'FAILED' and e.contact_id is not null
    and exists (select from email_contents c where c.project_id = e.project_id and c.id = e.content_id)
  returning e.id
)
select count(posthorn_queue.add_job($5, json_build_object('projectId', $6::text, 'emailId', requeued.id)::json, $7::timestamptz,
$8::text, $9::int)) as count from requeued;

/* stop-unsent */
with unsent as (
  select id from emails
  where project_id = $1 and contact_id = any($2::uuid[]) and status in ('SCHEDULED', 'PENDING')
  for update skip locked
), cancelled as (
  update emails e set error = case e.status when 'SCHEDULED' then 'Not sent: the contact was deleted.' else e.error end,
    status = case e.status when 'SCHEDULED' then 'FAILED' else 'CANCELLED' end, updated_at = $3::timestamptz
  where e.project_id = $4 and e.id in (select id from unsent)
  returning e.project_id, e.campaign_id
),
"cancelled_for_campaigns" as (
  select posthorn_queue.add_job($5, json_build_object('projectId', c.project_id, 'campaignId', c.campaign_id)::json, $6::timestamptz,
'complete:' || c.campaign_id::text, $7::int)
  from (select distinct project_id, campaign_id from (select r.* from "cancelled" r where r.campaign_id is not null) as wanted offset 0) as c
  where awaits_last_emails(c.project_id, c.campaign_id)
)
select 1 where true and (select count(*) from "cancelled_for_campaigns") >= 0;
