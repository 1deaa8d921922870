/** What a key that visitors of a website have changes about contacts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { preferenceToken } from '../../features/audience/preferences/actions.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
/** A key that can only track. */
let trackKey: string

const call = (method: string, url: string, body?: unknown, key = project.secretKey) =>
  app.request(method, url, { key, body })

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  trackKey = (await call('POST', '/api-keys', { name: 'Website', scopes: ['track'] })).body.key
})
afterAll(() => app.close())

let people = 0
const newAddress = () => `visitor-${people++}@example.org`

const create = async (body: object = {}) => (await call('POST', '/contacts', { email: newAddress(), ...body })).body
const contact = async (id: string) => (await call('GET', `/contacts/${id}`)).body
const track = (email: string, more: object = {}, key = project.publicKey) =>
  call('POST', '/v1/track', { email, event: 'visited', ...more }, key)

const OPT_OUTS: Array<[string, (contact: { id: string; email: string }) => Promise<unknown>]> = [
  ['on the page', ({ id }) => app.request('POST', `/unsubscribe/${preferenceToken(app.ctx.secrets, project.id, id)}`)],
  [
    'with one click',
    ({ id }) =>
      app.request('POST', `/unsubscribe/${preferenceToken(app.ctx.secrets, project.id, id)}`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        text: 'List-Unsubscribe=One-Click',
      }),
  ],
]

describe('subscribed: true with the key of a website', () => {
  it.each(OPT_OUTS)('does not undo an opt-out that the contact made %s', async (_, optOut) => {
    const person = await create()
    await optOut(person)
    for (const key of [project.publicKey, trackKey])
      expect((await track(person.email, { subscribed: true, data: { plan: 'pro' } }, key)).status).toBe(200)
    expect(await contact(person.id)).toMatchObject({ subscribed: false, data: { plan: 'pro' } })
  })

  it.each(['bounce', 'complaint'])('does not undo a %s', async (report) => {
    const person = await create({ email: `${report}@simulator.posthorn.test` })
    await call('POST', '/v1/send', { to: person.email, from: 'hello@example.com', subject: 'Hi', body: 'Hi' })
    await app.drain()
    expect((await contact(person.id)).subscribed).toBe(false)
    await track(person.email, { subscribed: true })
    expect((await contact(person.id)).subscribed).toBe(false)
    await call('POST', '/events/track', { email: person.email, event: 'visited', subscribed: true })
    expect((await contact(person.id)).subscribed).toBe(true)
  })

  it('undoes an opt-out that was made through the API, unless the contact also declined', async () => {
    const person = await create()
    await call('PATCH', `/contacts/${person.id}`, { subscribed: false })
    await track(person.email, { subscribed: true })
    expect((await contact(person.id)).subscribed).toBe(true)

    await call('PATCH', `/contacts/${person.id}`, { subscribed: false })
    await OPT_OUTS[0]![1](person)
    await track(person.email, { subscribed: true })
    expect((await contact(person.id)).subscribed).toBe(false)
  })

  it('is decided for each request that shares a statement', async () => {
    const [left, removed] = [await create(), await create()]
    await OPT_OUTS[0]![1](left)
    await call('PATCH', `/contacts/${removed.id}`, { subscribed: false })
    await Promise.all([left, removed].map(({ email }) => track(email, { subscribed: true })))
    expect((await contact(left.id)).subscribed).toBe(false)
    expect((await contact(removed.id)).subscribed).toBe(true)
  })
})

describe('the project setting publicKeyUpdates', () => {
  const set = async (publicKeyUpdates: string) => {
    const reply = await call('PATCH', `/users/@me/projects/${project.id}`, { publicKeyUpdates })
    expect(reply).toMatchObject({ status: 200, body: { publicKeyUpdates } })
  }
  const byTracking = async (email: string, body: object) => contact((await track(email, body)).body.data.contact)
  const change = { data: { plan: 'pro' }, subscribed: false }

  it('is returned with the projects of a user and refused with another value', async () => {
    const { body } = await app.request('GET', '/users/@me/projects', { cookie: project.owner.cookie })
    expect(body).toMatchObject([{ publicKeyUpdates: 'all' }])
    const { status } = await call('PATCH', `/users/@me/projects/${project.id}`, { publicKeyUpdates: 'some' })
    expect(status).toBe(422)
  })

  it('changes only new contacts with new', async () => {
    await set('new')
    const known = await create({ data: { plan: 'free' } })
    expect(await byTracking(known.email, { ...change, data: { plan: '', size: 2 } })).toEqual(await contact(known.id))
    expect(await contact(known.id)).toMatchObject({ subscribed: true, data: { plan: 'free' } })
    expect(await byTracking(newAddress(), change)).toMatchObject(change)
  })

  it('changes nothing with none, and creates contacts without data', async () => {
    await set('none')
    const known = await create({ data: { plan: 'free' } })
    expect(await byTracking(known.email, change)).toMatchObject({ subscribed: true, data: { plan: 'free' } })
    const added = await byTracking(newAddress(), change)
    expect(added).toMatchObject({ subscribed: true, data: {} })
    const { body } = await call('GET', `/events/contact/${added.id}`)
    expect(body.data).toMatchObject([{ name: 'visited', data: { plan: 'pro' } }])
  })

  it('does not apply to other keys', async () => {
    await set('none')
    const email = newAddress()
    await call('POST', '/events/track', { email, event: 'visited', ...change })
    expect((await call('GET', `/contacts?email=${email}`)).body.data).toMatchObject([change])
  })
})
