/** Who refers to an event by its name, oldest first. Segments and campaigns keep the names their conditions mention. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'

export interface EventUser {
  kind: 'segment' | 'campaign' | 'workflow'
  id: string
  name: string
}

export async function listEventUsers(db: Database, projectId: string, name: string): Promise<EventUser[]> {
  const { rows } = await sql<EventUser>`/* list-event-users */
    select kind, id, name from (
      select 'segment' as kind, id, name from segments
      where project_id = ${projectId} and event_names @> array[${name}::text]
      union all
      select 'campaign', id, name from campaigns
      where project_id = ${projectId} and event_names @> array[${name}::text]
      union all
      select 'workflow', w.id, w.name from workflows w
      where w.project_id = ${projectId} and ((w.trigger_type = 'EVENT' and w.event_name = ${name}) or exists (
        select from workflow_steps s
        where s.project_id = w.project_id and s.workflow_id = w.id and (s.event_name = ${name}
          or s.used_fields @> array['event.' || ${name}::text])))
    ) as users order by id`.execute(db)
  return rows
}
