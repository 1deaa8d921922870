/**
 * The values of templates: how they are written, how they count towards the memory limit, and our own type for text
 * that a {% capture %} has already escaped.
 */
import { Drop, toValue } from 'liquidjs'
import { MEMORY_MAX } from '../../kernel/template-limits.ts'

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
