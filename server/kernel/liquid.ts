/**
 * Liquid, as mails are written in it: `{{ name ?? "you" | capitalize }}`, `{{ first name }}`, `{% if %}`, `{% for %}`.
 * Rendering is a function of the template, the scope and the moment, and of nothing else; every template ends,
 * in its text or in a `TemplateError`. Unknown names are empty, `null` is empty, arrays are joined, objects are JSON.
 */
import { toValueSync } from 'liquidjs'
import { BoundedText, RenderContext, type RenderOptions } from './liquid-context.ts'
import { engine } from './liquid-engine.ts'
import { parseFailure, renderFailure, TemplateError } from './liquid-error.ts'
import { SOURCE_MAX } from './liquid-limits.ts'
import { type Nodes, readSource } from './liquid-parser.ts'
import { isPlain } from './liquid-plain.ts'
import { renderNodes } from './liquid-render.ts'
import type { Scope } from './liquid-scope.ts'
import type { Traits } from './liquid-tokenizer.ts'

export { TemplateError }

/** A template that was read; its inside is this module's business. */
export interface Template {
  readonly nodes: Nodes
  readonly traits: Traits
  readonly length: number
  /** Harmless by the look of it: see `liquid-plain.ts`. */
  readonly plain: boolean
}

/** Nothing to render: the source is its own result. */
export const isStatic = (source: string): boolean => !source.includes('{{') && !source.includes('{%')

/** Read templates, the ones used last at the end. Memory is estimated: measured, a part takes about 350 bytes. */
const cache = new Map<string, Template>()
const CACHE_BYTES_MAX = 32_000_000
let cacheBytes = 0

const bytesOf = (template: Template): number => template.length * 2 + template.traits.parts * 350

export function parseTemplate(source: string): Template {
  const known = cache.get(source)
  if (known) {
    cache.delete(source)
    cache.set(source, known)
    return known
  }
  const template = readTemplate(source)
  cache.set(source, template)
  cacheBytes += bytesOf(template)
  for (const [oldest, dropped] of cache) {
    if (cacheBytes <= CACHE_BYTES_MAX) break
    cache.delete(oldest)
    cacheBytes -= bytesOf(dropped)
  }
  return template
}

function readTemplate(source: string): Template {
  if (source.length > SOURCE_MAX) {
    throw new TemplateError('size', `A template has at most ${SOURCE_MAX} characters.`)
  }
  try {
    const { nodes, traits } = readSource(source, engine)
    return { nodes, traits, length: source.length, plain: isPlain(traits, source.length) }
  } catch (error) {
    throw parseFailure(error)
  }
}

export function renderTemplate(template: Template, scope: Scope, options: RenderOptions): string {
  const output = new BoundedText()
  try {
    const context = new RenderContext(scope, engine, options)
    toValueSync(renderNodes(template.nodes, context, output))
    return output.buffer
  } catch (error) {
    throw renderFailure(error)
  }
}
