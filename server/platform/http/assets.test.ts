import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDashboard } from './assets.ts'

const SCRIPT = 'console.log("built")'
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-assets-'))
  await mkdir(path.join(folder, 'assets'))
  await writeFile(
    path.join(folder, 'index.html'),
    '<html><base href="./" /><script src="./assets/main-1.js"></script></html>',
  )
  await writeFile(path.join(folder, 'assets/main-1.js'), SCRIPT)
  await writeFile(path.join(folder, 'assets/main-1.js.gz'), gzipSync(SCRIPT))
  await writeFile(path.join(folder, 'assets/icon-1.svg'), '<svg/>')
  await writeFile(path.join(folder, 'assets/notes.txt'), 'not yours')
  await writeFile(path.join(folder, 'assets/.hidden.js'), 'not yours')
  await mkdir(path.join(folder, 'assets/folder.js'))
  await writeFile(path.join(folder, 'secret.txt'), 'not yours')
  await writeFile(path.join(folder, 'secret.js'), 'not yours')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function open(from = folder) {
  const server = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  addDashboard(server, from)
  return (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    server.inject({ method, url, headers })
}

describe('the entry to the dashboard', () => {
  it.each([
    ['/', 'app/'],
    ['/app', 'app/'],
    ['/app?next=1', 'app/?next=1'],
  ])('%s redirects to %s with a relative path', async (url, location) => {
    const reply = await open()(url)
    expect([reply.statusCode, reply.headers.location]).toEqual([302, location])
  })
})

describe('the dashboard page', () => {
  it.each([
    ['/app/', './'],
    ['/app/sign-in', './'],
    ['/app/sign-in?next=/a/b', './'],
    ['/app/projects/1/contacts', '../../'],
    ['/app/contacts/', '../'],
  ])('at %s refers to its assets at %s', async (url, base) => {
    const reply = await open()(url)
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toContain(`<base href="${base}" />`)
  })

  it('is not cached, and allows only its own scripts', async () => {
    const { headers } = await open()('/app/')
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
  })
})

describe('a dashboard file', () => {
  it('is cached forever and compressed if the browser accepts it', async () => {
    const request = open()
    const packed = await request('/app/assets/main-1.js', { 'accept-encoding': 'gzip, deflate' })
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
    expect(gunzipSync(packed.rawPayload).toString()).toBe(SCRIPT)
    const plain = await request('/app/assets/main-1.js')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.body).toBe(SCRIPT)
  })

  it('is uncompressed if the browser refuses compression, or if there is no compressed file', async () => {
    const request = open()
    const refused = await request('/app/assets/main-1.js', { 'accept-encoding': 'gzip;q=0' })
    expect([refused.headers['content-encoding'], refused.body]).toEqual([undefined, SCRIPT])
    const icon = await request('/app/assets/icon-1.svg', { 'accept-encoding': 'br, gzip' })
    expect([icon.headers['content-encoding'], icon.headers['content-type'], icon.body]).toEqual([
      undefined,
      'image/svg+xml',
      '<svg/>',
    ])
    expect(icon.headers['x-content-type-options']).toBe('nosniff')
  })

  it('supports conditional, range and HEAD requests', async () => {
    const request = open()
    const { headers } = await request('/app/assets/main-1.js')
    const again = await request('/app/assets/main-1.js', { 'if-none-match': String(headers.etag) })
    expect([again.statusCode, again.body, again.headers['cache-control']]).toEqual([
      304,
      '',
      'public, max-age=31536000, immutable',
    ])
    const part = await request('/app/assets/main-1.js', { range: 'bytes=0-6' })
    expect([part.statusCode, part.body]).toEqual([206, SCRIPT.slice(0, 7)])
    const beyond = await request('/app/assets/main-1.js', { range: 'bytes=900-', 'accept-encoding': 'gzip' })
    expect([beyond.statusCode, beyond.headers['content-encoding']]).toEqual([416, undefined])
    const head = await request('/app/assets/main-1.js', {}, 'HEAD')
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, String(SCRIPT.length), ''])
  })

  it.each([
    'main-2.js',
    '..%2Fsecret.txt',
    '..%2Fsecret.js',
    '..%5Csecret.js',
    '%252e%252e%252Fsecret.js',
    '..%2findex.html',
    'main-1.js.gz',
    'notes.txt',
    '.hidden.js',
    'folder.js',
    'constructor',
  ])('%s is not found', async (name) => {
    for (const encoding of ['', 'gzip, br']) {
      const reply = await open()(`/app/assets/${name}`, { 'accept-encoding': encoding })
      expect(reply.statusCode).toBe(404)
      expect(reply.headers['cache-control']).toBeUndefined()
      expect(reply.body).toBe('This file does not exist.\n')
    }
  })
})

describe('a dashboard that is not built', () => {
  it('returns an explanation, and works once it is built', async () => {
    const later = path.join(folder, 'later')
    const request = open(later)
    const early = await request('/app/')
    expect(early.statusCode).toBe(503)
    expect(early.body).toContain('npm run build')
    expect((await request('/app/assets/main-1.js')).statusCode).toBe(503)
    await mkdir(path.join(later, 'assets'), { recursive: true })
    await writeFile(path.join(later, 'index.html'), 'here')
    expect((await request('/app/')).body).toBe('here')
  })
})
