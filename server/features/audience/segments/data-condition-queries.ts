/**
 * Filters on free-form data: `value` is a jsonb of any type, or null. Numbers are compared with numbers, dates with
 * dates, text with text and booleans with booleans; other pairs match `notEquals` and `notContains` only. Nothing is
 * cast, so no row can cause an error: jsonb compares numbers itself, and dates compare as text (`date_text`).
 */
import type { RawBuilder } from 'kysely'
import { type PropertyFilter, pathsOf } from '../../../kernel/conditions/condition.ts'
import { dateText, timeBefore } from '../../../kernel/conditions/condition-dates.ts'
import { sql } from '../../../platform/database/connection/sql.ts'

type Predicate = RawBuilder<boolean>
type Value = RawBuilder<unknown>

export const ORDER_SIGNS = {
  greaterThan: sql`>`,
  lessThan: sql`<`,
  greaterThanOrEqual: sql`>=`,
  lessThanOrEqual: sql`<=`,
}

type Comparison = Pick<PropertyFilter, 'operator' | 'value' | 'unit'>

/** The location of a value, and the fastest way to test it for equality. */
export interface DataSource {
  value: Value
  equals?: (wanted: string | number | boolean) => Predicate
}

/**
 * A value in a column with data, `contacts.data` or `events.data`. Key by key, because a path would treat a number as an
 * index of a list.
 */
export function dataAt(column: RawBuilder<unknown>, name: string): DataSource {
  const values = pathsOf(name).map((path) => {
    const steps = path.map((key) => sql` -> ${key}::text`)
    return sql`${column}${sql.join(steps, sql``)}`
  })
  if (values.length > 1) {
    return { value: sql`coalesce(${sql.join(values.map((value) => sql`nullif(${value}, 'null')`))})` }
  }
  // As fast as comparing text; comparing two jsonb values takes half as long again.
  const equals = (wanted: unknown) => sql<boolean>`${column} @> ${JSON.stringify({ [name]: wanted })}::jsonb`
  return { value: sql`(${values[0]})`, equals }
}

/**
 * PostgreSQL has no statistics about a value inside jsonb and estimates that every comparison matches few rows: with
 * two of them it sorts a million rows to show twenty. With `coalesce` it estimates half of the rows, and reads from the
 * newest on.
 */
export const dataFilterSql = (source: DataSource, filter: Comparison, now: Date): Predicate =>
  sql`coalesce(${comparisonSql(source, filter, now)}, false)`

function comparisonSql({ value, equals }: DataSource, filter: Comparison, now: Date): Predicate {
  const { operator } = filter
  const wanted = filter.value ?? ''
  switch (operator) {
    case 'exists':
      return isPresent(value)
    case 'notExists':
      return sql`${textOf(value)} is null`
    case 'equals':
      return asDate(wanted) === undefined && equals ? equals(wanted) : equalsSql(value, wanted)
    case 'notEquals':
      return notEqualsSql(value, wanted)
    case 'contains':
      return typeof wanted === 'string' ? sql`(${isText(value)} and ${textPlace(value, wanted)} > 0)` : sql`false`
    case 'notContains':
      return typeof wanted === 'string'
        ? sql`(${isPresent(value)} and (not ${isText(value)} or ${textPlace(value, wanted)} = 0))`
        : isPresent(value)
    case 'within':
    case 'olderThan':
      return ageSql(value, filter, now)
    case 'greaterThan':
    case 'lessThan':
    case 'greaterThanOrEqual':
    case 'lessThanOrEqual':
      return orderSql(value, ORDER_SIGNS[operator], wanted)
    default:
      return sql`false`
  }
}

const json = (value: string | number | boolean): Value => sql`${JSON.stringify(value)}::jsonb`

/** The text of a JSON null is null. Comparing two jsonb values takes twice as long. */
const isPresent = (value: Value): Predicate => sql`${textOf(value)} is not null`
const isText = (value: Value): Predicate => sql`jsonb_typeof(${value}) = 'string'`
const textOf = (value: Value): Value => sql`(${value} #>> '{}')`
const textPlace = (value: Value, part: string): Value => sql`strpos(${textOf(value)}, ${part})`

/** In the order of code points, whatever the database's collation. */
const dateOf = (value: Value): Value => sql`date_text(${value}) collate "C"`

const asDate = (wanted: string | number | boolean): string | undefined =>
  typeof wanted === 'string' ? dateText(wanted) : undefined

function equalsSql(value: Value, wanted: string | number | boolean): Predicate {
  const date = asDate(wanted)
  return date === undefined ? sql`${value} = ${json(wanted)}` : sql`${dateOf(value)} = ${date}`
}

function notEqualsSql(value: Value, wanted: string | number | boolean): Predicate {
  const date = asDate(wanted)
  if (date !== undefined) return sql`(${isPresent(value)} and ${dateOf(value)} is distinct from ${date})`
  if (typeof wanted === 'string' && !isJson(wanted)) return sql`${textOf(value)} <> ${wanted}`
  return sql`nullif(${value}, 'null') <> ${json(wanted)}`
}

/** Text that is not JSON is never the text of a number, a boolean, a list or an object. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function orderSql(value: Value, sign: RawBuilder<unknown>, wanted: string | number | boolean): Predicate {
  if (typeof wanted !== 'string') {
    // Values of another type compare as well, so their type is only looked at if they pass.
    return sql`(${value} ${sign} ${json(wanted)} and jsonb_typeof(${value}) = ${typeof wanted})`
  }
  const date = asDate(wanted)
  if (date !== undefined) return sql`${dateOf(value)} ${sign} ${date}`
  return sql`(${isText(value)} and date_text(${value}) is null and ${textOf(value)} collate "C" ${sign} ${wanted})`
}

/** Only a date with a time has an age. */
function ageSql(value: Value, { operator, value: amount, unit }: Comparison, now: Date): Predicate {
  const since = timeBefore(now, Number(amount), unit ?? 'days').toISOString()
  const range =
    operator === 'within'
      ? sql`${dateOf(value)} between ${since} and ${now.toISOString()}`
      : sql`${dateOf(value)} < ${since}`
  return sql`(length(${textOf(value)}) > 10 and ${range})`
}
