/** The graph of a workflow: its steps and their configuration, its transitions, and removing steps. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject } from '../harness.ts'
import { type Fixture, openFixture, TEMPLATE } from './workflow-fixture.ts'

let fixture: Fixture
let template: string

beforeAll(async () => {
  fixture = await openFixture()
  template = await fixture.template()
})
afterAll(() => fixture.app.close())

const ask: Fixture['ask'] = (...call) => fixture.ask(...call)
const create: Fixture['create'] = (fields) => fixture.create(fields)
const addStep: Fixture['addStep'] = (...call) => fixture.addStep(...call)
const link: Fixture['link'] = (...call) => fixture.link(...call)

const DELAY = { amount: 1, unit: 'days' }
const FLAT = { field: 'data.plan', operator: 'equals', value: 'pro' }

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
  ])('can be a %s with the configuration %j', async (type, config) => {
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
  ])("can't be a %s with the configuration %j", async (type, config, field) => {
    const path = await create()
    const reply = await ask('POST', `${path}/steps`, { type, config })
    expect({ status: reply.status, field: reply.body.error.errors[0].field }).toEqual({ status: 422, field })
    expect((await ask('GET', path)).body.steps).toEqual([])
  })

  it('can have its template as a field or in its configuration if it is a SEND_EMAIL', async () => {
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

  it('keeps its template from being deleted, and is listed in the usage of the template', async () => {
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

  it('is listed in the usage of the fields in its conditions and updates', async () => {
    const project = await createProject(fixture.app)
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

  it('cannot change its type, but its name and position without its configuration', async () => {
    const path = await create()
    const id = await addStep(path, 'DELAY', DELAY)
    expect((await ask('PATCH', `${path}/steps/${id}`, { type: 'EXIT' })).status).toBe(422)
    const { body } = await ask('PATCH', `${path}/steps/${id}`, { type: 'DELAY', name: 'Wait', position: null })
    expect(body).toMatchObject({ type: 'DELAY', name: 'Wait', position: null, config: DELAY })
    expect((await ask('PATCH', `${path}/steps/${id}`, { name: null })).body.name).toBeNull()
  })
})

describe('a transition', () => {
  it('is accepted and returned with its branch in both forms', async () => {
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

  it('is rejected and changes nothing if it breaks a rule of the graph', async () => {
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

  it('cannot close a loop with another that is added at the same time', async () => {
    const path = await create()
    const [a, b] = [await addStep(path, 'DELAY', DELAY), await addStep(path, 'DELAY', DELAY)]
    const replies = await Promise.all([link(path, a, b), link(path, b, a)])
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 422])
  })
})

describe('removing a step', () => {
  const createExample = async () => {
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

  it('connects the steps around it with splice, on the same branch', async () => {
    const { path, condition, middle, last } = await createExample()
    expect((await ask('DELETE', `${path}/steps/${middle}?splice=true`)).status).toBe(204)
    expect(await transitions(path)).toEqual([[condition, last, 'no']])
  })

  it.each(['', '?splice=false', '?splice='])(
    'leaves the steps around it unconnected with the query "%s"',
    async (query) => {
      const { path, middle } = await createExample()
      expect((await ask('DELETE', `${path}/steps/${middle}${query}`)).status).toBe(204)
      expect(await transitions(path)).toEqual([])
      expect((await ask('DELETE', `${path}/steps/${middle}`)).status).toBe(404)
    },
  )
})
