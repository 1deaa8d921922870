-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* claim-webhook-hosts */
insert into webhook_hosts as existing (host, sender) select unnest($1::text[]), $2::int order by 1
on conflict (host) do update set sender = excluded.sender
where existing.sender = excluded.sender or not posthorn_queue.is_running(existing.sender)
returning host;

/* count-webhook-endpoints */
select count(*) as count from webhook_endpoints where project_id = $1;

/* delete-old-webhook-deliveries */
with old as (
  select d.project_id, d.id from webhook_deliveries d
  where d.id < $1::uuid or not exists (
    select from webhook_endpoints w where w.project_id = d.project_id and w.id = d.endpoint_id)
  limit $2
)
delete from webhook_deliveries using old where webhook_deliveries.project_id = old.project_id and webhook_deliveries.id = old.id;

/* delete-old-webhook-log */
with recursive endpoint as (
  (select project_id, endpoint_id from webhook_log order by project_id, endpoint_id limit 1)
  union all
  select next.project_id, next.endpoint_id from endpoint cross join lateral (
    select l.project_id, l.endpoint_id from webhook_log l
    where (l.project_id, l.endpoint_id) > (endpoint.project_id, endpoint.endpoint_id) order by l.project_id, l.endpoint_id limit 1
  ) as next
), old as (
  select l.project_id, l.id from endpoint cross join lateral (
    select o.project_id, o.id from webhook_log o
    where o.project_id = endpoint.project_id and o.endpoint_id = endpoint.endpoint_id and (o.id < $1::uuid or not exists (
      select from webhook_endpoints w where w.project_id = o.project_id and w.id = o.endpoint_id))
    order by o.project_id, o.endpoint_id, o.id limit $2
  ) as l limit $3
)
delete from webhook_log using old where webhook_log.project_id = old.project_id and webhook_log.id = old.id;

/* delete-webhook-endpoint */
delete from webhook_endpoints where project_id = $1 and id = $2;

/* disable-webhook-endpoint */
update webhook_endpoints w set enabled = false, disabled_reason = $1, updated_at = $2
from projects p where p.id = w.project_id and w.project_id = $3 and w.id = $4 and w.enabled
returning w.url, p.name as "projectName";

/* erase-waiting-deliveries */
with batch as (
  select id from webhook_deliveries where project_id = $1 and contact_id = any($2::uuid[])
    and facts is not null and event_type <> 'contact.deleted' limit $3
)
update webhook_deliveries d set contact_id = null, email_id = null, facts = '{"contact": null, "email": null, "data": {}}'
from batch where d.project_id = $4 and d.id = batch.id;

/* erase-webhook-log */
with batch as (
  select id from webhook_log where project_id = $1 and contact_id = any($2::uuid[]) limit $3
)
update webhook_log l set contact_id = null, facts = null from batch where l.project_id = $4 and l.id = batch.id;

/* find-webhook-delivery */
select id, event_id, event_type, event_at, null::boolean as succeeded, false as is_test, created_at, next_attempt_at, attempts, coalesce(d.facts, jsonb_build_object(
  'contact', (
    select jsonb_build_object('id', c.id, 'email', c.email, 'subscribed', c.subscribed)
    from contacts c where c.project_id = d.project_id and c.id = d.contact_id),
  'email', (
    select jsonb_build_object('id', m.id, 'messageId', m.message_id, 'subject', coalesce(m.subject, ''), 'from', m.from_email,
      'to', m.to_email, 'campaignId', m.campaign_id, 'workflowId', (
        select x.workflow_id from workflow_executions x where x.project_id = m.project_id and x.id = m.workflow_execution_id),
      'tags', coalesce(m.tags, '{}'))
    from emails m where m.project_id = d.project_id and m.id = d.email_id),
  'data', coalesce((select v.data from events v where v.project_id = d.project_id and v.id = d.event_id), '{}'))) as facts
from webhook_deliveries d where project_id = $1 and endpoint_id = $2 and id = $3
union all
select id, event_id, event_type, event_at, succeeded, is_test, created_at, null, attempts, facts
from webhook_log where project_id = $4 and endpoint_id = $5 and id = $6;

/* insert-webhook-endpoint */
insert into webhook_endpoints (project_id, id, url, host, description, event_types, enabled, secrets, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6::text[],
    $7, $8::jsonb, $9, $10)
  returning project_id, id, url, host, description, event_types, enabled, disabled_reason, failing_since, last_delivery_at,
secrets, created_at, updated_at;

/* insert-webhook-test */
insert into webhook_log (project_id, id, endpoint_id, event_id, event_type, event_at, facts, is_replay, is_test, succeeded, created_at, attempts)
values ($1, $2, $3, $4, $5, $6, $7::jsonb,
  false, true, $8, $9, $10::jsonb);

/* list-due-webhook-deliveries */
select d.project_id, d.id, d.event_id, d.event_type, d.event_at, coalesce(d.facts, jsonb_build_object(
  'contact', (
    select jsonb_build_object('id', c.id, 'email', c.email, 'subscribed', c.subscribed)
    from contacts c where c.project_id = d.project_id and c.id = d.contact_id),
  'email', (
    select jsonb_build_object('id', m.id, 'messageId', m.message_id, 'subject', coalesce(m.subject, ''), 'from', m.from_email,
      'to', m.to_email, 'campaignId', m.campaign_id, 'workflowId', (
        select x.workflow_id from workflow_executions x where x.project_id = m.project_id and x.id = m.workflow_execution_id),
      'tags', coalesce(m.tags, '{}'))
    from emails m where m.project_id = d.project_id and m.id = d.email_id),
  'data', coalesce((select v.data from events v where v.project_id = d.project_id and v.id = d.event_id), '{}'))) as facts, jsonb_array_length(d.attempts) as attempts
from (
  select * from webhook_deliveries
  where endpoint_id = $1 and project_id = $2 and next_attempt_at <= $3::timestamptz
    and id <> all($4::uuid[])
    and exists (select from webhook_hosts where host = $5 and sender = $6::int)
    and exists (select from projects where projects.id = $7 and disabled_at is null)
  order by endpoint_id, next_attempt_at, id limit $8
) as d;

/* list-due-webhook-endpoints */
with recursive waiting as (
  (select endpoint_id, project_id from webhook_deliveries order by endpoint_id limit 1)
  union all
  select next.endpoint_id, next.project_id from waiting cross join lateral (
    select d.endpoint_id, d.project_id from webhook_deliveries d
    where d.endpoint_id > waiting.endpoint_id order by d.endpoint_id limit 1
  ) as next
)
select w.project_id, w.id, w.host from waiting
join webhook_endpoints w on w.project_id = waiting.project_id and w.id = waiting.endpoint_id
join projects p on p.id = w.project_id and p.disabled_at is null
where w.enabled and exists (
  select from webhook_deliveries d
  where d.project_id = w.project_id and d.endpoint_id = w.id and d.next_attempt_at <= $1::timestamptz);

/* list-webhook-endpoints */
select project_id, id, url, host, description, event_types, enabled, disabled_reason, failing_since, last_delivery_at,
secrets, created_at, updated_at from webhook_endpoints
  where project_id = $1 and id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  order by id desc limit $3;

/* read-webhook-endpoint-backlog */
select
  (select count(*)::int from (
    select from webhook_deliveries d where d.project_id = $1 and d.endpoint_id = $2 limit $3) as w) as waiting,
  (select min(d.next_attempt_at) from webhook_deliveries d
    where d.project_id = $4 and d.endpoint_id = $5 and d.next_attempt_at <= $6::timestamptz) as "dueSince",
  (select count(*)::int from (
    select from webhook_log l where l.project_id = $7 and l.endpoint_id = $8 and not l.succeeded and not l.is_test
      limit $9) as f) as failed;

/* record-webhook-outcomes */
with outcome as materialized (
  select * from jsonb_to_recordset($1::jsonb) as o("projectId" uuid, "endpointId" uuid, id uuid, attempt jsonb,
    succeeded boolean, "nextAttemptAt" timestamptz, facts jsonb)
), ended as (
  delete from webhook_deliveries d using outcome o
  where d.project_id = o."projectId" and d.id = o.id and o.succeeded is not null
  returning d.*, o.attempt, o.succeeded, o.facts as sent
), logged as (
  insert into webhook_log (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, facts, is_replay, is_test,
    succeeded, created_at, attempts)
  select project_id, id, endpoint_id, event_id, event_type, event_at, contact_id,
    case when contact_id is null or event_type = 'contact.deleted' or exists (
      select from contacts c where c.project_id = ended.project_id and c.id = ended.contact_id) then sent end,
    is_replay, false, succeeded, created_at, attempts || attempt
  from ended
  on conflict (project_id, id) do nothing
), rescheduled as (
  update webhook_deliveries d set attempts = d.attempts || o.attempt, next_attempt_at = o."nextAttemptAt"
  from outcome o where d.project_id = o."projectId" and d.id = o.id and o.succeeded is null
), result as (
  select "projectId", "endpointId", max((attempt ->> 'at')::timestamptz) as last_at, bool_or(coalesce(succeeded, false)) as has_succeeded
  from outcome group by 1, 2
), changed as (
  update webhook_endpoints w set last_delivery_at = r.last_at,
    failing_since = case when r.has_succeeded then null else coalesce(w.failing_since, r.last_at) end
  from result r
  where w.project_id = r."projectId" and w.id = r."endpointId"
    and (w.last_delivery_at is null or r.last_at > w.last_delivery_at + $2::interval or (w.failing_since is null) <> r.has_succeeded)
  returning w.project_id, w.id, w.failing_since
)
select project_id as "projectId", id as "endpointId", failing_since as "failingSince" from changed where failing_since is not null;

/* release-webhook-hosts */
delete from webhook_hosts where host = any($1::text[]) and sender = $2::int;

/* replay-webhook-deliveries */
insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, facts, is_replay, created_at, next_attempt_at)
  select l.project_id, id_at($1::timestamptz, row_number() over (order by l.id)), l.endpoint_id, l.event_id, l.event_type, l.event_at, l.contact_id,
    l.facts, true, $2::timestamptz, $3::timestamptz
  from webhook_log l
where l.project_id = $4 and l.endpoint_id = $5 and l.id >= $6::uuid and l.id < $7::uuid
  and not l.is_test and not l.is_replay and ($8::boolean or not l.succeeded)
  and l.event_type = coalesce($9::text, l.event_type);

/* replay-webhook-delivery */
insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, facts, is_replay, created_at, next_attempt_at)
select l.project_id, id_at($1::timestamptz, row_number() over (order by l.id)), l.endpoint_id, l.event_id, l.event_type, l.event_at, l.contact_id,
  l.facts, true, $2::timestamptz, $3::timestamptz
from (
  select project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, facts from webhook_log where project_id = $4 and endpoint_id = $5 and id = $6
  union all
  select d.project_id, d.id, d.endpoint_id, d.event_id, d.event_type, d.event_at, d.contact_id, coalesce(d.facts, jsonb_build_object(
  'contact', (
    select jsonb_build_object('id', c.id, 'email', c.email, 'subscribed', c.subscribed)
    from contacts c where c.project_id = d.project_id and c.id = d.contact_id),
  'email', (
    select jsonb_build_object('id', m.id, 'messageId', m.message_id, 'subject', coalesce(m.subject, ''), 'from', m.from_email,
      'to', m.to_email, 'campaignId', m.campaign_id, 'workflowId', (
        select x.workflow_id from workflow_executions x where x.project_id = m.project_id and x.id = m.workflow_execution_id),
      'tags', coalesce(m.tags, '{}'))
    from emails m where m.project_id = d.project_id and m.id = d.email_id),
  'data', coalesce((select v.data from events v where v.project_id = d.project_id and v.id = d.event_id), '{}'))) from webhook_deliveries d where project_id = $7 and endpoint_id = $8 and id = $9
) as l
returning id;

/* retry-waiting-webhooks */
update webhook_deliveries d set next_attempt_at = $1::timestamptz
from (
  select project_id, id from webhook_deliveries
  where project_id = $2 and endpoint_id = $3 and next_attempt_at > $4::timestamptz
    and coalesce((attempts -> -1 ->> 'at')::timestamptz <= $5::timestamptz, true)
  order by endpoint_id, next_attempt_at, id limit $6 for update skip locked
) as waiting
where d.project_id = waiting.project_id and d.id = waiting.id
returning 1;

/* update-webhook-endpoint */
update webhook_endpoints set url = $1, host = $2, description = $3,
    event_types = $4::text[], enabled = $5, disabled_reason = $6,
    failing_since = $7, secrets = $8::jsonb, updated_at = $9
  where project_id = $10 and id = $11
  returning project_id, id, url, host, description, event_types, enabled, disabled_reason, failing_since, last_delivery_at,
secrets, created_at, updated_at;
