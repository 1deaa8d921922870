/** Double opt-in: a contact is subscribed by the button behind the link that its address gets, and by nothing before. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestConfirmations } from '../../features/audience/contacts/confirmations.ts'
import { preferenceToken } from '../../features/audience/preferences/actions.ts'
import { confirmationToken, readConfirmationToken } from '../../kernel/consent/confirmation-token.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const call = (method: string, url: string, body?: unknown) => {
  app.clock.forward(10)
  return app.request(method, url, { key: project.secretKey, body })
}

let people = 0
const newAddress = () => `reader-${people++}@example.org`
const upsert = async (body: object) => (await call('POST', '/contacts', body)).body
const ask = (body: object = {}) => upsert({ email: newAddress(), doubleOptIn: true, ...body })
const contact = async (id: string) => (await call('GET', `/contacts/${id}`)).body
const kindsOf = async (id: string) =>
  (await call('GET', `/contacts/${id}/consents`)).body.data.map(({ kind }: { kind: string }) => kind)

const MINUTES = 60_000
const DAYS = 24 * 60 * MINUTES

/** The emails of a contact, oldest first. */
async function emailsTo(id: string): Promise<Array<{ id: string; subject: string; from: string; html: string }>> {
  await app.drain()
  const { data } = (await call('GET', `/emails?contactId=${id}`)).body
  return Promise.all(
    data.toReversed().map(async (email: { id: string }) => (await call('GET', `/emails/${email.id}`)).body),
  )
}

async function linkTo(id: string): Promise<string> {
  const html = (await emailsTo(id)).at(-1)!.html
  return /http:\/\/posthorn\.test(\/confirm\/[\w-]+)/.exec(html)![1]!
}

const open = (link: string) => app.request('GET', link)
const press = (link: string) => {
  app.clock.forward(10)
  return app.request('POST', link, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, text: '' })
}
const unsubscribe = (id: string) => {
  app.clock.forward(10)
  return app.request('POST', `/unsubscribe/${preferenceToken(app.ctx.secrets, project.id, id)}`)
}

describe('POST /contacts with doubleOptIn', () => {
  it('leaves a new contact unsubscribed, sends it a link, and subscribes it when the button is pressed', async () => {
    const person = await ask({ data: { locale: 'de' } })
    expect(person).toMatchObject({
      subscribed: false,
      confirmation: { status: 'pending', requestedAt: expect.any(String), confirmedAt: null },
    })
    expect(await emailsTo(person.id)).toMatchObject([
      { subject: expect.stringContaining('Bitte bestätigen'), from: 'no-reply@example.com' },
    ])
    const link = await linkTo(person.id)

    const page = await open(link)
    expect(page.status).toBe(200)
    expect(page.body).toContain('Abonnement bestätigen?')
    expect(page.body).not.toContain('<script')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect((await contact(person.id)).subscribed).toBe(false)

    expect((await press(link)).body).toContain('Ihr Abonnement ist bestätigt')
    expect(await contact(person.id)).toMatchObject({
      subscribed: true,
      confirmation: { status: 'confirmed', confirmedAt: expect.any(String) },
    })
    const { data: events } = (await call('GET', `/events/contact/${person.id}`)).body
    expect(events.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['contact.confirmed', 'contact.subscribed']),
    )
    expect(await kindsOf(person.id)).toEqual(['confirmed', 'subscribed', 'confirmation.requested'])
  })

  it('refuses a link that was used, even after a later opt-out, until a new one is sent', async () => {
    const person = await ask()
    const link = await linkTo(person.id)
    await press(link)
    await unsubscribe(person.id)
    for (const attempt of [press, open]) expect((await attempt(link)).body).toContain('already been used')
    expect((await contact(person.id)).subscribed).toBe(false)

    await ask({ email: person.email })
    expect((await press(link)).body).toContain('already been used')
    await press(await linkTo(person.id))
    expect((await contact(person.id)).subscribed).toBe(true)
  })

  it('does not undo an opt-out with a link that was sent before it', async () => {
    const person = await ask()
    await unsubscribe(person.id)
    await press(await linkTo(person.id))
    expect(await contact(person.id)).toMatchObject({ subscribed: false, confirmation: null })
  })

  it('refuses forged and expired links', async () => {
    const person = await ask()
    const link = await linkTo(person.id)
    const subject = readConfirmationToken(app.ctx.secrets, link.slice('/confirm/'.length))!
    const forged = confirmationToken({ sign: () => 'A'.repeat(22), isSigned: () => true }, subject)
    expect((await press(`/confirm/${forged}`)).status).toBe(404)
    app.clock.forward(7 * DAYS)
    const expired = await press(link)
    expect(expired.status).toBe(410)
    expect(expired.body).toContain('expired')
    expect((await contact(person.id)).subscribed).toBe(false)
  })

  it('sends at most one email in 10 minutes and 5 in all until the contact confirms', async () => {
    const person = await ask()
    await ask({ email: person.email })
    expect(await emailsTo(person.id)).toHaveLength(1)
    expect((await call('POST', `/contacts/${person.id}/confirmation`)).status).toBe(429)
    for (let n = 0; n < 6; n++) {
      app.clock.forward(10 * MINUTES)
      await call('POST', `/contacts/${person.id}/confirmation`)
      await app.drain()
    }
    expect(await emailsTo(person.id)).toHaveLength(5)
    await press(await linkTo(person.id))
    expect((await call('POST', `/contacts/${person.id}/confirmation`)).status).toBe(409)
  })

  it('changes nothing about a contact that is subscribed, or that the request unsubscribes', async () => {
    const person = await upsert({ email: newAddress() })
    expect(await ask({ email: person.email })).toMatchObject({ subscribed: true, confirmation: null })
    expect(await ask({ subscribed: false })).toMatchObject({ subscribed: false, confirmation: null })
  })

  it('lifts a suppression only when the contact confirms', async () => {
    const email = newAddress()
    await call('POST', '/suppressions', { email })
    const person = await ask({ email, subscribed: true })
    const suppressed = async () => (await call('GET', `/suppressions?email=${email}`)).body.data.length
    expect(await suppressed()).toBe(1)
    await press(await linkTo(person.id))
    expect(await suppressed()).toBe(0)
  })

  it('sends pending contacts no marketing email', async () => {
    const person = await ask()
    const template = (
      await call('POST', '/templates', {
        name: 'News',
        subject: 'News',
        body: '<p>News</p>',
        from: 'hello@example.com',
        type: 'MARKETING',
      })
    ).body
    const reply = await call('POST', '/v1/send', { to: person.email, template: template.id })
    expect(reply.status).toBe(422)
    expect(reply.body.error.errors ?? reply.body.errors).toMatchObject([{ code: 'unsubscribed' }])
  })

  it('does not let the public key subscribe a pending contact', async () => {
    const person = await ask()
    await app.request('POST', '/v1/track', {
      key: project.publicKey,
      body: { email: person.email, event: 'visited', subscribed: true },
    })
    expect(await contact(person.id)).toMatchObject({ subscribed: false, confirmation: { status: 'pending' } })
  })

  it('is filtered by ?confirmation=pending and in conditions by confirmedAt', async () => {
    const [pending, confirmed] = [await ask(), await ask()]
    await press(await linkTo(confirmed.id))
    const listed = (await call('GET', '/contacts?confirmation=pending&limit=100')).body.data
    const ids = listed.map(({ id }: { id: string }) => id)
    expect(ids).toContain(pending.id)
    expect(ids).not.toContain(confirmed.id)
    const matching = async (filter: object) => {
      const condition = { logic: 'AND', groups: [{ filters: [{ field: 'confirmedAt', ...filter }] }] }
      const { body } = await call('POST', '/segments', { name: 'Confirmed', type: 'DYNAMIC', condition })
      const members = (await call('GET', `/segments/${body.id}/contacts?pageSize=100`)).body.data
      return [pending, confirmed].filter(({ id }) => members.some((member: { id: string }) => member.id === id))
    }
    expect(await matching({ operator: 'within', value: 1, unit: 'days' })).toEqual([confirmed])
    expect(await matching({ operator: 'exists' })).toEqual([confirmed])
    expect(await matching({ operator: 'notExists' })).toEqual([pending])
  })
})

describe('requestConfirmations', () => {
  it('asks many contacts in one statement, and only those that are not subscribed', async () => {
    const subscribed = await upsert({ email: newAddress() })
    const others = await Promise.all([1, 2].map(() => upsert({ email: newAddress(), subscribed: false })))
    const asked = await requestConfirmations(app.db, [
      {
        projectId: project.id,
        contactIds: [subscribed, ...others].map(({ id }) => id),
        cause: { source: 'form', text: 'Send me news' },
        now: app.clock.now(),
      },
    ])
    expect(asked.toSorted()).toEqual(others.map(({ id }) => id).toSorted())
    expect((await call('GET', `/contacts/${asked[0]}/consents`)).body.data[0]).toMatchObject({
      kind: 'confirmation.requested',
      source: 'form',
      text: 'Send me news',
    })
  })
})

describe('the project setting doubleOptIn', () => {
  const set = (doubleOptIn: unknown) => call('PATCH', `/users/@me/projects/${project.id}`, { doubleOptIn })
  const template = async (body: string) =>
    (
      await call('POST', '/templates', {
        name: `Confirm ${people++}`,
        subject: 'One more step',
        body,
        from: 'welcome@example.com',
        type: 'MARKETING',
      })
    ).body.id as string

  it('applies to new contacts and explicit subscriptions, but not to other changes', async () => {
    expect((await set({ enabled: true })).body.doubleOptIn).toEqual({
      enabled: true,
      templateId: null,
      redirectUrl: null,
    })
    const known = await upsert({ email: newAddress(), subscribed: false })
    expect(await upsert({ email: known.email, data: { plan: 'pro' } })).toMatchObject({ confirmation: null })
    expect(await upsert({ email: known.email, subscribed: true })).toMatchObject({
      subscribed: false,
      confirmation: { status: 'pending' },
    })
    expect(await upsert({ email: newAddress() })).toMatchObject({ subscribed: false })
    expect(await upsert({ email: newAddress(), doubleOptIn: false })).toMatchObject({ subscribed: true })
  })

  it('sends the own template and redirects after the confirmation', async () => {
    const templateId = await template('<p>Hello {{name ?? "there"}}, <a href="{{confirmUrl}}">confirm</a></p>')
    await set({ templateId, redirectUrl: 'https://shop.example/thanks?from=mail' })
    const person = await ask({ data: { name: 'Ada' } })
    const [email] = await emailsTo(person.id)
    expect(email).toMatchObject({ subject: 'One more step', from: 'welcome@example.com' })
    expect(email!.html).toContain('Hello Ada')
    const link = await linkTo(person.id)
    expect((await open(link)).headers['content-security-policy']).toContain("form-action 'self' https://shop.example")
    const done = await press(link)
    expect(done.status).toBe(303)
    expect(done.headers.location).toBe('https://shop.example/thanks?from=mail')
    expect((await contact(person.id)).subscribed).toBe(true)
  })

  it('refuses templates without the link, of other projects, and URLs that no browser opens', async () => {
    expect((await set({ templateId: await template('<p>Hello</p>') })).status).toBe(422)
    expect((await set({ templateId: '0198f2c4-6b7a-7c3e-9d41-5f2a8e6b1c90' })).status).toBe(404)
    expect((await set({ redirectUrl: 'javascript:alert(1)' })).status).toBe(422)
    expect((await set({ color: 'red' })).status).toBe(422)
    expect((await set(null)).body.doubleOptIn).toEqual({ enabled: false, templateId: null, redirectUrl: null })
  })
})

describe('GET /analytics/confirmations', () => {
  it('counts who was asked and who confirmed, by day, and who is still pending', async () => {
    const own = await createProject(app)
    const inProject = (method: string, path: string, body?: unknown) =>
      app.request(method, path, { key: own.secretKey, body })
    const read = async (query = '') => (await inProject('GET', `/analytics/confirmations${query}`)).body
    expect(await read()).toMatchObject({ asked: 0, confirmed: 0, rate: 0, pending: 0 })

    const ids: string[] = []
    for (const name of ['one', 'two']) {
      const person = { email: `${name}@example.org`, doubleOptIn: true }
      ids.push((await inProject('POST', '/contacts', person)).body.id)
    }
    const day = app.clock.now().toISOString().slice(0, 10)
    app.clock.forward(DAYS)
    await inProject('POST', `/contacts/${ids[0]}/confirmation`)
    const requestedAt = new Date((await inProject('GET', `/contacts/${ids[0]}`)).body.confirmation.requestedAt)
    await press(
      `/confirm/${confirmationToken(app.ctx.secrets, { projectId: own.id, contactId: ids[0]!, requestedAt })}`,
    )

    const next = app.clock.now().toISOString().slice(0, 10)
    const numbers = await read(`?from=${day}&to=${next}`)
    expect(numbers).toEqual({
      asked: 2,
      confirmed: 1,
      rate: 0.5,
      pending: 1,
      data: [
        { date: day, requested: 2, confirmed: 0 },
        { date: next, requested: 1, confirmed: 1 },
      ],
    })
    expect((await read()).data).toHaveLength(30)
    expect((await inProject('GET', '/analytics/confirmations?from=2026-02-01&to=2026-01-01')).status).toBe(400)
  })
})
