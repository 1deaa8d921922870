/**
 * Tokenizes the inside of `{{ }}` and `{% %}`. Two things are added to Liquid: `??` between values, which binds tighter
 * than any operator, and names with spaces. Both are parsed in place, so positions in the source are correct, and
 * quoted text and {% raw %} are not affected.
 */
import {
  type Context,
  Expression,
  evalToken,
  type Liquid,
  type PropertyAccessToken,
  Token,
  Tokenizer,
  TokenKind,
  TypeGuards,
  toValue,
  type ValueToken,
} from 'liquidjs'
import { NESTING_MAX, PARTS_MAX, RANGE_MAX } from '../../kernel/content/template-limits.ts'
import { TemplateError, tooDeep } from './template-error.ts'

/**
 * Where names with spaces are allowed. In an output, consecutive words are one name. In tags with a value, `and`, `or`,
 * `contains` and `not` end a name; in the head of a loop, its keywords do. In other tags a name is one word.
 */
export type NameStyle = 'words' | 'words-between-operators' | 'words-in-loop' | 'one-word'

/** What was found while parsing: the size of the template, and whether it is plain enough to render in this thread. */
export interface Traits {
  parts: number
  tags: Set<string>
  filters: Set<string>
  ranges: boolean
  loopDepth: number
}

export function countParts(traits: Traits, more: number): void {
  traits.parts += more
  if (traits.parts <= PARTS_MAX) return
  throw new TemplateError('size', `A template can have at most ${PARTS_MAX} names, filters and tags.`)
}

const OPERATOR_WORDS = new Set(['and', 'or', 'contains', 'not'])
const LOOP_OPTIONS = new Set(['limit', 'offset', 'cols'])
const WORD_CHARACTER = /[A-Za-z0-9_?-]|[^\0-\x7f\s\u180e\u201c\u201d]/

/** Replaces the first character of `??`, which would otherwise be part of a name. */
const FALLBACK_MARK = '\x01'

export class DialectTokenizer extends Tokenizer {
  private readonly style: NameStyle
  private readonly traits: Traits
  private readonly knownFilters: Liquid['filters']
  private depth = 0

  constructor(input: string, range: [number, number], style: NameStyle, traits: Traits, engine: Liquid) {
    super(input, engine.options.operators, undefined, range)
    this.style = style
    this.traits = traits
    this.knownFilters = engine.filters
  }

  override peek(n = 0): string {
    const character = super.peek(n)
    return character === '?' && super.peek(n + 1) === '?' ? FALLBACK_MARK : character
  }

  override readValue(): ValueToken | undefined {
    if (++this.depth > NESTING_MAX) throw tooDeep()
    const first = this.readOperand()
    const choices: ValueToken[] = first ? [first] : []
    while (first && this.readFallbackMark()) {
      const next = this.readOperand()
      this.assert(next, 'expected a value after "??"')
      choices.push(next!)
    }
    this.depth--
    return choices.length > 1 ? fallbackToken(choices, this.spanFrom(first!.begin)) : first
  }

  override readGroupOrRange(): ReturnType<Tokenizer['readGroupOrRange']> {
    const range = super.readGroupOrRange()
    if (!TypeGuards.isRangeToken(range)) return range
    this.traits.ranges = true
    return rangeToken(range.lhs, range.rhs, range)
  }

  override readOperator(): ReturnType<Tokenizer['readOperator']> {
    const operator = super.readOperator()
    if (!operator || this.style !== 'words' || !OPERATOR_WORDS.has(operator.operator)) return operator
    this.p = operator.begin
    return undefined
  }

  override *readExpressionTokens(): IterableIterator<Token> {
    let afterValue = false
    for (const token of super.readExpressionTokens()) {
      const isValue = !TypeGuards.isOperatorToken(token)
      this.assert(!(isValue && afterValue), 'expected an operator or "|" between two values', token.begin)
      afterValue = isValue
      yield token
    }
  }

  override readFilter(): ReturnType<Tokenizer['readFilter']> {
    countParts(this.traits, 1)
    const filter = super.readFilter()
    if (!filter) return null
    this.assert(this.knownFilters[filter.name], `undefined filter: ${filter.name}`, filter.begin)
    this.traits.filters.add(filter.name)
    return filter
  }

  private spanFrom(begin: number) {
    return { input: this.input, begin, end: this.p }
  }

  private readFallbackMark(): boolean {
    const before = this.p
    this.skipBlank()
    const found = this.peek() === FALLBACK_MARK
    this.p = found ? this.p + 2 : before
    return found
  }

  private readOperand(): ValueToken | undefined {
    this.skipBlank()
    const begin = this.p
    const names = this.style === 'one-word' ? undefined : this.readSpacedName()
    if (!names) this.p = begin
    const value = names ? pathToken(names, this.readRestOfPath(), this.spanFrom(begin)) : super.readValue()
    countParts(this.traits, TypeGuards.isPropertyAccessToken(value) ? value.props.length : 1)
    return value
  }

  /** Consecutive words, split at dots: `home address.city` is `home address` and `city`. */
  private readSpacedName(): string[] | undefined {
    const begin = this.p
    let end = begin
    let words = 0
    for (;;) {
      const start = this.p
      while (this.atPartOfPath()) this.p++
      const word = this.input.slice(start, this.p)
      if (word === '' || this.endsName(word)) break
      words++
      end = this.p
      this.skipBlank()
    }
    this.p = end
    if (words < 2) return undefined
    const names = this.input.slice(begin, end).split('.').map(withSingleBlanks)
    return names.includes('') ? undefined : names
  }

  /** The word that was just read. */
  private endsName(word: string): boolean {
    if (this.style === 'words-between-operators') return OPERATOR_WORDS.has(word)
    if (this.style !== 'words-in-loop') return false
    return word === 'reversed' || (LOOP_OPTIONS.has(word) && /^\s*:/.test(this.input.slice(this.p, this.N)))
  }

  private atPartOfPath(): boolean {
    const character = this.peek()
    return character === '.' ? this.peek(1) !== '.' : WORD_CHARACTER.test(character)
  }

  /** What can follow a name with spaces: `order lines[0]`, `order lines["first one"].price`. */
  private readRestOfPath(): PathPart[] {
    const rest: PathPart[] = []
    while (this.peek() === '[') {
      this.p++
      const key = this.readValue()
      this.assert(key, 'expected a value inside [ ]')
      this.assert(this.readTo(']') !== -1, '[ not closed')
      rest.push(key!)
      while (this.peek() === '.' && WORD_CHARACTER.test(this.peek(1))) {
        this.p++
        rest.push(this.readIdentifier())
      }
    }
    return rest
  }
}

/** A name is used as written, but line breaks and unusual blanks inside it come from the editor and are normalized. */
const withSingleBlanks = (name: string): string =>
  name.trim().replace(/\s+/g, (blanks) => (/[^ ]/.test(blanks) ? ' ' : blanks))

/** The position of a token in the source. */
interface Span {
  input: string
  begin: number
  end: number
}

/** The engine evaluates a token of this kind through its expression, so fallbacks and ranges are expressions. */
class ComputedToken extends Token {
  readonly initial: Expression
  readonly filters: never[] = []

  constructor(initial: Expression, { input, begin, end }: Span) {
    super(TokenKind.FilteredValue, input, begin, end)
    this.initial = initial
  }
}

/** `a ?? b ?? "c"`: the first value that is neither missing nor null. */
class FallbackExpression extends Expression {
  override *evaluate(context: Context): Generator<unknown, unknown, unknown> {
    for (const choice of this.postfix) {
      const value = yield evalToken(choice, context)
      const plain: unknown = toValue(value)
      if (plain !== undefined && plain !== null) return value
    }
    return undefined
  }
}

/** `(1..5)`. The engine's own range never ends above 2 ** 53, where adding one changes nothing. */
class RangeExpression extends Expression {
  override *evaluate(context: Context): Generator<unknown, unknown, unknown> {
    const [from, to] = this.postfix
    const low = Math.trunc(Number(toValue(yield evalToken(from, context))))
    const high = Math.trunc(Number(toValue(yield evalToken(to, context))))
    const length = high - low + 1
    if (length > RANGE_MAX) throw new TemplateError('size', `A range can have at most ${RANGE_MAX} items.`)
    context.memoryLimit.use(length)
    return Array.from({ length: Math.max(length, 0) || 0 }, (_, i) => low + i)
  }
}

const fallbackToken = (choices: Token[], span: Span) => new ComputedToken(new FallbackExpression(choices), span)

/** The values between the `??` of a chain; undefined for other tokens. */
export const fallbackChoices = (token: Token): Token[] | undefined =>
  token instanceof ComputedToken && token.initial instanceof FallbackExpression ? token.initial.postfix : undefined

const rangeToken = (low: Token, high: Token, span: Span) => new ComputedToken(new RangeExpression([low, high]), span)

type PathPart = PropertyAccessToken['props'][number]

class WordToken extends Token {
  readonly content: string

  constructor(content: string, { input, begin, end }: Span) {
    super(TokenKind.Word, input, begin, end)
    this.content = content
  }
}

/** A path such as `home address.city`: each part is looked up as written, including blanks. */
class PathToken extends Token {
  readonly variable = undefined
  readonly props: PathPart[]

  constructor(names: string[], rest: PathPart[], span: Span) {
    super(TokenKind.PropertyAccess, span.input, span.begin, span.end)
    this.props = [...names.map((name) => new WordToken(name, span)), ...rest]
  }
}

const pathToken = (names: string[], rest: PathPart[], span: Span) => new PathToken(names, rest, span)
