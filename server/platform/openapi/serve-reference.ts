/**
 * Serves the OpenAPI document, the API reference and the documentation site, which tools/write-reference.ts writes when the
 * server is built. Only the base URL is filled in here. The result is kept, also compressed.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import negotiate from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, isListed } from '../../kernel/etag.ts'
import { html } from '../http/html.ts'
import { REFERENCE_CSP, SITE_CSP } from '../http/page-look.ts'
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
    // Links are relative, and another address would lead elsewhere.
    if (/^\/docs\/+(\?|$)/.test(request.url)) return reply.redirect('../docs', 308)
    const onePage = isLanguage(lang)
    const file = onePage ? `${lang}.html` : 'site/index.html'
    const found = await referenceIn(file, html`${ctx.baseUrl}`.markup).catch(undefinedIfMissing)
    reply.type('text/html; charset=utf-8').header('content-security-policy', onePage ? REFERENCE_CSP : SITE_CSP)
    return sendReference(request, reply, found)
  })
  for (const name of ['llms.txt', 'llms-full.txt']) {
    server.get(`/${name}`, async (request, reply) => {
      const found = await referenceIn(name, ctx.baseUrl).catch(undefinedIfMissing)
      return sendReference(request, reply.type('text/plain; charset=utf-8'), found)
    })
  }
  server.get<{ Params: { file: string } }>('/openapi/:file', async (request, reply) => {
    const { file } = request.params
    if (!/^[a-z-]{1,64}\.json$/.test(file)) return reply.callNotFound()
    const found = await referenceIn(`openapi/${file}`, JSON.stringify(ctx.baseUrl).slice(1, -1)).catch(
      undefinedIfMissing,
    )
    return found ? sendReference(request, reply.type('application/json; charset=utf-8'), found) : reply.callNotFound()
  })
  server.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const [, name, extension] = SITE_FILE.exec(request.params['*']) ?? []
    if (name === undefined) return reply.callNotFound()
    const isPage = extension === undefined
    const hasMarkdown = isPage && wantsMarkdown(request)
    const kind = isPage ? (hasMarkdown ? 'md' : 'html') : extension
    const read = (kind: FileKind) => referenceIn(`site/${name}.${kind}`, FILE_KINDS[kind].escape(ctx.baseUrl))
    const found =
      (await read(kind as FileKind).catch(undefinedIfMissing)) ??
      (hasMarkdown ? await read('html').catch(undefinedIfMissing) : undefined)
    if (!found) return reply.callNotFound()
    const shown = hasMarkdown && found.text.startsWith('<!doctype') ? 'html' : (kind as FileKind)
    reply.type(`${FILE_KINDS[shown].type}; charset=utf-8`)
    if (shown === 'html') reply.header('content-security-policy', SITE_CSP)
    return sendReference(request, reply, found, isPage ? 'Accept, Accept-Encoding' : 'Accept-Encoding')
  })
}

/** A page, its Markdown, or a file of the site, such as `reference/contacts.json`. */
const SITE_FILE = /^(\w[\w-]{0,63}(?:\/\w[\w-]{0,63})?)(?:\.(md|css|js|json))?$/

const FILE_KINDS = {
  html: { type: 'text/html', escape: (url: string) => html`${url}`.markup },
  md: { type: 'text/markdown', escape: (url: string) => url },
  css: { type: 'text/css', escape: (url: string) => url },
  js: { type: 'text/javascript', escape: (url: string) => url },
  json: { type: 'application/json', escape: (url: string) => JSON.stringify(url).slice(1, -1) },
}

type FileKind = keyof typeof FILE_KINDS

const wantsMarkdown = ({ headers }: FastifyRequest): boolean =>
  negotiate(String(headers.accept ?? ''), ['text/html', 'text/markdown']) === 'text/markdown'

async function fill(file: string, baseUrl: string): Promise<Reference> {
  const written = await promisify(gunzip)(await readFile(`${file}.gz`))
  const text = written.toString('utf8').replaceAll(ANY_BASE_URL, () => baseUrl)
  return { text, gzip: await promisify(gzip)(text), etag: etagOf(text, undefined) }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function sendReference(
  request: FastifyRequest,
  reply: FastifyReply,
  reference: Reference | undefined,
  vary = 'Accept-Encoding',
) {
  if (!reference) {
    return reply
      .code(503)
      .type('text/plain; charset=utf-8')
      .send('The API reference is not built yet. Run `npm run build`; `npm start` does it automatically.\n')
  }
  reply.headers({ vary, etag: reference.etag })
  if (isListed(request.headers['if-none-match'], reference.etag)) return reply.code(304).send()
  const acceptsGzip = negotiate(String(request.headers['accept-encoding'] ?? ''), ['gzip']) === 'gzip'
  return acceptsGzip ? reply.header('content-encoding', 'gzip').send(reference.gzip) : reply.send(reference.text)
}
