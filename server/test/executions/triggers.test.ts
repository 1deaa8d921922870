/** What starts and wakes executions: events from all sources, each once, in any order, and without endless loops. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { JOB_DEFAULTS } from '../../platform/queue/catalogue.ts'
import { createProject } from '../harness.ts'
import { countRows, type Fixture, openFixture, type StepSpec } from '../workflows/workflow-fixture.ts'

let fixture: Fixture
const ask: Fixture['ask'] = (...call) => fixture.ask(...call)

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.app.close())

const MINUTE = 60_000
const EXIT: StepSpec = ['EXIT', {}]
const jobsOf = (name: string) => countRows(fixture.app, 'posthorn_queue.jobs', `name = '${name}'`)
const statuses = async (workflow: { path: string }) => (await fixture.executions(workflow)).map((e) => e.status)

describe('an event', () => {
  it('starts every enabled workflow that it triggers, with the data of the event', async () => {
    const one = await fixture.createWorkflow({ eventName: 'signup' }, [EXIT])
    const two = await fixture.createWorkflow({ eventName: 'signup' }, [EXIT])
    const disabled = await fixture.createWorkflow({ eventName: 'signup' }, [EXIT], false)
    const manual = await fixture.createWorkflow({ eventName: 'signup', triggerType: 'MANUAL' }, [EXIT])
    const another = await fixture.createWorkflow({ eventName: 'Signup' }, [EXIT])
    const data = { plan: 'pro', code: { value: 'X', persistent: false } }
    const { body } = await fixture.track('new@example.org', 'signup', data)
    await fixture.app.drain()
    for (const workflow of [one, two]) {
      expect(await fixture.executions(workflow)).toMatchObject([
        { status: 'EXITED', contactId: body.data.contact, event: { plan: 'pro', code: 'X' }, context: {} },
      ])
    }
    for (const workflow of [disabled, manual, another]) expect(await fixture.executions(workflow)).toEqual([])
  })

  it('starts nothing of another project, nor in a disabled one', async () => {
    const other = await createProject(fixture.app)
    const workflow = await fixture.createWorkflow({ eventName: 'foreign' }, [EXIT])
    await fixture.track('a@example.org', 'foreign', {}, other.publicKey)
    const { body } = await fixture.track('known@example.org', 'other-event')
    const record = `insert into events (project_id, id, name, contact_id, created_at) values ($1, gen_random_uuid(), 'foreign', $2, now())`
    const set = (at: string | null) =>
      fixture.app.pool.query('update projects set disabled_at = $2 where id = $1', [fixture.project.id, at])
    await set('2026-01-01')
    await fixture.app.pool.query(record, [fixture.project.id, body.data.contact])
    await fixture.app.drain()
    await set(null)
    expect(await fixture.executions(workflow)).toEqual([])
  })

  it('adds no job in a project without workflows', async () => {
    const other = await createProject(fixture.app)
    const before = await jobsOf('dispatch-event')
    await fixture.track('a@example.org', 'anything', {}, other.publicKey)
    expect(await jobsOf('dispatch-event')).toBe(before)
  })

  it('is queued with the priority and attempts of the catalogue', async () => {
    await fixture.createWorkflow({ eventName: 'queued' }, [EXIT])
    await fixture.track('a@example.org', 'queued')
    const { rows } = await fixture.app.pool.query(
      `select max_attempts as "maxAttempts", priority from posthorn_queue.jobs where name = 'dispatch-event'`,
    )
    expect(rows).toEqual([JOB_DEFAULTS['dispatch-event']])
    await fixture.app.drain()
  })

  it('starts one execution without re-entry if it is recorded twice at once', async () => {
    const workflow = await fixture.createWorkflow({ eventName: 'twice' }, [EXIT])
    await Promise.all(Array.from({ length: 10 }, () => fixture.track('twin@example.org', 'twice')))
    await fixture.app.drain()
    expect(await statuses(workflow)).toEqual(['EXITED'])
    await fixture.track('twin@example.org', 'twice')
    await fixture.app.drain()
    expect(await statuses(workflow)).toEqual(['EXITED'])
  })

  it('starts another execution after the previous one ended with re-entry', async () => {
    const workflow = await fixture.createWorkflow({ eventName: 'again', allowReentry: true }, [
      ['DELAY', { amount: 1, unit: 'minutes' }, 1],
      EXIT,
    ])
    const track = async () => {
      await fixture.track('back@example.org', 'again')
      await fixture.app.drain()
    }
    await track()
    await track()
    expect(await statuses(workflow)).toEqual(['WAITING'])
    await fixture.advanceTime(MINUTE)
    await track()
    expect(await statuses(workflow)).toEqual(['EXITED', 'WAITING'])
  })

  it('starts nothing twice if it is dispatched twice because a worker exited', async () => {
    const workflow = await fixture.createWorkflow({ eventName: 'told', allowReentry: true }, [EXIT])
    const { body } = await fixture.track('told@example.org', 'told')
    await fixture.app.drain()
    const again = { projectId: fixture.project.id, eventIds: [body.data.event], depth: 0 }
    await fixture.app.jobs['dispatch-event'](again, { attempt: 2, at: new Date() })
    await fixture.app.drain()
    expect(await statuses(workflow)).toEqual(['EXITED'])
  })

  it('recorded for many contacts in one statement starts an execution for each, with few jobs', async () => {
    const workflow = await fixture.createWorkflow({ eventName: 'contact.unsubscribed' }, [EXIT])
    const ids: string[] = []
    for (let i = 0; i < 250; i++) ids.push(await fixture.contact(`many${i}@example.org`))
    await ask('POST', '/contacts/bulk-unsubscribe', { contactIds: ids })
    await fixture.app.drain()
    expect((await ask('GET', `${workflow.path}/executions?status=EXITED&pageSize=1`)).body.total).toBe(250)
    await ask('PATCH', workflow.path, { enabled: false })
  })
})

describe('events that the service records', () => {
  it.each([
    ['contact.unsubscribed', { subscribed: true }, { subscribed: false }],
    ['contact.subscribed', { subscribed: false }, { subscribed: true }],
  ])('start workflows: %s', async (eventName, before, change) => {
    const workflow = await fixture.createWorkflow({ eventName }, [EXIT])
    const id = await fixture.contact(`flip-${eventName}@example.org`, before)
    await ask('PATCH', `/contacts/${id}`, change)
    await fixture.app.drain()
    expect(await fixture.executions(workflow)).toMatchObject([{ contactId: id, status: 'EXITED', event: {} }])
    await ask('PATCH', workflow.path, { enabled: false })
  })

  it('start workflows: email.sent and email.delivery, with their data', async () => {
    const sent = await fixture.createWorkflow({ eventName: 'email.sent' }, [EXIT])
    const delivered = await fixture.createWorkflow({ eventName: 'email.delivery' }, [EXIT])
    const email = { to: 'mail@example.org', from: 'hello@example.com', subject: 'Hello', body: 'x' }
    const { body } = await ask('POST', '/v1/send', email)
    await fixture.app.drain()
    const { email: emailId } = body.data.emails[0]
    expect(await fixture.executions(sent)).toMatchObject([{ event: { subject: 'Hello', emailId } }])
    expect(await fixture.executions(delivered)).toMatchObject([{ event: { emailId, sourceType: 'TRANSACTIONAL' } }])
    for (const { path } of [sent, delivered]) await ask('PATCH', path, { enabled: false })
  })

  it('start workflows: segment entry', async () => {
    const workflow = await fixture.createWorkflow({ eventName: 'segment.vip.entry' }, [EXIT])
    const { body } = await ask('POST', '/segments', { name: 'VIP', type: 'STATIC', trackMembership: true })
    const id = await fixture.contact('vip@example.org')
    await ask('POST', `/segments/${body.id}/members`, { emails: ['vip@example.org'] })
    await fixture.app.drain()
    expect(await fixture.executions(workflow)).toMatchObject([{ contactId: id, event: { segmentId: body.id } }])
  })
})

describe('a WAIT_FOR_EVENT', () => {
  const wait = (name: string, config: object = {}) =>
    fixture.createWorkflow({ eventName: `start-${name}` }, [
      ['WAIT_FOR_EVENT', { eventName: name, ...config }, { yes: 1, no: 2 }],
      ['EXIT', { reason: 'came' }],
      ['EXIT', { reason: 'did not come' }],
    ])
  const begin = async (name: string, email: string) => {
    await fixture.track(email, `start-${name}`)
    await fixture.app.drain()
  }

  it('takes the branch yes when the event occurs, and only for the contact of the event', async () => {
    const workflow = await wait('paid')
    await begin('paid', 'one@example.org')
    await begin('paid', 'two@example.org')
    expect(await statuses(workflow)).toEqual(['WAITING', 'WAITING'])
    await fixture.track('one@example.org', 'other')
    await fixture.track('two@example.org', 'paid', { total: 5 })
    await fixture.app.drain()
    const [one, two] = await fixture.executions(workflow)
    expect(one).toMatchObject({ status: 'WAITING', steps: [{ status: 'WAITING', resumeAt: null }] })
    expect(two).toMatchObject({ status: 'EXITED', exitReason: 'came' })
    expect(two.steps[0].output).toMatchObject({ event: 'paid', data: { total: 5 } })
  })

  it('takes the branch no after the timeout, and not before', async () => {
    const workflow = await wait('slow', { timeout: 3600 })
    await begin('slow', 'late@example.org')
    await fixture.advanceTime(60 * MINUTE - 1)
    expect(await statuses(workflow)).toEqual(['WAITING'])
    await fixture.advanceTime(1)
    expect(await fixture.executions(workflow)).toMatchObject([{ exitReason: 'did not come' }])
    await fixture.track('late@example.org', 'slow')
    await fixture.app.drain()
    expect(await fixture.executions(workflow)).toMatchObject([{ exitReason: 'did not come' }])
  })

  it('ignores an event after the timeout, even if the timeout is noticed later', async () => {
    const workflow = await wait('tardy', { timeout: 60 })
    await begin('tardy', 'tardy@example.org')
    fixture.app.clock.forward(2 * MINUTE)
    await fixture.track('tardy@example.org', 'tardy')
    await fixture.advanceTime(0)
    expect(await fixture.executions(workflow)).toMatchObject([{ exitReason: 'did not come' }])
  })

  it('counts an event before the timeout, even if it is noticed after the timeout', async () => {
    const workflow = await wait('close', { timeout: 60 })
    await begin('close', 'close@example.org')
    fixture.app.clock.forward(MINUTE - 1)
    await fixture.track('close@example.org', 'close')
    await fixture.advanceTime(5 * MINUTE)
    expect(await fixture.executions(workflow)).toMatchObject([{ exitReason: 'came' }])
  })

  it('counts an event that occurs before a worker gets to the step', async () => {
    const workflow = await wait('quick')
    await fixture.track('quick@example.org', 'start-quick')
    fixture.app.clock.forward(5)
    await fixture.track('quick@example.org', 'quick')
    fixture.app.clock.forward(1000)
    await fixture.app.drain()
    expect(await fixture.executions(workflow)).toMatchObject([{ exitReason: 'came' }])
  })

  it('counts an event that is recorded while the wait is being saved', async () => {
    const workflow = await wait('between')
    await begin('between', 'between@example.org')
    const [{ id }] = await fixture.executions(workflow)
    await fixture.track('between@example.org', 'between')
    // The event's job ran before the wait was committed and woke nothing. Only the second check is left.
    await fixture.app.pool.query('delete from posthorn_queue.jobs')
    const { rows } = await fixture.app.pool.query('select version from workflow_executions where id = $1', [id])
    const look = { projectId: fixture.project.id, executionId: id, version: rows[0].version }
    await fixture.app.jobs['run-workflow-step'](look, { attempt: 1, at: new Date() })
    expect(await fixture.executions(workflow)).toMatchObject([{ exitReason: 'came' }])
  })

  it('checks for the event once more after the wait is saved', async () => {
    await wait('look')
    await fixture.track('look@example.org', 'start-look')
    const run = fixture.app.jobs
    const { rows } = await fixture.app.pool.query('select payload from posthorn_queue.jobs')
    await run['dispatch-event'](rows[0].payload, { attempt: 1, at: new Date() })
    const started = await fixture.app.pool.query(
      `select payload from posthorn_queue.jobs where name = 'run-workflow-step'`,
    )
    await fixture.app.pool.query('delete from posthorn_queue.jobs')
    await run['run-workflow-step'](started.rows[0].payload, { attempt: 1, at: new Date() })
    expect(await jobsOf('run-workflow-step')).toBe(1)
    await fixture.app.drain()
  })

  it('ignores the event that started the execution, and counts an event once', async () => {
    const workflow = await fixture.createWorkflow({ eventName: 'ping', allowReentry: true }, [
      ['WAIT_FOR_EVENT', { eventName: 'ping' }, 1],
      ['WAIT_FOR_EVENT', { eventName: 'ping' }, 2],
      EXIT,
    ])
    const finished = []
    for (let i = 0; i < 3; i++) {
      await fixture.track('ping@example.org', 'ping')
      await fixture.app.drain()
      const [{ status, steps }] = await fixture.executions(workflow)
      finished.push([status, steps.length])
    }
    expect(finished).toEqual([
      ['WAITING', 1],
      ['WAITING', 2],
      ['EXITED', 3],
    ])
  })

  it('follows a transition without a branch in both cases', async () => {
    const workflow = await fixture.createWorkflow({ eventName: 'plain' }, [
      ['WAIT_FOR_EVENT', { eventName: 'answer', timeout: 60 }, 1],
      EXIT,
    ])
    for (const email of ['p1@example.org', 'p2@example.org']) await fixture.track(email, 'plain')
    await fixture.app.drain()
    await fixture.track('p1@example.org', 'answer')
    await fixture.advanceTime(MINUTE)
    expect(await statuses(workflow)).toEqual(['EXITED', 'EXITED'])
  })

  it('waits for the new event when the step is changed, counted from when the execution reached the step', async () => {
    const workflow = await wait('first')
    await begin('first', 'changed@example.org')
    await fixture.track('changed@example.org', 'second')
    await ask('PATCH', `${workflow.path}/steps/${workflow.ids[0]}`, { config: { eventName: 'second' } })
    await fixture.app.drain()
    expect(await fixture.executions(workflow)).toMatchObject([{ exitReason: 'came' }])
  })
})

describe('executions that run at the same time', () => {
  /** Removes the waiting jobs from the queue and runs them concurrently, on request every third one twice. */
  async function runAtOnce({ someTwice }: { someTwice: boolean }) {
    const { rows } = await fixture.app.pool.query(
      `delete from posthorn_queue.jobs where name = 'run-workflow-step' returning payload`,
    )
    const run = fixture.app.jobs['run-workflow-step']
    const payloads = rows.flatMap(({ payload }, i) => (someTwice && i % 3 === 0 ? [payload, payload] : [payload]))
    await Promise.all(payloads.map((payload) => run(payload, { attempt: 1, at: new Date() })))
    await fixture.app.drain()
  }

  it('share a transaction, and each runs its steps once', async () => {
    const { body: template } = await ask('POST', '/templates', {
      name: 'T',
      subject: 'S',
      body: 'B',
      from: 'hello@example.com',
    })
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
      ['CONDITION', { field: 'data.odd', operator: 'equals', value: true }, { yes: 1, no: 2 }],
      ['SEND_EMAIL', { templateId: template.id }, 2],
      ['UPDATE_CONTACT', { updates: { through: true } }, 3],
      EXIT,
    ])
    const ids: string[] = []
    for (let i = 0; i < 25; i++) {
      ids.push(await fixture.contact(`at-once${i}@example.org`, { data: { odd: i % 2 === 1 } }))
      await ask('POST', `${workflow.path}/executions`, { contactId: ids[i] })
    }
    await runAtOnce({ someTwice: true })
    const found = await fixture.executions(workflow)
    expect(found.map((e) => [e.status, e.steps.length])).toEqual(ids.map((_, i) => ['EXITED', i % 2 === 1 ? 4 : 3]))
    for (const [i, id] of ids.entries()) {
      expect((await ask('GET', `/emails?contactId=${id}`)).body.total).toBe(i % 2)
      expect((await ask('GET', `/contacts/${id}`)).body.data.through).toBe(true)
    }
  })

  it('see the changes that another one has made to the same contact', async () => {
    const subscribe: StepSpec = ['UPDATE_CONTACT', { subscribed: true, updates: { n: 1 } }]
    const first = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [subscribe])
    const second = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
      ['UPDATE_CONTACT', { updates: { copy: '{{n}}' } }],
    ])
    const contactId = await fixture.contact('both@example.org', { subscribed: false })
    for (const { path } of [first, second]) await ask('POST', `${path}/executions`, { contactId })
    await runAtOnce({ someTwice: false })
    expect((await ask('GET', `/contacts/${contactId}`)).body).toMatchObject({
      subscribed: true,
      data: { n: 1, copy: 1 },
    })
  })
})

describe('workflows that trigger each other', () => {
  it('end with an error that explains why if they update the contact', async () => {
    const on = await fixture.createWorkflow({ eventName: 'contact.unsubscribed', allowReentry: true }, [
      ['UPDATE_CONTACT', { subscribed: true }],
    ])
    const off = await fixture.createWorkflow({ eventName: 'contact.subscribed', allowReentry: true }, [
      ['UPDATE_CONTACT', { subscribed: false }],
    ])
    const id = await fixture.contact('circle@example.org')
    await ask('PATCH', `/contacts/${id}`, { subscribed: false })
    await fixture.app.drain()
    const all = [...(await fixture.executions(on)), ...(await fixture.executions(off))]
    expect(all.filter((e) => e.status === 'COMPLETED')).toHaveLength(11)
    const failed = all.filter((e) => e.status === 'FAILED')
    expect(failed).toMatchObject([{ error: expect.stringContaining('10 workflows in a row'), steps: [] }])
    for (const { path } of [on, off]) await ask('PATCH', path, { enabled: false })
  })

  it('end too if they send emails', async () => {
    const { body: template } = await ask('POST', '/templates', {
      name: 'T',
      subject: 'S',
      body: 'B',
      from: 'hello@example.com',
      type: 'TRANSACTIONAL',
    })
    const workflow = await fixture.createWorkflow({ eventName: 'email.sent', allowReentry: true }, [
      ['SEND_EMAIL', { templateId: template.id }],
    ])
    const contactId = await fixture.contact('mails@example.org')
    await ask('POST', '/v1/send', { to: 'mails@example.org', from: 'hello@example.com', subject: 'x', body: 'x' })
    await fixture.app.drain()
    expect((await ask('GET', `/emails?contactId=${contactId}`)).body.total).toBe(1 + 11)
    expect((await statuses(workflow)).at(-1)).toBe('FAILED')
    await ask('PATCH', workflow.path, { enabled: false })
  })

  it('are not assumed for a long series of tracked events', async () => {
    const workflow = await fixture.createWorkflow({ eventName: 'tick', allowReentry: true }, [EXIT])
    for (let i = 0; i < 15; i++) {
      await fixture.track('ticker@example.org', 'tick')
      await fixture.app.drain()
    }
    expect(await statuses(workflow)).toEqual(Array(15).fill('EXITED'))
  })
})
