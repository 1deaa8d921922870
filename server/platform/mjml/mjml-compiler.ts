/**
 * Compiles MJML to HTML in a thread that is stopped at its deadline. It runs when content is saved or previewed, never for
 * each recipient. Liquid in the MJML stays as written.
 */
import { createThreadPool, startThread, ThreadStopped } from '../threads.ts'
import type { CompileReply } from './mjml-thread.ts'

export interface MjmlCompiler {
  /** Rejects with an `MjmlError` if the source is at fault. */
  compile(mjml: string): Promise<string>
  close(): Promise<void>
}

export class MjmlError extends Error {}

const OPTIONS = { threads: 1, deadlineMs: 3_000 }
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

export function createMjmlCompiler(settings: Partial<typeof OPTIONS> = {}): MjmlCompiler {
  const pool = createThreadPool<{ mjml: string }, CompileReply>({
    ...OPTIONS,
    ...settings,
    limits: LIMITS,
    start: (limits) => startThread('mjml-thread', import.meta.url, limits),
  })
  return {
    async compile(mjml) {
      const reply = await pool.run({ mjml }).catch((error: unknown) => {
        if (error instanceof ThreadStopped && error.reason === 'time')
          throw new MjmlError('Compiling it took too long.')
        if (error instanceof ThreadStopped || error instanceof RangeError)
          throw new MjmlError('It is too large or nested too deeply.')
        throw error
      })
      if (reply.kind === 'failed') throw new MjmlError(reply.message)
      return reply.html
    },
    close: () => pool.close(),
  }
}
