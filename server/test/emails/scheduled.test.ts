/** Emails with `sendAt`: stored until their time, and checked again when they are sent. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
})
beforeEach(async () => {
  project = await createProject(app)
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

const inMs = (ms: number) => new Date(app.clock.now().getTime() + ms).toISOString()

const EMAIL = { to: 'ada@example.org', from: 'hello@example.com', subject: 'Hello {{name}}', body: '<p>{{plan}}</p>' }

async function schedule(fields: object = {}): Promise<string> {
  const { status, body } = await call('POST', '/v1/send', { ...EMAIL, sendAt: inMs(HOUR), ...fields })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.emails[0].email
}

const get = async (id: string) => (await call('GET', `/emails/${id}`)).body

async function pass(ms: number): Promise<void> {
  app.clock.forward(ms)
  await app.drain()
}

const used = async () => {
  const { rows } = await app.pool.query<{ count: string }>(
    `select coalesce(sum(n), 0) as count from (
       select count as n from usage_counts where project_id = $1 union all
       select change from usage_changes where project_id = $1) as usage`,
    [project.id],
  )
  return Number(rows[0]!.count)
}

const marketing = async () =>
  (await call('POST', '/templates', { ...EMAIL, to: undefined, name: 'News', type: 'MARKETING' })).body.id as string

describe('an email with sendAt', () => {
  it('is SCHEDULED until its time, and then sent', async () => {
    const at = inMs(HOUR)
    const id = await schedule({ sendAt: at.replace('Z', '+00:00') })
    await app.drain()
    expect(await get(id)).toMatchObject({ status: 'SCHEDULED', scheduledFor: at, sentAt: null, attempts: 0 })
    expect((await call('GET', '/emails?status=SCHEDULED')).body.data.map((email: { id: string }) => email.id)).toEqual([
      id,
    ])
    expect(await used()).toBe(0)
    await pass(HOUR - MINUTE)
    expect((await get(id)).status).toBe('SCHEDULED')
    await pass(MINUTE)
    const email = await get(id)
    expect(email).toMatchObject({ status: 'DELIVERED', scheduledFor: at, sentAt: app.clock.now().toISOString() })
    expect(email.timeline.map(({ event }: { event: string }) => event)).toEqual([
      'scheduled',
      'queued',
      'email.sent',
      'email.delivery',
    ])
    expect(await used()).toBe(1)
    const { body: raw } = await call('GET', `/emails/${id}/raw`)
    expect(raw).toContain(`Date: ${app.clock.now().toUTCString().replace('GMT', '+0000')}`)
  })

  it('has the data of the contact at its time, below the data of the request', async () => {
    const id = await schedule({ data: { plan: { value: 'from the request', persistent: false } } })
    expect((await get(id)).subject).toBe('Hello ')
    const { contactId } = await get(id)
    await call('PATCH', `/contacts/${contactId}`, { data: { name: 'Ada', plan: 'of the contact' } })
    expect((await get(id)).subject).toBe('Hello Ada')
    expect((await call('GET', '/emails')).body.data[0].subject).toBe('Hello Ada')
    await call('PATCH', `/contacts/${contactId}`, { data: { name: 'Grace' } })
    await pass(HOUR)
    const email = await get(id)
    expect(email.subject).toBe('Hello Grace')
    expect(email.html).toContain('from the request')
  })

  it('has the template of the request', async () => {
    const template = (await call('POST', '/templates', { ...EMAIL, to: undefined, name: 'T', type: 'TRANSACTIONAL' }))
      .body
    const id = await schedule({ subject: undefined, body: undefined, from: undefined, template: template.id })
    await call('PATCH', `/templates/${template.id}`, { subject: 'Changed' })
    await pass(HOUR)
    expect((await get(id)).subject).toBe('Hello ')
  })

  it('is sent now if its time is within five seconds', async () => {
    const id = await schedule({ sendAt: inMs(5_000) })
    expect(await get(id)).toMatchObject({ status: 'PENDING', scheduledFor: null })
  })

  it.each([
    ['in the past', -1],
    ['more than 365 days ahead', 365 * DAY + 1],
  ])('is 422 if its time is %s', async (_case, ms) => {
    const { status, body } = await call('POST', '/v1/send', { ...EMAIL, sendAt: inMs(ms) })
    expect(status).toBe(422)
    expect(body.error.errors[0].field).toBe('sendAt')
  })

  it.each(['2030-01-01', '2030-02-30T10:00:00Z', '2030-01-01T10:00:00', 'tomorrow', 17, null])(
    'is 422 if its time is %j',
    async (sendAt) => {
      expect((await call('POST', '/v1/send', { ...EMAIL, sendAt })).status).toBe(422)
    },
  )

  it('can be part of a batch', async () => {
    const { body } = await call('POST', '/v1/send/batch', { messages: [EMAIL, { ...EMAIL, sendAt: inMs(HOUR) }] })
    const ids = body.data.results.map(({ emails }: { emails: Array<{ email: string }> }) => emails[0]!.email)
    await app.drain()
    expect((await get(ids[0])).status).toBe('DELIVERED')
    expect((await get(ids[1])).status).toBe('SCHEDULED')
  })
})

describe('at its time, a scheduled email', () => {
  it('is canceled if the contact has opted out', async () => {
    const id = await schedule({ template: await marketing(), subscribed: true })
    await call('PATCH', `/contacts/${(await get(id)).contactId}`, { subscribed: false })
    await pass(HOUR)
    expect(await get(id)).toMatchObject({ status: 'CANCELLED', error: 'Not sent: the contact has unsubscribed.' })
    expect(await used()).toBe(0)
  })

  it('fails if the address is suppressed', async () => {
    const id = await schedule({ template: await marketing() })
    await call('POST', '/suppressions', { email: 'ada@example.org' })
    await pass(HOUR)
    const email = await get(id)
    expect(email).toMatchObject({ status: 'FAILED', error: 'Not sent: the address is suppressed.' })
    expect(email.timeline.at(-1)).toMatchObject({ event: 'failed', words: email.error })
  })

  it('fails if the address bounced for good, and costs nothing', async () => {
    const ids = [
      await schedule({ to: 'gone@example.org' }),
      await schedule({ to: 'gone@example.org', template: await marketing() }),
    ]
    const row = [project.id, 'gone@example.org', newId(app.clock.now())]
    await app.pool.query(`insert into suppressions values ($1, $2, $3, 'BOUNCE', now())`, row)
    await pass(HOUR)
    for (const id of ids) {
      const error = 'Not sent: the address is suppressed because of a permanent bounce.'
      expect(await get(id)).toMatchObject({ status: 'FAILED', error })
    }
    expect(await used()).toBe(0)
  })

  it('fails if the sender domain was deleted, and can be resent once it is verified again', async () => {
    const id = await schedule()
    const { rows } = await app.pool.query('delete from domains where project_id = $1 returning *', [project.id])
    await pass(HOUR)
    expect(await get(id)).toMatchObject({
      status: 'FAILED',
      error: 'Not sent: the sender domain example.com is not verified.',
    })
    const columns = Object.keys(rows[0])
    await app.pool.query(
      `insert into domains (${columns.join(', ')}) values (${columns.map((_, i) => `$${i + 1}`).join(', ')})`,
      columns.map((column) => (column === 'records' ? JSON.stringify(rows[0][column]) : rows[0][column])),
    )
    expect((await call('POST', `/emails/${id}/resend`)).body.status).toBe('SCHEDULED')
    await app.drain()
    expect((await get(id)).status).toBe('DELIVERED')
    expect(await used()).toBe(1)
  })

  it('counts against the limit of the month in which it is sent', async () => {
    const [first, second] = [await schedule(), await schedule({ sendAt: inMs(2 * HOUR) })]
    await app.pool.query(
      `insert into billing_limits (project_id, source, max, month, used) values ($1, 'transactional', 1, date_trunc('month', $2::timestamptz), 0)`,
      [project.id, app.clock.now()],
    )
    await pass(HOUR)
    await pass(HOUR)
    expect((await get(first)).status).toBe('DELIVERED')
    expect(await get(second)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('limit of 1 email') })
    await app.fold()
    expect(await used()).toBe(1)
  })

  it('fails if its contact was deleted', async () => {
    const id = await schedule()
    await call('DELETE', `/contacts/${(await get(id)).contactId}`)
    await app.drain()
    await pass(HOUR)
    expect(await get(id)).toMatchObject({
      status: 'FAILED',
      error: 'Not sent: the contact was deleted.',
      contactId: null,
    })
    expect(await app.captured()).not.toContainEqual(expect.objectContaining({ emailId: id }))
  })
})

it('emails of several projects that are due at the same time are released together', async () => {
  const first = await schedule()
  const firstProject = project
  project = await createProject(app)
  const second = await schedule()
  app.clock.forward(HOUR)
  const { sendDue } = app.services.scheduledEmails
  await Promise.all([
    sendDue({ projectId: firstProject.id, emailId: first }),
    sendDue({ projectId: project.id, emailId: second }),
  ])
  await app.drain()
  expect((await get(second)).status).toBe('DELIVERED')
  project = firstProject
  expect((await get(first)).status).toBe('DELIVERED')
})

describe('PATCH /emails/{id}', () => {
  it('changes the time of a scheduled email', async () => {
    const id = await schedule()
    const { status, body } = await call('PATCH', `/emails/${id}`, { sendAt: inMs(3 * HOUR) })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'SCHEDULED', scheduledFor: inMs(3 * HOUR) })
    await pass(2 * HOUR)
    expect((await get(id)).status).toBe('SCHEDULED')
    await pass(HOUR)
    expect((await get(id)).status).toBe('DELIVERED')
  })

  it('sends it earlier, or now', async () => {
    const [early, now] = [await schedule(), await schedule()]
    await call('PATCH', `/emails/${early}`, { sendAt: inMs(10 * MINUTE) })
    await call('PATCH', `/emails/${now}`, { sendAt: null })
    await app.drain()
    expect((await get(now)).status).toBe('DELIVERED')
    await pass(10 * MINUTE)
    expect((await get(early)).status).toBe('DELIVERED')
  })

  it('is refused for other emails and other times', async () => {
    const id = await schedule()
    expect((await call('PATCH', `/emails/${id}`, { sendAt: inMs(-1) })).status).toBe(422)
    expect((await call('PATCH', `/emails/${id}`, {})).status).toBe(422)
    const sent = await schedule({ sendAt: undefined })
    const { status, body } = await call('PATCH', `/emails/${sent}`, { sendAt: inMs(HOUR) })
    expect(status).toBe(409)
    expect(body.error.message).toContain('its status is PENDING')
    const other = await createProject(app)
    const foreign = await app.request('PATCH', `/emails/${id}`, { key: other.secretKey, body: { sendAt: inMs(HOUR) } })
    expect(foreign.status).toBe(404)
  })
})

describe('POST /emails/{id}/cancel', () => {
  it('cancels a scheduled email and removes its job', async () => {
    const id = await schedule()
    expect((await call('POST', `/emails/${id}/cancel`, { reason: 'x' })).status).toBe(422)
    await call('PATCH', `/emails/${id}`, { sendAt: inMs(2 * HOUR) })
    const { status, body } = await call('POST', `/emails/${id}/cancel`, {})
    expect(status).toBe(200)
    const { body: log } = await call('GET', `/projects/${project.id}/audit-log`)
    expect(log.data).toMatchObject([
      { act: 'email.canceled', actor: { type: 'key' }, details: { emailId: id } },
      { act: 'email.rescheduled', details: { emailId: id, sendAt: inMs(2 * HOUR) } },
      { act: 'project.created' },
    ])
    expect(body).toMatchObject({ status: 'CANCELLED', error: 'Canceled before it was sent.' })
    const { rows } = await app.pool.query(`select from posthorn_queue.jobs where payload ->> 'emailId' = $1`, [id])
    expect(rows).toEqual([])
    await pass(HOUR)
    expect((await get(id)).status).toBe('CANCELLED')
    expect((await call('POST', `/emails/${id}/cancel`)).status).toBe(409)
    expect((await call('PATCH', `/emails/${id}`, { sendAt: inMs(HOUR) })).status).toBe(409)
  })

  it('leaves the email to be resent', async () => {
    const id = await schedule({ sendAt: inMs(DAY) })
    await call('POST', `/emails/${id}/cancel`)
    expect((await call('POST', `/emails/${id}/resend`)).status).toBe(200)
    await app.drain()
    expect((await get(id)).status).toBe('DELIVERED')
    expect(await used()).toBe(1)
  })
})
