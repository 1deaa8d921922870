/** `{{ value }}`, and what {% echo %} shares with it: a value, its filters, and the escaping. */
import { type Arguments, type Context, type Emitter, type Liquid, Value } from 'liquidjs'
import { autoEscape, placeEscape } from './liquid-escape.ts'
import type { DialectTokenizer } from './liquid-tokenizer.ts'
import { lookupOf } from './liquid-tokens.ts'

export interface OutputValue {
  value: Value
  /** Writes the value, in steps of the engine where there are any. */
  write(context: Context, emitter: Emitter): unknown
}

export function readOutput(tokenizer: DialectTokenizer, engine: Liquid): OutputValue {
  const value = new Value(tokenizer.readFilteredValue(), engine)
  const [first, ...more] = value.initial.postfix
  const lookup = more.length === 0 && value.filters.length === 0 ? lookupOf(first) : undefined
  placeEscape(value.filters, engine)
  if (!lookup) return { value, write: (context, emitter) => writeInSteps(value, context, emitter) }
  return {
    value,
    write(context, emitter) {
      emitter.write(autoEscape.call({ context }, lookup(context)))
    },
  }
}

function* writeInSteps(value: Value, context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
  emitter.write(yield value.value(context, false))
}

/** An output as the engine's parser wants it. */
export const outputNode = <T>(token: T, { value, write }: OutputValue) => ({
  token,
  value,
  render: write as (context: Context, emitter: Emitter) => IterableIterator<unknown>,
  *arguments(): Arguments {
    yield value
  },
})

/** `{{ }}` is empty, as it is in Ruby. */
export const emptyOutput = (engine: Liquid): OutputValue => ({
  value: new Value('nil', engine),
  write: () => undefined,
})
