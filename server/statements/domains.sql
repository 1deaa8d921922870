-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* are-verified-domains */
select coalesce((
select domains.status = 'VERIFIED' from domains where domains.project_id = asked.project_id and domains.domain = asked.domain), false) as verified
  from unnest($1::uuid[], $2::text[])
    with ordinality as asked(project_id, domain, position)
  order by asked.position;

/* claim-due-domains */
update domains set next_check_at = $1
where id in (
  select domains.id from domains join projects on projects.id = domains.project_id
  where domains.next_check_at <= $2 and projects.disabled_at is null
  order by domains.next_check_at limit $3
  for update of domains skip locked)
returning "project_id", "id", "domain", "status", "ownership_token", "dkim_selector", "dkim_public_key", "ed25519_selector", "ed25519_public_key", "provider_dkim_tokens", "failed_checks", "pending_since", "records_found", "last_checked_at", "created_at", "updated_at";

/* find-campaign-from-domain */
select c.name from domains d join campaigns c on c.project_id = d.project_id and c.from_domain = d.domain
where d.project_id = $1 and d.id = $2 and c.status in ('DRAFT', 'SCHEDULED', 'SENDING')
order by c.id limit 1;

/* is-verified-domain */
select coalesce((
select domains.status = 'VERIFIED' from domains where domains.project_id = $1 and domains.domain = $2), false) as verified;

/* list-warm-ups */
select domain, to_char(started_on, 'YYYY-MM-DD') as "startedOn", per_day as "perDay", growth, case when w.counted_on = warm_up_day(w.counted_on, $1::timestamptz) then w.counted else 0 end as "sentToday",
  warm_up_limit(w.started_on, w.per_day, w.growth, warm_up_day(w.counted_on, $2::timestamptz)) as "limitToday", ((warm_up_day(w.counted_on, $3::timestamptz) + 1)::timestamp at time zone 'UTC') as "nextDay"
from domain_warm_ups w
where w.project_id = $4 and w.per_day is not null and ($5::text is null or w.domain = $6::text);

/* save-warm-up */
insert into domain_warm_ups (project_id, domain, names, started_on, per_day, growth)
values ($1, $2, $3::text[], $4::date, $5::int, $6::float8)
on conflict (project_id, domain) do update set names = excluded.names, started_on = excluded.started_on, per_day = excluded.per_day,
  growth = excluded.growth;
