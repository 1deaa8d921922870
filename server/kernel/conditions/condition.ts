/**
 * Conditions: groups of filters over a contact, joined by AND or OR, used by segments, audiences and CONDITION steps.
 * This file defines the operators, the meaning of a filter's `field`, and what a whole tree refers to.
 */
import { isId } from '../ids.ts'

export interface Condition {
  logic: 'AND' | 'OR'
  groups: ConditionGroup[]
}

/** Its filters are ANDed with each other and with `conditions`. */
export interface ConditionGroup {
  filters: ConditionFilter[]
  conditions?: Condition
}

export interface ConditionFilter {
  field: string
  operator: Operator
  value?: string | number | boolean | null
  unit?: TimeUnit
  /** Only what happened in this period counts; absent: at any time. */
  within?: Period
  /** Only events, emails or clicks with all of these properties count. */
  where?: PropertyFilter[]
}

/** From this long ago until now. */
export interface Period {
  value: number
  unit: TimeUnit
}

/** `property` is a path into the data of an event, or one of the properties of an email activity. */
export interface PropertyFilter {
  property: string
  operator: Operator | 'startsWith'
  value?: string | number | boolean | null
  unit?: TimeUnit
}

export const TIME_UNITS = ['minutes', 'hours', 'days'] as const
export type TimeUnit = (typeof TIME_UNITS)[number]

const EQUALITY = ['equals', 'notEquals'] as const
const CONTENT = ['contains', 'notContains'] as const
const ORDER = ['greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual'] as const
const PRESENCE = ['exists', 'notExists'] as const
const AGE = ['within', 'olderThan'] as const
const TRIGGERED = ['triggered', 'notTriggered', 'triggeredWithin', 'notTriggeredWithin', 'triggeredOlderThan'] as const
const COUNTED = ['countAtLeast', 'countAtMost', 'countExactly'] as const
const MEMBERSHIP = ['memberOfSegment', 'notMemberOfSegment'] as const
const IN_WORKFLOW = ['inWorkflow', 'notInWorkflow'] as const
const PASSED_WORKFLOW = ['enteredWorkflow', 'notEnteredWorkflow', 'completedWorkflow', 'notCompletedWorkflow'] as const

export type OrderOperator = (typeof ORDER)[number]
export type TriggeredOperator = (typeof TRIGGERED)[number]
export type CountOperator = (typeof COUNTED)[number]
export type WorkflowOperator = (typeof IN_WORKFLOW)[number] | (typeof PASSED_WORKFLOW)[number]
export type Operator =
  | (typeof EQUALITY)[number]
  | (typeof CONTENT)[number]
  | OrderOperator
  | (typeof PRESENCE)[number]
  | (typeof AGE)[number]
  | TriggeredOperator
  | CountOperator
  | (typeof MEMBERSHIP)[number]
  | WorkflowOperator

export const ON_DATA: readonly Operator[] = [...EQUALITY, ...CONTENT, ...ORDER, ...PRESENCE, ...AGE]

/** The operators that each kind of field allows. See `operatorsOf`. */
const OPERATORS: Record<FieldTarget['family'], readonly Operator[]> = {
  email: [...EQUALITY, ...CONTENT],
  text: CONTENT,
  subscribed: EQUALITY,
  topic: EQUALITY,
  moment: [...EQUALITY, ...ORDER, ...AGE],
  data: ON_DATA,
  event: [...TRIGGERED, ...COUNTED],
  activity: [...TRIGGERED, ...COUNTED],
  segment: MEMBERSHIP,
  workflow: [...IN_WORKFLOW, ...PASSED_WORKFLOW],
  'event-data': ON_DATA,
}

/** Every contact has the other moments, but not every contact was confirmed. */
export const operatorsOf = (target: FieldTarget): readonly Operator[] =>
  target.family === 'moment' && target.column === 'confirmed_at'
    ? [...OPERATORS.moment, ...PRESENCE]
    : OPERATORS[target.family]

/** These operators count back from now: `value` is a positive number of `unit`. */
const TIMED = new Set<string>([...AGE, 'triggeredWithin', 'notTriggeredWithin', 'triggeredOlderThan'])

export const isTimed = (operator: string): boolean => TIMED.has(operator)

const WITHOUT_VALUE = new Set<string>([
  ...PRESENCE,
  ...MEMBERSHIP,
  ...IN_WORKFLOW,
  ...PASSED_WORKFLOW,
  'triggered',
  'notTriggered',
])

export const takesValue = (operator: string): boolean => !WITHOUT_VALUE.has(operator)

/** `value` is a number of times. */
export const isCount = (operator: string): operator is CountOperator => COUNTED.some((known) => known === operator)

const PERIODS = new Set<string>([...COUNTED, ...PASSED_WORKFLOW])

/** Whether `within` can limit what counts. The older operators have their period in `value` and `unit`. */
export const takesPeriod = (operator: string): boolean => PERIODS.has(operator)

/** Each activity with both of its names and the event that records it. */
const ACTIVITIES = {
  sent: { column: 'sent_at', event: 'email.sent' },
  delivered: { column: 'delivered_at', event: 'email.delivery' },
  opened: { column: 'opened_at', event: 'email.open' },
  clicked: { column: 'clicked_at', event: 'email.click' },
  bounced: { column: 'bounced_at', event: 'email.bounce' },
  complained: { column: 'complained_at', event: 'email.complaint' },
} as const

export type Activity = (typeof ACTIVITIES)[keyof typeof ACTIVITIES]

const ACTIVITY_BY_NAME = new Map<string, Activity>([
  ...Object.entries(ACTIVITIES),
  ['delivery', ACTIVITIES.delivered],
  ['open', ACTIVITIES.opened],
  ['click', ACTIVITIES.clicked],
  ['bounce', ACTIVITIES.bounced],
  ['complaint', ACTIVITIES.complained],
])

export type FieldTarget =
  /** `text` is the address and every value of the data. */
  | { family: 'email' | 'subscribed' | 'text' }
  | { family: 'moment'; column: 'created_at' | 'updated_at' | 'confirmed_at' }
  /** Whether the contact would receive the topic with this key now. */
  | { family: 'topic'; key: string }
  /** `name` may be a path, or a key that has dots in it. */
  | { family: 'data'; name: string }
  | { family: 'event'; name: string }
  | { family: 'activity'; activity: Activity }
  | { family: 'segment'; segmentId: string }
  | { family: 'workflow'; workflowId: string }
  /** Data of the event that started a workflow; in CONDITION steps only. */
  | { family: 'event-data'; name: string }

/**
 * The meaning of a field, or undefined. One case depends on the operator: `event.data.plan` is a value of the trigger
 * event if it is compared, and an event named `data.plan` with a `triggered` operator.
 */
export function targetOf(field: string, operator: string): FieldTarget | undefined {
  if (field === 'email' || field === 'subscribed' || field === 'text') return { family: field }
  if (field === 'createdAt') return { family: 'moment', column: 'created_at' }
  if (field === 'updatedAt') return { family: 'moment', column: 'updated_at' }
  if (field === 'confirmedAt') return { family: 'moment', column: 'confirmed_at' }
  if (field === 'timezone') return { family: 'data', name: 'timezone' }
  const dot = field.indexOf('.')
  const [kind, name] = [field.slice(0, dot), field.slice(dot + 1)]
  if (dot < 1 || name === '') return undefined

  if (kind === 'data') return { family: 'data', name }
  if (kind === 'topics') return { family: 'topic', key: name }
  if (kind === 'email') {
    const activity = ACTIVITY_BY_NAME.get(name)
    return activity && { family: 'activity', activity }
  }
  if (kind === 'segment') return isId(name) ? { family: 'segment', segmentId: name.toLowerCase() } : undefined
  if (kind === 'workflow') return isId(name) ? { family: 'workflow', workflowId: name.toLowerCase() } : undefined
  if (kind !== 'event') return undefined
  if (name.startsWith('data.') && name.length > 'data.'.length && ON_DATA.some((known) => known === operator)) {
    return { family: 'event-data', name: name.slice('data.'.length) }
  }
  return { family: 'event', name }
}

export function filtersOf(condition: Condition): ConditionFilter[] {
  return condition.groups.flatMap((group) => [
    ...group.filters,
    ...(group.conditions ? filtersOf(group.conditions) : []),
  ])
}

/** The size of a condition: properties make a statement longer like filters. */
export const filterCountOf = (condition: Condition): number =>
  filtersOf(condition).reduce((sum, { where }) => sum + 1 + (where?.length ?? 0), 0)

export interface FilterPlace {
  filter: ConditionFilter
  /** `condition.groups.0.filters.1`, in the request that contains the condition as `at`. */
  path: string
}

/** Every filter with its path, in order. */
export const filterPlacesOf = (condition: Condition, at: string): FilterPlace[] =>
  condition.groups.flatMap((group, i) => [
    ...group.filters.map((filter, j) => ({ filter, path: `${at}.groups.${i}.filters.${j}` })),
    ...(group.conditions ? filterPlacesOf(group.conditions, `${at}.groups.${i}.conditions`) : []),
  ])

const targetsOf = (condition: Condition): FieldTarget[] =>
  filtersOf(condition).flatMap(({ field, operator }) => targetOf(field, operator) ?? [])

const unique = <T>(items: T[]): T[] => [...new Set(items)]

/** The contact fields that the condition uses: `email`, `data.profile.tier`, `topics.news`. */
export const fieldsOf = (condition: Condition): string[] =>
  unique(
    filtersOf(condition).flatMap(({ field, operator }) => {
      const target = targetOf(field, operator)
      if (target?.family === 'data') return [`data.${target.name}`]
      return target && FIELD_FAMILIES.has(target.family) ? [field] : []
    }),
  )

const FIELD_FAMILIES = new Set<FieldTarget['family']>(['email', 'subscribed', 'moment', 'topic'])

/** The keys of the topics that the condition uses. */
export const topicKeysOf = (condition: Condition): string[] =>
  unique(targetsOf(condition).flatMap((target) => (target.family === 'topic' ? [target.key] : [])))

/** One entry for each filter that names a segment, so an id can occur twice. */
export const segmentIdsOf = (condition: Condition): string[] =>
  targetsOf(condition).flatMap((target) => (target.family === 'segment' ? [target.segmentId] : []))

/** The events that can change which contacts match; an email activity counts as the event that records it. */
export const eventNamesOf = (condition: Condition): string[] =>
  unique(
    targetsOf(condition).flatMap((target) => {
      if (target.family === 'event') return [target.name]
      return target.family === 'activity' ? [target.activity.event] : []
    }),
  )

/**
 * The paths that a dotted name can mean, in the order they are tried: the whole name as one key, then as a path. Names
 * of up to four parts are also tried with some of the dots inside keys, as the list of fields writes them.
 */
export function pathsOf(name: string): string[][] {
  const parts = name.split('.')
  if (parts.length > MIXED_PARTS_MAX) return [[name], parts]
  const dots = parts.length - 1
  return Array.from({ length: 2 ** dots }, (_, cuts) =>
    parts.slice(1).reduce(
      (path, part, i) => {
        if (cuts & (1 << i)) path.push(part)
        else path[path.length - 1] += `.${part}`
        return path
      },
      [parts[0]!],
    ),
  )
}

const MIXED_PARTS_MAX = 4
