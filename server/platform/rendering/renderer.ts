/**
 * Renders templates that strangers wrote, without ever being held up by one. A plain template is rendered here and now,
 * because that costs microseconds; one that is not plain, or that turns out to be slow, is rendered in a thread that is
 * stopped when its time is over. Rendering has no side effects, so a second try gives what the first would have given.
 */
import type { Worker } from 'node:worker_threads'
import { startThread } from '../start-thread.ts'
import type { RenderOptions } from './context.ts'
import { isStatic, parseTemplate, renderTemplate, type Scope, type Template } from './template.ts'
import { TemplateError, type TemplateFault, tooMuchMemory } from './template-error.ts'

export interface Renderer {
  /** Rejects with a `TemplateError` where the template is at fault. */
  render(source: string, scope: Scope, options: RenderRequest['options']): Promise<string>
  close(): Promise<void>
}

/** The longest a template may hold up this process. */
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

// A few threads that render, one template at a time each. A thread whose rendering exceeds its deadline is stopped,
// whatever it is doing, and another one starts when it is needed.

/** What is sent to a thread, and what it replies. */
export interface RenderRequest {
  source: string
  scope: Scope
  options: Pick<RenderOptions, 'escape' | 'now'>
}

export type RenderReply =
  | { kind: 'ready' }
  | { kind: 'rendered'; text: string }
  | { kind: 'failed'; reason: TemplateFault; message: string; line?: number; column?: number }
  | { kind: 'broken'; message: string }

interface ThreadsOptions {
  /** The most threads at once. */
  threads: number
  /** Milliseconds one rendering may take, not counting its wait for a thread. */
  deadlineMs: number
}

interface Threads {
  render(request: RenderRequest): Promise<string>
  close(): Promise<void>
}

interface Job {
  request: RenderRequest
  resolve(text: string): void
  reject(error: Error): void
}

interface Slot {
  worker: Worker
  ready: boolean
  job?: Job
  timer?: NodeJS.Timeout
}

/** The hostile templates of the tests end by their own limits in 256 MB (96 are too few); beyond, only the thread exits. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

const wasStopped = () => new TemplateError('time', 'The template took too long and was stopped.')

function createThreads({ threads, deadlineMs }: ThreadsOptions): Threads {
  const slots = new Set<Slot>()
  const waiting: Job[] = []
  let closed = false

  function assign(): void {
    for (const slot of slots) {
      if (slot.ready && !slot.job && waiting.length > 0) begin(slot, waiting.shift()!)
    }
    const starting = [...slots].filter((slot) => !slot.ready).length
    if (waiting.length > starting && slots.size < threads) start()
  }

  function start(): void {
    const slot: Slot = { worker: startThread('render-thread', import.meta.url, LIMITS), ready: false }
    slots.add(slot)
    slot.worker.on('message', (reply: RenderReply) => receive(slot, reply))
    slot.worker.on('error', (error) => lose(slot, error))
    slot.worker.on('exit', () => lose(slot, new Error('A rendering thread exited unexpectedly.')))
  }

  function begin(slot: Slot, job: Job): void {
    slot.job = job
    slot.worker.ref()
    slot.timer = setTimeout(() => setImmediate(stopIfLate, slot, job), deadlineMs)
    try {
      slot.worker.postMessage(job.request)
    } catch (error) {
      finish(slot)?.reject(error as Error) // a scope that cannot be sent
    }
  }

  /** A reply that arrived while this process was busy is handled before the deadline. */
  function stopIfLate(slot: Slot, job: Job): void {
    if (slot.job === job) lose(slot, wasStopped())
  }

  function finish(slot: Slot): Job | undefined {
    const { job } = slot
    clearTimeout(slot.timer)
    slot.job = undefined
    slot.worker.unref() // an idle thread does not keep the process running
    return job
  }

  function receive(slot: Slot, reply: RenderReply): void {
    if (!slots.has(slot)) return
    const job = finish(slot)
    slot.ready = true
    if (reply.kind === 'rendered') job?.resolve(reply.text)
    else if (reply.kind === 'failed') job?.reject(new TemplateError(reply.reason, reply.message, reply))
    else if (reply.kind === 'broken') job?.reject(new Error(reply.message))
    assign()
  }

  /** The thread exited or is stopped. One that never got ready would fail the next time as well. */
  function lose(slot: Slot, reason: Error): void {
    if (!slots.delete(slot)) return
    const error = 'code' in reason && reason.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuchMemory() : reason
    finish(slot)?.reject(error)
    if (!slot.ready) for (const job of waiting.splice(0)) job.reject(error)
    void slot.worker.terminate()
    assign()
  }

  return {
    render(request) {
      if (closed) return Promise.reject(new Error('The renderer is closed.'))
      return new Promise<string>((resolve, reject) => {
        waiting.push({ request, resolve, reject })
        assign()
      })
    },
    async close() {
      closed = true
      const ending = [...slots]
      const error = new Error('The renderer was closed.')
      for (const job of waiting.splice(0)) job.reject(error)
      for (const slot of ending) {
        slots.delete(slot)
        finish(slot)?.reject(error)
      }
      await Promise.all(ending.map(({ worker }) => worker.terminate()))
    },
  }
}
