/** Changes of a whole graph: publishing it, drafts, versions, and what happens to executions at removed steps. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wakeExecutions } from '../../features/automation/executions/actions.ts'
import { newId } from '../../kernel/ids.ts'
import { createProject } from '../harness.ts'
import { countRows, DAY, type Fixture, openFixture, type StepSpec, TEMPLATE } from './workflow-fixture.ts'

let fixture: Fixture
const ask: Fixture['ask'] = (...call) => fixture.ask(...call)
const read: Fixture['read'] = (path) => fixture.read(path)

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.app.close())

const WAIT: StepSpec = ['DELAY', { amount: 2, unit: 'days' }, 1]
const EXIT: StepSpec = ['EXIT', { reason: 'end' }]
const step = (type: string, config: object = {}, more: object = {}) => ({
  id: newId(new Date()),
  type,
  config,
  ...more,
})

interface ShownGraph {
  steps: Array<{ id: string; type: string; config: object }>
  transitions: Array<{ id: string; fromStepId: string; toStepId: string; branch: string | null }>
  revision: number
}

/** The body that publishes the graph as it is, without some steps and the transitions around them. */
function without({ steps, transitions }: ShownGraph, ...removed: string[]) {
  return {
    steps: steps.filter(({ id }) => !removed.includes(id)),
    transitions: transitions.filter(
      ({ fromStepId, toStepId }) => ![fromStepId, toStepId].some((id) => removed.includes(id)),
    ),
  }
}

let people = 0
const someone = () => fixture.contact(`reader${++people}@example.org`)

/** A workflow in which contacts wait two days at its first step. */
async function withWaiting(contacts: number, rest: StepSpec[] = [EXIT]) {
  const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [WAIT, ...rest])
  const paths: string[] = []
  for (let i = 0; i < contacts; i++) paths.push(await fixture.start(workflow, await someone()))
  await fixture.app.drain()
  return { ...workflow, paths, graph: (await read(workflow.path)) as ShownGraph }
}

describe('PUT /workflows/{id}/graph', () => {
  it('replaces steps and transitions, and keeps the IDs and transitions that stay', async () => {
    const path = await fixture.create()
    const [first, second, third] = [
      step('DELAY', { amount: 1, unit: 'days' }),
      step('EXIT'),
      step('EXIT', { reason: 'x' }),
    ]
    const created = await ask('PUT', `${path}/graph`, {
      steps: [first, second],
      transitions: [{ fromStepId: first.id, toStepId: second.id }],
    })
    expect(created).toMatchObject({
      status: 200,
      body: { steps: [{ id: first.id, type: 'DELAY' }, { id: second.id }], transitions: [{ branch: null }] },
    })
    const before = created.body as ShownGraph
    const condition = step(
      'CONDITION',
      { field: 'data.x', operator: 'exists' },
      { name: 'Has x?', position: { x: 1, y: 2 } },
    )
    const { status, body } = await ask('PUT', `${path}/graph`, {
      revision: before.revision,
      steps: [...before.steps, condition, third],
      transitions: [
        { fromStepId: condition.id, toStepId: first.id, branch: 'yes' },
        { fromStepId: condition.id, toStepId: third.id, branch: 'no' },
        ...before.transitions,
      ],
    })
    expect(status).toBe(200)
    expect(body.steps.map(({ id }: { id: string }) => id).sort()).toEqual(
      [first, second, condition, third].map(({ id }) => id).sort(),
    )
    expect(body.steps.find(({ id }: { id: string }) => id === condition.id)).toMatchObject({
      name: 'Has x?',
      position: { x: 1, y: 2 },
    })
    expect(body.transitions.map(({ id }: { id: string }) => id)).toContain(before.transitions[0]!.id)
    expect(body.transitions).toHaveLength(3)
    expect(await read(path)).toEqual(body)
  })

  it('changes nothing if one part of the graph is refused, and reports every problem', async () => {
    const { path, ids } = await fixture.createWorkflow({ eventName: 'x' }, [WAIT, EXIT])
    const before = await read(path)
    const webhook = step('WEBHOOK', { url: 'nowhere' })
    const { status, body } = await ask('PUT', `${path}/graph`, {
      steps: [...before.steps, webhook, step('SEND_EMAIL')],
      transitions: [
        ...before.transitions,
        { fromStepId: ids[1], toStepId: ids[0] },
        { fromStepId: webhook.id, toStepId: newId(new Date()) },
      ],
    })
    expect(status).toBe(422)
    expect(body.error.errors.map(({ field }: { field: string }) => field)).toEqual([
      'steps.2.config.url',
      'steps.3.templateId',
      'transitions.1.fromStepId',
      'transitions.2.toStepId',
    ])
    expect(await read(path)).toEqual(before)
  })

  it('refuses a loop, a repeated id, another type, and an enabled workflow without exactly one first step', async () => {
    const { path, ids, graph } = await withWaiting(0, [['DELAY', { amount: 1, unit: 'days' }, 2], EXIT])
    const { steps, transitions } = graph
    const loop = [
      ...transitions.filter(({ fromStepId }) => fromStepId !== ids[1]),
      { fromStepId: ids[1], toStepId: ids[0] },
    ]
    const cases = [
      [{ steps, transitions: loop }, 'transitions.1.toStepId'],
      [{ steps: [...steps, steps[0]], transitions }, 'steps.3.id'],
      [{ steps: [{ ...steps[0], type: 'EXIT', config: {} }], transitions: [] }, 'steps.0.type'],
      [{ steps, transitions: transitions.slice(1) }, 'steps'],
      [{ steps: [], transitions: [] }, 'steps'],
      [{ steps: Array.from({ length: 201 }, () => step('EXIT')), transitions: [] }, 'steps'],
      [{ steps: [step('NOPE')], transitions: [] }, 'steps.0.type'],
      [{ steps, transitions, executions: { [ids[0]!]: 'lose' } }, `executions.${ids[0]}`],
    ] as const
    for (const [body, field] of cases) {
      const reply = await ask('PUT', `${path}/graph`, body)
      expect(reply.status).toBe(422)
      expect(reply.body.error.errors[0].field).toBe(field)
    }
    expect(await read(path)).toEqual(graph)
  })

  it('accepts steps that have not changed, even if their template was deleted', async () => {
    const template = await fixture.template()
    const { path, graph } = await withWaiting(0, [['SEND_EMAIL', { templateId: template }]])
    await fixture.app.pool.query('update workflow_steps set template_id = $1 where template_id = $2', [
      newId(new Date()),
      template,
    ])
    const current = await read(path)
    const moved = current.steps.map((one: object) => ({ ...one, position: { x: 1, y: 1 } }))
    expect((await ask('PUT', `${path}/graph`, { steps: moved, transitions: graph.transitions })).status).toBe(200)
  })

  it('returns 409 when the workflow was changed since the given revision', async () => {
    const { path, graph } = await withWaiting(0)
    await ask('PATCH', path, { name: 'Renamed' })
    expect((await ask('PUT', `${path}/graph`, graph)).status).toBe(409)
    expect((await ask('PUT', `${path}/graph`, { ...graph, revision: graph.revision + 1 })).status).toBe(200)
  })

  it('uses nothing of another project or workflow', async () => {
    const other = await createProject(fixture.app)
    const otherTemplate = (await ask('POST', '/templates', TEMPLATE, other.secretKey)).body.id
    const theirs = await fixture.createWorkflow({ eventName: 'x' }, [EXIT])
    const path = await fixture.create()
    const graph = { steps: [step('EXIT')], transitions: [] }
    expect((await ask('PUT', `${path}/graph`, graph, other.secretKey)).status).toBe(404)
    const stolen = await ask('PUT', `${path}/graph`, {
      steps: [{ ...graph.steps[0], id: theirs.ids[0] }],
      transitions: [],
    })
    expect(stolen).toMatchObject({ status: 422, body: { error: { errors: [{ field: 'steps.0.id' }] } } })
    const email = step('SEND_EMAIL', {}, { templateId: otherTemplate })
    const refused = await ask('PUT', `${path}/graph`, { steps: [email], transitions: [] })
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { errors: [{ field: 'steps.0', message: expect.stringContaining('template') }] } },
    })
    for (const [method, rest] of [
      ['GET', 'draft'],
      ['PUT', 'draft'],
      ['DELETE', 'draft'],
      ['GET', 'versions'],
      ['GET', 'versions/1'],
      ['GET', 'stats'],
    ] as const) {
      const reply = await ask(method, `${path}/${rest}`, method === 'PUT' ? graph : undefined, other.secretKey)
      expect(reply.status).toBe(404)
    }
    expect((await read(theirs.path)).steps).toHaveLength(1)
  })
})

describe('removing a step that contacts are at', () => {
  it('returns 409 with their number unless the request contains a choice for them', async () => {
    const { path, ids, graph } = await withWaiting(2)
    const { status, body } = await ask('PUT', `${path}/graph`, without(graph, ids[0]!))
    expect({ status, details: body.error.details }).toEqual({
      status: 409,
      details: { steps: [{ stepId: ids[0], contacts: 2 }] },
    })
    expect(await read(path)).toEqual(graph)
  })

  it.each([
    [
      'PUT graph',
      'move',
      { status: 'EXITED', exitReason: 'end', steps: [{ status: 'SKIPPED' }, { status: 'COMPLETED' }] },
    ],
    [
      'DELETE',
      'move',
      { status: 'EXITED', exitReason: 'end', steps: [{ status: 'SKIPPED' }, { status: 'COMPLETED' }] },
    ],
    ['PUT graph', 'cancel', { status: 'CANCELLED', steps: [{ type: 'DELAY' }] }],
    ['DELETE', 'cancel', { status: 'CANCELLED', steps: [{ type: 'DELAY' }] }],
  ])('moves them to the next step or cancels them: %s with %s', async (how, executions, expected) => {
    const { path, ids, graph, paths } = await withWaiting(2)
    const { status } =
      how === 'DELETE'
        ? await ask('DELETE', `${path}/steps/${ids[0]}?splice=true&executions=${executions}`)
        : await ask('PUT', `${path}/graph`, { ...without(graph, ids[0]!), executions: { [ids[0]!]: executions } })
    expect(status).toBe(how === 'DELETE' ? 204 : 200)
    await fixture.app.drain()
    for (const execution of paths)
      expect(await read(execution)).toMatchObject({ completedAt: expect.any(String), ...expected })
  })

  it('is completed by a job in batches, so that the request is fast for any number of contacts', async () => {
    const { path, ids, graph, paths } = await withWaiting(5, [['DELAY', { amount: 1, unit: 'days' }, 2], EXIT])
    const { pool, ctx } = fixture.app
    const [first, second] = ids
    const executions = { [first!]: 'move', [second!]: 'move' }
    await ask('PUT', `${path}/graph`, { ...without(graph, first!, second!), executions })
    const { rows } = await pool.query(
      `delete from posthorn_queue.jobs where name = 'wake-executions' returning payload`,
    )
    expect(rows).toMatchObject([{ payload: { stepIds: [first, second] } }])
    await fixture.app.drain()
    expect((await read(paths[0]!)).status).toBe('WAITING')
    await wakeExecutions(ctx, rows[0].payload, 2)
    await fixture.app.drain()
    for (const execution of paths) expect(await read(execution)).toMatchObject({ status: 'EXITED', exitReason: 'end' })
  })

  it('completes them when no step follows', async () => {
    const workflow = await fixture.createWorkflow(
      { triggerType: 'MANUAL' },
      [EXIT, ['DELAY', { amount: 1, unit: 'days' }]],
      false,
    )
    const graph = await read(workflow.path)
    const [exit, wait] = workflow.ids
    await ask('PUT', `${workflow.path}/graph`, without(graph, exit!))
    await ask('PATCH', workflow.path, { enabled: true })
    const execution = await fixture.start(workflow, await someone())
    await fixture.app.drain()
    await ask('PATCH', workflow.path, { enabled: false })
    await ask('PUT', `${workflow.path}/graph`, { steps: [], transitions: [], executions: { [wait!]: 'move' } })
    await fixture.app.drain()
    expect(await read(execution)).toMatchObject({ status: 'COMPLETED', steps: [{ status: 'SKIPPED' }] })
  })

  it('moves them past several removed steps, including a contact that arrives at one later', async () => {
    const { path, ids, graph, paths } = await withWaiting(1, [['DELAY', { amount: 1, unit: 'days' }, 2], EXIT])
    const [first, second] = ids
    await ask('PUT', `${path}/graph`, { ...without(graph, first!, second!), executions: { [first!]: 'move' } })
    // As if its runner had read the graph before the change.
    await fixture.app.pool.query(`update workflow_executions set current_step_id = $1 where id = $2`, [
      second,
      paths[0]!.split('/').at(-1),
    ])
    await fixture.app.drain()
    expect(await read(paths[0]!)).toMatchObject({ status: 'EXITED', exitReason: 'end' })
  })

  it('leaves executions at steps that stay where they are', async () => {
    const { path, ids, graph, paths } = await withWaiting(1, [['DELAY', { amount: 1, unit: 'days' }, 2], EXIT])
    await ask('PUT', `${path}/graph`, {
      ...without(graph, ids[1]!),
      transitions: [{ fromStepId: ids[0], toStepId: ids[2] }],
    })
    await fixture.app.drain()
    expect(await read(paths[0]!)).toMatchObject({ status: 'WAITING', currentStepId: ids[0] })
    await fixture.advanceTime(2 * DAY)
    expect(await read(paths[0]!)).toMatchObject({
      status: 'EXITED',
      steps: [{ status: 'COMPLETED' }, { status: 'COMPLETED' }],
    })
  })

  it('can be undone: a step that is added again with its ID is used again', async () => {
    const { path, ids, graph } = await withWaiting(0)
    await ask('PUT', `${path}/graph`, without(graph, ids[0]!))
    expect(await countRows(fixture.app, 'workflow_removed_steps', `step_id = '${ids[0]}'`)).toBe(1)
    expect((await ask('PUT', `${path}/graph`, { steps: graph.steps, transitions: graph.transitions })).status).toBe(200)
    expect(await countRows(fixture.app, 'workflow_removed_steps', `step_id = '${ids[0]}'`)).toBe(0)
    const execution = await fixture.start({ path }, await someone())
    await fixture.app.drain()
    expect(await read(execution)).toMatchObject({ status: 'WAITING', currentStepId: ids[0] })
  })
})

describe('a draft', () => {
  it('can be incomplete, reports its problems, and does not change the published graph', async () => {
    const { path, graph } = await withWaiting(0)
    const none = await read(`${path}/draft`)
    expect(none).toMatchObject({
      version: 0,
      problems: [],
      executions: {},
      steps: [{ type: 'DELAY' }, { type: 'EXIT' }],
    })
    const webhook = step('WEBHOOK', { url: '' })
    const changed = { steps: [...none.steps, webhook], transitions: none.transitions, executions: {} }
    const saved = await ask('PUT', `${path}/draft`, { ...changed, version: 0 })
    expect(saved).toMatchObject({ status: 200, body: { version: 1, problems: [{ field: 'steps.2.config.url' }] } })
    expect(await read(`${path}/draft`)).toEqual(saved.body)
    expect(await read(path)).toEqual(graph)
    expect((await ask('DELETE', `${path}/draft`)).status).toBe(204)
    expect(await read(`${path}/draft`)).toMatchObject({ version: 0, steps: none.steps })
  })

  it('is not overwritten by a change that is based on another version', async () => {
    const { path, graph } = await withWaiting(0)
    const save = async (version: number) => (await ask('PUT', `${path}/draft`, { ...without(graph), version })).status
    expect([await save(0), await save(0), await save(1), await save(1), await save(2)]).toEqual([
      200, 409, 200, 409, 200,
    ])
    await ask('DELETE', `${path}/draft`)
    expect([await save(3), await save(0)]).toEqual([409, 200])
  })

  it('is outdated when the published graph was changed after it was started', async () => {
    const { path, graph } = await withWaiting(0)
    const save = async () => (await ask('PUT', `${path}/draft`, without(graph))).body.outdated
    expect([(await read(`${path}/draft`)).outdated, await save()]).toEqual([false, false])
    await fixture.addStep(path, 'EXIT')
    expect([(await read(`${path}/draft`)).outdated, await save()]).toEqual([true, true])
    await ask('DELETE', `${path}/draft`)
    expect([(await read(`${path}/draft`)).outdated, await save()]).toEqual([false, false])
  })

  it('is simulated instead of the published graph on request', async () => {
    const { path, graph } = await withWaiting(0)
    const contactId = await someone()
    const steps = graph.steps.map((one) => (one.type === 'EXIT' ? { ...one, config: { reason: 'draft' } } : one))
    await ask('PUT', `${path}/draft`, { steps, transitions: graph.transitions })
    const reasons = []
    for (const draft of [true, false]) {
      reasons.push((await ask('POST', `${path}/simulate`, { contactId, draft })).body.exitReason)
    }
    expect(reasons).toEqual(['draft', 'end'])
    await ask('PUT', `${path}/draft`, { steps: [...steps, step('WEBHOOK')], transitions: graph.transitions })
    expect((await ask('POST', `${path}/simulate`, { contactId, draft: true })).status).toBe(422)
  })

  it('is deleted when a graph is published, which adds a version', async () => {
    const { path, ids, graph } = await withWaiting(0)
    await ask('PUT', `${path}/draft`, without(graph, ids[1]!))
    await ask('PUT', `${path}/graph`, without(graph, ids[1]!))
    expect((await read(`${path}/draft`)).version).toBe(0)
    expect((await read(`${path}/versions`)).data).toMatchObject([
      { number: 2, stepCount: 1 },
      { number: 1, stepCount: 2 },
    ])
    const first = await read(`${path}/versions/1`)
    expect(first.steps.map(({ id }: { id: string }) => id)).toEqual(ids)
    const { number: _, publishedAt: __, ...restored } = first
    expect((await ask('PUT', `${path}/graph`, restored)).body).toMatchObject({
      steps: [{ id: ids[0] }, { id: ids[1] }],
    })
    expect((await read(`${path}/versions`)).data.map(({ number }: { number: number }) => number)).toEqual([3, 2, 1])
    for (const number of ['9', 'x', '99999999999'])
      expect((await ask('GET', `${path}/versions/${number}`)).status).toBe(404)
  })
})
