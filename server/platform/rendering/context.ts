/**
 * One rendering: its scope, the current time, whether it escapes, and its output. Properties are read only here: own
 * ones only, never a function.
 */
import { Context, Drop, type Emitter, type Liquid, toValue } from 'liquidjs'
import { MEMORY_MAX, OUTPUT_MAX, RENDER_MS_MAX } from '../../kernel/content/template-limits.ts'
import { TemplateError, tookTooLong } from './template-error.ts'

export interface RenderOptions {
  /** Escape output for HTML: bodies do, subjects and addresses do not. */
  escape: boolean
  /** The value of `'now' | date`. */
  now: Date
  /** `RENDER_MS_MAX` if there is none. */
  limit?: RenderLimit
}

/** Ends a rendering that takes too long. */
export interface RenderLimit {
  /** Called before each part of the template, with `performance.now()`. */
  check(now: number): void
}

export function limitTo(milliseconds: number): RenderLimit {
  const until = performance.now() + milliseconds
  return {
    check(now) {
      if (now > until) throw tookTooLong()
    },
  }
}

type Limits = NonNullable<ConstructorParameters<typeof Context>[3]>

/** The members of `forloop` and `tablerowloop` that templates can use; the others are internal. */
const LOOP_FACTS = new Set(
  'index index0 rindex rindex0 first last length name row col col0 col_first col_last cols'.split(' '),
)

export class RenderContext extends Context {
  readonly options: RenderOptions
  /** Whether the template has no tags. */
  isFlat = false

  constructor(scope: object, engine: Liquid, options: RenderOptions, parent?: RenderContext) {
    super(
      scope,
      engine.options,
      {
        sync: true,
        // The counters of {% increment %}: below the data, and new for every rendering.
        globals: parent?.globals ?? Object.create(null),
      },
      {
        liquid: engine,
        renderLimit: parent?.renderLimit ?? ((options.limit ?? limitTo(RENDER_MS_MAX)) as Limits['renderLimit']),
        ...(parent && { memoryLimit: parent.memoryLimit }),
      },
    )
    this.options = options
  }

  override spawn(scope: object = {}): RenderContext {
    return new RenderContext(scope, this.liquid as Liquid, this.options, this)
  }

  /** The value of a name. The engine's `getSync` takes ten times as long. Only for a template without tags, which assigns nothing. */
  readName(path: readonly string[]): unknown {
    let found: unknown = path[0]! in this.environments ? this.environments : this.globals
    for (const part of path) found = this.readProperty(found, part)
    return found
  }

  override readProperty(from: unknown, property: unknown): unknown {
    const key: unknown = toValue(property)
    const owner = from instanceof Captured ? from.html : from
    if (owner === null || owner === undefined) return undefined
    if (owner instanceof Drop) return readLoopFact(owner, key)
    if (typeof owner === 'string') return readOfText(owner, key)
    if (Array.isArray(owner)) return readOfList(owner, key)
    if (typeof owner !== 'object') return undefined
    const name = typeof key === 'string' ? key : text(key)
    if (Object.hasOwn(owner, name)) return withoutFunctions((owner as Record<string, unknown>)[name])
    // An unknown name called "size" is as unknown as any other.
    return name === 'size' && owner !== this.globals ? Object.keys(owner).length : undefined
  }
}

const withoutFunctions = (value: unknown): unknown => (typeof value === 'function' ? undefined : value)

function readLoopFact(loop: Drop, key: unknown): unknown {
  if (typeof key !== 'string' || !LOOP_FACTS.has(key)) return undefined
  const fact: unknown = loop[key]
  return typeof fact === 'function' ? fact.call(loop) : fact
}

function readOfText(owner: string, key: unknown): unknown {
  if (key === 'size') return owner.length
  if (key === 'first') return owner === '' ? undefined : String.fromCodePoint(owner.codePointAt(0)!)
  if (key === 'last') return owner === '' ? undefined : [...owner.slice(-2)].at(-1)
  return undefined
}

function readOfList(owner: readonly unknown[], key: unknown): unknown {
  if (key === 'size') return owner.length
  if (key === 'first') return owner[0]
  if (key === 'last') return owner.at(-1)
  const index = typeof key === 'string' && /^-?\d{1,9}$/.test(key) ? Number(key) : key
  return typeof index === 'number' ? withoutFunctions(owner.at(index)) : undefined
}

/** Collects the text of one rendering, up to its limit. */
export class BoundedText implements Emitter {
  buffer = ''

  /** A value. */
  write(value: unknown): void {
    this.add(text(value))
  }

  /** Text of the template itself. */
  writeSource(source: string): void {
    this.add(source)
  }

  protected add(added: string): void {
    if (this.buffer.length + added.length > OUTPUT_MAX) {
      throw new TemplateError('size', `The rendered text exceeds the maximum of ${OUTPUT_MAX} characters.`)
    }
    this.buffer += added
  }
}

/** In the text of a template: a value was written here. */
export const VALUE = '\0'

/** Also collects the text of the template and the values separately. */
export class TextInParts extends BoundedText {
  /** The text of the template, with `VALUE` for each value. */
  source = ''
  readonly values: string[] = []

  override write(value: unknown): void {
    const added = text(value)
    this.add(added)
    this.source += VALUE
    this.values.push(added)
  }

  override writeSource(source: string): void {
    this.add(source)
    this.source += source
  }
}

/** The context as filters and tags get it, with our type. */
export const renderContext = (context: Context): RenderContext => context as RenderContext

// The values of templates: how they are written, how they count towards the memory limit, and our own type for text
// that a {% capture %} has already escaped.

/** Captured in a body: escaped HTML. Written unchanged; escaping it again would show entities. */
export class Captured extends Drop {
  readonly html: string

  constructor(html: string) {
    super()
    this.html = html
  }

  override valueOf(): string {
    return this.html
  }

  toJSON(): string {
    return this.html
  }
}

export const withoutCapture = (value: unknown): unknown => (value instanceof Captured ? value.html : value)

/** A value as text: empty if missing, arrays joined without a separator as in Liquid, objects as JSON. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value
  const plain: unknown = toValue(value)
  if (plain === null || plain === undefined) return ''
  if (Array.isArray(plain)) return plain.map(text).join('')
  return typeof plain === 'object' ? JSON.stringify(plain) : String(plain)
}

/**
 * Characters and items of a value, counted wherever they occur: an array that contains itself twice, forty levels deep,
 * is small in memory and endless to write. Counting stops soon after the limit.
 */
export function costOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || value instanceof Drop) return 1
  let cost = 1
  if (Array.isArray(value)) {
    for (const item of value) {
      cost += 1 + costOf(item)
      if (cost > MEMORY_MAX) break
    }
  } else {
    for (const [key, item] of Object.entries(value)) {
      cost += key.length + costOf(item)
      if (cost > MEMORY_MAX) break
    }
  }
  return cost
}
