/** The fields of a form: how they are defined, and how what a visitor enters becomes a value. */
import { z } from 'zod'
import { isReservedInAnyCase } from '../../../kernel/contact-data.ts'
import { isEmailAddress, normalizeEmail } from '../../../kernel/email-address.ts'

const FIELD_TYPES = ['text', 'email', 'number', 'date', 'checkbox', 'select'] as const

const FIELDS_MAX = 20
const OPTIONS_MAX = 100
const LABEL_MAX = 200
const TEXT_MAX = 1_000

const KEY = /^[a-z][\w-]{0,49}$/i
const NOT_FOR_FIELDS = new Set(['constructor', 'prototype', 'topics', 'subscribed'])

const text = (max: number) =>
  z.string().trim().min(1, 'Must not be empty.').max(max, `Must be at most ${max} characters.`)

export const FormField = z.object({
  key: z
    .string()
    .trim()
    .regex(KEY, 'Must begin with A to Z, and have up to 50 letters, digits, hyphens and underscores.')
    .refine((key) => key === 'email' || !(isReservedInAnyCase(key) || NOT_FOR_FIELDS.has(key)), {
      message: 'This name is reserved. Choose another name.',
      params: { code: 'custom' },
    })
    .meta({ description: "The name of the input, and of the field in the contact's data." }),
  label: text(LABEL_MAX),
  type: z.enum(FIELD_TYPES).default('text'),
  required: z.boolean().default(false),
  options: z
    .array(text(LABEL_MAX))
    .max(OPTIONS_MAX, `Must have at most ${OPTIONS_MAX} options.`)
    .default([])
    .meta({ description: 'What can be chosen in a field of type `select`.' }),
})

export type FormField = z.output<typeof FormField>

export const EMAIL_LABEL = 'Email'
const EMAIL_FIELD: FormField = { key: 'email', label: EMAIL_LABEL, type: 'email', required: true, options: [] }

/** Always has the field `email`, which is always required. */
export const FormFields = z
  .array(FormField)
  .max(FIELDS_MAX, `Must have at most ${FIELDS_MAX} fields.`)
  .superRefine((fields, issues) => {
    fields.forEach(({ key, type, options }, i) => {
      const refuse = (name: string, message: string) =>
        issues.addIssue({ code: 'custom', path: [i, name], message, params: { code: 'custom' } })
      if (fields.findIndex((field) => field.key === key) < i) refuse('key', `Another field has the key ${key}.`)
      if (key === 'email' && type !== 'email') refuse('type', 'The field email must have the type email.')
      if (type === 'select' && options.length === 0) refuse('options', 'A select needs at least one option.')
      if (type !== 'select' && options.length > 0) refuse('options', 'Only a field of type select has options.')
      if (new Set(options).size < options.length) refuse('options', 'Must not contain an option twice.')
    })
  })
  .transform((fields) =>
    fields.some(({ key }) => key === 'email')
      ? fields.map((field) => (field.key === 'email' ? { ...field, required: true } : field))
      : [EMAIL_FIELD, ...fields],
  )

export type Value = string | number | boolean

/** `undefined`: nothing was entered. */
export type ReadValue = { value: Value | undefined } | { problem: { message: string; code: string } }

const CHECKED = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ...['true', 'on', '1', 'yes'].map((word) => [word, true] as const),
  ...['false', 'off', '0', 'no'].map((word) => [word, false] as const),
])

/** Reads what was entered in a field, as text of an HTML form or as JSON. */
export function readValue(field: FormField, given: unknown): ReadValue {
  const entered = typeof given === 'string' ? given.trim() : given
  if (entered === undefined || entered === null || entered === '') return missing(field)
  if (typeof entered === 'string' && entered.includes('\0')) return refused('Must not contain the NUL character.')
  const value = READERS[field.type](entered, field)
  if (typeof value === 'object') return value
  return field.type === 'checkbox' && field.required && value === false ? missing(field) : { value }
}

const missing = ({ required }: FormField): ReadValue =>
  required ? refused('This field is required.', 'invalid_type') : { value: undefined }

const refused = (message: string, code = 'invalid_string'): ReadValue & { problem: unknown } => ({
  problem: { message, code },
})

type Reader = (entered: unknown, field: FormField) => Value | (ReadValue & { problem: unknown })

const READERS: Record<FormField['type'], Reader> = {
  text: (entered) =>
    typeof entered !== 'string'
      ? refused('Must be of type string.', 'invalid_type')
      : entered.length > TEXT_MAX
        ? refused(`Must be at most ${TEXT_MAX} characters.`, 'too_big')
        : entered.toWellFormed(),
  email(entered) {
    const address = typeof entered === 'string' ? normalizeEmail(entered.toWellFormed()) : ''
    return isEmailAddress(address) ? address : refused('Must be an email address.')
  },
  number(entered) {
    const number = typeof entered === 'string' ? Number(entered) : entered
    return typeof number === 'number' && Number.isFinite(number)
      ? number
      : refused('Must be a number, such as 12.5.', 'invalid_type')
  },
  date: (entered) =>
    typeof entered === 'string' && isDay(entered) ? entered : refused('Must be a date, such as 2030-12-31.'),
  checkbox: (entered) =>
    CHECKED.get(typeof entered === 'string' ? entered.toLowerCase() : entered) ??
    refused('Must be true or false.', 'invalid_type'),
  select: (entered, { options }) =>
    typeof entered === 'string' && options.includes(entered)
      ? entered
      : refused('Must be one of the options of the field.', 'invalid_enum_value'),
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
