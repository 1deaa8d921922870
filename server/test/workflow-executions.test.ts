/** Executions: what each step does with a contact, what is recorded, and how one is looked at, ended and tried again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject } from './harness.ts'
import { countRows, GONE, openStage, type Stage } from './workflow-stage.ts'

let stage: Stage
const ask: Stage['ask'] = (...call) => stage.ask(...call)

beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.app.close())

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const EXIT = ['EXIT', { reason: 'end' }] as const

let people = 0
const someone = (fields: object = {}) => stage.contact(`person${++people}@example.org`, fields)

const template = async (fields: object = {}): Promise<string> =>
  (
    await ask('POST', '/templates', {
      name: 'T',
      subject: 'Hi {{name}}',
      body: '<p>B</p>',
      from: 'hello@example.com',
      ...fields,
    })
  ).body.id

async function start(workflow: { path: string }, contactId: string, context?: object) {
  const { status, body } = await ask('POST', `${workflow.path}/executions`, { contactId, context })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return `${workflow.path}/executions/${body.id}`
}
const read = async (path: string) => (await ask('GET', path)).body
const emailsOf = async (contactId: string) => (await ask('GET', `/emails?contactId=${contactId}`)).body.data

describe('an execution', () => {
  it('by hand starts at once, takes its steps, and records them', async () => {
    const workflow = await stage.draw({ triggerType: 'MANUAL' }, [
      ['UPDATE_CONTACT', { updates: { seen: true } }, 1],
      ['EXIT', { reason: 'end' }],
    ])
    const contactId = await someone()
    const { status, body } = await ask('POST', `${workflow.path}/executions`, { contactId, context: { a: 1 } })
    const now = stage.app.clock.now().toISOString()
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        workflowId: workflow.id,
        contactId,
        status: 'RUNNING',
        currentStepId: null,
        exitReason: null,
        error: null,
        context: { a: 1 },
        event: null,
        startedAt: now,
        completedAt: null,
        createdAt: now,
        updatedAt: now,
      },
    })
    await stage.app.drain()
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

  it('without a transition to follow is COMPLETED', async () => {
    const workflow = await stage.draw({ triggerType: 'MANUAL' }, [
      ['CONDITION', { field: 'data.x', operator: 'exists' }, { yes: 1 }],
      [...EXIT],
    ])
    const path = await start(workflow, await someone())
    await stage.app.drain()
    expect(await read(path)).toMatchObject({
      status: 'COMPLETED',
      exitReason: null,
      steps: [{ output: { branch: 'no' } }],
    })
  })

  it('cannot start in a disabled workflow, for an unknown contact, or with a context that is none', async () => {
    const workflow = await stage.draw({ eventName: 'x' }, [[...EXIT]], false)
    const contactId = await someone()
    expect((await ask('POST', `${workflow.path}/executions`, { contactId })).status).toBe(409)
    await ask('PATCH', workflow.path, { enabled: true })
    expect((await ask('POST', `${workflow.path}/executions`, { contactId: GONE })).status).toBe(404)
    for (const body of [{}, { contactId: 'x' }, { contactId, context: [] }, { contactId, context: 'x' }]) {
      expect((await ask('POST', `${workflow.path}/executions`, body)).status).toBe(422)
    }
    const other = await createProject(stage.app)
    const theirs = (await ask('POST', '/contacts', { email: 'x@example.org' }, other.secretKey)).body.id
    expect((await ask('POST', `${workflow.path}/executions`, { contactId: theirs })).status).toBe(404)
    expect((await ask('GET', `${workflow.path}/executions`)).body.total).toBe(0)
  })

  it('enters once where re-entry is off, and again after the last one ended where it is on', async () => {
    const once = await stage.draw({ triggerType: 'MANUAL' }, [[...EXIT]])
    const again = await stage.draw({ triggerType: 'MANUAL', allowReentry: true }, [
      ['DELAY', { amount: 1, unit: 'minutes' }],
    ])
    const contactId = await someone()
    const enter = async ({ path }: { path: string }) => (await ask('POST', `${path}/executions`, { contactId })).status
    expect(await Promise.all([enter(once), enter(once), enter(once)])).toEqual(expect.arrayContaining([201, 409, 409]))
    await stage.app.drain()
    expect(await enter(once)).toBe(409)
    expect([await enter(again), await enter(again)]).toEqual([201, 409])
    await stage.app.drain()
    await stage.pass(MINUTE)
    expect(await enter(again)).toBe(201)
    await stage.app.drain()
    await stage.pass(MINUTE)
    await ask('PATCH', again.path, { allowReentry: false })
    expect(await enter(again)).toBe(409)
  })
})

describe('the list of executions', () => {
  it('has pages, filters by status and contact, and refuses what it cannot filter by', async () => {
    const workflow = await stage.draw({ triggerType: 'MANUAL' }, [['DELAY', { amount: 1, unit: 'days' }]])
    const [one, two, three] = [await someone(), await someone(), await someone()]
    const paths = [await start(workflow, one), await start(workflow, two), await start(workflow, three)]
    await stage.app.drain()
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
    const elsewhere = await stage.draw({}, [[...EXIT]], false)
    const id = paths[0]!.split('/').at(-1)
    for (const method of ['GET', 'DELETE']) {
      expect((await ask(method, `${elsewhere.path}/executions/${id}`)).status).toBe(404)
    }
  })
})

describe('ending executions', () => {
  it('cancels one that is active, once, and leaves one that has ended as it is', async () => {
    const workflow = await stage.draw({ triggerType: 'MANUAL' }, [
      ['DELAY', { amount: 1, unit: 'minutes' }, 1],
      ['UPDATE_CONTACT', { updates: { late: true } }],
    ])
    const contactId = await someone()
    const path = await start(workflow, contactId)
    await stage.app.drain()
    expect(await ask('DELETE', path)).toMatchObject({
      status: 200,
      body: { status: 'CANCELLED', steps: [{ status: 'CANCELLED' }] },
    })
    expect((await ask('DELETE', path)).status).toBe(409)
    await stage.pass(DAY)
    expect(await read(path)).toMatchObject({ status: 'CANCELLED', steps: [{ type: 'DELAY' }] })
    expect((await read(`/contacts/${contactId}`)).data).toEqual({})
    expect((await ask('POST', `${path}/retry`)).status).toBe(409)
  })

  it('cancels all that are active, and only then is the workflow deleted, with all of them', async () => {
    const workflow = await stage.draw({ triggerType: 'MANUAL' }, [
      ['CONDITION', { field: 'data.go', operator: 'exists' }, { no: 1 }],
      ['WAIT_FOR_EVENT', { eventName: 'never' }],
    ])
    for (const data of [{}, {}, { go: 1 }]) await start(workflow, await someone({ data }))
    await stage.app.drain()
    expect((await ask('DELETE', workflow.path)).status).toBe(409)
    expect(await ask('POST', `${workflow.path}/executions/cancel-all`)).toMatchObject({
      status: 200,
      body: { cancelled: 2 },
    })
    expect((await ask('POST', `${workflow.path}/executions/cancel-all`)).body).toEqual({ cancelled: 0 })
    const found = await stage.executions(workflow)
    expect(found.map((e) => e.status)).toEqual(['CANCELLED', 'CANCELLED', 'COMPLETED'])
    expect((await ask('DELETE', workflow.path)).status).toBe(204)
    await stage.app.drain()
    expect(await countRows(stage.app, 'workflow_executions', `workflow_id = '${workflow.id}'`)).toBe(0)
    expect(await countRows(stage.app, 'workflow_step_runs', `execution_id = '${found[0].id}'`)).toBe(0)
  })

  it('goes on with those under way when the workflow is disabled', async () => {
    const workflow = await stage.draw({ triggerType: 'MANUAL' }, [
      ['DELAY', { amount: 1, unit: 'hours' }, 1],
      [...EXIT],
    ])
    const path = await start(workflow, await someone())
    await stage.app.drain()
    await ask('PATCH', workflow.path, { enabled: false })
    await stage.pass(DAY)
    expect((await read(path)).status).toBe('EXITED')
  })

  it('happens when the contact is deleted, and what was known of it is erased', async () => {
    const custom = await template({ type: 'TRANSACTIONAL', subject: 'About {{email}}' })
    const workflow = await stage.draw({ triggerType: 'MANUAL' }, [
      ['SEND_EMAIL', { templateId: custom, recipient: { type: 'CUSTOM', customEmail: 'sales@example.net' } }, 1],
      ['DELAY', { amount: 1, unit: 'days' }, 2],
      [...EXIT],
    ])
    const contactId = await someone({ data: { secret: 'abc' } })
    const path = await start(workflow, contactId, { note: 'private' })
    await stage.app.drain()
    expect((await ask('DELETE', `/contacts/${contactId}`)).status).toBe(204)
    expect((await read(path)).status).toBe('CANCELLED')
    await stage.app.drain()
    const after = await read(path)
    expect(after).toMatchObject({ contactId: null, context: {}, status: 'CANCELLED' })
    expect(after.steps.map((s: { output: unknown }) => s.output)).toEqual([null, null])
    const { rows } = await stage.app.pool.query(`select * from emails where to_email = 'sales@example.net'`)
    expect(rows).toMatchObject([{ variables: {}, contact_data: {}, subject: '' }])
    await stage.pass(2 * DAY)
    expect((await read(path)).status).toBe('CANCELLED')
  })
})

describe('a DELAY', () => {
  it.each([
    [0.001, 'minutes', 60],
    [5, 'minutes', 5 * MINUTE],
    [1.5, 'hours', 90 * MINUTE],
    [30, 'days', 30 * DAY],
  ])('of %d %s goes on then, and not before', async (amount, unit, ms) => {
    const workflow = await stage.draw({ triggerType: 'MANUAL' }, [['DELAY', { amount, unit }, 1], [...EXIT]])
    const path = await start(workflow, await someone())
    const startedAt = stage.app.clock.now().getTime()
    await stage.app.drain()
    const waiting = await read(path)
    expect(waiting).toMatchObject({ status: 'WAITING', currentStepId: workflow.ids[0] })
    expect(waiting.steps[0]).toMatchObject({ status: 'WAITING', resumeAt: new Date(startedAt + ms).toISOString() })
    await stage.pass(ms - 1)
    expect((await read(path)).status).toBe('WAITING')
    await stage.pass(1)
    expect((await read(path)).status).toBe('EXITED')
  })

  it('that was missed while nobody was there goes on as soon as somebody is', async () => {
    const workflow = await stage.draw({ triggerType: 'MANUAL' }, [
      ['DELAY', { amount: 1, unit: 'hours' }, 1],
      [...EXIT],
    ])
    const path = await start(workflow, await someone())
    await stage.app.drain()
    await stage.pass(400 * DAY)
    expect((await read(path)).status).toBe('EXITED')
  })

  it('holds no place in the queue for as long as it is far off', async () => {
    const workflow = await stage.draw({ triggerType: 'MANUAL' }, [['DELAY', { amount: 1, unit: 'days' }]])
    for (let i = 0; i < 5; i++) await start(workflow, await someone())
    await stage.app.drain()
    const ours = `task_id = posthorn_queue.task_id('run-workflow-step')`
    expect(await countRows(stage.app, 'graphile_worker._private_jobs', ours)).toBe(0)
    await stage.pass(DAY - MINUTE)
    expect(await countRows(stage.app, 'graphile_worker._private_jobs', ours)).toBe(5)
    await stage.pass(MINUTE)
    expect((await stage.executions(workflow)).map((e) => e.status)).toEqual(Array(5).fill('COMPLETED'))
  })

  it('is not cut short by a clock that was ahead for a moment', async () => {
    const workflow = await stage.draw({ triggerType: 'MANUAL' }, [
      ['DELAY', { amount: 1, unit: 'minutes' }, 1],
      [...EXIT],
    ])
    const path = await start(workflow, await someone())
    await stage.app.drain()
    // The queue goes by the database's clock. Seen from there the wait is over; our own clock says it is not.
    await stage.app.pool.query(`update graphile_worker._private_jobs set run_at = now() - interval '1 second'`)
    await stage.app.drain()
    expect((await read(path)).status).toBe('WAITING')
    await stage.pass(MINUTE)
    expect((await read(path)).status).toBe('EXITED')
  })
})

describe('a SEND_EMAIL', () => {
  const sent = async (fields: object, config: object = {}, contact: object = {}, context?: object) => {
    const workflow = await stage.draw({ triggerType: 'MANUAL' }, [
      ['SEND_EMAIL', { templateId: await template(fields), ...config }, 1],
      [...EXIT],
    ])
    const contactId = await someone(contact)
    const path = await start(workflow, contactId, context)
    await stage.app.drain()
    const execution = await read(path)
    return { execution, step: execution.steps[0], contactId, emails: await emailsOf(contactId) }
  }

  it('sends the template with the data of the contact and the context, as a WORKFLOW email', async () => {
    const { execution, step, emails } = await sent(
      { subject: '{{name}} {{a}} {{event.x}}|' },
      {},
      { data: { name: 'Ada' } },
      { a: 1, event: { x: 2 } },
    )
    expect(execution.status).toBe('EXITED')
    expect(step).toMatchObject({ status: 'COMPLETED', output: { emailId: emails[0].id } })
    expect(emails).toMatchObject([
      { subject: 'Ada 1 2|', sourceType: 'WORKFLOW', workflowExecutionId: execution.id, status: 'DELIVERED' },
    ])
  })

  it('of MARKETING to someone who is not subscribed is skipped, and the workflow goes on', async () => {
    for (const type of ['MARKETING', 'HEADLESS']) {
      const { execution, step, emails } = await sent({ type }, {}, { subscribed: false })
      expect({ status: execution.status, step: step.status, emails }).toEqual({
        status: 'EXITED',
        step: 'SKIPPED',
        emails: [],
      })
      expect(step.output.reason).toBe('The contact is not subscribed.')
    }
    const { step, emails } = await sent({ type: 'TRANSACTIONAL' }, {}, { subscribed: false })
    expect({ step: step.status, emails: emails.length }).toEqual({ step: 'COMPLETED', emails: 1 })
  })

  it('to a suppressed address is skipped', async () => {
    await ask('POST', '/suppressions', { email: `person${people + 1}@example.org` })
    const { step } = await sent({})
    expect(step).toMatchObject({ status: 'SKIPPED', output: { reason: 'The address is suppressed.' } })
  })

  it('to a custom address makes no contact, and tells about the one in the workflow', async () => {
    const config = { recipient: { type: 'CUSTOM', customEmail: '{{owner}}@Example.NET' } }
    const before = await countRows(stage.app, 'contacts')
    const { step, emails } = await sent({ subject: 'Call {{email}} {{id}}' }, config, { data: { owner: 'Bob' } })
    expect(step).toMatchObject({ status: 'COMPLETED', output: { to: 'bob@example.net' } })
    expect(emails).toEqual([])
    expect(await countRows(stage.app, 'contacts')).toBe(before + 1)
    const email = (await read(`/emails/${step.output.emailId}`)) as Record<string, string>
    expect(email).toMatchObject({
      contactId: null,
      subject: expect.stringMatching(/^Call person\d+@example.org [0-9a-f-]{36}$/),
    })
  })

  it('fails where the address is none, or the sender is not verified any more', async () => {
    const config = { recipient: { type: 'CUSTOM', customEmail: '{{nobody}}' } }
    expect(await sent({}, config)).toMatchObject({
      execution: { status: 'FAILED', error: '"" is not an email address.' },
      step: { status: 'FAILED', error: '"" is not an email address.' },
    })
    const { body: domain } = await ask('POST', '/domains', { domain: 'old.example.com' })
    await ask('GET', `/domains/${domain.id}/verify`)
    const id = await template({ from: 'a@old.example.com' })
    const workflow = await stage.draw({ triggerType: 'MANUAL' }, [['SEND_EMAIL', { templateId: id }]])
    await ask('DELETE', `/domains/${domain.id}`)
    const path = await start(workflow, await someone())
    await stage.app.drain()
    expect((await read(path)).error).toContain('old.example.com is not verified')
  })

  it('stores the text of a template once, however many contacts come by', async () => {
    const workflow = await stage.draw({ triggerType: 'MANUAL' }, [['SEND_EMAIL', { templateId: await template() }]])
    const before = await countRows(stage.app, 'email_contents')
    for (let i = 0; i < 3; i++) await start(workflow, await someone())
    await stage.app.drain()
    expect(await countRows(stage.app, 'email_contents')).toBe(before + 1)
  })
})

describe('an UPDATE_CONTACT', () => {
  const updated = async (config: object, contact: object = {}, context?: object) => {
    const workflow = await stage.draw({ triggerType: 'MANUAL' }, [['UPDATE_CONTACT', config]])
    const contactId = await someone(contact)
    const path = await start(workflow, contactId, context)
    await stage.app.drain()
    const events = (await read(`/events?limit=100`)).data.filter(
      (e: { contactId: string }) => e.contactId === contactId,
    )
    return { execution: await read(path), contact: await read(`/contacts/${contactId}`), events }
  }

  it('follows the rules of data', async () => {
    const updates = { a: null, b: '', c: { value: 1, persistent: false }, email: 'x@example.org', n: { m: [1] } }
    const { contact } = await updated({ updates }, { data: { a: 1, b: 2, c: 3 } })
    expect(contact).toMatchObject({ data: { b: 2, c: 3, n: { m: [1] } }, email: `person${people}@example.org` })
  })

  it('takes values from the contact and the context, and keeps their types', async () => {
    const updates = {
      n: '{{count}}',
      list: '{{tags}}',
      text: 'No. {{count}}',
      none: '{{missing}}',
      deep: ['{{data.x}}'],
    }
    const { contact } = await updated({ updates }, { data: { x: true, none: 'old' } }, { count: 5, tags: ['a'] })
    expect(contact.data).toEqual({ x: true, n: 5, list: ['a'], text: 'No. 5', deep: [true] })
  })

  it('that flips the subscription records it, and lifts no suppression', async () => {
    await ask('POST', '/suppressions', { email: `person${people + 1}@example.org` })
    const on = await updated({ subscribed: true }, { subscribed: false })
    expect(on.contact.subscribed).toBe(true)
    expect(on.events.map((e: { name: string }) => e.name)).toEqual(['contact.subscribed'])
    expect((await ask('GET', `/suppressions?search=person${people}@`)).body.data).toHaveLength(1)
    const off = await updated({ subscribed: false })
    expect(off.events).toMatchObject([{ name: 'contact.unsubscribed', data: {} }])
    expect((await updated({ subscribed: true })).events).toEqual([])
  })
})

describe('a CONDITION', () => {
  it('takes its side by the contact as the steps before left it, and by the event', async () => {
    const tree = {
      logic: 'AND',
      groups: [
        { filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] },
        { filters: [{ field: 'event.data.total', operator: 'greaterThan', value: 10 }] },
      ],
    }
    const workflow = await stage.draw({ eventName: 'order', allowReentry: true }, [
      ['UPDATE_CONTACT', { updates: { plan: 'pro' } }, 1],
      ['CONDITION', tree, { yes: 2, no: 3 }],
      ['EXIT', { reason: 'large' }],
      ['EXIT', { reason: 'small' }],
    ])
    for (const total of [50, 5, '50']) {
      await stage.track('buyer@example.org', 'order', { total })
      await stage.app.drain()
    }
    expect((await stage.executions(workflow)).map((e) => e.exitReason)).toEqual(['large', 'small', 'small'])
  })
})

describe('a graph that changes under an execution', () => {
  const waiting = async () => {
    const workflow = await stage.draw({ triggerType: 'MANUAL' }, [
      ['DELAY', { amount: 1, unit: 'hours' }, 1],
      ['EXIT', { reason: 'old' }],
    ])
    const path = await start(workflow, await someone())
    await stage.app.drain()
    return { workflow, path }
  }

  it('lets it go on with what is there', async () => {
    const { workflow, path } = await waiting()
    await ask('PATCH', `${workflow.path}/steps/${workflow.ids[1]}`, { config: { reason: 'new' } })
    await stage.pass(DAY)
    expect(await read(path)).toMatchObject({ status: 'EXITED', exitReason: 'new' })
  })

  it('completes it where what followed is gone', async () => {
    const { workflow, path } = await waiting()
    await ask('DELETE', `${workflow.path}/steps/${workflow.ids[1]}`)
    await stage.pass(DAY)
    expect((await read(path)).status).toBe('COMPLETED')
  })

  it('fails it at once, and says so, where the step it waits at is gone', async () => {
    const { workflow, path } = await waiting()
    await ask('DELETE', `${workflow.path}/steps/${workflow.ids[0]}?splice=true`)
    await stage.app.drain()
    expect(await read(path)).toMatchObject({
      status: 'FAILED',
      error: 'The step at which this execution waited has been removed.',
    })
  })
})

describe('a disabled project', () => {
  it('moves nothing until it is enabled again, and then goes on', async () => {
    const workflow = await stage.draw({ triggerType: 'MANUAL' }, [
      ['DELAY', { amount: 1, unit: 'minutes' }, 1],
      [...EXIT],
    ])
    const path = await start(workflow, await someone())
    await stage.app.drain()
    const disable = (at: string | null) =>
      stage.app.pool.query('update projects set disabled_at = $2 where id = $1', [stage.project.id, at])
    await disable('2026-01-01')
    await stage.pass(MINUTE)
    expect((await read(path)).status).toBe('WAITING')
    expect((await ask('POST', `${workflow.path}/executions`, { contactId: GONE })).status).toBe(403)
    await disable(null)
    await stage.pass(MINUTE)
    expect((await read(path)).status).toBe('EXITED')
  })
})
