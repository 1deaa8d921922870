/**
 * What the requests of all services have in common: a message, which becomes a request of POST /v1/send. Its body is not a
 * template, unless it names one.
 */
import { isReservedInAnyCase } from '../../../kernel/contact-data.ts'
import { OUTPUT_MAX } from '../../../kernel/content/template-limits.ts'
import { normalizeEmail, parseMailbox } from '../../../kernel/email-address.ts'
import { type FieldProblem, invalid, invalidField, Refusal } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { validate } from '../../../platform/http/route.ts'
import type { MessageExtras } from '../outbox/prepare.ts'
import { type SendInput, SendRequest } from '../outbox/schemas.ts'
import { contentTypeOf } from './content-types.ts'

/** `Ada <ada@example.org>`, or the two parts. */
export type Address = string | { email: string; name?: string | undefined }

export interface CompatAttachment {
  filename: string
  /** Base64. */
  content: string
  /** By default, the type that belongs to the file name. */
  contentType?: string | undefined
  /** Shown in the body, which refers to it. */
  contentId?: string | undefined
  isInline?: boolean
}

export interface CompatMessage {
  from?: Address | undefined
  /** All of them get the same message, which shows all of them. */
  to: Address[]
  cc?: Address[] | undefined
  bcc?: Address[] | undefined
  replyTo?: Address | undefined
  subject?: string | undefined
  html?: string | undefined
  text?: string | undefined
  headers?: Record<string, string> | undefined
  attachments?: CompatAttachment[] | undefined
  tags?: Tag[] | undefined
  /** The ID or the name of a template, with its variables. */
  template?: { ref: string; data: Record<string, unknown> } | undefined
  sendAt?: string | undefined
}

/** A tag, and the field of the request that it comes from. */
export interface Tag {
  name: string
  value: unknown
  field: string
}

/** What a service calls our fields, for its errors. */
export type FieldNames = Partial<
  Record<'to' | 'cc' | 'bcc' | 'from' | 'subject' | 'body' | 'text' | 'reply' | 'data' | 'template' | 'sendAt', string>
> & {
  headers?: string
  attachments?: string
  tags?: string
  /** The fields of an attachment. */
  attachment?: Record<string, string>
}

export interface Checked {
  input: SendInput
  extras: MessageExtras
}

/**
 * Refuses what is invalid, with the names that the service has for the fields. `recipients` get a message each, instead
 * of the one that shows all in `to`.
 */
export function checkMessage(message: CompatMessage, names: FieldNames, recipients?: Address[]): Checked {
  const shownInTo = recipients ? 0 : Math.max(0, message.to.length - 1)
  const field = names.data ?? 'data'
  if (message.template) refuseReserved(message, field)
  refuseLongText([message.html, message.text])
  return withNames(names, shownInTo, () => ({
    input: validate(SendRequest, { ...requestOf(message), ...(recipients && { to: recipients }) }),
    extras: {
      ...(message.template ? {} : { prepared: preparedOf(message) }),
      ...(shownInTo > 0 ? { shownInTo } : {}),
    },
  }))
}

const preparedOf = ({ html, text }: CompatMessage) => ({ plain: text || null, isTextOnly: !html && Boolean(text) })

/** Stands for the body of a message without HTML, which has none. */
const NO_HTML = '-'

function requestOf(message: CompatMessage): Record<string, unknown> {
  const { from, to, cc = [], bcc, replyTo, subject, html, text, headers, attachments, tags, template, sendAt } = message
  const [first, ...others] = to
  const copies = [...others, ...cc]
  return {
    to: first === undefined ? [] : [first],
    ...(from !== undefined && { from }),
    ...(copies.length > 0 && { cc: copies }),
    ...(bcc && bcc.length > 0 && { bcc }),
    ...(replyTo !== undefined && { reply: replyText(replyTo) }),
    ...(subject !== undefined && { subject }),
    ...(template ? templateFields(template, text) : { body: html || (text ? NO_HTML : undefined) }),
    ...(headers && { headers }),
    ...(attachments && attachments.length > 0 && { attachments: attachments.map(attachmentOf) }),
    ...(tags && tags.length > 0 && { tags: tagsOf(tags) }),
    ...(sendAt !== undefined && { sendAt }),
  }
}

/** The variables of a template are used once: they don't become data of the contact. */
const templateFields = ({ ref, data }: NonNullable<CompatMessage['template']>, text: string | undefined) => ({
  template: isId(ref) ? ref : { name: ref },
  data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, { value, persistent: false }])),
  ...(text !== undefined && { text }),
})

/** These variables are always those of the contact, so another value would be ignored. */
function refuseReserved({ template, to: [first = ''] }: CompatMessage, field: string): void {
  const address = parseMailbox(emailOf(first))?.email
  for (const [name, value] of Object.entries(template!.data)) {
    if (!isReservedInAnyCase(name) || (typeof value === 'string' && normalizeEmail(value) === address)) continue
    throw invalidField(`${field}.${name}`, 'This name is reserved for a field of the contact. Rename the variable.')
  }
}

const replyText = (address: Address): string =>
  typeof address === 'string' || !address.name
    ? emailOf(address)
    : `"${address.name.replaceAll(/(["\\])/g, '\\$1')}" <${address.email}>`

export const emailOf = (address: Address): string => (typeof address === 'string' ? address : address.email)

function attachmentOf({ filename, content, contentType, contentId, isInline }: CompatAttachment) {
  return {
    filename,
    content,
    contentType: contentType || contentTypeOf(filename),
    ...(contentId !== undefined && { contentId }),
    ...(isInline && { disposition: 'inline' }),
  }
}

/** Ours are a map, so a name can't occur twice. */
function tagsOf(tags: Tag[]): Record<string, unknown> {
  const map: Record<string, unknown> = {}
  for (const { name, value, field } of tags) {
    if (Object.hasOwn(map, name)) throw invalidField(field, `The tag ${name} occurs twice. Use another name.`)
    Object.defineProperty(map, name, { value, enumerable: true, writable: true, configurable: true })
  }
  return map
}

/** A list of labels as tags: `category`, `category_2`, `category_3`. */
export const labelTags = (name: string, labels: unknown[], field: string): Tag[] =>
  labels.map((value, i) => ({ name: i === 0 ? name : `${name}_${i + 1}`, value, field }))

/** Runs something that refuses fields by our names. */
function withNames<T>(names: FieldNames, shownInTo: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw renamed(error, names, shownInTo)
  }
}

export function renamed(error: unknown, names: FieldNames, shownInTo = 0): unknown {
  if (!(error instanceof Refusal) || !error.extras.problems) return error
  return invalid(error.extras.problems.map((problem) => renamedProblem(problem, names, shownInTo)))
}

export function renamedProblem(problem: FieldProblem, names: FieldNames, shownInTo: number): FieldProblem {
  const [first = '', second, ...rest] = problem.field.replace(/^messages\.\d+\.?/, '').split('.')
  if (first === 'cc' && second !== undefined && shownInTo > 0) {
    const place = Number(second)
    const [field, index] = place < shownInTo ? ['to', place + 1] : ['cc', place - shownInTo]
    return { ...problem, field: [names[field as 'to'] ?? field, index, ...rest].join('.') }
  }
  const name = names[first as Exclude<keyof FieldNames, 'attachment'>] ?? first
  if (first === 'attachments' && rest[0] !== undefined) rest[0] = names.attachment?.[rest[0]] ?? rest[0]
  return { ...problem, field: [name, ...(second === undefined ? [] : [second]), ...rest].join('.') }
}

/** The limit of rendered emails, so that one message doesn't delay others while it is stored and composed. */
export function refuseLongText(texts: Array<string | undefined>): void {
  const length = Math.max(0, ...texts.map((text) => text?.length ?? 0))
  if (length <= OUTPUT_MAX) return
  const words = `The text has ${length} characters. The maximum is ${OUTPUT_MAX}; send the rest as an attachment.`
  throw new Refusal('too-large', 'PAYLOAD_TOO_LARGE', words)
}

/** `Ada <ada@example.org>, "Lovelace, A." <a@example.org>` as a list. */
export function splitAddresses(text: string): string[] {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '\\' && isQuoted) at++
    else if (character === '"') isQuoted = !isQuoted
    else if (character === ',' && !isQuoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== '')
}

/** What Resend and Postmark allow in `to`. */
const TO_MAX = 50
export const notTooMany = [
  (to: string[]) => to.length <= TO_MAX,
  `Must contain at most ${TO_MAX} recipients. Divide them into several emails.`,
] as const

/** Our tests of one recipient don't apply to several: replies go to one address. */
export function onlyOne<T>(list: T[], field: string): T | undefined {
  if (list.length > 1) throw invalidField(field, 'Posthorn supports one Reply-To address. Remove the others.')
  return list[0]
}

/** For options that Posthorn doesn't have. */
export const unsupported = (field: string, message: string): Refusal => invalidField(field, message, 'unsupported')

/** Tracking is a setting of the project, and emails without a template are never tracked. */
export function refuseTracking(wanted: boolean | undefined, field: string, hasTemplate: boolean): void {
  if (wanted === undefined || (!wanted && !hasTemplate)) return
  throw unsupported(
    field,
    hasTemplate
      ? 'Opens and clicks of emails with a template are tracked as the settings of the project say. Remove this field.'
      : 'Emails without a template are not tracked. Remove this field, or send a template.',
  )
}

/** Replaces texts by others, each once: what is inserted is not replaced again. */
export function replaceAll<T extends string | undefined>(text: T, values: Record<string, string> = {}): T {
  const names = Object.keys(values).filter((name) => name !== '')
  if (text === undefined || names.length === 0) return text
  const longestFirst = names
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  return text.replaceAll(new RegExp(longestFirst.join('|'), 'g'), (name) => values[name]!) as T
}
