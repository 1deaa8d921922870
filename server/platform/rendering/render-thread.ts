/** Runs in a rendering thread: one template at a time, until it is stopped. */
import { RENDER_MS_MAX } from '../../kernel/content/template-limits.ts'
import { htmlToPlainText } from '../html/html-to-plain-text.ts'
import { processorMsOf, threadFolder } from '../processor-time.ts'
import { serveJobs } from '../threads.ts'
import { limitTo, type RenderLimit, type RenderOptions } from './context.ts'
import { missingNames, unguardedNames } from './missing-names.ts'
import { parseTemplate, renderTemplate, type Scope, scopeOf } from './template.ts'
import { TemplateError, type TemplateFault, tookTooLong } from './template-error.ts'

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
      return {
        kind: 'rendered',
        text: renderTemplate(template, scopeOf(request.scope), { ...request.options, limit: limitHere() }),
      }
    case 'parse':
      return { kind: 'parsed', milliseconds: performance.now() - before }
    case 'missing-names':
      return { kind: 'missing-names', names: missingNames(template, scopeOf(request.scope)) }
    case 'unguarded-names':
      return { kind: 'missing-names', names: unguardedNames(template) }
  }
}

const FOLDER = threadFolder()

/** The processor time of a rendering is limited where the system tells it, so that a busy machine ends none that is quick. */
function limitHere(): RenderLimit {
  const used = processorMsOf(FOLDER)
  if (used === undefined) return limitTo(RENDER_MS_MAX)
  let nextLook = performance.now() + RENDER_MS_MAX
  return {
    check(now) {
      if (now <= nextLook) return
      const left = used + RENDER_MS_MAX - (processorMsOf(FOLDER) ?? Infinity)
      if (left <= 0) throw tookTooLong()
      nextLook = now + left
    },
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
