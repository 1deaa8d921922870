/** Writes events of the past for contacts that exist. */

import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { writePastEvents } from '../../record/journal/queries.ts'

export interface NewPastEvent {
  id: string
  email: string
  name: string
  data: Record<string, unknown>
  at: Date
}

/** For each event, whether its contact exists and whether it was added. Of two equal events, the first is. */
export async function insertPastEvents(
  db: Database,
  projectId: string,
  events: NewPastEvent[],
): Promise<Array<{ is_known: boolean; is_new: boolean }>> {
  const { rows } = await sql<{ is_known: boolean; is_new: boolean }>`
    with given as (
      select * from unnest(${events.map(({ id }) => id)}::uuid[], ${events.map(({ email }) => email)}::text[],
        ${events.map(({ name }) => name)}::text[], ${events.map(({ data }) => JSON.stringify(data))}::jsonb[],
        ${events.map(({ at }) => at)}::timestamptz[]) with ordinality as g(id, email, name, data, at, position)
    ), known as (
      -- Locked, so that no event is left behind if the contact is deleted at the same time.
      select id, email from contacts
      where project_id = ${projectId} and email = any(${events.map(({ email }) => email)}::text[])
      order by email for key share
    ), ${writePastEvents(
      'imported',
      sql`
      select distinct on (g.id) ${projectId}::uuid, g.id, g.name, known.id, null::uuid, g.data, g.at
      from given g join known on known.email = g.email order by g.id, g.position`,
    )}
    select exists (select from known where known.email = given.email) as is_known,
      given.id in (select id from imported)
        and given.position = min(given.position) over (partition by given.id) as is_new
    from given order by given.position`.execute(db)
  return rows
}
