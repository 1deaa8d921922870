/**
 * `{{ value }}`, and what {% echo %} shares with it: a value, its filters, and HTML escaping. In a body every output is
 * escaped once: at its end, unless one of its filters is `raw`, and not again after `escape`.
 */
import {
  type Arguments,
  type Context,
  type Emitter,
  Filter,
  type Liquid,
  type Output,
  type Template,
  Token,
  TokenKind,
  TypeGuards,
  toValue,
  Value,
} from 'liquidjs'
import { renderContext } from './context.ts'
import { type DialectTokenizer, fallbackChoices } from './tokenizer.ts'
import { Captured, text } from './values.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const SPECIAL = /[&<>"']/g
const SPECIAL_BUT_ENTITIES = /&(?!(?:[A-Za-z][A-Za-z0-9]{1,31}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)|[<>"']/g

const toEntity = (character: string): string => ENTITIES[character]!

export const escapeHtml = (value: string): string => value.replace(SPECIAL, toEntity)
export const escapeHtmlOnce = (value: string): string => value.replace(SPECIAL_BUT_ENTITIES, toEntity)

/** The filters whose result is already safe in HTML. */
const ESCAPING = new Set(['escape', 'escape_once', 'xml_escape'])

type Handler = (this: { context: Context }, value: unknown) => unknown

const escapingWith = (toHtml: (value: string) => string): Handler =>
  function (value) {
    const { options } = renderContext(this.context)
    return options.escape && !(value instanceof Captured) ? toHtml(text(value)) : value
  }

/** For the outputs of {% cycle %}, which the engine escapes itself. */
export const autoEscape = escapingWith(escapeHtml)
const autoEscapeOnce = escapingWith(escapeHtmlOnce)

class ImplicitFilter extends Token {
  readonly name = ''
  readonly args: never[] = []

  constructor() {
    super(TokenKind.Filter, '', 0, 0)
  }
}

/**
 * Inserts the escaping into the filters of an output. After an `escape` in the middle, only additions are escaped and
 * entities are kept. It precedes a final `newline_to_br`, which creates markup.
 */
function placeEscape(filters: Filter[], engine: Liquid): void {
  const names = filters.map((filter) => filter.name)
  const last = names.at(-1) ?? ''
  if (names.includes('raw') || ESCAPING.has(last)) return
  const handler = names.some((name) => ESCAPING.has(name)) ? autoEscapeOnce : autoEscape
  const position = last === 'newline_to_br' ? filters.length - 1 : filters.length
  filters.splice(position, 0, new Filter(new ImplicitFilter(), handler, engine))
}

/** The value and filters of an output, escaping included. */
export function readOutput(tokenizer: DialectTokenizer, engine: Liquid): Value {
  const value = new Value(tokenizer.readFilteredValue(), engine)
  placeEscape(value.filters, engine)
  return value
}

/**
 * The engine's `Output` parses the inside of `{{ }}` with its own tokenizer; this one takes a value that was parsed
 * with ours. Most outputs are a name, a constant or a chain of them. The engine uses ten generators to write a name;
 * looking it up directly saves a fifth of the cost of an email (decision 9).
 */
export class DialectOutput implements Template {
  readonly token: Output['token']
  readonly value: Value
  private readonly lookUp: LookUp | undefined

  constructor(token: Output['token'], value: Value) {
    this.token = token
    this.value = value
    this.lookUp = lookUpOf(value)
  }

  render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> | undefined {
    if (!this.lookUp) return this.renderInSteps(context, emitter)
    emitter.write(autoEscape.call({ context }, this.lookUp(context)))
    return undefined
  }

  private *renderInSteps(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    emitter.write(yield this.value.value(context, false))
  }

  *arguments(): Arguments {
    yield this.value
  }
}

type LookUp = (context: Context) => unknown

/** Undefined for a value that requires the engine. A value without filters has one, the escaping. */
function lookUpOf({ initial: { postfix }, filters }: Value): LookUp | undefined {
  const isPlain = postfix.length === 1 && filters.length === 1 && filters[0]!.name === ''
  return isPlain ? lookUpOfToken(postfix[0]!) : undefined
}

function lookUpOfToken(token: Token): LookUp | undefined {
  if (TypeGuards.isQuotedToken(token) || TypeGuards.isNumberToken(token) || TypeGuards.isLiteralToken(token)) {
    const { content } = token
    return () => content
  }
  if (TypeGuards.isPropertyAccessToken(token) && token.variable === undefined) {
    const parts = token.props.filter((part) => TypeGuards.isWordToken(part) || TypeGuards.isQuotedToken(part))
    const path = parts.map((part) => part.content)
    return path.length === token.props.length ? (context) => context.getSync(path) : undefined
  }
  const choices = fallbackChoices(token)?.map(lookUpOfToken)
  return choices?.every((choice) => choice !== undefined) ? (context) => firstKnown(choices, context) : undefined
}

function firstKnown(choices: LookUp[], context: Context): unknown {
  for (const choice of choices) {
    const value = choice(context)
    if ((toValue(value) ?? undefined) !== undefined) return value
  }
  return undefined
}
