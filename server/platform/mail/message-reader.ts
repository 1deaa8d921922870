/**
 * Reads untrusted messages without blocking the event loop: a few kilobytes can take a parser seconds, so it runs in
 * threads that have a deadline and a memory limit. The threads start with the first message.
 */
import { availableParallelism } from 'node:os'
import type { ResourceLimits } from 'node:worker_threads'
import { createThreadPool, startThread, ThreadStopped } from '../threads.ts'
import type { ReadReply, ReadRequest, ReceivedEmail } from './message-thread.ts'
import { type ParsedMessage, UnreadableMessage } from './parse-message.ts'
import type { Envelope, Verdicts } from './verdicts.ts'

export interface MessageReader {
  /**
   * A message without HTML gets its text as HTML. Rejects with `UnreadableMessage` if the message is at fault; so does
   * `receive`.
   */
  parse(raw: Buffer): Promise<ParsedMessage>
  /** `arrival` identifies a message that has no identity of its own. */
  receive(raw: Buffer, arrival: string): Promise<ReceivedEmail>
  findVerdicts(
    raw: Buffer,
    envelope: Envelope,
    options: { host: string; dnsServers: readonly string[] },
  ): Promise<Verdicts>
  close(): Promise<void>
}

/** Far more than any message needs within the limits of `parseMessage`, even on a slow machine under load. */
const DEADLINE_MS = 10_000
/** Authentication mostly waits for DNS, up to eight seconds, so one thread serves many messages. */
const JUDGED_TOGETHER = 32
const JUDGING_MS = 20_000
const NO_VERDICTS: Verdicts = {
  spamVerdict: 'DISABLED',
  virusVerdict: 'DISABLED',
  spfVerdict: 'PROCESSING_FAILED',
  dkimVerdict: 'PROCESSING_FAILED',
  dmarcVerdict: 'PROCESSING_FAILED',
}
/** What a thread needs for itself, and for each megabyte of a message: its text, decoded and as HTML, several times. */
const THREAD_MB = 128
const MB_PER_MEGABYTE = 16

export function createMessageReader(settings: { INBOUND_MAX_MB: number; MESSAGE_MAX_MB: number }): MessageReader {
  const maxMegabytes = Math.max(settings.INBOUND_MAX_MB, settings.MESSAGE_MAX_MB)
  const start = (limits: ResourceLimits) => startThread('message-thread', import.meta.url, limits)
  const limits = { maxOldGenerationSizeMb: THREAD_MB + MB_PER_MEGABYTE * maxMegabytes }
  const reading = createThreadPool<ReadRequest, ReadReply>({
    start,
    limits,
    threads: availableParallelism(),
    deadlineMs: DEADLINE_MS,
  })
  const judging = createThreadPool<ReadRequest, ReadReply>({
    start,
    limits,
    threads: 1,
    jobsPerThread: JUDGED_TOGETHER,
    deadlineMs: JUDGING_MS,
  })

  async function read(request: ReadRequest): Promise<ReadReply> {
    const reply = await reading.run(request).catch((error: unknown) => {
      if (!(error instanceof ThreadStopped)) throw error
      throw new UnreadableMessage(
        error.reason === 'time' ? 'Parsing it takes too long.' : 'Parsing it needs too much memory.',
      )
    })
    if (reply.kind === 'unreadable') throw new UnreadableMessage(reply.reason)
    return reply
  }

  return {
    async parse(raw) {
      const reply = await read({ kind: 'parse', raw })
      if (reply.kind !== 'parsed') throw unexpected(reply)
      return reply.message
    },
    async receive(raw, arrival) {
      const reply = await read({ kind: 'receive', raw, arrival })
      if (reply.kind !== 'received') throw unexpected(reply)
      return reply.email
    },
    async findVerdicts(raw, envelope, options) {
      const request: ReadRequest = { kind: 'authenticate', raw, envelope, ...options }
      const reply = await judging.run(request).catch((error: unknown) => {
        if (error instanceof ThreadStopped) return undefined
        throw error
      })
      return reply?.kind === 'verdicts' ? reply.verdicts : NO_VERDICTS
    },
    async close() {
      await Promise.all([reading.close(), judging.close()])
    },
  }
}

const unexpected = ({ kind }: ReadReply) => new Error(`The reply "${kind}" was not expected.`)
