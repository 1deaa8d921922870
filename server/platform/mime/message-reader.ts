/**
 * Reads untrusted messages without blocking the event loop: a few kilobytes can take a parser seconds, so it runs in
 * threads that have a deadline and a memory limit. Received and submitted messages have separate threads, in which
 * client networks and projects have turns. The threads start with the first message.
 */
import { availableParallelism } from 'node:os'
import type { ResourceLimits } from 'node:worker_threads'
import { networkOf } from '../network/public-address.ts'
import { createThreadPool, startThread, ThreadStopped } from '../threads.ts'
import type { ReadReply, ReadRequest, ReceivedEmail } from './message-thread.ts'
import { type ParsedMessage, UnreadableMessage } from './parse-message.ts'
import type { Envelope, Verdicts } from './verdicts.ts'

export interface MessageReader {
  /**
   * Parses a submitted message. Without HTML, it gets its text as HTML. Rejects with `UnreadableMessage` if the message
   * is at fault; so does `receive`.
   */
  parse(raw: Buffer, projectId: string): Promise<ParsedMessage>
  /**
   * `arrival` identifies a message that has no identity of its own. `sentBy` is whose turn it needs: the network of the
   * client, or the domain of the recipient if SES received the message.
   */
  receive(raw: Buffer, arrival: string, sentBy: string): Promise<ReceivedEmail>
  findVerdicts(
    raw: Buffer,
    envelope: Envelope,
    options: { host: string; dnsServers: readonly string[] },
  ): Promise<Verdicts>
  close(): Promise<void>
}

/** Far more than any message needs within the limits of `parseMessage`, even on a slow machine under load. */
const SMALL_BYTES = 1024 * 1024
const SMALL_DEADLINE_MS = 2_000
const DEADLINE_MS = 10_000
/**
 * Authentication mostly waits for DNS, up to eight seconds, so one thread serves many messages. A long one is hashed for
 * seconds if it has several signatures, so it has a thread of its own.
 */
const SHORT_BYTES = 128 * 1024
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

export function createMessageReader(
  settings: { INBOUND_MAX_MB: number; MESSAGE_MAX_MB: number },
  deadlineMs: (request: { raw: Uint8Array }) => number = readingMs,
): MessageReader {
  const maxMegabytes = Math.max(settings.INBOUND_MAX_MB, settings.MESSAGE_MAX_MB)
  const start = (limits: ResourceLimits) => startThread('message-thread', import.meta.url, limits)
  const limits = { maxOldGenerationSizeMb: THREAD_MB + MB_PER_MEGABYTE * maxMegabytes }
  const openPool = () =>
    createThreadPool<ReadRequest, ReadReply>({
      start,
      limits,
      threads: availableParallelism(),
      deadlineMs,
    })
  const receiving = openPool()
  const submitting = openPool()
  const judging = createThreadPool<ReadRequest, ReadReply>({
    start,
    limits,
    threads: 1,
    jobsPerThread: JUDGED_TOGETHER,
    share: JUDGED_TOGETHER / 4,
    deadlineMs: JUDGING_MS,
    mostlyWaits: true,
  })
  const judgingLong = createThreadPool<ReadRequest, ReadReply>({
    start,
    limits,
    threads: availableParallelism(),
    deadlineMs: JUDGING_MS,
    mostlyWaits: true,
  })

  async function read(pool: typeof receiving, request: ReadRequest, owner: string): Promise<ReadReply> {
    const reply = await pool.run(request, owner).catch((error: unknown) => {
      if (!(error instanceof ThreadStopped)) throw error
      throw error.reason === 'time'
        ? new UnreadableMessage('Parsing it takes too long.', true)
        : new UnreadableMessage('Parsing it needs too much memory.')
    })
    if (reply.kind === 'unreadable') throw new UnreadableMessage(reply.reason)
    return reply
  }

  return {
    async parse(raw, projectId) {
      const reply = await read(submitting, { kind: 'parse', raw }, projectId)
      if (reply.kind !== 'parsed') throw unexpected(reply)
      return reply.message
    },
    async receive(raw, arrival, sentBy) {
      const reply = await read(receiving, { kind: 'receive', raw, arrival }, sentBy)
      if (reply.kind !== 'received') throw unexpected(reply)
      return reply.email
    },
    async findVerdicts(raw, envelope, options) {
      const request: ReadRequest = { kind: 'authenticate', raw, envelope, ...options }
      const pool = raw.length <= SHORT_BYTES ? judging : judgingLong
      const reply = await pool.run(request, networkOf(envelope.address)).catch((error: unknown) => {
        if (error instanceof ThreadStopped) return undefined
        throw error
      })
      return reply?.kind === 'verdicts' ? reply.verdicts : NO_VERDICTS
    },
    async close() {
      await Promise.all([receiving, submitting, judging, judgingLong].map((pool) => pool.close()))
    },
  }
}

/** The time that one message may take to be parsed. */
export const readingMs = ({ raw }: { raw: Uint8Array }): number =>
  raw.length < SMALL_BYTES ? SMALL_DEADLINE_MS : DEADLINE_MS

const unexpected = ({ kind }: ReadReply) => new Error(`The reply "${kind}" was not expected.`)
