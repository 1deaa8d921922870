/** The sunset rule of a project: whom it stops, what doesn't count, how it is previewed and undone. */
import { describe, expect, it } from 'vitest'
import { useCampaigns } from './campaign-fixture.ts'

const campaigns = useCampaigns()
const { call, create, get, stats, upsert, sendNow } = campaigns

const DAY_MS = 86_400_000
const RULE = { days: 30, emails: 3 }

const change = (settings: object) => call('PATCH', `/users/@me/projects/${campaigns.project.id}`, settings)
const emails = async (query = '') => (await call('GET', `/emails${query}`)).body.data
const latestTo = async (contactId: string) => (await emails(`?contactId=${contactId}&limit=1`))[0]
const preview = async (rule: object = RULE) =>
  (await call('GET', `/contacts/sunset-preview?${new URLSearchParams(rule as Record<string, string>)}`)).body.count
const sunset = async (id: string) => (await call('GET', `/contacts/${id}/sunset`)).body
const simulate = async (emailId: string, outcome: string) => {
  expect((await call('POST', `/emails/${emailId}/simulate`, { outcome })).status).toBe(200)
  await campaigns.app.drain()
}

/** Campaigns to everyone, a day apart. Returns the last one. */
async function sendCampaigns(count: number, more: object = {}): Promise<string> {
  let last = ''
  for (let i = 0; i < count; i++) {
    campaigns.app.clock.forward(DAY_MS)
    last = await create(more)
    await sendNow(last)
  }
  return last
}

describe('the setting', () => {
  it('is off by default, returned, kept when others change, and cleared with null', async () => {
    expect((await change({})).body.sunset).toBeNull()
    expect((await change({ sunset: RULE })).body.sunset).toEqual(RULE)
    expect((await change({ language: 'de' })).body.sunset).toEqual(RULE)
    expect((await change({ sunset: null })).body.sunset).toBeNull()
  })

  it.each([
    ['29 days', { ...RULE, days: 29 }, 'sunset.days'],
    ['1,096 days', { ...RULE, days: 1_096 }, 'sunset.days'],
    ['2 emails', { ...RULE, emails: 2 }, 'sunset.emails'],
    ['101 emails', { ...RULE, emails: 101 }, 'sunset.emails'],
    ['no days', { emails: 3 }, 'sunset.days'],
    ['an unknown part', { ...RULE, opens: 1 }, 'sunset.opens'],
  ])('is refused with 422 if it has %s', async (_what, rule, field) => {
    const { status, body } = await change({ sunset: rule })
    expect(status).toBe(422)
    expect(body.error.errors).toContainEqual(expect.objectContaining({ field }))
  })
})

describe('the sunset rule', () => {
  it('stops marketing email to contacts who opened and clicked nothing, with the reason, and not to others', async () => {
    const silent = await upsert('silent@example.org')
    const opener = await upsert('opener@example.org')
    const clicker = await upsert('clicker@example.org')
    await change({ sunset: RULE })
    await sendCampaigns(1)
    await simulate((await latestTo(opener)).id, 'open')
    await sendCampaigns(2)
    await simulate((await latestTo(clicker)).id, 'open')
    const latest = await upsert('new@example.org')
    expect((await call('POST', '/campaigns/audience-preview', { audienceType: 'ALL' })).body).toMatchObject({
      count: 4,
      skipped: { frequencyCap: 0, sunset: 1 },
    })
    const id = await sendCampaigns(1)
    expect(await get(id)).toMatchObject({ status: 'SENT', totalRecipients: 4, sentCount: 3, skippedCount: 1 })
    expect(await stats(id)).toMatchObject({ sentCount: 3, skippedCount: 1, pendingCount: 0 })
    expect(await latestTo(silent)).toMatchObject({
      status: 'SKIPPED',
      error: expect.stringContaining('at least 3 marketing emails within 30 days, the sunset rule'),
    })
    expect((await call('GET', `/campaigns/${id}/report`)).body.skipped).toEqual([{ reason: 'sunset', count: 1 }])
    expect((await latestTo(latest)).sentAt).not.toBeNull()
    await campaigns.app.fold()
    expect(await campaigns.app.rebuild()).toEqual({})

    const transactional = await create({ type: 'TRANSACTIONAL' })
    await sendNow(transactional)
    expect(await get(transactional)).toMatchObject({ sentCount: 4, skippedCount: 0 })
  })

  it('keeps a contact stopped long after the period, because it receives nothing to open', async () => {
    const silent = await upsert('silent@example.org')
    await change({ sunset: RULE })
    await sendCampaigns(3)
    const { sentAt } = await latestTo(silent)
    campaigns.app.clock.forward(400 * DAY_MS)
    const id = await sendCampaigns(1)
    expect(await get(id)).toMatchObject({ sentCount: 0, skippedCount: 1 })
    expect(await sunset(silent)).toEqual({ stopped: true, since: sentAt, resetAt: null })
    expect(await preview()).toBe(1)
  })

  it('does not stop a contact whose emails are further apart than the period', async () => {
    const reader = await upsert('reader@example.org')
    await change({ sunset: RULE })
    for (let i = 0; i < 4; i++) {
      campaigns.app.clock.forward(16 * DAY_MS)
      await sendNow(await create())
    }
    expect(await sunset(reader)).toMatchObject({ stopped: false, since: null })
    expect(await preview()).toBe(0)
    expect(await emails('?status=SKIPPED')).toEqual([])
  })

  it('ends for a contact that opens an earlier email, and for everyone when it is turned off', async () => {
    const [first, second] = [await upsert('first@example.org'), await upsert('second@example.org')]
    await change({ sunset: RULE })
    await sendCampaigns(3)
    expect([await sunset(first), await sunset(second)]).toMatchObject([{ stopped: true }, { stopped: true }])
    await simulate((await latestTo(first)).id, 'open')
    expect([await sunset(first), await sunset(second)]).toMatchObject([{ stopped: false }, { stopped: true }])
    await change({ sunset: null })
    expect(await sunset(second)).toMatchObject({ stopped: false, since: null })
    expect(await get(await sendCampaigns(1))).toMatchObject({ sentCount: 2, skippedCount: 0 })
  })

  it('counts from the moment at which someone chose to send to the contact again', async () => {
    const silent = await upsert('silent@example.org')
    await change({ sunset: RULE })
    await sendCampaigns(3)
    const reset = await call('POST', `/contacts/${silent}/sunset/reset`)
    expect(reset.status).toBe(200)
    expect(reset.body).toEqual({ stopped: false, since: null, resetAt: campaigns.app.clock.now().toISOString() })
    expect(await preview()).toBe(0)
    await sendCampaigns(2)
    expect((await latestTo(silent)).sentAt).not.toBeNull()
    expect((await sunset(silent)).stopped).toBe(false)
    await sendCampaigns(1)
    expect((await sunset(silent)).stopped).toBe(true)
    expect(await preview()).toBe(1)
    expect((await call('POST', `/contacts/${campaigns.project.id}/sunset/reset`)).status).toBe(404)
    expect((await call('GET', `/contacts/${campaigns.project.id}/sunset`)).status).toBe(404)
  })

  it('does not count emails without tracking, opens of machines, bounces and transactional email', async () => {
    const reader = await upsert('reader@example.org')
    await change({ sunset: RULE, tracking: 'DISABLED' })
    await sendCampaigns(3)
    expect([await preview(), (await sunset(reader)).stopped]).toEqual([0, false])
    await change({ tracking: 'ENABLED' })
    await sendCampaigns(3, { type: 'TRANSACTIONAL' })
    expect([await preview(), (await sunset(reader)).stopped]).toEqual([0, false])
    await sendCampaigns(3)
    await campaigns.app.pool.query('update emails set bot_opens = 2, bot_clicks = 1 where contact_id = $1', [reader])
    expect([await preview(), (await sunset(reader)).stopped]).toEqual([1, true])
    await campaigns.app.pool.query('update emails set bounced_at = now() where id = $1', [(await latestTo(reader)).id])
    expect([await preview(), (await sunset(reader)).stopped]).toEqual([0, false])
  })

  it('governs marketing and headless email with a topic that is sent through the API, as the frequency cap does', async () => {
    const reader = await upsert('reader@example.org')
    await change({ sunset: RULE })
    await sendCampaigns(3)
    const { id: topicId } = (await call('POST', '/topics', { key: 'news', name: 'News', defaultSubscribed: true })).body
    const template = { name: 'Offer', subject: 'Offer', body: '<p>Offer</p>', from: 'us@example.com' }
    const statusOf = async (more: object) => {
      const { body } = await call('POST', '/templates', { ...template, ...more })
      expect((await call('POST', '/v1/send', { to: 'reader@example.org', template: body.id })).status).toBe(200)
      await campaigns.app.drain()
      return (await latestTo(reader)).status
    }
    expect(await statusOf({ type: 'MARKETING' })).toBe('SKIPPED')
    expect(await statusOf({ type: 'HEADLESS', topicId })).toBe('SKIPPED')
    expect(await statusOf({ type: 'HEADLESS' })).not.toBe('SKIPPED')
    expect(await statusOf({ type: 'TRANSACTIONAL' })).not.toBe('SKIPPED')
  })
})

describe('GET /contacts/sunset-preview', () => {
  it('counts only contacts who can receive marketing email, for a rule that is not saved', async () => {
    await upsert('silent@example.org')
    await upsert('left@example.org')
    await sendCampaigns(3)
    await upsert('left@example.org', { subscribed: false })
    expect(await preview()).toBe(1)
    expect(await preview({ days: 30, emails: 4 })).toBe(0)
    const other = await call('PATCH', `/contacts/${await upsert('silent@example.org')}`, {
      pausedUntil: new Date(campaigns.app.clock.now().getTime() + DAY_MS).toISOString(),
    })
    expect(other.status).toBe(200)
    expect(await preview()).toBe(0)
  })

  it.each([
    ['days=29&emails=3', 'days'],
    ['days=30&emails=101', 'emails'],
    ['days=30', 'emails'],
    ['days=many&emails=3', 'days'],
  ])('?%s is refused', async (query, field) => {
    const { status, body } = await call('GET', `/contacts/sunset-preview?${query}`)
    expect([400, 422]).toContain(status)
    expect(JSON.stringify(body.error)).toContain(field)
  })
})
