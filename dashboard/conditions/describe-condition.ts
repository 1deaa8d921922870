/** A condition as text: in one line, or by group. */

import { formatNumber, formatUnit } from '../figures/format.ts'
import { sharedTexts } from '../shell/texts.ts'
import {
  type Condition,
  type Filter,
  isCount,
  isTimed,
  operatorLabel,
  type PropertyFilter,
  TIME_UNITS,
  takesValue,
} from './condition.ts'
import { conditionTexts } from './texts.ts'

const labels: Record<string, string> = conditionTexts.fields
const DATES = new Set(['createdAt', 'updatedAt', 'confirmedAt'])

/** Names of segments, workflows and campaigns are given by the caller, because a condition has only their IDs. */
export type Names = ReadonlyMap<string, string>

function describeField(field: string, names: Names): string {
  if (labels[field]) return labels[field]
  if (field.startsWith('segment.')) return names.get(field.slice('segment.'.length)) ?? conditionTexts.families.segment
  if (field.startsWith('workflow.')) return names.get(field.slice('workflow.'.length)) ?? conditionTexts.unknownWorkflow
  return field.replace(/^(data|topics|event\.data|event)\./, '')
}

function describeValue({ operator, value, unit }: Pick<Filter, 'operator' | 'value' | 'unit'>): string {
  if (!takesValue(operator)) return ''
  if (isCount(operator)) return `${formatNumber(Number(value))} ${conditionTexts.times(Number(value))}`
  if (isTimed(operator)) return formatUnit(Number(value), TIME_UNITS[unit ?? 'days'])
  if (typeof value === 'boolean') return value ? conditionTexts.yes : conditionTexts.no
  return typeof value === 'number' ? formatNumber(value) : sharedTexts.quoted(String(value ?? ''))
}

export const describeFilter = (filter: Filter, names: Names): string => {
  const { field, operator, value } = filter
  if (field === 'subscribed' && operator === 'equals' && typeof value === 'boolean')
    return value ? sharedTexts.subscribed : sharedTexts.notSubscribed
  const type = DATES.has(field) ? 'date' : undefined
  const text = [
    describeField(field, names),
    operatorLabel(operator, type),
    describeValue(filter),
    describePeriod(filter),
  ]
  const properties = (filter.where ?? []).map((one) => describeProperty(one, names))
  const where = properties.length > 0 ? conditionTexts.where(properties.join(` ${conditionTexts.inSentence.and} `)) : ''
  return [text.filter(Boolean).join(' '), where].filter(Boolean).join(', ')
}

const describePeriod = ({ within }: Filter): string =>
  within ? `${conditionTexts.periods.within} ${formatUnit(within.value, TIME_UNITS[within.unit])}` : ''

function describeProperty(filter: PropertyFilter, names: Names): string {
  const { property, operator, value } = filter
  const name = conditionTexts.properties[property] ?? property
  if (property === 'campaignId') {
    return `${name} ${operatorLabel(operator, undefined)} ${names.get(String(value)) ?? conditionTexts.unknownCampaign}`
  }
  return [name, operatorLabel(operator, undefined), describeValue(filter)].filter(Boolean).join(' ')
}

/** The filters of each group, all of which must match. */
export const describeGroups = ({ groups }: Condition, names: Names): string[][] =>
  groups.map(({ filters, conditions }) => [
    ...filters.map((filter) => describeFilter(filter, names)),
    ...(conditions ? [`(${describeCondition(conditions, names)})`] : []),
  ])

export function describeCondition(condition: Condition, names: Names): string {
  const texts = describeGroups(condition, names).map((parts, _, groups) => {
    const text = parts.join(` ${conditionTexts.inSentence.and} `)
    return groups.length > 1 && parts.length > 1 ? `(${text})` : text
  })
  const { and, or } = conditionTexts.inSentence
  return texts.join(` ${condition.logic === 'AND' ? and : or} `)
}
