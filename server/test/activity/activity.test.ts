/** The activity feed, upcoming activity, and the timeline of a contact. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject } from '../harness.ts'
import { uploadFile } from '../uploads/upload.ts'
import { GONE, openFixture, type Project } from '../workflows/workflow-fixture.ts'

let fixture: Awaited<ReturnType<typeof openFixture>>
let other: Project
let contactId: string
let campaignId: string
let workflow: { id: string; path: string }
let failing: { id: string; path: string }

const NEWS = { subject: 'Hello', body: '<p>Hi</p>', from: 'us@example.com', audienceType: 'ALL' }

interface Item {
  id: string
  type: string
  timestamp: string
  contact: { id: string; email: string } | null
  metadata: Record<string, unknown>
  email: Record<string, string | null> | null
}

/** One entry of every type, a minute apart. */
beforeAll(async () => {
  fixture = await openFixture()
  other = await createProject(fixture.app)
  const tick = async () => {
    await fixture.app.drain()
    fixture.app.clock.forward(60_000)
  }
  contactId = await fixture.contact('ada@example.org')
  workflow = await fixture.createWorkflow({ name: 'Greet', eventName: 'signup' }, [['EXIT', { reason: 'done' }]])
  failing = await fixture.createWorkflow({ name: 'Fail', eventName: 'fail' }, [
    ['WEBHOOK', { url: 'http://127.0.0.1:9/' }],
  ])
  await fixture.createWorkflow({ name: 'Wait', eventName: 'wait' }, [
    ['DELAY', { amount: 2, unit: 'hours' }, 1],
    ['EXIT', {}],
  ])
  for (const event of ['signup', 'fail', 'wait', 'a,b']) {
    await fixture.track('ada@example.org', event, { plan: 'pro' })
    await tick()
  }
  const { body: campaign } = await fixture.ask('POST', '/campaigns', { name: 'News', ...NEWS })
  campaignId = campaign.id
  await fixture.ask('POST', `/campaigns/${campaignId}/send`)
  await tick()
  const { body: later } = await fixture.ask('POST', '/campaigns', { name: 'Later', ...NEWS })
  const scheduledFor = new Date(fixture.app.clock.now().getTime() + 3_600_000).toISOString()
  await fixture.ask('POST', `/campaigns/${later.id}/send`, { scheduledFor })
  await tick()
  await fixture.track('theirs@example.org', 'signup', {}, other.publicKey)
})
afterAll(() => fixture.app.close())

const feed = async (query = '', key?: string) => (await fixture.ask('GET', `/activity?${query}`, undefined, key)).body
const types = async (query: string) => (await feed(query)).data.map((item: Item) => item.type)

describe('the activity feed', () => {
  it('has events, campaigns and workflows in one order, each with its details', async () => {
    const { data, total, hasMore } = await feed('limit=100')
    expect(data.map((item: Item) => item.type).toSorted()).toEqual([
      'a,b',
      'campaign.scheduled',
      'campaign.sent',
      'email.delivery',
      'email.sent',
      'fail',
      'signup',
      'wait',
      'workflow.completed',
      'workflow.failed',
      'workflow.started',
      'workflow.started',
      'workflow.started',
    ])
    expect({ total, hasMore }).toEqual({ total: 13, hasMore: false })
    const times = data.map((item: Item) => item.timestamp)
    expect(times).toEqual(times.toSorted().reverse())
    expect(new Set(data.map((item: Item) => item.id)).size).toBe(13)

    const of = (type: string) => data.find((item: Item) => item.type === type)
    const contact = { id: contactId, email: 'ada@example.org' }
    expect(of('signup')).toMatchObject({ contact, metadata: { plan: 'pro' } })
    expect(of('email.sent')).toMatchObject({ contact, metadata: { emailId: expect.any(String), subject: 'Hello' } })
    expect(of('campaign.sent')).toMatchObject({
      contact: null,
      metadata: { campaignId, name: 'News', totalRecipients: 1 },
    })
    expect(of('campaign.scheduled')).toMatchObject({ contact: null, metadata: { name: 'Later' } })
    expect(of('workflow.completed')).toMatchObject({ contact, metadata: { workflowId: workflow.id, name: 'Greet' } })
    expect(of('workflow.failed')).toMatchObject({
      contact,
      metadata: { workflowId: failing.id, error: expect.any(String) },
    })
  })

  it('shows the current state of the email with each of its events', async () => {
    const { data } = await feed('types=email.sent,email.delivery,signup')
    const [delivered, sent, tracked] = data
    expect(delivered.email).toEqual({
      id: sent.metadata.emailId,
      status: 'DELIVERED',
      sentAt: sent.timestamp,
      deliveredAt: delivered.timestamp,
      openedAt: null,
      clickedAt: null,
      bouncedAt: null,
      complainedAt: null,
    })
    expect(sent.email).toEqual(delivered.email)
    expect(tracked.email).toBeNull()
  })

  it('has pages without gaps or repeats, even while more is recorded', async () => {
    const whole = (await feed('limit=100')).data.map((item: Item) => item.id)
    for (const limit of [1, 3, 12, 13]) {
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page: { data: Item[]; cursor: string | null } = await feed(`limit=${limit}&cursor=${cursor}`)
        seen.push(...page.data.map((item) => item.id))
        cursor = page.cursor
        await fixture.track('late@example.org', 'meanwhile')
        fixture.app.clock.forward(1)
      }
      expect(seen.filter((id) => whole.includes(id))).toEqual(whole)
    }
    await fixture.ask('DELETE', '/events/meanwhile')
  })

  it('can be filtered by type, contact and time', async () => {
    expect(await types('types=signup,workflow.failed')).toEqual(['workflow.failed', 'signup'])
    expect(await types('types=campaign.sent')).toEqual(['campaign.sent'])
    expect(await types('types=nothing.like.it')).toEqual([])
    expect(await types('types=%20signup%20,,signup')).toEqual(['signup'])
    expect((await feed(`contactId=${contactId}&limit=100`)).data).toHaveLength(11)
    expect(await types(`contactId=${contactId}&types=campaign.sent,workflow.completed,wait`)).toEqual([
      'wait',
      'workflow.completed',
    ])

    const [item] = (await feed('types=wait')).data
    const around = `from=${item.timestamp}&to=${item.timestamp}`
    expect((await types(around)).toSorted()).toEqual(['wait', 'workflow.started'])
    expect((await feed(around)).total).toBe(2)
    expect((await feed(`${around}&types=wait`)).total).toBe(1)
    const before = new Date(Date.parse(item.timestamp) - 1).toISOString()
    expect(await types(`to=${before}&limit=1`)).not.toEqual(['wait'])
    expect(await types('to=2001-01-01')).toEqual([])
  })

  it('has a total that matches its filter', async () => {
    for (const query of [
      'types=signup,campaign.sent',
      `contactId=${contactId}`,
      'from=2020-01-01',
      'types=workflow.started&to=2999-01-01',
    ]) {
      const { data, total } = await feed(`${query}&limit=100`)
      expect({ query, total }).toEqual({ query, total: data.length })
    }
  })

  it.each([
    'cursor=nonsense',
    'from=never',
    'to=2026-99-99',
    'from=2026-02-02&to=2026-02-01',
    `types=${Array(101)
      .fill(0)
      .map((_, i) => i)}`,
  ])('refuses %s', async (query) => {
    expect(await fixture.ask('GET', `/activity?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'BAD_REQUEST' } },
    })
  })

  it('contains nothing of other projects', async () => {
    expect((await feed('limit=100', other.secretKey)).data.map((item: Item) => item.type)).toEqual(['signup'])
    for (const id of [contactId, GONE, 'nobody']) {
      expect(await fixture.ask('GET', `/activity?contactId=${id}`, undefined, other.secretKey)).toMatchObject({
        status: 404,
        body: { error: { code: 'CONTACT_NOT_FOUND' } },
      })
    }
  })

  it('keeps entries of a deleted contact', async () => {
    const id = await fixture.contact('leaver@example.org')
    await fixture.track('leaver@example.org', 'leaving', { secret: 1 })
    await fixture.ask('DELETE', `/contacts/${id}`)
    expect((await feed('types=leaving')).data).toMatchObject([{ contact: null }])
    await fixture.app.drain()
    expect((await feed('types=leaving')).data).toMatchObject([{ contact: null, metadata: {} }])
  })
})

describe('the activity endpoints', () => {
  it('return the types of the feed', async () => {
    const { body } = await fixture.ask('GET', '/activity/types')
    expect(body.types).toEqual(body.types.toSorted())
    expect(body.types).toEqual(
      expect.arrayContaining(['signup', 'a,b', 'email.sent', 'campaign.sent', 'workflow.failed']),
    )
    expect(body.types).not.toContain('meanwhile')
  })

  it('return the number of recent entries', async () => {
    const count = async (query = '') => (await fixture.ask('GET', `/activity/recent-count${query}`)).body
    fixture.app.clock.forward(6 * 60_000)
    expect(await count()).toEqual({ count: 0, minutes: 5 })
    await fixture.track('ada@example.org', 'recent')
    fixture.app.clock.forward(4 * 60_000)
    expect(await count()).toEqual({ count: 1, minutes: 5 })
    expect(await count('?minutes=3')).toEqual({ count: 0, minutes: 3 })
    expect(await count('?minutes=banana')).toEqual({ count: 1, minutes: 5 })
    expect((await count('?minutes=99999')).minutes).toBe(1_440)
  })

  it('return upcoming activity, soonest first', async () => {
    const { data } = (await fixture.ask('GET', '/activity/upcoming')).body
    expect(data).toMatchObject([
      { type: 'campaign.scheduled', name: 'Later', contact: null, workflowId: null },
      {
        type: 'workflow.waiting',
        name: 'Wait',
        contact: { id: contactId, email: 'ada@example.org' },
        campaignId: null,
      },
    ])
    expect(data[0].at < data[1].at).toBe(true)
    const sendAt = new Date(new Date(data[0].at).getTime() + 1000).toISOString()
    const email = { to: 'later@example.org', subject: 'Hi {{name}}', body: 'Hi', from: 'us@example.com', sendAt }
    const sent = (await fixture.ask('POST', '/v1/send', email)).body.data.emails[0].email
    const three = (await fixture.ask('GET', '/activity/upcoming')).body.data
    expect(three).toMatchObject([
      { campaignId: data[0].campaignId },
      {
        type: 'email.scheduled',
        at: sendAt,
        emailId: sent,
        name: 'Hi {{name}}',
        contact: { email: 'later@example.org' },
      },
      { executionId: data[1].executionId },
    ])
    await fixture.ask('POST', `/emails/${sent}/cancel`)
    expect((await fixture.ask('GET', '/activity/upcoming?limit=1')).body.data).toEqual([data[0]])
    expect((await fixture.ask('GET', '/activity/upcoming', undefined, other.secretKey)).body).toEqual({ data: [] })
  })
})

describe('the timeline of a contact', () => {
  it('has its events and emails together, in pages', async () => {
    const whole = (await fixture.ask('GET', `/contacts/${contactId}/timeline?limit=100`)).body
    expect(whole.data.map((item: { event: { name: string } | null }) => item.event?.name ?? 'an email')).toEqual([
      'recent',
      'email.delivery',
      'email.sent',
      'an email',
      'a,b',
      'wait',
      'fail',
      'signup',
    ])
    expect(whole).toMatchObject({ total: 8, hasMore: false })
    expect(whole.data[3].email).toMatchObject({
      subject: 'Hello',
      status: 'DELIVERED',
      sourceType: 'CAMPAIGN',
      opens: 0,
    })
    expect(whole.data[2].event.emailId).toBe(whole.data[3].email.id)

    const first = (await fixture.ask('GET', `/contacts/${contactId}/timeline?limit=3`)).body
    const second = (await fixture.ask('GET', `/contacts/${contactId}/timeline?limit=100&cursor=${first.cursor}`)).body
    expect([...first.data, ...second.data]).toEqual(whole.data)
  })

  it('says why each email was sent, and which imports created and changed the contact', async () => {
    const { app } = fixture
    const { id, secretKey, publicKey, owner } = await createProject(app)
    const ask = async (method: string, path: string, body?: unknown, key = secretKey) =>
      (await app.request(method, path, { key, body })).body
    const upload = async (file: string) => {
      const { body } = await uploadFile(app, '/contacts/import', file, { key: secretKey })
      await app.drain()
      app.clock.forward(60_000)
      return body.jobId as string
    }
    const imports = [await upload('email,plan\nada@example.org,free'), await upload('email,plan\nada@example.org,pro')]
    const mail = { to: 'ada@example.org', subject: 'Hi', body: '<p>Hi</p>', from: 'us@example.com' }
    const backend = await ask('POST', '/api-keys', { name: 'Backend', scopes: ['send'] })
    for (const key of [secretKey, backend.key]) await ask('POST', '/v1/send', mail, key)
    await app.request('POST', '/v1/send', { cookie: owner.cookie, projectId: id, body: mail })
    app.clock.forward(60_000)
    const { id: campaign } = await ask('POST', '/campaigns', { name: 'News', ...NEWS })
    await ask('POST', `/campaigns/${campaign}/send`)
    await app.drain()
    const { id: templateId } = await ask('POST', '/templates', { name: 'T', type: 'MARKETING', ...mail, to: undefined })
    const greeting = await ask('POST', '/workflows', { name: 'Greet', eventName: 'signup' })
    const first = { type: 'SEND_EMAIL', name: 'Welcome', config: { templateId } }
    const { id: fromStepId } = await ask('POST', `/workflows/${greeting.id}/steps`, first)
    const unnamed = await ask('POST', `/workflows/${greeting.id}/steps`, { ...first, name: undefined })
    await ask('POST', `/workflows/${greeting.id}/transitions`, { fromStepId, toStepId: unnamed.id })
    await ask('PATCH', `/workflows/${greeting.id}`, { enabled: true })
    await ask('POST', '/v1/track', { email: 'ada@example.org', event: 'signup' }, publicKey)
    await app.drain()

    const contact = (await ask('GET', '/contacts')).data[0].id
    const { data, total } = await ask('GET', `/contacts/${contact}/timeline?limit=100`)
    expect(total).toBe(data.length)
    const origins = data.flatMap((item: { email: { origin: object } | null }) =>
      item.email ? [item.email.origin] : [],
    )
    const none = { campaign: null, workflow: null, step: null, key: null }
    const workflow = { id: greeting.id, name: 'Greet', executionId: expect.any(String) }
    expect(origins).toEqual([
      { ...none, type: 'workflow', workflow, step: { id: unnamed.id, name: null } },
      { ...none, type: 'workflow', workflow, step: { id: fromStepId, name: 'Welcome' } },
      { ...none, type: 'campaign', campaign: { id: campaign, name: 'News' } },
      { ...none, type: 'dashboard' },
      { ...none, type: 'api', key: { id: backend.id, name: 'Backend' } },
      { ...none, type: 'api' },
    ])
    expect(data.filter((item: { kind: string }) => item.kind === 'import')).toMatchObject([
      { id: imports[1], import: { id: imports[1], createdContact: false }, email: null, event: null },
      { id: imports[0], import: { id: imports[0], createdContact: true } },
    ])
    const pages = [await ask('GET', `/contacts/${contact}/timeline?limit=${total - 1}`)]
    pages.push(await ask('GET', `/contacts/${contact}/timeline?cursor=${pages[0].cursor}`))
    expect(pages.flatMap((page) => page.data)).toEqual(data)
  })

  it("returns 404 if the contact doesn't exist", async () => {
    for (const id of [contactId, GONE, 'nobody']) {
      expect((await fixture.ask('GET', `/contacts/${id}/timeline`, undefined, other.secretKey)).status).toBe(404)
    }
    expect((await fixture.ask('GET', `/contacts/${contactId}/timeline?cursor=x`)).status).toBe(400)
  })
})
