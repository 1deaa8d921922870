/** SQL on contacts from another service. What is written belongs to `contacts` and `suppressions`, whose steps these are. */

import { CONTACT_BYTES_MAX } from '../../../kernel/contact-data.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { objectedSql } from '../consents/queries.ts'
import { type ContactUpsert, hasTopics, peopleStep, writePeopleSteps } from '../contacts/queries.ts'
import { addSuppressionsSteps, isSuppressedSql } from '../suppressions/queries.ts'

export { optOut } from '../contacts/subscription-queries.ts'

export interface MovedSuppression {
  email: string
  reason: 'BOUNCE' | 'COMPLAINT' | 'MANUAL'
}

/** Returns how many were new. */
export async function addSuppressions(
  tx: Tx,
  projectId: string,
  moved: Array<MovedSuppression & { id: string }>,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with ${addSuppressionsSteps(sql`
      select ${projectId}::uuid, email, id, reason, ${now}::timestamptz
      from unnest(${moved.map((each) => each.email)}::text[], ${moved.map((each) => each.id)}::uuid[],
        ${moved.map((each) => each.reason)}::text[]) as given(email, id, reason)
      order by email`)}
    select count(*) as count from suppressed`.execute(tx)
  return rows[0]!.count
}

export interface Known {
  exists: boolean
  /** Has opted out, has not confirmed, is suppressed, or objected before the contact was erased. */
  declined: boolean
  /** The decisions about topics. */
  topics: number[]
}

/** What is known about addresses, by address. Contacts stay as they are until the transaction ends. */
export async function lockKnown(tx: Tx, projectId: string, emails: string[]): Promise<Map<string, Known>> {
  await sql`
    select from contacts where project_id = ${projectId} and email = any(${emails}::text[]) order by email
    for no key update`.execute(tx)
  const { rows } = await sql<Known & { email: string }>`
    select asked.email, c.id is not null as exists, coalesce(c.topics, '{}') as topics,
      coalesce(not c.subscribed and (c.opted_out or c.pending), false) or ${isSuppressedSql(projectId, sql`asked.email`)}
        or c.id is null and ${objectedSql(projectId, sql`asked.email`)} as declined
    from unnest(${emails}::text[]) as asked(email)
    left join contacts c on c.project_id = ${projectId} and c.email = asked.email`.execute(tx)
  return new Map(rows.map(({ email, ...known }) => [email, known]))
}

/** Not prepared, so that it is planned for the actual number of contacts. */
export async function upsertPeople(
  tx: Tx,
  upserts: ContactUpsert[],
): Promise<Array<{ email: string; is_new: boolean; changed: boolean }>> {
  const withTopics = hasTopics(upserts)
  const { rows } = await sql<{ email: string; is_new: boolean; changed: boolean }>`
    with ${peopleStep(upserts, withTopics)}, ${writePeopleSteps(sql`true`, withTopics)}
    select email, is_new, changed from contact`.execute(tx)
  return rows
}

/** The addresses whose contacts would exceed the limit of their data. */
export async function findTooLarge(
  db: Database,
  projectId: string,
  people: Array<{ email: string; patch: Record<string, unknown> }>,
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select p.email
    from unnest(${people.map((p) => p.email)}::text[], ${people.map((p) => JSON.stringify(p.patch))}::jsonb[]) as p(email, patch)
    left join contacts c on c.project_id = ${projectId} and c.email = p.email
    where octet_length((coalesce(c.data, '{}') || p.patch)::text) > ${CONTACT_BYTES_MAX}`.execute(db)
  return rows.map((row) => row.email)
}
