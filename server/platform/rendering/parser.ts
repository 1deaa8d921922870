/**
 * Parses a source into nodes: the engine's parser with our dialect between the delimiters. Names with spaces and `??`
 * are part of the API, and the engine has no option for either: tags and filters can be registered, but the tokenizer
 * can't. So this extends the exported classes and overrides only public methods. Time and memory are linear in the
 * source.
 */
import {
  type Arguments,
  type Context,
  type Emitter,
  Filter,
  type Liquid,
  LiquidError,
  type Output,
  ParseError,
  Parser,
  type TagToken,
  type Template,
  Token,
  Tokenizer,
  TokenKind,
  type TopLevelToken,
  TypeGuards,
  toValue,
  Value,
} from 'liquidjs'
import { NESTING_MAX } from '../../kernel/content/template-limits.ts'
import { BoundedText, Captured, renderContext, text } from './context.ts'
import { tooDeep } from './template-error.ts'
import { countParts, DialectTokenizer, fallbackChoices, type NameStyle, type Traits } from './tokenizer.ts'

export type Nodes = Template[]
type OutputToken = Output['token']
type SourceToken = Exclude<TopLevelToken, TagToken | OutputToken>
type Options = Liquid['options']
type Enclosing = 'raw' | 'comment'

const NAME_STYLES: Record<string, NameStyle> = {
  echo: 'words',
  if: 'words-between-operators',
  elsif: 'words-between-operators',
  unless: 'words-between-operators',
  case: 'words-between-operators',
  when: 'words-between-operators',
  assign: 'words-between-operators',
  for: 'words-in-loop',
  tablerow: 'words-in-loop',
}

const END_TAGS = { raw: /\{%-?\s*endraw\s*-?%\}/g, comment: /\{%-?\s*endcomment\s*-?%\}/g }

/** Splits a source into text, outputs and tags. The content of {% raw %} and {% comment %} is text. */
class SourceTokenizer extends Tokenizer {
  private readonly traits: Traits
  private enclosing: Enclosing | undefined
  private enclosedFrom = 0

  constructor(source: string, traits: Traits) {
    super(source)
    this.traits = traits
  }

  override readTopLevelToken(options: Options): TopLevelToken {
    countParts(this.traits, 1)
    if (this.enclosing) return this.readEnclosed(this.enclosing, options)
    if (this.match('{{')) return this.readOutputToken(options)
    if (!this.match('{%')) return this.readHTMLToken(['{{', '{%'])
    const tag = this.readTagToken(options)
    if (tag.name === 'raw' || tag.name === 'comment') this.enclosing = tag.name
    this.enclosedFrom = tag.begin
    return tag
  }

  private readEnclosed(name: Enclosing, options: Options): TopLevelToken {
    const endTag = END_TAGS[name]
    endTag.lastIndex = this.p
    const end = endTag.exec(this.input)
    if (!end) throw this.error(`tag ${name} not closed`, this.enclosedFrom)
    if (end.index > this.p) return this.readHTMLToken([end[0]])
    this.enclosing = undefined
    return this.readTagToken(options)
  }
}

/**
 * The engine removes tokens with `shift`, which moves all the others: up to 0.7 s for a template of 20,000 parts
 * (measured).
 */
function queueOf(tokens: TopLevelToken[]): TopLevelToken[] {
  let next = 0
  const queue = {
    get length() {
      return tokens.length - next
    },
    shift: () => tokens[next++],
  }
  return queue as unknown as TopLevelToken[] // the parser and its tags use nothing else of it
}

class DialectParser extends Parser {
  readonly traits: Traits = { parts: 0, tags: new Set(), filters: new Set(), ranges: false, loopDepth: 0 }
  private readonly engine: Liquid
  private depth = 0
  private loops = 0

  constructor(engine: Liquid) {
    super(engine)
    this.engine = engine
  }

  override parse(source: string): Template[] {
    const { options } = this.engine
    return this.parseTokens(new SourceTokenizer(source, this.traits).readTopLevelTokens(options))
  }

  override parseTokens(tokens: TopLevelToken[]): Template[] {
    for (const token of tokens) {
      if (!TypeGuards.isTagToken(token)) continue
      const { input, p, N } = token.tokenizer
      const style = Object.hasOwn(NAME_STYLES, token.name) ? NAME_STYLES[token.name]! : 'one-word'
      token.tokenizer = new DialectTokenizer(input, [p, N], style, this.traits, this.engine)
    }
    return super.parseTokens(queueOf(tokens))
  }

  override parseToken(token: TopLevelToken, rest: TopLevelToken[]): ReturnType<Parser['parseToken']> {
    if (!TypeGuards.isTagToken(token)) {
      const node = TypeGuards.isOutputToken(token) ? this.readOutput(token) : new SourceText(token)
      return node as Template as Output // the engine renders any template, but declares its own classes
    }
    const isLoop = token.name === 'for' || token.name === 'tablerow'
    if (++this.depth > NESTING_MAX) throw new ParseError(tooDeep(), token)
    if (isLoop) this.traits.loopDepth = Math.max(this.traits.loopDepth, ++this.loops)
    this.traits.tags.add(token.name)
    const node = super.parseToken(token, rest)
    this.depth--
    if (isLoop) this.loops--
    return node
  }

  private readOutput(token: OutputToken): DialectOutput {
    const [begin, end] = token.contentRange
    // `{{ }}` is empty, as it is in Ruby.
    if (begin === end) return new DialectOutput(token, new Value('nil', this.engine))
    try {
      const tokenizer = new DialectTokenizer(token.input, [begin, end], 'words', this.traits, this.engine)
      return new DialectOutput(token, readOutput(tokenizer, this.engine))
    } catch (error) {
      if (LiquidError.is(error) || !(error instanceof Error)) throw error
      throw new ParseError(error, token)
    }
  }
}

/** The nodes of a template, and the traits found while parsing. */
export function readSource(source: string, engine: Liquid): { nodes: Nodes; traits: Traits } {
  const parser = new DialectParser(engine)
  return { nodes: parser.parse(source), traits: parser.traits }
}

// `{{ value }}`, and what {% echo %} shares with it: a value, its filters, and HTML escaping. In a body every output is
// escaped once: at its end, unless one of its filters is `raw`, and not again after `escape`.

const SPECIAL = /[&<>"']/
const SPECIAL_BUT_ENTITIES = /&(?!(?:[A-Za-z][A-Za-z0-9]{1,31}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)|[<>"']/g

/** Takes half as long as a replacement by a function, which matters for long texts and for the values of every email. */
export function escapeHtml(value: string): string {
  const first = value.search(SPECIAL)
  if (first === -1) return value
  let escaped = ''
  let start = 0
  for (let at = first; at < value.length; at++) {
    const entity = entityOf(value.charCodeAt(at))
    if (entity === undefined) continue
    escaped += value.slice(start, at) + entity
    start = at + 1
  }
  return escaped + value.slice(start)
}

function entityOf(code: number): string | undefined {
  switch (code) {
    case 0x26:
      return '&amp;'
    case 0x3c:
      return '&lt;'
    case 0x3e:
      return '&gt;'
    case 0x22:
      return '&quot;'
    case 0x27:
      return '&#39;'
    default:
      return undefined
  }
}

export const escapeHtmlOnce = (value: string): string => value.replace(SPECIAL_BUT_ENTITIES, escapeHtml)

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
class DialectOutput implements Template {
  readonly token: Output['token']
  readonly value: Value
  private readonly lookUp: LookUp | undefined

  constructor(token: Output['token'], value: Value) {
    this.token = token
    this.value = value
    this.lookUp = lookUpOf(value)
  }

  get rendersAtOnce(): boolean {
    return this.lookUp !== undefined
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

/** What is outside of `{{ }}` and `{% %}`. */
class SourceText implements Template {
  readonly token: SourceToken
  private readonly source: string

  constructor(token: SourceToken) {
    this.token = token
    this.source = token.getContent()
  }

  render(_context: Context, emitter: Emitter): void {
    if (emitter instanceof BoundedText) emitter.writeSource(this.source)
    else emitter.write(this.source)
  }
}

/** Whether a node renders at once, without the steps of the engine. */
export const rendersAtOnce = (node: Template): boolean =>
  node instanceof SourceText || (node instanceof DialectOutput && node.rendersAtOnce)

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
    return path.length === token.props.length ? (context) => readPath(context, path) : undefined
  }
  const choices = fallbackChoices(token)?.map(lookUpOfToken)
  return choices?.every((choice) => choice !== undefined) ? (context) => firstKnown(choices, context) : undefined
}

function readPath(context: Context, path: string[]): unknown {
  const rendering = renderContext(context)
  return rendering.isFlat ? rendering.readName(path) : context.getSync(path)
}

function firstKnown(choices: LookUp[], context: Context): unknown {
  for (const choice of choices) {
    const value = choice(context)
    if ((toValue(value) ?? undefined) !== undefined) return value
  }
  return undefined
}
