/**
 * Compiles MJML to HTML in threads that are stopped at a deadline. It runs when content is saved or previewed, never for
 * each recipient. Liquid in the MJML stays as written.
 */
import { availableParallelism } from 'node:os'
import { Refusal } from '../../kernel/errors.ts'
import { createThreadPool, startThread, ThreadStopped } from '../threads.ts'
import type { CompileReply } from './mjml-thread.ts'

export interface MjmlCompiler {
  /**
   * Rejects with an `MjmlError` if the source is at fault, and with a `Refusal` if too much is waiting. Each project has
   * one compilation running at a time, so that a project with many slow ones delays itself more than others.
   */
  compile(projectId: string, mjml: string): Promise<string>
  close(): Promise<void>
}

export class MjmlError extends Error {
  /** It may succeed when the machine is less busy. */
  readonly isTimeout: boolean

  constructor(message: string, isTimeout = false) {
    super(message)
    this.isTimeout = isTimeout
  }
}

const OPTIONS = {
  threads: Math.min(2, availableParallelism()),
  deadlineMs: 3_000,
  /** Compilations of one project that are running or waiting. */
  perProject: 20,
  /** Projects that have one running or waiting. */
  projects: 100,
}
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

export function createMjmlCompiler(settings: Partial<typeof OPTIONS> = {}): MjmlCompiler {
  const { perProject, projects, ...threads } = { ...OPTIONS, ...settings }
  const pool = createThreadPool<{ mjml: string }, CompileReply>({
    ...threads,
    limits: LIMITS,
    start: (limits) => startThread('mjml-thread', import.meta.url, limits),
  })
  const queues = new Map<string, { count: number; last: Promise<unknown> }>()

  async function inTurn<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    const queue = queues.get(projectId) ?? { count: 0, last: Promise.resolve() }
    if (queue.count >= perProject) throw tooMany(perProject)
    if (queue.count === 0 && queues.size >= projects) throw tooBusy()
    queues.set(projectId, queue)
    queue.count++
    const result = queue.last.then(work)
    queue.last = result.catch(() => {}) // the next one runs in any case
    try {
      return await result
    } finally {
      queue.count--
      if (queue.count === 0) queues.delete(projectId)
    }
  }

  async function compileNow(mjml: string): Promise<string> {
    const reply = await pool.run({ mjml }).catch((error: unknown) => {
      if (error instanceof ThreadStopped && error.reason === 'time')
        throw new MjmlError('Compiling it took too long.', true)
      if (error instanceof ThreadStopped || error instanceof RangeError)
        throw new MjmlError('It is too large or nested too deeply.')
      throw error
    })
    if (reply.kind === 'failed') throw new MjmlError(reply.message)
    return reply.html
  }

  return {
    compile: (projectId, mjml) => inTurn(projectId, () => compileNow(mjml)),
    close: () => pool.close(),
  }
}

const tooMany = (limit: number) =>
  new Refusal(
    'too-many',
    'RATE_LIMIT_EXCEEDED',
    `This project already has ${limit} requests in progress that compile an email.`,
    { details: { retryAfter: 1, limit }, suggestion: 'Wait for one of them to finish, then try again.' },
  )

const tooBusy = () =>
  new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'Too many emails are being compiled.', {
    details: { retryAfter: 5 },
    suggestion: 'Nothing was changed. Try again in a few seconds.',
  })
