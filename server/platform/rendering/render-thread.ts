/** Runs in a rendering thread: one template at a time, until it is stopped. */
import { htmlToPlainText } from '../html/html-to-plain-text.ts'
import { serveJobs } from '../threads.ts'
import type { RenderOptions } from './context.ts'
import { missingNames, unguardedNames } from './missing-names.ts'
import { parseTemplate, renderTemplate, type Scope, scopeOf } from './template.ts'
import { TemplateError, type TemplateFault } from './template-error.ts'

export type RenderRequest =
  | { kind: 'render'; source: string; scope: Scope; options: Pick<RenderOptions, 'escape' | 'now'> }
  | { kind: 'parse'; source: string }
  | { kind: 'missing-names'; source: string; scope: Scope }
  | { kind: 'unguarded-names'; source: string }
  | { kind: 'plain-text'; html: string }

export type RenderReply =
  | { kind: 'rendered'; text: string }
  | { kind: 'parsed'; milliseconds: number }
  | { kind: 'missing-names'; names: string[] }
  | { kind: 'plain-text'; text: string }
  | { kind: 'failed'; reason: TemplateFault; message: string; line?: number; column?: number }

/** A scope loses its prototypes on the way here; `scopeOf` restores them. */
function replyTo(request: RenderRequest): RenderReply {
  if (request.kind === 'plain-text') return { kind: 'plain-text', text: htmlToPlainText(request.html) }
  const before = performance.now()
  const template = parseTemplate(request.source)
  switch (request.kind) {
    case 'render':
      return { kind: 'rendered', text: renderTemplate(template, scopeOf(request.scope), request.options) }
    case 'parse':
      return { kind: 'parsed', milliseconds: performance.now() - before }
    case 'missing-names':
      return { kind: 'missing-names', names: missingNames(template, scopeOf(request.scope)) }
    case 'unguarded-names':
      return { kind: 'missing-names', names: unguardedNames(template) }
  }
}

serveJobs((request: RenderRequest): RenderReply => {
  try {
    return replyTo(request)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const { reason, message, line, column } = error
    return { kind: 'failed', reason, message, line, column }
  }
})
