/** SQL of the installation as a whole: old rows of all projects are removed together. */

import { firstIdAt } from '../../../kernel/ids.ts'
import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { preventRequeuing } from '../../mail/emails/queries.ts'
import { deleteContentsStep } from '../../mail/outbox/change-queries.ts'
import { deleteTagsBeforeStep } from '../../mail/outbox/option-queries.ts'
import { deleteTestsBeforeStep } from '../../mail/outbox/test-queries.ts'
import { deleteClicksBeforeStep } from '../../mail/tracking/click-queries.ts'
import { isRestored, type KeptRows } from './retired-queries.ts'

/** By project, because the index on the status starts with the project. */
export const selectUnsent: KeptRows = (emails) => sql`
  select unsent.project_id, unsent.id from projects cross join lateral (
    select project_id, id from ${emails} as e where e.project_id = projects.id and e.status in ('SCHEDULED', 'PENDING', 'SENDING')
  ) as unsent`

export interface UnsentEmails {
  emails: number
  oldestId: string | null
}

export async function countUnsent(db: Database, end: string): Promise<UnsentEmails> {
  const { rows } = await sql<UnsentEmails>`
    select coalesce(sum(unsent.emails), 0)::int as emails, min(unsent.oldest)::uuid as "oldestId"
    from projects cross join lateral (
      select count(*) as emails, min(id::text) as oldest from emails e
      where e.project_id = projects.id and e.status in ('SCHEDULED', 'PENDING', 'SENDING') and e.id < ${end}::uuid
    ) as unsent`.execute(db)
  return rows[0]!
}

/** Contents before `end` that unsent emails still need. A paused campaign may have no email yet. */
export const selectNeededContents =
  (end: string): KeptRows =>
  () =>
    sql`
    select unsent.project_id, unsent.content_id as id from projects cross join lateral (
      select distinct e.project_id, e.content_id from emails e
      where e.project_id = projects.id and e.status in ('SCHEDULED', 'PENDING', 'SENDING') and e.content_id < ${end}::uuid
    ) as unsent
    union
    select project_id, content_id from campaigns where status = 'SENDING' and content_id < ${end}::uuid`

/** Deletes up to `most` contents older than a given time; returns how many. Their emails stay. */
export async function deleteContents(
  db: Database,
  before: Date,
  now: Date,
  keep: KeptRows,
  most: number,
): Promise<number> {
  const batch = sql`
    select project_id, id from email_contents as old where id < ${firstIdAt(before)}::uuid
      and not ${isRestored('email_contents', 'id', now)} and not exists (
        select from (${keep(sql.table('email_contents'))}) as kept
        where kept.project_id = old.project_id and kept.id = old.id)
    limit ${most}`
  return transaction(db, async (tx) => {
    await preventRequeuing(tx)
    const { numAffectedRows } = await sql`/* delete-contents */ ${deleteContentsStep(batch)}`.execute(tx)
    return Number(numAffectedRows)
  })
}

/** What else is stored about emails that no longer exist. */
export async function deleteRestBefore(db: Database, end: string): Promise<void> {
  await deleteTestsBeforeStep(end).execute(db)
  await deleteTagsBeforeStep(end).execute(db)
  await deleteClicksBeforeStep(end).execute(db)
}
