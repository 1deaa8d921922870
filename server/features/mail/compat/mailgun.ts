/** Requests and responses of Mailgun, which are forms. */
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { parseMailbox } from '../../../kernel/email-address.ts'
import { invalidField, Refusal } from '../../../kernel/errors.ts'
import { parseJsonBody } from '../../../platform/http/bodies/read-body.ts'
import type { FormFields, FormFile } from '../../../platform/http/bodies/read-form.ts'
import type { RequestFacts } from '../../../platform/http/route.ts'
import type { Outgoing } from './actions.ts'
import {
  type CompatMessage,
  emailOf,
  type FieldNames,
  labelTags,
  onlyOne,
  refuseTracking,
  splitAddresses,
  type Tag,
  unsupported,
} from './message.ts'
import { mailgunTime } from './schedule.ts'

const field = (description: string) => z.string().optional().meta({ description })
const file = (description: string) => z.file().optional().meta({ description })

/** Describes the form; its fields are read below. */
export const MailgunForm = z.object({
  from: z.string().meta({ description: 'The sender, such as `Acme <hello@example.com>`.' }),
  to: z.string().meta({
    description:
      'Recipients, separated by commas or in several fields, who see each other unless `recipient-variables` is present.',
  }),
  cc: field('Further recipients, shown in the message.'),
  bcc: field('Further recipients, not shown in the message.'),
  subject: field('Required, unless a template is named.'),
  text: field('The plain text, sent unchanged. Generated from the HTML if it is absent.'),
  html: field('The HTML, sent unchanged.'),
  attachment: file('A file. The field can occur several times.'),
  inline: file('A file that the body refers to as cid:<file name>. The field can occur several times.'),
  template: field('The ID or the name of a template.'),
  't:variables': field('The variables of the template, as JSON.'),
  'recipient-variables': field(
    'Variables for each recipient, as JSON: each gets a message in which `%recipient.name%` is replaced.',
  ),
  'o:tag': field('Becomes the tag `tag`, and `tag_2` and so on if the field occurs several times.'),
  'o:deliverytime': field('When the email is sent, such as `Tue, 01 Dec 2026 09:00:00 +0000`.'),
  'o:testmode': field('`yes` checks the request and sends nothing.'),
  'h:X-My-Header': field('A header. `h:Reply-To` is the address for replies.'),
  'v:my-var': field('Becomes a tag and, with a template, a variable.'),
})

export const MailgunReply = z.object({
  id: z.string().meta({ description: 'The Message-ID, in angle brackets. Of several messages, that of the first.' }),
  message: z.string(),
})

export const MailgunError = z.object({ message: z.string() })

/** `api:<key>` in base64. */
export function mailgunKey({ authorization }: RequestFacts['headers']): string | undefined {
  const encoded = /^Basic +(\S+) *$/i.exec(String(authorization ?? ''))?.[1]
  const [, key] = /^api:(\S+)$/.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? []
  return key
}

const NAMES: FieldNames = {
  body: 'html',
  reply: 'h:Reply-To',
  data: 't:variables',
  sendAt: 'o:deliverytime',
  tags: 'v',
  headers: 'h',
  attachments: 'attachment',
}

const YES = /^(yes|true|1)$/i
const NO = /^(no|false|0)$/i

/** Options that have no effect with this value, because it is what always happens. */
const USUAL: Record<string, RegExp> = {
  'o:dkim': YES,
  'o:require-tls': NO,
  'o:skip-verification': NO,
  't:text': YES,
}

const KNOWN = new Set(
  'from to cc bcc subject text html attachment inline template t:variables recipient-variables o:tag o:deliverytime o:testmode'.split(
    ' ',
  ),
)
const TRACKING = new Set(['o:tracking', 'o:tracking-clicks', 'o:tracking-opens'])

export interface MailgunRequest {
  outgoing: Outgoing[]
  from: string
  /** Sends nothing. */
  isTest: boolean
}

export function readMailgun({ clock }: Pick<Context, 'clock'>, form: FormFields): MailgunRequest {
  const { texts, files } = sorted(form)
  const has = (name: string) => texts.has(name)
  const one = (name: string) => lastOf(texts, name)
  const template = one('template')
  refuseUnknown(texts, template !== undefined)
  if (template !== undefined && has('html')) throw invalidField('html', 'Must be absent if `template` is present.')
  if (!has('from')) throw invalidField('from', 'This field is required.', 'invalid_type')
  const time = one('o:deliverytime')
  const { headers, replyTo } = headersOf(texts)
  const variables = variablesOf(texts)
  const base: Omit<CompatMessage, 'to'> = {
    from: one('from'),
    cc: addressesIn(texts, 'cc'),
    bcc: addressesIn(texts, 'bcc'),
    replyTo,
    subject: one('subject'),
    html: one('html'),
    text: one('text'),
    headers,
    attachments: files.map(([name, { filename, contentType, content }]) => ({
      filename,
      content,
      contentType,
      ...(name === 'inline' && { contentId: filename, isInline: true }),
    })),
    tags: [...labelTags('tag', texts.get('o:tag') ?? [], 'o:tag'), ...variables],
    template:
      template === undefined
        ? undefined
        : {
            ref: template,
            data: {
              ...Object.fromEntries(variables.map(({ name, value }) => [name, value])),
              ...jsonIn(texts, 't:variables'),
            },
          },
    sendAt: time === undefined ? undefined : mailgunTime(time, clock.now(), 'o:deliverytime'),
  }
  const to = addressesIn(texts, 'to')
  const messages = has('recipient-variables')
    ? personalized(base, to, jsonIn(texts, 'recipient-variables'))
    : [{ ...base, to }]
  return {
    outgoing: messages.map((message) => ({ message, names: NAMES })),
    from: base.from as string,
    isTest: YES.test(one('o:testmode') ?? ''),
  }
}

type Texts = Map<string, string[]>

function sorted(form: FormFields): { texts: Texts; files: Array<[string, FormFile]> } {
  const texts: Texts = new Map()
  const files: Array<[string, FormFile]> = []
  for (const [name, values] of Object.entries(form)) {
    for (const value of values) {
      const isFile = name === 'attachment' || name === 'inline'
      if (isFile !== (typeof value !== 'string')) {
        throw invalidField(name, isFile ? 'Must be a file with a name.' : 'Must be a text, not a file.', 'invalid_type')
      }
      if (typeof value === 'string') texts.set(name, [...(texts.get(name) ?? []), value])
      else files.push([name, value])
    }
  }
  return { texts, files }
}

const lastOf = (texts: Texts, name: string): string | undefined => texts.get(name)?.at(-1)

const addressesIn = (texts: Texts, name: string): string[] => (texts.get(name) ?? []).flatMap(splitAddresses)

function refuseUnknown(texts: Texts, hasTemplate: boolean): void {
  for (const name of texts.keys()) {
    if (KNOWN.has(name) || /^[hv]:./.test(name)) continue
    const value = lastOf(texts, name)!.trim()
    if (USUAL[name]?.test(value)) continue
    if (!TRACKING.has(name)) throw unsupported(name, 'This field is not supported. Remove it.')
    refuseTracking(!NO.test(value), name, hasTemplate)
  }
}

function headersOf(texts: Texts): Pick<CompatMessage, 'headers' | 'replyTo'> {
  const named = [...texts]
    .filter(([name]) => name.startsWith('h:'))
    .map(([name, values]) => [name.slice(2), values] as const)
  const [reply] = named.filter(([name]) => name.toLowerCase() === 'reply-to')
  const others = named.filter(([name]) => name.toLowerCase() !== 'reply-to')
  return {
    replyTo: reply && onlyOne(reply[1].flatMap(splitAddresses), 'h:Reply-To'),
    headers: others.length > 0 ? Object.fromEntries(others.map(([name, values]) => [name, values.at(-1)!])) : undefined,
  }
}

const variablesOf = (texts: Texts): Array<Tag & { value: string }> =>
  [...texts]
    .filter(([name]) => name.startsWith('v:'))
    .map(([name, values]) => ({ name: name.slice(2), value: values.at(-1)!, field: name }))

function jsonIn(texts: Texts, name: string): Record<string, unknown> {
  const text = lastOf(texts, name)
  if (text === undefined) return {}
  try {
    const value = parseJsonBody(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  throw invalidField(name, 'Must be a JSON object.', 'invalid_string')
}

/** A message for each recipient, with that recipient's values. */
function personalized(
  base: Omit<CompatMessage, 'to'>,
  to: string[],
  variables: Record<string, unknown>,
): CompatMessage[] {
  for (const name of ['cc', 'bcc'] as const) {
    if (base[name]!.length > 0) throw unsupported(name, 'Must be absent if `recipient-variables` is present.')
  }
  const byAddress = new Map(Object.entries(variables).map(([address, own]) => [address.toLowerCase(), own]))
  return to.map((address) => {
    const { email = emailOf(address), name = '' } = parseMailbox(address) ?? {}
    const values = replacements(email, name, byAddress.get(email))
    return {
      ...base,
      to: [address],
      subject: mapTexts(base.subject, values),
      html: mapTexts(base.html, values),
      text: mapTexts(base.text, values),
      headers: base.headers && mapTexts(base.headers, values),
      tags: base.tags?.map((tag) => ({ ...tag, value: mapTexts(tag.value, values) })),
      template: base.template && { ...base.template, data: mapTexts(base.template.data, values) },
    }
  })
}

function replacements(email: string, name: string, own: unknown): Record<string, string> {
  const entries = typeof own === 'object' && own !== null ? Object.entries(own) : []
  return {
    '%recipient%': name ? `${name} <${email}>` : email,
    '%recipient_email%': email,
    '%recipient_name%': name,
    ...Object.fromEntries(
      entries.map(([key, value]) => [`%recipient.${key}%`, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  }
}

const VARIABLE = /%recipient(?:\.[^%\s]{1,255}|_email|_name)?%/g
/** Deeper variables are refused later. */
const DEEPEST = 20

function mapTexts<T>(value: T, values: Record<string, string>, depth = 0): T {
  if (typeof value === 'string') return value.replaceAll(VARIABLE, (name) => values[name] ?? name) as T
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, values, depth + 1)) as T
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, values, depth + 1)])) as T
}
