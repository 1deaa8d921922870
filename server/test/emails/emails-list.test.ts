/** The timeline of an email with the responses of other servers, resending, and simulating recipients. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordNotes } from '../../features/mail/delivery/outcomes.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let other: Awaited<ReturnType<typeof createProject>>
let counter = 0

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  other = await createProject(app, 'Other')
})
afterAll(() => app.close())
beforeEach(() => app.clock.set(new Date()))

const call = (method: string, path: string, body?: unknown, key = project.secretKey) =>
  app.request(method, path, { key, body })

async function send(to = `person${++counter}@example.org`, fields: object = {}): Promise<string> {
  const { body } = await call('POST', '/v1/send', {
    to,
    from: 'hello@example.com',
    subject: 'Hello {{name}}',
    body: '<p>Hi <a href="https://shop.example/">Shop</a></p>',
    data: { name: 'Ada' },
    subscribed: true,
    ...fields,
  })
  await app.drain()
  return body.data.emails[0].email
}

const record = async (id: string) => (await call('GET', `/emails/${id}`)).body
const captures = async (id: string) => (await app.captured()).filter((message) => message.email_id === id)

describe('GET /emails', () => {
  it('returns the emails of a range of time, page by page, and counts them', async () => {
    const ids: string[] = []
    for (const day of ['01', '02', '03', '04']) {
      app.clock.set(new Date(`2031-05-${day}T12:00:00Z`))
      ids.unshift(await send())
    }
    const list = async (query: string) => (await call('GET', `/emails?${query}`)).body
    const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
    const [fourth, third, second] = ids
    expect(idsOf(await list('from=2031-05-02&to=2031-05-03'))).toEqual([third, second])
    expect(idsOf(await list('from=2031-05-03T12:00:00Z'))).toEqual([fourth, third])
    expect(idsOf(await list('from=2031-05-02&to=2031-05-03T11:59:59.999Z'))).toEqual([second])
    expect(idsOf(await list('from=2031-05-02&to=2031-05-03&search=hello&sourceType=TRANSACTIONAL'))).toEqual([
      third,
      second,
    ])
    const first = await list('from=2031-05-02&to=2031-05-03&limit=1')
    expect(first).toMatchObject({ data: [{ id: third }], total: 2, hasMore: true })
    const next = await list(`from=2031-05-02&to=2031-05-03&limit=1&cursor=${first.cursor}`)
    expect(next).toMatchObject({ data: [{ id: second }], hasMore: false })
  })

  it('returns the emails of one source', async () => {
    app.clock.set(new Date('2031-06-01T12:00:00Z'))
    const [mine, workflow] = [await send(), await send()]
    await app.pool.query("update emails set source_type = 'WORKFLOW' where id = $1", [workflow])
    const list = async (source: string) =>
      (await call('GET', `/emails?from=2031-06-01&sourceType=${source}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await list('TRANSACTIONAL')).toEqual([mine])
    expect(await list('WORKFLOW')).toEqual([workflow])
    expect(await list('CAMPAIGN')).toEqual([])
  })

  it.each([
    ['sourceType=API', 'sourceType must be one of TRANSACTIONAL, CAMPAIGN, WORKFLOW, INBOUND, TEST.'],
    ['from=2031-05-03&to=2031-05-02', 'from must not be after to.'],
    ['from=yesterday', expect.stringContaining('from must be a date such as')],
  ])('refuses %s', async (query, message) => {
    const { status, body } = await call('GET', `/emails?${query}`)
    expect([status, body.error.message]).toEqual([400, message])
  })
})

describe('the timeline of an email', () => {
  it('shows what happened in order, with the responses of other servers', async () => {
    const id = await send()
    const at = app.clock.now()
    await recordNotes(app.ctx, [{ projectId: project.id, emailId: id, at, kind: 'deferred', text: '451 later' }])
    await call('POST', `/emails/${id}/simulate`, { outcome: 'softbounce' })
    const { timeline } = await record(id)
    expect(timeline.map((entry: { event: string }) => entry.event)).toEqual([
      'queued',
      'email.sent',
      'email.delivery',
      'deferred',
      'email.bounce',
    ])
    expect(timeline[3]).toEqual({ event: 'deferred', at: at.toISOString(), data: {}, words: '451 later' })
    expect(timeline[4].words).toContain('452')
    expect(timeline[1]).not.toHaveProperty('words')
  })

  it('is erased with the contact, including the responses', async () => {
    const id = await send()
    await call('POST', `/emails/${id}/simulate`, { outcome: 'bounce' })
    await call('DELETE', `/contacts/${(await record(id)).contactId}`)
    await app.drain()
    expect((await app.pool.query('select from email_notes where email_id = $1', [id])).rowCount).toBe(0)
    expect((await record(id)).error).toBeNull()
  })
})

describe('resending an email', () => {
  it('sends a failed email with the same Message-ID and all attempts available', async () => {
    const id = await send('reject@simulator.posthorn.test')
    expect(await record(id)).toMatchObject({ status: 'FAILED', attempts: 1 })
    await app.pool.query(`update emails set to_email = 'fixed@example.org' where id = $1`, [id])
    const reply = await call('POST', `/emails/${id}/resend`)
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ id, status: 'PENDING', error: null, attempts: 0, subject: 'Hello Ada' })
    await app.drain()
    expect(await record(id)).toMatchObject({ status: 'DELIVERED', attempts: 1 })
    const [message] = await captures(id)
    expect(message!.raw.toString()).toContain(`Message-ID: <${id}@example.com>`)
  })

  it('happens once, even in concurrent requests', async () => {
    const id = await send('reject@simulator.posthorn.test')
    await app.pool.query(`update emails set to_email = 'once@example.org' where id = $1`, [id])
    const replies = await Promise.all(Array.from({ length: 5 }, () => call('POST', `/emails/${id}/resend`)))
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 409, 409, 409, 409])
    await app.drain()
    expect(await captures(id)).toHaveLength(1)
  })

  it('sends a canceled email', async () => {
    const id = await send()
    await app.pool.query("update emails set status = 'CANCELLED', sent_at = null where id = $1", [id])
    expect(await call('POST', `/emails/${id}/resend`)).toMatchObject({ status: 200, body: { id, status: 'PENDING' } })
    await app.drain()
    expect(await record(id)).toMatchObject({ status: 'DELIVERED', error: null })
    expect(await captures(id)).toHaveLength(2)
  })

  it('is refused for marketing email to a suppressed address or an unsubscribed contact, until that is undone', async () => {
    const fields = { name: 'T', subject: 's', body: '<p>x</p>', from: 'hello@example.com', type: 'MARKETING' }
    const { body: template } = await call('POST', '/templates', fields)
    const id = await send('stopped@example.org', { template: template.id, subject: undefined, body: undefined })
    await app.pool.query("update emails set status = 'CANCELLED' where id = $1", [id])
    const { contactId } = await record(id)
    const resend = async () => {
      const { status, body } = await call('POST', `/emails/${id}/resend`)
      return [status, body.error?.message]
    }

    await call('POST', '/suppressions', { email: 'stopped@example.org' })
    expect(await resend()).toEqual([409, "This email can't be sent again: the address is suppressed."])
    await call('DELETE', '/suppressions/stopped%40example.org')
    await call('PATCH', `/contacts/${contactId}`, { subscribed: false })
    expect(await resend()).toEqual([409, "This email can't be sent again: the contact has unsubscribed."])
    expect((await record(id)).status).toBe('CANCELLED')
    await call('PATCH', `/contacts/${contactId}`, { subscribed: true })
    expect(await resend()).toEqual([200, undefined])
  })

  it('is refused for an email whose contact was deleted, before and after the erasure', async () => {
    const id = await send()
    await app.pool.query("update emails set status = 'CANCELLED' where id = $1", [id])
    await call('DELETE', `/contacts/${(await record(id)).contactId}`)
    const before = await call('POST', `/emails/${id}/resend`)
    await app.drain()
    const after = await call('POST', `/emails/${id}/resend`)
    for (const { status, body } of [before, after]) {
      expect([status, body.error.message]).toEqual([409, "This email can't be sent again: the contact was deleted."])
    }
  })

  it.each(['PENDING', 'SENDING', 'SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED'])(
    'is refused for an email that is %s, and changes nothing',
    async (status) => {
      const id = await send()
      await app.pool.query('update emails set status = $2 where id = $1', [id, status])
      const reply = await call('POST', `/emails/${id}/resend`)
      expect([reply.status, reply.body.error.code]).toEqual([409, 'CONFLICT'])
      expect((await record(id)).status).toBe(status)
    },
  )

  it('is refused if the content was deleted, or the sender is no longer verified', async () => {
    const id = await send('reject@simulator.posthorn.test')
    await app.pool.query(`update domains set status = 'PENDING' where project_id = $1`, [project.id])
    expect(await call('POST', `/emails/${id}/resend`)).toMatchObject({ status: 403 })
    await app.pool.query(`update domains set status = 'VERIFIED' where project_id = $1`, [project.id])
    await app.pool.query('delete from email_contents where id = (select content_id from emails where id = $1)', [id])
    const reply = await call('POST', `/emails/${id}/resend`)
    expect([reply.status, reply.body.error.message]).toEqual([409, expect.stringContaining('no longer stored')])
  })

  it('is refused for emails of other projects', async () => {
    const id = await send('reject@simulator.posthorn.test')
    expect((await call('POST', `/emails/${id}/resend`, undefined, other.secretKey)).status).toBe(404)
    expect((await call('POST', '/emails/nonsense/resend')).status).toBe(404)
    expect((await record(id)).status).toBe('FAILED')
  })
})

describe('simulating an outcome', () => {
  it.each([
    ['open', 'OPENED'],
    ['click', 'CLICKED'],
    ['bounce', 'BOUNCED'],
    ['softbounce', 'DELIVERED'],
    ['complaint', 'COMPLAINED'],
  ])('works for %s', async (outcome, status) => {
    const id = await send()
    const reply = await call('POST', `/emails/${id}/simulate`, { outcome })
    expect([reply.status, reply.body.status]).toEqual([200, status])
  })

  it('clicks the given link, or the first of the email', async () => {
    for (const link of [undefined, 'https://elsewhere.example/']) {
      const id = await send()
      await call('POST', `/emails/${id}/simulate`, { outcome: 'click', link })
      const { timeline } = await record(id)
      const click = timeline.find((entry: { event: string }) => entry.event === 'email.click')
      expect(click.data.link).toBe(link ?? 'https://shop.example/')
    }
  })

  it('clicks the target of a tracked link, not our own', async () => {
    const body = '<a href="https://tracked.example/x">x</a>'
    const template = await call('POST', '/templates', { name: 'T', subject: 's', body, from: 'hello@example.com' })
    const id = await send(undefined, { template: template.body.id, body: undefined })
    await call('POST', `/emails/${id}/simulate`, { outcome: 'click' })
    const { timeline } = await record(id)
    expect(timeline.at(-1).data.link ?? timeline.at(-2).data.link).toBe('https://tracked.example/x')
  })

  it('refuses an unknown outcome, an unknown link, and unsent emails', async () => {
    const id = await send()
    expect((await call('POST', `/emails/${id}/simulate`, { outcome: 'explode' })).status).toBe(422)
    expect((await call('POST', `/emails/${id}/simulate`, { outcome: 'click', link: 'javascript:x' })).status).toBe(422)
    expect((await call('POST', `/emails/${id}/simulate`, {})).status).toBe(422)
    const failed = await send('reject@simulator.posthorn.test')
    expect((await call('POST', `/emails/${failed}/simulate`, { outcome: 'open' })).status).toBe(409)
  })

  it('is not available for emails of other projects, or if emails are really sent', async () => {
    const id = await send()
    expect((await call('POST', `/emails/${id}/simulate`, { outcome: 'open' }, other.secretKey)).status).toBe(404)
    const { mail } = app.ctx
    app.ctx.mail = { ...mail, capabilities: { ...mail.capabilities, captures: false } }
    try {
      const { status, body } = await call('POST', `/emails/${id}/simulate`, { outcome: 'open' })
      expect({ status, message: body.error.message }).toEqual({
        status: 404,
        message: expect.stringMatching(/^Outcomes can only be simulated while email is captured/),
      })
    } finally {
      app.ctx.mail = mail
    }
    expect((await record(id)).opens).toBe(0)
  })
})
