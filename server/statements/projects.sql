-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* admit-keys */
with found as (
    select asked.position, p.id as project_id, p.disabled_at is not null as disabled, null::text as role, asked.calls
    from unnest($1::bytea[], $2::text[], $3::int[])
      with ordinality as asked(hash, kind, calls, position)
    join project_keys k on k.hash = asked.hash and k.kind = asked.kind
    join projects p on p.id = k.project_id
  ), counted as (
insert into rate_windows (project_id, budget, started_at, count)
select project_id, $4, $5::timestamptz, sum(calls)::int from found group by project_id order by project_id
on conflict (project_id, budget) do update set
  count = case when rate_windows.started_at <= excluded.started_at - interval '1 minute' then 0 else rate_windows.count end + excluded.count,
  started_at = case when rate_windows.started_at <= excluded.started_at - interval '1 minute' then excluded.started_at else rate_windows.started_at end
returning project_id, count, started_at)
select found.position::int, found.project_id, found.disabled, found.role, found.calls,
  counted.count as window_count, counted.started_at as window_started_at
from found left join counted using (project_id);

/* admit-keys-uncounted */
with found as (
    select asked.position, p.id as project_id, p.disabled_at is not null as disabled, null::text as role, asked.calls
    from unnest($1::bytea[], $2::text[], $3::int[])
      with ordinality as asked(hash, kind, calls, position)
    join project_keys k on k.hash = asked.hash and k.kind = asked.kind
    join projects p on p.id = k.project_id
  ), counted as (select null::uuid as project_id, null::int as count, null::timestamptz as started_at where false)
select found.position::int, found.project_id, found.disabled, found.role, found.calls,
  counted.count as window_count, counted.started_at as window_started_at
from found left join counted using (project_id);

/* align-limit */
update billing_limits set month = $1::date, used = coalesce((
  select sum(count) from (
    select count from usage_counts where project_id = $2 and month = $3::date and source = $4
    union all
    select change from usage_changes where project_id = $5 and month = $6::date and source = $7
  ) as usage), 0)
where project_id = $8 and source = $9;

/* claim-idempotency-key */
with claimed as (
  insert into idempotency_keys (project_id, key, request, created_at)
  values ($1, $2, $3, $4::timestamptz)
  on conflict (project_id, key) do update
    set request = excluded.request, status_code = null, response = null, created_at = excluded.created_at
    where idempotency_keys.created_at <= $5::timestamptz
  returning request, status_code, response, created_at
)
select true as claimed, * from claimed
union all
select false, request, status_code, response, created_at from idempotency_keys
where project_id = $6 and key = $7 and not exists (select from claimed);

/* find-deliveries */
select coalesce(sum(sent), 0)::bigint as sent, coalesce(sum(bounces), 0)::bigint as bounces,
  coalesce(sum(complaints), 0)::bigint as complaints,
  coalesce(sum(sent) filter (where day >= $1::date), 0)::bigint as recent_sent,
  coalesce(sum(bounces) filter (where day >= $2::date), 0)::bigint as recent_bounces,
  coalesce(sum(complaints) filter (where day >= $3::date), 0)::bigint as recent_complaints
from (
  select day, sent, bounces, complaints from delivery_counts where project_id = $4
  union all
  select day, sent, bounces, complaints from delivery_count_changes where project_id = $5
) as deliveries;

/* find-setup-state */
select
  exists (select from domains where project_id = $1 and status = 'VERIFIED') as "hasVerifiedDomain",
  greatest(0, (
    select coalesce(sum(count), 0) from (
      select count from contact_counts where project_id = $2 and tally = 'contacts'
      union all
      select change from contact_count_changes where project_id = $3 and tally = 'contacts'
    ) as contacts))::bigint as "contactCount",
  greatest(0, (
    select coalesce(sum(sent), 0) from (
      select sent from delivery_counts where project_id = $4
      union all
      select sent from delivery_count_changes where project_id = $5
    ) as emails) - (select sent_before_reset from projects where id = $6))::bigint as "emailsSent",
  exists (select from templates where project_id = $7) as "hasTemplate",
  exists (select from campaigns where project_id = $8 and status in ('SENDING', 'SENT')) as "hasCampaignSent",
  exists (select from workflows where project_id = $9 and enabled) as "hasEnabledWorkflow";

/* fold-deliveries */
with taken as (delete from delivery_count_changes returning *),
folded as (
  insert into delivery_counts (project_id, day, sent, bounces, complaints)
  select project_id, day, sum(sent), sum(bounces), sum(complaints) from taken group by project_id, day
  order by project_id, day
  on conflict (project_id, day) do update set sent = delivery_counts.sent + excluded.sent,
    bounces = delivery_counts.bounces + excluded.bounces, complaints = delivery_counts.complaints + excluded.complaints
)
select distinct project_id from taken where bounces > 0 or complaints > 0;

/* fold-usage */
with taken as (delete from usage_changes returning *),
folded as (
  insert into usage_counts (project_id, month, source, count)
  select project_id, month, source, sum(change) from taken group by project_id, month, source
  order by project_id, month, source
  on conflict (project_id, month, source) do update set count = usage_counts.count + excluded.count
)
select distinct l.project_id from billing_limits l where l.project_id in (select project_id from taken);

/* list-usage */
select to_char(month, 'YYYY-MM') as month, source, sum(count)::bigint as count from (
  select month, source, count from usage_counts where project_id = $1 and month >= $2::date
  union all
  select month, source, change from usage_changes where project_id = $3 and month >= $4::date
) as usage group by month, source;

/* lock-limits */
select source from billing_limits where project_id = $1 order by source for update;

/* set-limit */
insert into billing_limits (project_id, source, max, month, used)
values ($1, $2, $3::bigint, $4::date, 0)
on conflict (project_id, source) do update set max = excluded.max;
