/**
 * Parses a condition from a request. Errors name the exact path in the tree, and unknown keys are dropped. The tree is
 * walked manually because a filter is validated by its field and operator together, and so that a tree of any depth is
 * refused at the eleventh level.
 */
import { z } from 'zod'
import {
  type Condition,
  type ConditionFilter,
  type ConditionGroup,
  type FieldTarget,
  isCount,
  isTimed,
  type Operator,
  operatorsOf,
  TIME_UNITS,
  takesValue,
  targetOf,
} from './condition.ts'
import { dateText } from './condition-dates.ts'
import { PERIOD_JSON, readPeriod, readProperties, WHERE_JSON } from './property-schema.ts'
import {
  choiceCode,
  generalProblem,
  isObject,
  isScalar,
  type Json,
  type Path,
  type Refuse,
  typeProblem,
} from './values.ts'

const LEVELS_MAX = 10
const FILTERS_MAX = 200
const FIELD_LENGTH_MAX = 1_000
const PROBLEMS_MAX = 20

interface Reading {
  /** CONDITION steps can also use the event that started the workflow. */
  triggerEvent: boolean
  filters: number
  refuse: Refuse
}

function readCondition(value: unknown, path: Path, level: number, reading: Reading): Condition {
  const empty: Condition = { logic: 'AND', groups: [] }
  if (!isObject(value)) {
    reading.refuse(
      path,
      value === undefined ? 'This field is required.' : 'Must be a condition object.',
      'invalid_type',
    )
    return empty
  }
  if (level > LEVELS_MAX) {
    reading.refuse(path, `Must be at most ${LEVELS_MAX} levels deep.`, 'too_big')
    return empty
  }
  const { logic, groups } = value
  if (logic !== 'AND' && logic !== 'OR') {
    const missing = logic === undefined
    const message = missing ? 'This field is required: AND or OR.' : 'Must be one of: AND, OR.'
    reading.refuse([...path, 'logic'], message, choiceCode(logic), logic)
  }
  return { logic: logic === 'OR' ? 'OR' : 'AND', groups: readGroups(groups, [...path, 'groups'], level, reading) }
}

function readGroups(value: unknown, path: Path, level: number, reading: Reading): ConditionGroup[] {
  if (!Array.isArray(value)) {
    reading.refuse(path, value === undefined ? 'This field is required.' : 'Must be a list of groups.', 'invalid_type')
    return []
  }
  if (value.length === 0) reading.refuse(path, 'Must contain at least one group.', 'too_small')
  // Every group contains at least one filter, so there can't be more groups than the filters that are allowed.
  if (value.length > FILTERS_MAX) {
    reading.refuse(path, `Must contain at most ${FILTERS_MAX} groups.`, 'too_big')
    return []
  }
  return value.map((group, i) => readGroup(group, [...path, i], level, reading))
}

function readGroup(value: unknown, path: Path, level: number, reading: Reading): ConditionGroup {
  if (!isObject(value)) {
    reading.refuse(path, 'Must be a group: {"filters": […]}.', 'invalid_type')
    return { filters: [] }
  }
  const filters = readFilters(value.filters, [...path, 'filters'], reading)
  const nested = value.conditions
  if (nested !== undefined && nested !== null) {
    return { filters, conditions: readCondition(nested, [...path, 'conditions'], level + 1, reading) }
  }
  if (Array.isArray(value.filters) && value.filters.length === 0) {
    reading.refuse([...path, 'filters'], 'A group requires at least one filter, or `conditions`.', 'too_small')
  }
  return { filters }
}

function readFilters(value: unknown, path: Path, reading: Reading): ConditionFilter[] {
  if (!Array.isArray(value)) {
    reading.refuse(path, value === undefined ? 'This field is required.' : 'Must be a list of filters.', 'invalid_type')
    return []
  }
  reading.filters += value.length
  if (reading.filters > FILTERS_MAX) {
    reading.refuse(path, `A condition can have at most ${FILTERS_MAX} filters.`, 'too_big')
    return []
  }
  return value.flatMap((filter, i) => readFilter(filter, [...path, i], reading) ?? [])
}

function readFilter(value: unknown, path: Path, reading: Reading): ConditionFilter | undefined {
  if (!isObject(value)) {
    reading.refuse(path, 'Must be a filter: {"field": …, "operator": …, "value": …}.', 'invalid_type')
    return undefined
  }
  const { field, operator } = value
  for (const [name, text] of Object.entries({ field, operator })) {
    if (typeof text === 'string') continue
    reading.refuse(
      [...path, name],
      text === undefined ? 'This field is required.' : 'Must be a string.',
      'invalid_type',
    )
  }
  if (typeof field !== 'string' || typeof operator !== 'string') return undefined
  if (field.length > FIELD_LENGTH_MAX) {
    reading.refuse([...path, 'field'], `Must be at most ${FIELD_LENGTH_MAX} characters.`, 'too_big')
    return undefined
  }
  const target = readTarget(field, operator, path, reading)
  return target && readComparison(target, field, operator as Operator, value, path, reading)
}

function readTarget(field: string, operator: string, path: Path, reading: Reading): FieldTarget | undefined {
  const found = targetOf(field, operator)
  const isForeign = found?.family === 'event-data' && !reading.triggerEvent
  const target: FieldTarget | undefined = isForeign ? { family: 'event', name: field.slice('event.'.length) } : found
  if (!target) {
    const known =
      'email, subscribed, createdAt, updatedAt, confirmedAt, timezone, data.<key>, topics.<key>, event.<name>, email.<activity>, segment.<id>, workflow.<id>'
    reading.refuse([...path, 'field'], `This field doesn't exist. Use one of: ${known}.`, 'custom', field)
    return undefined
  }
  const allowed = operatorsOf(target)
  if (!allowed.some((name) => name === operator)) {
    const message = `Must be one of: ${allowed.join(', ')}.`
    reading.refuse([...path, 'operator'], message, 'invalid_enum_value', operator)
    return undefined
  }
  return target
}

function readComparison(
  target: FieldTarget,
  field: string,
  operator: Operator,
  given: Json,
  path: Path,
  reading: Reading,
): ConditionFilter {
  const { value, unit } = given
  if (isCount(operator) && unit !== undefined && unit !== null) {
    const message =
      'A number of times has no unit. To count only a period, use `within`: {"value": 30, "unit": "days"}.'
    reading.refuse([...path, 'unit'], message, 'custom', unit)
  }
  const knownUnit = TIME_UNITS.find((name) => name === unit)
  const needsUnit = isTimed(operator)
  if (!knownUnit && (needsUnit || (unit !== undefined && unit !== null))) {
    const missing = unit === undefined || unit === null
    const message = `${missing ? 'This field is required' : 'Must be one of'}: ${TIME_UNITS.join(', ')}.`
    reading.refuse([...path, 'unit'], message, choiceCode(unit), unit)
  }
  const problem = takesValue(operator) ? valueProblem(target, operator, value) : undefined
  if (problem) reading.refuse([...path, 'value'], problem.message, problem.code, value)
  const within = readPeriod(operator, given.within, [...path, 'within'], reading.refuse)
  const where = readProperties(target, given.where, [...path, 'where'], reading.refuse)
  reading.filters += where?.length ?? 0
  if (where && reading.filters > FILTERS_MAX) {
    const message = `A condition can have at most ${FILTERS_MAX} filters, including properties in \`where\`.`
    reading.refuse([...path, 'where'], message, 'too_big')
  }
  return {
    field,
    operator,
    ...(isScalar(value) || value === null ? { value } : {}),
    ...(knownUnit ? { unit: knownUnit } : {}),
    ...(within ? { within } : {}),
    ...(where ? { where } : {}),
  }
}

/** The problem with a value that an operator requires, if there is one. */
function valueProblem(target: FieldTarget, operator: Operator, value: unknown) {
  const general = generalProblem(operator, value)
  if (general) return general.problem
  const is = (type: string, message: string) => typeProblem(value, type, message)
  if (target.family === 'email' || target.family === 'text') return is('string', 'Must be a string.')
  if (target.family === 'subscribed' || target.family === 'topic') return is('boolean', 'Must be true or false.')
  if (target.family === 'moment') {
    const message = 'Must be a date: YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS.sssZ.'
    return is('string', message) ?? (dateText(value as string) ? undefined : { message, code: 'invalid_string' })
  }
  return isScalar(value) ? undefined : is('scalar', 'Must be a string, a number, true or false.')
}

const FILTER_JSON = {
  type: 'object',
  required: ['field', 'operator'],
  properties: {
    field: {
      type: 'string',
      description:
        'email, subscribed, createdAt, updatedAt, confirmedAt, timezone, data.<key>, topics.<key>, event.<name>, email.<activity>, segment.<id> or workflow.<id>.',
    },
    operator: { type: 'string', description: 'See the guide to segments for the operators of each field.' },
    value: {
      description:
        'The value to compare with; a positive number for operators that compare times, a number of times for `countAtLeast`, `countAtMost` and `countExactly`.',
    },
    unit: { type: 'string', enum: [...TIME_UNITS] },
    within: PERIOD_JSON,
    where: WHERE_JSON,
  },
}

/** Written manually, because zod can't describe it. The nested node has the same shape. */
const CONDITION_JSON = {
  type: 'object',
  description: 'Groups combined with `logic`. All filters of a group, and its nested `conditions`, must match.',
  required: ['logic', 'groups'],
  properties: {
    logic: { type: 'string', enum: ['AND', 'OR'] },
    groups: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['filters'],
        properties: {
          filters: { type: 'array', items: FILTER_JSON },
          conditions: {
            type: 'object',
            additionalProperties: true,
            description: 'A nested condition of the same shape.',
          },
        },
      },
    },
  },
} as const

const reader = (triggerEvent: boolean, read: (value: unknown, reading: Reading) => Condition) =>
  z.unknown().transform((value, ctx): Condition => {
    let problems = 0
    return read(value, {
      triggerEvent,
      filters: 0,
      refuse(path, message, code, input) {
        if (++problems <= PROBLEMS_MAX) ctx.addIssue({ code: 'custom', path, message, params: { code }, input })
      },
    })
  })

const readTree = (value: unknown, reading: Reading) => readCondition(value, [], 1, reading)

/** The schema of conditions of segments and audiences. */
export const conditionTree = reader(false, readTree).meta({ ...CONDITION_JSON })

/**
 * For CONDITION steps: also accepts `event.data.<key>`, and a single filter instead of a tree. The result is always a
 * tree.
 */
export const stepCondition = reader(true, (value, reading) => {
  if (!isObject(value) || 'groups' in value || !('field' in value)) return readTree(value, reading)
  const filter = readFilter(value, [], reading)
  return { logic: 'AND', groups: [{ filters: filter ? [filter] : [] }] }
}).meta({ ...CONDITION_JSON, description: `${CONDITION_JSON.description} Or a single filter.`, required: [] })

/** A condition in a response; it was validated when it was stored. */
export const storedCondition = z.custom<Condition>(isObject).meta({ ...CONDITION_JSON })
