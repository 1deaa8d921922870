-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* list-top-campaigns */
select c.id, c.name, c.subject, c.status, c.sent_at, c.total_recipients,
  coalesce(counted."sent", 0)::bigint as "sent", coalesce(counted."delivered", 0)::bigint as "delivered", coalesce(counted."opened", 0)::bigint as "opened", coalesce(counted."clicked", 0)::bigint as "clicked", coalesce(counted."bounced", 0)::bigint as "bounced", coalesce(counted."complained", 0)::bigint as "complained", coalesce(counted."refused", 0)::bigint as "refused", coalesce(counted."failed", 0)::bigint as "failed"
from campaigns c left join (
  select campaign_id, sum("sent") as "sent", sum("delivered") as "delivered", sum("opened") as "opened", sum("clicked") as "clicked", sum("bounced") as "bounced", sum("complained") as "complained", sum("refused") as "refused", sum("failed") as "failed" from (
    select campaign_id, "sent", "delivered", "opened", "clicked", "bounced", "complained", "refused", "failed" from campaign_counts where project_id = $1
    union all
    select campaign_id, "sent", "delivered", "opened", "clicked", "bounced", "complained", "refused", "failed" from campaign_count_changes where project_id = $2
  ) as parts group by campaign_id
) as counted on counted.campaign_id = c.id
where c.project_id = $3 and c.sent_at is not null
  and ($4::timestamptz is null or c.sent_at >= $5::timestamptz)
  and ($6::timestamptz is null or c.sent_at <= $7::timestamptz) order by opened desc, clicked desc, sent desc, c.id desc limit $8;

/* sum-campaigns */
select count(*) as campaigns, coalesce(sum(total_recipients), 0)::bigint as total_recipients,
    coalesce(sum("sent"), 0)::bigint as "sent", coalesce(sum("delivered"), 0)::bigint as "delivered", coalesce(sum("opened"), 0)::bigint as "opened", coalesce(sum("clicked"), 0)::bigint as "clicked", coalesce(sum("bounced"), 0)::bigint as "bounced", coalesce(sum("complained"), 0)::bigint as "complained", coalesce(sum("refused"), 0)::bigint as "refused", coalesce(sum("failed"), 0)::bigint as "failed",
    coalesce(avg(least(1, "delivered"::float8 / nullif((sent + refused), 0))), 0) as delivery_rate, coalesce(avg(least(1, "opened"::float8 / nullif(emails_reached(sent, refused, delivered, bounced), 0))), 0) as open_rate,
    coalesce(avg(least(1, "clicked"::float8 / nullif(emails_reached(sent, refused, delivered, bounced), 0))), 0) as click_rate, coalesce(avg(least(1, "bounced"::float8 / nullif((sent + refused), 0))), 0) as bounce_rate,
    coalesce(avg(least(1, "complained"::float8 / nullif((sent + refused), 0))), 0) as complaint_rate
  from (
select c.id, c.name, c.subject, c.status, c.sent_at, c.total_recipients,
  coalesce(counted."sent", 0)::bigint as "sent", coalesce(counted."delivered", 0)::bigint as "delivered", coalesce(counted."opened", 0)::bigint as "opened", coalesce(counted."clicked", 0)::bigint as "clicked", coalesce(counted."bounced", 0)::bigint as "bounced", coalesce(counted."complained", 0)::bigint as "complained", coalesce(counted."refused", 0)::bigint as "refused", coalesce(counted."failed", 0)::bigint as "failed"
from campaigns c left join (
  select campaign_id, sum("sent") as "sent", sum("delivered") as "delivered", sum("opened") as "opened", sum("clicked") as "clicked", sum("bounced") as "bounced", sum("complained") as "complained", sum("refused") as "refused", sum("failed") as "failed" from (
    select campaign_id, "sent", "delivered", "opened", "clicked", "bounced", "complained", "refused", "failed" from campaign_counts where project_id = $1
    union all
    select campaign_id, "sent", "delivered", "opened", "clicked", "bounced", "complained", "refused", "failed" from campaign_count_changes where project_id = $2
  ) as parts group by campaign_id
) as counted on counted.campaign_id = c.id
where c.project_id = $3 and c.sent_at is not null
  and ($4::timestamptz is null or c.sent_at >= $5::timestamptz)
  and ($6::timestamptz is null or c.sent_at <= $7::timestamptz)) as campaign;
