/** Time series, rankings and breakdowns: by the day on which something happened, exact before and after folding. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emailShares, ratio } from '../../../dashboard/figures/rates.ts'
import { totalsOf } from '../../../dashboard/figures/totals.ts'
import { tallies } from '../../app.ts'
import { recordBounces } from '../../features/mail/delivery/outcomes.ts'
import { deleteOldEvents } from '../../features/operations/retention/actions.ts'
import { makePartitions } from '../../features/operations/retention/partition-queries.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

type Project = Awaited<ReturnType<typeof createProject>>

const DAY_MS = 86_400_000
const NOTHING = { sent: 0, delivered: 0, opened: 0, clicked: 0, bounced: 0, complained: 0, refused: 0 }

let app: TestApp
let project: Project
let other: Project

beforeAll(async () => {
  app = await openTestApp({ EVENT_RETENTION_DAYS: '60' })
  app.clock.set(new Date('2027-03-10T22:00:00.000Z'))
  await makePartitions(app.db, app.clock.now())
  project = await createProject(app)
  other = await createProject(app)
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown, key = project.secretKey) =>
  app.request(method, path, { key, body })

async function send(to: string, fields: object = { from: 'us@example.com', subject: 'S', body: '<p>B</p>' }) {
  const reply = await call('POST', '/v1/send', { to, ...fields })
  await app.drain()
  return reply.body.data.emails[0].email as string
}
const simulate = (id: string, outcome: string) =>
  call('POST', `/emails/${id}/simulate`, { outcome, ...(outcome === 'click' && { link: 'https://example.org/' }) })

const timeseries = async (query = '', key?: string) =>
  (await call('GET', `/analytics/timeseries${query}`, undefined, key)).body.data
const stats = async (query = '', key?: string) => (await call('GET', `/activity/stats${query}`, undefined, key)).body

async function beforeAndAfterFolding<T>(look: () => Promise<T>): Promise<T> {
  const before = await look()
  await app.fold()
  expect(await look()).toEqual(before)
  expect(await app.rebuild()).toEqual({})
  return before
}

describe('the time series of emails', () => {
  it('counts each outcome on the day it happened, and includes empty days', async () => {
    const first = await send('a@example.org')
    const second = await send('b@example.org')
    await send('bounce@simulator.posthorn.test')
    await send('softbounce@simulator.posthorn.test')
    app.clock.forward(DAY_MS) // the next evening
    await simulate(first, 'open')
    await simulate(first, 'open')
    await simulate(second, 'click')
    await simulate(second, 'complaint')
    await app.drain()
    const data = await beforeAndAfterFolding(() => timeseries('?from=2027-03-09'))
    expect(data.map(({ date }: { date: string }) => date)).toEqual(['2027-03-09', '2027-03-10', '2027-03-11'])
    expect(data[0]).toEqual({ date: '2027-03-09', ...NOTHING })
    expect(data[1]).toMatchObject({ opened: 0, clicked: 0, bounced: 1, complained: 0 })
    expect(data[1].sent).toBeGreaterThanOrEqual(3)
    expect(data[2]).toEqual({ date: '2027-03-11', ...NOTHING, opened: 2, clicked: 1, complained: 1 })
  })

  it('has thirty days by default, and only of its own project', async () => {
    const data = await timeseries('', other.secretKey)
    expect(data).toHaveLength(30)
    expect(data[0]).toEqual({ date: '2027-02-10', ...NOTHING })
    expect(data[29]).toEqual({ date: '2027-03-11', ...NOTHING })
    expect(await timeseries('?from=2026-03-11&to=2027-03-11&interval=day')).toHaveLength(366)
    expect(await timeseries('?from=2027-03-11T10:00:00Z&to=2027-03-11T11:00:00Z')).toHaveLength(1)
  })

  it.each([
    '?from=2026-03-10&to=2027-03-11',
    '?from=2027-03-11&to=2027-03-10',
    '?from=2028-01-01',
    '?from=last+week',
    '?interval=hour',
    '?to=2027-02-29',
  ])('refuses %s', async (query) => {
    for (const path of [
      '/analytics/timeseries',
      ...(query.includes('interval') ? [] : ['/activity/stats', '/analytics/top-events']),
    ]) {
      expect(await call('GET', path + query)).toMatchObject({ status: 400, body: { error: { code: 'BAD_REQUEST' } } })
    }
  })

  it('is unchanged after a contact and its emails are erased', async () => {
    const before = await timeseries()
    const { body } = await call('GET', '/contacts?email=a@example.org')
    await call('DELETE', `/contacts/${body.data[0].id}`)
    await app.drain()
    expect(await beforeAndAfterFolding(() => timeseries())).toEqual(before)
  })
})

describe('analytics totals and rates', () => {
  it('equal the sums of the time series', async () => {
    const series = await timeseries()
    const sum = (fact: string) => series.reduce((total: number, day: Record<string, number>) => total + day[fact]!, 0)
    const { totals, ...rates } = await beforeAndAfterFolding(() => stats())
    for (const fact of Object.keys(NOTHING)) expect(totals[fact]).toBe(sum(fact))
    expect(totals.events).toBe((await call('GET', '/events')).body.total)
    const attempted = totals.sent + totals.refused
    expect(rates).toMatchObject({
      from: '2027-02-10',
      to: '2027-03-11',
      openRate: totals.opened / totals.delivered,
      deliveryRate: totals.delivered / attempted,
      bounceRate: totals.bounced / attempted,
      complaintRate: totals.complained / attempted,
    })
    expect(await stats('', other.secretKey)).toEqual({
      from: '2027-02-10',
      to: '2027-03-11',
      totals: { events: 0, ...NOTHING },
      deliveryRate: 0,
      openRate: 0,
      clickRate: 0,
      bounceRate: 0,
      complaintRate: 0,
    })
  })

  it('include addresses that were rejected at once, which were not sent to', async () => {
    const { id, secretKey } = await createProject(app)
    await app.pool.query(`insert into email_days select $1, '2027-03-10', 984, 984, 0, 0, 16, 0, 16`, [id])
    expect(await stats('', secretKey)).toMatchObject({ deliveryRate: 0.984, bounceRate: 0.016 })
    await app.pool.query('delete from email_days where project_id = $1', [id])
  })

  it('are never above 1', async () => {
    // More was opened than sent on the second day.
    expect((await stats('?from=2027-03-11')).openRate).toBe(0)
  })
})

describe('the most frequent events', () => {
  it('are those of the requested days', async () => {
    const track = (event: string, times: number) =>
      Promise.all(
        Array.from({ length: times }, (_, i) =>
          call('POST', '/events/track', { email: `v${i}@example.org`, event }, other.secretKey),
        ),
      )
    await track('old', 5)
    app.clock.forward(DAY_MS)
    await track('rare', 1)
    await track('frequent', 3)
    const top = async (query = '') =>
      (await call('GET', `/analytics/top-events${query}`, undefined, other.secretKey)).body.data
    expect(await beforeAndAfterFolding(() => top())).toEqual([
      { name: 'old', count: 5 },
      { name: 'frequent', count: 3 },
      { name: 'rare', count: 1 },
    ])
    expect(await top('?from=2027-03-12&limit=1')).toEqual([{ name: 'frequent', count: 3 }])
    await call('DELETE', '/events/old', undefined, other.secretKey)
    expect((await beforeAndAfterFolding(() => top()))[0].name).toBe('frequent')
  })
})

describe('campaign analytics', () => {
  it('rank campaigns by opens, and return sums', async () => {
    const key = other.secretKey
    expect((await call('GET', '/analytics/campaign-stats', undefined, key)).body).toMatchObject({
      campaignCount: 0,
      openRate: 0,
    })
    const mail = { subject: 'S', body: '<p>B</p>', from: 'us@example.com' }
    const contacts = { large: ['v0', 'v1', 'v2'], small: ['v0'] }
    const ids: Record<string, string> = {}
    for (const [name, people] of Object.entries(contacts)) {
      const filters = [{ field: 'email', operator: 'contains', value: people.length === 1 ? 'v0' : '@example.org' }]
      const audience = { audienceType: 'FILTERED', audienceCondition: { logic: 'AND', groups: [{ filters }] } }
      ids[name] = (await call('POST', '/campaigns', { name, ...mail, ...audience }, key)).body.id
      await call('POST', `/campaigns/${ids[name]}/send`, undefined, key)
      await app.drain()
      app.clock.forward(60_000)
    }
    await call('POST', '/campaigns', { name: 'draft', ...mail, audienceType: 'ALL' }, key)
    const { data: emails } = (await call('GET', `/emails?campaignId=${ids.small}`, undefined, key)).body
    await call('POST', `/emails/${emails[0].id}/simulate`, { outcome: 'open' }, key)
    await app.drain()
    const { data } = (await call('GET', '/analytics/top-campaigns', undefined, key)).body
    expect(data).toMatchObject([
      { id: ids.small, name: 'small', sentCount: 1, openedCount: 1, openRate: 1, clickRate: 0, deliveryRate: 1 },
      { id: ids.large, name: 'large', openedCount: 0, openRate: 0 },
    ])
    expect(data[1].sentCount).toBeGreaterThan(2)
    const sums = (await call('GET', '/analytics/campaign-stats', undefined, key)).body
    expect(sums).toMatchObject({
      campaignCount: 2,
      sentCount: 1 + data[1].sentCount,
      openedCount: 1,
      openRate: 0.5,
      deliveryRate: 1,
      bounceRate: 0,
    })
    expect((await call('GET', '/analytics/top-campaigns?limit=1', undefined, key)).body.data).toHaveLength(1)
    expect((await call('GET', '/analytics/top-campaigns?to=2027-01-01', undefined, key)).body.data).toEqual([])
    expect((await call('GET', '/analytics/campaign-stats?from=2027-03-02&to=2027-03-01', undefined, key)).status).toBe(
      400,
    )
    expect((await call('GET', '/analytics/top-campaigns')).body.data).toEqual([])
  })
})

describe('stored counts', () => {
  it('are corrected by a rebuild if they were damaged', async () => {
    await app.fold()
    const look = async () => [await timeseries(), await stats(), (await call('GET', '/events/stats')).body]
    const before = await look()
    await app.pool.query('update event_days set count = count + 7')
    await app.pool.query('update event_names set count = count - 1, contacts = contacts + 2')
    await app.pool.query('delete from event_contacts where project_id = $1', [project.id])
    await app.pool.query('update email_days set opened = opened + 1')
    expect(await look()).not.toEqual(before)
    expect(Object.keys(await app.rebuild())).toEqual(['events by day', 'events by contact', 'emails by day'])
    expect(await look()).toEqual(before)
    expect(await app.rebuild()).toEqual({})
  })

  it('stay exact while many transactions write, fold and delete', async () => {
    const writers = Array.from({ length: 60 }, (_, i) =>
      call('POST', '/events/track', { email: `w${i % 7}@example.org`, event: `busy-${i % 3}` }),
    )
    const folds = Array.from({ length: 4 }, () => app.fold())
    const deletions = Array.from({ length: 3 }, () => call('DELETE', '/events/busy-0'))
    await Promise.all([...writers, ...folds, ...deletions])
    expect(await app.rebuild()).toEqual({})
    await beforeAndAfterFolding(async () => (await call('GET', '/events/stats')).body)
  })

  it('lose exactly the months that EVENT_RETENTION_DAYS deletes', async () => {
    const month = (await call('GET', '/events?limit=1')).body.total
    app.clock.set(new Date('2027-04-20T12:00:00.000Z'))
    await makePartitions(app.db, app.clock.now())
    await call('POST', '/events/track', { email: 'w1@example.org', event: 'kept' })
    const emails = await timeseries('?from=2027-03-01')
    await deleteOldEvents(app.ctx, tallies)
    expect((await call('GET', '/events?limit=1')).body.total).toBe(month + 1)

    app.clock.set(new Date('2027-05-31T12:00:00.000Z'))
    await deleteOldEvents(app.ctx, tallies)
    const stats = await beforeAndAfterFolding(async () => (await call('GET', '/events/stats')).body)
    expect(stats).toEqual({ total: 1, data: [{ name: 'kept', count: 1, contacts: 1 }] })
    expect(await timeseries('?from=2027-03-01&to=2027-04-20')).toEqual(emails)
    await deleteOldEvents(app.ctx, tallies)
    expect((await call('GET', '/events/names')).body.names).toEqual(['kept'])
  })
})

describe('the breakdown of emails', () => {
  it('counts the emails of the period by template, campaign, workflow and domain of the recipient', async () => {
    const own = await createProject(app)
    const ask = (method: string, path: string, body?: unknown) =>
      app.request(method, path, { key: own.secretKey, body })
    const breakdown = async (query: string) => (await ask('GET', `/analytics/breakdown?${query}`)).body.data
    const content = { subject: 'S', body: '<p>B</p>', from: 'us@example.com' }
    const template = (await ask('POST', '/templates', { name: 'Receipt', type: 'TRANSACTIONAL', ...content })).body
    const sent = (await ask('POST', '/v1/send', { to: 'a@one.example', template: template.id })).body
    await ask('POST', '/v1/send', { to: 'b@two.example', ...content })
    await ask('POST', '/v1/send', { to: 'c@two.example', ...content })
    await ask('POST', '/contacts', { email: 'a@one.example', subscribed: true })
    const campaign = (await ask('POST', '/campaigns', { name: 'News', audienceType: 'ALL', ...content })).body
    await ask('POST', `/campaigns/${campaign.id}/send`)
    await app.drain()
    const workflow = (await ask('POST', '/workflows', { name: 'Greet', eventName: 'signup' })).body
    await ask('POST', `/workflows/${workflow.id}/steps`, { type: 'SEND_EMAIL', config: { templateId: template.id } })
    await ask('PATCH', `/workflows/${workflow.id}`, { enabled: true })
    await app.request('POST', '/v1/track', { key: own.publicKey, body: { email: 'd@two.example', event: 'signup' } })
    await app.drain()
    await ask('POST', `/emails/${sent.data.emails[0].email}/simulate`, { outcome: 'open' })
    await app.drain()
    const none = { sent: 0, delivered: 0, opened: 0, clicked: 0, bounced: 0, complained: 0, refused: 0 }
    expect(await breakdown('by=domain')).toEqual([
      { ...none, id: null, name: 'two.example', sent: 3, delivered: 3 },
      { ...none, id: null, name: 'one.example', sent: 2, delivered: 2, opened: 1 },
    ])
    expect(await breakdown('by=campaign')).toEqual([{ ...none, id: campaign.id, name: 'News', sent: 1, delivered: 1 }])
    expect(await breakdown('by=template')).toEqual([
      { ...none, id: template.id, name: 'Receipt', sent: 2, delivered: 2, opened: 1 },
    ])
    expect(await breakdown('by=workflow')).toEqual([{ ...none, id: workflow.id, name: 'Greet', sent: 1, delivered: 1 }])
    expect(await breakdown('by=domain&limit=1')).toHaveLength(1)
    expect(await breakdown('by=domain&to=2001-01-01&from=2001-01-01')).toEqual([])
  })

  it('contains nothing of other projects, and requires a known dimension', async () => {
    const empty = await createProject(app)
    expect((await call('GET', '/analytics/breakdown?by=domain', undefined, empty.secretKey)).body.data).toEqual([])
    expect((await call('GET', '/analytics/breakdown')).status).toBe(422)
    expect((await call('GET', '/analytics/breakdown?by=color')).status).toBe(422)
  })
})

it('every statistic counts the same emails, and has rates of the same emails', async () => {
  const own = await createProject(app)
  const ask = async (method: string, path: string, body?: unknown) =>
    (await app.request(method, path, { key: own.secretKey, body })).body
  const content = { subject: 'S', body: '<a href="https://example.org/x">X</a>', from: 'us@example.com' }
  const template = await ask('POST', '/templates', { name: 'T', type: 'MARKETING', ...content })
  const names = ['delivered', 'reader', 'clicker', 'late', 'machine', 'complaint', 'bounce', 'reject']
  const simulated = ['complaint', 'bounce', 'reject']
  const addressOf = (name: string) => `${name}@${simulated.includes(name) ? 'simulator.posthorn.test' : 'mix.example'}`

  /** Lets something else happen to each email of a source. */
  async function react(source: string) {
    const emails: { id: string; to: string; sourceType: string }[] = (await ask('GET', '/emails?limit=100')).data
    const idOf = (name: string) =>
      emails.find((email) => email.to === addressOf(name) && email.sourceType === source)!.id
    await ask('POST', `/emails/${idOf('reader')}/simulate`, { outcome: 'open' })
    await ask('POST', `/emails/${idOf('clicker')}/simulate`, { outcome: 'click' })
    await ask('POST', `/emails/${idOf('late')}/simulate`, { outcome: 'open' })
    await ask('POST', `/emails/${idOf('late')}/simulate`, { outcome: 'bounce' })
    const machine = { projectId: own.id, emailId: idOf('machine'), at: app.clock.now(), isBot: true }
    await app.services.tracking.recordOpen(machine)
    const refusal = { projectId: own.id, emailId: idOf('reject'), at: app.clock.now(), permanent: true }
    await recordBounces(app.ctx, [{ ...refusal, response: '550 5.1.1 No such mailbox.' }])
    await app.drain()
  }

  for (const name of names) await ask('POST', '/contacts', { email: addressOf(name) })
  const workflow = await ask('POST', '/workflows', { name: 'Greet', eventName: 'signup' })
  await ask('POST', `/workflows/${workflow.id}/steps`, { type: 'SEND_EMAIL', config: { templateId: template.id } })
  await ask('PATCH', `/workflows/${workflow.id}`, { enabled: true })
  for (const name of names)
    await app.request('POST', '/v1/track', { key: own.publicKey, body: { email: addressOf(name), event: 'signup' } })
  await app.drain()
  await react('WORKFLOW')
  for (const name of names)
    await ask('PATCH', `/contacts/${(await ask('GET', `/contacts?email=${addressOf(name)}`)).data[0].id}`, {
      subscribed: true,
    })
  const { id } = await ask('POST', '/campaigns', { name: 'News', audienceType: 'ALL', ...content })
  await ask('POST', `/campaigns/${id}/test`, { email: 'test@mix.example' })
  await ask('POST', `/campaigns/${id}/send`)
  await app.drain()
  await react('CAMPAIGN')

  const once = { sent: 7, delivered: 5, opened: 3, clicked: 1, bounced: 3, complained: 1, refused: 1 }
  const twice = Object.fromEntries(Object.entries(once).map(([name, count]) => [name, 2 * count]))
  const rates = { deliveryRate: 5 / 8, openRate: 3 / 5, clickRate: 1 / 5, bounceRate: 3 / 8, complaintRate: 1 / 8 }
  const ofCampaign = Object.fromEntries(Object.entries(once).map(([name, count]) => [`${name}Count`, count]))
  const { complainedCount: _, ...shown } = ofCampaign

  await beforeAndAfterFolding(async () => {
    expect(await ask('GET', `/campaigns/${id}/stats`)).toMatchObject({ ...ofCampaign, ...rates })
    expect(await ask('GET', `/campaigns/${id}`)).toMatchObject(shown)
    expect((await ask('GET', '/campaigns')).data).toMatchObject([shown])
    expect((await ask('GET', '/analytics/top-campaigns')).data).toMatchObject([{ ...ofCampaign, ...rates }])
    expect(await ask('GET', '/analytics/campaign-stats')).toMatchObject({ ...ofCampaign, ...rates })
    for (const by of ['campaign', 'workflow'])
      expect((await ask('GET', `/analytics/breakdown?by=${by}`)).data).toMatchObject([once])
    const { data: domains } = await ask('GET', '/analytics/breakdown?by=domain')
    const { data: days } = await ask('GET', '/analytics/timeseries')
    expect(totalsOf(domains)).toEqual(twice)
    expect(totalsOf(days)).toEqual(twice)
    const stats = await ask('GET', '/activity/stats')
    expect(stats).toMatchObject({ totals: twice, ...rates })
    const shares = emailShares(stats.totals)
    expect(Object.values(shares).map(ratio)).toEqual(Object.values(rates))
    const [step] = (await ask('GET', `/workflows/${workflow.id}/stats`)).steps
    const { sent, complained: __, ...ofStep } = once
    expect(step).toMatchObject({ emails: sent, ...ofStep })
    const report = await ask('GET', `/campaigns/${id}/report`)
    expect(report.engagement).toMatchObject([{ opened: once.opened, clicked: once.clicked }])
    expect(report.links).toMatchObject([{ clicks: once.clicked }])
  })

  app.clock.forward(60_000)
  const next = await ask('POST', '/campaigns', { name: 'Next', audienceType: 'ALL', ...content })
  await ask('POST', `/campaigns/${next.id}/send`)
  await app.drain()
  const [earlier] = (await ask('GET', `/campaigns/${next.id}/comparison`)).earlier
  expect(earlier).toMatchObject({ id, ...once })
})
