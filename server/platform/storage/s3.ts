/**
 * Files in an S3-compatible bucket, over HTTP signed with SigV4. With a custom endpoint the bucket is part of the path,
 * which every server supports; at Amazon it is part of the host name.
 */
import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import { AwsClient } from 'aws4fetch'
import { type Storage, StorageRefused, StorageUnavailable } from './storage.ts'

export interface S3Options {
  bucket: string
  /** Prefix of every key, without slashes at its ends. */
  prefix: string
  region: string
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string
  /** Reading ends if the store sends nothing for this long. */
  idleMs?: number
}

const WITHIN_MS = 20_000
/** For large files: a slow connection still transfers this many bytes in a millisecond. */
const BYTES_PER_MS = 250

export function s3Storage(options: S3Options): Storage {
  const { bucket, prefix, endpoint, sessionToken, idleMs = WITHIN_MS, ...rest } = options
  const client = new AwsClient({ ...rest, ...(sessionToken && { sessionToken }), service: 's3', retries: 2 })
  const base = endpoint
    ? `${endpoint.replace(/\/+$/, '')}/${bucket}`
    : `https://${bucket}.s3.${rest.region}.amazonaws.com`
  const urlOf = (key: string) => [base, prefix, key].filter(Boolean).join('/')

  async function call(method: string, key: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    try {
      const reply = await client.fetch(urlOf(key), { ...init, method, signal })
      if (reply.ok || reply.status === 404) return reply
      const Refusal = reply.status === 403 ? StorageRefused : StorageUnavailable
      throw new Refusal(`The store responded to ${method} with status ${reply.status}.`)
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error
      throw new StorageUnavailable(`The store can't be reached: ${(error as Error).message}`, { cause: error })
    }
  }

  async function putBody(key: string, body: Uint8Array<ArrayBuffer> | Blob, contentType: string, withinMs = WITHIN_MS) {
    const headers = { 'content-type': contentType }
    const reply = await call('PUT', key, { body, headers }, AbortSignal.timeout(withinMs))
    if (reply.status === 404) throw new StorageUnavailable(`The store has no bucket ${bucket}.`)
  }

  return {
    put: (key, bytes, contentType) => putBody(key, new Uint8Array(bytes), contentType),
    async putFile(key, file, contentType) {
      const blob = await openAsBlob(file) // read while it is sent
      await putBody(key, blob, contentType, WITHIN_MS + Math.ceil(blob.size / BYTES_PER_MS))
    },
    async get(key) {
      const idle = idleSignal(idleMs)
      const reply = await idle.during(call('GET', key, {}, idle.signal))
      if (reply.status === 404 || !reply.body) return undefined
      const content = Readable.from(read(reply.body, idle), { objectMode: false })
      return { size: Number(reply.headers.get('content-length')), content }
    },
    async remove(key) {
      await call('DELETE', key, {}, AbortSignal.timeout(WITHIN_MS))
    },
  }
}

/** A signal that aborts if the store responds too late. Time that the reader spends on its own work doesn't count. */
function idleSignal(idleMs: number) {
  const controller = new AbortController()
  return {
    signal: controller.signal,
    during<T>(work: Promise<T>): Promise<T> {
      const timer = setTimeout(() => controller.abort(new Error(`no data within ${idleMs / 1000} s`)), idleMs)
      return work.finally(() => clearTimeout(timer))
    },
  }
}

async function* read(body: ReadableStream<Uint8Array>, idle: ReturnType<typeof idleSignal>) {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await idle.during(reader.read())
      if (done) return
      yield value
    }
  } catch (error) {
    throw new StorageUnavailable(`The store stopped sending: ${(error as Error).message}`, { cause: error })
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
