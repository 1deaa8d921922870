/**
 * The dashboard under `/app`, from the files its build made. Names of files carry a hash, so browsers keep them for
 * ever; the page itself is never kept. Any address inside `/app` is the page, which finds its own way from there;
 * where it stands is told by a relative base, so a proxy may put the whole service below any path.
 */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * No script but our own. Styles may be inline, because a preview inherits this policy and mail is made of inline
 * styles; images may come from anywhere for the same reason. The previews themselves have no rights at all.
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

const BASE = '<base href="./" />'
const ENCODINGS = { br: '.br', gzip: '.gz' }

interface Built {
  page: string
  /** By name, with the compressed forms beside it: `main-abc.js`, `main-abc.js.br`. */
  files: Map<string, Buffer>
}

export function addDashboard(server: FastifyInstance, folder: string): void {
  let built: Promise<Built> | undefined
  const load = () => {
    built ??= readBuilt(folder).catch((error) => {
      built = undefined // perhaps it is being built right now
      throw error
    })
    return built
  }

  server.get('/', async (_request, reply) => reply.redirect('app/', 302))
  server.get('/app', async (request, reply) => {
    // Relative addresses need the slash to start from the right place.
    if (!/^\/app\//.test(request.url)) return reply.redirect(`app/${queryOf(request)}`, 302)
    return sendPage(reply, await load().catch(() => undefined), request)
  })
  server.get('/app/assets/:file', async (request, reply) => {
    const { file } = request.params as { file: string }
    return sendFile(request, reply, await load().catch(() => undefined), file)
  })
  server.get('/app/*', async (request, reply) => sendPage(reply, await load().catch(() => undefined), request))
}

async function readBuilt(folder: string): Promise<Built> {
  const page = await readFile(path.join(folder, 'index.html'), 'utf8')
  const assets = path.join(folder, 'assets')
  const names = await readdir(assets)
  const files = await Promise.all(names.map(async (name) => [name, await readFile(path.join(assets, name))] as const))
  return { page, files: new Map(files) }
}

function sendPage(reply: FastifyReply, built: Built | undefined, request: FastifyRequest) {
  if (!built) return sendNotBuilt(reply)
  return reply
    .headers(PAGE_HEADERS)
    .type('text/html; charset=utf-8')
    .send(built.page.replace(BASE, `<base href="${wayUp(request.url)}" />`))
}

/** From `/app/contacts/1` the assets are one floor up: `../`. */
function wayUp(url: string): string {
  const inside = url.split('?')[0]!.slice('/app/'.length)
  return '../'.repeat(inside.split('/').length - 1) || './'
}

function sendFile(request: FastifyRequest, reply: FastifyReply, built: Built | undefined, name: string) {
  const type = TYPES[path.extname(name)]
  const whole = built?.files.get(name)
  if (!built) return sendNotBuilt(reply)
  if (!whole || !type) return reply.code(404).type('text/plain; charset=utf-8').send('There is no such file.\n')
  reply
    .type(type)
    .headers({ 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' })
    .header('vary', 'Accept-Encoding')
  const accepted = String(request.headers['accept-encoding'] ?? '')
  for (const [encoding, ending] of Object.entries(ENCODINGS)) {
    const packed = accepted.includes(encoding) ? built.files.get(name + ending) : undefined
    if (packed) return reply.header('content-encoding', encoding).send(packed)
  }
  return reply.send(whole)
}

const sendNotBuilt = (reply: FastifyReply) =>
  reply
    .code(503)
    .type('text/plain; charset=utf-8')
    .headers({ 'cache-control': 'no-store', 'retry-after': '5' })
    .send('The dashboard is not built yet. Run `npm run build`; `npm start` does it by itself.\n')

const queryOf = (request: FastifyRequest) => (request.url.includes('?') ? `?${request.url.split('?')[1]}` : '')
