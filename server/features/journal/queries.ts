/** The only writer of events. `writeEvents` is a piece of a larger statement, so a fact is recorded with its cause. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'

/** `rows` selects: project_id, id, name, contact_id, email_id, data, created_at. */
export const writeEvents = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into events (project_id, id, name, contact_id, email_id, data, created_at) ${rows}`

export interface EventRow {
  id: string
  name: string
  contact_id: string | null
  email_id: string | null
  data: Record<string, unknown>
  created_at: Date
  contact_email: string | null
}

export interface EventFilter {
  name?: string | undefined
  contactId?: string | undefined
  before?: string | undefined
  limit: number
}

/** Newest first; one row more than asked tells that there is more. */
export async function listEvents(db: Database, projectId: string, filter: EventFilter): Promise<EventRow[]> {
  let query = db
    .selectFrom('events')
    .leftJoin('contacts', (join) =>
      join.onRef('contacts.project_id', '=', 'events.project_id').onRef('contacts.id', '=', 'events.contact_id'),
    )
    .select(['events.id', 'events.name', 'events.contact_id', 'events.email_id', 'events.data', 'events.created_at'])
    .select('contacts.email as contact_email')
    .where('events.project_id', '=', projectId)
  if (filter.name !== undefined) query = query.where('events.name', '=', filter.name)
  if (filter.contactId !== undefined) query = query.where('events.contact_id', '=', filter.contactId)
  if (filter.before !== undefined) query = query.where('events.id', '<', filter.before)
  return query
    .orderBy('events.id', 'desc')
    .limit(filter.limit + 1)
    .execute()
}

export async function countEvents(db: Database, projectId: string, filter: EventFilter): Promise<number> {
  let query = db.selectFrom('events').where('project_id', '=', projectId)
  if (filter.name !== undefined) query = query.where('name', '=', filter.name)
  if (filter.contactId !== undefined) query = query.where('contact_id', '=', filter.contactId)
  const row = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return row.count
}
