/** Tags of emails: names with values by which emails are found and counted. */
import { z } from 'zod'

const TAGS_MAX = 10
const VALUE_MAX = 256
const NAME = /^[A-Za-z0-9_-]{1,64}$/
const RESERVED = new Set(['__proto__', 'constructor', 'prototype'])

export type EmailTags = Record<string, string>

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function nameProblem(name: string): string | undefined {
  if (RESERVED.has(name)) return `The name ${name} is reserved. Use another one.`
  return NAME.test(name) ? undefined : 'A tag name must have 1 to 64 letters, digits, hyphens and underscores.'
}

/** The code that the API returns beside the message. */
function valueProblem(value: unknown): { message: string; code: string } | undefined {
  if (typeof value !== 'string') return { message: 'Must be of type string', code: 'invalid_type' }
  if (value === '') return { message: 'Must not be empty.', code: 'too_small' }
  if ([...value].length > VALUE_MAX) return { message: `Must be at most ${VALUE_MAX} characters.`, code: 'too_big' }
  if (/[\p{Cc}\u2028\u2029]/u.test(value))
    return { message: 'Must not contain line breaks or control characters.', code: 'invalid_string' }
  return undefined
}

/** The field of a request. Not a record, because that would skip `__proto__`. */
export const emailTagsField = z
  .unknown()
  .transform((given, issues): EmailTags => {
    const add = (path: string[], message: string, code: string) =>
      issues.addIssue({ code: 'custom', path, message, params: { code } })
    if (!isObject(given)) {
      add([], 'Must be of type object', 'invalid_type')
      return z.NEVER
    }
    const entries = Object.entries(given)
    if (entries.length > TAGS_MAX) {
      add([], `Must have at most ${TAGS_MAX} tags.`, 'too_big')
      return z.NEVER
    }
    for (const [name, value] of entries) {
      const problem = nameProblem(name)
      if (problem) add([name], problem, 'invalid_string')
      const wrong = valueProblem(value)
      if (wrong) add([name], wrong.message, wrong.code)
    }
    return Object.fromEntries(entries)
  })
  .meta({
    type: 'object',
    maxProperties: TAGS_MAX,
    additionalProperties: { type: 'string', minLength: 1, maxLength: VALUE_MAX },
    description:
      'Up to 10 names (letters, digits, hyphens and underscores) with values of 1 to 256 characters, by which emails can be filtered and counted.',
  })

/** The field of a response. */
export const shownEmailTags = z
  .record(z.string(), z.string())
  .meta({ description: 'The tags with which the email was sent; `{}` if there are none.' })

export interface EmailTag {
  name: string
  value: string
}

/** `name:value`, as in the filter of a list; undefined if it is malformed. */
export function parseTag(text: string, separator = ':'): EmailTag | undefined {
  const end = text.indexOf(separator)
  const [name, value] = [text.slice(0, end), text.slice(end + 1)]
  return end > 0 && !nameProblem(name) && !valueProblem(value) ? { name, value } : undefined
}

/** The filter of a list. */
export const emailTagParam = z
  .string()
  .transform((text, issues): EmailTag => {
    const tag = parseTag(text)
    if (tag) return tag
    issues.addIssue({
      code: 'custom',
      message: 'Must be a tag as name:value, such as category:receipt.',
      params: { code: 'invalid_string' },
    })
    return z.NEVER
  })
  .optional()
  .meta({ type: 'string', description: 'Only emails with this tag, as `name:value`.' })

/** The name of a tag. */
export const tagName = z.string().refine((name) => !nameProblem(name), {
  message: 'Must be the name of a tag: 1 to 64 letters, digits, hyphens and underscores.',
  params: { code: 'invalid_string' },
})
