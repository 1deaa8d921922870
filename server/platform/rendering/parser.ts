/**
 * Parses a source into nodes: the engine's parser with our dialect between the delimiters. Names with spaces and `??`
 * are part of the API, and the engine has no option for either: tags and filters can be registered, but the tokenizer
 * can't. So this extends the exported classes and overrides only public methods. Time and memory are linear in the
 * source.
 */
import {
  type Liquid,
  LiquidError,
  type Output,
  ParseError,
  Parser,
  type Template,
  Tokenizer,
  type TopLevelToken,
  TypeGuards,
  Value,
} from 'liquidjs'
import { NESTING_MAX } from '../../kernel/template-limits.ts'
import { DialectOutput, readOutput } from './output.ts'
import { tooDeep } from './template-error.ts'
import { countParts, DialectTokenizer, type NameStyle, type Traits } from './tokenizer.ts'

export type Nodes = Template[]
type OutputToken = Output['token']
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
      return TypeGuards.isOutputToken(token) ? this.parseOutput(token) : super.parseToken(token, rest)
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

  private parseOutput(token: OutputToken): Output {
    return this.readOutput(token) as Template as Output // the engine renders any template, but declares its own classes
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
