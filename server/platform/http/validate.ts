/**
 * Turns zod issues into the contract's errors: a dot path, a sentence and a stable code. A schema can set its own code
 * and message through `params: {code}`.
 */
import type { z } from 'zod'
import { type FieldProblem, invalid, notFound } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import type { PathParams } from './route.ts'

type Issue = z.core.$ZodIssue

export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  throw invalid(result.error.issues.flatMap((issue) => toProblems(issue, [])))
}

/** A malformed id is treated as one that doesn't exist. */
export function validateParams(expected: PathParams, given: Record<string, string>): Record<string, string> {
  for (const [name, kind] of Object.entries(expected)) {
    if (kind !== 'text' && !isId(given[name] ?? '')) throw notFound(kind.resource, given[name] ?? '')
  }
  return given
}

function toProblems(issue: Issue, base: PropertyKey[]): FieldProblem[] {
  const path = [...base, ...issue.path]
  if (issue.code === 'invalid_union') {
    const branch = closestBranch(issue.errors)
    if (branch) return branch.flatMap((inner) => toProblems(inner, path))
  }
  const received = receivedOf(issue, path)
  return [
    {
      field: path.map(String).join('.'),
      message: messageOf(issue),
      code: codeOf(issue),
      ...(received === undefined ? {} : { received }),
    },
  ]
}

/** The branch of a union that matched furthest: the one that did not fail on the type of the value. */
function closestBranch(branches: Issue[][]): Issue[] | undefined {
  const rightType = branches.filter((issues) => !issues.some(failsOnType))
  return rightType.sort((a, b) => a.length - b.length)[0]
}

function failsOnType(issue: Issue): boolean {
  if (issue.path.length > 0) return false
  return issue.code === 'invalid_type' || (issue.code === 'invalid_union' && closestBranch(issue.errors) === undefined)
}

function codeOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_union':
      return 'invalid_type'
    case 'too_small':
    case 'too_big':
      return issue.code
    case 'invalid_format':
      return 'invalid_string'
    case 'invalid_value':
      return issue.values.some((value) => typeof value === typeof issue.input) ? 'invalid_enum_value' : 'invalid_type'
    case 'custom':
      return typeof issue.params?.code === 'string' ? issue.params.code : 'custom'
    default:
      return 'custom'
  }
}

function messageOf(issue: Issue): string {
  const missing = 'input' in issue && issue.input === undefined
  if (missing && (issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_union')) {
    return 'This field is required.'
  }
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  if (issue.code === 'invalid_value') return `Must be one of: ${issue.values.map(String).join(', ')}.`
  return issue.message.replace(/^Invalid input: expected /, 'Must be of type ').replace(/, received .*$/, '')
}

/**
 * The received value: its type if the type is wrong, otherwise the value if it is short. Long or secret values are not
 * echoed.
 */
function receivedOf(issue: Issue, path: PropertyKey[]): unknown {
  const input = issue.input
  if (/password|secret|token/i.test(String(path.at(-1)))) return undefined
  if (issue.code === 'invalid_type' || issue.code === 'invalid_union') return typeName(input)
  if (typeof input === 'string') return input.length <= 100 ? input : undefined
  return typeof input === 'number' || typeof input === 'boolean' ? input : undefined
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
