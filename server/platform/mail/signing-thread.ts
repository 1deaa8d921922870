/** Runs in the signing thread: signs batches of messages. */
import type { KeyObject } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { dkimSignature } from './dkim.ts'

export interface SigningRequest {
  raw: Uint8Array
  domain: string
  selector: string
  privateKey: KeyObject
  at: Date
}

export type SigningReply = { signature: string } | { fault: string }

function answer({ raw, at, ...key }: SigningRequest): SigningReply {
  try {
    return { signature: dkimSignature(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), key, at) }
  } catch (error) {
    return { fault: String(error) }
  }
}

const port = parentPort
if (!port) throw new Error('This file runs only in a thread.')
port.on('message', (requests: SigningRequest[]) => port.postMessage(requests.map(answer)))
