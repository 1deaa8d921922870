/** The members of STATIC segments: adding and removing contacts, individually and many at once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })
const PRO = { logic: 'AND', groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }] }
const upsert = async (email: string) => (await call('POST', '/contacts', { email })).body.id
const create = async (body: object) => (await call('POST', '/segments', { name: 'A segment', ...body })).body
const contactsOf = async (id: string) => (await call('GET', `/segments/${id}/contacts`)).body
const emailsOf = async (id: string) => (await contactsOf(id)).data.map(({ email }: { email: string }) => email).sort()
const memberRows = async (id: string) =>
  app.db.selectFrom('segment_members').selectAll().where('segment_id', '=', id).execute()

describe('the members of a STATIC segment', () => {
  it('are added by address in any spelling and order, each once, and unknown ones are reported', async () => {
    const { id } = await create({ type: 'STATIC' })
    await upsert('one@example.org')
    await upsert('two@example.org')
    const emails = [
      ' Two@Example.ORG',
      'nobody@example.org',
      'one@example.org',
      'two@example.org',
      'nonsense',
      'NOBODY@example.org ',
    ]
    expect((await call('POST', `/segments/${id}/members`, { emails })).body).toEqual({
      added: 2,
      created: 0,
      notFound: ['nobody@example.org', 'nonsense'],
    })
    expect((await call('POST', `/segments/${id}/members`, { emails: ['one@example.org'] })).body).toMatchObject({
      added: 0,
    })
    expect((await call('GET', '/contacts?email=nobody@example.org')).body.data).toEqual([])
    expect(await emailsOf(id)).toEqual(['one@example.org', 'two@example.org'])
    expect((await call('GET', `/segments/${id}`)).body.memberCount).toBe(2)
    const removed = await call('DELETE', `/segments/${id}/members`, {
      emails: ['TWO@example.org', 'x', 'two@example.org'],
    })
    expect(removed.body).toEqual({ removed: 1 })
    expect((await call('GET', `/segments/${id}`)).body.memberCount).toBe(1)
    expect((await call('GET', '/contacts?email=two@example.org')).body.data).toHaveLength(1)
  })

  it('are created on request, and `subscribed` applies to new contacts only', async () => {
    const { id } = await create({ type: 'STATIC' })
    await call('POST', '/contacts', { email: 'known@example.org', subscribed: true, data: { kept: 1 } })
    const body = { emails: ['known@example.org', 'New1@example.org'], createMissing: true, subscribed: false }
    expect((await call('POST', `/segments/${id}/members`, body)).body).toEqual({ added: 2, created: 1, notFound: [] })
    await call('POST', `/segments/${id}/members`, { emails: ['new2@example.org'], createMissing: true })
    const { data } = await contactsOf(id)
    expect(
      Object.fromEntries(data.map((c: { email: string; subscribed: boolean }) => [c.email, c.subscribed])),
    ).toEqual({ 'known@example.org': true, 'new1@example.org': false, 'new2@example.org': true })
    const events = await app.db.selectFrom('events').select('name').where('name', 'like', 'contact.%').execute()
    expect(events).toEqual([])
  })

  it('are not created if one of the addresses is invalid', async () => {
    const { id } = await create({ type: 'STATIC' })
    const body = { emails: ['fine@example.org', 'not an address'], createMissing: true }
    const reply = await call('POST', `/segments/${id}/members`, body)
    expect(reply.status).toBe(422)
    expect(reply.body.error.errors).toMatchObject([{ field: 'emails.1', code: 'invalid_string' }])
    expect((await call('GET', '/contacts?email=fine@example.org')).body.data).toEqual([])
  })

  it.each([
    [500, 200],
    [501, 422],
    [0, 422],
  ])('can be added %d at once with status %d', async (count, status) => {
    const { id } = await create({ type: 'STATIC' })
    const emails = Array.from({ length: count }, (_, i) => `m${i}@example.org`)
    for (const [method, body] of [
      ['POST', { emails, createMissing: true }],
      ['DELETE', { emails }],
    ] as const) {
      expect((await call(method, `/segments/${id}/members`, body)).status).toBe(status)
    }
  })

  it("can't be changed in a DYNAMIC segment", async () => {
    const { id } = await create({ condition: PRO, trackMembership: true })
    for (const method of ['POST', 'DELETE']) {
      const { status, body } = await call(method, `/segments/${id}/members`, { emails: ['pro@example.org'] })
      expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'BAD_REQUEST' })
    }
    expect(await memberRows(id)).toEqual([])
  })

  it('are counted exactly with concurrent changes', async () => {
    const { id } = await create({ type: 'STATIC' })
    const some = (from: number) => Array.from({ length: 10 }, (_, i) => `crowd${(from + i) % 20}@example.org`)
    await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        i % 4 === 3
          ? call('DELETE', `/segments/${id}/members`, { emails: some(i) })
          : call('POST', `/segments/${id}/members`, { emails: some(i), createMissing: true }),
      ),
    )
    const { memberCount } = (await call('GET', `/segments/${id}`)).body
    expect(memberCount).toBe((await memberRows(id)).length)
  })

  it('do not include deleted contacts, and are counted accordingly', async () => {
    const { id } = await create({ type: 'STATIC', trackMembership: true, name: 'Losing' })
    const emails = ['del1@example.org', 'del2@example.org', 'del3@example.org']
    await call('POST', `/segments/${id}/members`, { emails, createMissing: true })
    const ids: string[] = (await contactsOf(id)).data.map((contact: { id: string }) => contact.id)
    await call('DELETE', `/contacts/${ids[0]}`)
    await call('POST', '/contacts/bulk-delete', { contactIds: [ids[1]] })
    await app.drain()
    expect((await call('GET', `/segments/${id}`)).body.memberCount).toBe(1)
    expect(await memberRows(id)).toMatchObject([{ contact_id: ids[2] }])
    const exits = await app.db.selectFrom('events').select('id').where('name', '=', 'segment.losing.exit').execute()
    expect(exits).toEqual([])
  })
})
