/**
 * Signs messages in one thread of its own, those that meet together. A signature takes longer than everything else that
 * is done for an email here (RSA, 0.4 ms). In libuv's four threads each one woke a thread that pushed aside the very
 * thread all emails go through: on two cores that one waited for half of its time, and delivery was a third slower. One
 * is enough for the thread it serves: it signs 2,300 messages a second. Whoever needs more starts another worker process.
 * It starts with the first message.
 */
import type { Worker } from 'node:worker_threads'
import { createBatcher, upToTotal } from '../../kernel/batcher.ts'
import { startThread } from '../start-thread.ts'
import type { DkimKey } from './dkim.ts'
import type { SigningReply, SigningRequest } from './signing-thread.ts'

export interface Signer {
  /** The header field to prepend to the message. `at` is the same in every attempt. */
  sign(raw: Buffer, key: DkimKey, at: Date): Promise<string>
  close(): Promise<void>
}

/** A message is copied on its way to the thread: large ones go by themselves. */
const SHARED_BYTES_MAX = 1024 * 1024
/** Few enough to be back soon. The others wait in the thread, so it never has to ask for more. */
const TOGETHER = {
  batchMax: 10,
  concurrency: 4,
  mayJoin: upToTotal(SHARED_BYTES_MAX, ({ raw }: SigningRequest) => raw.length),
}

interface Batch {
  resolve(replies: SigningReply[]): void
  reject(error: Error): void
}

export function createSigner(): Signer {
  let worker: Worker | undefined
  let closed = false
  const pending: Batch[] = []

  function start(): Worker {
    const started = startThread('signing-thread', import.meta.url)
    started.unref() // an idle thread keeps nobody from leaving
    started.on('message', (replies: SigningReply[]) => {
      if (started !== worker) return // what a lost one still said
      pending.shift()?.resolve(replies)
      if (pending.length === 0) started.unref()
    })
    started.on('error', (error) => lose(started, error))
    started.on('exit', () => lose(started, new Error('The signing thread exited.')))
    return started
  }

  /** What it had in hand fails, and the queue tries it again; the next message starts another one. */
  function lose(lost: Worker, error: Error): void {
    if (lost !== worker) return
    worker = undefined
    for (const batch of pending.splice(0)) batch.reject(error)
    void lost.terminate()
  }

  const ask = createBatcher(async (requests: SigningRequest[]) => {
    if (closed) throw new Error('The signer is closed.')
    worker ??= start()
    worker.postMessage(requests)
    worker.ref()
    return new Promise<SigningReply[]>((resolve, reject) => pending.push({ resolve, reject }))
  }, TOGETHER)

  return {
    async sign(raw, { domain, selector, privateKey }, at) {
      const reply = await ask({ raw, domain, selector, privateKey, at })
      if ('fault' in reply) throw new Error(`A message could not be signed: ${reply.fault}`)
      return reply.signature
    },
    async close() {
      closed = true
      await worker?.terminate()
    },
  }
}
