/** What each step type does, and what is recorded of it. WEBHOOK and the window of SEND_EMAIL have files of their own. */
import { describe, expect, it } from 'vitest'
import { countRows, DAY, MINUTE } from '../workflows/workflow-fixture.ts'
import { EXIT, useSteps } from './step-fixture.ts'

const { opened, ask, template, start, read, someone, lastAddress, nextAddress, emailsOf } = useSteps()

describe('a DELAY', () => {
  it.each([
    [0.001, 'minutes', 60],
    [5, 'minutes', 5 * MINUTE],
    [1.5, 'hours', 90 * MINUTE],
    [30, 'days', 30 * DAY],
  ])('continues after %d %s, and not before', async (amount, unit, ms) => {
    const workflow = await opened().createWorkflow({ triggerType: 'MANUAL' }, [
      ['DELAY', { amount, unit }, 1],
      [...EXIT],
    ])
    const path = await start(workflow, await someone())
    const startedAt = opened().app.clock.now().getTime()
    await opened().app.drain()
    const waiting = await read(path)
    expect(waiting).toMatchObject({ status: 'WAITING', currentStepId: workflow.ids[0] })
    expect(waiting.steps[0]).toMatchObject({ status: 'WAITING', resumeAt: new Date(startedAt + ms).toISOString() })
    await opened().advanceTime(ms - 1)
    expect((await read(path)).status).toBe('WAITING')
    await opened().advanceTime(1)
    expect((await read(path)).status).toBe('EXITED')
  })

  it.each([
    [
      'a date of the contact',
      { field: 'data.renewsAt' },
      { renewsAt: '2099-12-30T10:00:00Z' },
      '2099-12-30T10:00:00.000Z',
    ],
    [
      'a day of the contact, which begins in its time zone',
      { field: 'data.renewsAt' },
      { renewsAt: '2099-07-01', timezone: 'Europe/Berlin' },
      '2099-06-30T22:00:00.000Z',
    ],
    [
      'a day of a contact whose time zone does not exist',
      { field: 'data.renewsAt' },
      { renewsAt: '2099-07-01', timezone: 'Mars/Base' },
      '2099-07-01T00:00:00.000Z',
    ],
  ])('until %s continues at that time', async (_what, until, data, end) => {
    const workflow = await opened().createWorkflow({ triggerType: 'MANUAL' }, [['DELAY', { until }, 1], [...EXIT]])
    const path = await start(workflow, await someone({ data }))
    await opened().app.drain()
    expect(await read(path)).toMatchObject({ status: 'WAITING', resumeAt: end, steps: [{ resumeAt: end }] })
  })

  it('until a weekday and time continues then in the time zone of the contact', async () => {
    const until = { weekday: 1, time: '09:00', timezone: 'contact' }
    const workflow = await opened().createWorkflow({ triggerType: 'MANUAL' }, [['DELAY', { until }, 1], [...EXIT]])
    const path = await start(workflow, await someone({ data: { timezone: 'Asia/Tokyo' } }))
    await opened().app.drain()
    const resumeAt = new Date((await read(path)).resumeAt)
    expect(resumeAt.toISOString()).toMatch(/T00:00:00.000Z$/) // 09:00 in Tokyo
    expect(resumeAt.getUTCDay()).toBe(1)
    await opened().advanceTime(resumeAt.getTime() - opened().app.clock.now().getTime() - 1)
    expect((await read(path)).status).toBe('WAITING')
    await opened().advanceTime(1)
    expect(await read(path)).toMatchObject({ status: 'EXITED', resumeAt: null })
  })

  it('until a time of any day continues within a day', async () => {
    const until = { time: '10:30', timezone: 'Asia/Tokyo' }
    const workflow = await opened().createWorkflow({ triggerType: 'MANUAL' }, [['DELAY', { until }, 1], [...EXIT]])
    const path = await start(workflow, await someone({ data: {} }))
    await opened().app.drain()
    const waitMs = Date.parse((await read(path)).resumeAt) - opened().app.clock.now().getTime()
    expect((await read(path)).resumeAt).toMatch(/T01:30:00.000Z$/)
    expect(waitMs).toBeLessThanOrEqual(86_400_000)
    await opened().advanceTime(waitMs)
    expect((await read(path)).status).toBe('EXITED')
  })

  it.each([
    [{}],
    [{ renewsAt: '2020-01-01' }],
    [{ renewsAt: 'soon' }],
    [{ renewsAt: '2099-02-30' }],
    [{ renewsAt: 5 }],
    [{ renewsAt: null }],
  ])('until a date that is missing, none or in the past continues at once: %j', async (data) => {
    const until = { field: 'data.renewsAt' }
    const workflow = await opened().createWorkflow({ triggerType: 'MANUAL' }, [['DELAY', { until }, 1], [...EXIT]])
    const path = await start(workflow, await someone({ data }))
    await opened().app.drain()
    expect((await read(path)).status).toBe('EXITED')
  })

  it.each([
    [{}, 'config.amount'],
    [{ amount: 1, unit: 'days', until: { field: 'data.x' } }, 'config.until'],
    [{ until: { field: 'email' } }, 'config.until.field'],
    [{ until: { field: 'data.x', weekday: 1 } }, 'config.until.time'],
    [{ until: { weekday: 0, time: '09:00', timezone: 'UTC' } }, 'config.until.weekday'],
    [{ until: { weekday: 8, time: '09:00', timezone: 'UTC' } }, 'config.until.weekday'],
    [{ until: { weekday: 1, time: '24:00', timezone: 'UTC' } }, 'config.until.time'],
    [{ until: { time: '09:00' } }, 'config.until.timezone'],
    [{ until: { weekday: 1, time: '09:00', timezone: 'Mars/Base' } }, 'config.until.timezone'],
    [{ until: { weekday: 1, time: '09:00', timezone: '+02:00' } }, 'config.until.timezone'],
    [{ until: { field: 'data.x', zone: 'UTC' } }, 'config.until.zone'],
  ])('is refused if its configuration is %j, for the field %s', async (config, field) => {
    const path = await opened().create()
    const { status, body } = await ask('POST', `${path}/steps`, { type: 'DELAY', config })
    expect(status).toBe(422)
    expect(body.error.errors.map((one: { field: string }) => one.field)).toContain(field)
  })

  it('continues as soon as a worker runs if it ended while none was running', async () => {
    const workflow = await opened().createWorkflow({ triggerType: 'MANUAL' }, [
      ['DELAY', { amount: 1, unit: 'hours' }, 1],
      [...EXIT],
    ])
    const path = await start(workflow, await someone())
    await opened().app.drain()
    await opened().advanceTime(400 * DAY)
    expect((await read(path)).status).toBe('EXITED')
  })

  it('has no job in the queue until shortly before it ends', async () => {
    const workflow = await opened().createWorkflow({ triggerType: 'MANUAL' }, [['DELAY', { amount: 1, unit: 'days' }]])
    for (let i = 0; i < 5; i++) await start(workflow, await someone())
    await opened().app.drain()
    const ours = `name = 'run-workflow-step'`
    expect(await countRows(opened().app, 'posthorn_queue.jobs', ours)).toBe(0)
    await opened().advanceTime(DAY - MINUTE)
    expect(await countRows(opened().app, 'posthorn_queue.jobs', ours)).toBe(5)
    await opened().advanceTime(MINUTE)
    expect((await opened().executions(workflow)).map((e) => e.status)).toEqual(Array(5).fill('COMPLETED'))
  })

  it('is not shortened by a clock that was ahead for a moment', async () => {
    const workflow = await opened().createWorkflow({ triggerType: 'MANUAL' }, [
      ['DELAY', { amount: 1, unit: 'minutes' }, 1],
      [...EXIT],
    ])
    const path = await start(workflow, await someone())
    await opened().app.drain()
    // The queue uses the clock of the database, by which the wait is over. By the clock of the process it is not.
    await opened().app.pool.query(`update posthorn_queue.jobs set run_at = now() - interval '1 second'`)
    await opened().app.drain()
    expect((await read(path)).status).toBe('WAITING')
    await opened().advanceTime(MINUTE)
    expect((await read(path)).status).toBe('EXITED')
  })
})

describe('a SEND_EMAIL', () => {
  const sent = async (fields: object, config: object = {}, contact: object = {}, context?: object) => {
    const workflow = await opened().createWorkflow({ triggerType: 'MANUAL' }, [
      ['SEND_EMAIL', { templateId: await template(fields), ...config }, 1],
      [...EXIT],
    ])
    const contactId = await someone(contact)
    const path = await start(workflow, contactId, context)
    await opened().app.drain()
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

  it('sends the current version of the template and records which one it is, for the execution and for the email', async () => {
    const id = await template({ subject: 'First' })
    const workflow = await opened().createWorkflow({ triggerType: 'MANUAL' }, [
      ['SEND_EMAIL', { templateId: id }, 1],
      [...EXIT],
    ])
    const sendTo = async (contactId: string) => {
      const path = await start(workflow, contactId)
      await opened().app.drain()
      const { output } = (await read(path)).steps[0]
      const { subject, templateVersion } = await read(`/emails/${output.emailId}`)
      return { recorded: output.templateVersion, subject, templateVersion }
    }
    expect(await sendTo(await someone())).toEqual({ recorded: 1, subject: 'First', templateVersion: 1 })
    await ask('PATCH', `/templates/${id}`, { subject: 'Second' })
    expect(await sendTo(await someone())).toEqual({ recorded: 2, subject: 'Second', templateVersion: 2 })
  })

  it('is skipped if it is of type MARKETING and the contact is not subscribed, and the execution continues', async () => {
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
    await ask('POST', '/suppressions', { email: nextAddress() })
    const { step } = await sent({})
    expect(step).toMatchObject({ status: 'SKIPPED', output: { reason: 'The address is suppressed.' } })
  })

  it('to a custom address creates no contact and uses the data of the contact in the workflow', async () => {
    const config = { recipient: { type: 'CUSTOM', customEmail: '{{owner}}@Example.NET' } }
    const before = await countRows(opened().app, 'contacts')
    const { step, emails } = await sent({ subject: 'Call {{email}} {{id}}' }, config, { data: { owner: 'Bob' } })
    expect(step).toMatchObject({ status: 'COMPLETED', output: { to: 'bob@example.net' } })
    expect(emails).toEqual([])
    expect(await countRows(opened().app, 'contacts')).toBe(before + 1)
    const email = (await read(`/emails/${step.output.emailId}`)) as Record<string, string>
    expect(email).toMatchObject({
      contactId: null,
      subject: expect.stringMatching(/^Call person\d+@example.org [0-9a-f-]{36}$/),
    })
  })

  it('fails if the address is invalid or the sender is no longer verified', async () => {
    const config = { recipient: { type: 'CUSTOM', customEmail: '{{nobody}}' } }
    expect(await sent({}, config)).toMatchObject({
      execution: { status: 'FAILED', error: '"" is not an email address.' },
      step: { status: 'FAILED', error: '"" is not an email address.' },
    })
    const { body: domain } = await ask('POST', '/domains', { domain: 'old.example.com' })
    await ask('GET', `/domains/${domain.id}/verify`)
    const id = await template({ from: 'a@old.example.com' })
    const workflow = await opened().createWorkflow({ triggerType: 'MANUAL' }, [['SEND_EMAIL', { templateId: id }]])
    await ask('DELETE', `/domains/${domain.id}`)
    const path = await start(workflow, await someone())
    await opened().app.drain()
    expect((await read(path)).error).toContain('old.example.com is not verified')
  })

  it('stores the content of a template once for all contacts', async () => {
    const workflow = await opened().createWorkflow({ triggerType: 'MANUAL' }, [
      ['SEND_EMAIL', { templateId: await template() }],
    ])
    const before = await countRows(opened().app, 'email_contents')
    for (let i = 0; i < 3; i++) await start(workflow, await someone())
    await opened().app.drain()
    expect(await countRows(opened().app, 'email_contents')).toBe(before + 1)
  })
})

describe('an UPDATE_CONTACT', () => {
  const updated = async (config: object, contact: object = {}, context?: object) => {
    const workflow = await opened().createWorkflow({ triggerType: 'MANUAL' }, [['UPDATE_CONTACT', config]])
    const contactId = await someone(contact)
    const path = await start(workflow, contactId, context)
    await opened().app.drain()
    const events = (await read(`/events?limit=100`)).data.filter(
      (e: { contactId: string }) => e.contactId === contactId,
    )
    return { execution: await read(path), contact: await read(`/contacts/${contactId}`), events }
  }

  it('applies the rules for contact data', async () => {
    const updates = { a: null, b: '', c: { value: 1, persistent: false }, email: 'x@example.org', n: { m: [1] } }
    const { contact } = await updated({ updates }, { data: { a: 1, b: 2, c: 3 } })
    expect(contact).toMatchObject({ data: { b: 2, c: 3, n: { m: [1] } }, email: lastAddress() })
  })

  it('renders values from the contact and the context, and keeps their types', async () => {
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

  it('records an event if it changes the subscription, and lifts no suppression', async () => {
    await ask('POST', '/suppressions', { email: nextAddress() })
    const on = await updated({ subscribed: true }, { subscribed: false })
    expect(on.contact.subscribed).toBe(true)
    expect(on.events.map((e: { name: string }) => e.name)).toEqual(['contact.subscribed'])
    expect((await ask('GET', `/suppressions?search=${lastAddress()}`)).body.data).toHaveLength(1)
    const off = await updated({ subscribed: false })
    expect(off.events).toMatchObject([{ name: 'contact.unsubscribed', data: {} }])
    expect((await updated({ subscribed: true })).events).toEqual([])
  })
})

describe('a CONDITION', () => {
  it('is checked against the contact as changed by earlier steps, and against the event', async () => {
    const tree = {
      logic: 'AND',
      groups: [
        { filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] },
        { filters: [{ field: 'event.data.total', operator: 'greaterThan', value: 10 }] },
      ],
    }
    const workflow = await opened().createWorkflow({ eventName: 'order', allowReentry: true }, [
      ['UPDATE_CONTACT', { updates: { plan: 'pro' } }, 1],
      ['CONDITION', tree, { yes: 2, no: 3 }],
      ['EXIT', { reason: 'large' }],
      ['EXIT', { reason: 'small' }],
    ])
    for (const total of [50, 5, '50']) {
      await opened().track('buyer@example.org', 'order', { total })
      await opened().app.drain()
    }
    expect((await opened().executions(workflow)).map((e) => e.exitReason)).toEqual(['large', 'small', 'small'])
  })
})
