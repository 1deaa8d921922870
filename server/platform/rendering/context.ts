/**
 * One rendering: the scope it reads, the moment it takes for now, whether it escapes, and where its text goes.
 * Properties are read here and nowhere else: own ones only, never a function, whatever the object is.
 */
import { Context, Drop, type Emitter, type Liquid, toValue } from 'liquidjs'
import { MEMORY_MAX, OUTPUT_MAX, RENDER_MS_MAX } from '../../kernel/template-limits.ts'
import { TemplateError } from './template-error.ts'

export interface RenderOptions {
  /** Escape output for HTML: bodies do, subjects and addresses do not. */
  escape: boolean
  /** What `'now' | date` means. */
  now: Date
  /** Milliseconds after which the rendering is stopped. */
  limitMs?: number
}

/** What a template may ask of `forloop` and `tablerowloop`; their other members are the engine's. */
const LOOP_FACTS = new Set(
  'index index0 rindex rindex0 first last length name row col col0 col_first col_last cols'.split(' '),
)

export class RenderContext extends Context {
  readonly options: RenderOptions

  constructor(scope: object, engine: Liquid, options: RenderOptions, parent?: RenderContext) {
    super(
      scope,
      engine.options,
      {
        sync: true,
        // The counters of {% increment %} live here: below the data, and new for every rendering.
        globals: parent?.globals ?? Object.create(null),
        renderLimit: options.limitMs ?? RENDER_MS_MAX,
      },
      { liquid: engine, ...(parent && { memoryLimit: parent.memoryLimit, renderLimit: parent.renderLimit }) },
    )
    this.options = options
  }

  override spawn(scope: object = {}): RenderContext {
    return new RenderContext(scope, this.liquid as Liquid, this.options, this)
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

  write(value: unknown): void {
    const added = text(value)
    if (this.buffer.length + added.length > OUTPUT_MAX) {
      throw new TemplateError('size', `The rendered text exceeds the maximum of ${OUTPUT_MAX} characters.`)
    }
    this.buffer += added
  }
}

/** The context as a filter or tag gets it: the engine only ever hands out ours. */
export const renderContext = (context: Context): RenderContext => context as RenderContext

// The values that templates handle: how they are written out, what they weigh against the memory limit,
// and the one kind of our own, text that a {% capture %} has already escaped.

/** Captured in a body: finished HTML, its variables escaped. Written out as it is; escaping it again would show entities. */
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

/** A value as text: nothing for what is missing, arrays joined without a separator as Liquid does, objects as JSON. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value
  const plain: unknown = toValue(value)
  if (plain === null || plain === undefined) return ''
  if (Array.isArray(plain)) return plain.map(text).join('')
  return typeof plain === 'object' ? JSON.stringify(plain) : String(plain)
}

/**
 * Characters and items of a value, counted wherever they occur: an array that holds itself twice, forty times over,
 * is small in memory and endless to write. Counting stops soon after the limit.
 */
export function weigh(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || value instanceof Drop) return 1
  let weight = 1
  if (Array.isArray(value)) {
    for (const item of value) {
      weight += 1 + weigh(item)
      if (weight > MEMORY_MAX) break
    }
  } else {
    for (const [key, item] of Object.entries(value)) {
      weight += key.length + weigh(item)
      if (weight > MEMORY_MAX) break
    }
  }
  return weight
}
