/** Behavior that requires a real connection: requests that the HTTP parser refuses, and paths that look like IDs. */

import { readdir } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServices, routes } from '../../app.ts'
import { createGate } from '../../gate/gate.ts'
import { buildServer } from '../../platform/http/server.ts'
import { apiReferencePage } from '../../platform/openapi/api-reference.ts'
import { openApiDocument } from '../../platform/openapi/openapi.ts'
import { VERSION } from '../../platform/version.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let port: number

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.server.address() as AddressInfo).port
})
afterAll(() => app.close())

const exchange = (text: string, to = port) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(to, '127.0.0.1', () => socket.write(text))
    let reply = ''
    socket.on('data', (chunk) => {
      reply += chunk
    })
    socket.on('end', () => resolve(reply))
    socket.on('error', reject)
  })

describe('a request that is not HTTP', () => {
  it.each([
    ['a control character in a header', 'GET /health HTTP/1.1\r\nHost: x\r\nX-A: a\x7fb\r\n\r\n'],
    ['headers without end', `GET /health HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['noise', 'hello\r\n\r\n'],
  ])('is refused in the envelope: %s', async (_what, text) => {
    const [head, body] = (await exchange(text)).split('\r\n\r\n')
    const { error } = JSON.parse(body!)
    expect(head).toMatch(/^HTTP\/1\.1 400 /)
    expect(error).toMatchObject({ code: 'BAD_REQUEST', statusCode: 400 })
    expect(head).toContain(`X-Request-Id: ${error.requestId}`)
  })
})

describe('a list that is read with a session', () => {
  const read = async (headers: Record<string, string>) => {
    const { cookie } = project.owner
    const reply = await app.server.inject({
      method: 'GET',
      url: '/contacts?limit=100',
      headers: { cookie, ...headers },
    })
    return { encoding: reply.headers['content-encoding'], vary: reply.headers.vary, bytes: reply.rawPayload }
  }
  const named = () => ({ 'x-project-id': project.id })

  it('is compressed as the browser accepts it, unless it is short or read with a key', async () => {
    const accepted = { 'accept-encoding': 'gzip, deflate, br' }
    expect((await read({ ...accepted, ...named() })).encoding).toBeUndefined()
    for (let i = 0; i < 20; i++) {
      const body = { email: `compressed-${i}@example.org`, data: { city: 'Oslo' } }
      await app.request('POST', '/contacts', { key: project.secretKey, body })
    }
    const plain = await read(named())
    const brotli = await read({ ...accepted, ...named() })
    expect(brotli).toMatchObject({ encoding: 'br', vary: 'Accept-Encoding' })
    expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.bytes)
    const gzipped = await read({ 'accept-encoding': 'gzip', ...named() })
    expect(gzipped.encoding).toBe('gzip')
    expect(gunzipSync(gzipped.bytes)).toEqual(plain.bytes)
    const withKey = await read({ ...accepted, cookie: '', authorization: `Bearer ${project.secretKey}` })
    expect(withKey).toEqual({ ...plain, vary: undefined })
  })

  it('has a weak ETag when it is compressed, with which it can be changed', async () => {
    const content = { subject: 'Hi', from: 'hello@example.com', body: '<p>Hi</p>'.repeat(200) }
    const { body } = await app.request('POST', '/templates', {
      key: project.secretKey,
      body: { name: 'A', ...content },
    })
    const { cookie } = project.owner
    const headers = { cookie, ...named(), 'accept-encoding': 'br' }
    const reply = await app.server.inject({ method: 'GET', url: `/templates/${body.id}`, headers })
    expect(reply.headers).toMatchObject({ 'content-encoding': 'br', etag: expect.stringMatching(/^W\/"/) })
    const unchanged = { ...headers, 'if-none-match': String(reply.headers.etag) }
    expect(
      (await app.server.inject({ method: 'GET', url: `/templates/${body.id}`, headers: unchanged })).statusCode,
    ).toBe(304)
    const changed = { headers: { 'if-match': String(reply.headers.etag) }, body: { name: 'B' } }
    const { status } = await app.request('PATCH', `/templates/${body.id}`, { key: project.secretKey, ...changed })
    expect(status).toBe(200)
  })
})

describe('a request that names another host', () => {
  const get = (path: string, host: string) =>
    exchange(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)

  it.each(['/health', '/metrics', '/app/', '/docs', '/users/@me', '/nowhere'])('is refused: %s', async (path) => {
    const [head, body] = (await get(path, 'evil.test')).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 403 /)
    expect(body).toContain('ALLOWED_HOSTS')
  })

  it('is served if the host is one of ours', async () => {
    for (const host of ['posthorn.test', `127.0.0.1:${port}`, 'localhost']) {
      expect(await get('/health', host)).toMatch(/^HTTP\/1\.1 200 /)
    }
    expect(await exchange('GET /health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('a request that is never completed', () => {
  it.each([
    ['without the end of its headers', 'POST /contacts HTTP/1.1\r\nHost: x\r\n'],
    ['without its body', 'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{'],
    ['on a route that is refused', 'POST /contacts HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{'],
  ])('%s is closed at its timeout', async (_what, text) => {
    const timeouts = { headersMs: 200, requestMs: 300, checkMs: 100, idleMs: 60_000 }
    const services = buildServices(app.ctx)
    const server = buildServer(
      app.ctx,
      services,
      routes,
      createGate(app.ctx, services.admission, services.idempotencyKeys, services.requestLog),
      timeouts,
    )
    await server.listen({ host: '127.0.0.1', port: 0 })
    try {
      const reply = await exchange(text, (server.server.address() as AddressInfo).port)
      expect(reply).toMatch(/^HTTP\/1\.1 (408|401) /)
    } finally {
      await server.close()
      await services.close()
    }
  })

  it('is closed within 90 seconds by default, and the number of connections is limited', () => {
    const { requestTimeout, timeout, maxConnections } = app.server.server
    expect([requestTimeout, timeout]).toEqual([75_000, 90_000])
    expect(maxConnections).toBe(10_000)
  })
})

describe('the API reference', () => {
  it('is the one that the routes describe, with the base URL of the service, in every language', async () => {
    const { baseUrl } = app.ctx
    const document = openApiDocument(routes, { version: VERSION, baseUrl })
    expect((await app.request('GET', '/openapi.json')).body).toEqual(JSON.parse(JSON.stringify(document)))
    for (const language of ['curl', 'node', 'python', 'php', 'go', 'ruby'] as const) {
      const { status, body } = await app.request('GET', `/docs?lang=${language}`)
      // Not `toBe`, which would print two pages. If they differ, run `npm run build`.
      expect([language, status, body === apiReferencePage(document, language)]).toEqual([language, 200, true])
    }
  })

  it('allows only its own script', async () => {
    const { headers } = await app.request('GET', '/docs?lang=curl')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*script-src 'sha256-/)
  })

  it('is small enough for a phone, and compressed for clients that accept it', async () => {
    const { body } = await app.request('GET', '/docs?lang=curl')
    expect(body.length).toBeLessThan(2_000_000)
    const headers = { 'accept-encoding': 'br, gzip' }
    const reply = await app.server.inject({ method: 'GET', url: '/docs?lang=curl', headers })
    expect(reply.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(gunzipSync(reply.rawPayload).toString()).toBe(body)
    expect(reply.rawPayload.length).toBeLessThan(175_000)
  })
})

describe('headers against content sniffing and caching', () => {
  it.each(['/health', '/nowhere', '/contacts', '/docs', '/openapi.json'])('are in the response of %s', async (path) => {
    const reply = await app.request('GET', path)
    const caching = ['/docs', '/openapi.json'].includes(path) ? expect.any(String) : 'no-store'
    expect(reply.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': caching })
    expect(reply.headers['strict-transport-security']).toBeUndefined()
    app.ctx.baseUrl = 'https://mail.example.org'
    expect((await app.request('GET', path)).headers['strict-transport-security']).toBe('max-age=31536000')
    app.ctx.baseUrl = 'http://posthorn.test'
  })

  it('are in the responses of the HTTP parser', async () => {
    expect((await exchange('hello\r\n\r\n')).toLowerCase()).toContain('x-content-type-options: nosniff')
  })
})

describe('a body that is too large', () => {
  it('is refused so that the client can read the response, and the connection stays usable', async () => {
    const body = JSON.stringify({ email: 'a@example.org', data: { x: 'x'.repeat(30 * 1024 * 1024) } })
    const headers = { authorization: `Bearer ${project.secretKey}`, 'content-type': 'application/json' }
    for (let round = 0; round < 5; round++) {
      const reply = await fetch(`http://127.0.0.1:${port}/contacts`, { method: 'POST', headers, body })
      expect(reply.status).toBe(413)
      expect(await reply.json()).toMatchObject({ error: { code: 'PAYLOAD_TOO_LARGE' } })
    }
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
  })
})

describe('a literal path', () => {
  it.each([
    ['GET', '/contacts/lookup'],
    ['DELETE', '/contacts/lookup'],
    ['PATCH', '/contacts/fields'],
    ['GET', '/contacts/import'],
    ['GET', '/templates/preview'],
  ])('is never treated as an ID: %s %s', async (method, path) => {
    const reply = await app.request(method, path, { key: project.secretKey, ...(method === 'PATCH' && { body: {} }) })
    expect(reply.status).toBe(404)
    expect(reply.body.error.code).toBe('RESOURCE_NOT_FOUND')
  })

  it('is not found if it contains a NUL character', async () => {
    expect((await app.request('GET', '/contacts/%00', { key: project.secretKey })).status).toBe(404)
    expect((await app.request('GET', '/contacts?search=%00', { key: project.secretKey })).status).toBe(400)
  })
})

describe('documentation for programs', () => {
  const get = (url: string, headers: Record<string, string> = {}) => app.server.inject({ method: 'GET', url, headers })

  it('llms.txt links every guide, and each link leads to its Markdown', async () => {
    const { body, headers, statusCode } = await get('/llms.txt')
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    const links = [...body.matchAll(/\]\((http[^)]+)\)/g)].map((match) => match[1]!.replace(app.ctx.baseUrl, ''))
    const docs = path.resolve(import.meta.dirname, '../../../docs')
    const guides = [
      ...(await readdir(docs)),
      ...(await readdir(path.join(docs, 'migrate'))).map((name) => `migrate/${name}`),
      ...(await readdir(path.join(docs, 'recipes'))).map((name) => `recipes/${name}`),
    ].filter((name) => name.endsWith('.md'))
    expect(links).toEqual(expect.arrayContaining(guides.map((name) => `/docs/${name}`)))
    for (const link of links) {
      const reply = await get(link)
      expect([link, reply.statusCode]).toEqual([link, 200])
      if (link.endsWith('.json')) expect(reply.json().openapi).toBe('3.1.0')
    }
    const { body: full } = await get('/llms-full.txt')
    for (const name of guides) {
      const { body: guide, headers } = await get(`/docs/${name}`)
      expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
      expect([name, full.includes(guide.trim())]).toEqual([name, true])
    }
  })

  it('a guide is Markdown for clients that ask for it, and a page for browsers', async () => {
    const markdown = await get('/docs/send', { accept: 'text/markdown, text/html;q=0.5' })
    expect(markdown.body).toBe((await get('/docs/send.md')).body)
    expect(markdown.headers).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      vary: 'Accept, Accept-Encoding',
    })
    for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', '*/*', '']) {
      const { headers, body } = await get('/docs/migrate/resend', accept ? { accept } : {})
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(body).toContain('<title>Move from Resend')
    }
    const again = await get('/docs/send.md', { 'if-none-match': String((await get('/docs/send.md')).headers.etag) })
    expect(again.statusCode).toBe(304)
  })

  it('the site has a first page, guides, the reference and its files, under a policy without inline scripts', async () => {
    const first = await get('/docs')
    expect(first.body).toBe((await get('/docs?lang=unknown')).body)
    expect(first.body).toContain('<h1>Posthorn documentation</h1>')
    for (const [url, type] of [
      ['/docs', 'text/html'],
      ['/docs/send', 'text/html'],
      ['/docs/reference/contacts', 'text/html'],
      ['/docs/reference/contacts.json', 'application/json'],
      ['/docs/search.json', 'application/json'],
      ['/docs/site.css', 'text/css'],
      ['/docs/site.js', 'text/javascript'],
    ] as const) {
      const { statusCode, headers } = await get(url)
      expect([url, statusCode, headers['content-type']]).toEqual([url, 200, `${type}; charset=utf-8`])
      const policy = String(headers['content-security-policy'])
      if (type === 'text/html') expect(policy).toMatch(/script-src 'self'; connect-src 'self'/)
    }
    expect((await get('/docs/reference/contacts')).body).toContain(app.ctx.baseUrl)
    expect((await get('/docs/')).headers.location).toBe('../docs')
  })

  it('an error code has a page for people and Markdown for programs', async () => {
    const shown = await get('/docs/errors/VALIDATION_ERROR', { accept: 'text/html' })
    expect(shown.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(shown.body).toContain('<h1 id="validation_error">VALIDATION_ERROR</h1>')
    const markdown = await get('/docs/errors/VALIDATION_ERROR.md')
    expect(markdown.body).toMatch(/^# VALIDATION_ERROR\n\nHTTP status 422\. /)
    const asked = await get('/docs/errors/VALIDATION_ERROR', { accept: 'text/markdown' })
    expect(asked.body).toBe(markdown.body)
    // A page without Markdown is the page, even for clients that prefer Markdown.
    expect((await get('/docs/reference', { accept: 'text/markdown' })).headers['content-type']).toMatch('text/html')
  })

  it.each([
    '/docs/nothing',
    '/docs/errors/NOTHING',
    '/docs/site.html',
    '/docs/send.html',
    '/docs/nothing.md',
    '/docs/../package.json',
    '/docs/%2e%2e%2fopenapi.json',
    '/openapi/nothing.json',
    '/openapi/..%2fx',
  ])('an unknown page is 404: %s', async (url) => {
    const reply = await get(url)
    expect([reply.statusCode, reply.json().error.code]).toEqual([404, 'RESOURCE_NOT_FOUND'])
  })

  it('the OpenAPI document of a tag has only its endpoints, with the same names', async () => {
    const whole = (await get('/openapi.json')).json()
    const part = (await get('/openapi/webhook-endpoints.json')).json()
    expect(part.tags).toEqual([{ name: 'Webhook endpoints' }])
    expect(part.paths['/webhook-endpoints']).toEqual(whole.paths['/webhook-endpoints'])
    expect(part.components.schemas).not.toHaveProperty('Contact')
  })
})
