/** What the workflow editor shows of executions, and starting a workflow for a segment. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSegment } from '../../features/automation/executions/actions.ts'
import { createProject } from '../harness.ts'
import { DAY, type Fixture, openFixture, type StepSpec } from '../workflows/workflow-fixture.ts'

let fixture: Fixture
const ask: Fixture['ask'] = (...call) => fixture.ask(...call)
const read: Fixture['read'] = (path) => fixture.read(path)

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.app.close())

const EXIT: StepSpec = ['EXIT', { reason: 'end' }]

describe('GET /workflows/{id}/stats', () => {
  it('counts the executions at each step and what came of the steps', async () => {
    const template = await fixture.template()
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
      ['DELAY', { amount: 2, unit: 'days' }, 1],
      ['SEND_EMAIL', { templateId: template }],
    ])
    const { path, ids } = workflow
    for (const name of ['a', 'b', 'c']) await fixture.start(workflow, await fixture.contact(`${name}@example.org`))
    await fixture.app.drain()
    expect(await read(`${path}/stats`)).toMatchObject({
      active: 3,
      steps: [{ stepId: ids[0], active: 3, entered: 3, completed: 0 }],
    })
    await fixture.advanceTime(2 * DAY)
    const { active, steps } = await read(`${path}/stats`)
    expect(active).toBe(0)
    const counts = {
      active: 0,
      entered: 3,
      completed: 3,
      skipped: 0,
      failed: 0,
      opened: 0,
      clicked: 0,
      converted: 0,
      bounced: 0,
      refused: 0,
    }
    expect(steps.sort((a: { stepId: string }, b: { stepId: string }) => (a.stepId < b.stepId ? -1 : 1))).toEqual([
      { stepId: ids[0], ...counts, emails: 0, delivered: 0 },
      { stepId: ids[1], ...counts, emails: 3, delivered: 3 },
    ])
  })
})

it('GET /workflows/{id}/stats counts executions by the version that was published when they started', async () => {
  const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [EXIT])
  const publish = async (reason: string) => {
    const steps = [{ id: workflow.ids[0], type: 'EXIT', config: { reason } }]
    expect((await ask('PUT', `${workflow.path}/graph`, { steps, transitions: [] })).status).toBe(200)
    fixture.app.clock.forward(1_000)
  }
  const startFor = async (name: string) => {
    await fixture.start(workflow, await fixture.contact(`${name}@versions.example`))
    await fixture.app.drain()
    fixture.app.clock.forward(1_000)
  }
  await startFor('before')
  await publish('second')
  await startFor('second')
  await startFor('second-too')
  await publish('third')
  await startFor('third')

  const ended = (counted: number) => ({ counted, active: 0, completed: counted, failed: 0, converted: 0 })
  const all = await read(`${workflow.path}/stats`)
  expect(all).toMatchObject({ version: null, counted: 4, steps: [{ entered: 4 }] })
  expect(all.versions).toMatchObject([
    { number: 3, ...ended(1) },
    { number: 2, ...ended(2) },
    { number: 1, ...ended(1) },
  ])
  expect(await read(`${workflow.path}/stats?version=2`)).toMatchObject({
    version: 2,
    counted: 2,
    steps: [{ stepId: workflow.ids[0], entered: 2 }],
  })
  expect((await ask('GET', `${workflow.path}/stats?version=9`)).status).toBe(404)
})

describe('PATCH /workflows/{id} with includeCurrentMembers', () => {
  it('also starts the workflow for contacts who are in its segment, once each', async () => {
    const { body: segment } = await ask('POST', '/segments', { name: 'Now', type: 'STATIC', trackMembership: true })
    const join = (...emails: string[]) => ask('POST', `/segments/${segment.id}/members`, { emails })
    const emails = ['one', 'two', 'three'].map((name) => `${name}@now.example`)
    for (const email of emails) await fixture.contact(email)
    await join(...emails)
    await fixture.app.drain()
    fixture.app.clock.forward(1_000)
    const given = { eventName: 'segment.now.entry', allowReentry: true }
    const workflow = await fixture.createWorkflow(given, [EXIT], false)
    const enable = (fields: object) => ask('PATCH', workflow.path, fields)

    expect((await enable({ includeCurrentMembers: true })).status).toBe(422)
    const other = { enabled: true, eventName: 'segment.gone.entry', includeCurrentMembers: true }
    expect((await enable(other)).body.error.errors).toMatchObject([{ field: 'includeCurrentMembers' }])
    expect((await read(workflow.path)).enabled).toBe(false)

    expect((await enable({ enabled: true, includeCurrentMembers: true })).status).toBe(200)
    // Enters before the job runs, and is started by its event alone.
    fixture.app.clock.forward(1_000)
    await fixture.contact('late@now.example')
    await join('late@now.example')
    const { rows: jobs } = await fixture.app.pool.query(
      "select payload from posthorn_queue.jobs where name = 'start-segment'",
    )
    await fixture.app.drain()
    const started = async () => (await fixture.executions(workflow)).length
    expect(await started()).toBe(4)

    // A worker that exits before its job ends leaves the job to another one.
    await startSegment(fixture.app.ctx, jobs[0]!.payload)
    await fixture.app.drain()
    expect(await started()).toBe(4)
    expect((await enable({ enabled: true, includeCurrentMembers: true })).status).toBe(422)
  })
})

it('GET /workflows/counts returns the active and completed executions of each enabled workflow', async () => {
  const waiting = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
    ['DELAY', { amount: 30, unit: 'days' }, 1],
    EXIT,
  ])
  const ending = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [EXIT])
  const contact = await fixture.contact('counted@example.org')
  await fixture.start(waiting, contact)
  await fixture.start(ending, contact)
  await fixture.app.drain()
  const countsOf = async ({ id }: { id: string }) =>
    (await read('/workflows/counts')).find(({ workflowId }: { workflowId: string }) => workflowId === id)
  expect(await countsOf(waiting)).toEqual({ workflowId: waiting.id, active: 1, completed: 0 })
  expect(await countsOf(ending)).toEqual({ workflowId: ending.id, active: 0, completed: 1 })
  await fixture.advanceTime(8 * DAY)
  expect(await countsOf(ending)).toEqual({ workflowId: ending.id, active: 0, completed: 0 })
  await ask('PATCH', ending.path, { enabled: false })
  expect(await countsOf(ending)).toBeUndefined()
  const other = await createProject(fixture.app)
  expect((await ask('GET', '/workflows/counts', undefined, other.secretKey)).body).toEqual([])
})

describe('POST /workflows/{id}/executions/segment', () => {
  it('starts the workflow once for each contact of the segment that can enter it', async () => {
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [EXIT])
    const emails = ['one', 'two', 'three'].map((name) => `${name}@segment.example`)
    const ids: string[] = []
    for (const email of emails) ids.push(await fixture.contact(email, { data: { group: 'segment' } }))
    await fixture.start(workflow, ids[0]!)
    const condition = {
      logic: 'AND',
      groups: [{ filters: [{ field: 'data.group', operator: 'equals', value: 'segment' }] }],
    }
    const { body: segment } = await ask('POST', '/segments', { name: 'S', condition })
    const started = await ask('POST', `${workflow.path}/executions/segment`, { segmentId: segment.id })
    expect(started).toMatchObject({ status: 202, body: { queued: true } })
    await fixture.app.drain()
    const found = await fixture.executions(workflow)
    expect(found.map(({ contactId }) => contactId).sort()).toEqual(ids.sort())
    expect(found.every(({ status }) => status === 'EXITED')).toBe(true)
  })

  it('refuses a disabled workflow and a segment of another project', async () => {
    const other = await createProject(fixture.app)
    const { body: theirs } = await ask('POST', '/segments', { name: 'S', type: 'STATIC' }, other.secretKey)
    const { body: mine } = await ask('POST', '/segments', { name: 'S', type: 'STATIC' })
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [EXIT])
    expect((await ask('POST', `${workflow.path}/executions/segment`, { segmentId: theirs.id })).status).toBe(404)
    await ask('PATCH', workflow.path, { enabled: false })
    expect((await ask('POST', `${workflow.path}/executions/segment`, { segmentId: mine.id })).status).toBe(409)
  })
})
