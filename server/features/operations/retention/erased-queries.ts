/** Erases deleted contacts and removed projects from detached tables, which other deletions don't reach. */
import type { RawBuilder } from 'kysely'
import { firstIdAt, timeOfId } from '../../../kernel/ids.ts'
import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { isOfRemovedProject, placeOf, type RetiredTable } from './retired-queries.ts'

const DAY_MS = 86_400_000

const contactExists = (row: string) => sql`exists (
  select from contacts c where c.project_id = ${sql.ref(`${row}.project_id`)} and c.id = ${sql.ref(`${row}.contact_id`)})`

/**
 * Deletes rows of projects and contacts that were deleted after the table was detached, and contents and notes whose
 * emails were all erased. Those emails are still stored, or in a detached table that is archived later.
 */
export async function deleteErased(db: Database, { name, parent }: RetiredTable): Promise<void> {
  const place = placeOf(name)
  await sql`delete from ${place} as old where ${isOfRemovedProject('old')}`.execute(db)
  if (parent === 'events' || parent === 'emails') {
    await sql`delete from ${place} as old where contact_id is not null and not ${contactExists('old')}`.execute(db)
    return
  }
  const [key, keyInEmails] = parent === 'email_notes' ? ['email_id', 'id'] : ['id', 'content_id']
  const emails = await selectEmailsOf(db, place, key)
  if (!emails) return
  await sql`
    delete from ${place} as old using (
      select e.project_id, ${sql.ref(`e.${keyInEmails}`)} as key from (${emails}) as e group by 1, 2
      having bool_and(e.to_email = '' or (e.contact_id is not null and not ${contactExists('e')}))
    ) as erased
    where old.project_id = erased.project_id and ${sql.ref(`old.${key}`)} = erased.key
      ${parent === 'email_contents' ? sql`and old.emails_left is not null` : sql``}`.execute(db)
}

/** Emails of about the same time as the ids in this column, stored or detached. There is no index on contents. */
async function selectEmailsOf(
  db: Database,
  place: RawBuilder<unknown>,
  key: string,
): Promise<RawBuilder<unknown> | undefined> {
  const { rows: ranges } = await sql<{ first: string | null; last: string }>`
    select min(${sql.ref(key)}::text) as first, max(${sql.ref(key)}::text) as last from ${place}`.execute(db)
  const { first, last } = ranges[0]!
  if (!first) return undefined
  const from = firstIdAt(new Date(timeOfId(first).getTime() - DAY_MS))
  const to = firstIdAt(new Date(timeOfId(last).getTime() + DAY_MS))
  const { rows: detached } = await sql<{ name: string }>`
    select name from retired_tables where dropped_at is null and parent = 'emails'`.execute(db)
  const tables = [sql.table('emails'), ...detached.map((table) => placeOf(table.name))]
  return sql.join(
    tables.map(
      (table) => sql`
        select project_id, id, content_id, contact_id, to_email from ${table}
        where id >= ${from}::uuid and id < ${to}::uuid`,
    ),
    sql` union all `,
  )
}
