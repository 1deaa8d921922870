/**
 * Signs messages in a separate thread, concurrent ones as a batch. A signature takes longer than everything else that
 * is done for an email here (RSA, 0.4 ms). In libuv's four threads, each signature woke a thread that preempted the
 * main thread: on two cores it waited for half of its time, and delivery was a third slower. One thread signs 2,300
 * messages a second, which is enough for a process; for more, start another worker process. It starts with the first
 * message.
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

/** A message is copied to the thread, so large ones are sent separately. */
const SHARED_BYTES_MAX = 1024 * 1024
/** Small enough to return soon. The others wait in the thread, so that it is never idle. */
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
    started.unref() // an idle thread doesn't keep the process running
    started.on('message', (replies: SigningReply[]) => {
      if (started !== worker) return // a late reply of a lost thread
      pending.shift()?.resolve(replies)
      if (pending.length === 0) started.unref()
    })
    started.on('error', (error) => lose(started, error))
    started.on('exit', () => lose(started, new Error('The signing thread exited.')))
    return started
  }

  /** Its pending messages fail, and the queue retries them; the next message starts another thread. */
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
