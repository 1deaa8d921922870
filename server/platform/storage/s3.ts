/**
 * Files in an S3-compatible bucket, over HTTP signed with SigV4. With a custom endpoint the bucket is part of the path,
 * which every server supports; at Amazon it is part of the host name.
 */
import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import { type Storage, StorageUnavailable } from './storage.ts'

export interface S3Options {
  bucket: string
  /** Prefix of every key, without slashes at its ends. */
  prefix: string
  region: string
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string
}

const WITHIN_MS = 20_000
/** For large files: a slow connection still transfers this many bytes in a millisecond. */
const BYTES_PER_MS = 250

export function s3Storage({ bucket, prefix, endpoint, sessionToken, ...rest }: S3Options): Storage {
  const client = new AwsClient({ ...rest, ...(sessionToken && { sessionToken }), service: 's3', retries: 2 })
  const base = endpoint
    ? `${endpoint.replace(/\/+$/, '')}/${bucket}`
    : `https://${bucket}.s3.${rest.region}.amazonaws.com`
  const urlOf = (key: string) => [base, prefix, key].filter(Boolean).join('/')

  async function call(method: string, key: string, init: RequestInit = {}, withinMs = WITHIN_MS): Promise<Response> {
    try {
      const reply = await client.fetch(urlOf(key), { ...init, method, signal: AbortSignal.timeout(withinMs) })
      if (reply.ok || reply.status === 404) return reply
      throw new StorageUnavailable(`The store responded to ${method} with status ${reply.status}.`)
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error
      throw new StorageUnavailable(`The store can't be reached: ${(error as Error).message}`, { cause: error })
    }
  }

  async function putBody(key: string, body: Uint8Array<ArrayBuffer> | Blob, contentType: string, withinMs?: number) {
    const reply = await call('PUT', key, { body, headers: { 'content-type': contentType } }, withinMs)
    if (reply.status === 404) throw new StorageUnavailable(`The store has no bucket ${bucket}.`)
  }

  return {
    put: (key, bytes, contentType) => putBody(key, new Uint8Array(bytes), contentType),
    async putFile(key, file, contentType) {
      const blob = await openAsBlob(file) // read while it is sent
      await putBody(key, blob, contentType, WITHIN_MS + Math.ceil(blob.size / BYTES_PER_MS))
    },
    async get(key) {
      const reply = await call('GET', key)
      if (reply.status === 404 || !reply.body) return undefined
      const content = Readable.fromWeb(reply.body as ReadableStream<Uint8Array>)
      return { size: Number(reply.headers.get('content-length')), content }
    },
    async remove(key) {
      await call('DELETE', key)
    },
  }
}
