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
   * Rejects with an `MjmlError` if the source is at fault, and with a `Refusal` if too much is waiting. Projects have
   * turns in the threads.
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
  const inProgress = new Map<string, number>()

  async function limited<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    const count = inProgress.get(projectId) ?? 0
    if (count >= perProject) throw tooMany(perProject)
    if (count === 0 && inProgress.size >= projects) throw tooBusy()
    inProgress.set(projectId, count + 1)
    try {
      return await work()
    } finally {
      const left = inProgress.get(projectId)! - 1
      if (left > 0) inProgress.set(projectId, left)
      else inProgress.delete(projectId)
    }
  }

  async function compileNow(projectId: string, mjml: string): Promise<string> {
    const reply = await pool.run({ mjml }, projectId).catch((error: unknown) => {
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
    compile: (projectId, mjml) => limited(projectId, () => compileNow(projectId, mjml)),
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
