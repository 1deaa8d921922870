/** SQL of the installation as a whole: old rows of all projects are removed together. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { deleteTestsBeforeStep } from '../outbox/test-queries.ts'

/** The smallest ID before `end` of an email that is not sent yet, or of its content. A paused campaign may have only its content. */
export async function findFirstUnsentId(db: Database, end: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select least(id, content_id) as id from emails
    where status in ('PENDING', 'SENDING') and (id < ${end}::uuid or content_id < ${end}::uuid)
    union all
    select content_id from campaigns where status = 'SENDING' and content_id < ${end}::uuid
    order by 1 limit 1`.execute(db)
  return rows[0]?.id
}

export async function deleteTestsBefore(db: Database, end: string): Promise<void> {
  await deleteTestsBeforeStep(end).execute(db)
}
