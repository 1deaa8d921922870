-- Written by `npx vitest run -u` from what the tests ran. For review: a changed plan or a missing project shows here.

/* delete-contacts */
with gone as (
  delete from contacts where project_id = $1 and id = any($2::uuid[]) returning id
), unsent as (
  select id from emails
  where project_id = $3 and contact_id in (select id from gone) and status = 'PENDING'
  for update skip locked
), cancelled as (
  update emails set status = 'CANCELLED', updated_at = $4::timestamptz
  where project_id = $5 and id in (select id from unsent)
),
left_segments as (
  delete from segment_members where project_id = $6 and contact_id in (select id from gone) returning segment_id
), segment_losses as (
  select segment_id, count(*)::int as members from left_segments group by segment_id
), losing_segments as (
  select s.id, l.members from segments s join segment_losses l on l.segment_id = s.id
  where s.project_id = $7 order by s.id for no key update of s
), counted_segments as (
  update segments s set member_count = greatest(0, s.member_count - l.members)
  from losing_segments l where s.project_id = $8 and s.id = l.id
),
on_their_way as (
  select id from workflow_executions
  where project_id = $9 and contact_id in (select id from gone) and status in ('RUNNING', 'WAITING')
  for update skip locked
), ended_executions as (
  update workflow_executions set status = 'CANCELLED', error = 'The contact was deleted.', turn = turn + 1,
    resume_at = null, awaited_event = null, completed_at = $10::timestamptz, updated_at = $11::timestamptz
  where project_id = $12 and id in (select id from on_their_way)
), ended_runs as (
  update workflow_step_runs set status = 'CANCELLED', completed_at = $13::timestamptz
  where project_id = $14 and execution_id in (select id from on_their_way) and status in ('RUNNING', 'WAITING')
), jobs as (
  select posthorn_queue.add_job($15, (select json_build_object('projectId', $16::text, 'contactIds', json_agg(id)) from gone)::json, look.at::timestamptz,
$17::text, $18::int)
  from unnest(array[$19::timestamptz, $20::timestamptz]) as look(at)
  where exists (select from gone)
)
select id from gone where (select count(*) from jobs) > 0;

/* erase-emails */
with batch as (
  select id from emails
  where project_id = $1 and contact_id = any($2::uuid[])
    and (status <> 'SENDING' or lease_until <= $3::timestamptz)
  limit $4 for update skip locked
), erased as (
  update emails e set contact_id = null, to_email = '', to_name = null, subject = '', reply_to = null, headers = '{}',
    variables = '{}', contact_data = '{}', error = null,
    from_email = case e.source_type when 'INBOUND' then '' else e.from_email end,
    from_name = case e.source_type when 'INBOUND' then null else e.from_name end,
    message_id = case e.source_type when 'INBOUND' then null else e.message_id end, lease_until = null, updated_at = $5::timestamptz,
    status = case when e.status in ('PENDING', 'SENDING') then 'CANCELLED' else e.status end
  from batch where e.project_id = $6 and e.id = batch.id
  returning e.id, e.content_id
), unnoted as (
  delete from email_notes where project_id = $7 and email_id in (select id from erased)
), uncaptured as (
  delete from captured_messages where email_id in (select id from erased) and cardinality(recipients) = 1
), used as (
  select content_id, count(*)::int as emails from erased group by content_id
), contents as (
  update email_contents c set emails_left = c.emails_left - used.emails,
    subject = case when c.emails_left > used.emails then c.subject else '' end,
    body = case when c.emails_left > used.emails then c.body else '' end,
    plain = case when c.emails_left > used.emails then c.plain end,
    attachments = case when c.emails_left > used.emails then c.attachments else '[]' end
  from used where c.project_id = $8 and c.id = used.content_id and c.emails_left is not null
)
select count(*)::int as erased from erased;

/* erase-events */
with batch as (
  select id from events where project_id = $1 and contact_id = any($2::uuid[]) limit $3
)
update events set contact_id = null, data = '{}' from batch
where events.project_id = $4 and events.id = batch.id;

/* erase-executions */
with batch as (
  select id from workflow_executions where project_id = $1 and contact_id = any($2::uuid[])
  limit $3 for update skip locked
), erased as (
  update workflow_executions x set contact_id = null, context = '{}', event = case when x.event is not null then '{}'::jsonb end,
    turn = x.turn + 1, updated_at = $4::timestamptz,
    status = case when x.status in ('RUNNING', 'WAITING') then 'CANCELLED' else x.status end,
    completed_at = coalesce(x.completed_at, $5::timestamptz), resume_at = null, awaited_event = null,
    error = case when x.error is not null then 'Erased with the contact.' end
  from batch where x.project_id = $6 and x.id = batch.id
  returning x.id
), sent as (
  select (output ->> 'emailId')::uuid as id from workflow_step_runs
  where project_id = $7 and execution_id in (select id from erased) and type = 'SEND_EMAIL' and output ? 'emailId'
), emails_about as (
  update emails set variables = '{}', contact_data = '{}', subject = '', updated_at = $8::timestamptz
  where project_id = $9 and id in (select id from sent) and contact_id is null
), runs as (
  update workflow_step_runs set output = null, error = case when error is not null then 'Erased with the contact.' end,
    status = case when status in ('RUNNING', 'WAITING') then 'CANCELLED' else status end,
    completed_at = coalesce(completed_at, $10::timestamptz)
  where project_id = $11 and execution_id in (select id from erased)
)
select count(*)::int as erased from erased;

/* find-lease */
select max(lease_until) as lease_until from emails
where project_id = $1 and contact_id = any($2::uuid[]) and status = 'SENDING';

/* leave-segments */
with
left_segments as (
  delete from segment_members where project_id = $1 and contact_id in (select unnest($2::uuid[])) returning segment_id
), segment_losses as (
  select segment_id, count(*)::int as members from left_segments group by segment_id
), losing_segments as (
  select s.id, l.members from segments s join segment_losses l on l.segment_id = s.id
  where s.project_id = $3 order by s.id for no key update of s
), counted_segments as (
  update segments s set member_count = greatest(0, s.member_count - l.members)
  from losing_segments l where s.project_id = $4 and s.id = l.id
)
select coalesce(sum(members), 0)::int as ended from segment_losses;
