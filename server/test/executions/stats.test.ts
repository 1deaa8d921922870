/** What the workflow editor shows of executions, and starting a workflow for a segment. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
