/** Reading values of conditions: what all operators have in common. */
import { isCount, isTimed } from './condition.ts'

export type Path = Array<string | number>
export type Json = Record<string, unknown>
export type Refuse = (path: Path, message: string, code: string, input?: unknown) => void

interface Problem {
  message: string
  code: string
}

const VALUE_LENGTH_MAX = 10_000
const TIMES_MAX = 1_000_000

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))

export const choiceCode = (given: unknown) => (typeof given === 'string' ? 'invalid_enum_value' : 'invalid_type')

export const typeProblem = (value: unknown, type: string, message: string): Problem | undefined =>
  typeof value === type
    ? undefined
    : { message: value === undefined ? 'This field is required.' : message, code: 'invalid_type' }

/** Undefined if the value depends on the field; otherwise whether it has a problem. */
export function generalProblem(operator: string, value: unknown): { problem: Problem | undefined } | undefined {
  const problem = (message: string, code: string) => ({ problem: { message, code } })
  if (typeof value === 'string' && value.length > VALUE_LENGTH_MAX)
    return problem(`Must be at most ${VALUE_LENGTH_MAX} characters.`, 'too_big')
  if (typeof value === 'number' && !Number.isFinite(value)) return problem('The number is too large.', 'too_big')
  if (isTimed(operator)) return { problem: amountProblem(value) }
  if (isCount(operator)) return { problem: timesProblem(operator, value) }
  return undefined
}

/** What is wrong with an amount of time. */
export function amountProblem(value: unknown): Problem | undefined {
  const wrong = typeProblem(value, 'number', 'Must be a number.')
  if (wrong) return wrong
  if (!Number.isFinite(value)) return { message: 'The number is too large.', code: 'too_big' }
  return (value as number) > 0 ? undefined : { message: 'Must be greater than zero.', code: 'too_small' }
}

function timesProblem(operator: string, value: unknown): Problem | undefined {
  const wrong = typeProblem(value, 'number', 'Must be a number of times.')
  if (wrong) return wrong
  if (!Number.isInteger(value)) return { message: 'Must be a whole number of times.', code: 'invalid_type' }
  const least = operator === 'countAtLeast' ? 1 : 0
  if ((value as number) < least) {
    const hint = least === 1 ? ' For contacts who never did it, use `countExactly` with 0.' : ''
    return { message: `Must be at least ${least}.${hint}`, code: 'too_small' }
  }
  return (value as number) > TIMES_MAX ? { message: 'Must be at most 1,000,000.', code: 'too_big' } : undefined
}
