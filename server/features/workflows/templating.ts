/**
 * Liquid in the settings of a step. In a JSON value every text is rendered where it stands; one that is a single
 * output, `{{n}}`, becomes the value itself, so a number stays a number and a list a list.
 */
import type { Context } from '../../context.ts'
import { type Scope, templateScope } from '../../platform/rendering/scope.ts'
import { isStatic, parseTemplate } from '../../platform/rendering/template.ts'
import { preferenceLinks } from '../preferences/links.ts'
import type { Scene } from './step-kind.ts'

export interface Templating {
  renderer: Context['renderer']
  scope: Scope
  now: Date
}

/** Names mean: context of a start by hand, contact data, `id`, `email`, links, `data.*`; and `event.*` alone the event. */
export function templatingOf({ ctx, projectId, execution, contact, now }: Scene): Templating {
  return {
    renderer: ctx.renderer,
    now,
    scope: templateScope({
      requestData: execution.context,
      contactData: contact.data,
      contact,
      links: preferenceLinks(ctx.secrets, ctx.baseUrl, projectId, contact.id),
      event: execution.event ?? {},
    }),
  }
}

export const renderText = ({ renderer, scope, now }: Templating, source: string): Promise<string> =>
  renderer.render(source, scope, { escape: false, now })

/** The texts inside a JSON value, by their path. */
export function textsIn(value: unknown, path: string): Record<string, string> {
  if (typeof value === 'string') return { [path]: value }
  if (typeof value !== 'object' || value === null) return {}
  return Object.assign({}, ...Object.entries(value).map(([key, item]) => textsIn(item, `${path}.${key}`)))
}

export async function renderJson(templating: Templating, value: unknown): Promise<unknown> {
  if (typeof value === 'string') return renderValue(templating, value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) items.push(await renderJson(templating, item))
    return items
  }
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    Object.defineProperty(copy, key, { value: await renderJson(templating, item), enumerable: true, writable: true })
  }
  return copy
}

async function renderValue(templating: Templating, source: string): Promise<unknown> {
  const expression = singleOutput(source)
  if (expression === undefined) return renderText(templating, source)
  const json = await renderText(templating, `{{ ${expression} | json }}`)
  try {
    return JSON.parse(json)
  } catch {
    return null // a name that stands for nothing
  }
}

/** What stands between the braces, where a text is one output and nothing else. */
function singleOutput(source: string): string | undefined {
  if (isStatic(source)) return undefined
  const inside = /^\s*\{\{-?([\s\S]*?)-?\}\}\s*$/.exec(source)?.[1]
  if (inside === undefined || inside.trim() === '') return undefined
  return parseTemplate(source.trim()).nodes.length === 1 ? inside : undefined
}
