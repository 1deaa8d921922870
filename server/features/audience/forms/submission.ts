/**
 * What a visitor sends with a form, as a pure rule: the values of its fields, topics, where the visitor came from, and
 * whether it looks like spam.
 */
import type { FieldProblem } from '../../../kernel/errors.ts'
import { type FormField, readValue, type Value } from './fields.ts'

/** The input that people don't see and programs fill in. */
export const TRAP = '_website'
/** The time when the form was shown, signed. */
export const TOKEN = '_token'

export const UTM_NAMES = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const
const UTM_MAX = 255
const REFERRER_MAX = 1_000

export const TOPIC_PREFIX = 'topics.'

/** Inputs that the widgets of CAPTCHA providers add. */
const CAPTCHA_INPUTS = [
  'cf-turnstile-response',
  'h-captcha-response',
  'g-recaptcha-response',
  'frc-captcha-response',
] as const

const OWN_INPUTS = new Set<string>([TRAP, TOKEN, ...CAPTCHA_INPUTS])

export interface FormInputs {
  fields: FormField[]
  /** Keys of the topics that visitors can choose. */
  choices: string[]
}

export interface Submission {
  email: string
  /** The values of the other fields that were filled in. */
  data: Record<string, Value>
  /** The campaign that the visitor came from, and the page. */
  source: Record<string, string>
  /** The chosen topics. */
  topics: string[]
}

export type Body = Record<string, unknown>

/** Names that the form doesn't have are problems too: nothing else can be stored through a form. */
export function readSubmission(form: FormInputs, body: Body): Submission | { problems: FieldProblem[] } {
  const problems: FieldProblem[] = []
  const values: Record<string, Value> = {}
  for (const field of form.fields) {
    const read = readValue(field, body[field.key])
    if ('problem' in read) problems.push({ field: field.key, ...read.problem })
    else if (read.value !== undefined) values[field.key] = read.value
  }
  const topics = readTopics(form, body, problems)
  const source = readSource(form, body)
  for (const name of Object.keys(body)) {
    if (isKnown(form, name)) continue
    const message = 'The form has no such field. Use the names of the inputs on its page.'
    problems.push({ field: name.slice(0, 100), message, code: 'unknown_field' })
  }
  if (problems.length > 0) return { problems: problems.slice(0, 20) }
  const { email, ...data } = values
  return { email: String(email), data, source, topics }
}

const isKnown = ({ fields }: FormInputs, name: string): boolean =>
  fields.some(({ key }) => key === name) ||
  OWN_INPUTS.has(name) ||
  isSource(name) ||
  name === 'topics' ||
  name.startsWith(TOPIC_PREFIX)

const isSource = (name: string): boolean => name === 'referrer' || (UTM_NAMES as readonly string[]).includes(name)

/** `topics.news: true`, as on the page, or `topics: {news: true}`. */
function readTopics({ choices }: FormInputs, body: Body, problems: FieldProblem[]): string[] {
  const named = Object.entries(body).flatMap(([name, value]) =>
    name.startsWith(TOPIC_PREFIX) ? [[name.slice(TOPIC_PREFIX.length), value] as const] : [],
  )
  const { topics } = body
  const isObject = typeof topics === 'object' && topics !== null && !Array.isArray(topics)
  if (topics !== undefined && !isObject) {
    problems.push({ field: 'topics', message: 'Must be an object, such as {"news": true}.', code: 'invalid_type' })
  }
  const chosen = new Set<string>()
  for (const [key, value] of [...named, ...(isObject ? Object.entries(topics) : [])]) {
    const field = `${TOPIC_PREFIX}${key.slice(0, 100)}`
    const isChosen = value === true || value === 'true' || value === 'on'
    if (!choices.includes(key)) {
      problems.push({ field, message: 'The form has no such topic to choose.', code: 'unknown_topic' })
    } else if (!isChosen && value !== false && value !== 'false') {
      problems.push({ field, message: 'Must be true or false.', code: 'invalid_type' })
    } else if (isChosen) chosen.add(key)
  }
  return choices.filter((key) => chosen.has(key))
}

/** A visitor can't correct these, so invalid ones are left out. */
function readSource({ fields }: FormInputs, body: Body): Record<string, string> {
  const source: Record<string, string> = {}
  for (const name of UTM_NAMES) {
    const value = textOf(body[name])
    if (value !== '') source[name] = value.slice(0, UTM_MAX).toWellFormed()
  }
  const referrer = textOf(body.referrer)
  if (isPageUrl(referrer)) source.referrer = referrer.toWellFormed()
  return Object.fromEntries(Object.entries(source).filter(([name]) => !fields.some(({ key }) => key === name)))
}

const textOf = (value: unknown): string => (typeof value === 'string' && !value.includes('\0') ? value.trim() : '')

const isPageUrl = (text: string): boolean =>
  text.length <= REFERRER_MAX && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

// Forms carry the time when they were shown, because programs fill in a form at once.

interface Signer {
  sign(purpose: string, text: string): string
  isSigned(purpose: string, text: string, tag: string): boolean
}

const PURPOSE = 'form'
const SHOWN = /^([0-9a-z]{1,10})\.([\w-]{22})$/

export function formToken(secrets: Signer, formId: string, shownAt: Date): string {
  const time = shownAt.getTime().toString(36)
  return `${time}.${secrets.sign(PURPOSE, `${formId} ${time}`)}`
}

/** When the form was shown; undefined for a token that isn't ours, or of another form. */
export function readFormToken(secrets: Signer, formId: string, token: unknown): Date | undefined {
  const [, time, tag] = (typeof token === 'string' && SHOWN.exec(token)) || []
  if (!time || !tag || !secrets.isSigned(PURPOSE, `${formId} ${time}`, tag)) return undefined
  return new Date(Number.parseInt(time, 36))
}

export const LEAST_MS = 2_000

/** `ada@example.org` → `a…@example.org`: enough to recognize a real person's attempt, and identifies nobody. */
export function shortened(email: unknown): string | null {
  const [, first, domain] = (typeof email === 'string' && /^\s*([^\s@])[^@]*@([^\s@]+)\s*$/u.exec(email)) || []
  return first && domain ? `${first}…@${domain}`.slice(0, 200).toWellFormed().replaceAll('\0', '') : null
}
