/** Experiments: the variants of a test, the decision, and the winner for the rest, each contact with one email. */
import { describe, expect, it } from 'vitest'
import { decideExperiment } from '../../features/automation/campaigns/experiments/actions.ts'
import { useCampaigns } from './campaign-fixture.ts'

const campaigns = useCampaigns()
const { call, create, get, addContacts } = campaigns

const TWO = [
  { name: 'A', subject: 'Plain' },
  { name: 'B', subject: 'Personal' },
]
const TEST = { variants: TWO, share: 50, metric: 'opens', waitMinutes: 60, winner: 'automatic' }
const put = (id: string, change: object = {}) => call('PUT', `/campaigns/${id}/experiment`, { ...TEST, ...change })
const experiment = async (id: string) => (await call('GET', `/campaigns/${id}/experiment`)).body
const choose = (id: string, variant: string) => call('POST', `/campaigns/${id}/experiment/winner`, { variant })
const waitForDecision = () => campaigns.app.clock.forward(61 * 60_000)

interface SentEmail {
  id: string
  contact_id: string
  subject: string
  from_email: string
  wave: number
}

const emailsOf = async (id: string): Promise<SentEmail[]> =>
  (
    await campaigns.app.pool.query(
      'select id, contact_id, subject, from_email, wave from emails where campaign_id = $1 order by id',
      [id],
    )
  ).rows

/** Every contact has one email. */
async function expectOneEach(id: string, contacts: number): Promise<SentEmail[]> {
  const emails = await emailsOf(id)
  expect(emails).toHaveLength(contacts)
  expect(new Set(emails.map((email) => email.contact_id)).size).toBe(contacts)
  return emails
}

const withSubject = (emails: SentEmail[], subject: string) => emails.filter((email) => email.subject === subject)

/** People open these emails. */
async function open(emails: SentEmail[], isBot = false) {
  campaigns.app.clock.forward(5_000)
  const at = campaigns.app.clock.now()
  const { tracking } = campaigns.app.services
  await Promise.all(
    emails.map(({ id }) => tracking.recordOpen({ projectId: campaigns.project.id, emailId: id, at, isBot })),
  )
}

async function startTest(contacts = 300, change: object = {}): Promise<string> {
  await addContacts(contacts)
  const id = await create()
  expect((await put(id, change)).status).toBe(200)
  expect((await call('POST', `/campaigns/${id}/send`)).status).toBe(200)
  await campaigns.app.drain()
  return id
}

describe('setting up an experiment', () => {
  it('a campaign without an experiment returns 404, and so does deleting it', async () => {
    const id = await create()
    expect((await call('GET', `/campaigns/${id}/experiment`)).status).toBe(404)
    expect((await call('DELETE', `/campaigns/${id}/experiment`)).status).toBe(404)
    expect((await choose(id, 'A')).status).toBe(404)
    expect((await call('GET', `/campaigns/${campaigns.project.id}/experiment`)).status).toBe(404)
  })

  it('is returned as a draft, replaced and deleted, and recorded in the audit log', async () => {
    const id = await create()
    const before = await get(id)
    const { status, body } = await put(id)
    expect(status).toBe(200)
    const campaign = await get(id)
    expect([before.hasExperiment, campaign.hasExperiment]).toEqual([false, true])
    expect(Date.parse(campaign.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
    expect(body).toMatchObject({ status: 'draft', winner: null, decidedAt: null, decidedBy: null, conclusive: null })
    const none = { recipients: 0, sent: 0, opened: 0, clicked: 0, converted: 0, rate: 0 }
    expect(body.variants).toMatchObject([
      { name: 'A', subject: 'Plain', ...none },
      { name: 'B', subject: 'Personal', ...none },
    ])
    expect(body.variants[0].probabilityBest).toBeCloseTo(0.5)
    expect(await experiment(id)).toEqual(body)
    const copy = (await call('POST', `/campaigns/${id}/duplicate`)).body.id
    expect(await experiment(copy)).toMatchObject({ status: 'draft', share: 50 })
    expect((await put(id, { share: 10 })).body.share).toBe(10)
    expect((await choose(id, 'A')).status).toBe(409)
    expect((await call('DELETE', `/campaigns/${id}/experiment`)).status).toBe(204)
    expect((await get(id)).hasExperiment).toBe(false)
    expect((await call('GET', `/campaigns/${id}/experiment`)).status).toBe(404)
    const log = (await call('GET', `/projects/${campaigns.project.id}/audit-log`)).body.data
    expect(log.map((entry: { act: string }) => entry.act)).toEqual(
      expect.arrayContaining(['experiment.changed', 'experiment.deleted']),
    )
  })

  it.each([
    ['one variant', { variants: [TWO[0]] }, 'variants'],
    ['six variants', { variants: Array.from({ length: 6 }, (_, i) => ({ name: `V${i}` })) }, 'variants'],
    ['two variants of one name', { variants: [TWO[0], TWO[0]] }, 'variants.1.name'],
    ['a variant without a name', { variants: [{ subject: 'x' }, TWO[1]] }, 'variants.0.name'],
    [
      'body and document',
      { variants: [{ name: 'A', body: 'x', document: DOCUMENT() }, TWO[1]] },
      'variants.0.document',
    ],
    ['broken Liquid', { variants: [{ name: 'A', subject: '{% if %}' }, TWO[1]] }, 'variants.0.subject'],
    ['a share of 4', { share: 4 }, 'share'],
    ['a share of 51', { share: 51 }, 'share'],
    ['a share of 10.5', { share: 10.5 }, 'share'],
    ['an unknown metric', { metric: 'sales' }, 'metric'],
    ['conversions without an event', { metric: 'conversions' }, 'conversionEvent'],
    ['a wait of 14 minutes', { waitMinutes: 14 }, 'waitMinutes'],
    ['a wait of over 7 days', { waitMinutes: 10_081 }, 'waitMinutes'],
    ['an unknown way to choose', { winner: 'best' }, 'winner'],
    ['an unknown field', { shares: 5 }, 'shares'],
    ['an unknown field of a variant', { variants: [{ name: 'A', title: 'x' }, TWO[1]] }, 'variants.0.title'],
  ])('%s is refused with 422', async (_what, change, field) => {
    const id = await create()
    const { status, body } = await put(id, change)
    expect(status).toBe(422)
    expect(body.error.errors).toContainEqual(expect.objectContaining({ field }))
    expect((await call('GET', `/campaigns/${id}/experiment`)).status).toBe(404)
  })

  it('a variant needs a verified sender', async () => {
    const id = await create()
    expect((await put(id, { variants: [{ name: 'A', from: 'us@unknown.example' }, TWO[1]] })).status).toBe(403)
  })

  it('a test of fewer than 100 recipients is refused when the campaign is sent', async () => {
    await addContacts(199)
    const id = await create()
    await put(id)
    const { status, body } = await call('POST', `/campaigns/${id}/send`)
    expect(status).toBe(422)
    expect(body.error.errors[0].message).toContain('99 recipients')
    expect((await get(id)).status).toBe('DRAFT')
    await addContactsMore(1)
    expect((await call('POST', `/campaigns/${id}/send`)).status).toBe(200)
    await call('POST', `/campaigns/${id}/cancel`)
    await campaigns.app.drain()
  })

  it('a scheduled campaign whose test is too small is held', async () => {
    await addContacts(5)
    const id = await create()
    await put(id)
    const scheduledFor = new Date(campaigns.app.clock.now().getTime() + 60_000).toISOString()
    expect((await call('POST', `/campaigns/${id}/send`, { scheduledFor })).status).toBe(200)
    campaigns.app.clock.forward(60_000)
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'SCHEDULED', heldReason: expect.stringContaining('2 recipients') })
  })

  it('a campaign with an experiment has no other time for each recipient', async () => {
    const id = await create()
    await put(id)
    const { status, body } = await call('POST', `/campaigns/${id}/send`, { spreadMinutes: 10 })
    expect(status).toBe(422)
    expect(body.error.errors[0].field).toBe('spreadMinutes')
  })
})

/** The smallest document. */
function DOCUMENT() {
  return { version: 1, blocks: [] }
}

const addContactsMore = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => campaigns.upsert(`more${i}@example.org`)))

describe('a test', () => {
  it('divides its share equally, and the rest receives the winner after the wait', async () => {
    const id = await startTest(301, { variants: [TWO[0], { ...TWO[1], fromName: 'Ada', body: '<p>B</p>' }] })
    const test = await emailsOf(id)
    expect(test).toHaveLength(150)
    expect(withSubject(test, 'Plain')).toHaveLength(75)
    expect(await get(id)).toMatchObject({ status: 'SENDING', totalRecipients: 301, sentCount: 150 })
    expect((await get(id)).waves).toMatchObject([
      { recipients: 75, sent: 75 },
      { recipients: 75, sent: 75 },
      { at: null, recipients: 151, sent: 0 },
    ])
    await open(withSubject(test, 'Personal').slice(0, 40))
    await open(withSubject(test, 'Plain'), true) // a scanner
    const running = await experiment(id)
    expect(running).toMatchObject({ status: 'testing', winner: null })
    expect(running.variants).toMatchObject([
      { recipients: 75, sent: 75, opened: 0, rate: 0 },
      { recipients: 75, sent: 75, opened: 40, rate: 40 / 75 },
    ])
    expect(running.variants[1].probabilityBest).toBeGreaterThan(0.99)
    expect(running.summary).toBe('B is ahead: the probability that it is the best is 99%.')
    expect((await put(id)).status).toBe(409)
    expect((await call('DELETE', `/campaigns/${id}/experiment`)).status).toBe(409)

    waitForDecision()
    await campaigns.app.drain()
    const emails = await expectOneEach(id, 301)
    expect(withSubject(emails, 'Personal')).toHaveLength(75 + 151)
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 301 })
    const by = { type: 'system', id: null, name: 'Posthorn' }
    expect(await experiment(id)).toMatchObject({ status: 'done', winner: 'B', conclusive: true, decidedBy: by })
    expect((await experiment(id)).variants[1].recipients).toBe(75)
    expect((await choose(id, 'A')).status).toBe(409)
    expect((await get(id)).waves.map((wave: { sent: number }) => wave.sent)).toEqual([75, 75, 151])
    const message = (await campaigns.app.captured()).find(({ raw }) => raw.toString().includes('Subject: Personal'))
    expect(message!.raw.toString()).toMatch(/From: "?Ada"? <us@example.com>/)
  })

  it('without a clear winner, the highest rate wins and the result is not conclusive', async () => {
    const id = await startTest(200)
    await open(withSubject(await emailsOf(id), 'Plain').slice(0, 1))
    waitForDecision()
    await campaigns.app.drain()
    const summary = expect.stringContaining('A was chosen, but the difference')
    expect(await experiment(id)).toMatchObject({ winner: 'A', conclusive: false, status: 'done', summary })
  })

  it('a person decides at any time of the test, once', async () => {
    const id = await startTest(200, { winner: 'manual' })
    expect((await choose(id, 'C')).status).toBe(422)
    const { status, body } = await choose(id, 'B')
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'sending', winner: 'B', decidedBy: { type: 'key' } })
    expect((await choose(id, 'B')).status).toBe(409)
    await campaigns.app.drain()
    expect(withSubject(await expectOneEach(id, 200), 'Personal')).toHaveLength(150)
  })

  it('waits for a person after the end of the wait if the winner is chosen manually', async () => {
    const id = await startTest(200, { winner: 'manual' })
    waitForDecision()
    await campaigns.app.drain()
    expect(await experiment(id)).toMatchObject({ status: 'deciding', winner: null })
    expect(await get(id)).toMatchObject({ status: 'SENDING', sentCount: 100 })
    expect((await choose(id, 'A')).status).toBe(200)
    await campaigns.app.drain()
    await expectOneEach(id, 200)
  })

  it('counts a conversion if the event follows a click', async () => {
    const id = await startTest(200, { metric: 'conversions', conversionEvent: 'purchase' })
    const [clicked, other] = withSubject(await emailsOf(id), 'Personal')
    campaigns.app.clock.forward(5_000)
    const at = campaigns.app.clock.now()
    const link = 'https://example.org/'
    const ref = { projectId: campaigns.project.id, emailId: clicked!.id, at, isBot: false, link }
    await campaigns.app.services.tracking.recordClick(ref)
    for (const email of [clicked!, other!]) {
      const { rows } = await campaigns.app.pool.query('select email from contacts where id = $1', [email.contact_id])
      await campaigns.app.request('POST', '/v1/track', {
        key: campaigns.project.publicKey,
        body: { email: rows[0].email, event: 'purchase' },
      })
    }
    expect((await experiment(id)).variants).toMatchObject([{ converted: 0 }, { converted: 1, rate: 0.01 * 2 }])
  })
})

describe('whatever happens at the switch, each contact gets one email', () => {
  it('a pause during the test and after the decision', async () => {
    await addContacts(300)
    const id = await create()
    await put(id)
    await call('POST', `/campaigns/${id}/send`)
    await call('POST', `/campaigns/${id}/pause`)
    await campaigns.app.drain()
    expect(await emailsOf(id)).toHaveLength(0)
    waitForDecision()
    await campaigns.app.drain() // the test isn't complete, so nothing is decided, and the wait starts again
    expect(await experiment(id)).toMatchObject({ status: 'testing', winner: null })
    await call('POST', `/campaigns/${id}/resume`)
    await campaigns.app.drain()
    expect(await experiment(id)).toMatchObject({ status: 'testing', winner: null })
    waitForDecision()
    await call('POST', `/campaigns/${id}/pause`)
    await campaigns.app.drain()
    expect((await experiment(id)).winner).not.toBeNull()
    expect(await emailsOf(id)).toHaveLength(150)
    await call('POST', `/campaigns/${id}/resume`)
    await campaigns.app.drain()
    await expectOneEach(id, 300)
    expect((await get(id)).status).toBe('SENT')
  })

  it('a pause while emails of the test are written but not sent', async () => {
    const id = await startTest(200)
    const [unsent] = await emailsOf(id)
    await campaigns.app.pool.query(
      "update emails set status = 'PENDING', sent_at = null, delivered_at = null, attempts = 0 where id = $1",
      [unsent!.id],
    )
    await call('POST', `/campaigns/${id}/pause`)
    waitForDecision()
    await campaigns.app.drain()
    expect(await experiment(id)).toMatchObject({ status: 'testing', winner: null })
    await call('POST', `/campaigns/${id}/resume`)
    await campaigns.app.drain()
    expect((await experiment(id)).winner).toBeNull()
    waitForDecision()
    await campaigns.app.drain()
    await expectOneEach(id, 200)
    expect((await get(id)).status).toBe('SENT')
  })

  it('a cancellation before the decision', async () => {
    const id = await startTest(200)
    await call('POST', `/campaigns/${id}/cancel`)
    waitForDecision()
    await campaigns.app.drain()
    expect(await emailsOf(id)).toHaveLength(100)
    expect(await experiment(id)).toMatchObject({ status: 'done', winner: null })
    expect((await choose(id, 'A')).status).toBe(409)
  })

  it('two decisions and many slices at the same time', async () => {
    const id = await startTest(1_200)
    waitForDecision()
    const { ctx, jobs, clock } = campaigns.app
    const ref = { projectId: campaigns.project.id, campaignId: id }
    const decisions = await Promise.all([
      ...[1, 2, 3].map(() => decideExperiment(ctx, ref).then(() => 200)),
      choose(id, 'A').then((reply) => reply.status),
    ])
    expect(decisions.filter((status) => status === 409).length).toBeLessThanOrEqual(1)
    const run = () => jobs['send-campaign-wave']({ ...ref, emailIds: [] }, { attempt: 1, at: clock.now() })
    await Promise.all(Array.from({ length: 8 }, run))
    await campaigns.app.drain()
    const emails = await expectOneEach(id, 1_200)
    const { winner } = await experiment(id)
    expect(withSubject(emails, winner === 'A' ? 'Plain' : 'Personal')).toHaveLength(900)
  })

  it('a service that was down at the time of the decision decides when it starts', async () => {
    const id = await startTest(200)
    campaigns.app.clock.forward(48 * 3_600_000)
    await campaigns.app.pool.query("delete from posthorn_queue.jobs where name = 'decide-experiment'") // even if the job is lost
    await campaigns.app.jobs['recover-campaigns']({}, { attempt: 1, at: campaigns.app.clock.now() })
    await campaigns.app.drain()
    await expectOneEach(id, 200)
    expect((await get(id)).status).toBe('SENT')
  })
})
