/** The maximum size of the data of a request, a contact and a page. */

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CONTACT_BYTES_MAX } from '../../kernel/contact-data.ts'
import { createProject, databaseState, openTestApp, type TestApp } from '../harness.ts'
import { uploadFile } from '../uploads/upload.ts'

const KB = 1024

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const text = (kilobytes: number) => 'x'.repeat(kilobytes * KB)
const tooBig = (field: string) => ({ status: 422, body: { error: { errors: [{ field, code: 'too_big' }] } } })
const track = (email: string, data: object) =>
  app.request('POST', '/v1/track', { key: project.publicKey, body: { email, event: 'visit', data } })
const upsert = (email: string, data: object) =>
  app.request('POST', '/contacts', { key: project.secretKey, body: { email, data } })

/** A contact with 240 KB of data in four fields. */
async function largeContact(email: string): Promise<string> {
  let id = ''
  for (let i = 0; i < 4; i++) id = (await upsert(email, { [`field${i}`]: text(60) })).body.id
  return id
}

it('data of more than 64 KB is refused in every request', async () => {
  const { id } = (await upsert('one@example.org', {})).body
  const before = await databaseState(app)
  const data = { note: text(64) }
  expect(await track('one@example.org', data)).toMatchObject(tooBig('data'))
  expect(await track('one@example.org', { note: { value: text(64), persistent: false } })).toMatchObject(tooBig('data'))
  expect(await upsert('one@example.org', data)).toMatchObject(tooBig('data'))
  const patch = await app.request('PATCH', `/contacts/${id}`, { key: project.secretKey, body: { data } })
  expect(patch).toMatchObject(tooBig('data'))
  const send = await app.request('POST', '/v1/send', {
    key: project.secretKey,
    body: { to: 'one@example.org', from: 'a@example.com', subject: 's', body: 'b', data },
  })
  expect(send).toMatchObject(tooBig('data'))
  expect(await databaseState(app)).toBe(before)
})

it('bodies of /v1/track and /contacts are limited to 256 KB', async () => {
  const padded = (body: object) => `${' '.repeat(257 * KB)}${JSON.stringify(body)}`
  const contact = { email: 'two@example.org' }
  for (const [path, key, body] of [
    ['/v1/track', project.publicKey, { ...contact, event: 'visit' }],
    ['/events/track', project.secretKey, { ...contact, event: 'visit' }],
    ['/contacts', project.secretKey, contact],
  ] as const) {
    expect((await app.request('POST', path, { key, text: padded(body) })).status).toBe(413)
    expect((await app.request('POST', path, { key, body })).status).toBeLessThan(300)
  }
})

it('the limit of a contact is the same in the database', async () => {
  const functions = await readFile(new URL('../../features/audience/contacts/functions.sql', import.meta.url), 'utf8')
  expect(functions).toContain(`octet_length(after::text) > ${CONTACT_BYTES_MAX}`)
})

it('a contact stores at most 256 KB of data; a request that exceeds it is refused and changes nothing', async () => {
  const id = await largeContact('three@example.org')
  const before = await databaseState(app)
  const more = { field5: text(60) }
  expect(await track('three@example.org', more)).toMatchObject(tooBig('data'))
  expect(await upsert('three@example.org', more)).toMatchObject(tooBig('data'))
  const patch = (data: object) => app.request('PATCH', `/contacts/${id}`, { key: project.secretKey, body: { data } })
  expect(await patch(more)).toMatchObject(tooBig('data'))
  const send = await app.request('POST', '/v1/send', {
    key: project.secretKey,
    body: { to: 'three@example.org', from: 'a@example.com', subject: 's', body: 'b', data: more },
  })
  expect(send).toMatchObject(tooBig('data'))
  expect(await databaseState(app)).toBe(before)
  expect((await patch({ ...more, field0: null })).status).toBe(200)
})

it('events that arrive together with one for a full contact are recorded', async () => {
  await largeContact('four@example.org')
  const replies = await Promise.all([
    track('four@example.org', { field5: text(60) }),
    ...Array.from({ length: 5 }, (_, i) => track(`beside-${i}@example.org`, { i })),
  ])
  expect(replies.map(({ status }) => status)).toEqual([422, 200, 200, 200, 200, 200])
})

it('data that exceeds the limit from an earlier version is kept and can be reduced', async () => {
  const { id } = (await upsert('five@example.org', {})).body
  const old = JSON.stringify({ a: text(200), b: text(200) })
  await app.pool.query('update contacts set data = $2 where id = $1', [id, old])
  const patch = (body: object) => app.request('PATCH', `/contacts/${id}`, { key: project.secretKey, body })
  expect((await patch({ subscribed: false })).status).toBe(200)
  expect(await patch({ data: { c: 'more' } })).toMatchObject(tooBig('data'))
  expect((await patch({ data: { a: null } })).status).toBe(200)
})

it('an import row that exceeds the limit of its contact fails alone', async () => {
  await largeContact('six@example.org')
  const csv = `email,field5\nnew@example.org,a\nsix@example.org,${text(60)}\n`
  const started = await uploadFile(app, '/contacts/import', csv, { key: project.secretKey })
  await app.drain()
  const job = await app.request('GET', `/contacts/import/${started.body.jobId}`, { key: project.secretKey })
  expect(job.body).toMatchObject({
    status: 'COMPLETED',
    result: { createdCount: 1, failureCount: 1, errors: [{ row: 3, email: 'six@example.org' }] },
  })
})

it('a page with large rows ends early and continues with its cursor', async () => {
  const shop = await createProject(app)
  for (let i = 0; i < 50; i++) {
    await app.request('POST', '/v1/track', {
      key: shop.publicKey,
      body: { email: 'large@example.org', event: 'visit', data: { n: { value: text(60), persistent: false }, i } },
    })
  }
  const { id } = (await app.request('GET', '/contacts', { key: shop.secretKey })).body.data[0]
  for (const path of ['/events', '/activity', `/contacts/${id}/timeline`]) {
    const sizes: number[] = []
    let cursor = ''
    do {
      const page = await app.request('GET', `${path}?limit=100${cursor}`, { key: shop.secretKey })
      expect(JSON.stringify(page.body).length).toBeLessThan(3 * 1024 * KB)
      sizes.push(page.body.data.length)
      cursor = page.body.hasMore ? `&cursor=${page.body.cursor}` : ''
    } while (cursor !== '')
    expect(sizes.length).toBeGreaterThan(1)
    expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThanOrEqual(50)
  }
})

it('a numbered page that would be too large is refused, and a smaller one is returned', async () => {
  const shop = await createProject(app)
  const call = (method: string, url: string, body?: unknown) => app.request(method, url, { key: shop.secretKey, body })
  const all = { logic: 'AND', groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@' }] }] }
  const { body: everyone } = await call('POST', '/segments', { name: 'Everyone', condition: all })
  const { body: chosen } = await call('POST', '/segments', { name: 'Chosen', type: 'STATIC' })
  const emails = Array.from({ length: 80 }, (_, i) => `large-${i}@example.org`)
  for (const email of emails) await call('POST', '/contacts', { email })
  await call('POST', `/segments/${chosen.id}/members`, { emails })
  const { body: workflow } = await call('POST', '/workflows', { name: 'W', eventName: 'start' })
  // As if each had the most data it may have, which takes several requests for each.
  await app.pool.query(
    `update contacts set data = jsonb_build_object('x', repeat('x', 250 * 1024)) where project_id = $1`,
    [shop.id],
  )
  await app.pool.query(
    `insert into workflow_executions (project_id, id, workflow_id, contact_id, status, context, only_once, seen_up_to, started_at, created_at, updated_at)
     select project_id, id, $2, id, 'COMPLETED', data, false, id, now(), now(), now() from contacts where project_id = $1`,
    [shop.id, workflow.id],
  )
  for (const url of [
    `/segments/${everyone.id}/contacts`,
    `/segments/${chosen.id}/contacts`,
    `/workflows/${workflow.id}/executions`,
  ]) {
    const refused = await call('GET', `${url}?pageSize=80`)
    expect(refused.status, url).toBe(400)
    expect(refused.body.error.message).toMatch(/too large for one page\. Use a smaller pageSize\./)
    const page = await call('GET', `${url}?pageSize=20&page=2`)
    expect(page.status, url).toBe(200)
    expect(page.body).toMatchObject({ page: 2, pageSize: 20, total: 80 })
    expect(page.body.data).toHaveLength(20)
  }
})

it('POST /v1/send accepts 1,000 recipients, and refuses more without sending to any', async () => {
  const people = (count: number) => Array.from({ length: count }, (_, i) => `many-${i}@example.org`)
  const send = (to: string[]) =>
    app.request('POST', '/v1/send', {
      key: project.secretKey,
      body: { to, from: 'a@example.com', subject: 's', body: 'b' },
    })
  const before = await databaseState(app)
  expect(await send(people(1_001))).toMatchObject({ status: 422, body: { error: { code: 'VALIDATION_ERROR' } } })
  expect(await databaseState(app)).toBe(before)
  expect((await send(people(1_000))).body.data.emails).toHaveLength(1_000)
})

it('lists of fields and of event names contain the 2,000 most used ones, and an export has no other columns', async () => {
  const { secretKey: key, publicKey, id } = await createProject(app)
  const get = async (path: string) => (await app.request('GET', path, { key })).body
  for (const contact of ['a', 'b', 'c']) {
    const many = Object.fromEntries(Array.from({ length: 990 }, (_, i) => [`${contact}${i}`, 1]))
    const body = { email: `${contact}@example.org`, event: 'visit', data: { ...many, plan: 'pro' } }
    expect(await app.request('POST', '/v1/track', { key: publicKey, body })).toMatchObject({ status: 200 })
  }
  await app.pool.query(
    `insert into events (project_id, id, name, data, created_at)
     select $1, gen_random_uuid(), 'event-' || n, '{}', $2 from generate_series(1, 2100) as n`,
    [id, app.clock.now()],
  )

  const { fields } = await get('/contacts/fields')
  expect(fields).toHaveLength(4 + 2000)
  expect(fields).toContainEqual({ field: 'data.plan', type: 'string', isCustom: true, coverage: 1 })
  expect(await get('/contacts/fields/data.c989/usage')).toMatchObject({ contactCount: 1 })
  expect((await get('/workflows/fields?eventName=visit')).fields).toHaveLength(4 + 2000 + 2000)
  const [header, ...lines] = (await get('/contacts/export')).trimEnd().split('\r\n')
  expect(header.split(',')).toHaveLength(4 + 2000)
  expect(lines).toHaveLength(3)

  const { names } = await get('/events/names')
  expect(names).toHaveLength(2000)
  expect(names).toContain('visit')
  const stats = await get('/events/stats')
  expect(stats).toMatchObject({ total: 2103, data: expect.arrayContaining([{ name: 'visit', count: 3, contacts: 3 }]) })
  expect(stats.data).toHaveLength(2000)
  expect((await get('/activity/types')).types.length).toBeLessThan(2020)
})
