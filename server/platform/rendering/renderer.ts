/**
 * Renders untrusted templates without being blocked by one. A plain template is rendered here, because that takes
 * microseconds; one that is not plain, or that turns out to be slow, is rendered in a thread that is stopped at its
 * deadline. Rendering has no side effects, so it can be repeated.
 */

import type { Scope } from './scope.ts'
import { isStatic, parseTemplate, renderTemplate, type Template } from './template.ts'
import { TemplateError } from './template-error.ts'
import { createThreads, type RenderRequest, type ThreadsOptions } from './threads.ts'

export interface Renderer {
  /** Rejects with a `TemplateError` if the template is at fault. */
  render(source: string, scope: Scope, options: RenderRequest['options']): Promise<string>
  close(): Promise<void>
}

/** The longest time that a template can block this process. */
const IN_PROCESS_MS = 25

const DEFAULTS: ThreadsOptions = { threads: 2, deadlineMs: 1000 }

export function createRenderer(settings: Partial<ThreadsOptions> = {}): Renderer {
  const threads = createThreads({ ...DEFAULTS, ...settings })
  return {
    async render(source, scope, options) {
      if (isStatic(source)) return source
      const template = parseTemplate(source)
      return renderHere(template, scope, options) ?? (await threads.render({ source, scope, options }))
    },
    close: () => threads.close(),
  }
}

function renderHere(template: Template, scope: Scope, options: RenderRequest['options']): string | undefined {
  if (!template.plain) return undefined
  try {
    return renderTemplate(template, scope, { ...options, limitMs: IN_PROCESS_MS })
  } catch (error) {
    if (error instanceof TemplateError && error.reason === 'time') return undefined
    throw error
  }
}
