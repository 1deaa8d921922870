/** Versions of templates and campaigns: every change to the content is kept, and can be named and restored. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

type Project = Awaited<ReturnType<typeof createProject>>

let app: TestApp
let project: Project
let other: Project

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  other = await createProject(app)
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown, key = project.secretKey) =>
  app.request(method, path, { key, body })

const MJML = '<mjml><mj-body><mj-section><mj-column><mj-text>Hi</mj-text></mj-column></mj-section></mj-body></mjml>'
const TEMPLATE = { name: 'Welcome', subject: 'Hello', body: '<p>one</p>', from: 'hello@example.com' }
const CAMPAIGN = { ...TEMPLATE, audienceType: 'ALL' }

const createTemplate = async () => (await call('POST', '/templates', TEMPLATE)).body
const numbers = async (path: string) =>
  (await call('GET', `${path}/versions`)).body.data.map(({ number }: { number: number }) => number)

describe('the versions of a template', () => {
  it('are added by changes to the content, and only by those', async () => {
    const { id, version } = await createTemplate()
    expect(version).toBe(1)
    const path = `/templates/${id}`
    await call('PATCH', path, { name: 'Renamed', fromName: 'Ada' })
    await call('PATCH', path, { subject: 'Hello', body: '<p>one</p>', preheader: null })
    expect(await numbers(path)).toEqual([1])
    await call('PATCH', path, { preheader: 'Soon' })
    const { body } = await call('PATCH', path, { mjml: MJML })
    expect(body.version).toBe(3)
    expect(await numbers(path)).toEqual([3, 2, 1])
    const { body: list } = await call('GET', `${path}/versions`)
    expect(list.data[0]).toEqual({
      number: 3,
      name: null,
      editor: 'mjml',
      subject: 'Hello',
      actor: { type: 'KEY', userId: null, email: null },
      createdAt: body.updatedAt,
    })
    const { body: first } = await call('GET', `${path}/versions/1`)
    expect(first).toMatchObject({ body: '<p>one</p>', preheader: null, document: null, mjml: null, editor: 'html' })
  })

  it('include the content from before versions were recorded', async () => {
    const { id } = await createTemplate()
    await app.pool.query('delete from content_versions where template_id = $1', [id])
    await call('PATCH', `/templates/${id}`, { subject: 'Changed' })
    expect(await numbers(`/templates/${id}`)).toEqual([2, 1])
    const { body } = await call('GET', `/templates/${id}/versions/1`)
    expect(body).toMatchObject({ subject: 'Hello', actor: { type: 'SYSTEM' } })
  })

  it('can be named and restored, which adds a version', async () => {
    const { id } = await createTemplate()
    const path = `/templates/${id}`
    await call('PATCH', path, { subject: 'Two', mjml: MJML })
    const named = await call('PATCH', `${path}/versions/1`, { name: ' Approved ' })
    expect(named.body).toMatchObject({ number: 1, name: 'Approved', subject: 'Hello' })
    const restored = await call('POST', `${path}/versions/1/restore`)
    expect(restored.status).toBe(200)
    expect(restored.body).toMatchObject({
      subject: 'Hello',
      body: '<p>one</p>',
      editor: 'html',
      mjml: null,
      version: 3,
    })
    expect(await numbers(path)).toEqual([3, 2, 1])
  })

  it('are limited to 200; the oldest without a name are deleted first, then the oldest with one', async () => {
    const { id } = await createTemplate()
    await call('PATCH', `/templates/${id}/versions/1`, { name: 'First' })
    for (let i = 2; i <= 203; i++) await call('PATCH', `/templates/${id}`, { subject: `Subject ${i}` })
    const kept = await numbers(`/templates/${id}`)
    expect(kept).toHaveLength(200)
    expect([kept[0], kept.at(-2), kept.at(-1)]).toEqual([203, 5, 1])
    await app.pool.query(`update content_versions set name = 'Named' where template_id = $1`, [id])
    await call('PATCH', `/templates/${id}`, { subject: 'Subject 204' })
    const named = await numbers(`/templates/${id}`)
    expect(named).toHaveLength(200)
    expect([named[0], named.at(-1)]).toEqual([204, 5])
  })

  it('are found by their own project only, and deleted with the template', async () => {
    const { id } = await createTemplate()
    for (const [method, path] of [
      ['GET', `/templates/${id}/versions`],
      ['GET', `/templates/${id}/versions/1`],
      ['POST', `/templates/${id}/versions/1/restore`],
    ] as const) {
      expect((await call(method, path, undefined, other.secretKey)).status).toBe(404)
    }
    for (const number of ['2', '0', 'x', '99999999999']) {
      expect((await call('GET', `/templates/${id}/versions/${number}`)).status).toBe(404)
    }
    await call('DELETE', `/templates/${id}`)
    const { rows } = await app.pool.query('select from content_versions where template_id = $1', [id])
    expect(rows).toHaveLength(0)
  })

  it('are complete when changes arrive at the same time', async () => {
    const { id } = await createTemplate()
    await Promise.all(
      Array.from({ length: 8 }, (_, i) => call('PATCH', `/templates/${id}`, { subject: `Subject ${i}` })),
    )
    expect(await numbers(`/templates/${id}`)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
  })
})

describe('the versions of a campaign', () => {
  it('are added by changes to the content, and can be restored until it is sent', async () => {
    const { body: campaign } = await call('POST', '/campaigns', CAMPAIGN)
    const path = `/campaigns/${campaign.id}`
    await call('PUT', path, { ...CAMPAIGN, name: 'Renamed' })
    const { body: changed } = await call('PUT', path, { ...CAMPAIGN, preheader: 'Soon', body: '<p>two</p>' })
    expect(changed.version).toBe(2)
    expect(await numbers(path)).toEqual([2, 1])
    expect((await call('PATCH', `${path}/versions/2`, { name: 'Final' })).body.name).toBe('Final')
    const { body: restored } = await call('POST', `${path}/versions/1/restore`)
    expect(restored).toMatchObject({ body: '<p>one</p>', preheader: null, version: 3, audienceType: 'ALL' })
    await app.pool.query(`update campaigns set status = 'SENT' where id = $1`, [campaign.id])
    expect((await call('POST', `${path}/versions/1/restore`)).status).toBe(409)
    expect((await call('GET', path)).body.version).toBe(3)
    expect((await call('GET', `${path}/versions/1`, undefined, other.secretKey)).status).toBe(404)
  })

  it('are restored without undoing another change that is being saved', async () => {
    const { body: campaign } = await call('POST', '/campaigns', CAMPAIGN)
    const path = `/campaigns/${campaign.id}`
    await call('PUT', path, { ...CAMPAIGN, body: '<p>two</p>' })
    const client = await app.pool.connect()
    try {
      await client.query('begin')
      await client.query(`update campaigns set name = 'Renamed' where id = $1`, [campaign.id])
      const restoring = call('POST', `${path}/versions/1/restore`)
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => (await app.pool.query(waiting)).rowCount).toBe(1)
      await client.query('commit')
      expect((await restoring).body).toMatchObject({ name: 'Renamed', body: '<p>one</p>', version: 3 })
    } finally {
      client.release()
    }
  })

  it('start at 1 in a copy', async () => {
    const { body: campaign } = await call('POST', '/campaigns', CAMPAIGN)
    await call('PUT', `/campaigns/${campaign.id}`, { ...CAMPAIGN, subject: 'Two' })
    const { body: copy } = await call('POST', `/campaigns/${campaign.id}/duplicate`)
    expect(copy.version).toBe(1)
    expect(await numbers(`/campaigns/${copy.id}`)).toEqual([1])
  })
})

describe('PUT /templates/by-name/{name}', () => {
  const { name: _, ...fields } = TEMPLATE
  const put = (name: string, body: object) => call('PUT', `/templates/by-name/${encodeURIComponent(name)}`, body)

  it('creates a template, then replaces it; repeating it adds no version', async () => {
    const created = await put('Receipt / März', { ...fields, mjml: MJML, body: undefined, preheader: 'Soon' })
    expect(created.status).toBe(200)
    expect(created.body).toMatchObject({ name: 'Receipt / März', editor: 'mjml', version: 1 })
    const { id } = created.body
    const changed = await put('Receipt / März', fields)
    expect(changed.body).toMatchObject({ id, editor: 'html', preheader: null, version: 2 })
    expect((await put('Receipt / März', fields)).body).toMatchObject({ id, version: 2 })
  })

  it('returns 409 if several templates have the name, and 422 if the name is too long', async () => {
    for (let i = 0; i < 2; i++) await call('POST', '/templates', { ...TEMPLATE, name: 'Twice' })
    expect((await put('Twice', fields)).status).toBe(409)
    const long = await put('x'.repeat(201), fields)
    expect([long.status, long.body.error.errors[0].field]).toEqual([422, 'name'])
  })
})
