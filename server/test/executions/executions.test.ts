/** Executions: starting, listing, canceling, and what happens when the workflow or the contact changes meanwhile. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject } from '../harness.ts'
import { countRows, DAY, type Fixture, GONE, MINUTE, openFixture } from '../workflows/workflow-fixture.ts'

let fixture: Fixture
const ask: Fixture['ask'] = (...call) => fixture.ask(...call)
const start: Fixture['start'] = (...call) => fixture.start(...call)
const read: Fixture['read'] = (path) => fixture.read(path)

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.app.close())

const EXIT = ['EXIT', { reason: 'end' }] as const

let people = 0
const someone = (fields: object = {}) => fixture.contact(`person${++people}@example.org`, fields)

describe('an execution', () => {
  it('runs its steps at once and records them if it is started manually', async () => {
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
      ['UPDATE_CONTACT', { updates: { seen: true } }, 1],
      ['EXIT', { reason: 'end' }],
    ])
    const contactId = await someone()
    const { status, body } = await ask('POST', `${workflow.path}/executions`, { contactId, context: { a: 1 } })
    const now = fixture.app.clock.now().toISOString()
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        workflowId: workflow.id,
        contactId,
        status: 'RUNNING',
        currentStepId: null,
        exitReason: null,
        goalReached: false,
        error: null,
        context: { a: 1 },
        event: null,
        resumeAt: null,
        startedAt: now,
        completedAt: null,
        createdAt: now,
        updatedAt: now,
      },
    })
    await fixture.app.drain()
    const after = await read(`${workflow.path}/executions/${body.id}`)
    expect(after).toMatchObject({
      status: 'EXITED',
      exitReason: 'end',
      completedAt: now,
      currentStepId: workflow.ids[1],
    })
    expect(after.steps).toMatchObject([
      { stepId: workflow.ids[0], type: 'UPDATE_CONTACT', status: 'COMPLETED', output: { updates: { seen: true } } },
      { stepId: workflow.ids[1], type: 'EXIT', status: 'COMPLETED', error: null, startedAt: now, completedAt: now },
    ])
    expect((await read(`/contacts/${contactId}`)).data).toEqual({ seen: true })
  })

  it('is COMPLETED when no transition follows', async () => {
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
      ['CONDITION', { field: 'data.x', operator: 'exists' }, { yes: 1 }],
      [...EXIT],
    ])
    const path = await start(workflow, await someone())
    await fixture.app.drain()
    expect(await read(path)).toMatchObject({
      status: 'COMPLETED',
      exitReason: null,
      steps: [{ output: { branch: 'no' } }],
    })
  })

  it('cannot start in a disabled workflow, for an unknown contact, or with an invalid context', async () => {
    const workflow = await fixture.createWorkflow({ eventName: 'x' }, [[...EXIT]], false)
    const contactId = await someone()
    expect((await ask('POST', `${workflow.path}/executions`, { contactId })).status).toBe(409)
    await ask('PATCH', workflow.path, { enabled: true })
    expect((await ask('POST', `${workflow.path}/executions`, { contactId: GONE })).status).toBe(404)
    for (const body of [{}, { contactId: 'x' }, { contactId, context: [] }, { contactId, context: 'x' }]) {
      expect((await ask('POST', `${workflow.path}/executions`, body)).status).toBe(422)
    }
    const other = await createProject(fixture.app)
    const theirs = (await ask('POST', '/contacts', { email: 'x@example.org' }, other.secretKey)).body.id
    expect((await ask('POST', `${workflow.path}/executions`, { contactId: theirs })).status).toBe(404)
    expect((await ask('GET', `${workflow.path}/executions`)).body.total).toBe(0)
  })

  it('starts once per contact without re-entry, and again after the previous one ended with re-entry', async () => {
    const once = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [[...EXIT]])
    const again = await fixture.createWorkflow({ triggerType: 'MANUAL', allowReentry: true }, [
      ['DELAY', { amount: 1, unit: 'minutes' }],
    ])
    const contactId = await someone()
    const enter = async ({ path }: { path: string }) => (await ask('POST', `${path}/executions`, { contactId })).status
    expect(await Promise.all([enter(once), enter(once), enter(once)])).toEqual(expect.arrayContaining([201, 409, 409]))
    await fixture.app.drain()
    expect(await enter(once)).toBe(409)
    expect([await enter(again), await enter(again)]).toEqual([201, 409])
    await fixture.app.drain()
    await fixture.advanceTime(MINUTE)
    expect(await enter(again)).toBe(201)
    await fixture.app.drain()
    await fixture.advanceTime(MINUTE)
    await ask('PATCH', again.path, { allowReentry: false })
    expect(await enter(again)).toBe(409)
  })
})

it('a delay that ended days ago, while no worker was running, continues once when workers start', async () => {
  const templateId = await fixture.template({ type: 'TRANSACTIONAL' })
  const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
    ['DELAY', { amount: 1, unit: 'hours' }, 1],
    ['SEND_EMAIL', { templateId }, 2],
    [...EXIT],
  ])
  const contactId = await someone()
  const path = await start(workflow, contactId)
  await fixture.app.drain()
  expect((await read(path)).status).toBe('WAITING')
  fixture.app.clock.forward(3 * DAY)
  const setAlarms = () => fixture.app.jobs['set-workflow-alarms']({}, { attempt: 1, at: fixture.app.clock.now() })
  await Promise.all([setAlarms(), setAlarms()])
  await fixture.app.drain()
  expect((await read(path)).status).toBe('EXITED')
  const { rows } = await fixture.app.pool.query('select status from emails where contact_id = $1', [contactId])
  expect(rows).toEqual([{ status: 'DELIVERED' }])
})

describe('the list of executions', () => {
  it('has pages, filters by status and contact, and rejects invalid filters', async () => {
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [['DELAY', { amount: 1, unit: 'days' }]])
    const [one, two, three] = [await someone(), await someone(), await someone()]
    const paths = [await start(workflow, one), await start(workflow, two), await start(workflow, three)]
    await fixture.app.drain()
    await ask('DELETE', paths[1]!)
    const list = async (query: string) => (await ask('GET', `${workflow.path}/executions${query}`)).body
    const contacts = async (query: string) => (await list(query)).data.map((e: { contactId: string }) => e.contactId)
    expect(await list('?pageSize=2')).toMatchObject({ total: 3, totalPages: 2, page: 1, pageSize: 2 })
    expect(await contacts('')).toEqual([three, two, one])
    expect(await contacts('?status=WAITING')).toEqual([three, one])
    expect(await contacts('?status=CANCELLED')).toEqual([two])
    expect(await contacts(`?contactId=${one}`)).toEqual([one])
    expect(await contacts(`?contactId=${one}&status=CANCELLED`)).toEqual([])
    expect((await ask('GET', `${workflow.path}/executions?status=waiting`)).status).toBe(400)
    for (const id of [GONE, 'x'])
      expect((await ask('GET', `${workflow.path}/executions?contactId=${id}`)).status).toBe(404)
    const elsewhere = await fixture.createWorkflow({}, [[...EXIT]], false)
    const id = paths[0]!.split('/').at(-1)
    for (const method of ['GET', 'DELETE']) {
      expect((await ask(method, `${elsewhere.path}/executions/${id}`)).status).toBe(404)
    }
  })
})

describe('canceling executions', () => {
  it('cancels an active execution once, and returns 409 for one that has ended', async () => {
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
      ['DELAY', { amount: 1, unit: 'minutes' }, 1],
      ['UPDATE_CONTACT', { updates: { late: true } }],
    ])
    const contactId = await someone()
    const path = await start(workflow, contactId)
    await fixture.app.drain()
    expect(await ask('DELETE', path)).toMatchObject({
      status: 200,
      body: { status: 'CANCELLED', steps: [{ status: 'CANCELLED' }] },
    })
    expect((await ask('DELETE', path)).status).toBe(409)
    await fixture.advanceTime(DAY)
    expect(await read(path)).toMatchObject({ status: 'CANCELLED', steps: [{ type: 'DELAY' }] })
    expect((await read(`/contacts/${contactId}`)).data).toEqual({})
    expect((await ask('POST', `${path}/retry`)).status).toBe(409)
  })

  it('cancels all active executions, after which the workflow can be deleted with all of them', async () => {
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
      ['CONDITION', { field: 'data.go', operator: 'exists' }, { no: 1 }],
      ['WAIT_FOR_EVENT', { eventName: 'never' }],
    ])
    for (const data of [{}, {}, { go: 1 }]) await start(workflow, await someone({ data }))
    await fixture.app.drain()
    expect((await ask('DELETE', workflow.path)).status).toBe(409)
    expect(await ask('POST', `${workflow.path}/executions/cancel-all`)).toMatchObject({
      status: 200,
      body: { cancelled: 2 },
    })
    expect((await ask('POST', `${workflow.path}/executions/cancel-all`)).body).toEqual({ cancelled: 0 })
    const found = await fixture.executions(workflow)
    expect(found.map((e) => e.status)).toEqual(['CANCELLED', 'CANCELLED', 'COMPLETED'])
    expect((await ask('DELETE', workflow.path)).status).toBe(204)
    await fixture.app.drain()
    expect(await countRows(fixture.app, 'workflow_executions', `workflow_id = '${workflow.id}'`)).toBe(0)
    expect(await countRows(fixture.app, 'workflow_step_runs', `execution_id = '${found[0].id}'`)).toBe(0)
  })

  it('does not happen when the workflow is disabled: active executions continue', async () => {
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
      ['DELAY', { amount: 1, unit: 'hours' }, 1],
      [...EXIT],
    ])
    const path = await start(workflow, await someone())
    await fixture.app.drain()
    await ask('PATCH', workflow.path, { enabled: false })
    await fixture.advanceTime(DAY)
    expect((await read(path)).status).toBe('EXITED')
  })

  it('happens when the contact is deleted, and its personal data is erased', async () => {
    const custom = await fixture.template({ type: 'TRANSACTIONAL', subject: 'About {{email}}' })
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
      ['SEND_EMAIL', { templateId: custom, recipient: { type: 'CUSTOM', customEmail: 'sales@example.net' } }, 1],
      ['DELAY', { amount: 1, unit: 'days' }, 2],
      [...EXIT],
    ])
    const contactId = await someone({ data: { secret: 'abc' } })
    const path = await start(workflow, contactId, { note: 'private' })
    await fixture.app.drain()
    expect((await ask('DELETE', `/contacts/${contactId}`)).status).toBe(204)
    expect((await read(path)).status).toBe('CANCELLED')
    await fixture.app.drain()
    const after = await read(path)
    expect(after).toMatchObject({ contactId: null, context: {}, status: 'CANCELLED' })
    expect(after.steps.map((s: { output: unknown }) => s.output)).toEqual([null, null])
    const { rows } = await fixture.app.pool.query(`select * from emails where to_email = 'sales@example.net'`)
    expect(rows).toMatchObject([{ variables: {}, contact_data: {}, subject: '' }])
    await fixture.advanceTime(2 * DAY)
    expect((await read(path)).status).toBe('CANCELLED')
  })
})

describe('an execution whose graph changes', () => {
  const waiting = async () => {
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
      ['DELAY', { amount: 1, unit: 'hours' }, 1],
      ['EXIT', { reason: 'old' }],
    ])
    const path = await start(workflow, await someone())
    await fixture.app.drain()
    return { workflow, path }
  }

  it('continues with the new configuration', async () => {
    const { workflow, path } = await waiting()
    await ask('PATCH', `${workflow.path}/steps/${workflow.ids[1]}`, { config: { reason: 'new' } })
    await fixture.advanceTime(DAY)
    expect(await read(path)).toMatchObject({ status: 'EXITED', exitReason: 'new' })
  })

  it('is completed if the next step was removed', async () => {
    const { workflow, path } = await waiting()
    await ask('DELETE', `${workflow.path}/steps/${workflow.ids[1]}`)
    await fixture.advanceTime(DAY)
    expect((await read(path)).status).toBe('COMPLETED')
  })

  it('fails at once, with the reason, if the step it waits at was removed', async () => {
    const { workflow, path } = await waiting()
    await ask('DELETE', `${workflow.path}/steps/${workflow.ids[0]}?splice=true`)
    await fixture.app.drain()
    expect(await read(path)).toMatchObject({
      status: 'FAILED',
      error: 'The step at which this execution was waiting was deleted.',
    })
  })
})

it('an execution fails at a step whose type this version does not have', async () => {
  const { pool } = fixture.app
  const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [[...EXIT]])
  await pool.query(`update workflow_steps set type = 'FUTURE' where id = $1`, [workflow.ids[0]])
  const path = await start(workflow, await someone())
  await fixture.app.drain()
  const { rows } = await pool.query('select status, error from workflow_executions where id = $1', [
    path.split('/').at(-1),
  ])
  expect(rows).toEqual([{ status: 'FAILED', error: 'There is no step type FUTURE.' }])
})

describe('a disabled project', () => {
  it('pauses its executions until it is enabled again', async () => {
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
      ['DELAY', { amount: 1, unit: 'minutes' }, 1],
      [...EXIT],
    ])
    const path = await start(workflow, await someone())
    await fixture.app.drain()
    const disable = (at: string | null) =>
      fixture.app.pool.query('update projects set disabled_at = $2 where id = $1', [fixture.project.id, at])
    await disable('2026-01-01')
    await fixture.advanceTime(MINUTE)
    expect((await read(path)).status).toBe('WAITING')
    expect((await ask('POST', `${workflow.path}/executions`, { contactId: GONE })).status).toBe(403)
    await disable(null)
    await fixture.advanceTime(MINUTE)
    expect((await read(path)).status).toBe('EXITED')
  })
})
