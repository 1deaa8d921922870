-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* align-limit */
update billing_limits set month = $1::date, used = coalesce((
  select sum(count) from (
    select count from usage_counts where project_id = $2 and month = $3::date and source = $4
    union all
    select change from usage_changes where project_id = $5 and month = $6::date and source = $7
  ) as usage), 0)
where project_id = $8 and source = $9;

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
