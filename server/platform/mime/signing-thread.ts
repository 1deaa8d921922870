/** The code of a signing thread: it signs the messages it receives and reports how long that took. */
import { parentPort } from 'node:worker_threads'
import { type DkimKey, dkimSignature } from './dkim.ts'

export interface SigningRequest {
  raw: Uint8Array
  key: DkimKey
  at: Date
}

export type SigningReply = { signature: string } | { fault: string }

export interface SignedBatch {
  /** The replies, in the order of the requests. */
  replies: SigningReply[]
  ms: number
}

function sign({ raw, key, at }: SigningRequest): SigningReply {
  try {
    return { signature: dkimSignature(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), key, at) }
  } catch (error) {
    return { fault: String(error) }
  }
}

const port = parentPort
if (!port) throw new Error('This file runs only in a thread.')
port.on('message', (requests: SigningRequest[]) => {
  const startedAt = performance.now()
  const replies = requests.map(sign)
  port.postMessage({ replies, ms: performance.now() - startedAt } satisfies SignedBatch)
})
