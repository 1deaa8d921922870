/**
 * The error of a template, with a message for its author. Everything that the engine throws while parsing or rendering
 * becomes a `TemplateError`.
 */
import { LiquidError } from 'liquidjs'

/** `syntax`: it can't be parsed. `time` and `size`: it exceeds a limit. `value`: a filter got an invalid value. */
export type TemplateFault = 'syntax' | 'time' | 'size' | 'value'

export class TemplateError extends Error {
  readonly reason: TemplateFault
  /** Starts at 1; set for errors found while parsing. */
  readonly line: number | undefined
  readonly column: number | undefined

  constructor(reason: TemplateFault, message: string, position?: { line?: number; column?: number }) {
    super(message)
    this.name = 'TemplateError'
    this.reason = reason
    this.line = position?.line
    this.column = position?.column
  }
}

const MESSAGE_MAX = 200

/** The engine's messages that template authors can see, and our replacements. */
const PHRASES: [RegExp, string][] = [
  [/^tag "(end\w+|else|elsif|when)" not found/, '{% $1 %} is used without the tag it belongs to.'],
  [/^tag "([^"]*)" not found/, 'The tag "$1" does not exist.'],
  [/^undefined filter: (.+)/, 'The filter "$1" does not exist.'],
  [/^output .* not closed/, 'This {{ is not closed with }}, or a quote inside it is not closed.'],
  [/^tag "/, 'This {% is not closed with %}.'],
  [/^tag \{%-?\s*(\w+).* not closed/, 'This {% $1 %} is not closed with {% end$1 %}.'],
  [/^tag (\w+).* not closed/, 'This {% $1 %} is not closed with {% end$1 %}.'],
  [/^invalid value expression/, 'Expected a value, such as a name or a quoted string.'],
  [/value expected$/, 'Expected a value, such as a name or a quoted string.'],
  [/^expected "\|" before filter/, 'Unexpected text after the value. Filters start with "|".'],
  [/^expected filter name/, 'Expected the name of a filter after "|".'],
  [/^expected ":" after filter name/, 'Unexpected text after the filter name. Arguments start with ":".'],
  [/^unexpected character/, 'Unexpected text in the filter arguments.'],
  [/^\[ not closed/, 'This [ is not closed with ].'],
  [/^illegal tag: \{%-?\s*(\w+)/, 'A loop must have the form {% $1 item in list %}.'],
  [/^illegal (liquid )?tag syntax/, 'Expected the name of a tag.'],
  [/^expected (variable name|"=")/, 'An assignment must have the form {% assign name = value %}.'],
  [/^invalid capture name/, 'A capture must have the form {% capture name %}.'],
  [/^empty candidates/, 'A cycle requires values: {% cycle "one", "two" %}.'],
  [/^invalid range syntax|^unbalanced parentheses/, 'A range must have the form (1..5).'],
  [/^unexpected (".*")$/, 'Unexpected text: $1.'],
  [/^duplicated else/, 'There is more than one {% else %}.'],
]

function plainMessage(message: string): string {
  for (const [pattern, phrase] of PHRASES) {
    const match = pattern.exec(message)
    if (match) return phrase.replace(/\$1/g, () => match[1] ?? '').slice(0, MESSAGE_MAX)
  }
  const sentence = message.charAt(0).toUpperCase() + message.slice(1)
  return (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`).slice(0, MESSAGE_MAX)
}

const POSITION_SUFFIX = /, line:\d+, col:\d+$/

/** The original error, inside the engine's wrappers. */
function origin(error: unknown): unknown {
  let inner = error
  for (let depth = 0; depth < 8 && LiquidError.is(inner) && inner.originalError; depth++) inner = inner.originalError
  return inner
}

function limitFault(error: unknown): TemplateError | undefined {
  if (error instanceof TemplateError) return error
  if (error instanceof RangeError && /call stack/.test(error.message)) return tooDeep()
  if (!(error instanceof Error)) return undefined
  if (/^memory alloc limit/.test(error.message)) return tooMuchMemory()
  if (/^Invalid (string|array) length/.test(error.message)) return tooMuchMemory()
  return undefined
}

export const tookTooLong = () => new TemplateError('time', 'The template took too long to render.')
export const tooMuchMemory = () => new TemplateError('size', 'The template needs too much memory.')
export const tooDeep = () => new TemplateError('size', 'The template is nested too deeply.')

/** The template could not be parsed. */
export function parseFailure(error: unknown): TemplateError {
  const cause = origin(error)
  if (cause instanceof TemplateError && cause.line !== undefined) return cause
  const limit = limitFault(cause)
  const message = limit?.message ?? plainMessage(rawMessage(cause))
  return new TemplateError(limit?.reason ?? 'syntax', message, positionOf(error))
}

/** The template was parsed, but could not be rendered with these values. */
export function renderFailure(error: unknown): TemplateError {
  const cause = origin(error)
  return limitFault(cause) ?? new TemplateError('value', plainMessage(rawMessage(cause)), positionOf(error))
}

const rawMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(POSITION_SUFFIX, '')

function positionOf(error: unknown): { line?: number; column?: number } {
  if (!LiquidError.is(error)) return {}
  const [line, column] = error.token.getPosition()
  return { line, column }
}
