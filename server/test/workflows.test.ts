/** Workflows and their graphs: writing, changing, connecting and removing them, and who may. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject } from './harness.ts'
import { countRows, GONE, openStage, type Project, type Stage } from './workflow-stage.ts'

let stage: Stage
let other: Project
let template: string

const TEMPLATE = { name: 'T', subject: 'S', body: '<p>B</p>', from: 'hello@example.com' }

beforeAll(async () => {
  stage = await openStage()
  other = await createProject(stage.app)
  template = (await ask('POST', '/templates', TEMPLATE)).body.id
})
afterAll(() => stage.app.close())

const ask = (method: string, path: string, body?: unknown, key?: string) => stage.ask(method, path, body, key)
const create = async (fields: object = {}): Promise<string> =>
  `/workflows/${(await ask('POST', '/workflows', { name: 'W', ...fields })).body.id}`
const addStep = async (path: string, type = 'EXIT', config: object = {}): Promise<string> =>
  (await ask('POST', `${path}/steps`, { type, config })).body.id
const link = (path: string, fromStepId: string, toStepId: string, branch?: string | null) =>
  ask('POST', `${path}/transitions`, { fromStepId, toStepId, branch })

const DELAY = { amount: 1, unit: 'days' }
const FLAT = { field: 'data.plan', operator: 'equals', value: 'pro' }

describe('a workflow', () => {
  it('starts as EVENT and disabled, whatever was sent', async () => {
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
      projectId: stage.project.id,
      createdAt: stage.app.clock.now().toISOString(),
      updatedAt: stage.app.clock.now().toISOString(),
    })
    expect((await ask('GET', `/workflows/${body.id}`)).body).toEqual({ ...body, steps: [], transitions: [] })
  })

  it.each([
    [{}, null],
    [{ eventName: 'a' }, { eventName: 'a' }],
    [{ triggerConfig: { eventName: 'b' } }, { eventName: 'b' }],
    [{ eventName: 'a', triggerConfig: { eventName: 'b' } }, { eventName: 'a' }],
    [{ eventName: 'email.open' }, { eventName: 'email.open' }],
    [{ triggerConfig: null }, null],
    [{ triggerConfig: {} }, null],
  ])('made with %j has the trigger %j', async (fields, triggerConfig) => {
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
  ])('cannot be made with %j', async (fields, field, code) => {
    const reply = await ask('POST', '/workflows', { name: 'W', ...fields })
    expect(reply).toMatchObject({ status: 422, body: { error: { errors: [{ field, code }] } } })
  })

  it('is changed by the fields that are sent, and by no others', async () => {
    const path = await create({ eventName: 'a' })
    stage.app.clock.forward(1000)
    const changes = { name: 'N', description: 'D', eventName: 'b', triggerType: 'MANUAL', allowReentry: true }
    const { status, body } = await ask('PATCH', path, changes)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'N',
      triggerType: 'MANUAL',
      triggerConfig: { eventName: 'b' },
      allowReentry: true,
    })
    expect(body.updatedAt).toBe(stage.app.clock.now().toISOString())
    const cleared = (await ask('PATCH', path, { description: null, triggerConfig: null })).body
    expect(cleared).toMatchObject({ name: 'N', description: null, triggerConfig: null, triggerType: 'MANUAL' })
    expect((await ask('PATCH', path, {})).status).toBe(200)
    const timer = await ask('PATCH', path, { triggerType: 'TIMER' })
    expect(timer.body.error.errors).toMatchObject([{ field: 'triggerType', code: 'invalid_enum_value' }])
  })

  it('is enabled only with an event and steps that begin at one', async () => {
    const path = await create()
    const enable = () => ask('PATCH', path, { enabled: true })
    expect(await enable()).toMatchObject({ status: 422, body: { error: { errors: [{ field: 'eventName' }] } } })
    await ask('PATCH', path, { eventName: 'a' })
    expect(await enable()).toMatchObject({ status: 422, body: { error: { errors: [{ field: 'enabled' }] } } })
    const [one, two] = [await addStep(path, 'DELAY', DELAY), await addStep(path)]
    expect((await enable()).body.error.errors[0].message).toContain('nothing leads to 2 of them')
    expect((await ask('GET', path)).body.enabled).toBe(false)
    await link(path, one, two)
    expect(await enable()).toMatchObject({ status: 200, body: { enabled: true } })
    expect((await ask('PATCH', path, { triggerConfig: null })).status).toBe(422)
    expect((await ask('PATCH', path, { enabled: false, triggerConfig: null })).body.enabled).toBe(false)
  })

  it('that is MANUAL needs no event', async () => {
    const path = await create()
    await addStep(path)
    expect((await ask('PATCH', path, { triggerType: 'MANUAL', enabled: true })).status).toBe(200)
  })

  it('is deleted with its graph, and then it is gone', async () => {
    const path = await create()
    await link(path, await addStep(path, 'DELAY', DELAY), await addStep(path))
    expect(await ask('DELETE', path)).toMatchObject({ status: 204, body: '' })
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', {}]] as const) {
      expect(await ask(method, path, body)).toMatchObject({
        status: 404,
        body: { error: { code: 'WORKFLOW_NOT_FOUND' } },
      })
    }
    expect(await countRows(stage.app, 'workflow_steps', `workflow_id = '${path.split('/')[2]}'`)).toBe(0)
  })
})

describe('the list of workflows', () => {
  it('has pages, the newest first, and finds by name, description and event', async () => {
    const project = await createProject(stage.app)
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

describe('a step', () => {
  it.each<[string, object]>([
    ['DELAY', { amount: 0.5, unit: 'minutes' }],
    ['DELAY', { amount: 365, unit: 'days' }],
    ['WAIT_FOR_EVENT', { eventName: 'email.open' }],
    ['WAIT_FOR_EVENT', { eventName: 'paid', timeout: 31_536_000 }],
    ['CONDITION', FLAT],
    [
      'CONDITION',
      { logic: 'OR', groups: [{ filters: [FLAT, { field: 'event.data.n', operator: 'greaterThan', value: 5 }] }] },
    ],
    ['WEBHOOK', { url: 'https://example.org/{{id}}' }],
    [
      'WEBHOOK',
      { url: 'http://{{event.host}}/', method: 'PATCH', headers: { 'X-Id': '{{id}}' }, body: { a: ['{{n}}'] } },
    ],
    ['UPDATE_CONTACT', { updates: { plan: 'pro', old: null }, subscribed: false }],
    ['EXIT', { reason: 'done' }],
    ['EXIT', {}],
  ])('of type %s keeps %j', async (type, config) => {
    const path = await create()
    const { status, body } = await ask('POST', `${path}/steps`, { type, config, name: 'N', position: { x: 1, y: [2] } })
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { type, config, name: 'N', position: { x: 1, y: [2] } },
    })
    expect((await ask('GET', path)).body.steps).toEqual([body])
    expect((await ask('PATCH', `${path}/steps/${body.id}`, { config })).body.config).toEqual(config)
  })

  it.each<[string, object, string]>([
    ['DELAY', {}, 'config.amount'],
    ['DELAY', { amount: 0, unit: 'days' }, 'config.amount'],
    ['DELAY', { amount: -1, unit: 'days' }, 'config.amount'],
    ['DELAY', { amount: '1', unit: 'days' }, 'config.amount'],
    ['DELAY', { amount: 366, unit: 'days' }, 'config.amount'],
    ['DELAY', { amount: 1, unit: 'weeks' }, 'config.unit'],
    ['WAIT_FOR_EVENT', {}, 'config.eventName'],
    ['WAIT_FOR_EVENT', { eventName: 'a', timeout: 0 }, 'config.timeout'],
    ['WAIT_FOR_EVENT', { eventName: 'a', timeout: 31_536_001 }, 'config.timeout'],
    ['CONDITION', {}, 'config.logic'],
    ['CONDITION', { field: 'data.x', operator: 'near', value: 1 }, 'config.operator'],
    [
      'CONDITION',
      { logic: 'AND', groups: [{ filters: [{ field: 'x', operator: 'equals', value: 1 }] }] },
      'config.groups.0.filters.0.field',
    ],
    ['WEBHOOK', {}, 'config.url'],
    ['WEBHOOK', { url: '{{event.url}}' }, 'config.url'],
    ['WEBHOOK', { url: 'ftp://example.org/' }, 'config.url'],
    ['WEBHOOK', { url: 'example.org' }, 'config.url'],
    ['WEBHOOK', { url: 'https{{x}}://example.org' }, 'config.url'],
    ['WEBHOOK', { url: 'https://example.org/{{' }, 'config.url'],
    ['WEBHOOK', { url: 'https://example.org', method: 'TRACE' }, 'config.method'],
    ['WEBHOOK', { url: 'https://example.org', method: '{{m}}' }, 'config.method'],
    ['WEBHOOK', { url: 'https://example.org', headers: { 'a b': 'c' } }, 'config.headers.a b'],
    ['WEBHOOK', { url: 'https://example.org', headers: { Host: 'c' } }, 'config.headers.Host'],
    ['WEBHOOK', { url: 'https://example.org', headers: { a: 'b\r\nc: d' } }, 'config.headers.a'],
    ['WEBHOOK', { url: 'https://example.org', headers: { a: '{% if' } }, 'config.headers.a'],
    ['WEBHOOK', { url: 'https://example.org', body: { a: ['{{ x | nope }}'] } }, 'config.body.a.0'],
    ['UPDATE_CONTACT', { updates: [] }, 'config.updates'],
    ['UPDATE_CONTACT', { subscribed: 'no' }, 'config.subscribed'],
    ['EXIT', { reason: 5 }, 'config.reason'],
    ['SEND_EMAIL', {}, 'templateId'],
    ['SEND_EMAIL', { templateId: 'x' }, 'config.templateId'],
    ['SEND_EMAIL', { recipient: { type: 'CUSTOM' } }, 'config.recipient.customEmail'],
    ['SEND_EMAIL', { recipient: { type: 'CUSTOM', customEmail: 'nobody' } }, 'config.recipient.customEmail'],
    ['SLEEP', {}, 'type'],
  ])('of type %s cannot have %j', async (type, config, field) => {
    const path = await create()
    const reply = await ask('POST', `${path}/steps`, { type, config })
    expect({ status: reply.status, field: reply.body.error.errors[0].field }).toEqual({ status: 422, field })
    expect((await ask('GET', path)).body.steps).toEqual([])
  })

  it('that sends takes its template beside the settings or inside them', async () => {
    const path = await create()
    const beside = (await ask('POST', `${path}/steps`, { type: 'SEND_EMAIL', templateId: template })).body
    const inside = (await ask('POST', `${path}/steps`, { type: 'SEND_EMAIL', config: { templateId: template } })).body
    for (const step of [beside, inside])
      expect(step).toMatchObject({ templateId: template, config: { templateId: template } })
    const second = (await ask('POST', '/templates', TEMPLATE)).body.id
    const changed = await ask('PATCH', `${path}/steps/${beside.id}`, { templateId: second })
    expect(changed.body).toMatchObject({ templateId: second, config: { templateId: second } })
    const kept = await ask('PATCH', `${path}/steps/${beside.id}`, { config: { recipient: { type: 'CONTACT' } } })
    expect(kept.body).toMatchObject({ templateId: second, config: { recipient: { type: 'CONTACT' } } })
  })

  it('keeps the template it uses from being deleted, and shows up where that is used', async () => {
    const id = (await ask('POST', '/templates', TEMPLATE)).body.id
    const path = await create({ name: 'Greeting' })
    const step = (await ask('POST', `${path}/steps`, { type: 'SEND_EMAIL', name: 'Hello', templateId: id })).body
    expect((await ask('GET', `/templates/${id}/usage`)).body.workflowSteps).toEqual([
      { id: step.id, name: 'Hello', workflowId: path.split('/')[2], workflowName: 'Greeting' },
    ])
    const refused = await ask('DELETE', `/templates/${id}`)
    expect({ status: refused.status, message: refused.body.message }).toEqual({
      status: 409,
      message: expect.stringContaining('Greeting'),
    })
    await ask('DELETE', `${path}/steps/${step.id}`)
    expect((await ask('DELETE', `/templates/${id}`)).status).toBe(204)
  })

  it('shows up where a field is used, by its conditions and its updates', async () => {
    const project = await createProject(stage.app)
    const key = project.secretKey
    await ask('POST', '/contacts', { email: 'a@example.org', data: { tier: 'gold', n: { m: 1 } } }, key)
    const name = async (type: string, config: object) => {
      const { body } = await ask('POST', '/workflows', { name: type }, key)
      await ask('POST', `/workflows/${body.id}/steps`, { type, config }, key)
      return { id: body.id, name: type }
    }
    const nested = { logic: 'AND', groups: [{ filters: [{ field: 'data.n.m', operator: 'equals', value: 1 }] }] }
    const [flat, deep, update] = [
      await name('CONDITION', { field: 'data.tier', operator: 'exists' }),
      await name('CONDITION', { logic: 'AND', groups: [{ filters: [], conditions: nested }] }),
      await name('UPDATE_CONTACT', { updates: { tier: 'silver' } }),
    ]
    const usage = async (field: string) =>
      (await ask('GET', `/contacts/fields/${field}/usage`, undefined, key)).body.usedInWorkflows
    expect(await usage('data.tier')).toEqual([flat, update])
    expect(await usage('n.m')).toEqual([deep])
    expect(await usage('email')).toEqual([])
  })

  it('does not change its type, and changes its name and place without its settings', async () => {
    const path = await create()
    const id = await addStep(path, 'DELAY', DELAY)
    expect((await ask('PATCH', `${path}/steps/${id}`, { type: 'EXIT' })).status).toBe(422)
    const { body } = await ask('PATCH', `${path}/steps/${id}`, { type: 'DELAY', name: 'Wait', position: null })
    expect(body).toMatchObject({ type: 'DELAY', name: 'Wait', position: null, config: DELAY })
    expect((await ask('PATCH', `${path}/steps/${id}`, { name: null })).body.name).toBeNull()
  })
})

describe('a transition', () => {
  it('is returned with its branch in both forms, and accepted in both', async () => {
    const path = await create()
    const [condition, exit] = [await addStep(path, 'CONDITION', FLAT), await addStep(path)]
    const yes = await link(path, condition, exit, 'yes')
    expect(yes).toMatchObject({ status: 201, body: { branch: 'yes', condition: { branch: 'yes' } } })
    const no = await ask('POST', `${path}/transitions`, {
      fromStepId: condition,
      toStepId: exit,
      condition: { branch: 'no' },
    })
    expect(no).toMatchObject({ status: 201, body: { branch: 'no', fromStepId: condition, toStepId: exit } })
    expect((await ask('GET', path)).body.transitions).toEqual([yes.body, no.body])
    expect((await ask('DELETE', `${path}/transitions/${no.body.id}`)).status).toBe(204)
    expect((await ask('DELETE', `${path}/transitions/${no.body.id}`)).status).toBe(404)
    expect((await ask('GET', path)).body.transitions).toEqual([yes.body])
  })

  it('that breaks a rule of the graph is refused and changes nothing', async () => {
    const path = await create()
    const [a, b, c, exit] = [
      await addStep(path, 'DELAY', DELAY),
      await addStep(path, 'CONDITION', FLAT),
      await addStep(path, 'DELAY', DELAY),
      await addStep(path),
    ]
    await link(path, a, b)
    await link(path, b, c, 'yes')
    const before = (await ask('GET', path)).body
    const refused: Array<[string, string, (string | null)?]> = [
      [a, a],
      [c, a],
      [exit, a],
      [a, c],
      [b, exit],
      [b, exit, 'yes'],
      [c, exit, 'no'],
    ]
    for (const [from, to, branch] of refused) expect((await link(path, from, to, branch)).status).toBe(422)
    expect((await link(path, b, exit, 'maybe')).status).toBe(422)
    expect((await ask('GET', path)).body).toEqual(before)
  })

  it('of two that are made at once closes no loop', async () => {
    const path = await create()
    const [a, b] = [await addStep(path, 'DELAY', DELAY), await addStep(path, 'DELAY', DELAY)]
    const replies = await Promise.all([link(path, a, b), link(path, b, a)])
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 422])
  })
})

describe('taking a step out', () => {
  const drawn = async () => {
    const path = await create()
    const [condition, middle, last] = [
      await addStep(path, 'CONDITION', FLAT),
      await addStep(path, 'DELAY', DELAY),
      await addStep(path),
    ]
    await link(path, condition, middle, 'no')
    await link(path, middle, last)
    return { path, condition, middle, last }
  }
  const transitions = async (path: string) =>
    (await ask('GET', path)).body.transitions.map((t: Record<string, string>) => [t.fromStepId, t.toStepId, t.branch])

  it('with splice connects what was around it, on the same branch', async () => {
    const { path, condition, middle, last } = await drawn()
    expect((await ask('DELETE', `${path}/steps/${middle}?splice=true`)).status).toBe(204)
    expect(await transitions(path)).toEqual([[condition, last, 'no']])
  })

  it.each(['', '?splice=false', '?splice='])('with "%s" leaves a gap', async (query) => {
    const { path, middle } = await drawn()
    expect((await ask('DELETE', `${path}/steps/${middle}${query}`)).status).toBe(204)
    expect(await transitions(path)).toEqual([])
    expect((await ask('DELETE', `${path}/steps/${middle}`)).status).toBe(404)
  })
})

describe('the fields for conditions', () => {
  it('are those of contacts and those of recent events', async () => {
    const project = await createProject(stage.app)
    await stage.track('a@example.org', 'bought', { total: 5, item: { sku: 'x' }, at: '2026-01-02' }, project.publicKey)
    await stage.track('a@example.org', 'left', { why: 'price' }, project.publicKey)
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

describe("another project's", () => {
  it('workflow, step, transition, template and segment are as unknown ones', async () => {
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

  it.each(['x', '123', 'fields/x'])('id "%s", which cannot exist, is not found', async (id) => {
    expect((await ask('GET', `/workflows/${id}`)).status).toBe(404)
  })
})
