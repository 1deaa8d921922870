/** Goals that end executions, how often contacts can enter, and splits. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, type Fixture, MINUTE, openFixture } from './workflow-fixture.ts'

let fixture: Fixture
const ask: Fixture['ask'] = (...call) => fixture.ask(...call)
const read: Fixture['read'] = (path) => fixture.read(path)

beforeAll(async () => {
  fixture = await openFixture()
  fixture.app.clock.forward(DAY)
})
afterAll(() => fixture.app.close())

let people = 0
const someone = () => `person${++people}@example.org`

async function track(email: string, event: string) {
  fixture.app.clock.forward(1)
  expect((await fixture.track(email, event)).status).toBe(200)
}

const WEEK = ['DELAY', { amount: 7, unit: 'days' }] as const

describe('the goal of a workflow', () => {
  const withGoal = (goal: string, fields: object = {}) =>
    fixture.createWorkflow({ eventName: `${goal} start`, goal: { eventName: goal }, ...fields }, [
      [...WEEK, 1],
      ['EXIT', {}],
    ])

  it('completes an execution where it waits, and its job of the wait does nothing', async () => {
    const workflow = await withGoal('bought')
    const email = someone()
    await track(email, 'bought start')
    await fixture.app.drain()
    await track(email, 'bought')
    await fixture.app.drain()
    const [execution] = await fixture.executions(workflow)
    expect(execution).toMatchObject({
      status: 'COMPLETED',
      goalReached: true,
      resumeAt: null,
      steps: [{ status: 'SKIPPED', output: { goal: 'bought' } }],
    })
    await fixture.advanceTime(8 * DAY)
    expect(await fixture.executions(workflow)).toEqual([execution])
    expect(await read(`${workflow.path}/stats`)).toMatchObject({ counted: 1, converted: 1, steps: [{ converted: 1 }] })
  })

  it('counts an event that is dispatched before the execution starts', async () => {
    const workflow = await withGoal('early')
    const email = someone()
    await track(email, 'early start')
    await track(email, 'early')
    const dispatched = await fixture.app.pool.query(
      `select payload from posthorn_queue.jobs where name = 'dispatch-event' order by id desc`,
    )
    for (const { payload } of dispatched.rows) {
      await fixture.app.jobs['dispatch-event'](payload, { attempt: 1, at: fixture.app.clock.now() })
    }
    await fixture.app.drain()
    expect(await fixture.executions(workflow)).toMatchObject([{ status: 'COMPLETED', goalReached: true, steps: [] }])
  })

  it('is not reached by an event from before, of another contact or with another name', async () => {
    const workflow = await withGoal('later')
    const email = someone()
    await track(email, 'later')
    await track(email, 'later start')
    await fixture.app.drain()
    await track(someone(), 'later')
    await track(email, 'late')
    await fixture.app.drain()
    expect(await fixture.executions(workflow)).toMatchObject([{ status: 'WAITING', goalReached: false }])
  })

  it('completes executions that already wait if it is set later, and removing it stops that', async () => {
    const workflow = await fixture.createWorkflow({ eventName: 'lasting start' }, [
      [...WEEK, 1],
      ['EXIT', {}],
    ])
    const [first, second] = [someone(), someone()]
    for (const email of [first, second]) await track(email, 'lasting start')
    await fixture.app.drain()
    expect((await ask('PATCH', workflow.path, { goal: { eventName: 'lasting' } })).body.goal).toEqual({
      eventName: 'lasting',
    })
    await track(first, 'lasting')
    await fixture.app.drain()
    expect((await ask('PATCH', workflow.path, { goal: null })).body.goal).toBeNull()
    await track(second, 'lasting')
    await fixture.app.drain()
    expect((await fixture.executions(workflow)).map((one) => one.goalReached)).toEqual([true, false])
  })

  it('can’t be the event that starts the workflow', async () => {
    const body = { name: 'W', eventName: 'same', goal: { eventName: 'same' } }
    const refused = await ask('POST', '/workflows', body)
    expect([refused.status, refused.body.error.errors[0].field]).toEqual([422, 'goal.eventName'])
    const path = await fixture.create({ goal: { eventName: 'same' } })
    const changed = await ask('PATCH', path, { eventName: 'same' })
    expect([changed.status, changed.body.error.errors[0].field]).toEqual([422, 'goal.eventName'])
    expect((await read(path)).triggerConfig).toBeNull()
  })
})

describe('re-entry', () => {
  it.each([
    [{}, { mode: 'once', days: null }, false],
    [{ allowReentry: true }, { mode: 'always', days: null }, true],
    [{ reentry: { mode: 'interval', days: 30 } }, { mode: 'interval', days: 30 }, true],
    [{ reentry: { mode: 'once' }, allowReentry: false }, { mode: 'once', days: null }, false],
  ])('is shown in full: %j is %j', async (fields, reentry, allowReentry) => {
    expect(await read(await fixture.create(fields))).toMatchObject({ reentry, allowReentry })
  })

  it('is always when `allowReentry` is set to true, and once when it is set to false or `reentry` to null', async () => {
    const path = await fixture.create({ reentry: { mode: 'interval', days: 30 } })
    const change = async (fields: object) => (await ask('PATCH', path, fields)).body.reentry
    expect(await change({ name: 'Other' })).toEqual({ mode: 'interval', days: 30 })
    expect(await change({ allowReentry: true })).toEqual({ mode: 'always', days: null })
    expect(await change({ allowReentry: false })).toEqual({ mode: 'once', days: null })
    await change({ reentry: { mode: 'interval', days: 30 } })
    expect(await change({ reentry: null })).toEqual({ mode: 'once', days: null })
  })

  it.each([
    [{ reentry: { mode: 'interval' } }, 'reentry.days'],
    [{ reentry: { mode: 'interval', days: 0 } }, 'reentry.days'],
    [{ reentry: { mode: 'once', days: 3 } }, 'reentry.days'],
    [{ reentry: { mode: 'daily' } }, 'reentry.mode'],
    [{ reentry: { mode: 'always' }, allowReentry: false }, 'reentry.mode'],
  ])('is refused if it is %j', async (fields, field) => {
    const { status, body } = await ask('POST', '/workflows', { name: 'W', ...fields })
    expect([status, body.error.errors[0].field]).toEqual([422, field])
  })

  it('starts an execution only after the days of the interval have passed, by event, manually or for a segment', async () => {
    const workflow = await fixture.createWorkflow({ eventName: 'returned', reentry: { mode: 'interval', days: 2 } }, [
      ['EXIT', {}],
    ])
    const email = someone()
    const contactId = await fixture.contact(email)
    const segment = (await ask('POST', '/segments', { name: `S${people}`, type: 'STATIC' })).body
    await ask('POST', `/segments/${segment.id}/members`, { emails: [email] })
    const startInEveryWay = async () => {
      await track(email, 'returned')
      await fixture.app.drain()
      await ask('POST', `${workflow.path}/executions/segment`, { segmentId: segment.id })
      await fixture.app.drain()
      return (await fixture.executions(workflow)).length
    }
    expect(await startInEveryWay()).toBe(1)
    await fixture.advanceTime(2 * DAY - MINUTE)
    expect(await startInEveryWay()).toBe(1)
    const early = await ask('POST', `${workflow.path}/executions`, { contactId })
    expect([early.status, early.body.error.message]).toEqual([
      409,
      'The contact is in this workflow or has entered it in the last 2 days.',
    ])
    await fixture.advanceTime(MINUTE)
    expect(await startInEveryWay()).toBe(2)
  })
})

describe('a SPLIT', () => {
  const branches = [
    { name: 'Variant A', weight: 1 },
    { name: 'Variant B', weight: 1 },
  ]

  it('sends each contact down one branch, and down the same one when it enters again', async () => {
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL', allowReentry: true }, [
      ['SPLIT', { branches }, { 'Variant A': 1, 'Variant B': 2 }],
      ['EXIT', { reason: 'Variant A' }],
      ['EXIT', { reason: 'Variant B' }],
    ])
    const reasons = new Set<string>()
    for (let i = 0; i < 12; i++) {
      const contactId = await fixture.contact(someone())
      const taken = []
      for (let n = 0; n < 2; n++) {
        const path = await fixture.start(workflow, contactId)
        await fixture.app.drain()
        taken.push(await read(path))
      }
      expect(taken[0].exitReason).toBe(taken[1].exitReason)
      expect(taken[0].steps[0].output).toEqual({ branch: taken[0].exitReason })
      reasons.add(taken[0].exitReason)
    }
    expect([...reasons].sort()).toEqual(['Variant A', 'Variant B'])
  })

  it.each([
    [undefined, 'config.branches'],
    [[{ name: 'A', weight: 1 }], 'config.branches'],
    [Array.from({ length: 6 }, (_, i) => ({ name: `${i}`, weight: 1 })), 'config.branches'],
    [
      [
        { name: 'A', weight: 0 },
        { name: 'B', weight: 1 },
      ],
      'config.branches.0.weight',
    ],
    [
      [
        { name: 'A', weight: 0.5 },
        { name: 'B', weight: 1 },
      ],
      'config.branches.0.weight',
    ],
    [
      [
        { name: 'A', weight: 1 },
        { name: 'A ', weight: 1 },
      ],
      'config.branches.1.name',
    ],
    [
      [
        { name: '', weight: 1 },
        { name: 'B', weight: 1 },
      ],
      'config.branches.0.name',
    ],
    [
      [
        { name: 'A', weight: 1, share: 50 },
        { name: 'B', weight: 1 },
      ],
      'config.branches.0.share',
    ],
  ])('is refused if its branches are %j', async (given, field) => {
    const path = await fixture.create()
    const { status, body } = await ask('POST', `${path}/steps`, { type: 'SPLIT', config: { branches: given } })
    expect([status, body.error.errors[0].field]).toEqual([422, field])
  })

  it('has transitions only on its branches, and keeps a branch that leads to a step', async () => {
    const path = await fixture.create()
    const split = await fixture.addStep(path, 'SPLIT', { branches })
    const exit = await fixture.addStep(path)
    expect((await fixture.link(path, split, exit)).status).toBe(422)
    expect((await fixture.link(path, split, exit, 'yes')).body.error.errors[0]).toMatchObject({
      field: 'branch',
      message: 'A transition from a step of type SPLIT needs a branch: Variant A or Variant B.',
    })
    expect((await fixture.link(path, split, exit, 'Variant A')).status).toBe(201)
    const renamed = [{ name: 'C', weight: 1 }, branches[1]]
    const refused = await ask('PATCH', `${path}/steps/${split}`, { config: { branches: renamed } })
    expect([refused.status, refused.body.error.errors[0].field]).toEqual([422, 'config.branches'])
    const { steps } = await read(path)
    const graph = { steps, transitions: [{ fromStepId: split, toStepId: exit, branch: 'C' }] }
    graph.steps[0].config = { branches: renamed }
    const published = await ask('PUT', `${path}/graph`, graph)
    expect([published.status, published.body.transitions?.[0].branch]).toEqual([200, 'C'])
  })
})

it('a goal, re-entry and a split survive export, import and duplication', async () => {
  const path = await fixture.create({ goal: { eventName: 'g' }, reentry: { mode: 'interval', days: 5 } })
  const split = await fixture.addStep(path, 'SPLIT', {
    branches: [
      { name: 'A', weight: 2 },
      { name: 'B', weight: 1 },
    ],
  })
  await fixture.link(path, split, await fixture.addStep(path), 'B')
  const { body: document } = await ask('GET', `${path}/export`)
  const imported = (await ask('POST', '/workflows/import', { ...document, name: 'Imported' })).body
  const copied = (await ask('POST', `${path}/duplicate`)).body
  for (const copy of [imported, copied]) {
    expect(copy).toMatchObject({ goal: { eventName: 'g' }, reentry: { mode: 'interval', days: 5 } })
    expect(copy.transitions).toMatchObject([{ branch: 'B' }])
  }
})
