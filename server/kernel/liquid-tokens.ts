/**
 * The values our dialect adds to Liquid: a chain of fallbacks, a bounded range, a name with spaces.
 * The engine evaluates a token of the kind `FilteredValue` by asking its `Expression`, so the first two are expressions.
 */
import {
  type Context,
  Expression,
  evalToken,
  type PropertyAccessToken,
  Token,
  TokenKind,
  TypeGuards,
  toValue,
} from 'liquidjs'
import { renderContext } from './liquid-context.ts'
import { TemplateError } from './liquid-error.ts'
import { RANGE_MAX } from './liquid-limits.ts'

/** Where a token stands in the source. */
export interface Span {
  input: string
  begin: number
  end: number
}

class ComputedToken extends Token {
  readonly initial: Expression
  readonly filters: never[] = []

  constructor(initial: Expression, { input, begin, end }: Span) {
    super(TokenKind.FilteredValue, input, begin, end)
    this.initial = initial
  }
}

/** `a ?? b ?? "c"`: the first that is neither missing nor null. */
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
    if (length > RANGE_MAX) throw new TemplateError('size', `A range has more than ${RANGE_MAX} items.`)
    context.memoryLimit.use(length)
    return Array.from({ length: Math.max(length, 0) || 0 }, (_, i) => low + i)
  }
}

export const fallbackToken = (choices: Token[], span: Span) => new ComputedToken(new FallbackExpression(choices), span)

export const rangeToken = (low: Token, high: Token, span: Span) =>
  new ComputedToken(new RangeExpression([low, high]), span)

export type PathPart = PropertyAccessToken['props'][number]

class WordToken extends Token {
  readonly content: string

  constructor(content: string, { input, begin, end }: Span) {
    super(TokenKind.Word, input, begin, end)
    this.content = content
  }
}

/** A path such as `home address.city`: each part is looked up as it is written, blanks included. */
class PathToken extends Token {
  readonly variable = undefined
  readonly props: PathPart[]

  constructor(names: string[], rest: PathPart[], span: Span) {
    super(TokenKind.PropertyAccess, span.input, span.begin, span.end)
    this.props = [...names.map((name) => new WordToken(name, span)), ...rest]
  }
}

export const pathToken = (names: string[], rest: PathPart[], span: Span) => new PathToken(names, rest, span)

/**
 * A name, a constant, or a chain of them needs none of the engine's generators to be looked up, and that is what most
 * outputs are: rendering them directly makes a small template more than twice as fast (measured).
 */
export type Lookup = (context: Context) => unknown

export function lookupOf(token: Token | undefined): Lookup | undefined {
  if (token === undefined) return undefined
  if (TypeGuards.isQuotedToken(token) || TypeGuards.isNumberToken(token) || TypeGuards.isLiteralToken(token)) {
    const { content } = token
    return () => content
  }
  if (TypeGuards.isPropertyAccessToken(token) && token.variable === undefined) return lookupOfPath(token.props)
  if (token instanceof ComputedToken && token.initial instanceof FallbackExpression) {
    return lookupOfChoices(token.initial.postfix.map(lookupOf))
  }
  return undefined
}

function lookupOfPath(props: PathPart[]): Lookup | undefined {
  const path: string[] = []
  for (const part of props) {
    if (!TypeGuards.isWordToken(part) && !TypeGuards.isQuotedToken(part)) return undefined
    path.push(part.content)
  }
  return (context) => renderContext(context).lookUp(path)
}

function lookupOfChoices(choices: (Lookup | undefined)[]): Lookup | undefined {
  const known = choices.filter((choice) => choice !== undefined)
  if (known.length < choices.length) return undefined
  return (context) => {
    for (const choice of known) {
      const value = choice(context)
      const plain: unknown = toValue(value)
      if (plain !== undefined && plain !== null) return value
    }
    return undefined
  }
}
