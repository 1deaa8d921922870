/** A condition as text: in one line, or by group. */

import { formatNumber } from '../figures/format.ts'
import { conditionTexts, sharedTexts } from '../shell/texts.ts'
import { type Condition, type Filter, isTimed, operatorLabel, takesValue } from './condition.ts'

const labels: Record<string, string> = conditionTexts.fields

/** Names of segments are given by the caller, because a condition has only their IDs. */
export type SegmentNames = ReadonlyMap<string, string>

function describeField(field: string, segments: SegmentNames): string {
  if (labels[field]) return labels[field]
  if (field.startsWith('segment.'))
    return segments.get(field.slice('segment.'.length)) ?? conditionTexts.families.segment
  return field.replace(/^(data|topics|event\.data|event)\./, '')
}

function describeValue({ operator, value, unit }: Filter): string {
  if (!takesValue(operator)) return ''
  if (isTimed(operator)) return `${formatNumber(Number(value))} ${conditionTexts.units[unit ?? 'days']}`
  if (typeof value === 'boolean') return value ? conditionTexts.yes : conditionTexts.no
  return typeof value === 'number' ? formatNumber(value) : `“${value ?? ''}”`
}

const describeFilter = (filter: Filter, segments: SegmentNames): string => {
  const { field, operator, value } = filter
  if (field === 'subscribed' && operator === 'equals' && typeof value === 'boolean')
    return value ? sharedTexts.subscribed : sharedTexts.notSubscribed
  const type = field === 'createdAt' || field === 'updatedAt' ? 'date' : undefined
  return [describeField(field, segments), operatorLabel(operator, type), describeValue(filter)]
    .filter(Boolean)
    .join(' ')
}

/** The filters of each group, all of which must match. */
export const describeGroups = ({ groups }: Condition, segments: SegmentNames): string[][] =>
  groups.map(({ filters, conditions }) => [
    ...filters.map((filter) => describeFilter(filter, segments)),
    ...(conditions ? [`(${describeCondition(conditions, segments)})`] : []),
  ])

export function describeCondition(condition: Condition, segments: SegmentNames): string {
  const texts = describeGroups(condition, segments).map((parts, _, groups) => {
    const text = parts.join(` ${conditionTexts.andFilter} `)
    return groups.length > 1 && parts.length > 1 ? `(${text})` : text
  })
  return texts.join(` ${(condition.logic === 'AND' ? conditionTexts.and : conditionTexts.or).toLowerCase()} `)
}
