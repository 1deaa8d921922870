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
returning "project_id", "id", "domain", "status", "ownership_token", "dkim_selector", "dkim_public_key", "provider_dkim_tokens", "failed_checks", "pending_since", "records_found", "last_checked_at", "created_at", "updated_at";

/* find-campaign-from-domain */
select c.name from domains d join campaigns c on c.project_id = d.project_id and c.from_domain = d.domain
where d.project_id = $1 and d.id = $2 and c.status in ('DRAFT', 'SCHEDULED', 'SENDING')
order by c.id limit 1;

/* is-verified-domain */
select coalesce((
select domains.status = 'VERIFIED' from domains where domains.project_id = $1 and domains.domain = $2), false) as verified;
