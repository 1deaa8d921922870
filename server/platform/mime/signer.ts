/**
 * Signs messages in separate threads, the most urgent first and projects in turn. An RSA signature takes longer than everything else that
 * this process does for an email, so there can be as many threads as cores. The first starts with the first message,
 * and another one when the waiting messages would take longer than starting it. libuv's threads aren't used: they are
 * shared with file access and name lookups, and wake up for every message instead of once for a batch.
 */
import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { createPriorityLine } from '../../kernel/flow/waiting.ts'
import { startThread } from '../threads.ts'
import type { DkimKey } from './dkim.ts'
import type { SignedBatch, SigningReply, SigningRequest } from './signing-thread.ts'

export interface Signer {
  /** The header fields to prepend to the message. `at` is the same in every attempt. */
  sign(raw: Buffer, key: DkimKey, at: Date, priority: number, projectId?: string): Promise<string>
  /** How many threads run at the moment. */
  threads(): number
  close(): Promise<void>
}

/**
 * How much work a thread gets at a time, by the measured time of a signature. While it signs one batch, the next one
 * waits in it, so it never has to wait for more, and an urgent message waits for at most two batches.
 */
const BATCH_MS = 5
const BATCHES_PER_THREAD = 2
/** A message is copied to the thread, so large ones are sent alone. */
const BATCH_BYTES_MAX = 1024 * 1024
/** After this time without work, all threads but one stop; and that one after the longer time. */
const IDLE_MS = 10_000
const LAST_IDLE_MS = 60_000

interface Task {
  request: SigningRequest
  resolve(reply: SigningReply): void
  reject(error: Error): void
}

interface Thread {
  worker: Worker
  batches: Task[][]
  idleTimer: NodeJS.Timeout | undefined
}

export function createSigner(threadsMax = availableParallelism()): Signer {
  const line = createPriorityLine<Task>()
  const threads: Thread[] = []
  let next: Task | undefined // taken from the queue, but too large for the current batch
  let scheduled = false
  let closed = false
  /** Measured: how long one signature and the start of a thread take. */
  let signatureMs = BATCH_MS
  let startMs = Number.POSITIVE_INFINITY

  function start(): Thread {
    const startedAt = performance.now()
    const thread: Thread = { worker: startThread('signing-thread', import.meta.url), batches: [], idleTimer: undefined }
    const { worker } = thread
    threads.push(thread)
    worker.unref() // an idle thread doesn't keep the process from exiting
    worker.once('online', () => {
      startMs = performance.now() - startedAt
    })
    worker.on('message', (batch: SignedBatch) => finish(thread, batch))
    worker.on('error', (error) => lose(thread, error))
    worker.on('exit', () => lose(thread, new Error('The signing thread exited.')))
    return thread
  }

  function finish(thread: Thread, { replies, ms }: SignedBatch): void {
    const tasks = thread.batches.shift()
    if (!tasks) return
    const measured = ms / tasks.length
    // A thread that had to wait for a core takes longer, so shorter times are used immediately and longer ones have
    // little weight.
    signatureMs += measured < signatureMs ? measured - signatureMs : (measured - signatureMs) / 64
    tasks.forEach((task, i) => {
      task.resolve(replies[i]!)
    })
    distribute()
    if (thread.batches.length > 0) return
    thread.worker.unref()
    thread.idleTimer = setTimeout(stopIfSpare, IDLE_MS, thread).unref()
  }

  function stopIfSpare(thread: Thread): void {
    if (threads.length > 1) stop(thread)
    else thread.idleTimer = setTimeout(stop, LAST_IDLE_MS - IDLE_MS, thread).unref()
  }

  const stop = (thread: Thread): void => lose(thread, new Error('The signing thread had no work.'))

  /** Its messages fail, and the queue retries them. */
  function lose(thread: Thread, error: Error): void {
    const at = threads.indexOf(thread)
    if (at < 0) return
    threads.splice(at, 1)
    clearTimeout(thread.idleTimer)
    for (const task of thread.batches.splice(0).flat()) task.reject(error)
    void thread.worker.terminate()
    distribute()
  }

  /** The thread with the least work. */
  function findThread(): Thread | undefined {
    const least = threads.reduce<Thread | undefined>(
      (best, thread) => (best && best.batches.length <= thread.batches.length ? best : thread),
      undefined,
    )
    if (least && least.batches.length < BATCHES_PER_THREAD) return least
    const waitMs = (line.size * signatureMs) / threads.length
    return threads.length === 0 || (threads.length < threadsMax && waitMs > startMs) ? start() : undefined
  }

  function nextBatch(): Task[] {
    const share = Math.ceil((line.size + 1) / threads.length) // leaves some for the other threads
    const batchMax = Math.max(1, Math.min(share, Math.floor(BATCH_MS / signatureMs)))
    const batch: Task[] = []
    let bytes = 0
    for (let task = next ?? line.take(); task; task = line.take()) {
      next = undefined
      bytes += task.request.raw.length
      if (batch.length > 0 && bytes > BATCH_BYTES_MAX) {
        next = task
        break
      }
      batch.push(task)
      if (batch.length >= batchMax) break
    }
    return batch
  }

  function distribute(): void {
    while (!closed && (next || line.size > 0)) {
      const thread = findThread()
      if (!thread) return
      give(thread, nextBatch())
    }
  }

  function give(thread: Thread, tasks: Task[]): void {
    try {
      thread.worker.postMessage(tasks.map((task) => task.request))
    } catch (error) {
      for (const task of tasks) task.reject(error as Error)
      return
    }
    clearTimeout(thread.idleTimer)
    thread.worker.ref()
    thread.batches.push(tasks)
  }

  /** After this turn of the event loop, so that messages that arrive together are compared and share a batch. */
  function distributeSoon(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      distribute()
    })
  }

  return {
    async sign(raw, key, at, priority, projectId) {
      if (closed) throw new Error('The signer is closed.')
      const reply = await new Promise<SigningReply>((resolve, reject) => {
        line.add({ request: { raw, key, at }, resolve, reject }, priority, projectId)
        distributeSoon()
      })
      if ('fault' in reply) throw new Error(`A message could not be signed: ${reply.fault}`)
      return reply.signature
    },
    threads: () => threads.length,
    async close() {
      closed = true
      const error = new Error('The signer is closed.')
      for (const task of [...(next ? [next] : []), ...line.takeAll()]) task.reject(error)
      next = undefined
      const workers = threads.map(({ worker }) => worker)
      for (const thread of [...threads]) lose(thread, error)
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
  }
}
