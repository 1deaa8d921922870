/** The one statement of POST /v1/track: the contact comes in and the event is recorded, or neither. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { type ContactUpsert, upsertContactSteps } from '../contacts/queries.ts'
import { writeEvents } from '../journal/queries.ts'
import { completeIdempotencyKey } from '../projects/queries.ts'

export interface TrackedEvent {
  id: string
  name: string
  data: Record<string, unknown>
}

/** Returns the id of the contact. */
export async function trackEvent(
  db: Database,
  upsert: ContactUpsert,
  event: TrackedEvent,
  idempotencyKey?: string,
): Promise<string> {
  const { projectId, now } = upsert
  const { rows } = await sql<{ id: string }>`/* track-event */
    with ${upsertContactSteps(upsert)},
    tracked as (${writeEvents(sql`
      select ${projectId}, ${event.id}::uuid, ${event.name}, contact.id, null::uuid,
        ${JSON.stringify(event.data)}::jsonb, ${now}::timestamptz
      from contact`)}
    ),
    completed as (${completeIdempotencyKey(
      projectId,
      idempotencyKey,
      sql`(select jsonb_build_object('contact', contact.id, 'event', ${event.id}::text, 'timestamp', ${now.toISOString()}::text) from contact)`,
    )})
    select id from contact`.execute(db)
  return rows[0]!.id
}
