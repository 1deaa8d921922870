/**
 * Translates a condition into a predicate over a row named `contacts`, for any statement. All user input is bound. The
 * predicate is true, false or null, and null counts as false: negate it with `is not true`.
 */
import type { RawBuilder } from 'kysely'
import {
  type Condition,
  type ConditionFilter,
  filtersOf,
  pathsOf,
  targetOf,
} from '../../../kernel/conditions/condition.ts'
import { dateText, isDateAlone, timeBefore } from '../../../kernel/conditions/condition-dates.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { containing, resembling } from '../../../platform/database/like.ts'
import { excludedFromMarketingSql, isInTopicSql } from '../contacts/marketing-queries.ts'
import { isSuppressedForTopicSql, isSuppressedSql, suppressedForTopicSql } from '../suppressions/queries.ts'
import { behaviorSql, instant, workflowSql } from './conditions/behavior-queries.ts'
import { type DataSource, dataAt, dataFilterSql, ORDER_SIGNS } from './data-condition-queries.ts'

/** A segment that a condition refers to: with stored members, or evaluated in place. */
export type NamedSegment = { stored: true } | { stored: false; condition: Condition }

export interface ConditionScope {
  projectId: string
  now: Date
  /** Every segment that is referred to, directly or indirectly. A missing one matches no contact. */
  segments?: ReadonlyMap<string, NamedSegment>
  /**
   * For statements that read only some of the contacts: what each of them did is counted on its own. Otherwise what all of them
   * did is counted once.
   */
  someContacts?: boolean | undefined
  /** The project has few enough suppressions to hash them. See `suppressedForTopicSql`. */
  fewSuppressions?: boolean | undefined
  /** The data of the event that started a workflow, for `event.data.<key>`. */
  event?: Record<string, unknown> | undefined
}

interface InnerScope extends ConditionScope {
  /** The column with the result of a segment that is named several times. */
  columns?: ReadonlyMap<string, string>
}

type Predicate = RawBuilder<boolean>

const NO_CONTACT: Predicate = sql<boolean>`false`

/**
 * A segment that is named several times is evaluated once for each contact: its result is a column that the predicate
 * refers to. `offset 0` keeps PostgreSQL from copying the expression to each place again.
 */
export function conditionSql(condition: Condition, scope: ConditionScope): Predicate {
  const shared = repeatedSegments(condition, scope.segments ?? new Map())
  if (shared.length === 0) return treeSql(condition, scope)
  const columns = new Map<string, string>()
  const results = shared.map(([id, tree], i) => {
    const isMember = treeSql(tree, { ...without(id, scope), columns: new Map(columns) })
    columns.set(id, `named_${i}.is_member`)
    return sql`lateral (select ${isMember} as is_member offset 0) as ${sql.ref(`named_${i}`)}`
  })
  return sql<boolean>`(select ${treeSql(condition, { ...scope, columns })} from ${sql.join(results)})`
}

/** Segments that are evaluated in place and named more than once, each after those that it names. */
function repeatedSegments(
  condition: Condition,
  segments: ReadonlyMap<string, NamedSegment>,
): Array<[string, Condition]> {
  const times = new Map<string, number>()
  const ordered: Array<[string, Condition]> = []
  const visit = (tree: Condition) => {
    for (const { field, operator } of filtersOf(tree)) {
      const target = targetOf(field, operator)
      if (target?.family !== 'segment') continue
      const segment = segments.get(target.segmentId)
      if (!segment || segment.stored) continue
      const before = times.get(target.segmentId) ?? 0
      times.set(target.segmentId, before + 1)
      if (before > 0) continue
      visit(segment.condition)
      ordered.push([target.segmentId, segment.condition])
    }
  }
  visit(condition)
  return ordered.filter(([id]) => times.get(id)! > 1)
}

function treeSql(condition: Condition, scope: InnerScope): Predicate {
  const groups = condition.groups.map(({ filters, conditions }) => {
    const parts = filters.map((filter) => filterSql(filter, scope))
    if (conditions) parts.push(treeSql(conditions, scope))
    return joined(parts, 'AND')
  })
  return joined(groups, condition.logic)
}

function joined(parts: Predicate[], logic: Condition['logic']): Predicate {
  if (parts.length === 0) return NO_CONTACT
  return sql<boolean>`(${sql.join(parts, logic === 'AND' ? sql` and ` : sql` or `)})`
}

function filterSql(filter: ConditionFilter, scope: InnerScope): Predicate {
  const target = targetOf(filter.field, filter.operator)
  switch (target?.family) {
    case 'email':
      return emailSql(filter)
    case 'text':
      return textSql(filter)
    case 'subscribed':
      return sql`contacts.subscribed = ${filter.operator === 'equals' ? filter.value : !filter.value}`
    case 'topic':
      return topicSql(target.key, filter, scope)
    case 'moment':
      return momentSql(sql.ref(`contacts.${target.column}`), filter, scope)
    case 'data':
      return dataFilterSql(dataAt(sql`contacts.data`, target.name), filter, scope.now)
    case 'event-data':
      return dataFilterSql(eventValue(target.name, scope), filter, scope.now)
    case 'event':
    case 'activity':
      return behaviorSql(target, filter, scope)
    case 'workflow':
      return workflowSql(target.workflowId, filter, scope)
    case 'segment':
      return segmentSql(target.segmentId, filter, scope)
    default:
      return NO_CONTACT
  }
}

/** Whether the contact would receive the topic now. A topic that doesn't exist matches no contact. */
function topicSql(
  key: string,
  { operator, value }: ConditionFilter,
  { projectId, now, fewSuppressions }: ConditionScope,
): Predicate {
  const column = (name: string) =>
    sql`(select ${sql.ref(name)} from topics where topics.project_id = ${projectId} and topics.key = ${key})`
  const topic = { number: column('number'), isDefault: column('default_subscribed') }
  const address = [projectId, sql`contacts.email`] as const
  // The suppressions are one condition, because PostgreSQL would join two of them, and underestimates the contacts: it hashes
  // these instead of the suppressions.
  const suppressed = fewSuppressions
    ? sql`(contacts.email in (${suppressedForTopicSql(projectId, topic.number)}))`
    : sql`(${isSuppressedSql(...address)} or ${isSuppressedForTopicSql(...address, topic.number)})`
  // The topic exists, so it is a condition of its own, whose share of the contacts PostgreSQL can estimate.
  const receives = sql<boolean>`(not ${excludedFromMarketingSql('contacts', { by: 'audience', now })}
    and ${isInTopicSql('contacts', topic)} and not ${suppressed})`
  const isWanted = operator === 'equals' ? value === true : value !== true
  return sql<boolean>`(${topic.number} is not null and ${isWanted ? receives : sql`not ${receives}`})`
}

/** Addresses are stored in lower case. */
function emailSql({ operator, value }: ConditionFilter): Predicate {
  const text = String(value).toLowerCase()
  if (operator === 'equals') return sql`contacts.email = ${text.trim()}`
  if (operator === 'notEquals') return sql`contacts.email <> ${text.trim()}`
  return operator === 'contains'
    ? sql`contacts.email like ${containing(text)}`
    : sql`contacts.email not like ${containing(text)}`
}

/**
 * Looks at the text of the whole data first, which takes a fifth of the time and rules out most contacts. Quotes and
 * backslashes are escaped in it, so it can't be searched for them.
 */
function textSql({ operator, value }: ConditionFilter): Predicate {
  const pattern = resembling(String(value))
  const mayContain = /["\\]/.test(String(value)) ? sql`true` : sql`contacts.data::text ~ ${pattern}`
  const found = sql<boolean>`(contacts.email ~ ${pattern} or (${mayContain} and exists (
    select from jsonb_each_text(contacts.data) as field(name, value) where field.value ~ ${pattern})))`
  return operator === 'contains' ? found : sql`not ${found}`
}

const DAY_MS = 86_400_000

function momentSql(column: RawBuilder<unknown>, filter: ConditionFilter, { now }: ConditionScope): Predicate {
  const { operator, value, unit } = filter
  if (operator === 'within' || operator === 'olderThan') {
    const since = instant(timeBefore(now, Number(value), unit ?? 'days').getTime())
    return operator === 'within' ? sql`${column} >= ${since}` : sql`${column} < ${since}`
  }
  if (operator === 'exists') return sql<boolean>`${column} is not null`
  if (operator === 'notExists') return sql<boolean>`${column} is null`
  const text = String(value)
  const ms = Date.parse(dateText(text) ?? '')
  if (Number.isNaN(ms)) return NO_CONTACT
  if (operator === 'equals' || operator === 'notEquals') {
    const end = isDateAlone(text) ? ms + DAY_MS : ms + 1 // columns have millisecond precision
    const during = sql<boolean>`(${column} >= ${instant(ms)} and ${column} < ${instant(end)})`
    return operator === 'equals' ? during : sql`not ${during}`
  }
  return sql`${column} ${ORDER_SIGNS[operator as keyof typeof ORDER_SIGNS]} ${instant(ms)}`
}

function eventValue(name: string, { event }: ConditionScope): DataSource {
  const found = pathsOf(name)
    .map((path) => path.reduce<unknown>(ownValue, event))
    .find((value) => value !== undefined && value !== null)
  return { value: sql`${found === undefined ? null : JSON.stringify(found)}::jsonb` }
}

const ownValue = (from: unknown, key: string): unknown =>
  typeof from === 'object' && from !== null && !Array.isArray(from) && Object.hasOwn(from, key)
    ? (from as Record<string, unknown>)[key]
    : undefined

function segmentSql(segmentId: string, { operator }: ConditionFilter, scope: InnerScope): Predicate {
  const segment = scope.segments?.get(segmentId)
  if (!segment) return NO_CONTACT
  const isMember = segment.stored ? memberSql(segmentId, scope) : evaluatedSql(segmentId, segment.condition, scope)
  return operator === 'memberOfSegment' ? isMember : sql`${isMember} is not true`
}

function evaluatedSql(segmentId: string, condition: Condition, scope: InnerScope): Predicate {
  const column = scope.columns?.get(segmentId)
  return column ? sql<boolean>`${sql.ref(column)}` : treeSql(condition, without(segmentId, scope))
}

const memberSql = (segmentId: string, { projectId }: ConditionScope): Predicate => sql`exists (
  select from segment_members where segment_members.project_id = ${projectId}
    and segment_members.segment_id = ${segmentId} and segment_members.contact_id = contacts.id)`

/** Cycles are refused when a segment is saved; if one exists anyway, it ends here. */
function without<S extends ConditionScope>(segmentId: string, scope: S): S {
  const segments = new Map(scope.segments)
  segments.delete(segmentId)
  return { ...scope, segments }
}
