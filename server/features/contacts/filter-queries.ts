/**
 * The filters of GET /contacts: the query parameter, its condition, and whether its count is stored. The schema, the
 * list and the total are derived from this table.
 */
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { containing } from '../../platform/database/like.ts'
import { keptCountSql, type ProjectId } from './field-queries.ts'

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

/** A condition: the rows of contacts after the one with this id. An unknown id has no rows after it. */
export function afterSql(projectId: ProjectId, sort: ContactSort, id: string): RawBuilder<unknown> {
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

const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional()
  .catch(undefined)
  .meta({ type: 'boolean' })

const FILTERS = {
  search: filter({
    param: z.string().optional().meta({ description: 'Matches part of the email address, ignoring case.' }),
    where: (part) => (part ? sql`email like ${containing(part.toLowerCase())}` : undefined),
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
    param: flag,
    where: (subscribed) => sql`subscribed = ${subscribed}`,
    kept: (projectId, subscribed) =>
      subscribed
        ? keptCountSql(projectId, 'subscribed')
        : sql`${keptCountSql(projectId, 'contacts')} - ${keptCountSql(projectId, 'subscribed')}`,
  }),
}

type Filters = typeof FILTERS
type FilterName = keyof Filters

export type ContactFilter = { [N in FilterName]?: z.output<Filters[N]['param']> }

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
export function appliedFilters(filters: ContactFilter): Applied[] {
  return Object.entries<FilterKind<z.ZodType>>(FILTERS).flatMap(([name, { where, kept, onePlan = false }]) => {
    const value = filters[name as FilterName]
    const condition = value === undefined ? undefined : where(value)
    if (!condition) return []
    return [{ name, condition, onePlan, kept: kept && ((projectId: ProjectId) => kept(projectId, value!)) }]
  })
}
