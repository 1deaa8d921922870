/** SQL of test emails. */

import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { messageRow, outboxSteps, type StoredMessage } from './queries.ts'

export async function contactExists(db: Database, projectId: string, contactId: string): Promise<boolean> {
  const { rows } = await sql`
    select from contacts where project_id = ${projectId} and id = ${contactId}`.execute(db)
  return rows.length > 0
}

/** Until the transaction ends, no other test of the project is accepted. Returns how many there were since then. */
export async function countTestEmails(tx: Tx, projectId: string, since: Date): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`tests:${projectId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from test_emails
    where project_id = ${projectId} and id >= first_id_at(${since}::timestamptz)`.execute(tx)
  return rows[0]!.count
}

/** The tests that show the data of contacts are no longer found by them. Returns the ids of the tests. */
export const deleteTestsOfStep = (projectId: string, contactIds: string[]) => sql`
      delete from test_emails where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[]) returning id`

/** Emails with smaller ids no longer exist. */
export const deleteTestsBeforeStep = (end: string) => sql`delete from test_emails where id < ${end}::uuid`

/**
 * A test email to an address that the author chose, not included in any counts. It belongs to no contact; if the address
 * is a contact's, it is rendered with that contact's data.
 */
export async function insertTestEmail(
  tx: Tx,
  message: StoredMessage,
  { emailId, to, contactId }: { emailId: string; to: string; contactId: string | null },
): Promise<void> {
  const { projectId } = message
  await sql`/* insert-test-email */
    with shown as (
      select id, email, data from contacts where project_id = ${projectId} and id = coalesce(${contactId}::uuid,
        (select id from contacts where project_id = ${projectId} and email = ${to}))
    ), test as (
      insert into test_emails (project_id, id, contact_id)
      values (${projectId}, ${emailId}, (select id from shown))
    ), ${outboxSteps({
      source: 'TEST',
      rows: sql`
    message as (select *, 1 as emails from ${messageRow(message)}),
    recipient as (
      select 1 as request, ${emailId}::uuid as email_id, null::uuid as contact_id, ${to}::text as to_email, null::text as to_name,
        coalesce((select data || jsonb_build_object('id', id, 'email', email) from shown), '{}') as contact_data
    )`,
      content: [message],
      job: { each: 'deliver-email' },
    })}
    select`.execute(tx)
}
