/** Composes messages without blocking the event loop: large ones, which take long to encode, are composed in a thread. */
import { availableParallelism } from 'node:os'
import { createThreadPool, startThread } from '../threads.ts'
import { composeMessage, type Message } from './mime.ts'

export interface Composer {
  /** Projects have turns in the threads. */
  compose(projectId: string, message: Message): Promise<Buffer>
  close(): Promise<void>
}

/** Encoding a message of this size takes a few milliseconds, about as long as copying it to a thread. */
const CHARACTERS_MAX = 500_000
/** Far more than the largest message needs; the deadline only ends a thread that hangs. */
const DEADLINE_MS = 60_000

export function createComposer(): Composer {
  const pool = createThreadPool<Message, Uint8Array>({
    start: (limits) => startThread('composing-thread', import.meta.url, limits),
    threads: availableParallelism(),
    deadlineMs: DEADLINE_MS,
    limits: {},
  })
  return {
    async compose(projectId, message) {
      if (sizeOf(message) <= CHARACTERS_MAX) return composeMessage(message)
      const { buffer, byteOffset, byteLength } = await pool.run(message, projectId)
      return Buffer.from(buffer, byteOffset, byteLength)
    },
    close: () => pool.close(),
  }
}

const sizeOf = ({ html, text = '', attachments = [] }: Message): number =>
  attachments.reduce((sum, { content }) => sum + content.length, html.length + text.length)
