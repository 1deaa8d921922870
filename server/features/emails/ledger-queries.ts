/** The ledger: lists of emails and what became of each, and what is forgotten in time. */
import { sql } from 'kysely'
import { firstIdAt } from '../../kernel/ids.ts'
import type { Database } from '../../platform/database/connect.ts'
import { containing } from '../../platform/database/like.ts'
import type { StoredAttachment } from './attachments.ts'

export interface EmailFilter {
  contactId?: string | undefined
  campaignId?: string | undefined
  status?: string | undefined
  search?: string | undefined
}

const ledger = (db: Database, projectId: string) =>
  db
    .selectFrom('emails as e')
    .leftJoin('email_contents as c', (join) =>
      join.onRef('c.project_id', '=', 'e.project_id').onRef('c.id', '=', 'e.content_id'),
    )
    .where('e.project_id', '=', projectId)

const matching = (db: Database, projectId: string, filter: EmailFilter) => {
  let query = db.selectFrom('emails as e').where('e.project_id', '=', projectId)
  if (filter.contactId !== undefined) query = query.where('e.contact_id', '=', filter.contactId)
  if (filter.campaignId !== undefined) query = query.where('e.campaign_id', '=', filter.campaignId)
  if (filter.status !== undefined) query = query.where('e.status', '=', filter.status)
  if (filter.search) {
    const pattern = containing(filter.search)
    query = query.where((eb) =>
      eb.or([eb('e.to_email', 'ilike', pattern), eb('e.subject', 'ilike', pattern), pendingSubject(pattern)]),
    )
  }
  return query
}

/** A subject that is not rendered yet is found by its text before rendering. */
const pendingSubject = (pattern: string) => sql<boolean>`(e.subject is null and exists (
  select from email_contents c where c.project_id = e.project_id and c.id = e.content_id and c.subject ilike ${pattern}))`

export type EmailRow = Awaited<ReturnType<typeof listEmails>>[number]

/** Newest first; one row more than asked tells that there is more. The content is joined for subjects not rendered yet. */
export async function listEmails(
  db: Database,
  projectId: string,
  filter: EmailFilter & { before?: string | undefined; limit: number },
) {
  let page = matching(db, projectId, filter)
  if (filter.before !== undefined) page = page.where('e.id', '<', filter.before)
  const ids = page
    .select('e.id')
    .orderBy('e.id', 'desc')
    .limit(filter.limit + 1)
  return ledger(db, projectId)
    .selectAll('e')
    .select(['c.subject as content_subject'])
    .where('e.id', 'in', ids)
    .orderBy('e.id', 'desc')
    .execute()
}

export async function countEmails(db: Database, projectId: string, filter: EmailFilter): Promise<number> {
  const row = await matching(db, projectId, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function findEmail(db: Database, projectId: string, id: string) {
  return ledger(db, projectId)
    .selectAll('e')
    .select(['c.subject as content_subject', 'c.body as content_body', 'c.type as content_type'])
    .select((eb) => eb.ref('c.attachments').$castTo<StoredAttachment[] | null>().as('attachments'))
    .where('e.id', '=', id)
    .executeTakeFirst()
}

export async function listEmailEvents(db: Database, projectId: string, emailId: string) {
  return db
    .selectFrom('events')
    .select(['name', 'created_at', 'data'])
    .where('project_id', '=', projectId)
    .where('email_id', '=', emailId)
    .orderBy('id')
    .execute()
}

/** Forgets up to `most` contents from before a moment; returns how many. Their emails stay. */
export async function forgetContents(db: Database, before: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`/* forget-contents */
    with batch as (select project_id, id from email_contents where id < ${firstIdAt(before)}::uuid limit ${most})
    delete from email_contents c using batch where c.project_id = batch.project_id and c.id = batch.id`.execute(db)
  return Number(numAffectedRows)
}

/** Likewise for what was captured, and for what templates saw. */
export async function forgetCaptured(db: Database, before: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`/* forget-captured */
    delete from captured_messages where id in (select id from captured_messages where id < ${firstIdAt(before)}::uuid limit ${most})`.execute(
    db,
  )
  return Number(numAffectedRows)
}
