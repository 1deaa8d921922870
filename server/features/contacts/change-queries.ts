/** A change that the service itself makes to a contact, as a step of a workflow does: nobody's own decision. */
import { sql } from 'kysely'
import type { DataChange } from '../../kernel/contact-data.ts'
import type { Database, Tx } from '../../platform/database/connect.ts'
import { writeEvents } from '../journal/queries.ts'
import type { ContactRow } from './queries.ts'

export interface ServiceChange {
  change: DataChange
  /** Absent: as it is. */
  subscribed: boolean | undefined
}

/**
 * Changes the contact if that changes anything, and records a flip of its subscription. Unlike a change by hand, it
 * lifts no suppression. Nothing when there is no such contact.
 */
export async function changeContact(
  db: Database | Tx,
  projectId: string,
  id: string,
  { change, subscribed = undefined }: ServiceChange,
  eventId: string,
  now: Date,
): Promise<ContactRow | undefined> {
  const wanted = subscribed ?? null
  const { rows } = await sql<ContactRow>`/* change-contact */
    with wanted as (
      select c.*, coalesce(${wanted}::boolean, c.subscribed) as new_subscribed,
        (c.data || ${JSON.stringify(change.patch)}::jsonb) - ${change.removed}::text[] as new_data
      from contacts c where c.project_id = ${projectId} and c.id = ${id} for update
    ), written as (
      update contacts c set subscribed = wanted.new_subscribed, subscribed_before = wanted.subscribed, data = wanted.new_data,
        opted_out = not wanted.new_subscribed and (wanted.opted_out or wanted.subscribed), updated_at = ${now}::timestamptz
      from wanted where c.project_id = ${projectId} and c.id = wanted.id
        and (wanted.new_subscribed <> wanted.subscribed or wanted.new_data <> wanted.data)
      returning c.*
    ), flips as (${writeEvents(sql`
      select project_id, ${eventId}::uuid, case when subscribed then 'contact.subscribed' else 'contact.unsubscribed' end,
        id, null::uuid, '{}'::jsonb, ${now}::timestamptz
      from written where subscribed <> subscribed_before`)}
    )
    select id, email, new_subscribed as subscribed, new_data as data, created_at, updated_at from wanted`.execute(db)
  return rows[0]
}
