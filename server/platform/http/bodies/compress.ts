/**
 * Compresses what the dashboard reads. Only GET requests of a session that name their project in a header: pages of other
 * sites can't send that header, so nobody can make a browser request texts of their choice and guess a secret by the length of
 * the responses; and a GET returns no key or token, except for the secrets of webhooks, each alone in a short response.
 */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import negotiate from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Shorter ones fit into one packet anyway. */
const WORTH_BYTES = 1_200

/** As fast as gzip, and smaller. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const COMPRESS = {
  br: (json: Buffer | string) => promisify(brotliCompress)(json, BROTLI),
  gzip: (json: Buffer | string) => promisify(gzip)(json),
}

type Encoding = keyof typeof COMPRESS

/** The encoding of a response, if it is compressed. */
export function encodingFor({ method, headers, caller }: FastifyRequest, bytes: number): Encoding | undefined {
  if (method !== 'GET' || caller?.userId === undefined || headers['x-project-id'] === undefined) return undefined
  if (bytes < WORTH_BYTES) return undefined
  return (negotiate(String(headers['accept-encoding'] ?? ''), ['br', 'gzip']) ?? undefined) as Encoding | undefined
}

export async function sendCompressed(reply: FastifyReply, json: Buffer | string, encoding: Encoding) {
  const etag = reply.getHeader('etag')
  if (etag !== undefined) reply.header('etag', `W/${etag}`) // its bytes differ from those of the same response uncompressed
  reply.headers({ 'content-encoding': encoding, vary: 'Accept-Encoding' })
  return reply.send(await COMPRESS[encoding](json))
}
