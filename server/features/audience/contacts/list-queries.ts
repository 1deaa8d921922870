/**
 * The list of GET /contacts and its filters: the query parameter, its condition, and whether its count is stored. The
 * schema, the list and the total are derived from the table of filters.
 */
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import { flagParam } from '../../../kernel/pages.ts'
import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { containing, plainText, startingWith } from '../../../platform/database/like.ts'
import { keptCountSql, type ProjectId } from './fields/field-queries.ts'
import { CONFIRMATION, type ContactRow } from './queries.ts'

export const CONTACTS_ON_PAGE_MAX = 100

/** Orders that an index serves. */
const SORTS = {
  '-createdAt': { column: 'id', direction: 'desc' },
  createdAt: { column: 'id', direction: 'asc' },
  email: { column: 'email', direction: 'asc' },
  '-email': { column: 'email', direction: 'desc' },
} as const

export type ContactSort = keyof typeof SORTS

export const NEWEST_FIRST = '-createdAt'

/** An `order by` list over the rows of `table`. */
export function orderSql(sort: ContactSort, table: string): RawBuilder<unknown> {
  const { column, direction } = SORTS[sort]
  return sql`${sql.ref(`${table}.${column}`)} ${sql.raw(direction)}`
}

/** Whether a page starts after the address of the cursor's contact, which must therefore still exist. */
export const needsCursorContact = (sort: ContactSort): boolean => SORTS[sort].column === 'email'

/** A condition: the rows of contacts after the one with this id. An unknown id has no rows after it. */
function afterSql(projectId: ProjectId, sort: ContactSort, id: string): RawBuilder<unknown> {
  const { column, direction } = SORTS[sort]
  const sign = sql.raw(direction === 'desc' ? '<' : '>')
  if (column === 'id') return sql`id ${sign} ${id}::uuid`
  return sql`email ${sign} (select email from contacts where project_id = ${projectId} and id = ${id}::uuid)`
}

interface FilterKind<P extends z.ZodType> {
  param: P
  /** A predicate over contacts; undefined for a value that doesn't filter. */
  where(value: NonNullable<z.output<P>>): RawBuilder<unknown> | undefined
  /** The stored number of matching contacts, if there is one. Otherwise they are counted. */
  kept?(projectId: ProjectId, value: NonNullable<z.output<P>>): RawBuilder<number>
  /** Whether one plan serves all values, so that the statement can be prepared. A search is planned for its value. */
  onePlan?: boolean
}

const filter = <P extends z.ZodType>(kind: FilterKind<P>): FilterKind<P> => kind

/** The expression of the index `contacts_local_part_end`. */
const LOCAL_PART_END = sql`((case when email like '"%' then '' else reverse(split_part(email, '@', 1)) end) collate "C")`

/** Shorter ones are the end of too many addresses. */
const LOCAL_PART_LEAST = 3

/**
 * The index of all parts of addresses takes longer with more contacts. If the text contains an @, the characters before
 * it are also looked up as the end of a local part. PostgreSQL estimates which of the two finds fewer contacts.
 */
export function containsSql(text: string): RawBuilder<unknown> {
  const contains = sql`email like ${containing(text)}`
  const end = [...text.slice(0, Math.max(0, text.indexOf('@')))]
  if (end.length < LOCAL_PART_LEAST) return contains
  return sql`${contains} and (${LOCAL_PART_END} like ${startingWith(end.reverse().join(''))} or ${LOCAL_PART_END} = '')`
}

const FILTERS = {
  search: filter({
    param: z.string().optional().meta({ description: 'Matches part of the email address, ignoring case.' }),
    where(part) {
      if (!part) return undefined
      const forms = new Set([part.toLowerCase(), plainText(part)]) // few addresses have accents, but "João" has one with "joao"
      return sql`(${sql.join([...forms].map(containsSql), sql` or `)})`
    },
  }),
  email: filter({
    param: z
      .string()
      .optional()
      .transform((text) => text?.trim().toLowerCase())
      .meta({ type: 'string', description: 'Matches the exact email address.' }),
    where: (email) => sql`email = ${email}`,
    onePlan: true,
  }),
  subscribed: filter({
    param: flagParam,
    where: (subscribed) => sql`subscribed = ${subscribed}`,
    kept: (projectId, subscribed) =>
      subscribed
        ? keptCountSql(projectId, 'subscribed')
        : sql`${keptCountSql(projectId, 'contacts')} - ${keptCountSql(projectId, 'subscribed')}`,
  }),
  confirmation: filter({
    param: z.literal('pending').optional().catch(undefined).meta({
      description: 'With `pending`: contacts who have been asked to confirm their subscription and have not done so.',
    }),
    where: () => sql`pending`,
  }),
}

type Filters = typeof FILTERS
type FilterName = keyof Filters

type ContactFilter = { [N in FilterName]?: z.output<Filters[N]['param']> }

/** The query parameters for the schema of the list. */
export const contactFilterParams = Object.fromEntries(
  Object.entries(FILTERS).map(([name, { param }]) => [name, param]),
) as { [N in FilterName]: Filters[N]['param'] }

interface Applied {
  name: string
  condition: RawBuilder<unknown>
  kept: ((projectId: ProjectId) => RawBuilder<number>) | undefined
  onePlan: boolean
}

/** The filters that are in use. */
function appliedFilters(filters: ContactFilter): Applied[] {
  return Object.entries<FilterKind<z.ZodType>>(FILTERS).flatMap(([name, { where, kept, onePlan = false }]) => {
    const value = filters[name as FilterName]
    const condition = value === undefined ? undefined : where(value)
    if (!condition) return []
    return [{ name, condition, onePlan, kept: kept && ((projectId: ProjectId) => kept(projectId, value!)) }]
  })
}

export interface ContactListing extends ContactFilter {
  /** The last contact of the previous page. */
  before?: string | undefined
  sort?: ContactSort
  limit: number
}

/** On a first page with a stored total, every row includes it. */
export type ListedContact = ContactRow & { total: number | null }

/**
 * Newest first by default, with one extra row that shows whether there are more. A page and its stored total take one round trip;
 * frequent forms are prepared, because planning takes as long as running them.
 */
export async function listContacts(db: Database, projectId: string, listing: ContactListing): Promise<ListedContact[]> {
  const form = formOf(listing)
  const { rows } = await sql<ListedContact>`${sql.raw(form === undefined ? '' : `/* list-contacts${form} */`)}
    ${pageSql(projectId, listing)}`.execute(db)
  return rows
}

/** The same page for a statement that also finds the project. Only for forms that one plan serves. */
export function contactPageRead(listing: ContactListing) {
  const form = formOf(listing)
  if (form === undefined) return undefined
  return { name: `list-contacts${form}`, rows: (projectId: RawBuilder<string>) => pageSql(projectId, listing) }
}

/**
 * The limit is also in the text, as its maximum: with only a bound limit, PostgreSQL expects a tenth of all contacts
 * and plans the statement again for each call.
 */
function pageSql(
  projectId: ProjectId,
  { before, limit, sort = NEWEST_FIRST, ...filter }: ContactListing,
): RawBuilder<unknown> {
  const filters = appliedFilters(filter)
  const earlier = before === undefined ? sql`` : sql`and ${afterSql(projectId, sort, before)}`
  const [only] = filters
  const kept = only ? filters.length === 1 && only.kept?.(projectId) : keptCountSql(projectId, 'contacts')
  const total = (before === undefined && kept) || sql`null::bigint`
  return sql`select page.*, ${total} as total from (
      select id, email, subscribed, paused_until, ${CONFIRMATION}, data, created_at, updated_at
      from contacts where project_id = ${projectId} ${matching(filters)} ${earlier}
      order by ${orderSql(sort, 'contacts')} limit ${sql.lit(CONTACTS_ON_PAGE_MAX + 1)}
    ) as page order by ${orderSql(sort, 'page')} limit ${limit + 1}`
}

export async function countContacts(db: Database, projectId: string, filter: ContactFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from contacts where project_id = ${projectId} ${matching(appliedFilters(filter))}`.execute(
    db,
  )
  return rows[0]!.count
}

const matching = (filters: Applied[]): RawBuilder<unknown> =>
  sql.join(
    filters.map(({ condition }) => sql`and ${condition}`),
    sql` `,
  )

/** The suffix of the statement's name; empty if there is none. */
function formOf({ before, limit: _, sort = NEWEST_FIRST, ...filter }: ContactListing): string | undefined {
  if (sort !== NEWEST_FIRST) return undefined
  const filters = appliedFilters(filter)
  if (!filters.every(({ onePlan }) => onePlan)) return undefined
  const by = filters.map(({ name }) => `-by-${name.toLowerCase()}`).join('')
  return `${by}${before === undefined ? '' : '-before'}`
}
