/** SQL of the list of emails, by index or by a search that reads a limited number of them. */

import type { EmailTag } from '../../../kernel/email-tags.ts'
import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { resembling } from '../../../platform/database/like.ts'
import { currentData, emailRows } from './queries.ts'

export interface EmailFilter {
  contactId?: string | undefined
  campaignId?: string | undefined
  tag?: EmailTag | undefined
  status?: string | undefined
  /** There is no index by source, so a page reads a limited number of emails, as with `search`. */
  sourceType?: string | undefined
  search?: string | undefined
  /** The contact whose whole address was searched for. There is an index, so these emails are found at any age. */
  addressee?: string | undefined
  /** The last email that the search reads. New emails would otherwise move it between two statements. */
  searchedTo?: string | undefined
  /** The first id of the range of time. */
  from?: string | undefined
  /** The first id after the range of time, or the cursor: only older emails. */
  before?: string | undefined
}

/** A total beyond this is not counted: a project can have a hundred million emails. */
const COUNTED_MAX = 10_000

/**
 * One page of a search, or of the emails of a source, reads at most this many emails. A text or a source that is rare
 * or doesn't occur would otherwise read all of them. The next page goes on with older ones.
 */
const SEARCHED_MAX = 20_000

const hasTag = ({ name, value }: EmailTag) => sql<boolean>`exists (
  select from email_tags t where t.project_id = e.project_id and t.name = ${name} and t.value = ${value} and t.id = e.id)`

/** The emails with a tag, if nothing else is asked for: their index has the order of the list. */
const tagged = (db: Database, projectId: string, { tag, from, before }: EmailFilter) => {
  let query = db.selectFrom('email_tags as t').where('t.project_id', '=', projectId)
  query = query.where('t.name', '=', tag!.name).where('t.value', '=', tag!.value)
  if (from !== undefined) query = query.where('t.id', '>=', from)
  if (before !== undefined) query = query.where('t.id', '<', before)
  return query.select('t.id')
}

const isByTagOnly = ({ tag, contactId, campaignId, status }: EmailFilter): boolean =>
  tag !== undefined && contactId === undefined && campaignId === undefined && status === undefined

const matching = (db: Database, projectId: string, filter: EmailFilter) => {
  let query = db.selectFrom('emails as e').where('e.project_id', '=', projectId)
  if (filter.contactId !== undefined) query = query.where('e.contact_id', '=', filter.contactId)
  if (filter.campaignId !== undefined) query = query.where('e.campaign_id', '=', filter.campaignId)
  if (filter.status !== undefined) query = query.where('e.status', '=', filter.status)
  if (filter.tag !== undefined) query = query.where(hasTag(filter.tag))
  if (filter.from !== undefined) query = query.where('e.id', '>=', filter.from)
  if (filter.before !== undefined) query = query.where('e.id', '<', filter.before)
  return query.select('e.id')
}

/** The emails that a page of the search reads, newest first. */
const searched = (db: Database, projectId: string, { searchedTo, ...filter }: EmailFilter) => {
  const query = matching(db, projectId, filter)
    .select(['e.project_id', 'e.to_email', 'e.subject', 'e.content_id', 'e.source_type'])
    .orderBy('e.id', 'desc')
    .limit(SEARCHED_MAX)
  return searchedTo === undefined ? query : query.where('e.id', '>=', searchedTo)
}

/** The emails of a search, found by their address or subject, and those of a source. */
const found = (db: Database, projectId: string, { search, addressee, sourceType, ...filter }: EmailFilter) => {
  let read = db.selectFrom(searched(db, projectId, filter).as('s')).select('s.id')
  if (sourceType !== undefined) read = read.where('s.source_type', '=', sourceType)
  if (!search) return read
  const pattern = resembling(search)
  const byText = read.where((eb) =>
    eb.or([eb('s.to_email', '~', pattern), eb('s.subject', '~', pattern), pendingSubject(pattern)]),
  )
  if (addressee === undefined) return byText
  let toContact = matching(db, projectId, filter)
    .where('e.contact_id', '=', addressee)
    .where('e.to_email', '~', pattern)
  if (sourceType !== undefined) toContact = toContact.where('e.source_type', '=', sourceType)
  const newestToContact = toContact.orderBy('e.id', 'desc').limit(COUNTED_MAX)
  return byText.union(db.selectFrom(newestToContact.as('c')).select('c.id'))
}

/** Whether a page reads a limited number of emails, because no index finds the matching ones. */
export const isSearch = ({ search, sourceType }: EmailFilter) => Boolean(search) || sourceType !== undefined

const sourceOf = (filter: EmailFilter) => (isSearch(filter) ? found : isByTagOnly(filter) ? tagged : matching)

/** The ids of at most `limit` emails, newest first. */
const newest = (db: Database, projectId: string, filter: EmailFilter, limit: number) =>
  db
    .selectFrom(sourceOf(filter)(db, projectId, filter).as('f'))
    .select('f.id')
    .orderBy('f.id', 'desc')
    .limit(limit)

/** An email without a rendered subject is found by its subject template. */
const pendingSubject = (pattern: string) => sql<boolean>`(s.subject is null and exists (
  select from email_contents c where c.project_id = s.project_id and c.id = s.content_id and c.subject ~ ${pattern}))`

/** The contact with this address, whose emails a search for it finds at any age. */
export async function findAddressee(db: Database, projectId: string, search: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`/* find-addressee */
    select id from contacts where project_id = ${projectId} and email = ${search.trim().toLowerCase()}`.execute(db)
  return rows[0]?.id
}

/** The last email that a page of the search reads; undefined if there are no older ones. */
export async function endOfSearch(db: Database, projectId: string, filter: EmailFilter): Promise<string | undefined> {
  const older = await matching(db, projectId, filter)
    .orderBy('e.id', 'desc')
    .offset(SEARCHED_MAX - 1)
    .limit(2)
    .execute()
  return older.length === 2 ? older[0]!.id : undefined
}

export type EmailRow = Awaited<ReturnType<typeof listEmails>>[number]

/**
 * Newest first, with one extra row that shows whether there are more. The content is joined for subjects that are not
 * rendered yet.
 */
export async function listEmails(db: Database, projectId: string, filter: EmailFilter & { limit: number }) {
  return emailRows(db, projectId)
    .selectAll('e')
    .select([
      'c.subject as content_subject',
      'c.literal as content_literal',
      'c.topic as content_topic',
      currentData.as('contact_data'),
    ])
    .where('e.id', 'in', newest(db, projectId, filter, filter.limit + 1))
    .orderBy('e.id', 'desc')
    .execute()
}

/** The number of emails, at most COUNTED_MAX. */
export async function countEmails(db: Database, projectId: string, filter: EmailFilter): Promise<number> {
  const row = await db
    .selectFrom(newest(db, projectId, filter, COUNTED_MAX).as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}
