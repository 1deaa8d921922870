/**
 * The administration of a project: its settings, what a reset deletes and keeps, and what is left of a deleted project.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removals } from '../../table-owners.ts'
import { createProject, openTestApp, signUp, type TestApp, type TestRequest } from '../harness.ts'

type Project = Awaited<ReturnType<typeof createProject>>

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const pathOf = (project: { id: string }, rest = '') => `/users/@me/projects/${project.id}${rest}`

async function addMember(project: Project, role: string) {
  const person = await signUp(app)
  await app.pool.query('insert into members (project_id, user_id, role, created_at) values ($1, $2, $3, now())', [
    project.id,
    person.id,
    role,
  ])
  return person
}

const acts = async (project: Project) => {
  const { rows } = await app.pool.query('select act from audit_log where project_id = $1 order by id', [project.id])
  return rows.map((row) => row.act)
}

const TEMPLATE = { name: 'T', subject: 's', body: 'b', from: 'a@example.com', type: 'TRANSACTIONAL' }
const CAMPAIGN = { name: 'C', subject: 's', body: 'b', from: 'a@example.com', audienceType: 'ALL' }

/** A row in every table. */
async function fill(project: Project) {
  const key = project.secretKey
  const post = async (path: string, body: object) => {
    const reply = await app.request('POST', path, { key, body })
    expect(reply.status, `${path} ${JSON.stringify(reply.body)}`).toBeLessThan(300)
    return reply.body
  }
  const contact = await post('/contacts', { email: 'a@example.org', data: { plan: 'pro' } })
  const template = await post('/templates', TEMPLATE)
  await post('/v1/send', { to: ['a@example.org', 'b@example.org'], from: 'a@example.com', subject: 's', body: 'b' })
  await post('/events/track', { email: 'a@example.org', event: 'signup' })
  await post('/suppressions', { email: 'c@example.org', reason: 'MANUAL' })
  const segment = await post('/segments', { name: 'S', type: 'STATIC' })
  await post(`/segments/${segment.id}/members`, { emails: ['a@example.org'] })
  const campaign = await post('/campaigns', CAMPAIGN)
  await post(`/campaigns/${campaign.id}/send`, {})
  const workflow = await post('/workflows', { name: 'W', eventName: 'signup' })
  const step = await post(`/workflows/${workflow.id}/steps`, {
    type: 'SEND_EMAIL',
    config: {},
    templateId: template.id,
  })
  const exit = await post(`/workflows/${workflow.id}/steps`, { type: 'EXIT', config: {} })
  await post(`/workflows/${workflow.id}/transitions`, { fromStepId: step.id, toStepId: exit.id })
  await app.request('PATCH', `/workflows/${workflow.id}`, { key, body: { enabled: true } })
  await post('/v1/send', { to: 'd@example.org', template: template.id })
  await app.drain()
  await post('/events/track', { email: 'a@example.org', event: 'signup' })
  await post('/contacts/bulk-subscribe', { contactIds: [contact.id] })
  await app.pool.query(
    `insert into uploads (project_id, id, storage_key, content_type, size, width, height, created_at)
     values ($1, $2, $3, 'image/png', 1, 1, 1, now())`,
    [project.id, randomUUID(), `${project.id}/a.png`],
  )
  await app.drain()
  return { contact, template, campaign, workflow }
}

/** How many rows each table has for a project. */
async function rowsOf(project: { id: string }, tables: readonly string[]): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const table of tables) {
    const column = table === 'projects' ? 'id' : 'project_id'
    const { rows } = await app.pool.query(`select count(*) from ${table} where ${column} = $1`, [project.id])
    if (rows[0].count > 0) found[table] = rows[0].count
  }
  return found
}

async function tablesOfProjects(): Promise<string[]> {
  const { rows } = await app.pool.query(
    `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  )
  return rows.map((row) => row.relname)
}

describe('the settings of a project', () => {
  it('change individually, and the change is in the audit log', async () => {
    const project = await createProject(app, 'Before')
    const patch = (body: object, who: TestRequest = { key: project.secretKey }) =>
      app.request('PATCH', pathOf(project), { ...who, body })
    expect(await patch({ name: ' After ' })).toMatchObject({
      status: 200,
      body: { id: project.id, name: 'After', tracking: 'ENABLED', language: 'en', role: null },
    })
    expect((await patch({ tracking: 'MARKETING_ONLY', language: 'de' })).body).toMatchObject({
      name: 'After',
      tracking: 'MARKETING_ONLY',
      language: 'de',
    })
    expect((await patch({}, { cookie: project.owner.cookie })).body).toMatchObject({ name: 'After', role: 'OWNER' })
    expect((await acts(project)).filter((act) => act === 'project.changed')).toHaveLength(3)
    const log = `/projects/${project.id}/audit-log?act=project.changed`
    expect((await app.request('GET', log, { key: project.secretKey })).body.data).toMatchObject([
      { details: { before: {} } },
      { details: { tracking: 'MARKETING_ONLY', language: 'de', before: { tracking: 'ENABLED', language: 'en' } } },
      { details: { name: 'After', before: { name: 'Before' } } },
    ])
    const list = await app.request('GET', '/users/@me/projects', { cookie: project.owner.cookie })
    expect(list.body[0]).toMatchObject({ name: 'After', tracking: 'MARKETING_ONLY' })
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: null }, 'name'],
    [{ tracking: 'SOMETIMES' }, 'tracking'],
    [{ language: 'not a language' }, 'language'],
  ])("can't be %j", async (body, field) => {
    const project = await createProject(app)
    const reply = await app.request('PATCH', pathOf(project), { key: project.secretKey, body })
    expect(reply).toMatchObject({ status: 422, body: { error: { code: 'VALIDATION_ERROR', errors: [{ field }] } } })
  })

  it('can be changed by owners and admins', async () => {
    const project = await createProject(app)
    const member = await addMember(project, 'MEMBER')
    const admin = await addMember(project, 'ADMIN')
    const body = { name: 'Mine now' }
    for (const [method, rest] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/reset'],
    ] as const) {
      const reply = await app.request(method, pathOf(project, rest), { cookie: member.cookie, body })
      expect(reply).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
    }
    expect((await app.request('PATCH', pathOf(project), { cookie: admin.cookie, body })).status).toBe(200)
  })

  it('are not found by other users and keys', async () => {
    const [project, other] = [await createProject(app), await createProject(app)]
    for (const who of [{ key: other.secretKey }, { cookie: other.owner.cookie }]) {
      for (const [method, path] of [
        ['PATCH', pathOf(project)],
        ['DELETE', pathOf(project)],
        ['POST', pathOf(project, '/reset')],
        ['GET', pathOf(project, '/security')],
        ['GET', `/projects/${project.id}/security`],
        ['GET', `/projects/${project.id}/setup-state`],
      ] as const) {
        const reply = await app.request(method, path, { ...who, ...(method !== 'GET' && { body: {} }) })
        expect(reply, `${method} ${path}`).toMatchObject({
          status: 404,
          body: { error: { code: 'RESOURCE_NOT_FOUND' } },
        })
      }
    }
    expect((await app.request('GET', '/contacts', { key: project.secretKey })).status).toBe(200)
  })
})

describe('the setup of a project', () => {
  it('shows which steps are complete', async () => {
    const { cookie } = await signUp(app)
    const { body: fresh } = await app.request('POST', '/users/@me/projects', { cookie, body: { name: 'Fresh' } })
    const state = async (id: string, key: string) =>
      (await app.request('GET', `/projects/${id}/setup-state`, { key })).body
    expect(await state(fresh.id, fresh.secret)).toEqual({
      hasVerifiedDomain: false,
      contactCount: 0,
      emailsSent: 0,
      hasTemplate: false,
      hasCampaignSent: false,
      hasEnabledWorkflow: false,
    })
    const project = await createProject(app)
    await fill(project)
    const seen = await state(project.id, project.secretKey)
    expect(seen).toMatchObject({
      hasVerifiedDomain: true,
      contactCount: 3,
      hasTemplate: true,
      hasCampaignSent: true,
      hasEnabledWorkflow: true,
    })
    expect(seen.emailsSent).toBeGreaterThanOrEqual(3)
    const member = await addMember(project, 'MEMBER')
    expect((await app.request('GET', `/projects/${project.id}/setup-state`, { cookie: member.cookie })).body).toEqual(
      seen,
    )
  })
})

describe('a project reset', () => {
  it('covers every table that belongs to projects', async () => {
    const listed = Object.entries(removals).filter(([, how]) => how !== 'never')
    const outlive = ['audit_log', 'billing_customers']
    expect([...listed.map(([table]) => table), ...outlive].sort()).toEqual(await tablesOfProjects())
  })

  it('deletes everything except the project, its keys, members and domains', async () => {
    const [project, other] = [await createProject(app, 'Reset me'), await createProject(app)]
    const { contact, template, campaign, workflow } = await fill(project)
    await fill(other)
    const member = await addMember(project, 'MEMBER')
    await app.services.requestLog.flush()
    const othersBefore = await rowsOf(other, await tablesOfProjects())

    const reply = await app.request('POST', pathOf(project, '/reset'), {
      cookie: project.owner.cookie,
      body: { confirm: 'Reset me' },
    })
    expect(reply).toMatchObject({ status: 200, body: { success: true, complete: true } })

    const key = project.secretKey
    for (const path of ['/contacts', '/events', '/emails', '/templates', '/campaigns', '/workflows', '/suppressions']) {
      expect((await app.request('GET', path, { key })).body, path).toMatchObject({ data: [], total: 0 })
    }
    expect((await app.request('GET', '/segments', { key })).body).toEqual([])
    expect(
      (await app.request('GET', '/contacts/fields', { key })).body.fields.filter(
        (f: { isCustom: boolean }) => f.isCustom,
      ),
    ).toEqual([])
    for (const path of [
      `/contacts/${contact.id}`,
      `/templates/${template.id}`,
      `/campaigns/${campaign.id}`,
      `/workflows/${workflow.id}`,
    ]) {
      expect((await app.request('GET', path, { key })).status).toBe(404)
    }
    const gone = Object.entries(removals)
      .filter(([, how]) => how === 'at once' || how === 'in batches' || typeof how === 'object')
      .map(([table]) => table)
      .filter((table) => table !== 'api_requests') // those since the reset
    expect(await rowsOf(project, gone)).toEqual({})
    const { rows } = await app.pool.query(
      'select count(*) from captured_messages m where email_id not in (select id from emails)',
    )
    expect(rows[0].count).toBe(0)

    expect(
      (await app.request('GET', `/projects/${project.id}/members`, { cookie: member.cookie })).body.data,
    ).toHaveLength(2)
    expect((await app.request('GET', `/domains/project/${project.id}`, { key })).body).toMatchObject([
      { domain: 'example.com', verified: true },
    ])
    expect((await app.request('GET', `/projects/${project.id}/setup-state`, { key })).body).toMatchObject({
      contactCount: 0,
      emailsSent: 0,
    })
    expect((await app.request('GET', pathOf(project, '/billing-consumption'), { key })).body.total).toBeGreaterThan(3)
    expect((await app.request('GET', pathOf(project, '/security'), { key })).body.allTime.sent).toBeGreaterThan(3)
    expect(await acts(project)).toContain('project.reset')
    expect(await rowsOf(other, await tablesOfProjects())).toEqual(othersBefore)

    await app.drain()
    await fill(project)
    expect((await app.request('GET', '/contacts', { key })).body.total).toBe(3)
  })

  it('requires the name of the project from a user, and nothing from a key', async () => {
    const project = await createProject(app, 'Shop')
    await app.request('POST', '/contacts', { key: project.secretKey, body: { email: 'a@example.org' } })
    const reset = (options: TestRequest) => app.request('POST', pathOf(project, '/reset'), options)
    for (const body of [{}, { confirm: 'shop' }, { confirm: '' }, { confirm: null }]) {
      const reply = await reset({ cookie: project.owner.cookie, body })
      expect(reply).toMatchObject({ status: 422, body: { error: { errors: [{ field: 'confirm' }] } } })
    }
    expect((await app.request('GET', '/contacts', { key: project.secretKey })).body.total).toBe(1)
    expect((await reset({ key: project.secretKey })).status).toBe(200)
    expect((await app.request('GET', '/contacts', { key: project.secretKey })).body.total).toBe(0)
  })

  it('keeps what is created after it while a job deletes the rest', async () => {
    const project = await createProject(app)
    const key = project.secretKey
    await app.request('POST', '/contacts', { key, body: { email: 'old@example.org' } })
    await app.request('POST', pathOf(project, '/reset'), { key })
    app.clock.forward(10)
    await app.request('POST', '/contacts', { key, body: { email: 'new@example.org' } })
    app.clock.forward(120_000)
    await app.drain()
    expect((await app.request('GET', '/contacts', { key })).body.data).toMatchObject([{ email: 'new@example.org' }])
  })
})

describe('a deleted project', () => {
  it('is closed immediately, and nothing of it is left when the job is done', async () => {
    const [project, other] = [await createProject(app, 'Old'), await createProject(app)]
    await fill(project)
    const waiting = { to: 'late@example.org', from: 'a@example.com', subject: 'Late', body: 'b' }
    const { body: sent } = await app.request('POST', '/v1/send', { key: project.secretKey, body: waiting })
    const captured = (await app.captured()).length

    const reply = await app.request('DELETE', pathOf(project), { cookie: project.owner.cookie })
    expect(reply).toMatchObject({ status: 204, body: '' })
    expect((await app.request('GET', '/contacts', { key: project.secretKey })).status).toBe(401)
    const track = { key: project.publicKey, body: { email: 'a@example.org', event: 'x' } }
    expect((await app.request('POST', '/v1/track', track)).status).toBe(401)
    const { cookie } = project.owner
    expect((await app.request('GET', '/users/@me/projects', { cookie })).body).toEqual([])
    expect((await app.request('GET', `/projects/${project.id}/setup-state`, { cookie })).status).toBe(404)
    expect((await app.request('DELETE', pathOf(project), { cookie })).status).toBe(404)
    expect((await app.request('GET', '/contacts', { cookie, projectId: project.id })).status).toBe(403)

    await app.drain()
    app.clock.forward(120_000)
    await app.drain()
    const tables = ['projects', ...(await tablesOfProjects())].filter((table) => table !== 'audit_log')
    expect(await rowsOf(project, tables)).toEqual({})
    expect(await acts(project)).toContain('project.deleted')
    const { rows } = await app.pool.query('select from captured_messages where email_id = $1', [
      sent.data.emails[0].email,
    ])
    expect(rows).toEqual([])
    expect((await app.captured()).length).toBeLessThan(captured)
    expect((await app.request('GET', '/contacts', { key: other.secretKey })).status).toBe(200)
  })
})
