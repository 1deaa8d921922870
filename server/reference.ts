/**
 * Serves the API reference and the OpenAPI document. Both are built on first use, because routes don't change at run
 * time, and in a thread, because it takes most of a second. The result is kept, also compressed.
 */
import negotiate from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { REFERENCE_CSP } from './platform/http/page-look.ts'
import { isLanguage, type LanguageName } from './platform/openapi/api-reference-languages.ts'
import { createThreadPool, startThread, type ThreadPool } from './platform/threads.ts'

export interface ReferenceRequest {
  version: string
  baseUrl: string
  /** The OpenAPI document is built if there is none. */
  language?: LanguageName
}

export interface BuiltReference {
  text: string
  gzip: Uint8Array
}

/** Enough for a busy and slow machine. */
const DEADLINE_MS = 60_000

/** `ctx.baseUrl` may be known only once the server listens. */
export function addReference(server: FastifyInstance, ctx: { baseUrl: string }, version: string): void {
  const built = new Map<LanguageName | undefined, Promise<BuiltReference>>()
  const build = createBuilder()

  function referenceIn(language?: LanguageName): Promise<BuiltReference> {
    const known = built.get(language)
    if (known) return known
    const building = build({ version, baseUrl: ctx.baseUrl, language })
    built.set(language, building)
    building.catch(() => built.delete(language)) // the next request starts over
    return building
  }

  server.get('/openapi.json', async (request, reply) => {
    reply.type('application/json; charset=utf-8')
    return sendReference(request, reply, await referenceIn())
  })
  server.get<{ Querystring: { lang?: unknown } }>('/docs', async (request, reply) => {
    const { lang } = request.query
    reply.type('text/html; charset=utf-8').header('content-security-policy', REFERENCE_CSP)
    return sendReference(request, reply, await referenceIn(isLanguage(lang) ? lang : 'curl'))
  })
}

/** One thread builds the reference and then exits, because it needs as much memory as the service. */
function createBuilder() {
  let pool: ThreadPool<ReferenceRequest, BuiltReference> | undefined
  let running = 0

  return async (request: ReferenceRequest): Promise<BuiltReference> => {
    pool ??= createThreadPool({
      start: (limits) => startThread('reference-thread', import.meta.url, limits),
      limits: {},
      threads: 1,
      deadlineMs: DEADLINE_MS,
    })
    const used = pool
    running++
    try {
      return await used.run(request, '')
    } finally {
      if (--running === 0) {
        pool = undefined
        await used.close()
      }
    }
  }
}

function sendReference(request: FastifyRequest, reply: FastifyReply, { text, gzip }: BuiltReference) {
  reply.header('vary', 'Accept-Encoding')
  const acceptsGzip = negotiate(String(request.headers['accept-encoding'] ?? ''), ['gzip']) === 'gzip'
  return acceptsGzip ? reply.header('content-encoding', 'gzip').send(Buffer.from(gzip)) : reply.send(text)
}
