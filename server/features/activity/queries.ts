/** Upcoming activity, and the timeline of one contact. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'

export interface UpcomingRow {
  type: 'campaign.scheduled' | 'workflow.waiting'
  at: Date
  campaign_id: string | null
  workflow_id: string | null
  execution_id: string | null
  name: string | null
  step_id: string | null
  contact_id: string | null
  contact_email: string | null
  awaited_event: string | null
}

/** Scheduled campaigns and executions that wait until a time, soonest first. */
export async function listUpcoming(db: Database, projectId: string, limit: number): Promise<UpcomingRow[]> {
  const { rows } = await sql<UpcomingRow>`/* list-upcoming */
    with next as (
      (select 'campaign.scheduled' as type, scheduled_for as at, id, id as campaign_id, null::uuid as workflow_id,
        null::uuid as execution_id, null::uuid as step_id, name, null::uuid as contact_id, null::text as awaited_event
      from campaigns where project_id = ${projectId} and status = 'SCHEDULED' and scheduled_for is not null
      order by scheduled_for, id limit ${limit})
      union all
      (select 'workflow.waiting', resume_at, id, null, workflow_id, id, current_step_id, null, contact_id, awaited_event
      from workflow_executions where project_id = ${projectId} and status = 'WAITING' and resume_at is not null
      order by resume_at, id limit ${limit})
    )
    select next.type, next.at, next.campaign_id, next.workflow_id, next.execution_id, next.step_id, next.contact_id,
      coalesce(next.name, w.name) as name, c.email as contact_email, next.awaited_event
    from next
    left join workflows w on w.project_id = ${projectId} and w.id = next.workflow_id
    left join contacts c on c.project_id = ${projectId} and c.id = next.contact_id
    order by next.at, next.id limit ${limit}`.execute(db)
  return rows
}

export interface TimelineRow {
  id: string
  kind: 'event' | 'email'
  at: Date
  event_name: string | null
  event_data: Record<string, unknown> | null
  email_id: string | null
  subject: string | null
  status: string | null
  source_type: string | null
  opens: number | null
  clicks: number | null
}

/** Events and emails of a contact, newest first, with one extra row that shows whether there are more. */
export async function listTimeline(
  db: Database,
  projectId: string,
  contactId: string,
  before: string | undefined,
  limit: number,
): Promise<TimelineRow[]> {
  const earlier = before === undefined ? sql`` : sql`and id < ${before}::uuid`
  const { rows } = await sql<TimelineRow>`
    select * from (
      (select id, 'event' as kind, created_at as at, name as event_name, data as event_data, email_id, null as subject,
        null as status, null as source_type, null::int as opens, null::int as clicks
      from events where project_id = ${projectId} and contact_id = ${contactId} ${earlier} order by id desc limit ${limit + 1})
      union all
      (select id, 'email', created_at, null, null, id, coalesce(subject, (
          select c.subject from email_contents c where c.project_id = emails.project_id and c.id = emails.content_id)),
        status, source_type, opens, clicks
      from emails where project_id = ${projectId} and contact_id = ${contactId} ${earlier} order by id desc limit ${limit + 1})
    ) as timeline order by id desc limit ${limit + 1}`.execute(db)
  return rows
}

export async function countTimeline(db: Database, projectId: string, contactId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* count-timeline */
    select (select count(*) from events where project_id = ${projectId} and contact_id = ${contactId})
      + (select count(*) from emails where project_id = ${projectId} and contact_id = ${contactId}) as count`.execute(
    db,
  )
  return rows[0]!.count
}
