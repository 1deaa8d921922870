/**
 * A second implementation of conditions, as simple as the contract and different from the service's: a contact is an
 * object, and every rule is a comparison in memory. Tests compare the SQL with it.
 */
import type { Condition, ConditionFilter, PropertyFilter } from '../../kernel/conditions/condition.ts'

export interface NaiveContact {
  email: string
  subscribed: boolean
  createdAt: Date
  updatedAt: Date
  data: Record<string, unknown>
  events: Array<{ name: string; at: Date; data: Record<string, unknown> }>
  emails: NaiveEmail[]
  segments: Set<string>
  executions: Array<{ workflowId: string; status: string; startedAt: Date; completedAt: Date | null }>
}

export interface NaiveEmail {
  at: Record<string, Date>
  campaignId: string | null
  clicks: Array<{ link: string; at: Date }>
}

export interface NaiveWorld {
  now: Date
  event?: Record<string, unknown>
}

export function matches(condition: Condition, contact: NaiveContact, world: NaiveWorld): boolean {
  const groups = condition.groups.map(
    ({ filters, conditions }) =>
      filters.every((filter) => holds(filter, contact, world)) &&
      (conditions === undefined || matches(conditions, contact, world)),
  )
  return condition.logic === 'AND' ? !groups.includes(false) : groups.includes(true)
}

const MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 }
const ACTIVITY: Record<string, string> = {
  delivery: 'delivered',
  open: 'opened',
  click: 'clicked',
  bounce: 'bounced',
  complaint: 'complained',
}

function holds(filter: ConditionFilter, contact: NaiveContact, world: NaiveWorld): boolean {
  const { field, operator, value } = filter
  const cutoff = world.now.getTime() - Number(value) * MS[filter.unit ?? 'days']
  const happened = (times: Date[]): boolean => {
    const recent = times.some((at) => at.getTime() >= cutoff)
    if (operator === 'triggered') return times.length > 0
    if (operator === 'notTriggered') return times.length === 0
    if (operator === 'triggeredWithin') return recent
    if (operator === 'notTriggeredWithin') return !recent
    return times.length > 0 && !recent
  }
  if (field === 'email') {
    const wanted = String(value).toLowerCase()
    if (operator.endsWith('quals')) return (contact.email === wanted.trim()) === (operator === 'equals')
    return contact.email.includes(wanted) === (operator === 'contains')
  }
  if (field === 'subscribed') return (contact.subscribed === value) === (operator === 'equals')
  if (field === 'createdAt' || field === 'updatedAt') return momentHolds(filter, contact[field].getTime(), cutoff)
  if (field.startsWith('segment.')) {
    return contact.segments.has(field.slice('segment.'.length)) === (operator === 'memberOfSegment')
  }
  if (field.startsWith('workflow.')) return workflowHolds(filter, contact, world)
  const occurred = (times: Date[]) =>
    operator.startsWith('count') ? countHolds(filter, times, world) : happened(times)
  if (field.startsWith('email.')) {
    const name = field.slice('email.'.length)
    return occurred(
      contact.emails.flatMap((email) => emailTime(email, ACTIVITY[name] ?? name, filter.where ?? []) ?? []),
    )
  }
  if (field.startsWith('data.'))
    return valueHolds(filter, find(contact.data, field.slice('data.'.length)), cutoff, world)
  if (field.startsWith('event.data.') && !/triggered|^count/i.test(operator)) {
    return valueHolds(filter, find(world.event ?? {}, field.slice('event.data.'.length)), cutoff, world)
  }
  const name = field.slice('event.'.length)
  const counted = contact.events.filter(
    (event) =>
      event.name === name && (filter.where ?? []).every((property) => propertyHolds(property, event.data, world)),
  )
  return occurred(counted.map((event) => event.at))
}

function countHolds({ operator, value, within }: ConditionFilter, times: Date[], { now }: NaiveWorld): boolean {
  const since = within ? now.getTime() - within.value * MS[within.unit] : Number.NEGATIVE_INFINITY
  const count = times.filter((at) => at.getTime() >= since).length
  if (operator === 'countExactly') return count === value
  return operator === 'countAtLeast' ? count >= Number(value) : count <= Number(value)
}

const propertyHolds = (filter: PropertyFilter, data: Record<string, unknown>, world: NaiveWorld): boolean => {
  const cutoff = world.now.getTime() - Number(filter.value) * MS[filter.unit ?? 'days']
  return valueHolds(filter, find(data, filter.property), cutoff, world)
}

/** When it happened to an email, if its properties match. */
function emailTime(email: NaiveEmail, activity: string, where: PropertyFilter[]): Date | undefined {
  const campaign = where.find(({ property }) => property === 'campaignId')
  if (campaign && email.campaignId !== campaign.value) return undefined
  const links = where.filter(({ property }) => property === 'link')
  if (links.length === 0) return email.at[activity]
  const clicks = email.clicks.filter(({ link }) => links.every((filter) => linkHolds(filter, link)))
  return clicks.map(({ at }) => at).sort((a, b) => b.getTime() - a.getTime())[0]
}

function linkHolds({ operator, value }: PropertyFilter, link: string): boolean {
  const wanted = String(value)
  if (operator === 'equals') return link === wanted || link.replace(/[?&]utm_[^#]*/, '') === wanted
  return operator === 'startsWith' ? link.startsWith(wanted) : link.includes(wanted)
}

function workflowHolds({ field, operator, within }: ConditionFilter, contact: NaiveContact, { now }: NaiveWorld) {
  const since = within ? now.getTime() - within.value * MS[within.unit] : Number.NEGATIVE_INFINITY
  const own = contact.executions.filter(({ workflowId }) => field === `workflow.${workflowId}`)
  const found = own.some(({ status, startedAt, completedAt }) => {
    if (/inworkflow/i.test(operator)) return status === 'RUNNING' || status === 'WAITING'
    if (/entered/i.test(operator)) return startedAt.getTime() >= since
    return (status === 'COMPLETED' || status === 'EXITED') && completedAt!.getTime() >= since
  })
  return operator.startsWith('not') ? !found : found
}

function momentHolds({ operator, value }: ConditionFilter, at: number, cutoff: number): boolean {
  const text = String(value)
  const from = Date.parse(text)
  const to = text.length === 10 ? from + MS.days : from + 1
  switch (operator) {
    case 'equals':
      return at >= from && at < to
    case 'notEquals':
      return at < from || at >= to
    case 'within':
      return at >= cutoff
    case 'olderThan':
      return at < cutoff
    default:
      return ordered(operator, at - from)
  }
}

function ordered(operator: string, difference: number): boolean {
  if (operator === 'greaterThan') return difference > 0
  if (operator === 'lessThan') return difference < 0
  return operator === 'greaterThanOrEqual' ? difference >= 0 : difference <= 0
}

/** The first reading of a dotted name that has a value: longer keys before shorter ones. */
function find(data: unknown, name: string): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined
  const holder = data as Record<string, unknown>
  if (Object.hasOwn(holder, name) && holder[name] !== null) return holder[name]
  for (let dot = name.lastIndexOf('.'); dot >= 0; dot = name.lastIndexOf('.', dot - 1)) {
    const key = name.slice(0, dot)
    const found = Object.hasOwn(holder, key) ? find(holder[key], name.slice(dot + 1)) : undefined
    if (found !== undefined && found !== null) return found
    if (dot === 0) break
  }
  return undefined
}

type Typed = { type: string; order: number | string | undefined }

function typed(value: unknown): Typed {
  if (typeof value === 'number') return { type: 'number', order: value }
  if (typeof value === 'boolean') return { type: 'boolean', order: Number(value) }
  if (typeof value !== 'string') return { type: Array.isArray(value) ? 'list' : 'object', order: undefined }
  const ms = dateMs(value)
  return ms === undefined ? { type: 'string', order: value } : { type: 'date', order: ms }
}

/** A valid date in one of the two formats, which formatting gives back unchanged. */
function dateMs(text: string): number | undefined {
  const shape = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}:\d{2})?(\.\d{3})?(Z)?$/.exec(text)
  if (!shape || (shape[2] === undefined) !== (shape[4] === undefined) || (shape[3] && !shape[2])) return undefined
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) return undefined
  return new Date(ms).toISOString().startsWith(shape[1]! + (shape[2] ?? '')) ? ms : undefined
}

const compareText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

function valueHolds(
  { operator, value }: Pick<PropertyFilter, 'operator' | 'value'>,
  stored: unknown,
  cutoff: number,
  { now }: NaiveWorld,
): boolean {
  const present = stored !== undefined && stored !== null
  if (operator === 'exists' || operator === 'notExists') return present === (operator === 'exists')
  if (!present) return false
  if (operator === 'contains' || operator === 'notContains') {
    const found = typeof stored === 'string' && typeof value === 'string' && stored.includes(value)
    return found === (operator === 'contains')
  }
  const [mine, theirs] = [typed(stored), typed(value)]
  if (operator === 'within' || operator === 'olderThan') {
    if (mine.type !== 'date' || (stored as string).length === 10) return false
    const at = mine.order as number
    return operator === 'within' ? at >= cutoff && at <= now.getTime() : at < cutoff
  }
  const same = mine.type === theirs.type
  const difference =
    typeof mine.order === 'string' && typeof theirs.order === 'string'
      ? compareText(mine.order, theirs.order)
      : mine.order === theirs.order
        ? 0
        : Number(mine.order) < Number(theirs.order)
          ? -1
          : 1
  if (operator === 'equals') return same && difference === 0
  if (operator === 'notEquals') return !(same && difference === 0)
  return same && ordered(operator, difference)
}
