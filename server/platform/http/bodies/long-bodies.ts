/**
 * Parses long JSON bodies in threads, because some tens of megabytes take up to a second and would block all other
 * requests. Owners have turns, so a project with many long ones delays itself more than others.
 */
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { Refusal } from '../../../kernel/errors.ts'
import { createThreadPool, startThread, ThreadStopped } from '../../threads.ts'
import type { LongBody, ParsedBody } from './body-thread.ts'

const THREADS = Math.min(2, availableParallelism())
/** Many times what the longest body takes, for a machine that is busy. */
const DEADLINE_MS = 30_000

export function createLongBodies() {
  const pool = createThreadPool<LongBody, ParsedBody>({
    threads: THREADS,
    deadlineMs: DEADLINE_MS,
    limits: {},
    start: (limits) => startThread('body-thread', import.meta.url, limits),
  })

  async function parse(owner: string, bytes: Buffer, valuesMax?: number): Promise<unknown> {
    await setImmediate() // each copy of a long body takes a turn of its own
    const reply = await pool.run({ bytes, valuesMax }, owner).catch((error: unknown) => {
      throw error instanceof ThreadStopped ? notParsed() : error
    })
    await setImmediate()
    if (reply.kind === 'parsed') return reply.value
    const { kind, code, message, extras } = reply.refusal
    throw new Refusal(kind, code, message, extras)
  }

  return {
    /** As `parseJsonBody`. `owner`: the project, user or address that sent it. */
    parse,
    close: (): Promise<void> => pool.close(),
  }
}

const notParsed = () =>
  new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'The request body could not be parsed in time.', {
    details: { retryAfter: 5 },
    suggestion: 'Nothing was changed. Try again in a few seconds, or send less in one request.',
  })
