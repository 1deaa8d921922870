/**
 * Files in an S3-compatible bucket, over HTTP signed with SigV4. With a custom endpoint the bucket is part of the path,
 * which every server supports; at Amazon it is part of the host name.
 */
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

export function s3Storage({ bucket, prefix, endpoint, sessionToken, ...rest }: S3Options): Storage {
  const client = new AwsClient({ ...rest, ...(sessionToken && { sessionToken }), service: 's3', retries: 2 })
  const base = endpoint
    ? `${endpoint.replace(/\/+$/, '')}/${bucket}`
    : `https://${bucket}.s3.${rest.region}.amazonaws.com`
  const urlOf = (key: string) => [base, prefix, key].filter(Boolean).join('/')

  async function call(method: string, key: string, init: RequestInit = {}): Promise<Response> {
    try {
      const reply = await client.fetch(urlOf(key), { ...init, method, signal: AbortSignal.timeout(WITHIN_MS) })
      if (reply.ok || reply.status === 404) return reply
      throw new StorageUnavailable(`The store responded to ${method} with status ${reply.status}.`)
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error
      throw new StorageUnavailable(`The store can't be reached: ${(error as Error).message}`, { cause: error })
    }
  }

  return {
    async put(key, bytes, contentType) {
      const body = new Uint8Array(bytes)
      const reply = await call('PUT', key, { body, headers: { 'content-type': contentType } })
      if (reply.status === 404) throw new StorageUnavailable(`The store has no bucket ${bucket}.`)
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
