/** The WEBHOOK step: the request, its signature, addresses that are not called, and how responses are handled. */
import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createProject } from '../harness.ts'
import { type Fixture, openFixture, openReceiver } from '../workflows/workflow-fixture.ts'

let fixture: Fixture
let receiver: Awaited<ReturnType<typeof openReceiver>>
const ask: Fixture['ask'] = (...call) => fixture.ask(...call)

beforeAll(async () => {
  fixture = await openFixture({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  receiver = await openReceiver()
})
afterAll(async () => {
  receiver.close()
  await fixture.app.close()
})
afterEach(() => {
  receiver.received.length = 0
  receiver.answerWith((reply) => reply.end('ok'))
})

let people = 0

/** Runs a workflow of one WEBHOOK and an EXIT, started manually or by an event. */
async function call(
  config: object,
  { data = {}, event, context }: { data?: object; event?: object; context?: object } = {},
) {
  const email = `person${++people}@example.org`
  const contactId = await fixture.contact(email, { data })
  const eventName = `event${people}`
  const workflow = await fixture.createWorkflow({ name: 'Notify', eventName }, [
    ['WEBHOOK', { url: receiver.url, ...config }, 1],
    ['EXIT', {}],
  ])
  if (event) await fixture.track(email, eventName, event)
  else await ask('POST', `${workflow.path}/executions`, { contactId, context })
  await fixture.app.drain()
  const [execution] = await fixture.executions(workflow)
  return { workflow, execution, step: execution.steps[0], email, contactId, received: [...receiver.received] }
}

describe('GET /workflows/failures', () => {
  const failures = async (key?: string) => (await ask('GET', '/workflows/failures', undefined, key)).body

  it('counts the webhooks that failed in the last day, with the last error', async () => {
    expect(await failures()).toEqual([])
    receiver.answerWith((reply) => reply.writeHead(500).end())
    const { workflow, execution } = await call({})
    const failure = {
      workflowId: workflow.id,
      workflowName: 'Notify',
      stepId: execution.steps[0].stepId,
      stepName: null,
      type: 'WEBHOOK',
      failed: 1,
      error: 'The URL responded with status 500.',
      lastFailedAt: execution.completedAt,
    }
    expect(await failures()).toEqual([failure])
    receiver.answerWith((reply) => reply.writeHead(404).end())
    fixture.app.clock.forward(1_000)
    await ask('POST', `${workflow.path}/executions`, { contactId: await fixture.contact('second@example.org') })
    await fixture.app.drain()
    const lastFailedAt = fixture.app.clock.now().toISOString()
    const error = 'The URL responded with status 404.'
    expect(await failures()).toEqual([{ ...failure, failed: 2, error, lastFailedAt }])
    const other = await createProject(fixture.app)
    expect(await failures(other.secretKey)).toEqual([])
    fixture.app.clock.forward(24 * 3600_000 + 1)
    expect(await failures()).toEqual([])
  })
})

describe('the request', () => {
  it('has exactly the default payload', async () => {
    const { workflow, execution, step, email, received } = await call(
      {},
      { data: { plan: 'pro' }, event: { total: 5 } },
    )
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({ method: 'POST', path: '/', headers: { 'content-type': 'application/json' } })
    expect(JSON.parse(received[0]!.text)).toEqual({
      contact: { email, subscribed: true, data: { plan: 'pro', total: 5 } },
      workflow: { id: workflow.id, name: 'Notify' },
      execution: { id: execution.id, startedAt: execution.startedAt },
      event: { total: 5 },
    })
    expect(step).toMatchObject({ status: 'COMPLETED', error: null })
    expect(step.output).toEqual({ statusCode: 200, durationMs: expect.any(Number), response: 'ok' })
    expect(execution.status).toBe('EXITED')
  })

  it('has an empty event if there is no data or no event', async () => {
    for (const start of [{}, { event: {} }]) {
      const { received } = await call({}, start)
      expect(JSON.parse(received[0]!.text).event).toEqual({})
    }
  })

  it('is rendered in URL, headers and body, and values keep their types', async () => {
    const links = '{{unsubscribeUrl}} {{subscribeUrl}} {{manageUrl}}'
    const { contactId, email, received } = await call(
      {
        url: `${receiver.url}/{{id}}?plan={{plan}}&e={{event.n}}`,
        method: 'PUT',
        headers: { 'X-Email': '{{email}}', 'X-Count': 5, Authorization: 'Bearer {{data.token}}' },
        body: {
          n: '{{event.n}}',
          text: 'n={{event.n}}',
          list: '{{event.list}}',
          none: '{{event.none}}',
          nested: [{ plan: '{{data.plan}}', keep: 1.5, yes: true, nil: null }],
          filtered: '{{ event.n | plus: 1 }}',
          fallback: '{{ event.none ?? "x" }}',
          event: '{{event}}',
          two: '{{plan}}{{plan}}',
          links,
        },
      },
      { data: { plan: 'p"ro', token: 't' }, event: { n: 7, list: [1, 'a'] } },
    )
    const { headers, ...first } = received[0]!
    expect(first).toMatchObject({ method: 'PUT', path: `/${contactId}?plan=p%22ro&e=7` })
    expect(headers).toMatchObject({ 'x-email': email, 'x-count': '5', authorization: 'Bearer t' })
    const body = JSON.parse(first.text)
    expect(body).toMatchObject({
      n: 7,
      text: 'n=7',
      list: [1, 'a'],
      none: null,
      nested: [{ plan: 'p"ro', keep: 1.5, yes: true, nil: null }],
      filtered: 8,
      fallback: 'x',
      event: { n: 7, list: [1, 'a'] },
      two: 'p"rop"ro',
    })
    expect(body.links).toMatch(/^http:\S+\/unsubscribe\/\S+ http:\S+\/subscribe\/\S+ http:\S+\/manage\/\S+$/)
  })

  it('can use the context of a manual start, and has only the event under `event`', async () => {
    const body = { a: '{{a}}', x: '{{event.x}}' }
    const { received } = await call({ body }, { context: { a: 1, event: { x: 2 } } })
    expect(JSON.parse(received[0]!.text)).toEqual({ a: 1, x: null })
  })

  it('sends a body that is a string as JSON, and renders no value again', async () => {
    const { received } = await call({ body: 'Hi {{name}} "x"' }, { data: { name: '{{7 | plus: 1}}' } })
    expect(JSON.parse(received[0]!.text)).toBe('Hi {{7 | plus: 1}} "x"')
  })

  it.each([
    ['GET', undefined, ''],
    ['DELETE', undefined, ''],
    ['GET', { a: 1 }, '{"a":1}'],
    ['DELETE', { a: 1 }, '{"a":1}'],
    ['PATCH', [], '[]'],
    ['POST', false, 'false'],
  ])('by %s with the body %j sends "%s"', async (method, body, text) => {
    const { received } = await call({ method, body })
    expect(received).toMatchObject([{ method, text }])
    expect(received[0]!.headers['content-type']).toBe(text ? 'application/json' : undefined)
  })

  it('keeps a content type that was configured', async () => {
    const { received } = await call({ headers: { 'Content-Type': 'application/vnd.x+json' } })
    expect(received[0]!.headers['content-type']).toBe('application/vnd.x+json')
  })
})

describe('the signature', () => {
  const signatures = ({ headers, text }: { headers: NodeJS.Dict<string | string[]>; text: string }, secret: string) => {
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  }

  it('follows Standard Webhooks, with the secret of the project', async () => {
    const { body: secret } = await ask('GET', '/workflows/webhook-secret')
    expect(secret.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { execution, step, received } = await call({})
    const [first] = received
    expect(first!.headers['webhook-id']).toBe(`${execution.id}_${step.stepId}`)
    expect(first!.headers['webhook-timestamp']).toBe(String(Math.floor(fixture.app.clock.now().getTime() / 1000)))
    expect(first!.headers['webhook-signature']).toBe(signatures(first!, secret.secret))
  })

  it('is also made with the old secret for a day after a rotation', async () => {
    const { body: before } = await ask('GET', '/workflows/webhook-secret')
    const { body: after } = await ask('POST', '/workflows/webhook-secret/rotate')
    expect(after.secret).not.toBe(before.secret)
    const [during] = (await call({})).received
    expect(during!.headers['webhook-signature']).toBe(
      `${signatures(during!, after.secret)} ${signatures(during!, before.secret)}`,
    )
    fixture.app.clock.forward(24 * 3_600_000)
    const later = (await call({})).received.at(-1)
    expect(later!.headers['webhook-signature']).toBe(signatures(later!, after.secret))
  })
})

describe('a response', () => {
  it.each([404, 500, 301])(
    'fails the step and the execution, after one request, if its status is %i',
    async (status) => {
      receiver.answerWith((reply) => reply.writeHead(status).end('no\0pe'))
      const { execution, step, received } = await call({})
      const error = `The URL responded with status ${status}.`
      expect(execution).toMatchObject({ status: 'FAILED', error })
      expect(step).toMatchObject({ status: 'FAILED', error, output: { statusCode: status, response: 'no\ufffdpe' } })
      await fixture.advanceTime(24 * 3_600_000)
      expect(received).toHaveLength(1)
      expect(receiver.received).toHaveLength(1)
    },
  )

  it('fails the step if it does not arrive in time', async () => {
    receiver.answerWith((reply) => reply.destroy())
    const { step } = await call({})
    expect(step).toMatchObject({
      status: 'FAILED',
      error: 'The connection was closed before the response was complete.',
      output: { statusCode: null, response: null },
    })
  })

  it('is followed if it is a redirect, without the configured headers to another origin', async () => {
    const elsewhere = await openReceiver()
    receiver.answerWith((reply) => reply.writeHead(307, { location: `${elsewhere.url}/there` }).end())
    const { step } = await call({ headers: { Authorization: 'Bearer s' } })
    elsewhere.close()
    expect(step).toMatchObject({ status: 'COMPLETED', output: { response: 'ok' } })
    expect(receiver.received[0]!.headers.authorization).toBe('Bearer s')
    expect(elsewhere.received).toMatchObject([{ path: '/there', method: 'POST' }])
    expect(elsewhere.received[0]!.headers).not.toHaveProperty('authorization')
    expect(elsewhere.received[0]!.headers['webhook-id']).toBe(receiver.received[0]!.headers['webhook-id'])
  })
})

describe('a retry', () => {
  it('continues at the step that failed, with the same webhook-id', async () => {
    receiver.answerWith((reply) => reply.writeHead(503).end())
    const { workflow, execution } = await call({})
    receiver.answerWith((reply) => reply.end('now'))
    const path = `${workflow.path}/executions/${execution.id}`
    expect(await ask('POST', `${path}/retry`)).toMatchObject({ status: 200, body: { status: 'RUNNING', error: null } })
    await fixture.app.drain()
    const { body } = await ask('GET', path)
    expect(body.status).toBe('EXITED')
    expect(body.steps.map((s: { status: string }) => s.status)).toEqual(['FAILED', 'COMPLETED', 'COMPLETED'])
    expect(new Set(receiver.received.map((r) => r.headers['webhook-id'])).size).toBe(1)
    expect((await ask('POST', `${path}/retry`)).status).toBe(409)
  })

  it('is rejected while the contact is in the workflow again', async () => {
    receiver.answerWith((reply) => reply.writeHead(503).end())
    const { workflow, execution, contactId } = await call({})
    await ask('PATCH', workflow.path, { allowReentry: true })
    expect((await ask('POST', `${workflow.path}/executions`, { contactId })).status).toBe(201)
    expect((await ask('POST', `${workflow.path}/executions/${execution.id}/retry`)).status).toBe(409)
    await fixture.app.drain()
  })
})

describe('a process that exits', () => {
  it('during the request fails the step and sends nothing twice', async () => {
    const contactId = await fixture.contact('crash@example.org')
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [['WEBHOOK', { url: receiver.url }]])
    const { body } = await ask('POST', `${workflow.path}/executions`, { contactId })
    const run = fixture.app.jobs['run-workflow-step']
    const job = { projectId: fixture.project.id, executionId: body.id, version: 1 }
    // The database becomes unavailable between the request and the record of its outcome.
    receiver.answerWith((reply) => {
      fixture.app.pool.query(`alter table workflow_step_runs rename to away`).then(() => reply.end('ok'))
    })
    await expect(run(job, { attempt: 1, at: new Date() })).rejects.toThrow()
    await fixture.app.pool.query('alter table away rename to workflow_step_runs')
    expect((await fixture.executions(workflow))[0]).toMatchObject({ status: 'RUNNING', steps: [{ status: 'RUNNING' }] })

    await run(job, { attempt: 2, at: new Date() })
    expect((await fixture.executions(workflow))[0]).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('the outcome is unknown'),
      steps: [{ status: 'FAILED' }],
    })
    expect(receiver.received).toHaveLength(1)
    await fixture.app.pool.query('delete from posthorn_queue.jobs')
  })

  it('in every attempt of the job leaves a FAILED execution, not one that runs forever', async () => {
    const contactId = await fixture.contact('stuck@example.org')
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
      ['UPDATE_CONTACT', { updates: { a: 1 } }],
    ])
    await ask('POST', `${workflow.path}/executions`, { contactId })
    await fixture.app.pool.query(
      'alter table contact_counts rename to away; alter table contact_count_changes rename to gone',
    )
    await fixture.app.pool.query('update posthorn_queue.jobs set attempts = max_attempts - 1')
    await expect(fixture.app.drain()).rejects.toThrow()
    await fixture.app.pool.query(
      'alter table away rename to contact_counts; alter table gone rename to contact_count_changes',
    )
    expect((await fixture.executions(workflow))[0]).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('log'),
    })
    await fixture.app.pool.query('delete from posthorn_queue.jobs')
  })

  it('does not change an execution that was canceled meanwhile', async () => {
    const contactId = await fixture.contact('cancelled@example.org')
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
      ['WEBHOOK', { url: receiver.url }, 1],
      ['EXIT', {}],
    ])
    const { body } = await ask('POST', `${workflow.path}/executions`, { contactId })
    receiver.answerWith((reply) => {
      ask('DELETE', `${workflow.path}/executions/${body.id}`).then(() => reply.end('ok'))
    })
    await fixture.app.drain()
    expect((await fixture.executions(workflow))[0]).toMatchObject({
      status: 'CANCELLED',
      steps: [{ status: 'CANCELLED' }],
    })
  })
})

it('a webhook is called once when the awaited event occurs twice at once', async () => {
  const contactId = await fixture.contact('twice@example.org')
  const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
    ['WAIT_FOR_EVENT', { eventName: 'go' }, 1],
    ['WEBHOOK', { url: receiver.url }, 2],
    ['EXIT', {}],
  ])
  await ask('POST', `${workflow.path}/executions`, { contactId })
  await fixture.app.drain()
  for (let i = 0; i < 2; i++) await fixture.track('twice@example.org', 'go')
  const { rows } = await fixture.app.pool.query(`select id, version from workflow_executions where status = 'WAITING'`)
  const ref = { projectId: fixture.project.id, executionId: rows[0].id, version: rows[0].version }

  // The lock is released when both wait for it, so neither has seen the changes of the other. Another connection checks
  // that, because within a transaction PostgreSQL returns the same list of sessions every time.
  const holder = await fixture.app.pool.connect()
  await holder.query('begin')
  await holder.query('select from workflow_executions where id = $1 for update', [ref.executionId])
  const run = () => fixture.app.services.workflowEngine.runExecution(ref, { takeOver: false })
  const both = [run(), run()]
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await vi.waitFor(async () => expect((await fixture.app.pool.query(waiting)).rowCount).toBe(2), { timeout: 90_000 })
  await holder.query('rollback')
  holder.release()
  await Promise.all(both)

  expect(receiver.received).toHaveLength(1)
  await fixture.app.drain()
  const [execution] = await fixture.executions(workflow)
  const steps = execution.steps.map((step: { status: string }) => step.status)
  expect({ status: execution.status, steps }).toEqual({ status: 'EXITED', steps: Array(3).fill('COMPLETED') })
})

describe('without WEBHOOK_ALLOW_PRIVATE', () => {
  let strict: Fixture
  beforeAll(async () => {
    strict = await openFixture()
  })
  afterAll(() => strict.app.close())

  it('no request is sent to this machine, however the address is written or resolved', async () => {
    const port = receiver.url.split(':')[2]
    const hosts = [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '{{event.host}}',
      '169.254.169.254',
    ]
    for (const [i, host] of hosts.entries()) {
      const workflow = await strict.createWorkflow({ eventName: `e${i}` }, [
        ['WEBHOOK', { url: `http://${host}:${port}/` }],
      ])
      await strict.track('x@example.org', `e${i}`, { host: '127.0.0.1' })
      await strict.app.drain()
      expect((await strict.executions(workflow))[0], host).toMatchObject({
        status: 'FAILED',
        error: expect.stringContaining('is not a public address'),
      })
    }
    expect(receiver.received).toEqual([])
  })
})
