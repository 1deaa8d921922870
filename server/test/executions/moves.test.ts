/** Waits that end early, of one execution or of all at a step; and waits at a step whose times were changed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeWaits } from '../../features/automation/executions/moves/waits.ts'
import { createProject } from '../harness.ts'
import { type Fixture, openFixture, type StepSpec } from '../workflows/workflow-fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.app.close())

const EXIT: StepSpec = ['EXIT', { reason: 'left' }]
const DELAY: StepSpec = ['DELAY', { amount: 3, unit: 'days' }, 1]
const tag = (name: string, next?: number): StepSpec =>
  next === undefined
    ? ['UPDATE_CONTACT', { updates: { [name]: true } }]
    : ['UPDATE_CONTACT', { updates: { [name]: true } }, next]
const MANUAL = { triggerType: 'MANUAL', allowReentry: true }

const post = (path: string, body?: object) => fixture.ask('POST', path, body)
const stepsOf = async (workflow: { path: string }): Promise<string[]> =>
  (await fixture.ask('GET', workflow.path)).body.steps.map(({ id }: { id: string }) => id)

async function waiting(workflow: { path: string }, email: string): Promise<string> {
  const path = await fixture.start(workflow, await fixture.contact(email))
  await fixture.app.drain()
  expect((await fixture.read(path)).status).toBe('WAITING')
  return path
}

describe('an execution that waits', () => {
  it('continues at once when its delay is skipped, and not again at the end of the delay', async () => {
    const workflow = await fixture.createWorkflow(MANUAL, [DELAY, tag('greeted', 2), EXIT])
    const path = await waiting(workflow, 'skips@example.org')
    const { status, body } = await post(`${path}/skip-wait`)
    expect([status, body.status]).toEqual([200, 'WAITING'])
    await fixture.app.drain()
    const ended = await fixture.read(path)
    expect([ended.status, ended.steps.map(({ status }: { status: string }) => status)]).toEqual([
      'EXITED',
      ['COMPLETED', 'COMPLETED', 'COMPLETED'],
    ])
    fixture.app.clock.forward(4 * 86_400_000)
    await fixture.app.drain()
    expect((await fixture.read(path)).steps).toHaveLength(3)
  })

  it('takes the branch of an event that did not occur, even without a time limit', async () => {
    const wait: StepSpec = ['WAIT_FOR_EVENT', { eventName: 'paid' }, { yes: 1, no: 2 }]
    const workflow = await fixture.createWorkflow(MANUAL, [wait, EXIT, tag('reminded')])
    const path = await waiting(workflow, 'pays-late@example.org')
    expect((await post(`${path}/skip-wait`)).status).toBe(200)
    await fixture.app.drain()
    const ended = await fixture.read(path)
    expect([ended.status, ended.steps[0].output]).toEqual(['COMPLETED', { timedOut: true }])
    expect((await fixture.ask('GET', '/contacts?email=pays-late@example.org')).body.data[0].data.reminded).toBe(true)
  })

  it('continues at another step when it is moved there, also at an earlier one', async () => {
    const workflow = await fixture.createWorkflow(MANUAL, [
      tag('first', 1),
      ['DELAY', { amount: 1, unit: 'days' }, 2],
      tag('second', 3),
      EXIT,
    ])
    const [first, , , exit] = await stepsOf(workflow)
    const path = await waiting(workflow, 'moves@example.org')
    expect((await post(`${path}/move`, { stepId: first })).body.currentStepId).toBe(first)
    await fixture.app.drain()
    const again = await fixture.read(path)
    expect(again.steps.map(({ type, status }: { type: string; status: string }) => `${type} ${status}`)).toEqual([
      'UPDATE_CONTACT COMPLETED',
      'DELAY SKIPPED',
      'UPDATE_CONTACT COMPLETED',
      'DELAY WAITING',
    ])
    expect(again.steps[1].output).toEqual({ movedTo: first })
    expect((await post(`${path}/move`, { stepId: exit })).status).toBe(200)
    await fixture.app.drain()
    expect(await fixture.read(path)).toMatchObject({ status: 'EXITED', exitReason: 'left' })
    expect((await fixture.ask('GET', '/contacts?email=moves@example.org')).body.data[0].data).toEqual({ first: true })
  })

  it('is not moved to where it is, to a step of another workflow or to nothing', async () => {
    const workflow = await fixture.createWorkflow(MANUAL, [DELAY, EXIT])
    const other = await fixture.createWorkflow(MANUAL, [EXIT])
    const [delay] = await stepsOf(workflow)
    const [foreign] = await stepsOf(other)
    const path = await waiting(workflow, 'stays@example.org')
    for (const body of [{ stepId: delay }, { stepId: foreign }, { stepId: 'nowhere' }, {}]) {
      const answer = await post(`${path}/move`, body)
      expect([body, answer.status, answer.body.error?.errors[0].field]).toEqual([body, 422, 'stepId'])
    }
    expect((await fixture.read(path)).status).toBe('WAITING')
  })

  it('must wait: one that has ended is refused', async () => {
    const workflow = await fixture.createWorkflow(MANUAL, [DELAY, EXIT])
    const [, exit] = await stepsOf(workflow)
    const path = await waiting(workflow, 'ended@example.org')
    await fixture.ask('DELETE', path)
    expect((await post(`${path}/skip-wait`)).status).toBe(409)
    expect((await post(`${path}/move`, { stepId: exit })).status).toBe(409)
    expect((await fixture.read(path)).status).toBe('CANCELLED')
  })
})

describe('all executions at a step', () => {
  it('continue, and those at other steps and of other workflows stay', async () => {
    const steps: StepSpec[] = [DELAY, ['DELAY', { amount: 9, unit: 'days' }, 2], EXIT]
    const workflow = await fixture.createWorkflow(MANUAL, steps)
    const other = await fixture.createWorkflow(MANUAL, steps)
    const [first, second, exit] = await stepsOf(workflow)
    const all: string[] = []
    for (let n = 0; n < 3; n++) all.push(await waiting(workflow, `all-${n}@example.org`))
    const elsewhere = await waiting(other, 'all-0@example.org')
    const statuses = async () =>
      Promise.all([...all, elsewhere].map(async (path) => (await fixture.read(path)).currentStepId))
    const at = `${workflow.path}/steps/${first}/executions`
    expect(await post(`${at}/skip-wait`)).toMatchObject({ status: 202, body: { queued: true } })
    await fixture.app.drain()
    const [otherFirst] = await stepsOf(other)
    expect(await statuses()).toEqual([second, second, second, otherFirst])
    await post(`${workflow.path}/steps/${second}/executions/move`, { stepId: exit })
    await fixture.app.drain()
    expect(await statuses()).toEqual([exit, exit, exit, otherFirst])
    for (const path of all) expect((await fixture.read(path)).status).toBe('EXITED')
  })

  it('are not moved by another project, to a foreign step or from one that does not exist', async () => {
    const workflow = await fixture.createWorkflow(MANUAL, [DELAY, EXIT])
    const other = await fixture.createWorkflow(MANUAL, [EXIT])
    const [delay, exit] = await stepsOf(workflow)
    const [foreign] = await stepsOf(other)
    const path = await waiting(workflow, 'foreign@example.org')
    const at = `${workflow.path}/steps/${delay}/executions`
    const stranger = await createProject(fixture.app)
    const asStranger = (route: string, body?: object) =>
      fixture.app.request('POST', route, { key: stranger.secretKey, body })
    expect((await asStranger(`${at}/skip-wait`)).status).toBe(404)
    expect((await asStranger(`${path}/skip-wait`)).status).toBe(404)
    expect((await asStranger(`${path}/move`, { stepId: exit })).status).toBe(404)
    expect((await post(`${at}/move`, { stepId: foreign })).status).toBe(422)
    expect((await post(`${workflow.path}/steps/${foreign}/executions/skip-wait`)).status).toBe(404)
    await fixture.app.drain()
    expect((await fixture.read(path)).status).toBe('WAITING')
  })
})

describe('new times of a step', () => {
  const HOUR = 3_600_000
  const later = (at: Date, hours: number) => new Date(at.getTime() + hours * HOUR).toISOString()

  it('leave the waits of executions alone, unless they are applied to them from when each reached the step', async () => {
    const workflow = await fixture.createWorkflow(MANUAL, [['DELAY', { amount: 10, unit: 'hours' }, 1], EXIT])
    const [delay] = await stepsOf(workflow)
    const step = `${workflow.path}/steps/${delay}`
    const started = fixture.app.clock.now()
    const early = await waiting(workflow, 'early-wait@example.org')
    await fixture.advanceTime(3 * HOUR)
    const late = await waiting(workflow, 'late-wait@example.org')
    const ends = async () => Promise.all([early, late].map(async (path) => (await fixture.read(path)).resumeAt))
    const change = async (config: object, more: object = {}) => {
      expect((await fixture.ask('PATCH', step, { config, ...more })).status).toBe(200)
      await fixture.app.drain()
      return ends()
    }
    const asStarted = [later(started, 10), later(started, 13)]
    expect(await ends()).toEqual(asStarted)
    expect(await change({ amount: 5, unit: 'hours' })).toEqual(asStarted)
    expect(await change({ amount: 5, unit: 'hours' }, { waiting: 'keep' })).toEqual(asStarted)
    expect(await change({ amount: 5, unit: 'hours' }, { waiting: 'apply' })).toEqual([
      later(started, 5),
      later(started, 8),
    ])
    // The first one should have continued an hour ago.
    await change({ amount: 2, unit: 'hours' }, { waiting: 'apply' })
    expect((await fixture.read(early)).status).toBe('EXITED')
    expect(await fixture.read(late)).toMatchObject({ status: 'WAITING', resumeAt: later(started, 5) })
    await fixture.advanceTime(2 * HOUR)
    expect((await fixture.read(late)).status).toBe('EXITED')
  })

  it('apply to all that wait for an event when a graph is published, in parts, and the event is still noticed', async () => {
    const wait: StepSpec = ['WAIT_FOR_EVENT', { eventName: 'arrived', timeout: 3_600 }, { yes: 1, no: 2 }]
    const workflow = await fixture.createWorkflow(MANUAL, [
      wait,
      ['EXIT', { reason: 'yes' }],
      ['EXIT', { reason: 'no' }],
    ])
    const [stepId] = await stepsOf(workflow)
    const paths: string[] = []
    for (const name of ['one', 'two', 'three']) paths.push(await waiting(workflow, `waits-${name}@example.org`))
    const { steps, transitions } = await fixture.read(workflow.path)
    const timeless = steps.map((step: { id: string; config: object }) =>
      step.id === stepId ? { ...step, config: { eventName: 'arrived' } } : step,
    )
    const publish = (waitingAt: object) =>
      fixture.ask('PUT', `${workflow.path}/graph`, { steps: timeless, transitions, waiting: waitingAt })
    expect((await publish({ [stepId!]: 'later' })).status).toBe(422)
    expect((await publish({ [stepId!]: 'apply' })).status).toBe(200)
    const job = { projectId: fixture.project.id, workflowId: workflow.id, stepId: stepId!, after: null }
    await changeWaits(fixture.app.ctx, job, 2)
    await fixture.app.drain()
    await fixture.advanceTime(2 * HOUR)
    for (const path of paths) expect(await fixture.read(path)).toMatchObject({ status: 'WAITING', resumeAt: null })
    await fixture.track('waits-two@example.org', 'arrived')
    await fixture.app.drain()
    expect((await fixture.read(paths[1]!)).exitReason).toBe('yes')
  })

  it('do not undo a wait that was skipped', async () => {
    const workflow = await fixture.createWorkflow(MANUAL, [DELAY, EXIT])
    const [delay] = await stepsOf(workflow)
    const path = await waiting(workflow, 'skipped-first@example.org')
    await post(`${path}/skip-wait`)
    const config = { amount: 9, unit: 'days' }
    await fixture.ask('PATCH', `${workflow.path}/steps/${delay}`, { config, waiting: 'apply' })
    await fixture.app.drain()
    expect((await fixture.read(path)).status).toBe('EXITED')
  })
})
