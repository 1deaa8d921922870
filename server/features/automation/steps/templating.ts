/**
 * Liquid in the configuration of a step. In a JSON value every string is rendered in place; a string that is a single
 * output, `{{n}}`, becomes the value itself, so a number stays a number and a list stays a list.
 */
import type { Context } from '../../../context.ts'
import { isStatic, parseTemplate, type Scope, templateScope } from '../../../platform/rendering/template.ts'
import { preferenceLinks } from '../../audience/preferences/actions.ts'
import type { StepInput } from './step.ts'

export interface Templating {
  projectId: string
  renderer: Context['renderer']
  scope: Scope
  now: Date
}

/** Available names: the context of a manual start, contact data, `id`, `email`, the links, `data.*`, and `event.*`. */
export function templatingOf({ ctx, projectId, execution, contact, now }: StepInput): Templating {
  return {
    projectId,
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

export const renderText = ({ projectId, renderer, scope, now }: Templating, source: string): Promise<string> =>
  renderer.render(projectId, source, scope, { escape: false, now })

/** The strings inside a JSON value, by path. */
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
    return null // the name is unknown
  }
}

/** Longer ones are text: nobody writes a value like this, and parsing it would take too long. */
const EXPRESSION_MAX = 4096

/** The expression between the braces, if the text is one output and nothing else. */
function singleOutput(source: string): string | undefined {
  if (isStatic(source) || source.length > EXPRESSION_MAX) return undefined
  const inside = /^\s*\{\{-?([\s\S]*?)-?\}\}\s*$/.exec(source)?.[1]
  if (inside === undefined || inside.trim() === '') return undefined
  return parseTemplate(source.trim()).nodes.length === 1 ? inside : undefined
}
