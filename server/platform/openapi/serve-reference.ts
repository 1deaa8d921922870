/**
 * Serves the OpenAPI document and the API reference, which tools/write-reference.ts writes when the server is built. Only
 * the base URL is filled in here. The result is kept, also compressed.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import negotiate from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, isListed } from '../../kernel/etag.ts'
import { html } from '../http/html.ts'
import { REFERENCE_CSP } from '../http/page-look.ts'
import { isLanguage } from './api-reference-languages.ts'

/** Stands for the base URL in the written files. It needs no escaping in HTML, JSON or an example. */
export const ANY_BASE_URL = 'https://base-url.invalid'

interface Reference {
  text: string
  gzip: Buffer
  etag: string
}

/** `ctx.baseUrl` may be known only once the server listens. */
export function addReference(server: FastifyInstance, ctx: { baseUrl: string }, folder: string): void {
  const kept = new Map<string, Promise<Reference>>()

  function referenceIn(file: string, baseUrl: string): Promise<Reference> {
    const known = kept.get(file)
    if (known) return known
    const filling = fill(path.join(folder, file), baseUrl)
    kept.set(file, filling)
    filling.catch(() => kept.delete(file)) // the next request reads it again
    return filling
  }

  server.get('/openapi.json', async (request, reply) => {
    const found = await referenceIn('openapi.json', JSON.stringify(ctx.baseUrl).slice(1, -1)).catch(undefinedIfMissing)
    return sendReference(request, reply.type('application/json; charset=utf-8'), found)
  })
  server.get<{ Querystring: { lang?: unknown } }>('/docs', async (request, reply) => {
    const { lang } = request.query
    const language = isLanguage(lang) ? lang : 'curl'
    const found = await referenceIn(`${language}.html`, html`${ctx.baseUrl}`.markup).catch(undefinedIfMissing)
    reply.type('text/html; charset=utf-8').header('content-security-policy', REFERENCE_CSP)
    return sendReference(request, reply, found)
  })
}

async function fill(file: string, baseUrl: string): Promise<Reference> {
  const written = await promisify(gunzip)(await readFile(`${file}.gz`))
  const text = written.toString('utf8').replaceAll(ANY_BASE_URL, () => baseUrl)
  return { text, gzip: await promisify(gzip)(text), etag: etagOf(text, undefined) }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function sendReference(request: FastifyRequest, reply: FastifyReply, reference: Reference | undefined) {
  if (!reference) {
    return reply
      .code(503)
      .type('text/plain; charset=utf-8')
      .send('The API reference is not built yet. Run `npm run build`; `npm start` does it automatically.\n')
  }
  reply.headers({ vary: 'Accept-Encoding', etag: reference.etag })
  if (isListed(request.headers['if-none-match'], reference.etag)) return reply.code(304).send()
  const acceptsGzip = negotiate(String(request.headers['accept-encoding'] ?? ''), ['gzip']) === 'gzip'
  return acceptsGzip ? reply.header('content-encoding', 'gzip').send(reference.gzip) : reply.send(reference.text)
}
