/** Templates: creating, changing, copying and deleting them, and who is allowed to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getTemplateForSending } from '../../features/content/templates/actions.ts'
import { Refusal } from '../../kernel/errors.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

type Project = Awaited<ReturnType<typeof createProject>>

const GONE = '01890000-0000-7000-8000-000000000000'

let app: TestApp
let project: Project
let other: Project

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  other = await createProject(app)
  const { body } = await app.request('POST', '/domains', { key: other.secretKey, body: { domain: 'only-others.com' } })
  await app.request('GET', `/domains/${body.id}/verify`, { key: other.secretKey })
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown, key = project.secretKey) =>
  app.request(method, path, { key, body })

const NO_SOURCE = { document: null, mjml: null, text: null, preheader: null }
const WHOLE = { name: 'Welcome', subject: 'Hello {{name}}', body: '<p>Hi</p>', from: 'hello@example.com' }

const create = (fields: object = {}) => call('POST', '/templates', { ...WHOLE, ...fields })
const countAll = async () => (await app.pool.query('select count(*) from templates')).rows[0].count as number

describe('a template', () => {
  it('is created with the defaults of the contract, without an envelope', async () => {
    const { status, body } = await create({ from: ' Hello@Example.COM ', name: '  Welcome ' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      ...WHOLE,
      ...NO_SOURCE,
      editor: 'html',
      version: 1,
      description: null,
      fromName: null,
      replyTo: null,
      type: 'MARKETING',
      topicId: null,
      tags: [],
      lastUsedAt: null,
      projectId: project.id,
      createdAt: app.clock.now().toISOString(),
      updatedAt: app.clock.now().toISOString(),
    })
    expect((await call('GET', `/templates/${body.id}`)).body).toEqual(body)
  })

  it('keeps every field unchanged, whatever it contains', async () => {
    const fields = {
      name: `Robert'); drop table templates;-- %_\\ "`,
      description: 'Zeile 1\nZeile 2 😀',
      subject: "{{ first name ?? 'you' }}, <b>50%</b> off\t!",
      body: '<p>{% if vip %}\r\n{{ data["a b"] | upcase }}{% endif %}</p>',
      fromName: 'Zoë "Z" <z>',
      replyTo: 'Help@example.ORG',
      type: 'HEADLESS',
    }
    const { status, body } = await create(fields)
    expect(status).toBe(201)
    expect(body).toMatchObject({ ...fields, replyTo: 'help@example.org' })
  })

  it('accepts null for optional fields, and ignores unknown fields', async () => {
    const { status, body } = await create({
      description: null,
      fromName: null,
      replyTo: null,
      id: GONE,
      projectId: GONE,
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ description: null, fromName: null, replyTo: null, projectId: project.id })
    expect(body.id).not.toBe(GONE)
  })

  it("has lone surrogates replaced, which PostgreSQL can't store", async () => {
    const text = JSON.stringify({ ...WHOLE, name: 'half' }).replace('half', 'a\\ud800b')
    const { status, body } = await app.request('POST', '/templates', { key: project.secretKey, text })
    expect({ status, name: body.name }).toEqual({ status: 201, name: 'a\ufffdb' })
  })

  it.each<[string, object]>([
    ['no from', { from: undefined }],
    ['null for from', { from: null }],
    ['an empty from', { from: '' }],
    ['no from and nothing else', { name: undefined, subject: undefined, body: undefined, from: undefined }],
    ['no from and wrong fields', { name: 5, subject: '{{', type: 'x', from: undefined }],
  ])('is refused with a bare error if it has %s', async (_case, fields) => {
    const before = await countAll()
    const { status, body } = await create(fields)
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.stringContaining('from') } })
    expect(await countAll()).toBe(before)
  })

  it.each(['a@unknown.com', 'a@only-others.com', 'a@sub.example.com'])("can't be sent from %s", async (from) => {
    const { body } = await create()
    const before = await countAll()
    for (const reply of [await create({ from }), await call('PATCH', `/templates/${body.id}`, { from })]) {
      expect(reply).toMatchObject({
        status: 403,
        body: { success: false, error: { code: 'INTERNAL_SERVER_ERROR', statusCode: 403 } },
      })
    }
    expect(await countAll()).toBe(before)
    expect((await call('GET', `/templates/${body.id}`)).body).toEqual(body)
  })

  it.each<[field: string, value: unknown, code: string]>([
    ['name', null, 'invalid_type'],
    ['name', 5, 'invalid_type'],
    ['name', '', 'too_small'],
    ['name', '  ', 'too_small'],
    ['name', 'n'.repeat(201), 'too_big'],
    ['name', 'a\0b', 'custom'],
    ['description', ['x'], 'invalid_type'],
    ['description', 'd'.repeat(1001), 'too_big'],
    ['subject', {}, 'invalid_type'],
    ['subject', '', 'too_small'],
    ['subject', 's'.repeat(999), 'too_big'],
    ['subject', 'a\nBcc: x@example.org', 'invalid_string'],
    ['subject', 'a\r', 'invalid_string'],
    ['subject', '{% if %}', 'custom'],
    ['body', true, 'invalid_type'],
    ['body', '', 'too_small'],
    ['body', 'b'.repeat(1_000_001), 'too_big'],
    ['body', '{% include "/etc/passwd" %}', 'custom'],
    ['body', '{{ x | no_such_filter }}', 'custom'],
    ['from', 7, 'invalid_type'],
    ['from', { email: 'a@example.com' }, 'invalid_type'],
    ['from', 'nobody', 'invalid_string'],
    ['from', 'a@example.com\r\nBcc: x@example.org', 'invalid_string'],
    ['fromName', 'a\nb', 'invalid_string'],
    ['fromName', 'n'.repeat(256), 'too_big'],
    ['replyTo', 'nobody', 'invalid_string'],
    ['replyTo', '', 'invalid_string'],
    ['type', 'marketing', 'invalid_enum_value'],
    ['type', null, 'invalid_type'],
    ['type', 5, 'invalid_type'],
    ['type', 'CAMPAIGN', 'invalid_enum_value'],
  ])("can't have %s %j, when it is created or changed", async (field, value, code) => {
    const { body: kept } = await create()
    const before = await countAll()
    const made = await create({ [field]: value })
    const changed = await call('PATCH', `/templates/${kept.id}`, { [field]: value })
    for (const reply of [made, changed]) {
      expect(reply).toMatchObject({
        status: 422,
        body: { error: { code: 'VALIDATION_ERROR', errors: [{ field, code }] } },
      })
    }
    expect(await countAll()).toBe(before)
    expect((await call('GET', `/templates/${kept.id}`)).body).toEqual(kept)
  })

  it.each(['name', 'subject', 'body'])('requires a %s', async (field) => {
    const reply = await create({ [field]: undefined })
    expect(reply).toMatchObject({ status: 422, body: { error: { errors: [{ field, code: 'invalid_type' }] } } })
  })

  it.each([[[]], ['text'], [5], [null]])("can't be %j", async (value) => {
    const { body } = await create()
    expect((await call('POST', '/templates', value)).status).toBe(422)
    expect((await call('PATCH', `/templates/${body.id}`, value)).status).toBe(422)
  })

  it('reports where its Liquid is invalid, in every field at once', async () => {
    const { status, body } = await create({ subject: 'a {{ b', body: '<p>\n  {% if x %}' })
    expect(status).toBe(422)
    expect(body.error.errors).toEqual([
      { field: 'subject', message: expect.stringContaining('(line 1, column 3)'), code: 'custom' },
      { field: 'body', message: expect.stringContaining('(line 2, column 3)'), code: 'custom' },
    ])
  })

  it('changes only the fields that are sent, and null clears optional ones', async () => {
    const { body: before } = await create({ description: 'd', fromName: 'f', replyTo: 'r@example.org' })
    app.clock.forward(1000)
    const { status, body } = await call('PATCH', `/templates/${before.id}`, {
      subject: 'New',
      description: null,
      fromName: null,
      replyTo: null,
      type: 'TRANSACTIONAL',
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      version: 2,
      subject: 'New',
      description: null,
      fromName: null,
      replyTo: null,
      type: 'TRANSACTIONAL',
      updatedAt: app.clock.now().toISOString(),
    })
    const untouched = await call('PATCH', `/templates/${before.id}`, { unknown: 1 })
    expect(untouched).toMatchObject({ status: 200, body: { ...body, updatedAt: untouched.body.updatedAt } })
  })

  it('keeps concurrent changes of different fields', async () => {
    const { body } = await create()
    const changes = [{ name: 'A' }, { subject: 'B' }, { body: 'C' }, { description: 'D' }]
    await Promise.all(changes.map((change) => call('PATCH', `/templates/${body.id}`, change)))
    expect((await call('GET', `/templates/${body.id}`)).body).toMatchObject(Object.assign({}, ...changes))
  })

  it('is deleted once, even by concurrent requests', async () => {
    const { body } = await create()
    const replies = await Promise.all([1, 2].map(() => call('DELETE', `/templates/${body.id}`)))
    expect(replies.map((reply) => reply.status).sort()).toEqual([204, 404])
    expect(replies.find((reply) => reply.status === 204)!.body).toBe('')
    expect((await call('GET', `/templates/${body.id}`)).status).toBe(404)
  })

  it('is copied completely under a new name, and is not changed', async () => {
    const { body } = await create({ name: 'n'.repeat(200), description: 'd', fromName: 'f', replyTo: 'r@example.org' })
    app.clock.forward(1000)
    const copy = await call('POST', `/templates/${body.id}/duplicate`)
    const now = app.clock.now().toISOString()
    expect(copy).toMatchObject({
      status: 201,
      body: {
        ...body,
        id: expect.not.stringMatching(body.id),
        name: `${'n'.repeat(193)} (Copy)`,
        createdAt: now,
        updatedAt: now,
      },
    })
    expect((await call('GET', `/templates/${body.id}`)).body).toEqual(body)
    const { body: short } = await create({ name: 'Short' })
    expect((await call('POST', `/templates/${short.id}/duplicate`)).body.name).toBe('Short (Copy)')
  })

  it('is not used at first', async () => {
    const { body } = await create()
    expect((await call('GET', `/templates/${body.id}/usage`)).body).toEqual({ campaigns: [], workflowSteps: [] })
  })

  it.each(['GET', 'PATCH', 'DELETE', 'POST /duplicate', 'GET /usage'])(
    'is not found by %s if it is unknown, invalid or of another project',
    async (route) => {
      const [method, rest = ''] = route.split(' ')
      const { body: theirs } = await call('POST', '/templates', WHOLE, other.secretKey)
      for (const id of [theirs.id, GONE, "x'--"]) {
        const reply = await call(
          method!,
          `/templates/${encodeURIComponent(id)}${rest}`,
          method === 'PATCH' ? {} : undefined,
        )
        expect(reply).toMatchObject({
          status: 404,
          body: { error: { code: 'TEMPLATE_NOT_FOUND', details: { resource: 'template', id } } },
        })
      }
      expect((await call('GET', `/templates/${theirs.id}`, undefined, other.secretKey)).body).toEqual(theirs)
    },
  )

  it('is found for sending by its own project only', async () => {
    const { body } = await create({ fromName: 'f', replyTo: 'r@example.org', type: 'TRANSACTIONAL' })
    const { id, subject, body: html, from, fromName, replyTo, type } = body
    const found = await getTemplateForSending(app.ctx, project.id, id)
    expect(found).toEqual({
      text: null,
      preheader: null,
      topic: null,
      id,
      subject,
      body: html,
      from,
      fromName,
      replyTo,
      type,
    })
    for (const [projectId, wanted] of [
      [other.id, id],
      [project.id, GONE],
      [project.id, 'nonsense'],
    ]) {
      await expect(getTemplateForSending(app.ctx, projectId!, wanted!)).rejects.toThrow(Refusal)
    }
  })
})

describe('access to templates', () => {
  it.each([
    ['GET', '/templates'],
    ['POST', '/templates'],
    ['POST', '/templates/preview'],
    ['GET', `/templates/${GONE}`],
    ['DELETE', `/templates/${GONE}`],
  ])('by %s %s requires the secret key', async (method, path) => {
    expect((await app.request(method, path)).body.error.code).toBe('MISSING_AUTH')
    expect((await call(method, path, undefined, project.publicKey)).body.error.code).toBe('INVALID_API_KEY')
  })

  it('in a disabled project allows reading and previews, but no changes', async () => {
    const disabled = await createProject(app)
    const { body } = await call('POST', '/templates', WHOLE, disabled.secretKey)
    await app.pool.query('update projects set disabled_at = now() where id = $1', [disabled.id])
    const as = (method: string, path: string, sent?: unknown) => call(method, path, sent, disabled.secretKey)
    for (const [method, path, sent] of [
      ['POST', '/templates', WHOLE],
      ['PATCH', `/templates/${body.id}`, {}],
      ['DELETE', `/templates/${body.id}`, undefined],
      ['POST', `/templates/${body.id}/duplicate`, undefined],
    ] as const) {
      expect(await as(method, path, sent)).toMatchObject({ status: 403, body: { error: { code: 'PROJECT_DISABLED' } } })
    }
    expect((await as('GET', '/templates')).body.total).toBe(1)
    expect((await as('POST', '/templates/preview', { subject: '', body: '' })).status).toBe(200)
  })
})
