/** What visitors send with forms, and what that does to contacts. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { preferenceToken } from '../../features/audience/preferences/actions.ts'
import { createProject, openTestApp } from '../harness.ts'
import { useForms } from './form-fixture.ts'

const { app, project, call, post, create, newAddress, openForm, submit, contactOf, confirmationsTo } = useForms()
const consentsOf = async (id: string) => (await call('GET', `/contacts/${id}/consents`)).body.data

describe('a submission', () => {
  it('subscribes a new contact with its data, topics, source and consent, and records the event', async () => {
    await call('POST', '/topics', { key: 'weekly', name: 'Weekly' })
    await call('POST', '/topics', { key: 'offers', name: 'Offers' })
    const form = await create({
      fields: [
        { key: 'firstName', label: 'First name', required: true },
        { key: 'age', label: 'Age', type: 'number' },
        { key: 'born', label: 'Born', type: 'date' },
        { key: 'pro', label: 'Pro', type: 'checkbox' },
      ],
      topics: ['weekly', 'offers'],
      chooseTopics: true,
      consentText: 'We write once a week.',
      eventName: 'newsletter-signup',
    })
    const email = newAddress()
    const hidden = await openForm(
      form.id,
      { referer: 'https://shop.example/sale?a=1&b=2' },
      '?utm_source=ads&utm_medium=cpc',
    )
    expect(hidden).toMatchObject({
      utm_source: 'ads',
      utm_medium: 'cpc',
      referrer: 'https://shop.example/sale?a=1&b=2',
    })
    app().clock.forward(2_000)
    const fields = { firstName: ' Ada ', age: '36.5', born: '1990-12-10', pro: 'true', 'topics.offers': 'true' }
    const { status, body } = await post(form.id, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Firefox' },
      text: new URLSearchParams({ ...hidden, _website: '', email: email.toUpperCase(), ...fields }).toString(),
    })
    expect(status).toBe(200)
    expect(body).toContain('Your sign-up was received.')
    await app().drain()
    const contact = await contactOf(email)
    const data = {
      firstName: 'Ada',
      age: 36.5,
      born: '1990-12-10',
      pro: true,
      utm_source: 'ads',
      utm_medium: 'cpc',
      referrer: 'https://shop.example/sale?a=1&b=2',
    }
    expect(contact).toMatchObject({ email, subscribed: true, data })
    expect((await call('GET', `/contacts/${contact.id}/topics`)).body.data).toMatchObject([
      { key: 'offers', subscribed: true, source: 'form' },
      { key: 'weekly', subscribed: false, source: 'form' },
    ])
    expect(await consentsOf(contact.id)).toContainEqual(
      expect.objectContaining({
        kind: 'subscribed',
        source: 'form',
        ip: '127.0.0.1',
        userAgent: 'Firefox',
        text: 'We write once a week.',
        by: null,
      }),
    )
    const events = (await call('GET', '/events?name=newsletter-signup')).body.data
    expect(events).toMatchObject([{ contactId: contact.id, data }])
  })

  it('does not overwrite the data of a contact that exists, and responds in the same way', async () => {
    const form = await create({ fields: [{ key: 'firstName', label: 'First name' }] })
    const known = newAddress()
    await call('POST', '/contacts', { email: known, data: { firstName: 'Ada' }, subscribed: true })
    const before = await contactOf(known)
    const replies = [
      await submit(form.id, { email: known, firstName: 'Mallory' }),
      await submit(form.id, { email: newAddress(), firstName: 'Mallory' }),
    ]
    expect(replies[0]!.body).toEqual({ success: true, message: 'Your sign-up was received.', redirectUrl: null })
    expect(replies[0]!.body).toEqual(replies[1]!.body)
    expect(await contactOf(known)).toEqual(before)
  })

  it('subscribes a contact that was never asked', async () => {
    const form = await create()
    const email = newAddress()
    await call('POST', '/v1/send', { to: email, from: 'hello@example.com', subject: 'Hi', body: '<p>Hi</p>' })
    expect((await contactOf(email)).subscribed).toBe(false)
    await submit(form.id, { email })
    expect((await contactOf(email)).subscribed).toBe(true)
  })

  it('asks a new contact to confirm with double opt-in, and counts the confirmation', async () => {
    const form = await create({ doubleOptIn: true, consentText: 'Every Friday.' })
    const email = newAddress()
    const { body } = await submit(form.id, { email })
    expect(body.message).toContain('confirm your subscription')
    const contact = await contactOf(email)
    expect(contact).toMatchObject({ subscribed: false, confirmation: { status: 'pending' } })
    expect(await consentsOf(contact.id)).toMatchObject([
      { kind: 'confirmation.requested', source: 'form', text: 'Every Friday.', ip: '127.0.0.1' },
    ])
    const [link] = await confirmationsTo(contact.id)
    app().clock.forward(1_000)
    await app().request('POST', link!, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, text: '' })
    expect((await contactOf(email)).subscribed).toBe(true)
    const { totals } = (await call('GET', `/forms/${form.id}`)).body
    expect(totals).toEqual({ shown: 1, submitted: 1, confirmed: 1, spam: 0 })
  })

  it('asks someone who opted out to confirm instead of subscribing them, even without double opt-in', async () => {
    await call('POST', '/topics', { key: 'yearly', name: 'Yearly' })
    const form = await create({ topics: ['yearly'] })
    const email = newAddress()
    const { id } = (await call('POST', '/contacts', { email, subscribed: true, topics: { yearly: false } })).body
    app().clock.forward(10)
    await app().request('POST', `/unsubscribe/${preferenceToken(app().ctx.secrets, project().id, id)}`)
    const { body } = await submit(form.id, { email })
    expect(body.message).toBe('Your sign-up was received.')
    expect((await contactOf(email)).subscribed).toBe(false)
    const links = await confirmationsTo(id)
    expect(links).toHaveLength(1)
    const isInTopic = async () =>
      (await call('GET', `/contacts/${id}/topics`)).body.data.find(({ key }: { key: string }) => key === 'yearly')
    expect(await isInTopic()).toMatchObject({ subscribed: false, source: 'api' })
    await submit(form.id, { email }) // no further email is sent so soon, and the topics are kept
    await app().request('POST', links[0]!, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      text: '',
    })
    expect((await contactOf(email)).subscribed).toBe(true)
    expect(await isInTopic()).toMatchObject({ subscribed: true, source: 'form' })
  })

  it('asks a suppressed address to confirm, whether or not it belongs to a contact', async () => {
    const form = await create()
    const [known, unknown] = [newAddress(), newAddress()]
    const { id } = (await call('POST', '/contacts', { email: known, subscribed: true })).body
    for (const email of [known, unknown]) await call('POST', '/suppressions', { email, reason: 'MANUAL' })
    for (const email of [known, unknown]) await submit(form.id, { email })
    expect(await confirmationsTo(id)).toHaveLength(1)
    const made = await contactOf(unknown)
    expect(made).toMatchObject({ subscribed: false, confirmation: { status: 'pending' } })
    expect(await confirmationsTo(made.id)).toHaveLength(1)
  })

  it('asks someone to confirm who had opted out before their data was erased', async () => {
    const form = await create()
    const email = newAddress()
    const { id } = (await call('POST', '/contacts', { email, subscribed: true })).body
    await call('PATCH', `/contacts/${id}`, { subscribed: false })
    await call('DELETE', `/contacts/${id}`)
    await submit(form.id, { email })
    expect(await contactOf(email)).toMatchObject({ subscribed: false, confirmation: { status: 'pending' } })
  })

  it('keeps the opt-out of a topic, because anyone can enter an address', async () => {
    await call('POST', '/topics', { key: 'daily', name: 'Daily' })
    const form = await create({ topics: ['daily'] })
    const [left, never] = [newAddress(), newAddress()]
    const ids = []
    for (const email of [left, never]) ids.push((await call('POST', '/contacts', { email, subscribed: true })).body.id)
    await call('PUT', `/contacts/${ids[0]}/topics`, { topics: { daily: false } })
    for (const email of [left, never]) await submit(form.id, { email })
    const chosen = async (id: string) =>
      (await call('GET', `/contacts/${id}/topics`)).body.data.find(({ key }: { key: string }) => key === 'daily')
    expect(await chosen(ids[0])).toMatchObject({ subscribed: false, source: 'api' })
    expect(await chosen(ids[1])).toMatchObject({ subscribed: true, source: 'form' })
  })

  it.each([
    [{ email: 'nobody' }, 'email', 'invalid_string'],
    [{}, 'email', 'invalid_type'],
    [{ email: 'a@example.org', plan: 'pro' }, 'plan', 'unknown_field'],
    [{ email: 'a@example.org', subscribed: true }, 'subscribed', 'unknown_field'],
    [{ email: 'a@example.org', data: { plan: 'pro' } }, 'data', 'unknown_field'],
    [{ email: 'a@example.org', __proto__x: 1 }, '__proto__x', 'unknown_field'],
    [{ email: 'a@example.org', 'topics.daily': true }, 'topics.daily', 'unknown_topic'],
    [{ email: 'a@example.org', topics: ['daily'] }, 'topics', 'invalid_type'],
    [{ email: 'a@example.org', age: 'old' }, 'age', 'invalid_type'],
    [{ email: 'a@example.org', age: { n: 1 } }, 'age', 'invalid_type'],
    [{ email: 'a@example.org', name: 'a\u0000b' }, 'name', 'custom'],
    [{ email: 'a@example.org', name: 'x'.repeat(1_001) }, 'name', 'too_big'],
    [{ email: 'a@example.org', _token: 'forged' }, '_token', 'invalid_string'],
    [{ email: 'a@example.org', _token: undefined }, '_token', 'invalid_type'],
  ])('is refused with 422 and changes nothing if it contains %j', async (fields, field, code) => {
    const form = await create({
      fields: [
        { key: 'age', label: 'Age', type: 'number' },
        { key: 'name', label: 'Name' },
      ],
    })
    const { status, body } = await submit(form.id, fields)
    expect(status).toBe(422)
    expect(body.error.errors[0]).toMatchObject({ field, code })
    expect(await contactOf('a@example.org')).toBeUndefined()
    expect((await call('GET', `/forms/${form.id}`)).body.totals).toMatchObject({ submitted: 0, spam: 0 })
  })

  it('is refused with 422 if it is a form with a NUL character', async () => {
    const form = await create({ fields: [{ key: 'name', label: 'Name' }] })
    const { _token } = await openForm(form.id)
    app().clock.forward(2_000)
    const { status } = await post(form.id, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      text: `_token=${_token}&email=a%40example.org&name=a%00b&utm_source=%00&_website=`,
    })
    expect(status).toBe(422)
  })

  it('does not accept the token of another form', async () => {
    const [one, two] = [await create(), await create()]
    const { _token } = await openForm(one.id)
    app().clock.forward(2_000)
    const { status } = await post(two.id, { body: { _token, email: newAddress() } })
    expect(status).toBe(422)
  })

  it('gets the usual response, changes no contact, and is listed if it looks like spam', async () => {
    const form = await create({ eventName: 'spam-signup' })
    const [hasty, filled] = [newAddress(), newAddress()]
    const replies = [
      await submit(form.id, { email: hasty }, 1_999),
      await submit(form.id, { email: filled, _website: 'https://spam.example' }),
    ]
    // A person who is quick can correct a mistake.
    expect((await submit(form.id, { email: 'nobody' }, 0)).status).toBe(422)
    for (const { status, body } of replies) {
      expect([status, body]).toEqual([200, { success: true, message: 'Your sign-up was received.', redirectUrl: null }])
    }
    for (const email of [hasty, filled]) expect(await contactOf(email)).toBeUndefined()
    expect((await call('GET', '/events?name=spam-signup')).body.data).toEqual([])
    const spam = (await call('GET', `/forms/${form.id}/spam`)).body
    expect(spam).toMatchObject({
      total: 2,
      data: [
        { reason: 'honeypot', email: 'v…@example.org', ip: '127.0.0.1' },
        { reason: 'too-fast', email: 'v…@example.org' },
      ],
    })
    const today = app().clock.now().toISOString().slice(0, 10)
    const stats = (await call('GET', `/forms/${form.id}/stats?from=${today}`)).body
    expect(stats).toEqual({
      data: [{ day: today, shown: 3, submitted: 0, confirmed: 0, spam: 2 }],
      totals: { shown: 3, submitted: 0, confirmed: 0, spam: 2 },
    })
    app().clock.forward(31 * 24 * 3_600_000)
    await app().jobs['delete-expired']({}, { attempt: 1, at: app().clock.now() })
    expect((await call('GET', `/forms/${form.id}/spam`)).body.data).toEqual([])
  })

  it.each([
    ['https://shop.example/thanks', 'https://shop.example/thanks'],
    ['https://example.jp/ありがとう', 'https://example.jp/%E3%81%82%E3%82%8A%E3%81%8C%E3%81%A8%E3%81%86'],
  ])('can redirect to %s', async (redirectUrl, location) => {
    const form = await create({ redirectUrl })
    const hidden = await openForm(form.id)
    app().clock.forward(2_000)
    const { status, headers } = await post(form.id, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      text: new URLSearchParams({ ...hidden, email: newAddress() }).toString(),
    })
    expect([status, headers.location]).toEqual([303, location])
    expect((await submit(form.id, { email: newAddress() })).body.redirectUrl).toBe(redirectUrl)
  })

  it('can be sent by a script of any website', async () => {
    const form = await create()
    const preflight = await app().request('OPTIONS', `/f/${form.id}`, { headers: { origin: 'https://shop.example' } })
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*'])
    const hidden = await openForm(form.id)
    const page = await app().request('GET', `/f/${form.id}`, { headers: { origin: 'https://shop.example' } })
    expect(page.headers['access-control-allow-origin']).toBe('*')
    app().clock.forward(2_000)
    const { status, body, headers } = await post(form.id, {
      headers: {
        origin: 'https://shop.example',
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
      text: new URLSearchParams({ ...hidden, email: newAddress() }).toString(),
    })
    expect([status, body.success, headers['access-control-allow-origin']]).toEqual([200, true, '*'])
  })

  it('can be multipart/form-data, as scripts send the form of a page', async () => {
    const form = await create({ fields: [{ key: 'name', label: 'Name' }] })
    const email = newAddress()
    const sent = new FormData()
    for (const [name, value] of Object.entries({ ...(await openForm(form.id)), email, name: 'Ada' })) {
      sent.append(name, value)
    }
    app().clock.forward(2_000)
    const written = new Response(sent)
    const headers = { accept: 'application/json', 'content-type': written.headers.get('content-type')! }
    const { status, body } = await post(form.id, { headers, text: await written.text() })
    expect([status, body.success]).toEqual([200, true])
    expect(await contactOf(email)).toMatchObject({ subscribed: true, data: { name: 'Ada' } })
  })

  it('from plain HTML is accepted, although its token is that of the form', async () => {
    const form = await create()
    app().clock.forward(365 * 24 * 3_600_000)
    const { html } = (await call('GET', `/forms/${form.id}/html`)).body
    expect(html).toContain(`action="http://posthorn.test/f/${form.id}"`)
    expect(html).not.toMatch(/<script|style=/)
    const _token = /name="_token" value="([^"]+)"/.exec(html)![1]
    const email = newAddress()
    expect((await post(form.id, { body: { _token, email } })).status).toBe(200)
    expect(await contactOf(email)).toMatchObject({ subscribed: true })
  })
})

it("a visitor's address can submit 10 forms of a project in a minute", async () => {
  const limited = await openTestApp({ RATE_LIMIT_PER_MINUTE: '600' })
  try {
    const { secretKey: key } = await createProject(limited)
    const { id } = (await limited.request('POST', '/forms', { key, body: { name: 'A' } })).body
    const { html } = (await limited.request('GET', `/forms/${id}/html`, { key })).body
    const _token = /name="_token" value="([^"]+)"/.exec(html)![1]
    limited.clock.forward(60_000)
    const statuses = []
    for (let i = 0; i < 11; i++) {
      statuses.push(
        (await limited.request('POST', `/f/${id}`, { body: { _token, email: `a${i}@example.org` } })).status,
      )
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429])
    const page = await limited.request('POST', `/f/${id}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      text: `email=b@example.org&_token=${_token}`,
    })
    expect([page.status, page.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8'])
    expect(page.body).toContain('Too many attempts.')
  } finally {
    await limited.close()
  }
})

describe('a form with a CAPTCHA', () => {
  it('accepts what its provider confirms, refuses the rest as spam, and responds with 503 without the provider', async () => {
    const asked: Array<{ url: string | undefined; body: string }> = []
    let reply = '{"success": true}'
    const provider = createServer(async (request, response) => {
      const body = (await request.toArray()).join('')
      asked.push({ url: request.url, body })
      response.end(reply)
    }).listen(0, '127.0.0.1')
    await once(provider, 'listening')
    const endpoint = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
    const captcha = {
      provider: 'turnstile',
      siteKey: 'the site key',
      secretKey: 'the secret key of turnstile',
      endpoint,
    }
    const form = await create({ captcha })
    const page = await app().request('GET', `/f/${form.id}`)
    expect(page.body).toContain('<div class="cf-turnstile" data-sitekey="the site key">')
    expect(page.headers['content-security-policy']).toContain('script-src https://challenges.cloudflare.com')

    const answered = (email: string, answer: object = { 'cf-turnstile-response': 'an answer' }) =>
      submit(form.id, { email, ...answer })
    const [solved, failed, skipped, later] = [newAddress(), newAddress(), newAddress(), newAddress()]
    expect((await answered(solved)).status).toBe(200)
    expect(asked).toEqual([
      { url: '/turnstile/v0/siteverify', body: 'secret=the+secret+key+of+turnstile&response=an+answer' },
    ])
    reply = '{"success": false}'
    const refused = await answered(failed)
    expect([refused.status, refused.body.error.errors[0].code]).toEqual([422, 'captcha_failed'])
    expect((await answered(skipped, {})).status).toBe(422)
    expect(asked).toHaveLength(2)
    provider.closeAllConnections()
    provider.close()
    const unavailable = await answered(later)
    expect([unavailable.status, unavailable.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])

    expect(await contactOf(solved)).toBeDefined()
    for (const email of [failed, skipped, later]) expect(await contactOf(email)).toBeUndefined()
    const { data } = (await call('GET', `/forms/${form.id}/spam`)).body
    expect(data.map(({ reason }: { reason: string }) => reason)).toEqual(['captcha', 'captcha'])
  })
})
