/**
 * The preference links of an email, from the template to their pages, as used by people, mail programs and scanners.
 */
import { createHash } from 'node:crypto'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { preferenceToken } from '../../features/audience/preferences/actions.ts'
import { createProject, databaseState, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let counter = 0
let address: string

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app, 'Ada & <Sons>')
})
afterAll(() => app.close())
beforeEach(() => {
  address = `reader-${++counter}@example.org`
})

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

const tokenOf = (contactId: string) => preferenceToken(app.ctx.secrets, project.id, contactId)

async function contact(fields: object = {}): Promise<{ id: string; token: string }> {
  const { body } = await call('POST', '/contacts', { email: address, ...fields })
  return { id: body.id, token: tokenOf(body.id) }
}

/** Like a browser or a mail program, without a key. */
const visit = (path: string, headers: Record<string, string> = {}) => app.request('GET', path, { headers })
const post = (path: string, text = '', headers: Record<string, string> = {}) =>
  app.request('POST', path, { text, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } })

const stateOf = async (id: string) =>
  (await app.pool.query('select subscribed, opted_out from contacts where id = $1', [id])).rows[0]

const eventsOf = async (id: string) =>
  (await app.pool.query('select name, data from events where contact_id = $1 order by id', [id])).rows

const formsIn = (page: string) =>
  [...page.matchAll(/<form method="post"(?: action="([^"]*)")?>/g)].map((match) => match[1] ?? 'here')

describe('the preference links in an email', () => {
  it('are available to template and subject, and lead to the pages of that contact', async () => {
    const { body } = await call('POST', '/v1/send', {
      to: [address, `other-${address}`],
      from: 'hello@example.com',
      subject: '{{unsubscribeUrl}}',
      body: '<a href="{{unsubscribeUrl}}">a</a> <a href="{{ subscribeUrl }}">b</a> <a href="{{manageUrl}}">c</a>',
      data: { unsubscribeUrl: 'https://evil.test' },
    })
    await app.drain()
    const [first, second] = body.data.emails
    const token = tokenOf(first.contact.id)
    const { body: email } = await call('GET', `/emails/${first.email}`)
    expect(email.subject).toBe(`http://posthorn.test/unsubscribe/${token}`)
    expect(email.html).toBe(
      `<a href="http://posthorn.test/unsubscribe/${token}">a</a> <a href="http://posthorn.test/subscribe/${token}">b</a> <a href="http://posthorn.test/manage/${token}">c</a>`,
    )
    const captured = await app.captured()
    const message = await PostalMime.parse(captured.find((m) => m.recipients.includes(`other-${address}`))!.raw)
    expect(message.subject).toBe(`http://posthorn.test/unsubscribe/${tokenOf(second.contact.id)}`)

    expect((await visit(new URL(email.subject).pathname)).body).toContain(address)
  })
})

describe.each(['unsubscribe', 'subscribe', 'manage'])('GET /%s', (page) => {
  it('shows the sender, the address and a form, and changes nothing', async () => {
    const { token } = await contact({ subscribed: page !== 'subscribe' })
    const before = await databaseState(app)
    const reply = await visit(`/${page}/${token}`)
    expect(reply.status).toBe(200)
    expect(reply.body).toContain('Ada &amp; &lt;Sons&gt;')
    expect(reply.body).toContain(`<strong>${address}</strong>`)
    // The preference page can also pause emails, for 30 or 90 days.
    expect(formsIn(reply.body)).toEqual(page === 'manage' ? ['here', 'here'] : ['here'])
    expect(reply.body.match(/<button/g)).toHaveLength(page === 'manage' ? 3 : 1)
    expect(await databaseState(app)).toBe(before)
  })

  it("is a page that can't be cached, indexed or framed, with only its own style", async () => {
    const { body, headers } = await visit(`/${page}/${(await contact()).token}`)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
    })
    const style = createHash('sha256')
      .update(body.match(/<style>(.*?)<\/style>/s)[1])
      .digest('base64')
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${style}'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    )
    expect(body).toContain('<meta name="robots" content="noindex,nofollow">')
    expect(body).not.toMatch(/<script|\sstyle=|\ssrc=|url\(/)
  })

  it('returns an error page for an invalid link, for GET and POST', async () => {
    const { token } = await contact()
    const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    const before = await databaseState(app)
    for (const wrong of [forged, 'x', project.id, '%20', `${token}${token}`]) {
      for (const reply of [await visit(`/${page}/${wrong}`), await post(`/${page}/${wrong}`, 'subscribed=false')]) {
        expect(reply.status).toBe(404)
        expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
        expect(reply.body).toContain('This link doesn’t work')
        expect(reply.body).toContain('</svg>Posthorn</p>')
        expect(reply.body).not.toContain('example.org')
      }
    }
    expect(await databaseState(app)).toBe(before)
  })

  it('shows that a deleted contact is no longer stored, and a POST has no effect', async () => {
    const { id, token } = await contact()
    await call('DELETE', `/contacts/${id}`)
    await app.drain()
    const before = await databaseState(app)
    for (const reply of [await visit(`/${page}/${token}`), await post(`/${page}/${token}`, 'subscribed=true')]) {
      expect(reply.status).toBe(200)
      expect(reply.body).toContain('This address is no longer on file')
      expect(reply.body).toMatch(/<p class="sender">.*<\/p>/)
      expect(reply.body).not.toContain('</svg>Posthorn</p>')
      expect(reply.body).not.toContain(address)
    }
    expect(await databaseState(app)).toBe(before)
  })
})

describe('the language of a preference page', () => {
  it.each([
    ['de-AT', 'de', 'Abbestellen'],
    ['fr', 'fr', 'Se désabonner'],
    ['ja', 'ja', '配信を停止する'],
    ['xx', 'en', 'Unsubscribe'],
    [7, 'en', 'Unsubscribe'],
  ])('for a contact with the locale %j is %s', async (locale, lang, button) => {
    const { token } = await contact({ data: { locale } })
    const { body } = await visit(`/unsubscribe/${token}`, { 'accept-language': 'it' })
    expect(body).toContain(`<html lang="${lang}">`)
    expect(body).toContain(`<button>${button}</button>`)
  })

  it('is English for a contact without one, and the browser’s if there is no contact', async () => {
    const { token } = await contact()
    expect((await visit(`/unsubscribe/${token}`, { 'accept-language': 'it' })).body).toContain('<html lang="en">')
    expect((await visit('/unsubscribe/x', { 'accept-language': 'it, en' })).body).toContain('<html lang="it">')
  })
})

describe('unsubscribing', () => {
  it.each([
    ['the button of the page', '', {}],
    ['a mail program', 'List-Unsubscribe=One-Click', {}],
    [
      'a mail program with multipart',
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
      { 'content-type': 'multipart/form-data; boundary=b' },
    ],
    ['a page of another origin', 'List-Unsubscribe=One-Click', { origin: 'https://mail.test' }],
    ['a sandboxed page', '', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['something that sends text', 'List-Unsubscribe=One-Click', { 'content-type': 'text/plain' }],
  ])('works from %s, and is recorded once however often it is done', async (_who, text, headers) => {
    const { id, token } = await contact()
    for (let time = 1; time <= 3; time++) {
      const reply = await post(`/unsubscribe/${token}`, text, headers)
      expect(reply.status).toBe(200)
      expect(reply.body).toContain('You’re unsubscribed')
      expect(reply.headers['set-cookie']).toBeUndefined()
    }
    expect(await stateOf(id)).toEqual({ subscribed: false, opted_out: true })
    expect(await eventsOf(id)).toEqual([{ name: 'contact.unsubscribed', data: {} }])
  })

  it('works without a body', async () => {
    const { id, token } = await contact()
    expect((await app.request('POST', `/unsubscribe/${token}`)).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ subscribed: false })
  })

  it('is recorded once for concurrent requests', async () => {
    const { id, token } = await contact()
    await Promise.all(Array.from({ length: 10 }, () => post(`/unsubscribe/${token}`)))
    expect(await eventsOf(id)).toEqual([{ name: 'contact.unsubscribed', data: {} }])
  })

  it('works in a disabled project', async () => {
    const other = await createProject(app, 'Closed')
    const { body } = await app.request('POST', '/contacts', { key: other.secretKey, body: { email: address } })
    await app.pool.query('update projects set disabled_at = now() where id = $1', [other.id])
    const token = preferenceToken(app.ctx.secrets, other.id, body.id)
    expect((await visit(`/unsubscribe/${token}`)).status).toBe(200)
    expect((await post(`/unsubscribe/${token}`)).body).toContain('You’re unsubscribed')
    expect(await stateOf(body.id)).toMatchObject({ subscribed: false })
  })

  it('opts out a contact who was never subscribed, such as after a first transactional email', async () => {
    const send = { to: address, from: 'a@example.com', subject: 's', body: 'b' }
    const id = (await call('POST', '/v1/send', send)).body.data.emails[0].contact.id
    expect((await visit(`/unsubscribe/${tokenOf(id)}`)).body).toContain('Unsubscribe from')
    await post(`/unsubscribe/${tokenOf(id)}`)
    expect(await stateOf(id)).toEqual({ subscribed: false, opted_out: true })
    expect(await eventsOf(id)).toEqual([]) // the subscription was not toggled
  })

  it('offers to undo it, and undoing works', async () => {
    const { id, token } = await contact()
    const { body } = await post(`/unsubscribe/${token}`)
    expect(formsIn(body)).toEqual([`../subscribe/${token}`])
    expect(body).toContain(`<a href="../manage/${token}">`)
    const again = await post(`/subscribe/${token}`)
    expect(again.body).toContain('You’re subscribed')
    expect(formsIn(again.body)).toEqual([`../unsubscribe/${token}`])
    expect(await stateOf(id)).toEqual({ subscribed: true, opted_out: false })
    expect((await eventsOf(id)).map((event) => event.name)).toEqual(['contact.unsubscribed', 'contact.subscribed'])
  })
})

describe('the preference page', () => {
  const chosen = (page: string) => page.match(/value="(\w+)" required checked/)?.[1]

  it('shows the state and both choices, and the choice that was made', async () => {
    const { id, token } = await contact()
    expect(chosen((await visit(`/manage/${token}`)).body)).toBe('true')
    for (const choice of ['false', 'false', 'true', 'true']) {
      const { status, body } = await post(`/manage/${token}`, `subscribed=${choice}`)
      expect(status).toBe(200)
      expect(chosen(body)).toBe(choice)
      expect(body).toContain('Your preferences have been saved.')
      expect(chosen((await visit(`/manage/${token}`)).body)).toBe(choice)
    }
    expect((await eventsOf(id)).map((event) => event.name)).toEqual(['contact.unsubscribed', 'contact.subscribed'])
  })

  it('changes nothing without a choice', async () => {
    const { id, token } = await contact()
    for (const text of ['', 'subscribed=', 'subscribed=perhaps', 'List-Unsubscribe=One-Click']) {
      const { status, body } = await post(`/manage/${token}`, text)
      expect(status).toBe(200)
      expect(body).not.toContain('Your preferences have been saved.')
    }
    expect(await stateOf(id)).toEqual({ subscribed: true, opted_out: false })
  })

  it('has no choice selected for a contact who never made one', async () => {
    const send = { to: address, from: 'a@example.com', subject: 's', body: 'b' }
    const id = (await call('POST', '/v1/send', send)).body.data.emails[0].contact.id
    const { body } = await visit(`/manage/${tokenOf(id)}`)
    expect(chosen(body)).toBeUndefined()
    expect(body).toContain('You’re not subscribed')
  })
})

it("other routes don't accept a form: they require JSON from our own pages", async () => {
  const reply = await post('/auth/login', 'email=a@example.org&password=x')
  expect(reply).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
})

describe('the branding of a project', () => {
  const BRANDING = {
    postalAddress: '1 Main St\nSpringfield',
    logoUrl: 'https://cdn.example/logo.png',
    brandColor: '#facc15',
  }

  it('is shown in footers and on the pages behind their links', async () => {
    const own = await createProject(app)
    const as = (method: string, path: string, body?: unknown) => app.request(method, path, { key: own.secretKey, body })
    const { body: changed } = await as('PATCH', `/users/@me/projects/${own.id}`, BRANDING)
    expect(changed).toMatchObject(BRANDING)
    const { body: shown } = await as('POST', '/templates/preview', {
      subject: 'x',
      body: '<p>x</p>',
      type: 'MARKETING',
    })
    expect(shown.html).toContain('1 Main St<br>Springfield')
    const { body: template } = await as('POST', '/templates', {
      name: 'T',
      subject: 'x',
      body: 'x',
      from: 'a@example.com',
    })
    const { body: sent } = await as('POST', '/v1/send', { to: 'brand@example.org', template: template.id })
    await app.drain()
    const [letter] = (await app.captured()).filter((row) => row.recipients.includes('brand@example.org'))
    const { html } = await PostalMime.parse(letter!.raw)
    expect(html).toContain('https://cdn.example/logo.png')
    expect((await as('GET', `/emails/${sent.data.emails[0].email}`)).body.html).toContain('color:#facc15')

    const token = preferenceToken(app.ctx.secrets, own.id, sent.data.emails[0].contact.id)
    const page = await visit(`/unsubscribe/${token}`)
    expect(page.body).toContain('Springfield')
    expect(page.body).toContain('src="https://cdn.example/logo.png"')
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain('img-src data: https://cdn.example')
    const style = /<style>([\s\S]*?)<\/style>/.exec(page.body)![1]!
    expect(style).toContain('--brass:#facc15')
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
  })

  it('is changed field by field, cleared with null, and checked', async () => {
    const own = await createProject(app)
    const patch = (body: object) => app.request('PATCH', `/users/@me/projects/${own.id}`, { key: own.secretKey, body })
    await patch(BRANDING)
    expect((await patch({ logoUrl: null })).body).toMatchObject({ ...BRANDING, logoUrl: null })
    for (const wrong of [{ brandColor: 'red' }, { logoUrl: 'http://x.example/a.png' }, { logoUrl: 'https://x/";' }])
      expect((await patch(wrong)).status).toBe(422)
    expect((await patch({ name: 'Same look' })).body).toMatchObject({ ...BRANDING, logoUrl: null })
  })
})
