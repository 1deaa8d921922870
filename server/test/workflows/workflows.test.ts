/** Workflows: creating, changing, listing and deleting them, and access by project. Their steps are in graph.test.ts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject } from '../harness.ts'
import { countRows, type Fixture, GONE, openFixture, type Project, TEMPLATE } from './workflow-fixture.ts'

let fixture: Fixture
let other: Project

beforeAll(async () => {
  fixture = await openFixture()
  other = await createProject(fixture.app)
})
afterAll(() => fixture.app.close())

const ask: Fixture['ask'] = (...call) => fixture.ask(...call)
const create: Fixture['create'] = (fields) => fixture.create(fields)
const addStep: Fixture['addStep'] = (...call) => fixture.addStep(...call)
const link: Fixture['link'] = (...call) => fixture.link(...call)

const DELAY = { amount: 1, unit: 'days' }

describe('a workflow', () => {
  it('is created as EVENT and disabled, whatever the request contains', async () => {
    const { status, body } = await ask('POST', '/workflows', {
      name: ' Welcome ',
      description: 'First mails',
      eventName: 'signup',
      triggerType: 'MANUAL',
      enabled: true,
      id: GONE,
      projectId: other.id,
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Welcome',
      description: 'First mails',
      triggerType: 'EVENT',
      triggerConfig: { eventName: 'signup' },
      enabled: false,
      allowReentry: false,
      reentry: { mode: 'once', days: null },
      goal: null,
      tags: [],
      projectId: fixture.project.id,
      createdAt: fixture.app.clock.now().toISOString(),
      updatedAt: fixture.app.clock.now().toISOString(),
    })
    expect((await ask('GET', `/workflows/${body.id}`)).body).toEqual({
      ...body,
      revision: 1,
      steps: [],
      transitions: [],
    })
  })

  it.each([
    [{}, null],
    [{ eventName: 'a' }, { eventName: 'a' }],
    [{ triggerConfig: { eventName: 'b' } }, { eventName: 'b' }],
    [{ eventName: 'a', triggerConfig: { eventName: 'b' } }, { eventName: 'a' }],
    [{ eventName: 'email.open' }, { eventName: 'email.open' }],
    [{ triggerConfig: null }, null],
    [{ triggerConfig: {} }, null],
  ])('created with %j has the trigger %j', async (fields, triggerConfig) => {
    const { status, body } = await ask('POST', '/workflows', { name: 'W', ...fields })
    expect({ status, triggerConfig: body.triggerConfig }).toEqual({ status: 201, triggerConfig })
  })

  it.each([
    [{ name: undefined }, 'name', 'invalid_type'],
    [{ name: ' ' }, 'name', 'too_small'],
    [{ name: 'n'.repeat(201) }, 'name', 'too_big'],
    [{ name: 'a\0' }, 'name', 'custom'],
    [{ eventName: '' }, 'eventName', 'too_small'],
    [{ eventName: 'e'.repeat(256) }, 'eventName', 'too_big'],
    [{ triggerConfig: [] }, 'triggerConfig', 'invalid_type'],
    [{ allowReentry: 'yes' }, 'allowReentry', 'invalid_type'],
  ])('cannot be created with %j', async (fields, field, code) => {
    const reply = await ask('POST', '/workflows', { name: 'W', ...fields })
    expect(reply).toMatchObject({ status: 422, body: { error: { errors: [{ field, code }] } } })
  })

  it('changes only in the fields that are sent', async () => {
    const path = await create({ eventName: 'a' })
    fixture.app.clock.forward(1000)
    const changes = { name: 'N', description: 'D', eventName: 'b', triggerType: 'MANUAL', allowReentry: true }
    const { status, body } = await ask('PATCH', path, changes)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'N',
      triggerType: 'MANUAL',
      triggerConfig: { eventName: 'b' },
      allowReentry: true,
    })
    expect(body.updatedAt).toBe(fixture.app.clock.now().toISOString())
    const cleared = (await ask('PATCH', path, { description: null, triggerConfig: null })).body
    expect(cleared).toMatchObject({ name: 'N', description: null, triggerConfig: null, triggerType: 'MANUAL' })
    expect((await ask('PATCH', path, {})).status).toBe(200)
    const timer = await ask('PATCH', path, { triggerType: 'TIMER' })
    expect(timer.body.error.errors).toMatchObject([{ field: 'triggerType', code: 'invalid_enum_value' }])
  })

  it('can be enabled only with an event and exactly one first step', async () => {
    const path = await create()
    const enable = () => ask('PATCH', path, { enabled: true })
    expect(await enable()).toMatchObject({ status: 422, body: { error: { errors: [{ field: 'eventName' }] } } })
    await ask('PATCH', path, { eventName: 'a' })
    expect(await enable()).toMatchObject({ status: 422, body: { error: { errors: [{ field: 'enabled' }] } } })
    const [one, two] = [await addStep(path, 'DELAY', DELAY), await addStep(path)]
    expect((await enable()).body.error.errors[0].message).toContain('2 steps have no step before them')
    expect((await ask('GET', path)).body.enabled).toBe(false)
    await link(path, one, two)
    expect(await enable()).toMatchObject({ status: 200, body: { enabled: true } })
    expect((await ask('PATCH', path, { triggerConfig: null })).status).toBe(422)
    expect((await ask('PATCH', path, { enabled: false, triggerConfig: null })).body.enabled).toBe(false)
  })

  it('needs no event if it is MANUAL', async () => {
    const path = await create()
    await addStep(path)
    expect((await ask('PATCH', path, { triggerType: 'MANUAL', enabled: true })).status).toBe(200)
  })

  it('is deleted with its graph', async () => {
    const path = await create()
    await link(path, await addStep(path, 'DELAY', DELAY), await addStep(path))
    expect(await ask('DELETE', path)).toMatchObject({ status: 204, body: '' })
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', {}]] as const) {
      expect(await ask(method, path, body)).toMatchObject({
        status: 404,
        body: { error: { code: 'WORKFLOW_NOT_FOUND' } },
      })
    }
    expect(await countRows(fixture.app, 'workflow_steps', `workflow_id = '${path.split('/')[2]}'`)).toBe(0)
  })
})

describe('the list of workflows', () => {
  it('has pages, newest first, and can be searched by name, description and event', async () => {
    const project = await createProject(fixture.app)
    const key = project.secretKey
    for (const [name, eventName] of [
      ['One', 'a'],
      ['Two 100%', 'b'],
      ['Three', 'c_d'],
    ]) {
      await ask('POST', '/workflows', { name, eventName }, key)
    }
    const list = async (query: string) => (await ask('GET', `/workflows${query}`, undefined, key)).body
    const names = async (query: string) => (await list(query)).data.map((w: { name: string }) => w.name)
    expect(await list('?pageSize=2')).toMatchObject({ page: 1, pageSize: 2, total: 3, totalPages: 2 })
    expect(await names('?pageSize=2&page=2')).toEqual(['One'])
    expect(await names('')).toEqual(['Three', 'Two 100%', 'One'])
    expect(await names('?search=two')).toEqual(['Two 100%'])
    expect(await names('?search=%25')).toEqual(['Two 100%'])
    expect(await names('?search=C_')).toEqual(['Three'])
    expect(await names('?page=9')).toEqual([])
    expect((await list('?page=x&pageSize=0')).pageSize).toBe(20)
    expect((await list('?pageSize=99999')).pageSize).toBe(1000)
  })
})

describe('the fields for conditions', () => {
  it('are those of contacts and those of recent events', async () => {
    const project = await createProject(fixture.app)
    await fixture.track(
      'a@example.org',
      'bought',
      { total: 5, item: { sku: 'x' }, at: '2026-01-02' },
      project.publicKey,
    )
    await fixture.track('a@example.org', 'left', { why: 'price' }, project.publicKey)
    const fields = async (query = '') =>
      (await ask('GET', `/workflows/fields${query}`, undefined, project.secretKey)).body.fields
    const all = await fields()
    expect(all).toContainEqual({ field: 'email', type: 'string', category: 'contact' })
    expect(all).toContainEqual({ field: 'data.item.sku', type: 'string', category: 'contact' })
    expect(all).toContainEqual({ field: 'event.data.total', type: 'number', category: 'event' })
    expect(all).toContainEqual({ field: 'event.data.at', type: 'date', category: 'event' })
    const ofOne = (await fields('?eventName=left')).filter((f: { category: string }) => f.category === 'event')
    expect(ofOne).toEqual([{ field: 'event.data.why', type: 'string', category: 'event' }])
  })
})

describe("access to another project's", () => {
  it('workflow, step, transition, template or segment returns 404, as for an unknown id', async () => {
    const theirs = async (path: string, body: object) => (await ask('POST', path, body, other.secretKey)).body.id
    const workflow = `/workflows/${await theirs('/workflows', { name: 'Theirs', eventName: 'x' })}`
    const step = await theirs(`${workflow}/steps`, { type: 'DELAY', config: DELAY })
    const exit = await theirs(`${workflow}/steps`, { type: 'EXIT' })
    const transition = await theirs(`${workflow}/transitions`, { fromStepId: step, toStepId: exit })
    const own = await create()
    const ownStep = await addStep(own)
    const segmentId = await theirs('/segments', { name: 'S', type: 'STATIC' })

    const calls: Array<[string, string, unknown?]> = [
      ['GET', workflow],
      ['PATCH', workflow, { name: 'x' }],
      ['DELETE', workflow],
      ['POST', `${workflow}/duplicate`],
      ['GET', `${workflow}/export`],
      ['POST', `${workflow}/steps`, { type: 'EXIT' }],
      ['PATCH', `${workflow}/steps/${step}`, {}],
      ['PATCH', `${own}/steps/${step}`, {}],
      ['DELETE', `${own}/steps/${step}`],
      ['POST', `${own}/transitions`, { fromStepId: ownStep, toStepId: step }],
      ['POST', `${own}/transitions`, { fromStepId: GONE, toStepId: ownStep }],
      ['DELETE', `${own}/transitions/${transition}`],
      ['GET', `${workflow}/executions`],
      ['POST', `${workflow}/executions/cancel-all`],
      ['POST', `${own}/steps`, { type: 'SEND_EMAIL', templateId: await theirs('/templates', TEMPLATE) }],
      ['POST', `${own}/steps`, { type: 'SEND_EMAIL', templateId: GONE }],
      [
        'POST',
        `${own}/steps`,
        { type: 'CONDITION', config: { field: `segment.${segmentId}`, operator: 'memberOfSegment' } },
      ],
    ]
    for (const [method, path, body] of calls)
      expect(await ask(method, path, body), `${method} ${path}`).toMatchObject({ status: 404 })
    expect((await ask('GET', workflow, undefined, other.secretKey)).body).toMatchObject({
      name: 'Theirs',
      steps: [{ id: step }, { id: exit }],
      transitions: [{ id: transition }],
    })
  })

  it.each(['x', '123', 'fields/x'])('workflow by the impossible id "%s" returns 404', async (id) => {
    expect((await ask('GET', `/workflows/${id}`)).status).toBe(404)
  })
})
