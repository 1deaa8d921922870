/**
 * Parses and renders templates of any author without blocking the event loop. A short, plain template is rendered in
 * this thread, because that takes microseconds; one that is long, not plain or turns out to be slow is rendered in a
 * thread that is stopped at its deadline. Rendering has no side effects, so a second try gives the same result.
 */
import { decodeEntitiesInLiquid } from '../../kernel/content/liquid-parts.ts'
import { type FieldProblem, invalid } from '../../kernel/errors.ts'
import { htmlToPlainText } from '../html/html-to-plain-text.ts'
import { createThreadPool, startThread, ThreadStopped } from '../threads.ts'
import { type BoundedText, limitTo, type RenderOptions, TextInParts } from './context.ts'
import { createLateSources } from './late-sources.ts'
import { missingNames, unguardedNames } from './missing-names.ts'
import type { RenderReply, RenderRequest } from './render-thread.ts'
import { codeLength, isParsed, isStatic, parseTemplate, renderTemplate, type Scope } from './template.ts'
import { TemplateError, tooMuchMemory } from './template-error.ts'

type Rendering = [source: string, scope: Scope, options: Pick<RenderOptions, 'escape' | 'now'>]

export interface RenderedParts {
  text: string
  /** The text of the template, with `VALUE` for each value. Undefined if it was rendered in a thread. */
  source?: string
  values: readonly string[]
}

/** All reject with a `TemplateError` if the template is at fault. Projects have turns in the threads. */
export interface Renderer {
  render(projectId: string, ...rendering: Rendering): Promise<string>
  renderInParts(projectId: string, ...rendering: Rendering): Promise<RenderedParts>
  /** Resolves if the template can be parsed. */
  check(projectId: string, source: string): Promise<void>
  /** The text part of an email. Of long HTML, only the beginning is converted. */
  plainText(projectId: string, html: string): Promise<string>
  /** The names that have no value. HTML needs `decodeEntitiesInLiquid` here and below; `render` with `escape` does it. */
  missingNames(projectId: string, source: string, scope: Scope): Promise<string[]>
  /** The names that have neither a fallback nor a condition or loop that depends on them. */
  unguardedNames(projectId: string, source: string): Promise<string[]>
  close(): Promise<void>
}

export interface RendererOptions {
  /** How many threads a project can use if no other project needs them. */
  threads: number
  /** Milliseconds for one rendering, not counting its wait for a thread. */
  deadlineMs: number
}

/** The longest a template may block the event loop. */
const IN_PROCESS_MS = 25
/** This much Liquid is parsed in a few milliseconds on any machine. The time for more of it is measured in a thread. */
const SHORT_CODE = 4096
/** So much HTML is converted to text in a few milliseconds, and the most that is converted in about a tenth of a second. */
const SHORT_HTML = 100_000
const CONVERTED_MAX = 1_000_000
/** Characters of long templates whose parsing time is remembered. */
const REMEMBERED_MAX = 8_000_000

const DEFAULTS: RendererOptions = { threads: 2, deadlineMs: 1000 }
/**
 * The malicious templates of the tests reach their own limits within 256 MB (96 are too few); beyond, only the thread
 * exits.
 */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

const wasStopped = () => new TemplateError('time', 'The template took too long and was stopped.')

export function createRenderer(settings: Partial<RendererOptions> = {}): Renderer {
  const pool = createThreadPool<RenderRequest, RenderReply>({
    ...DEFAULTS,
    ...settings,
    limits: LIMITS,
    start: (limits) => startThread('render-thread', import.meta.url, limits),
    refuse: (request, projectId) => (request.kind === 'render' ? late.refusalOf(projectId, request.source) : undefined),
  })
  const slowToParse = createSlowSources()
  const late = createLateSources()

  async function inThread(projectId: string, request: RenderRequest): Promise<RenderReply> {
    const reply = await pool.run(request, projectId).catch((error: unknown) => {
      if (!(error instanceof ThreadStopped)) throw error
      throw error.reason === 'time' ? wasStopped() : tooMuchMemory()
    })
    if (reply.kind === 'failed') throw new TemplateError(reply.reason, reply.message, reply)
    return reply
  }

  const renderInThread: Renderer['render'] = async (projectId, source, scope, options) => {
    try {
      const reply = await inThread(projectId, { kind: 'render', source, scope, options })
      late.recordInTime(projectId, source)
      return reply.kind === 'rendered' ? reply.text : ''
    } catch (error) {
      const isLate = error instanceof TemplateError && error.reason === 'time'
      if (isLate && !late.refusalOf(projectId, source)) late.recordLate(projectId, source)
      throw error
    }
  }

  /** A long template is parsed in a thread first, and here only if that was quick. */
  async function mayParseHere(projectId: string, source: string): Promise<boolean> {
    if (isParsed(source) || codeLength(source) <= SHORT_CODE) return true
    if (slowToParse.has(source)) return false
    const reply = await inThread(projectId, { kind: 'parse', source })
    const isQuick = reply.kind === 'parsed' && reply.milliseconds < IN_PROCESS_MS / 2
    if (!isQuick) slowToParse.add(source)
    return isQuick
  }

  async function render(projectId: string, [given, scope, options]: Rendering, output?: BoundedText): Promise<string> {
    if (isStatic(given)) return given
    const source = options.escape ? decodeEntitiesInLiquid(given) : given
    const refusal = late.refusalOf(projectId, source)
    if (refusal) throw refusal
    const here = (await mayParseHere(projectId, source)) ? renderHere([source, scope, options], output) : undefined
    return here ?? renderInThread(projectId, source, scope, options)
  }

  return {
    render: (projectId, ...rendering) => render(projectId, rendering),
    async renderInParts(projectId, ...rendering) {
      const [given] = rendering
      if (isStatic(given)) return { text: given, source: given, values: [] }
      const output = new TextInParts()
      const text = await render(projectId, rendering, output)
      return output.buffer === text ? { text, source: output.source, values: output.values } : { text, values: [] }
    },
    async check(projectId, source) {
      if (!isStatic(source) && (await mayParseHere(projectId, source))) parseTemplate(source)
    },
    async missingNames(projectId, source, scope) {
      if (isStatic(source)) return []
      if (await mayParseHere(projectId, source)) return missingNames(parseTemplate(source), scope)
      const reply = await inThread(projectId, { kind: 'missing-names', source, scope })
      return reply.kind === 'missing-names' ? reply.names : []
    },
    async unguardedNames(projectId, source) {
      if (isStatic(source)) return []
      if (await mayParseHere(projectId, source)) return unguardedNames(parseTemplate(source))
      const reply = await inThread(projectId, { kind: 'unguarded-names', source })
      return reply.kind === 'missing-names' ? reply.names : []
    },
    async plainText(projectId, html) {
      const converted = html.slice(0, CONVERTED_MAX)
      if (html.length <= SHORT_HTML) return htmlToPlainText(converted)
      const reply = await inThread(projectId, { kind: 'plain-text', html: converted }).catch(() => undefined)
      // A machine that is too busy for the thread must not change the text: every attempt of an email is the same.
      return reply?.kind === 'plain-text' ? reply.text : htmlToPlainText(converted)
    },
    close: () => pool.close(),
  }
}

function renderHere([source, scope, options]: Rendering, output?: BoundedText): string | undefined {
  const template = parseTemplate(source)
  if (!template.plain) return undefined
  try {
    return renderTemplate(template, scope, { ...options, limit: limitTo(IN_PROCESS_MS) }, output)
  } catch (error) {
    if (error instanceof TemplateError && error.reason === 'time') return undefined
    throw error
  }
}

/** The latest sources that take long to parse. */
function createSlowSources() {
  const sources = new Set<string>()
  let length = 0
  return {
    has: (source: string) => sources.has(source),
    add(source: string) {
      sources.add(source)
      length += source.length
      for (const oldest of sources) {
        if (length <= REMEMBERED_MAX) break
        sources.delete(oldest)
        length -= oldest.length
      }
    },
  }
}

/** An error in a template as a problem of the field that contains it. */
export function liquidProblem(field: string, error: TemplateError): FieldProblem {
  const place = error.line === undefined ? '' : ` (line ${error.line}, column ${error.column})`
  return { field, message: `${error.message}${place}`, code: 'custom' }
}

/** What these fields contain is HTML, in which entities stand for characters. */
const HTML_FIELDS = new Set(['body', 'document', 'mjml'])

/** Refuses templates that can't be parsed, with a problem for each field. */
export const refuseBrokenUtm = (renderer: Renderer, projectId: string, utm: Record<string, string | null>) =>
  refuseBrokenLiquid(
    renderer,
    projectId,
    Object.fromEntries(Object.entries(utm).map(([name, value]) => [`utm.${name}`, value ?? undefined])),
  )

export async function refuseBrokenLiquid(
  renderer: Renderer,
  projectId: string,
  texts: Record<string, string | undefined>,
): Promise<void> {
  const problems = await Promise.all(
    Object.entries(texts).map(async ([field, text]) => {
      try {
        const source = text !== undefined && HTML_FIELDS.has(field) ? decodeEntitiesInLiquid(text) : text
        if (source !== undefined) await renderer.check(projectId, source)
        return []
      } catch (error) {
        if (error instanceof TemplateError) return [liquidProblem(field, error)]
        throw error
      }
    }),
  )
  if (problems.flat().length > 0) throw invalid(problems.flat())
}
