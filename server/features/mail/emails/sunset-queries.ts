/** SQL of the sunset rule: how many contacts it stops, and whether it stops one of them. */

import type { SendingSettings } from '../../../kernel/sending/settings.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { type Audience, recipientsSql } from '../../audience/segments/audience-queries.ts'

export type SunsetRule = NonNullable<SendingSettings['sunset']>

/** As `sunset_since` judges one contact, but from the emails of all of them at once: how many of the recipients are stopped. */
export async function countSunset(
  tx: Tx,
  projectId: string,
  audience: Audience,
  { days, emails }: SunsetRule,
  now: Date,
): Promise<number> {
  const recipients = await recipientsSql(tx, projectId, audience, now)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select received.contact_id from (
        select e.contact_id, e.sent_at, e.opened_at is not null or e.clicked_at is not null as engaged,
          max(e.sent_at) over (partition by e.contact_id) as latest,
          greatest(contacts.sunset_reset_at, contacts.confirmed_at) as counted_from
        from emails e join contacts on contacts.project_id = e.project_id and contacts.id = e.contact_id
        where e.project_id = ${projectId} and contacts.project_id = ${projectId} and ${recipients}
          and is_received_marketing(e.project_id, e.content_id, e.source_type, e.sent_at, e.bounced_at, e.tracking, e.test)
      ) as received
      where received.sent_at > received.latest - make_interval(days => ${days}::int)
        and (received.counted_from is null or received.sent_at > received.counted_from)
      group by received.contact_id having count(*) >= ${emails}::int and not bool_or(received.engaged)) as stopped`.execute(
    tx,
  )
  return rows[0]!.count
}

export interface SunsetRow {
  /** Null if the rule doesn't stop the contact, or the project has none. */
  since: Date | null
  reset_at: Date | null
}

export async function findSunset(db: Database, projectId: string, contactId: string): Promise<SunsetRow | undefined> {
  const { rows } = await sql<SunsetRow>`/* find-sunset */
    select sunset_since(p.sending -> 'sunset', c.project_id, c.id) as since, c.sunset_reset_at as reset_at
    from contacts c join projects p on p.id = c.project_id
    where c.project_id = ${projectId} and c.id = ${contactId}`.execute(db)
  return rows[0]
}
