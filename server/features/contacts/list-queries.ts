/**
 * The statements behind the list of contacts. A page and its kept total come in one round trip; the frequent forms
 * are prepared by name, because planning one of these takes as long as running it.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { containing } from '../../platform/database/like.ts'
import { keptCountSql } from './field-queries.ts'
import type { ContactRow } from './queries.ts'

export interface ContactFilter {
  search?: string | undefined
  email?: string | undefined
  subscribed?: boolean | undefined
}

export interface ContactListing extends ContactFilter {
  before?: string | undefined
  limit: number
}

/** On a first page whose total is kept, every row has it. */
export type ListedContact = ContactRow & { total: number | null }

/** Newest first; one row more than asked tells that there is more. */
export async function listContacts(db: Database, projectId: string, listing: ContactListing): Promise<ListedContact[]> {
  const earlier = listing.before === undefined ? sql`` : sql`and id < ${listing.before}::uuid`
  const { rows } = await sql<ListedContact>`${nameOf(listing)}
    select id, email, subscribed, data, created_at, updated_at, ${keptTotal(projectId, listing)} as total
    from contacts where project_id = ${projectId} ${matching(listing)} ${earlier}
    order by id desc limit ${listing.limit + 1}`.execute(db)
  return rows
}

export async function countContacts(db: Database, projectId: string, filter: ContactFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from contacts where project_id = ${projectId} ${matching(filter)}`.execute(db)
  return rows[0]!.count
}

const matching = ({ email, subscribed, search }: ContactFilter): RawBuilder<unknown> => {
  const byEmail = email === undefined ? sql`` : sql`and email = ${email}`
  const bySubscription = subscribed === undefined ? sql`` : sql`and subscribed = ${subscribed}`
  const byPart = search ? sql`and email like ${containing(search.toLowerCase())}` : sql``
  return sql`${byEmail} ${bySubscription} ${byPart}`
}

/** A search is planned for what it looks for. */
function nameOf({ email, subscribed, search, before }: ContactListing): RawBuilder<unknown> {
  if (subscribed !== undefined || search) return sql``
  if (email !== undefined) return before === undefined ? sql`/* list-contacts-by-email */` : sql``
  return before === undefined ? sql`/* list-contacts */` : sql`/* list-contacts-before */`
}

function keptTotal(projectId: string, { email, subscribed, search, before }: ContactListing): RawBuilder<unknown> {
  if (before !== undefined || email !== undefined || search) return sql`null::bigint`
  if (subscribed === undefined) return keptCountSql(projectId, 'contacts')
  if (subscribed) return keptCountSql(projectId, 'subscribed')
  return sql`${keptCountSql(projectId, 'contacts')} - ${keptCountSql(projectId, 'subscribed')}`
}
