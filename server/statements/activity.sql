-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* count-timeline */
select (select count(*) from events where project_id = $1 and contact_id = $2)
  + (select count(*) from emails where project_id = $3 and contact_id = $4)
  + (select count(*) from (
      select import.id, bool_or(import.created) as created
      from contacts cross join lateral (values (created_by_import, true), (updated_by_import, false)) as import(id, created)
      where contacts.project_id = $5 and contacts.id = $6 and import.id is not null group by import.id) as imported) as count;

/* delete-watchers */
delete from activity_watchers where project_id in (
  select project_id from activity_watchers where until < now() - interval '1 hour' for update skip locked);

/* list-upcoming */
with next as (
  (select 'campaign.scheduled' as type, scheduled_for as at, id, id as campaign_id, null::uuid as workflow_id,
    null::uuid as execution_id, null::uuid as step_id, name, null::uuid as contact_id, null::text as awaited_event, null::uuid as email_id
  from campaigns where project_id = $1 and status = 'SCHEDULED' and scheduled_for is not null
  order by scheduled_for, id limit $2)
  union all
  (select 'workflow.waiting', resume_at, id, null, workflow_id, id, current_step_id, null, contact_id, awaited_event, null
  from workflow_executions where project_id = $3 and status = 'WAITING' and resume_at is not null
  order by resume_at, id limit $4)
  union all
  (select 'email.scheduled', scheduled_for, id, null, null, null, null, coalesce(subject, (
    select c.subject from email_contents c where c.project_id = emails.project_id and c.id = emails.content_id)), contact_id, null, id
  from emails where project_id = $5 and status = 'SCHEDULED'
  order by scheduled_for, id limit $6)
)
select next.type, next.at, next.campaign_id, next.workflow_id, next.execution_id, next.step_id, next.contact_id, next.email_id,
  coalesce(next.name, w.name) as name, c.email as contact_email, next.awaited_event
from next
left join workflows w on w.project_id = $7 and w.id = next.workflow_id
left join contacts c on c.project_id = $8 and c.id = next.contact_id
order by next.at, next.id limit $9;

/* watch-projects */
insert into activity_watchers (project_id, until)
select id, now() + make_interval(secs => $1) from unnest($2::uuid[]) as watched(id)
on conflict (project_id) do update set until = greatest(activity_watchers.until, excluded.until);
