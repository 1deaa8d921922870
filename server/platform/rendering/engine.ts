/** The engine: liquidjs with our filters, tags and comparisons, without file access, and with every limit set. */
import { type Context, defaultOperators, Liquid, type Operators } from 'liquidjs'
import { MEMORY_MAX } from '../../kernel/content/template-limits.ts'
import { costOf, withoutCapture } from './context.ts'
import { registerFilters, searchCost } from './filters.ts'
import { autoEscape } from './parser.ts'
import { registerTags } from './tags.ts'

/** Comparing long lists or searching a text counts towards the limit like a filter. */
function countedOperators(): Operators {
  const counted: Operators = { ...defaultOperators }
  for (const name of ['==', '!=', 'contains']) {
    const compare = defaultOperators[name] as (left: unknown, right: unknown, context: Context) => boolean
    const cost = (left: unknown, right: unknown) =>
      name === 'contains' ? searchCost(left, right) : Math.min(costOf(left), costOf(right))
    counted[name] = (left: unknown, right: unknown, context: Context) => {
      context.renderLimit.check(performance.now())
      context.memoryLimit.use(cost(left, right))
      return compare(withoutCapture(left), withoutCapture(right), context)
    }
  }
  return counted
}

function createEngine(): Liquid {
  const engine = new Liquid({
    templates: {},
    strictFilters: true,
    ownPropertyOnly: true,
    locale: 'en-US',
    timezoneOffset: 0,
    outputEscape: autoEscape as (value: unknown) => string,
    operators: countedOperators(),
    memoryLimit: MEMORY_MAX,
  })
  registerFilters(engine)
  registerTags(engine)
  return engine
}

export const engine = createEngine()
