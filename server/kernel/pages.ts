/**
 * Cursor pagination and page numbers, as used by every list endpoint. Ids sort by creation, so a cursor is the last id
 * of a page; callers must treat it as opaque.
 */
import { z } from 'zod'
import { badRequest } from './errors.ts'
import { isId } from './ids.ts'

const DEFAULT_SIZE = 20

/** A number from a query string. Invalid values fall back to the default; values that are too large are clamped. */
export const sizeParam = (max: number, fallback = DEFAULT_SIZE) =>
  z
    .unknown()
    .optional()
    .transform((text) => {
      const size = Number(text)
      return Number.isInteger(size) && size >= 1 ? Math.min(size, max) : Math.min(fallback, max)
    })
    .meta({ type: 'integer', minimum: 1, maximum: max, default: fallback })

export const cursorParam = z
  .string()
  .optional()
  .transform((cursor) => (cursor === undefined || cursor === '' ? undefined : decodeCursor(cursor)))
  .meta({ type: 'string', description: 'The `cursor` of the previous page.' })

export const encodeCursor = (id: string): string => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')

export function decodeCursor(cursor: string): string {
  const hex = Buffer.from(cursor, 'base64url').toString('hex')
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  if (!isId(id) || encodeCursor(id) !== cursor) throw invalidCursor()
  return id
}

export const invalidCursor = () => badRequest('The cursor is invalid for this list. Start again without a cursor.')

export interface CursorPage<T> {
  data: T[]
  cursor: string | null
  hasMore: boolean
  total: number
}

/** A page with large rows ends early, after at least one row: 100 of them must not become hundreds of megabytes. */
const PAGE_BYTES_MAX = 2 * 1024 * 1024

/** The approximate length of the value as JSON, without serializing it. */
function roughBytes(value: unknown): number {
  if (typeof value === 'string') return value.length + 3
  if (typeof value !== 'object' || value === null || value instanceof Date) return 8
  let bytes = 2
  for (const key in value) bytes += key.length + 4 + roughBytes((value as Record<string, unknown>)[key])
  return bytes
}

function fitting<T>(items: T[]): T[] {
  let bytes = 0
  const end = items.findIndex((item, i) => {
    bytes += roughBytes(item)
    return i > 0 && bytes > PAGE_BYTES_MAX
  })
  return end === -1 ? items : items.slice(0, end)
}

/** Builds a page from rows read with `limit + 1`; the extra row shows that there are more. */
export function cursorPage<Row extends { id: string }, T>(
  rows: Row[],
  limit: number,
  total: number,
  show: (row: Row) => T,
): CursorPage<T> {
  const shown = fitting(rows.slice(0, limit))
  const hasMore = rows.length > shown.length
  return { data: shown.map(show), cursor: hasMore ? encodeCursor(shown.at(-1)!.id) : null, hasMore, total }
}

export const cursorPageOf = <S extends z.ZodType>(item: S) =>
  z.object({
    data: z.array(item),
    cursor: z.string().nullable(),
    hasMore: z.boolean(),
    total: z.number().int().meta({ description: 'Only on the first page; 0 if a cursor was given.' }),
  })

/** The default maximum page size of numbered lists. */
export const PAGE_SIZE_MAX = 1_000

/** Larger than any list, and small enough to multiply by a page size. */
const PAGE_MAX = 1_000_000_000

/** The page number. Invalid values fall back to the first page; a page past the end is empty. */
export const pageParam = sizeParam(PAGE_MAX, 1)

/** The sort column of a list. Unknown names fall back to the default. */
export const sortParam = <const Name extends string>(names: readonly Name[], fallback: NoInfer<Name>) =>
  z.enum(names).catch(fallback)

export const dirParam = z.enum(['asc', 'desc']).catch('desc')

/** A filter by yes or no. Anything else doesn't filter. */
export const flagParam = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional()
  .catch(undefined)
  .meta({ type: 'boolean' })

export interface PageChoice {
  page: number
  pageSize: number
}

export const offsetOf = ({ page, pageSize }: PageChoice): number => (page - 1) * pageSize

/**
 * A page with a number can't end early, because the next one would start at the wrong row. It is refused instead, before
 * its rows are read. A default page always fits.
 */
export const NUMBERED_PAGE_BYTES_MAX = 16 * 1024 * 1024

export const pageTooLarge = (resources: string) =>
  badRequest(`These ${resources} are too large for one page. Use a smaller pageSize.`)

export const numberedPage = <Row, T>(
  rows: Row[],
  { page, pageSize }: PageChoice,
  total: number,
  show: (row: Row) => T,
) => ({ data: rows.map(show), page, pageSize, total, totalPages: Math.ceil(total / pageSize) })

export const pageOf = <S extends z.ZodType>(item: S) =>
  z.object({
    data: z.array(item),
    page: z.number().int(),
    pageSize: z.number().int(),
    total: z.number().int(),
    totalPages: z.number().int(),
  })
