-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* admit-key-and-list-contacts */
with found as (
    select 1 as position, p.id as project_id, p.disabled_at is not null as disabled, null::text as role, 1 as calls,
      case k.kind when 'public' then 'public' else 'keys' end as budget
    from project_keys k join projects p on p.id = k.project_id
    where k.hash = $1 and k.kind = $2
  ), counted as (
insert into rate_windows (project_id, budget, started_at, count)
select project_id, budget, $3::timestamptz, sum(calls)::int from found group by project_id, budget order by project_id, budget
on conflict (project_id, budget) do update set
  count = case when (rate_windows.started_at <= excluded.started_at - interval '1 minute' or rate_windows.started_at >= excluded.started_at + interval '10 minutes') then 0 else rate_windows.count end + excluded.count,
  started_at = case when (rate_windows.started_at <= excluded.started_at - interval '1 minute' or rate_windows.started_at >= excluded.started_at + interval '10 minutes') then excluded.started_at else rate_windows.started_at end
returning project_id, budget, count, started_at),
  admitted as (
select found.position::int, found.project_id, found.budget, found.disabled, found.role, found.calls,
  counted.count as window_count, counted.started_at as window_started_at
from found left join counted using (project_id, budget))
  select admitted.*, page.* from admitted left join lateral (
    select page.* from (select page.*, (
select coalesce(sum(count), 0)::bigint from (
  select count from contact_counts where project_id = admitted.project_id and tally = $4 and path = '{}'
  union all
  select change from contact_count_changes where project_id = admitted.project_id and tally = $5
) as parts) as total from (
    select id, email, subscribed, paused_until, pending, confirmation_requested_at, confirmed_at, data, created_at, updated_at
    from contacts where project_id = admitted.project_id
    order by "contacts"."id" desc limit 101
  ) as page order by "page"."id" desc limit $6) as page
    where coalesce(admitted.window_count, 0) <= $7::int
  ) as page on true;

/* admit-key-and-list-contacts-before-uncounted */
with found as (
    select 1 as position, p.id as project_id, p.disabled_at is not null as disabled, null::text as role, 1 as calls,
      case k.kind when 'public' then 'public' else 'keys' end as budget
    from project_keys k join projects p on p.id = k.project_id
    where k.hash = $1 and k.kind = $2
  ), counted as (select null::uuid as project_id, null::text as budget, null::int as count, null::timestamptz as started_at where false),
  admitted as (
select found.position::int, found.project_id, found.budget, found.disabled, found.role, found.calls,
  counted.count as window_count, counted.started_at as window_started_at
from found left join counted using (project_id, budget))
  select admitted.*, page.* from admitted left join lateral (
    select page.* from (select page.*, null::bigint as total from (
    select id, email, subscribed, paused_until, pending, confirmation_requested_at, confirmed_at, data, created_at, updated_at
    from contacts where project_id = admitted.project_id  and id < $3::uuid
    order by "contacts"."id" desc limit 101
  ) as page order by "page"."id" desc limit $4) as page
    where coalesce(admitted.window_count, 0) <= $5::int
  ) as page on true;

/* admit-key-and-list-contacts-by-email */
with found as (
    select 1 as position, p.id as project_id, p.disabled_at is not null as disabled, null::text as role, 1 as calls,
      case k.kind when 'public' then 'public' else 'keys' end as budget
    from project_keys k join projects p on p.id = k.project_id
    where k.hash = $1 and k.kind = $2
  ), counted as (
insert into rate_windows (project_id, budget, started_at, count)
select project_id, budget, $3::timestamptz, sum(calls)::int from found group by project_id, budget order by project_id, budget
on conflict (project_id, budget) do update set
  count = case when (rate_windows.started_at <= excluded.started_at - interval '1 minute' or rate_windows.started_at >= excluded.started_at + interval '10 minutes') then 0 else rate_windows.count end + excluded.count,
  started_at = case when (rate_windows.started_at <= excluded.started_at - interval '1 minute' or rate_windows.started_at >= excluded.started_at + interval '10 minutes') then excluded.started_at else rate_windows.started_at end
returning project_id, budget, count, started_at),
  admitted as (
select found.position::int, found.project_id, found.budget, found.disabled, found.role, found.calls,
  counted.count as window_count, counted.started_at as window_started_at
from found left join counted using (project_id, budget))
  select admitted.*, page.* from admitted left join lateral (
    select page.* from (select page.*, null::bigint as total from (
    select id, email, subscribed, paused_until, pending, confirmation_requested_at, confirmed_at, data, created_at, updated_at
    from contacts where project_id = admitted.project_id and email = $4
    order by "contacts"."id" desc limit 101
  ) as page order by "page"."id" desc limit $5) as page
    where coalesce(admitted.window_count, 0) <= $6::int
  ) as page on true;

/* admit-key-and-list-contacts-by-email-uncounted */
with found as (
    select 1 as position, p.id as project_id, p.disabled_at is not null as disabled, null::text as role, 1 as calls,
      case k.kind when 'public' then 'public' else 'keys' end as budget
    from project_keys k join projects p on p.id = k.project_id
    where k.hash = $1 and k.kind = $2
  ), counted as (select null::uuid as project_id, null::text as budget, null::int as count, null::timestamptz as started_at where false),
  admitted as (
select found.position::int, found.project_id, found.budget, found.disabled, found.role, found.calls,
  counted.count as window_count, counted.started_at as window_started_at
from found left join counted using (project_id, budget))
  select admitted.*, page.* from admitted left join lateral (
    select page.* from (select page.*, null::bigint as total from (
    select id, email, subscribed, paused_until, pending, confirmation_requested_at, confirmed_at, data, created_at, updated_at
    from contacts where project_id = admitted.project_id and email = $3
    order by "contacts"."id" desc limit 101
  ) as page order by "page"."id" desc limit $4) as page
    where coalesce(admitted.window_count, 0) <= $5::int
  ) as page on true;

/* admit-key-and-list-contacts-uncounted */
with found as (
    select 1 as position, p.id as project_id, p.disabled_at is not null as disabled, null::text as role, 1 as calls,
      case k.kind when 'public' then 'public' else 'keys' end as budget
    from project_keys k join projects p on p.id = k.project_id
    where k.hash = $1 and k.kind = $2
  ), counted as (select null::uuid as project_id, null::text as budget, null::int as count, null::timestamptz as started_at where false),
  admitted as (
select found.position::int, found.project_id, found.budget, found.disabled, found.role, found.calls,
  counted.count as window_count, counted.started_at as window_started_at
from found left join counted using (project_id, budget))
  select admitted.*, page.* from admitted left join lateral (
    select page.* from (select page.*, (
select coalesce(sum(count), 0)::bigint from (
  select count from contact_counts where project_id = admitted.project_id and tally = $3 and path = '{}'
  union all
  select change from contact_count_changes where project_id = admitted.project_id and tally = $4
) as parts) as total from (
    select id, email, subscribed, paused_until, pending, confirmation_requested_at, confirmed_at, data, created_at, updated_at
    from contacts where project_id = admitted.project_id
    order by "contacts"."id" desc limit 101
  ) as page order by "page"."id" desc limit $5) as page
    where coalesce(admitted.window_count, 0) <= $6::int
  ) as page on true;

/* admit-keys */
with found as (
select requested.position, p.id as project_id, p.disabled_at is not null as disabled, null::text as role, requested.calls,
  case requested.kind when 'public' then 'public' else 'keys' end as budget, p.public_key_updates
from
unnest($1::bytea[], $2::text[], $3::int[])
  with ordinality as requested(hash, kind, calls, position)
join project_keys k on k.hash = requested.hash and k.kind = requested.kind
join projects p on p.id = k.project_id
  ), counted as (
insert into rate_windows (project_id, budget, started_at, count)
select project_id, budget, $4::timestamptz, sum(calls)::int from found group by project_id, budget order by project_id, budget
on conflict (project_id, budget) do update set
  count = case when (rate_windows.started_at <= excluded.started_at - interval '1 minute' or rate_windows.started_at >= excluded.started_at + interval '10 minutes') then 0 else rate_windows.count end + excluded.count,
  started_at = case when (rate_windows.started_at <= excluded.started_at - interval '1 minute' or rate_windows.started_at >= excluded.started_at + interval '10 minutes') then excluded.started_at else rate_windows.started_at end
returning project_id, budget, count, started_at)
select found.position::int, found.project_id, found.budget, found.disabled, found.role, found.calls,
  counted.count as window_count, counted.started_at as window_started_at, found.public_key_updates
from found left join counted using (project_id, budget);

/* admit-keys-mixed */
with requested as (select * from
unnest($1::bytea[], $2::text[], $3::int[])
  with ordinality as requested(hash, kind, calls, position)), found as (
select requested.position, p.id as project_id, p.disabled_at is not null as disabled, null::text as role, requested.calls,
  case requested.kind when 'public' then 'public' else 'keys' end as budget, p.public_key_updates, null::uuid as key_id, null as key_name, null::text[] as scopes, null::text[] as allowed_ips, null::timestamptz as expires_at, null::boolean as test
from requested
join project_keys k on k.hash = requested.hash and k.kind = requested.kind
join projects p on p.id = k.project_id union all
select requested.position, p.id as project_id, p.disabled_at is not null as disabled, null::text as role, requested.calls,
  case when k.scopes = '{track}' then 'public' else 'keys' end as budget, p.public_key_updates,
  k.id as key_id, k.name as key_name, k.scopes, k.allowed_ips, least(k.expires_at, s.expires_at) as expires_at, k.test
from requested
join api_key_secrets s on s.hash = requested.hash and (s.expires_at is null or s.expires_at > $4::timestamptz)
join api_keys k on k.project_id = s.project_id and k.id = s.key_id and (k.expires_at is null or k.expires_at > $5::timestamptz)
join projects p on p.id = k.project_id
where requested.kind = 'scoped'
  ), counted as (
insert into rate_windows (project_id, budget, started_at, count)
select project_id, budget, $6::timestamptz, sum(calls)::int from found group by project_id, budget order by project_id, budget
on conflict (project_id, budget) do update set
  count = case when (rate_windows.started_at <= excluded.started_at - interval '1 minute' or rate_windows.started_at >= excluded.started_at + interval '10 minutes') then 0 else rate_windows.count end + excluded.count,
  started_at = case when (rate_windows.started_at <= excluded.started_at - interval '1 minute' or rate_windows.started_at >= excluded.started_at + interval '10 minutes') then excluded.started_at else rate_windows.started_at end
returning project_id, budget, count, started_at)
select found.position::int, found.project_id, found.budget, found.disabled, found.role, found.calls,
  counted.count as window_count, counted.started_at as window_started_at, found.public_key_updates, found.key_id, found.key_name, found.scopes, found.allowed_ips, found.expires_at, found.test
from found left join counted using (project_id, budget);

/* admit-keys-mixed-uncounted */
with requested as (select * from
unnest($1::bytea[], $2::text[], $3::int[])
  with ordinality as requested(hash, kind, calls, position)), found as (
select requested.position, p.id as project_id, p.disabled_at is not null as disabled, null::text as role, requested.calls,
  case requested.kind when 'public' then 'public' else 'keys' end as budget, p.public_key_updates, null::uuid as key_id, null as key_name, null::text[] as scopes, null::text[] as allowed_ips, null::timestamptz as expires_at, null::boolean as test
from requested
join project_keys k on k.hash = requested.hash and k.kind = requested.kind
join projects p on p.id = k.project_id union all
select requested.position, p.id as project_id, p.disabled_at is not null as disabled, null::text as role, requested.calls,
  case when k.scopes = '{track}' then 'public' else 'keys' end as budget, p.public_key_updates,
  k.id as key_id, k.name as key_name, k.scopes, k.allowed_ips, least(k.expires_at, s.expires_at) as expires_at, k.test
from requested
join api_key_secrets s on s.hash = requested.hash and (s.expires_at is null or s.expires_at > $4::timestamptz)
join api_keys k on k.project_id = s.project_id and k.id = s.key_id and (k.expires_at is null or k.expires_at > $5::timestamptz)
join projects p on p.id = k.project_id
where requested.kind = 'scoped'
  ), counted as (select null::uuid as project_id, null::text as budget, null::int as count, null::timestamptz as started_at where false)
select found.position::int, found.project_id, found.budget, found.disabled, found.role, found.calls,
  counted.count as window_count, counted.started_at as window_started_at, found.public_key_updates, found.key_id, found.key_name, found.scopes, found.allowed_ips, found.expires_at, found.test
from found left join counted using (project_id, budget);

/* admit-keys-scoped */
with found as (
select requested.position, p.id as project_id, p.disabled_at is not null as disabled, null::text as role, requested.calls,
  case when k.scopes = '{track}' then 'public' else 'keys' end as budget, p.public_key_updates,
  k.id as key_id, k.name as key_name, k.scopes, k.allowed_ips, least(k.expires_at, s.expires_at) as expires_at, k.test
from
unnest($1::bytea[], $2::text[], $3::int[])
  with ordinality as requested(hash, kind, calls, position)
join api_key_secrets s on s.hash = requested.hash and (s.expires_at is null or s.expires_at > $4::timestamptz)
join api_keys k on k.project_id = s.project_id and k.id = s.key_id and (k.expires_at is null or k.expires_at > $5::timestamptz)
join projects p on p.id = k.project_id
where requested.kind = 'scoped'
  ), counted as (
insert into rate_windows (project_id, budget, started_at, count)
select project_id, budget, $6::timestamptz, sum(calls)::int from found group by project_id, budget order by project_id, budget
on conflict (project_id, budget) do update set
  count = case when (rate_windows.started_at <= excluded.started_at - interval '1 minute' or rate_windows.started_at >= excluded.started_at + interval '10 minutes') then 0 else rate_windows.count end + excluded.count,
  started_at = case when (rate_windows.started_at <= excluded.started_at - interval '1 minute' or rate_windows.started_at >= excluded.started_at + interval '10 minutes') then excluded.started_at else rate_windows.started_at end
returning project_id, budget, count, started_at)
select found.position::int, found.project_id, found.budget, found.disabled, found.role, found.calls,
  counted.count as window_count, counted.started_at as window_started_at, found.public_key_updates, found.key_id, found.key_name, found.scopes, found.allowed_ips, found.expires_at, found.test
from found left join counted using (project_id, budget);

/* admit-keys-scoped-uncounted */
with found as (
select requested.position, p.id as project_id, p.disabled_at is not null as disabled, null::text as role, requested.calls,
  case when k.scopes = '{track}' then 'public' else 'keys' end as budget, p.public_key_updates,
  k.id as key_id, k.name as key_name, k.scopes, k.allowed_ips, least(k.expires_at, s.expires_at) as expires_at, k.test
from
unnest($1::bytea[], $2::text[], $3::int[])
  with ordinality as requested(hash, kind, calls, position)
join api_key_secrets s on s.hash = requested.hash and (s.expires_at is null or s.expires_at > $4::timestamptz)
join api_keys k on k.project_id = s.project_id and k.id = s.key_id and (k.expires_at is null or k.expires_at > $5::timestamptz)
join projects p on p.id = k.project_id
where requested.kind = 'scoped'
  ), counted as (select null::uuid as project_id, null::text as budget, null::int as count, null::timestamptz as started_at where false)
select found.position::int, found.project_id, found.budget, found.disabled, found.role, found.calls,
  counted.count as window_count, counted.started_at as window_started_at, found.public_key_updates, found.key_id, found.key_name, found.scopes, found.allowed_ips, found.expires_at, found.test
from found left join counted using (project_id, budget);

/* admit-keys-uncounted */
with found as (
select requested.position, p.id as project_id, p.disabled_at is not null as disabled, null::text as role, requested.calls,
  case requested.kind when 'public' then 'public' else 'keys' end as budget, p.public_key_updates
from
unnest($1::bytea[], $2::text[], $3::int[])
  with ordinality as requested(hash, kind, calls, position)
join project_keys k on k.hash = requested.hash and k.kind = requested.kind
join projects p on p.id = k.project_id
  ), counted as (select null::uuid as project_id, null::text as budget, null::int as count, null::timestamptz as started_at where false)
select found.position::int, found.project_id, found.budget, found.disabled, found.role, found.calls,
  counted.count as window_count, counted.started_at as window_started_at, found.public_key_updates
from found left join counted using (project_id, budget);

/* claim-idempotency-key */
with claimed as (
  insert into idempotency_keys as existing (project_id, key, request, created_at, claim_id, claimed_by)
  values ($1, $2, $3, $4::timestamptz, $5::uuid, $6::int)
  on conflict (project_id, key) do update
    set request = excluded.request, status_code = null, response = null, fingerprint = null, created_at = excluded.created_at,
      claim_id = excluded.claim_id, claimed_by = excluded.claimed_by
    where existing.created_at <= $7::timestamptz
      or (existing.status_code is null and existing.claimed_by is not null and not posthorn_queue.is_running(existing.claimed_by))
  returning request, status_code, response, created_at, fingerprint
)
select true as claimed, * from claimed
union all
select false, request, status_code, response, created_at, fingerprint from idempotency_keys
where project_id = $8 and key = $9 and not exists (select from claimed);
