/** Tracked emails: their contents, what their pixels and links do, and which emails aren't tracked. */
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let counter = 0

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const callApi = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

const BODY = `<html><body><a href="https://shop.example/?a=1&amp;b=2">Shop</a>
<a href='mailto:a@example.org'>Mail</a> <a href="tel:+1">Call</a> <a href="#top">Top</a>
<a href="https://shop.example/plain" data-no-track>Plain</a> <a href="{{unsubscribeUrl}}">Out</a></body></html>`

async function sendTemplate({ type = 'MARKETING', body = BODY, to = `reader${++counter}@example.org` } = {}) {
  const template = await callApi('POST', '/templates', {
    name: 'T',
    subject: 'Hello',
    body,
    from: 'hello@example.com',
    type,
  })
  return send({ to, template: template.body.id })
}

async function send(request: object) {
  const { body } = await callApi('POST', '/v1/send', request)
  await app.drain()
  const [{ email: id, contact }] = body.data.emails
  const captured = (await app.captured()).find((message) => message.email_id === id)!
  const { html, text } = await PostalMime.parse(captured.raw)
  return { id: id as string, contactId: contact.id as string, html: html!, text: text!, raw: captured.raw.toString() }
}

const setTracking = (tracking: string) =>
  app.pool.query('update projects set tracking = $2 where id = $1', [project.id, tracking])

const hrefs = (html: string) => [...html.matchAll(/href=["']([^"']*)/g)].map((match) => match[1]!)
const pixelOf = (html: string) => /<img src="http:\/\/posthorn\.test(\/t\/o\/[^"]+)"/.exec(html)?.[1]
const clickOf = (html: string) => /href="http:\/\/posthorn\.test(\/t\/c\/[^"]+)"/.exec(html)?.[1]

const record = async (id: string) => (await callApi('GET', `/emails/${id}`)).body

const eventsOf = async (contactId: string) =>
  (await app.pool.query('select name from events where contact_id = $1 order by name', [contactId])).rows.map(
    (row) => row.name,
  )

describe('a tracked email', () => {
  it('has a pixel and tracked web links, and everything else unchanged', async () => {
    const { html, text } = await sendTemplate()
    const [shop, mail, call, top, plain, out, footer] = hrefs(html)
    expect(shop).toMatch(/^http:\/\/posthorn\.test\/t\/c\/[\w-]+$/)
    expect([mail, call, top, plain]).toEqual(['mailto:a@example.org', 'tel:+1', '#top', 'https://shop.example/plain'])
    expect(out).toMatch(/^http:\/\/posthorn\.test\/unsubscribe\//)
    expect(footer).toBe(out)
    expect(html).toMatch(/<img src="http:\/\/posthorn\.test\/t\/o\/[\w-]{64}\.gif" width="1"[^>]*><\/body>/)
    expect(text).toContain('https://shop.example/?a=1&b=2')
    expect(text).not.toContain('/t/c/')
  })

  it("is shown as it was sent, even after the project's setting changed", async () => {
    const { id, html, text, raw } = await sendTemplate()
    await setTracking('DISABLED')
    expect(await record(id)).toMatchObject({ html: html.trim(), text: text.trim() })
    expect((await callApi('GET', `/emails/${id}/raw`)).body).toContain(raw.slice(raw.indexOf('\r\n\r\n')))
    await setTracking('ENABLED')
  })

  it('is opened once and counted three times', async () => {
    const { id, contactId, html } = await sendTemplate()
    for (let i = 0; i < 3; i++) {
      const reply = await app.server.inject({ method: 'GET', url: pixelOf(html)! })
      expect(reply.statusCode).toBe(200)
      expect(reply.headers).toMatchObject({ 'content-type': 'image/gif' })
      expect(reply.headers['cache-control']).toContain('no-store')
      expect(reply.headers).not.toHaveProperty('set-cookie')
      expect(reply.rawPayload.subarray(0, 6).toString()).toBe('GIF89a')
    }
    expect(await record(id)).toMatchObject({ opens: 3, status: 'OPENED' })
    expect(await eventsOf(contactId)).toEqual(['email.delivery', 'email.open', 'email.sent'])
  })

  it('redirects a click to the URL in it, which is also an open', async () => {
    const { id, contactId, html } = await sendTemplate()
    const reply = await app.server.inject({ method: 'GET', url: clickOf(html)! })
    expect(reply.statusCode).toBe(302)
    expect(reply.headers.location).toBe('https://shop.example/?a=1&b=2')
    expect(reply.headers).not.toHaveProperty('set-cookie')
    expect(await record(id)).toMatchObject({ clicks: 1, opens: 1, status: 'CLICKED' })
    expect(await eventsOf(contactId)).toEqual(['email.click', 'email.delivery', 'email.open', 'email.sent'])
  })

  it('is not opened by a HEAD or a scanner, which get a response anyway', async () => {
    const { id, contactId, html } = await sendTemplate()
    const head = await app.server.inject({ method: 'HEAD', url: clickOf(html)! })
    expect([head.statusCode, head.headers.location]).toEqual([302, 'https://shop.example/?a=1&b=2'])
    const agent = { 'user-agent': 'Googlebot/2.1' }
    await app.server.inject({ method: 'GET', url: pixelOf(html)!, headers: agent })
    const email = await record(id)
    expect(email).toMatchObject({ clicks: 0, opens: 0, status: 'DELIVERED' })
    expect(email.timeline.slice(-2)).toMatchObject([
      { event: 'click', data: { isBot: true } },
      { event: 'open', data: { isBot: true } },
    ])
    expect(await eventsOf(contactId)).toEqual(['email.delivery', 'email.sent'])
  })

  it('still works after its contact was deleted', async () => {
    const { contactId, html } = await sendTemplate()
    await callApi('DELETE', `/contacts/${contactId}`)
    await app.drain()
    expect((await app.server.inject({ method: 'GET', url: pixelOf(html)! })).statusCode).toBe(200)
    expect((await app.server.inject({ method: 'GET', url: clickOf(html)! })).statusCode).toBe(302)
    expect(await eventsOf(contactId)).toEqual([])
  })

  it("does not redirect to a link that isn't a web page, whatever its template data", async () => {
    const { html } = await sendTemplate({
      body: '<a href="javascript:alert(1)">1</a><a href="data:text/html,x">2</a><a href="cid:logo">3</a>',
    })
    expect(hrefs(html).slice(0, 3)).toEqual(['javascript:alert(1)', 'data:text/html,x', 'cid:logo'])
  })

  it('redirects to a URL with non-ASCII characters in its encoded form', async () => {
    const { html } = await sendTemplate({ body: '<a href="https://münchen.example/straße?q=a b">x</a>' })
    const reply = await app.server.inject({ method: 'GET', url: clickOf(html)! })
    expect(reply.headers.location).toBe('https://xn--mnchen-3ya.example/stra%C3%9Fe?q=a%20b')
  })
})

describe('a tracking URL with an invalid signature', () => {
  it('shows an error page', async () => {
    const { html } = await sendTemplate()
    const link = clickOf(html)!
    for (const url of [
      `${link}A`,
      link.slice(0, -1),
      '/t/c/x',
      '/t/c/aHR0cHM6Ly9ldmlsLmV4YW1wbGU',
      '/t/c/%E0%A4%A',
      '/t/c/..%2f..',
    ]) {
      const reply = await app.server.inject({ method: 'GET', url })
      expect([url, reply.statusCode >= 400 && reply.statusCode < 500]).toEqual([url, true])
      expect(reply.headers).not.toHaveProperty('location')
    }
    const page = await app.server.inject({ method: 'GET', url: `${link}A` })
    expect(page.statusCode).toBe(404)
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    expect(page.body).toContain('This link doesn’t work')
  })

  it('returns an image for a pixel', async () => {
    const { id, html } = await sendTemplate()
    const reply = await app.server.inject({ method: 'GET', url: pixelOf(html)!.replace('.gif', 'x.gif') })
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'image/gif'])
    expect((await record(id)).opens).toBe(0)
  })
})

describe('tracking is not applied', () => {
  const isTracked = (html: string) => html.includes('/t/o/') || html.includes('/t/c/')

  it('to the body of a request', async () => {
    const { html } = await send({ to: 'a@example.org', from: 'hello@example.com', subject: 'x', body: BODY })
    expect(isTracked(html)).toBe(false)
  })

  it.each([
    ['ENABLED', 'TRANSACTIONAL', true],
    ['ENABLED', 'MARKETING', true],
    ['ENABLED', 'HEADLESS', true],
    ['MARKETING_ONLY', 'TRANSACTIONAL', false],
    ['MARKETING_ONLY', 'MARKETING', true],
    ['MARKETING_ONLY', 'HEADLESS', true],
    ['DISABLED', 'MARKETING', false],
  ])("depending on the project's setting: %s and %s", async (setting, type, tracked) => {
    await setTracking(setting)
    expect(isTracked((await sendTemplate({ type })).html)).toBe(tracked)
    await setTracking('ENABLED')
  })
})

describe('tracking while the database', () => {
  it('is unavailable still responds to links and pixels', async () => {
    const { html } = await sendTemplate()
    await app.pool.query('alter table emails rename to emails_away')
    try {
      const click = await app.server.inject({ method: 'GET', url: clickOf(html)! })
      expect([click.statusCode, click.headers.location]).toEqual([302, 'https://shop.example/?a=1&b=2'])
      expect((await app.server.inject({ method: 'GET', url: pixelOf(html)! })).statusCode).toBe(200)
    } finally {
      await app.pool.query('alter table emails_away rename to emails')
    }
  })

  it("is slow doesn't wait for it, and the click is counted later", async () => {
    const { id, html } = await sendTemplate()
    const holder = await app.pool.connect()
    await holder.query('begin')
    await holder.query('lock table emails in access exclusive mode')
    try {
      expect((await app.server.inject({ method: 'GET', url: clickOf(html)! })).statusCode).toBe(302)
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    await expect.poll(async () => (await record(id)).clicks).toBe(1)
  })
})
