/** Changes that the service itself makes to contacts, as a step of a workflow does: nobody's own decision. */
import { sql } from 'kysely'
import type { DataChange } from '../../kernel/contact-data.ts'
import type { Database, Tx } from '../../platform/database/connect.ts'
import { writeEvents } from '../journal/queries.ts'
import type { ContactRow } from './queries.ts'

export interface ServiceChange {
  id: string
  change: DataChange
  /** Absent: as it is. */
  subscribed: boolean | undefined
}

/**
 * Changes contacts where that changes anything, and records flips of their subscription. Unlike a change by hand, it
 * lifts no suppression. Returns those there are, each as it is now, in no order. No contact may be named twice.
 * Locked by address, as everybody locks contacts.
 */
export async function changeContacts(
  db: Database | Tx,
  projectId: string,
  changes: Array<ServiceChange & { eventId: string }>,
  now: Date,
): Promise<ContactRow[]> {
  const given = changes.map(({ id, change, subscribed = null, eventId }) => ({ id, ...change, subscribed, eventId }))
  const { rows } = await sql<ContactRow>`/* change-contacts */
    with wanted as (
      select c.*, coalesce(g.subscribed, c.subscribed) as new_subscribed, (c.data || g.patch) - g.removed as new_data,
        g."eventId" as event_id
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as g(id uuid, patch jsonb, removed text[], subscribed boolean, "eventId" uuid)
      join contacts c on c.project_id = ${projectId} and c.id = g.id and c.id = any(${given.map(({ id }) => id)}::uuid[])
      order by c.email for update of c
    ), written as (
      update contacts c set subscribed = wanted.new_subscribed, subscribed_before = wanted.subscribed, data = wanted.new_data,
        opted_out = not wanted.new_subscribed and (wanted.opted_out or wanted.subscribed), updated_at = ${now}::timestamptz
      from wanted where c.project_id = ${projectId} and c.id = wanted.id and c.id = any(${given.map(({ id }) => id)}::uuid[])
        and (wanted.new_subscribed <> wanted.subscribed or wanted.new_data <> wanted.data)
      returning c.*, wanted.event_id
    ), flips as (${writeEvents(sql`
      select project_id, event_id, case when subscribed then 'contact.subscribed' else 'contact.unsubscribed' end,
        id, null::uuid, '{}'::jsonb, ${now}::timestamptz
      from written where subscribed <> subscribed_before`)}
    )
    select id, email, new_subscribed as subscribed, new_data as data, created_at, updated_at from wanted`.execute(db)
  return rows
}
