/** Simulating a workflow, and exporting, importing and duplicating workflows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, databaseState } from '../harness.ts'
import { type Fixture, GONE, openFixture } from './workflow-fixture.ts'

let fixture: Fixture
let template: string
const ask: Fixture['ask'] = (...call) => fixture.ask(...call)
const TEMPLATE = { name: 'T', subject: 'Hi {{name}}, {{plan}}', body: '<p>B</p>', from: 'hello@example.com' }

beforeAll(async () => {
  fixture = await openFixture()
  template = (await ask('POST', '/templates', TEMPLATE)).body.id
})
afterAll(() => fixture.app.close())

const CONDITION = {
  logic: 'AND',
  groups: [
    {
      filters: [
        { field: 'data.plan', operator: 'equals', value: 'pro' },
        { field: 'event.data.total', operator: 'greaterThan', value: 10 },
      ],
    },
  ],
}

const createExample = (name = 'Long way') =>
  fixture.createWorkflow({ name, eventName: 'order' }, [
    ['UPDATE_CONTACT', { updates: { plan: '{{event.plan}}' } }, 1],
    ['DELAY', { amount: 2, unit: 'days' }, 2],
    ['CONDITION', CONDITION, { yes: 3, no: 6 }],
    ['SEND_EMAIL', { templateId: template }, 4],
    ['WAIT_FOR_EVENT', { eventName: 'paid', timeout: 60 }, { yes: 5, no: 6 }],
    [
      'WEBHOOK',
      { url: 'https://example.org/{{id}}', headers: { 'X-Key': '{{event.total}}' }, body: { n: '{{event.total}}' } },
    ],
    ['EXIT', { reason: 'no' }],
  ])

describe('a simulation', () => {
  it('returns the path, the reasons, the subjects and the requests, and changes nothing', async () => {
    const workflow = await createExample()
    const contactId = await fixture.contact('sim@example.org', { data: { name: 'Ada', plan: 'free' } })
    await fixture.app.drain()
    const before = await databaseState(fixture.app)
    const jobsBefore = (await fixture.app.pool.query('select count(*) from posthorn_queue.jobs')).rows[0].count
    const event = { plan: 'pro', total: 50 }
    const { status, body } = await ask('POST', `${workflow.path}/simulate`, { contactId, event })
    expect({ status, ended: body.status, error: body.error }).toEqual({ status: 200, ended: 'COMPLETED', error: null })
    expect(body.path.map((s: { type: string }) => s.type)).toEqual([
      'UPDATE_CONTACT',
      'DELAY',
      'CONDITION',
      'SEND_EMAIL',
      'WAIT_FOR_EVENT',
      'WEBHOOK',
    ])
    const [update, delay, condition, email, wait, webhook] = body.path
    expect(update.output).toEqual({ updates: { plan: 'pro' } })
    const later = new Date(fixture.app.clock.now().getTime() + 2 * 86_400_000).toISOString()
    expect({ until: delay.output.until, at: condition.at }).toEqual({ until: later, at: later })
    expect(condition).toMatchObject({ branch: 'yes', output: { matched: true } })
    expect(condition.output.reasons).toMatchObject([
      { field: 'data.plan', matched: true },
      { field: 'event.data.total', matched: true },
    ])
    expect(email.output).toMatchObject({ to: 'sim@example.org', subject: 'Hi Ada, pro', templateId: template })
    expect(wait).toMatchObject({ branch: 'yes', output: { event: 'paid' } })
    expect(webhook.output.request).toMatchObject({
      method: 'POST',
      url: `https://example.org/${contactId}`,
      headers: { 'X-Key': '50', 'content-type': 'application/json', 'webhook-id': expect.any(String) },
      body: '{"n":50}',
    })
    expect(await databaseState(fixture.app)).toBe(before)
    expect((await fixture.app.pool.query('select count(*) from posthorn_queue.jobs')).rows[0].count).toBe(jobsBefore)
    expect((await ask('GET', `/contacts/${contactId}`)).body.data.plan).toBe('free')
  })

  it('takes the other branches, and reports what would fail', async () => {
    const workflow = await createExample()
    const contactId = await fixture.contact('sim2@example.org')
    const simulate = async (body: object) =>
      (await ask('POST', `${workflow.path}/simulate`, { contactId, ...body })).body
    const small = await simulate({ event: { plan: 'pro', total: 5 } })
    expect(small).toMatchObject({ status: 'EXITED', exitReason: 'no' })
    expect(small.path[2].output.reasons.map((r: { matched: boolean }) => r.matched)).toEqual([true, false])
    expect(await simulate({ event: { plan: 'pro', total: 50 }, assumeEvents: false })).toMatchObject({
      exitReason: 'no',
    })

    await ask('PATCH', `/contacts/${contactId}`, { subscribed: false })
    const skipped = await simulate({ event: { plan: 'pro', total: 50 } })
    expect(skipped.path[3]).toMatchObject({ status: 'SKIPPED', output: { reason: 'The contact is not subscribed.' } })

    const broken = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
      ['SEND_EMAIL', { templateId: template, recipient: { type: 'CUSTOM', customEmail: '{{x}}' } }],
    ])
    const { body } = await ask('POST', `${broken.path}/simulate`, { contactId })
    expect(body).toMatchObject({ status: 'FAILED', error: '"" is not an email address.', path: [{ status: 'FAILED' }] })
  })

  it('works for a disabled workflow, but not for a contact of another project', async () => {
    const draft = await fixture.createWorkflow({}, [['EXIT', {}]], false)
    const contactId = await fixture.contact('sim3@example.org')
    expect((await ask('POST', `${draft.path}/simulate`, { contactId })).body.status).toBe('EXITED')
    const empty = await fixture.createWorkflow({}, [], false)
    expect((await ask('POST', `${empty.path}/simulate`, { contactId })).body).toMatchObject({
      status: 'FAILED',
      path: [],
    })
    expect((await ask('POST', `${draft.path}/simulate`, { contactId: GONE })).status).toBe(404)
    expect((await ask('POST', `${draft.path}/simulate`, {})).status).toBe(422)
  })
})

interface ExportedSteps {
  steps: Array<{ id: string; type: string; config: object; name: string | null }>
  transitions: Array<{ fromStepId: string; toStepId: string; branch: string | null }>
}

/** Steps and transitions by their configuration, because a document lists them in another order than the workflow. */
const inOrder = ({ steps, transitions }: ExportedSteps) => {
  const configOf = (id: string) => JSON.stringify(steps.find((step) => step.id === id)!.config)
  const sorted = (lines: string[]) => lines.sort()
  return {
    steps: sorted(steps.map(({ type, config, name }) => JSON.stringify([type, config, name]))),
    transitions: sorted(
      transitions.map((t) => JSON.stringify([configOf(t.fromStepId), configOf(t.toStepId), t.branch])),
    ),
  }
}

const shape = (workflow: { steps: Array<Record<string, unknown>>; transitions: Array<Record<string, unknown>> }) => {
  const place = new Map(workflow.steps.map((step, i) => [step.id, i]))
  return {
    steps: workflow.steps.map(({ type, config, name, position }) => ({ type, config, name, position })),
    transitions: workflow.transitions.map((t) => [place.get(t.fromStepId), place.get(t.toStepId), t.branch]),
  }
}

describe('a duplicate', () => {
  it('has the same graph, is disabled, and leaves the original unchanged', async () => {
    const workflow = await createExample()
    const original = (await ask('GET', workflow.path)).body
    const { status, body } = await ask('POST', `${workflow.path}/duplicate`)
    expect({ status, name: body.name, enabled: body.enabled }).toEqual({
      status: 201,
      name: 'Long way (Copy)',
      enabled: false,
    })
    expect(body.triggerConfig).toEqual({ eventName: 'order' })
    expect(shape(body)).toEqual(shape(original))
    expect(body.steps.some((s: { id: string }) => workflow.ids.includes(s.id))).toBe(false)
    expect((await ask('GET', workflow.path)).body).toEqual(original)
    expect((await ask('PATCH', `/workflows/${body.id}`, { enabled: true })).status).toBe(200)
  })
})

describe('an exported document', () => {
  it('is imported as the same workflow, disabled', async () => {
    const workflow = await createExample()
    const original = (await ask('GET', workflow.path)).body
    const { body: document } = await ask('GET', `${workflow.path}/export`)
    expect(document).toMatchObject({
      format: 'posthorn.workflow.1',
      name: 'Long way',
      triggerConfig: { eventName: 'order' },
    })
    expect(JSON.stringify(document)).not.toContain(workflow.ids[0])
    const { status, body } = await ask('POST', '/workflows/import', { ...document, name: 'Long way back' })
    expect({ status, enabled: body.enabled, name: body.name }).toEqual({
      status: 201,
      enabled: false,
      name: 'Long way back',
    })
    expect(inOrder(body)).toEqual(inOrder(original))
    const again = (await ask('GET', `/workflows/${body.id}/export`)).body
    expect(JSON.stringify(again)).toBe(JSON.stringify({ ...document, name: 'Long way back' }))
  })

  it('changes nothing in the workflow that it was made of', async () => {
    const { path } = await createExample('Same')
    const before = (await ask('GET', path)).body
    const { body: document } = await ask('GET', `${path}/export`)
    for (let n = 0; n < 2; n++) {
      const { status, body } = await ask('POST', '/workflows/import', document)
      expect([status, body]).toEqual([200, before])
    }
    expect((await ask('GET', `${path}/versions`)).body.data).toEqual([])
  })

  it('changes the workflow with its name: steps keep their executions, and one that is gone needs a choice', async () => {
    const days = (amount: number) => ({ amount, unit: 'days' })
    const graph = {
      name: 'As code',
      triggerType: 'MANUAL',
      steps: [
        { key: 'wait', type: 'DELAY', config: days(2) },
        { key: 'rest', type: 'DELAY', config: days(3) },
        { key: 'end', type: 'EXIT', config: { reason: 'done' } },
      ],
      transitions: [
        { from: 'wait', to: 'rest' },
        { from: 'rest', to: 'end' },
      ],
    }
    const importing = (changes: object) => ask('POST', '/workflows/import', { ...graph, ...changes })
    const created = await importing({})
    expect(created.status).toBe(201)
    const path = `/workflows/${created.body.id}`
    expect((await ask('PATCH', path, { enabled: true })).status).toBe(200)
    const execution = await fixture.start({ path }, await fixture.contact('as-code@example.org'))
    await fixture.app.drain()

    const [wait, rest, end] = graph.steps
    const steps = [{ ...wait, name: 'First', config: days(1) }, rest, end]
    const changed = await importing({ steps, description: 'New', goal: { eventName: 'bought' } })
    expect(changed).toMatchObject({
      status: 200,
      body: { id: created.body.id, enabled: true, description: 'New', goal: { eventName: 'bought' } },
    })
    expect(changed.body.steps.map(({ id }: { id: string }) => id)).toEqual(
      created.body.steps.map(({ id }: { id: string }) => id),
    )
    expect((await fixture.read(execution)).currentStepId).toBe(created.body.steps[0].id)
    expect((await importing({ steps, description: 'New', goal: { eventName: 'bought' } })).body.revision).toBe(
      changed.body.revision,
    )

    const shorter = { steps: [rest, end], transitions: [{ from: 'rest', to: 'end' }] }
    const refused = await importing(shorter)
    expect([refused.status, refused.body.error.details.steps]).toEqual([
      409,
      [{ stepId: created.body.steps[0].id, contacts: 1 }],
    ])
    expect((await ask('GET', path)).body).toEqual(changed.body)
    expect((await importing({ ...shorter, executions: { gone: 'move' } })).status).toBe(422)
    expect((await importing({ ...shorter, executions: { wait: 'move' } })).status).toBe(200)
    await fixture.app.drain()
    expect((await fixture.read(execution)).currentStepId).toBe(created.body.steps[1].id)
    expect((await ask('GET', `${path}/export`)).body.steps.map(({ key }: { key: string }) => key)).toEqual([
      'rest',
      'end',
    ])
    expect((await ask('GET', `${path}/versions`)).body.data).toHaveLength(3)
  })

  it('has its steps in the order in which they run, and lists the same fields in the same order', async () => {
    const path = await fixture.create({ name: 'Order' })
    const [last, first] = [
      await fixture.addStep(path),
      await fixture.addStep(path, 'DELAY', { unit: 'days', amount: 1 }),
    ]
    await fixture.link(path, first, last)
    const { body } = await ask('GET', `${path}/export`)
    expect(body.steps.map(({ key }: { key: string }) => key)).toEqual([
      `delay-${first.slice(-8)}`,
      `exit-${last.slice(-8)}`,
    ])
    expect(Object.keys(body.steps[0].config)).toEqual(['amount', 'unit'])
    expect(body.transitions).toEqual([{ from: body.steps[0].key, to: body.steps[1].key, branch: null }])
  })

  it('is imported into another project with the templates of that project', async () => {
    const other = await createProject(fixture.app)
    const theirs = (await ask('POST', '/templates', TEMPLATE, other.secretKey)).body.id
    const { body: document } = await ask('GET', `${(await createExample()).path}/export`)
    expect((await ask('POST', '/workflows/import', document, other.secretKey)).status).toBe(404)
    const mapped = { ...document, templates: { [template]: theirs } }
    const { status, body } = await ask('POST', '/workflows/import', mapped, other.secretKey)
    const { templateId } = body.steps.find(({ type }: { type: string }) => type === 'SEND_EMAIL')
    expect({ status, templateId }).toEqual({ status: 201, templateId: theirs })
  })

  it.each<[string, object, string]>([
    ['no steps', { steps: undefined }, 'steps'],
    ['a wrong format', { format: 'x' }, 'format'],
    [
      'a key twice',
      {
        steps: [
          { key: 'a', type: 'EXIT' },
          { key: 'a', type: 'EXIT' },
        ],
      },
      'steps.1.key',
    ],
    [
      'a step that is wrong',
      { steps: [{ key: 'a', type: 'DELAY', config: { amount: 0, unit: 'days' } }] },
      'steps.0.config.amount',
    ],
    ['an unknown step', { transitions: [{ from: 'a', to: 'z' }] }, 'transitions.0.to'],
    [
      'a loop',
      {
        transitions: [
          { from: 'a', to: 'b' },
          { from: 'b', to: 'a' },
        ],
      },
      'transitions.1.to',
    ],
    ['too many steps', { steps: Array.from({ length: 201 }, (_, i) => ({ key: `s${i}`, type: 'EXIT' })) }, 'steps'],
  ])('is rejected if it has %s, and nothing of it is imported', async (_what, fields, field) => {
    const delay = { amount: 1, unit: 'days' }
    const steps = ['a', 'b'].map((key) => ({ key, type: 'DELAY', config: delay }))
    const before = await databaseState(fixture.app)
    const reply = await ask('POST', '/workflows/import', { name: 'I', steps, ...fields })
    expect({ status: reply.status, field: reply.body.error.errors?.[0].field }).toEqual({ status: 422, field })
    expect(await databaseState(fixture.app)).toBe(before)
  })
})
