/**
 * Filters on what contacts did: their events, emails, clicks and workflows. A filter is about rows that belong to contacts: whether
 * there is one, or how many there are.
 */
import type { RawBuilder } from 'kysely'
import {
  type ConditionFilter,
  type CountOperator,
  type FieldTarget,
  isCount,
  type PropertyFilter,
  type TriggeredOperator,
  type WorkflowOperator,
} from '../../../../kernel/conditions/condition.ts'
import { timeBefore } from '../../../../kernel/conditions/condition-dates.ts'
import { firstIdAt } from '../../../../kernel/ids.ts'
import { sql } from '../../../../platform/database/connection/sql.ts'
import { containing, startingWith } from '../../../../platform/database/like.ts'
import { dataAt, dataFilterSql } from '../data-condition-queries.ts'

type Predicate = RawBuilder<boolean>

interface Scope {
  projectId: string
  now: Date
  someContacts?: boolean | undefined
}

/** Rows of one project, of which each belongs to a contact. */
interface Occurrences {
  /** `table where …`, of this time and later if given. */
  rows: (since?: Date) => RawBuilder<unknown>
  contactId: RawBuilder<unknown>
  count: RawBuilder<unknown>
}

/** Nothing is older than 1970, and PostgreSQL has no year 0. */
export const instant = (ms: number): RawBuilder<unknown> => sql`${new Date(Math.max(0, ms))}::timestamptz`

type BehaviorTarget = Extract<FieldTarget, { family: 'event' | 'activity' }>

export function behaviorSql(target: BehaviorTarget, filter: ConditionFilter, scope: Scope): Predicate {
  const where = filter.where ?? []
  const occurrences =
    target.family === 'event'
      ? eventsOf(target.name, where, scope)
      : where.some(({ property }) => property === 'link')
        ? clicksOf(where, scope)
        : emailsOf(target.activity.column, where, scope)
  const { operator, value, unit } = filter
  if (isCount(operator)) {
    const since = filter.within && timeBefore(scope.now, filter.within.value, filter.within.unit)
    return countedSql(occurrences, operator, Number(value), since, scope)
  }
  const since = () => happenedSql(occurrences, timeBefore(scope.now, Number(value), unit ?? 'days'))
  switch (operator as TriggeredOperator) {
    case 'triggered':
      return happenedSql(occurrences)
    case 'notTriggered':
      return sql`not ${happenedSql(occurrences)}`
    case 'triggeredWithin':
      return since()
    case 'notTriggeredWithin':
      return sql`not ${since()}`
    case 'triggeredOlderThan':
      return sql`(${happenedSql(occurrences)} and not ${since()})`
  }
}

const happenedSql = ({ rows, contactId }: Occurrences, since?: Date): Predicate =>
  sql`exists (select from ${rows(since)} and ${contactId} = contacts.id)`

function countedSql(
  occurrences: Occurrences,
  operator: CountOperator,
  times: number,
  since: Date | undefined,
  scope: Scope,
): Predicate {
  const atLeast = (least: number) =>
    least <= 1 ? happenedSql(occurrences, since) : compareCountSql(occurrences, sql`>= ${least}`, since, scope)
  if (operator === 'countAtLeast') return atLeast(times)
  if (operator === 'countAtMost') return sql`not ${atLeast(times + 1)}`
  return times === 0
    ? sql`not ${happenedSql(occurrences, since)}`
    : compareCountSql(occurrences, sql`= ${times}`, since, scope)
}

/** `expected` doesn't match zero, so contacts without a row need not be looked at. */
const compareCountSql = (
  { rows, contactId, count }: Occurrences,
  expected: RawBuilder<unknown>,
  since: Date | undefined,
  { someContacts }: Scope,
): Predicate =>
  someContacts
    ? sql`(select ${count} from ${rows(since)} and ${contactId} = contacts.id) ${expected}`
    : sql`exists (select from (
        select ${contactId} as contact_id from ${rows(since)} and ${contactId} is not null
        group by ${contactId} having ${count} ${expected}
      ) as counted where counted.contact_id = contacts.id)`

const allOf = (predicates: RawBuilder<unknown>[]): RawBuilder<unknown> =>
  predicates.length === 0 ? sql`` : sql`and ${sql.join(predicates, sql` and `)}`

/** An id is never earlier than its time, so the bound on ids excludes earlier months. */
const eventsOf = (name: string, where: PropertyFilter[], { projectId, now }: Scope): Occurrences => ({
  rows: (since) => {
    const recent = since
      ? sql`and events.id >= ${firstIdAt(new Date(Math.max(0, since.getTime())))} and events.created_at >= ${instant(since.getTime())}`
      : sql``
    const properties = where.map((filter) => dataFilterSql(dataAt(sql`events.data`, filter.property), filter, now))
    return sql`events where events.project_id = ${projectId} and events.name = ${name} ${recent} ${allOf(properties)}`
  },
  contactId: sql`events.contact_id`,
  count: sql`count(*)`,
})

const campaignOf = (where: PropertyFilter[], table: string): RawBuilder<unknown>[] =>
  where.flatMap(({ property, value }) =>
    property === 'campaignId' ? [sql`${sql.ref(`${table}.campaign_id`)} = ${String(value)}::uuid`] : [],
  )

/** The emails table has the time of the first open and distinguishes permanent from transient bounces. */
function emailsOf(column: string, where: PropertyFilter[], { projectId }: Scope): Occurrences {
  const at = sql.ref(`emails.${column}`)
  return {
    rows: (since) => {
      const recent = since ? sql`${at} >= ${instant(since.getTime())}` : sql`${at} is not null`
      return sql`emails where emails.project_id = ${projectId} and ${recent} ${allOf(campaignOf(where, 'emails'))}`
    },
    contactId: sql`emails.contact_id`,
    count: sql`count(*)`,
  }
}

/** A row for each link of an email; it is counted once for each email. */
const clicksOf = (where: PropertyFilter[], { projectId }: Scope): Occurrences => ({
  rows: (since) => {
    const recent = since ? sql`and link_clicks.last_at >= ${instant(since.getTime())}` : sql``
    const links = where.flatMap((filter) => (filter.property === 'link' ? [linkSql(filter)] : []))
    const all = allOf([...links, ...campaignOf(where, 'link_clicks')])
    return sql`link_clicks where link_clicks.project_id = ${projectId} ${recent} ${all}`
  },
  contactId: sql`link_clicks.contact_id`,
  count: sql`count(distinct link_clicks.email_id)`,
})

/**
 * A link also equals the one in the email that the UTM parameters of the project were added to. They are only removed from links that
 * begin like it, because that takes five times as long as comparing them.
 */
function linkSql({ operator, value }: PropertyFilter): Predicate {
  const link = String(value).trim()
  if (operator === 'equals') {
    const start = startingWith(link.split('#')[0]!)
    return sql`(link_clicks.link like ${start}
      and (link_clicks.link = ${link} or regexp_replace(link_clicks.link, '[?&]utm_[^#]*', '') = ${link}))`
  }
  return sql`link_clicks.link like ${operator === 'startsWith' ? startingWith(link) : containing(link)}`
}

/** A workflow that doesn't exist matches no contact. */
export function workflowSql(
  workflowId: string,
  { operator, within }: ConditionFilter,
  { projectId, now }: Scope,
): Predicate {
  const since = within && instant(timeBefore(now, within.value, within.unit).getTime())
  const passed = (state: RawBuilder<unknown>) => sql<boolean>`exists (
    select from workflow_executions x
    where x.project_id = ${projectId} and x.workflow_id = ${workflowId} and x.contact_id = contacts.id ${state})`
  const isIn = passed(sql`and x.status in ('RUNNING', 'WAITING')`)
  const entered = passed(since ? sql`and x.started_at >= ${since}` : sql``)
  const completed = passed(
    sql`and x.status in ('COMPLETED', 'EXITED') ${since ? sql`and x.completed_at >= ${since}` : sql``}`,
  )
  const matching: Record<WorkflowOperator, Predicate> = {
    inWorkflow: isIn,
    notInWorkflow: sql`not ${isIn}`,
    enteredWorkflow: entered,
    notEnteredWorkflow: sql`not ${entered}`,
    completedWorkflow: completed,
    notCompletedWorkflow: sql`not ${completed}`,
  }
  const isKnown = sql`exists (select from workflows w where w.project_id = ${projectId} and w.id = ${workflowId})`
  return sql`(${isKnown} and ${matching[operator as WorkflowOperator]})`
}
