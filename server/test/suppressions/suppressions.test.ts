/** Suppressed addresses: listing, adding and removing them, and which changes of a contact remove a suppression. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { preferenceToken } from '../../features/audience/preferences/actions.ts'
import {
  addSuppressionsSteps,
  isSuppressedSql,
  liftSuppressions,
} from '../../features/audience/suppressions/queries.ts'
import { newId } from '../../kernel/ids.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let counter = 0
let address: string

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())
beforeEach(() => {
  address = `o'person+${++counter}@example.org`
})

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

const suppress = (email = address) => call('POST', '/suppressions', { email })

async function isSuppressed(email = address, projectId = project.id): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select ${isSuppressedSql(projectId, sql`${email}::text`)} as is`.execute(
    app.ctx.db,
  )
  return rows[0]!.is
}

/** The effect of a bounce or a complaint, as a step of its statement. */
async function recordOutcome(email: string, reason: 'BOUNCE' | 'COMPLAINT'): Promise<void> {
  const now = app.clock.now()
  await sql`with ${addSuppressionsSteps(
    sql`values (${project.id}::uuid, ${email}, ${newId(now)}::uuid, ${reason}, ${now}::timestamptz)`,
  )} select 1`.execute(app.ctx.db)
}

describe('suppressions', () => {
  it('are added manually, once', async () => {
    const first = await suppress(` ${address.toUpperCase()} `)
    expect(first).toMatchObject({ status: 201, body: { email: address, reason: 'MANUAL' } })
    expect(await suppress()).toMatchObject({ status: 200, body: first.body })
    expect(await isSuppressed()).toBe(true)
  })

  it('are added once by concurrent requests', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => suppress()))
    expect(replies.map((reply) => reply.status).sort()).toEqual([...Array(7).fill(200), 201])
    expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1)
  })

  it('keep their first reason', async () => {
    await recordOutcome(address, 'COMPLAINT')
    await recordOutcome(address, 'BOUNCE')
    expect(await suppress()).toMatchObject({ status: 200, body: { reason: 'COMPLAINT' } })
  })

  it('require an address, and accept only our reasons', async () => {
    for (const body of [{}, { email: 'nobody' }, { email: address, reason: 'BOUNCE' }]) {
      expect(await call('POST', '/suppressions', body)).toMatchObject({
        status: 422,
        body: { error: { code: 'VALIDATION_ERROR' } },
      })
    }
    expect(await isSuppressed()).toBe(false)
  })

  it('are removed by their address, percent-encoded, in any case', async () => {
    await suppress()
    const path = `/suppressions/${encodeURIComponent(address.toUpperCase())}`
    const reply = await call('DELETE', path)
    expect(reply).toMatchObject({ status: 204, body: '' })
    expect(await isSuppressed()).toBe(false)
    expect(await call('DELETE', path)).toMatchObject({
      status: 404,
      body: { error: { code: 'RESOURCE_NOT_FOUND', details: { resource: 'suppression' } } },
    })
  })

  it('belong to one project', async () => {
    const other = await createProject(app)
    await suppress()
    expect(await isSuppressed(address, other.id)).toBe(false)
    expect((await app.request('GET', '/suppressions', { key: other.secretKey })).body.data).toEqual([])
    const path = `/suppressions/${encodeURIComponent(address)}`
    expect((await app.request('DELETE', path, { key: other.secretKey })).status).toBe(404)
    expect(await isSuppressed()).toBe(true)
  })

  it('are listed newest first, in pages, and found by a part of the address', async () => {
    const own = await createProject(app)
    const emails = Array.from({ length: 5 }, (_, i) => `list_${i}@example.org`)
    for (const email of emails) {
      await app.request('POST', '/suppressions', { key: own.secretKey, body: { email } })
    }
    const list = (query: string) => app.request('GET', `/suppressions?${query}`, { key: own.secretKey })

    const first = (await list('limit=3')).body
    expect(first).toMatchObject({ hasMore: true, total: 5 })
    const second = (await list(`limit=3&cursor=${first.cursor}`)).body
    expect(second).toMatchObject({ hasMore: false, total: 0, cursor: null })
    const listed = [...first.data, ...second.data].map((item: { email: string }) => item.email)
    expect(listed).toEqual([...emails].reverse())

    expect((await list('search=LIST_3')).body).toMatchObject({ total: 1, data: [{ email: 'list_3@example.org' }] })
    expect((await list('search=list%253')).body.data).toEqual([])
    expect((await list('email=%20LIST_3@example.org')).body).toMatchObject({
      total: 1,
      data: [{ email: 'list_3@example.org' }],
    })
    expect((await list('email=list_3')).body).toMatchObject({ total: 0, data: [] })
    const some = await list('email=list_1@example.org,other@example.org,%20LIST_4@example.org')
    expect(some.body).toMatchObject({ total: 2, data: [{ email: emails[4] }, { email: emails[1] }] })
    const many = Array.from({ length: 101 }, (_, i) => `${i}@example.org`)
    expect((await list(`email=${many.slice(1)}`)).status).toBe(200)
    expect(await list(`email=${many}`)).toMatchObject({
      status: 400,
      body: { error: { message: 'email can contain at most 100 addresses.' } },
    })
    expect(await list('cursor=nonsense')).toMatchObject({ status: 400, body: { error: { code: 'BAD_REQUEST' } } })
  })

  it('can be read but not changed while the project is disabled', async () => {
    const closed = await createProject(app)
    await app.pool.query('update projects set disabled_at = now() where id = $1', [closed.id])
    const body = { email: address }
    expect((await app.request('POST', '/suppressions', { key: closed.secretKey, body })).status).toBe(403)
    expect((await app.request('GET', '/suppressions', { key: closed.secretKey })).status).toBe(200)
  })
})

describe('a suppression', () => {
  const contactId = async () => (await call('POST', '/contacts', { email: address, subscribed: false })).body.id
  const tokenOf = (id: string) => preferenceToken(app.ctx.secrets, project.id, id)
  const send = (fields: object = {}) =>
    call('POST', '/v1/send', { to: address, from: 'a@example.com', subject: 's', body: 'b', ...fields })
  const track = (fields: object = {}) =>
    app.request('POST', '/v1/track', { key: project.publicKey, body: { email: address, event: 'x', ...fields } })

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['PATCH with subscribed: true', (id) => call('PATCH', `/contacts/${id}`, { subscribed: true })],
    ['POST /contacts with subscribed: true', () => call('POST', '/contacts', { email: address, subscribed: true })],
    ['the page to subscribe', (id) => app.request('POST', `/subscribe/${tokenOf(id)}`)],
    [
      'the page of preferences',
      (id) =>
        app.request('POST', `/manage/${tokenOf(id)}`, {
          text: 'subscribed=true',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
    ],
    [
      'its own list of addresses',
      () => liftSuppressions(app.ctx.db, project.id, [address, 'another@example.org'], new Date()),
    ],
  ])('is removed by %s', async (_by, act) => {
    const id = await contactId()
    await recordOutcome(address, 'BOUNCE')
    await act(id)
    expect(await isSuppressed()).toBe(false)
  })

  it('is removed for the new address of a contact that changes it and subscribes at once', async () => {
    const id = await contactId()
    await suppress()
    await suppress(`moved-${address}`)
    await call('PATCH', `/contacts/${id}`, { email: `moved-${address}`, subscribed: true })
    expect([await isSuppressed(), await isSuppressed(`moved-${address}`)]).toEqual([true, false])
  })

  it('is removed by subscribed: true even if the contact is already subscribed', async () => {
    await suppress()
    const { body } = await call('POST', '/contacts', { email: address })
    expect([body.subscribed, await isSuppressed()]).toEqual([true, true])
    await call('PATCH', `/contacts/${body.id}`, { subscribed: true })
    expect(await isSuppressed()).toBe(false)
  })

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['PATCH of something else', (id) => call('PATCH', `/contacts/${id}`, { data: { a: 1 } })],
    ['PATCH with subscribed: false', (id) => call('PATCH', `/contacts/${id}`, { subscribed: false })],
    ['POST /contacts without subscribed', () => call('POST', '/contacts', { email: address, data: { a: 1 } })],
    ['POST /v1/send with subscribed: true', () => send({ subscribed: true })],
    ['POST /v1/track with subscribed: true', () => track({ subscribed: true })],
    [
      'PATCH with subscribed: true and keepSuppression: true',
      (id) => call('PATCH', `/contacts/${id}`, { subscribed: true, keepSuppression: true }),
    ],
    [
      'POST /contacts with subscribed: true and keepSuppression: true',
      () => call('POST', '/contacts', { email: address, subscribed: true, keepSuppression: true }),
    ],
    [
      'bulk-subscribe with keepSuppression: true',
      (id) => call('POST', '/contacts/bulk-subscribe', { contactIds: [id], keepSuppression: true }),
    ],
    ['the page to unsubscribe', (id) => app.request('POST', `/unsubscribe/${tokenOf(id)}`)],
    ['a look at the page to subscribe', (id) => app.request('GET', `/subscribe/${tokenOf(id)}`)],
    ['deleting the contact', (id) => call('DELETE', `/contacts/${id}`)],
  ])('is kept after %s', async (_by, act) => {
    const id = await contactId()
    await recordOutcome(address, 'BOUNCE')
    await act(id)
    await app.drain()
    expect(await isSuppressed()).toBe(true)
  })

  it('is removed by bulk-subscribe without keepSuppression', async () => {
    const id = await contactId()
    await recordOutcome(address, 'BOUNCE')
    await call('POST', '/contacts/bulk-subscribe', { contactIds: [id] })
    await app.drain()
    expect(await isSuppressed()).toBe(false)
  })

  it('is kept by keepSuppression while the contact is subscribed', async () => {
    const id = await contactId()
    await recordOutcome(address, 'BOUNCE')
    const { body } = await call('PATCH', `/contacts/${id}`, { subscribed: true, keepSuppression: true })
    expect(body.subscribed).toBe(true)
  })

  it('is kept after the contact is deleted and created again', async () => {
    const id = await contactId()
    await recordOutcome(address, 'COMPLAINT')
    await call('DELETE', `/contacts/${id}`)
    await app.drain()
    await track()
    expect(await isSuppressed()).toBe(true)
    await call('POST', '/contacts', { email: address, subscribed: true })
    expect(await isSuppressed()).toBe(false)
  })
})
