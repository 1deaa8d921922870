/**
 * Serves the dashboard under `/app` from its build. File names contain a hash, so browsers cache them forever; fonts,
 * which the API reference uses by name, for a day; the page itself is not cached. Every URL below `/app` returns the
 * page, which does its own routing. Its base is relative, so a proxy can serve it below any path.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Only our own scripts. Inline styles are allowed because previews inherit this policy and emails use inline styles;
 * images can come from anywhere for the same reason. Previews are sandboxed: they run nothing and have their own origin,
 * except for a copy that loads nothing and measures the height.
 */
const DASHBOARD_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: https: http:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE_HEADERS = {
  'content-security-policy': DASHBOARD_CSP,
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

const ENDINGS = { br: '.br', gzip: '.gz' }

const BASE = '<base href="./" />'

export function addDashboard(server: FastifyInstance, folder: string): void {
  server.get('/', async (_request, reply) => reply.redirect('app/', 302))
  server.get('/app', async (request, reply) => {
    // Relative URLs require the trailing slash.
    if (!/^\/app\//.test(request.url)) return reply.redirect(`app/${queryOf(request)}`, 302)
    return sendPage(request, reply, folder)
  })
  server.get('/app/assets/:file', async (request, reply) => sendFile(request, reply, folder))
  server.get('/app/*', async (request, reply) => sendPage(request, reply, folder))
}

const readPage = (folder: string) => readFile(path.join(folder, 'index.html'), 'utf8').catch(() => undefined)

async function sendPage(request: FastifyRequest, reply: FastifyReply, folder: string) {
  const page = await readPage(folder)
  if (page === undefined) return sendNotBuilt(reply)
  return reply
    .headers(PAGE_HEADERS)
    .type('text/html; charset=utf-8')
    .send(page.replace(BASE, `<base href="${pathToRoot(request.url)}" />`))
}

/** From `/app/contacts/1` the assets are one level up: `../`. */
function pathToRoot(url: string): string {
  const inside = url.split('?')[0]!.slice('/app/'.length)
  return '../'.repeat(inside.split('/').length - 1) || './'
}

/** Compressed, if the build has it and the browser accepts it. */
async function sendFile(request: FastifyRequest, reply: FastifyReply, folder: string) {
  const { file } = request.params as { file: string }
  const type = TYPES[path.extname(file)]
  if (!type) return sendMissing(reply, folder)
  const { default: send } = await import('@fastify/send') // takes 20 ms, because of its table of types: not at every start
  const { default: negotiate } = await import('@fastify/accept-negotiator')
  const encoding = negotiate(String(request.headers['accept-encoding'] ?? ''), ['br', 'gzip'])
  for (const form of encoding ? [encoding, undefined] : [undefined]) {
    const found = await send(request.raw, encodeURIComponent(file) + (form ? ENDINGS[form] : ''), {
      root: path.join(folder, 'assets'),
      contentType: false,
      dotfiles: 'ignore',
      ...(path.extname(file) === '.woff2' ? { maxAge: '1d' } : { maxAge: '1y', immutable: true }),
    })
    reply.headers({ 'x-content-type-options': 'nosniff', vary: 'Accept-Encoding' })
    if (found.type === 'file') reply.type(type).headers(form ? { 'content-encoding': form } : {})
    // Besides files, the responses to conditional and range requests.
    if (found.type === 'file' || found.statusCode === 412 || found.statusCode === 416) {
      return reply.code(found.statusCode).headers(found.headers).send(found.stream)
    }
  }
  return sendMissing(reply, folder)
}

async function sendMissing(reply: FastifyReply, folder: string) {
  if ((await readPage(folder)) === undefined) return sendNotBuilt(reply)
  return reply.code(404).type('text/plain; charset=utf-8').send('This file does not exist.\n')
}

const sendNotBuilt = (reply: FastifyReply) =>
  reply
    .code(503)
    .type('text/plain; charset=utf-8')
    .headers({ 'cache-control': 'no-store', 'retry-after': '5' })
    .send('The dashboard is not built yet. Run `npm run build`; `npm start` does it automatically.\n')

const queryOf = (request: FastifyRequest) => (request.url.includes('?') ? `?${request.url.split('?')[1]}` : '')
