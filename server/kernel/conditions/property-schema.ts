/**
 * Parses the two parts that narrow down what a filter counts: the period (`within`) and the properties of events, emails and
 * clicks (`where`).
 */
import { isId } from '../ids.ts'
import {
  type FieldTarget,
  isTimed,
  ON_DATA,
  type Operator,
  type Period,
  type PropertyFilter,
  TIME_UNITS,
  takesPeriod,
  takesValue,
} from './condition.ts'
import {
  amountProblem,
  choiceCode,
  generalProblem,
  isObject,
  isScalar,
  type Json,
  type Path,
  type Refuse,
  typeProblem,
} from './values.ts'

const PROPERTIES_MAX = 10
const PROPERTY_LENGTH_MAX = 1_000

const WITHIN_HINT = 'Must be a period: {"value": 30, "unit": "days"}.'

export function readPeriod(operator: string, given: unknown, path: Path, refuse: Refuse): Period | undefined {
  if (given === undefined || given === null) return undefined
  if (!takesPeriod(operator)) {
    const instead = isTimed(operator) ? ' Its period is in `value` and `unit`.' : ''
    refuse(path, `The operator ${operator} has no \`within\`.${instead}`, 'custom', given)
    return undefined
  }
  if (!isObject(given)) {
    refuse(path, WITHIN_HINT, 'invalid_type')
    return undefined
  }
  const { value } = given
  const problem = amountProblem(value)
  if (problem) refuse([...path, 'value'], problem.message, problem.code, value)
  const unit = readUnit(given.unit, [...path, 'unit'], refuse)
  return problem || !unit ? undefined : { value: value as number, unit }
}

function readUnit(given: unknown, path: Path, refuse: Refuse) {
  const unit = TIME_UNITS.find((name) => name === given)
  if (unit) return unit
  const missing = given === undefined || given === null
  const message = `${missing ? 'This field is required' : 'Must be one of'}: ${TIME_UNITS.join(', ')}.`
  refuse(path, message, choiceCode(given), given)
  return undefined
}

/** Undefined if there are none. */
export function readProperties(
  target: FieldTarget,
  given: unknown,
  path: Path,
  refuse: Refuse,
): PropertyFilter[] | undefined {
  if (given === undefined || given === null) return undefined
  if (target.family !== 'event' && target.family !== 'activity') {
    refuse(path, 'Only event.<name> and email.<activity> have properties. Remove `where`.', 'custom', given)
    return undefined
  }
  if (!Array.isArray(given)) {
    refuse(path, 'Must be a list: [{"property": …, "operator": …, "value": …}].', 'invalid_type')
    return undefined
  }
  if (given.length > PROPERTIES_MAX) {
    refuse(path, `Must contain at most ${PROPERTIES_MAX} properties.`, 'too_big')
    return undefined
  }
  const read = given.flatMap((one, i) => readProperty(target, one, [...path, i], refuse) ?? [])
  return read.length > 0 ? read : undefined
}

type Target = Extract<FieldTarget, { family: 'event' | 'activity' }>

function readProperty(target: Target, given: unknown, path: Path, refuse: Refuse): PropertyFilter | undefined {
  if (!isObject(given)) {
    refuse(path, 'Must be an object: {"property": …, "operator": …, "value": …}.', 'invalid_type')
    return undefined
  }
  const { property, operator } = given
  for (const [name, text] of Object.entries({ property, operator })) {
    const problem = typeProblem(text, 'string', 'Must be a string.')
    if (problem) refuse([...path, name], problem.message, problem.code)
  }
  if (typeof property !== 'string' || typeof operator !== 'string') return undefined
  if (property === '' || property.length > PROPERTY_LENGTH_MAX) {
    const problem = property === '' ? 'Must not be empty.' : `Must be at most ${PROPERTY_LENGTH_MAX} characters.`
    refuse([...path, 'property'], problem, property === '' ? 'too_small' : 'too_big')
    return undefined
  }
  const allowed = operatorsOf(target, property)
  if (!allowed) {
    const message = `This property doesn't exist. Use one of: ${propertiesOf(target).join(', ')}.`
    refuse([...path, 'property'], message, 'custom', property)
    return undefined
  }
  if (!allowed.some((name) => name === operator)) {
    refuse([...path, 'operator'], `Must be one of: ${allowed.join(', ')}.`, 'invalid_enum_value', operator)
    return undefined
  }
  return readValue(target, given, { property, operator: operator as PropertyFilter['operator'] }, path, refuse)
}

const propertiesOf = (target: Target): string[] =>
  target.family === 'activity' && target.activity.column === 'clicked_at' ? ['link', 'campaignId'] : ['campaignId']

function operatorsOf(target: Target, property: string): readonly string[] | undefined {
  if (target.family === 'event') return ON_DATA
  if (!propertiesOf(target).includes(property)) return undefined
  return property === 'link' ? ['equals', 'startsWith', 'contains'] : ['equals']
}

function readValue(
  target: Target,
  { value, unit: givenUnit }: Json,
  { property, operator }: Pick<PropertyFilter, 'property' | 'operator'>,
  path: Path,
  refuse: Refuse,
): PropertyFilter {
  const unit = isTimed(operator) ? readUnit(givenUnit, [...path, 'unit'], refuse) : undefined
  const problem = takesValue(operator) ? valueProblem(target, property, operator as Operator, value) : undefined
  if (problem) refuse([...path, 'value'], problem.message, problem.code, value)
  return {
    property,
    operator,
    ...(isScalar(value) && takesValue(operator) ? { value } : {}),
    ...(unit ? { unit } : {}),
  }
}

function valueProblem(target: Target, property: string, operator: Operator | 'startsWith', value: unknown) {
  const general = generalProblem(operator, value)
  if (general) return general.problem
  if (target.family === 'event') {
    const message = 'Must be a string, a number, true or false.'
    return isScalar(value) ? undefined : typeProblem(value, 'scalar', message)
  }
  const wrong = typeProblem(value, 'string', 'Must be a string.')
  if (wrong) return wrong
  const text = value as string
  if (property === 'campaignId') {
    return isId(text) ? undefined : { message: 'Must be the ID of a campaign.', code: 'invalid_string' }
  }
  if (text.trim() === '') return { message: 'Must not be empty.', code: 'too_small' }
  if (operator === 'contains' || /^https?:\/\//i.test(text)) return undefined
  return {
    message: 'Must be an address that starts with http:// or https://. To find a part of an address, use `contains`.',
    code: 'invalid_string',
  }
}

export const PERIOD_JSON = {
  type: 'object',
  description:
    'For operators that count, and for `enteredWorkflow` and `completedWorkflow`: only this period counts. Absent: at any time.',
  required: ['value', 'unit'],
  properties: {
    value: { type: 'number', description: 'A positive number.' },
    unit: { type: 'string', enum: [...TIME_UNITS] },
  },
} as const

export const WHERE_JSON = {
  type: 'array',
  description:
    'For `event.<name>` and `email.<activity>`: only events, emails or clicks that match all of these properties count.',
  maxItems: PROPERTIES_MAX,
  items: {
    type: 'object',
    required: ['property', 'operator'],
    properties: {
      property: {
        type: 'string',
        description:
          'A key or path in the data of the event. For email activity `campaignId`, and for `email.clicked` also `link`.',
      },
      operator: {
        type: 'string',
        description: 'As for `data.<key>`. For `link`: `equals`, `startsWith` or `contains`.',
      },
      value: { description: 'The value to compare with.' },
      unit: { type: 'string', enum: [...TIME_UNITS] },
    },
  },
} as const
