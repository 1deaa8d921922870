/**
 * Liquid as used in emails: `{{ name ?? "you" | capitalize }}`, `{{ first name }}`, `{% if %}`, `{% for %}`. Rendering
 * depends only on the template, the scope and the time; every rendering ends with a text or a `TemplateError`. Unknown
 * names and `null` are empty, arrays are joined, objects are JSON.
 */
import { LiquidError, RenderError, toValueSync } from 'liquidjs'
import { SOURCE_MAX } from '../../kernel/content/template-limits.ts'
import { BoundedText, RenderContext, type RenderOptions } from './context.ts'
import { engine } from './engine.ts'
import { type Nodes, readSource, rendersAtOnce } from './parser.ts'
import { parseFailure, renderFailure, TemplateError } from './template-error.ts'
import type { Traits } from './tokenizer.ts'

/** A parsed template. */
export interface Template {
  readonly nodes: Nodes
  readonly traits: Traits
  readonly length: number
  /**
   * Whether everything it does takes linear time, in small steps. Nearly every email is plain. Others may be just as
   * fast, but that can't be determined by reading them, so they are rendered in a thread that can be stopped.
   */
  readonly plain: boolean
  /** It consists of text and names, without tags and filters. */
  readonly isFlat: boolean
}

/** Nothing to render: the source is the result. */
export const isStatic = (source: string): boolean => !source.includes('{{') && !source.includes('{%')

/** Parsed templates, most recently used last. Memory is estimated: a part takes about 350 bytes (measured). */
const cache = new Map<string, Template>()
const CACHE_BYTES_MAX = 32_000_000
let cacheBytes = 0

const bytesOf = (template: Template): number => template.length * 2 + template.traits.parts * 350

export const isParsed = (source: string): boolean => cache.has(source)

/** The number of characters inside {{ }} and {% %}, to which the parsing time is proportional. */
export function codeLength(source: string): number {
  const opening = /\{[{%]/g
  let length = 0
  for (let found = opening.exec(source); found; found = opening.exec(source)) {
    const end = source.indexOf(found[0] === '{{' ? '}}' : '%}', found.index)
    if (end === -1) return length + source.length - found.index
    length += end - found.index
    opening.lastIndex = end + 2
  }
  return length
}

export function parseTemplate(source: string): Template {
  const known = cache.get(source)
  if (known) {
    cache.delete(source)
    cache.set(source, known)
    return known
  }
  const template = readTemplate(source)
  cache.set(source, template)
  cacheBytes += bytesOf(template)
  for (const [oldest, dropped] of cache) {
    if (cacheBytes <= CACHE_BYTES_MAX) break
    cache.delete(oldest)
    cacheBytes -= bytesOf(dropped)
  }
  return template
}

function readTemplate(source: string): Template {
  if (source.length > SOURCE_MAX) {
    throw new TemplateError('size', `A template can have at most ${SOURCE_MAX} characters.`)
  }
  try {
    const { nodes, traits } = readSource(source, engine)
    const { length } = source
    return { nodes, traits, length, plain: isPlain(traits, length), isFlat: nodes.every(rendersAtOnce) }
  } catch (error) {
    throw parseFailure(error)
  }
}

export function renderTemplate(
  { nodes, isFlat }: Template,
  scope: Scope,
  options: RenderOptions,
  output = new BoundedText(),
): string {
  try {
    const context = new RenderContext(scope, engine, options)
    if (isFlat) renderFlat(nodes, context, output)
    else toValueSync(engine.renderer.renderTemplates(nodes, context, output))
    return output.buffer
  } catch (error) {
    throw renderFailure(error)
  }
}

const NODES_BETWEEN_CHECKS = 50

/** Text and names only. The engine takes three times as long for them, because it can wait at each. */
function renderFlat(nodes: Nodes, context: RenderContext, output: BoundedText): void {
  context.isFlat = true
  let untilCheck = 0
  for (const node of nodes) {
    if (untilCheck-- === 0) {
      context.renderLimit.check(performance.now())
      untilCheck = NODES_BETWEEN_CHECKS
    }
    try {
      node.render(context, output)
    } catch (error) {
      throw LiquidError.is(error) ? error : new RenderError(error as Error, node)
    }
  }
}

const words = (...lines: string[]): Set<string> => new Set(lines.flatMap((line) => line.split(' ')))

const PLAIN_TAGS = words(
  '# assign break capture case comment continue cycle decrement echo for if increment liquid raw unless',
)

const PLAIN_FILTERS = words(
  'abs at_least at_most ceil divided_by floor minus modulo plus round times to_integer',
  'append capitalize downcase lstrip newline_to_br normalize_whitespace prepend rstrip squish strip strip_newlines',
  'truncate truncatewords upcase escape escape_once xml_escape raw url_encode url_decode cgi_escape uri_escape',
  'date date_to_long_string date_to_rfc822 date_to_string date_to_xmlschema',
  'default first join json last size',
)

const PLAIN_LENGTH_MAX = 200_000
const LOOP_DEPTH_MAX = 2

const allIn = (used: Set<string>, plain: Set<string>): boolean => [...used].every((name) => plain.has(name))

const isPlain = (traits: Traits, length: number): boolean =>
  length <= PLAIN_LENGTH_MAX &&
  !traits.ranges &&
  traits.loopDepth <= LOOP_DEPTH_MAX &&
  allIn(traits.tags, PLAIN_TAGS) &&
  allIn(traits.filters, PLAIN_FILTERS)

// The variables of a template. A name is looked up in the request's data, then the contact's data, then `id`, `email`
// and the four links, then `data`. Everything is copied into objects with a harmless prototype, so that only the data
// can be reached and no rendering affects another.

export interface Scope {
  readonly [name: string]: unknown
}

export interface ScopeParts {
  /** The `data` of the request (or the context of a manually started workflow). */
  requestData?: Record<string, unknown> | null
  contactData?: Record<string, unknown> | null
  contact: { id: string; email: string }
  /** `viewInBrowserUrl` is empty where there is no email, as in the configuration of a workflow step. */
  links: { unsubscribeUrl: string; subscribeUrl: string; manageUrl: string; viewInBrowserUrl?: string }
  /** What all emails with the same content have, such as the feed of a campaign. It takes precedence. */
  contentData?: Record<string, unknown> | null
  /** The event that started a workflow; if set, `event` refers only to it. */
  event?: Record<string, unknown> | null
}

/** Data below this depth is dropped. */
const DEPTH_MAX = 64

/**
 * Filters convert values to text: the text of an object is its JSON. A symbol can't be shadowed by a key in the data.
 */
const shape: object = Object.freeze(
  Object.assign(Object.create(null), {
    [Symbol.toPrimitive](this: object, hint: string): string | number {
      return hint === 'number' ? Number.NaN : JSON.stringify(this)
    },
  }),
)

type Bag = Record<string, unknown>

function copyInto(bag: Bag, from: object, depth: number): Bag {
  for (const [key, value] of Object.entries(from)) {
    const copied = copyValue(value, depth + 1)
    if (copied !== undefined) bag[key] = copied
  }
  return bag
}

function copyValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null) {
    return value
  }
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || depth > DEPTH_MAX) return undefined
  if (Array.isArray(value)) return value.map((item) => copyValue(item, depth + 1) ?? null)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  return copyInto(Object.create(shape), value, depth)
}

/** Converts any record into a scope, also after it was sent to another thread. */
export const scopeOf = (record: object): Scope => copyInto(Object.create(null), record, 0)

/**
 * `data` is the contact's data overlaid by the request's. If the data has a key named `data`, that key takes
 * precedence: its entries overlay the others if it is an object; otherwise it replaces them.
 */
export function templateScope({ contentData, requestData, contactData, contact, links, event }: ScopeParts): Scope {
  const data: Bag = Object.create(shape)
  if (contactData) copyInto(data, contactData, 0)
  if (requestData) copyInto(data, requestData, 0)

  const scope: Bag = Object.create(null)
  Object.assign(scope, { id: contact.id, email: contact.email }, pickLinks(links), data)
  const own = data.data
  if (own === undefined) scope.data = data
  else if (isBag(own)) scope.data = Object.assign(Object.create(shape), data, own)
  if (contentData) copyInto(scope, contentData, 0)
  if (event) scope.event = copyInto(Object.create(shape), event, 0)
  return scope
}

const pickLinks = ({ unsubscribeUrl, subscribeUrl, manageUrl, viewInBrowserUrl = '' }: ScopeParts['links']) => ({
  unsubscribeUrl,
  subscribeUrl,
  manageUrl,
  viewInBrowserUrl,
})

const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value)
