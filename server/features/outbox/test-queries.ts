/** SQL of test emails. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { messageRow, outboxSteps, type StoredMessage } from './queries.ts'

export async function contactExists(db: Database, projectId: string, contactId: string): Promise<boolean> {
  const { rows } = await sql`
    select from contacts where project_id = ${projectId} and id = ${contactId}`.execute(db)
  return rows.length > 0
}

/** Test emails have no contact and no campaign. `e` is the email. */
export const IS_TEST = sql<boolean>`e.contact_id is null and e.source_type = 'CAMPAIGN' and e.campaign_id is null`

export async function countTestEmails(db: Database, projectId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from emails e
    where e.project_id = ${projectId} and e.id >= first_id_at(${since}::timestamptz) and ${IS_TEST}`.execute(db)
  return rows[0]!.count
}

/**
 * A test email to an address that the author chose, not included in any counts. It belongs to no contact; if the address
 * is a contact's, it is rendered with that contact's data.
 */
export async function insertTestEmail(
  db: Database,
  message: StoredMessage,
  { emailId, to, contactId }: { emailId: string; to: string; contactId: string | null },
): Promise<void> {
  const { projectId } = message
  await sql`/* insert-test-email */
    with ${outboxSteps({
      source: 'CAMPAIGN',
      rows: sql`
    message as (select *, 1 as emails from ${messageRow(message)}),
    recipient as (
      select 1 as request, ${emailId}::uuid as email_id, null::uuid as contact_id, ${to}::text as to_email, null::text as to_name,
        coalesce((select data || jsonb_build_object('id', id, 'email', email) from contacts
          where project_id = ${projectId} and id = coalesce(${contactId}::uuid,
            (select id from contacts where project_id = ${projectId} and email = ${to}))), '{}') as contact_data
    )`,
      content: [message],
      job: { each: 'deliver-email' },
    })}
    select`.execute(db)
}
