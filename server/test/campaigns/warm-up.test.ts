/** The warm-up of a sender domain: how much marketing email is sent on a day, and what waits for the next one. */
import { beforeEach, describe, expect, it } from 'vitest'
import { claimEmails } from '../../features/mail/delivery/claim-queries.ts'
import { createProject, openTestApp, signUp } from '../harness.ts'
import { useCampaigns } from './campaign-fixture.ts'

const DAY_MS = 24 * 3_600_000

const campaigns = useCampaigns()
const { call, create, get, stats, upsert, addContacts, sendNow } = campaigns

/** Ten o'clock in UTC, so that a test doesn't run over midnight. */
function nextDay(): void {
  const { clock } = campaigns.app
  clock.set(new Date(Math.floor(clock.now().getTime() / DAY_MS) * DAY_MS + DAY_MS + 10 * 3_600_000))
}
const today = () => campaigns.app.clock.now().toISOString().slice(0, 10)
const midnight = () => new Date(Date.parse(today()) + DAY_MS).toISOString()

beforeEach(() => nextDay())

const domains = async () => (await call('GET', '/domains')).body.data
const example = async () => (await domains()).find(({ domain }: { domain: string }) => domain === 'example.com')
const plan = (more: object = {}) => ({ startedOn: today(), perDay: 10, growth: 1, ...more })
const change = async (warmUp: unknown, id?: string) =>
  call('PATCH', `/domains/${id ?? (await example()).id}`, { warmUp })
const progress = async () => (await example()).warmUp
const sentOf = async (id: string) => (await stats(id)).sentCount
const emails = async (query = '') => (await call('GET', `/emails${query}`)).body.data

const TEMPLATE = { name: 'Offer', subject: 'Offer', body: '<p>Offer</p>', from: 'us@example.com', type: 'MARKETING' }
const marketingTemplate = async () => (await call('POST', '/templates', TEMPLATE)).body.id

const waitingJobs = async () =>
  (
    await campaigns.app.pool.query(
      `select name, run_at as at from posthorn_queue.jobs
       where payload ->> 'projectId' = $1 and last_error like 'the sender domain%'`,
      [campaigns.project.id],
    )
  ).rows

describe('the plan', () => {
  it('is shown with its progress, changed, and removed with null', async () => {
    expect((await example()).warmUp).toBeNull()
    const set = await change(plan({ perDay: 50, growth: 1.5 }))
    const shown = { startedOn: today(), perDay: 50, growth: 1.5, sentToday: 0, limitToday: 50 }
    expect(set).toMatchObject({ status: 200, body: { domain: 'example.com', warmUp: shown } })
    const { id } = set.body
    expect((await call('GET', `/domains/${id}`)).body.warmUp).toEqual(shown)
    expect((await call('GET', `/domains/project/${campaigns.project.id}`)).body[0].warmUp).toEqual(shown)
    nextDay()
    expect(await progress()).toMatchObject({ limitToday: 75 })
    await change(plan({ startedOn: '2099-01-01' })).then(({ status }) => expect(status).toBe(422))
    expect(await progress()).toMatchObject({ limitToday: 75 })
    const later = new Date(campaigns.app.clock.now().getTime() + 3 * DAY_MS).toISOString().slice(0, 10)
    expect((await change(plan({ startedOn: later }))).body.warmUp).toMatchObject({ limitToday: null })
    expect((await change(null)).body.warmUp).toBeNull()
    const { data } = (await call('GET', `/projects/${campaigns.project.id}/audit-log?act=domain.changed`)).body
    expect(data).toHaveLength(3)
    expect(data[2]).toMatchObject({
      details: { domain: 'example.com', warmUp: { perDay: 50 }, before: { warmUp: null } },
    })
    expect(data[0].details).toMatchObject({ warmUp: null, before: { warmUp: { startedOn: later } } })
  })

  it.each([
    ['no plan', {}, 'warmUp'],
    ['an unknown field', { warmUp: null, colour: 'red' }, 'colour'],
    ['an unknown part', { warmUp: { startedOn: '2026-11-01', perDay: 5, growth: 1, until: 1 } }, 'warmUp.until'],
    ['no growth', { warmUp: { startedOn: '2026-11-01', perDay: 5 } }, 'warmUp.growth'],
    [
      'a time instead of a day',
      { warmUp: { startedOn: '2026-11-01T00:00:00Z', perDay: 5, growth: 1 } },
      'warmUp.startedOn',
    ],
    ['a number as text', { warmUp: { startedOn: '2026-11-01', perDay: '5', growth: 1 } }, 'warmUp.perDay'],
    ['growth of 4', { warmUp: { startedOn: '2026-11-01', perDay: 5, growth: 4 } }, 'warmUp.growth'],
  ])('%s is refused with 422 and changes nothing', async (_what, body, field) => {
    await change(plan())
    const reply = await call('PATCH', `/domains/${(await example()).id}`, body)
    expect(reply.status).toBe(422)
    expect(reply.body.error.errors).toContainEqual(expect.objectContaining({ field }))
    expect(await progress()).toMatchObject({ perDay: 10 })
  })

  it('is changed by administrators and keys with domains:write, of the same project', async () => {
    const { id } = await example()
    const member = await signUp(campaigns.app)
    await call('POST', `/projects/${campaigns.project.id}/members`, { email: member.email, role: 'MEMBER' })
    const as = async (options: object) =>
      (await campaigns.app.request('PATCH', `/domains/${id}`, { ...options, body: { warmUp: plan() } })).status
    expect(await as({ cookie: member.cookie })).toBe(403)
    expect(await as({ cookie: campaigns.project.owner.cookie })).toBe(200)
    const keyWith = async (scope: string) =>
      (await call('POST', '/api-keys', { name: scope, scopes: [scope] })).body.key
    expect(await as({ key: await keyWith('domains:read') })).toBe(403)
    expect(await as({ key: await keyWith('domains:write') })).toBe(200)
    const other = await createProject(campaigns.app)
    expect(await as({ key: other.secretKey })).toBe(404)
  })

  it('grows each day by its factor, rounded down, to a number that nobody reaches', async () => {
    const limits = async (perDay: number, growth: number, days: number[]) => {
      const { rows } = await campaigns.app.pool.query(
        `select warm_up_limit('2026-11-01', $1::int, $2::float8, date '2026-11-01' + days) as limit from unnest($3::int[]) as d(days)`,
        [perDay, growth, days],
      )
      return rows.map(({ limit }) => limit)
    }
    expect(await limits(50, 1.5, [-1, 0, 1, 2, 3, 4])).toEqual([null, 50, 75, 112, 168, 253])
    expect(await limits(10, 1.1, [1, 2, 3])).toEqual([11, 12, 13])
    expect(await limits(50, 1, [0, 365, 36_500])).toEqual([50, 50, 50])
    expect(await limits(1_000_000, 3, [7, 50, 36_500])).toEqual([1_000_000_000, 1_000_000_000, 1_000_000_000])
  })
})

describe('a campaign', () => {
  it('is sent over several days and completes automatically, without a job that runs in between', async () => {
    await addContacts(33)
    await change(plan({ growth: 1.5 }))
    const id = await create()
    await sendNow(id)
    expect(await sentOf(id)).toBe(10)
    expect(await progress()).toMatchObject({ sentToday: 10, limitToday: 10 })
    expect(await get(id)).toMatchObject({ status: 'SENDING', waiting: { reason: 'warmUp', until: midnight() } })
    const jobs = await waitingJobs()
    expect(jobs.length).toBeLessThan(6)
    expect(jobs.map(({ at }) => at.toISOString())).toEqual(jobs.map(() => midnight()))
    campaigns.app.clock.forward(13 * 3_600_000)
    await campaigns.app.drain()
    expect(await sentOf(id)).toBe(10)
    nextDay()
    await campaigns.app.drain()
    expect(await sentOf(id)).toBe(25)
    nextDay()
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 33, waiting: null })
    const recipients = (await emails('?limit=100')).map(({ to }: { to: string }) => to)
    expect(new Set(recipients).size).toBe(33)
  })

  it('completes on the day if its last email is the last that the day allows', async () => {
    await addContacts(10)
    await change(plan())
    const id = await create()
    await sendNow(id)
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 10 })
  })

  it('shares the number of the day with others of its domain, and delays nothing else', async () => {
    await addContacts(8)
    const other = (await call('POST', '/domains', { domain: 'other.example' })).body
    expect((await call('GET', `/domains/${other.id}/verify`)).body.verified).toBe(true)
    await change(plan())
    const ids = [
      await create(),
      await create(),
      await create({ from: 'us@other.example' }),
      await create({ type: 'TRANSACTIONAL' }),
    ]
    for (const id of ids) await call('POST', `/campaigns/${id}/send`)
    await campaigns.app.drain()
    const [first, second, elsewhere, transactional] = await Promise.all(ids.map(sentOf))
    expect(first + second).toBe(10)
    expect([elsewhere, transactional]).toEqual([8, 8])
    await call('POST', '/v1/send', {
      to: 'many1@example.org',
      subject: 'Hi',
      body: '<p>Hi</p>',
      from: 'us@example.com',
    })
    await campaigns.app.drain()
    expect((await emails('?sourceType=TRANSACTIONAL'))[0].sentAt).not.toBeNull()
    nextDay()
    await campaigns.app.drain()
    expect(await Promise.all(ids.map(async (id) => (await get(id)).status))).toEqual(['SENT', 'SENT', 'SENT', 'SENT'])
    expect(await progress()).toMatchObject({ sentToday: 6 })
  })

  it('continues at once when the plan allows more, and when the warm-up ends', async () => {
    await addContacts(40)
    await change(plan())
    const id = await create()
    await sendNow(id)
    await change(plan({ perDay: 5 }))
    await campaigns.app.drain()
    expect(await sentOf(id)).toBe(10)
    await change(plan({ perDay: 25 }))
    await campaigns.app.drain()
    expect(await sentOf(id)).toBe(25)
    await change(null)
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 40, waiting: null })
    // Back on the same day: what was sent under the last plan counts.
    expect((await change(plan({ perDay: 30 }))).body.warmUp).toMatchObject({ sentToday: 25, limitToday: 30 })
  })

  it('sends nothing more if it is canceled while it waits, and leaves the number of the next day to others', async () => {
    await addContacts(30)
    await change(plan())
    const id = await create()
    await sendNow(id)
    await call('POST', `/campaigns/${id}/cancel`)
    const next = await create()
    nextDay()
    await sendNow(next)
    expect(await get(id)).toMatchObject({ status: 'CANCELLED', sentCount: 10 })
    expect(await sentOf(next)).toBe(10)
  })

  it('continues if it is resumed after a pause while it waited, on a day with places', async () => {
    await addContacts(15)
    await change(plan())
    const id = await create()
    await sendNow(id)
    await call('POST', `/campaigns/${id}/pause`)
    expect((await get(id)).waiting).toBeNull()
    nextDay()
    await campaigns.app.drain()
    expect(await sentOf(id)).toBe(10)
    await call('POST', `/campaigns/${id}/resume`)
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 15 })
  })

  it('is sent exactly to the number by two workers at once', async () => {
    await addContacts(700)
    await change(plan({ perDay: 301 }))
    const second = await openTestApp({}, { ...campaigns.app, close: async () => undefined }, campaigns.app.clock)
    const ids = [await create(), await create()]
    for (const id of ids) await call('POST', `/campaigns/${id}/send`)
    await Promise.all([campaigns.app.drain(), second.drain(), campaigns.app.drain()])
    await campaigns.app.drain()
    const counts = await Promise.all(ids.map(sentOf))
    expect(counts[0] + counts[1]).toBe(301)
    expect(await progress()).toMatchObject({ sentToday: 301 })
    await change(null)
    await campaigns.app.drain()
    expect(await Promise.all(ids.map(sentOf))).toEqual([700, 700])
    const { rows } = await campaigns.app.pool.query(
      `select max(n)::int as most from (select count(*) as n from captured_messages m join emails e on e.id = m.email_id
        where e.project_id = $1 group by e.id) as each`,
      [campaigns.project.id],
    )
    expect(rows[0].most).toBe(1)
    await second.close()
  }, 60_000)
})

describe('after a crash', () => {
  it('emails that a process had claimed keep their place of the day and count once', async () => {
    await addContacts(20)
    await change(plan())
    const templateId = await marketingTemplate()
    const messages = Array.from({ length: 20 }, (_, i) => ({ to: `many${i + 1}@example.org`, template: templateId }))
    await call('POST', '/v1/send/batch', { messages })
    const ids = (await emails('?limit=100')).map(({ id }: { id: string }) => id).toReversed()
    const now = campaigns.app.clock.now()
    const refs = ids.map((emailId: string) => ({ projectId: campaigns.project.id, emailId, takeOver: false }))
    // The process claims four emails, and exits.
    const lease = { now, until: new Date(now.getTime() + 60_000), holder: 4_000_001, durable: true }
    const claimed = await claimEmails(campaigns.app.db, refs.slice(0, 4), lease)
    expect(claimed.filter(Boolean)).toHaveLength(4)
    expect(await progress()).toMatchObject({ sentToday: 4 })
    await campaigns.app.drain()
    expect(await progress()).toMatchObject({ sentToday: 10 })
    const sent = (await emails('?limit=100')).filter(({ sentAt }: { sentAt: string | null }) => sentAt)
    expect(sent).toHaveLength(10)
    expect(sent.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(ids.slice(0, 4)))
    nextDay()
    await campaigns.app.drain()
    expect((await emails('?limit=100')).every(({ sentAt }: { sentAt: string | null }) => sentAt)).toBe(true)
    expect(await progress()).toMatchObject({ sentToday: 10 })
  })
})

describe('marketing email of POST /v1/send', () => {
  it('waits for the next day in the order in which it was accepted', async () => {
    await change(plan({ perDay: 2 }))
    const templateId = await marketingTemplate()
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await upsert(`${name}@example.org`)
      await call('POST', '/v1/send', { to: `${name}@example.org`, template: templateId })
    }
    const sent = async () =>
      (await emails())
        .filter(({ sentAt }: { sentAt: string | null }) => sentAt)
        .map(({ to }: { to: string }) => to[0])
        .toReversed()
        .join('')
    await campaigns.app.drain()
    expect(await sent()).toBe('ab')
    nextDay()
    await campaigns.app.drain()
    expect(await sent()).toBe('abcd')
    nextDay()
    await campaigns.app.drain()
    expect(await sent()).toBe('abcde')
  })

  it('is not held back before the first day of the plan', async () => {
    await addContacts(3)
    const tomorrow = new Date(campaigns.app.clock.now().getTime() + DAY_MS).toISOString().slice(0, 10)
    await change(plan({ startedOn: tomorrow, perDay: 1 }))
    const id = await create()
    await sendNow(id)
    expect(await sentOf(id)).toBe(3)
    expect(await progress()).toMatchObject({ sentToday: 0, limitToday: null })
  })
})
