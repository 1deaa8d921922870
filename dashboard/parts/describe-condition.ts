/** A condition as one line of text, for lists and headings. */
import { type Condition, type Filter, isTimed, operatorLabel, takesValue } from './condition.ts'
import { formatNumber } from './format.ts'
import { conditionTexts } from './texts.ts'

const labels: Record<string, string> = conditionTexts.fields

/** Names of segments are given by the caller, because a condition has only their IDs. */
export type SegmentNames = ReadonlyMap<string, string>

function describeField(field: string, segments: SegmentNames): string {
  if (labels[field]) return labels[field]
  if (field.startsWith('segment.'))
    return segments.get(field.slice('segment.'.length)) ?? conditionTexts.families.segment
  return field.replace(/^(data|event\.data|event)\./, '')
}

function describeValue({ operator, value, unit }: Filter): string {
  if (!takesValue(operator)) return ''
  if (isTimed(operator)) return `${formatNumber(Number(value))} ${conditionTexts.units[unit ?? 'days']}`
  if (typeof value === 'boolean') return value ? conditionTexts.yes : conditionTexts.no
  return typeof value === 'number' ? formatNumber(value) : `“${value ?? ''}”`
}

const describeFilter = (filter: Filter, segments: SegmentNames): string => {
  const type = filter.field === 'createdAt' || filter.field === 'updatedAt' ? 'date' : undefined
  return [describeField(filter.field, segments), operatorLabel(filter.operator, type), describeValue(filter)]
    .filter(Boolean)
    .join(' ')
}

export function describeCondition({ logic, groups }: Condition, segments: SegmentNames): string {
  const texts = groups.map(({ filters, conditions }) => {
    const parts = filters.map((filter) => describeFilter(filter, segments))
    if (conditions) parts.push(`(${describeCondition(conditions, segments)})`)
    const text = parts.join(` ${conditionTexts.andFilter} `)
    return groups.length > 1 && parts.length > 1 ? `(${text})` : text
  })
  return texts.join(` ${(logic === 'AND' ? conditionTexts.and : conditionTexts.or).toLowerCase()} `)
}
