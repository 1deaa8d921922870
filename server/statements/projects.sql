-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

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
