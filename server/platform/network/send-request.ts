/**
 * One HTTP request over its own connection. A separate module so that undici is loaded only if it is needed: the build
 * bundles CommonJS packages correctly only if they are imported statically.
 */
import type { LookupFunction } from 'node:net'
import { Agent, request } from 'undici'

export interface RequestOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers: Record<string, string>
  body: string | null
  signal: AbortSignal
  replyBytesMax: number
}

export interface RawReply {
  status: number
  contentType: string
  /** The target of a redirect; its body is not read. */
  location: string | undefined
  body: Buffer
}

/** Connects only to the addresses that `lookup` returns. */
export async function sendRequest(
  url: URL,
  lookup: LookupFunction,
  { replyBytesMax, ...options }: RequestOptions,
): Promise<RawReply> {
  const agent = new Agent({ connect: { lookup }, maxHeaderSize: 16_384, keepAliveTimeout: 1 })
  try {
    const reply = await request(url, { ...options, dispatcher: agent, reset: true })
    const location = [301, 302, 303, 307, 308].includes(reply.statusCode) ? first(reply.headers.location) : undefined
    return {
      status: reply.statusCode,
      contentType: first(reply.headers['content-type']) ?? '',
      location,
      body: location === undefined ? await readUpTo(reply.body, replyBytesMax) : Buffer.alloc(0),
    }
  } finally {
    await agent.destroy()
  }
}

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

export async function readUpTo(body: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of body) {
    parts.push(part)
    length += part.length
    if (length >= most) break // leaving the loop closes the connection
  }
  return Buffer.concat(parts).subarray(0, most)
}
