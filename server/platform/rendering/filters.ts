/**
 * The filters: the engine's, each counted against the memory limit before and after it runs, without those that
 * evaluate values as expressions or are not deterministic, and with our own for HTML and dates.
 */
import type { FilterImplOptions, Liquid } from 'liquidjs'
import { Captured, costOf, text, withoutCapture } from './context.ts'
import { dateFilters } from './dates.ts'
import { escapeHtml, escapeHtmlOnce } from './parser.ts'

type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>
type FilterThis = ThisParameterType<Handler>

const REMOVED = [
  'sample', // random: the same mail would differ at every rendering
  ...['where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp', 'find_index_exp'],
]

/** These read one part of a value, whatever its size, and create nothing. */
const WEIGHTLESS = new Set(['size', 'first', 'last', 'default'])

/** These search one text for another, which can take the product of the two lengths. */
const SEARCHING = new Set(
  'split replace replace_first replace_last remove remove_first remove_last lstrip rstrip strip'.split(' '),
)
const STEPS_PER_UNIT = 64

/** These keep escaped HTML escaped. */
const KEEPING_HTML = new Set(
  'strip lstrip rstrip strip_newlines squish normalize_whitespace newline_to_br escape escape_once xml_escape'.split(
    ' ',
  ),
)

const htmlFilters: Record<string, Handler> = {
  escape: (value: unknown) => escapeHtml(text(value)),
  xml_escape: (value: unknown) => escapeHtml(text(value)),
  escape_once: (value: unknown) => escapeHtmlOnce(text(value)),
}

const isIterator = (value: unknown): value is Iterator<unknown> =>
  typeof value === 'object' && value !== null && 'next' in value && typeof value.next === 'function'

export function searchCost(haystack: unknown, needle: unknown): number {
  return (costOf(haystack) * costOf(needle)) / STEPS_PER_UNIT
}

/** A filter that counts its input before it runs, and its output after. */
function counted(name: string, handler: Handler): Handler {
  const isFree = WEIGHTLESS.has(name)
  const pay = (self: FilterThis, value: unknown) => {
    if (!isFree) self.context.memoryLimit.use(costOf(value))
  }
  const finish = (self: FilterThis, input: unknown, result: unknown): unknown => {
    if (result === withoutCapture(input)) return input
    pay(self, result)
    return input instanceof Captured && typeof result === 'string' && KEEPING_HTML.has(name)
      ? new Captured(result)
      : result
  }
  function* finishLater(self: FilterThis, input: unknown, steps: Iterator<unknown>): Generator<unknown> {
    return finish(self, input, yield steps)
  }
  return function (input: unknown, ...args: unknown[]) {
    if (input instanceof Captured && name in htmlFilters) return input
    this.context.renderLimit.check(performance.now())
    const values = [input, ...args].map(withoutCapture)
    for (const value of values) pay(this, value)
    if (SEARCHING.has(name)) this.context.memoryLimit.use(searchCost(values[0], values[1]))
    const result: unknown = handler.apply(this, values as Parameters<Handler>)
    return isIterator(result) ? finishLater(this, input, result) : finish(this, input, result)
  }
}

export function registerFilters(engine: Liquid): void {
  for (const name of REMOVED) engine.unregisterFilter(name)
  for (const [name, handler] of Object.entries({ ...htmlFilters, ...dateFilters })) engine.registerFilter(name, handler)
  for (const [name, filter] of Object.entries(engine.filters)) {
    if (typeof filter === 'function') engine.registerFilter(name, counted(name, filter))
  }
}
