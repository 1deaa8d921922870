/** Quiet hours, the frequency cap and the guard of a project: what waits, what is skipped, and what is paused. */
import { describe, expect, it } from 'vitest'
import { whyPaused } from '../../features/automation/campaigns/limits/limits.ts'
import { useCampaigns } from './campaign-fixture.ts'

const campaigns = useCampaigns()
const { call, create, get, stats, upsert, addContacts, sendNow } = campaigns

const change = (settings: object) => call('PATCH', `/users/@me/projects/${campaigns.project.id}`, settings)
const emails = async (query = '') => (await call('GET', `/emails${query}`)).body.data

describe('settings', () => {
  it('are returned, kept when others change, and cleared with null', async () => {
    const settings = {
      quietHours: { from: '21:00', to: '08:00', timezone: 'Europe/Berlin' },
      frequencyCap: { emails: 2, days: 7 },
      sendGuard: { bounceRate: 0.05, complaintRate: 0.003, minimum: 500 },
    }
    expect((await change({})).body).toMatchObject({ quietHours: null, frequencyCap: null, sendGuard: null })
    expect((await change(settings)).body).toMatchObject(settings)
    expect((await change({ language: 'de' })).body).toMatchObject(settings)
    expect((await change({ quietHours: null })).body).toMatchObject({ ...settings, quietHours: null })
  })

  const HOURS = { from: '21:00', to: '08:00', timezone: 'UTC' }
  const GUARD = { bounceRate: 0.05, complaintRate: 0.003, minimum: 500 }
  it.each([
    ['quiet hours without a length', { quietHours: { ...HOURS, to: '21:00' } }, 'quietHours.to'],
    ['an unknown time zone', { quietHours: { ...HOURS, timezone: 'Mars' } }, 'quietHours.timezone'],
    ['a time that does not exist', { quietHours: { ...HOURS, from: '25:00' } }, 'quietHours.from'],
    ['an unknown part', { quietHours: { ...HOURS, days: 1 } }, 'quietHours.days'],
    ['a cap of 0', { frequencyCap: { emails: 0, days: 7 } }, 'frequencyCap.emails'],
    ['a cap without days', { frequencyCap: { emails: 1 } }, 'frequencyCap.days'],
    ['a rate above 1', { sendGuard: { ...GUARD, bounceRate: 5 } }, 'sendGuard.bounceRate'],
    ['a rate of 0', { sendGuard: { ...GUARD, complaintRate: 0 } }, 'sendGuard.complaintRate'],
    ['no minimum', { sendGuard: { ...GUARD, minimum: 0 } }, 'sendGuard.minimum'],
  ])('%s is refused with 422', async (_what, settings, field) => {
    const { status, body } = await change(settings)
    expect(status).toBe(422)
    expect(body.error.errors).toContainEqual(expect.objectContaining({ field }))
  })
})

describe('quiet hours', () => {
  it('campaigns and marketing email wait for their end, transactional email does not', async () => {
    await upsert('reader@example.org')
    const now = campaigns.app.clock.now()
    const at = (ms: number) => new Date(now.getTime() + ms).toISOString().slice(11, 16)
    await change({ quietHours: { from: at(-3_600_000), to: at(7_200_000), timezone: 'UTC' } })
    const id = await create()
    await sendNow(id)
    const message = { to: 'reader@example.org', subject: 'Hi', body: '<p>Hi</p>', from: 'us@example.com' }
    await call('POST', '/v1/send', message)
    const template = {
      name: 'Offer',
      subject: 'Offer',
      body: '<p>Offer</p>',
      from: 'us@example.com',
      type: 'MARKETING',
    }
    const { id: templateId } = (await call('POST', '/templates', template)).body
    await call('POST', '/v1/send', { to: 'reader@example.org', template: templateId })
    await campaigns.app.drain()
    const sent = (await emails()).filter((email: { sentAt: string | null }) => email.sentAt)
    expect(sent.map((email: { subject: string }) => email.subject)).toEqual(['Hi'])
    campaigns.app.clock.forward(2 * 3_600_000 + 60_000)
    await campaigns.app.drain()
    expect((await emails()).every((email: { sentAt: string | null }) => email.sentAt)).toBe(true)
    expect((await get(id)).status).toBe('SENT')
  })
})

it('the preview of an audience has every reason why someone would not get a campaign', async () => {
  const id = (name: string, more: object = {}) => upsert(`${name}@example.org`, more)
  const topicId = (await call('POST', '/topics', { key: 'news', name: 'News', defaultSubscribed: true })).body.id
  const preview = async (more: object = {}) =>
    (await call('POST', '/campaigns/audience-preview', { audienceType: 'ALL', topicId, ...more })).body
  await id('yes')
  await id('no-1', { subscribed: false })
  await id('no-2', { subscribed: false })
  await id('no-3', { subscribed: false })
  await id('other', { topics: { news: false } })
  await id('pending', { doubleOptIn: true })
  const paused = await id('paused')
  await campaigns.app.pool.query("update contacts set paused_until = now() + interval '9 days' where id = $1", [paused])
  await id('bounced')
  await id('bounced-2')
  for (const name of ['bounced', 'bounced-2']) await call('POST', '/suppressions', { email: `${name}@example.org` })
  const reasons = [
    { reason: 'notSubscribed', count: 3 },
    { reason: 'suppressed', count: 2 },
    { reason: 'pendingConfirmation', count: 1 },
    { reason: 'paused', count: 1 },
    { reason: 'topic', count: 1 },
  ]
  expect(await preview()).toMatchObject({ count: 1, total: 9, reasons, excluded: { unsubscribed: 6, suppressed: 2 } })
  expect(await preview({ type: 'TRANSACTIONAL' })).toMatchObject({ count: 9, total: 9, reasons: [] })
})

describe('the frequency cap', () => {
  it('is counted before a campaign is sent, for its recipients and marketing email only', async () => {
    await upsert('full@example.org')
    await upsert('free@example.org')
    const preview = async (more: object = {}) =>
      (await call('POST', '/campaigns/audience-preview', { audienceType: 'ALL', ...more })).body
    await sendNow(await create())
    expect((await preview()).skipped).toEqual({ frequencyCap: 0, sunset: 0 })
    await change({ frequencyCap: { emails: 2, days: 7 } })
    await upsert('new@example.org')
    expect((await preview()).skipped).toEqual({ frequencyCap: 0, sunset: 0 })
    await sendNow(await create())
    const reasons = [{ reason: 'frequencyCap', count: 2 }]
    expect(await preview()).toMatchObject({ count: 3, total: 3, skipped: { frequencyCap: 2 }, reasons })
    expect((await preview({ type: 'TRANSACTIONAL' })).skipped).toEqual({ frequencyCap: 0, sunset: 0 })
    await upsert('full@example.org', { subscribed: false })
    expect(await preview()).toMatchObject({ count: 2, skipped: { frequencyCap: 1 } })
    campaigns.app.clock.forward(8 * 24 * 3_600_000)
    expect((await preview()).skipped).toEqual({ frequencyCap: 0, sunset: 0 })
  })

  it('skips marketing email beyond it, with the reason, and counts it', async () => {
    await upsert('reader@example.org')
    await change({ frequencyCap: { emails: 1, days: 7 } })
    await sendNow(await create())
    await upsert('new@example.org')
    const id = await create()
    await sendNow(id)
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 1, skippedCount: 1 })
    expect(await stats(id)).toMatchObject({ sentCount: 1, skippedCount: 1, pendingCount: 0 })
    const [skipped] = await emails('?status=SKIPPED')
    const error = 'Not sent: the contact has received 1 marketing email in 7 days, the frequency cap of the project.'
    expect(skipped).toMatchObject({ status: 'SKIPPED', error })
    const report = (await call('GET', `/campaigns/${id}/report`)).body
    expect(report.skipped).toEqual([{ reason: 'frequencyCap', count: 1 }])
    await campaigns.app.fold()
    expect((await get(id)).skippedCount).toBe(1)
    expect(await campaigns.app.rebuild()).toEqual({})
    // A week later, it is sent again; transactional email always is.
    campaigns.app.clock.forward(7 * 86_400_000 + 1_000)
    const later = await create()
    await sendNow(later)
    expect(await get(later)).toMatchObject({ sentCount: 2, skippedCount: 0 })
    const transactional = await create({ type: 'TRANSACTIONAL' })
    await sendNow(transactional)
    expect(await get(transactional)).toMatchObject({ sentCount: 2, skippedCount: 0 })
  })

  it('requests at the same time are accepted, and all but the first are skipped', async () => {
    await upsert('reader@example.org')
    await change({ frequencyCap: { emails: 1, days: 7 } })
    const template = {
      name: 'Offer',
      subject: 'Offer',
      body: '<p>Offer</p>',
      from: 'us@example.com',
      type: 'MARKETING',
    }
    const { id: templateId } = (await call('POST', '/templates', template)).body
    const messages = [1, 2, 3].map(() => ({ to: 'reader@example.org', template: templateId }))
    expect((await call('POST', '/v1/send/batch', { messages })).body.data.accepted).toBe(3)
    await campaigns.app.drain()
    const statuses = (await emails()).map((email: { status: string }) => email.status)
    expect(statuses.filter((status: string) => status === 'SKIPPED')).toHaveLength(2)
  })
})

describe('the guard', () => {
  it('pauses a campaign with too many bounces, notifies the owners, and a person can resume it', async () => {
    await addContacts(30)
    await change({ sendGuard: { bounceRate: 0.05, complaintRate: 0.003, minimum: 10 } })
    const id = await create()
    await call('POST', `/campaigns/${id}/send`)
    await campaigns.app.jobs['send-campaign-slice'](
      { projectId: campaigns.project.id, campaignId: id, emailIds: [] },
      { attempt: 1, at: campaigns.app.clock.now() },
    )
    await campaigns.app.pool.query(
      "update emails set status = 'BOUNCED', sent_at = now(), bounced_at = now() where campaign_id = $1",
      [id],
    )
    await campaigns.app.drain()
    const paused = await get(id)
    expect(paused).toMatchObject({ status: 'SENDING', heldReason: expect.stringContaining('10 of 10 emails bounced') })
    expect(paused.pausedAt).not.toBeNull()
    const notices = (await campaigns.app.captured()).filter(({ system }) => system)
    expect(notices.at(-1)!.raw.toString()).toContain('was paused')
    await call('POST', `/campaigns/${id}/resume`)
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'SENT', heldReason: null, sentCount: 30 })
  })

  it('lets a campaign without bounces pass', async () => {
    await addContacts(9)
    await change({ sendGuard: { bounceRate: 0.05, complaintRate: 0.003, minimum: 2 } })
    const id = await create()
    await sendNow(id)
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 9, pausedAt: null })
  })

  it('judges by the rates of bounces and complaints', () => {
    const guard = { bounceRate: 0.05, complaintRate: 0.003, minimum: 500 }
    expect(whyPaused({ bounced: 25, complained: 1 }, 500, guard)).toBeUndefined()
    expect(whyPaused({ bounced: 26, complained: 0 }, 500, guard)).toContain('5.2 percent; the limit is 5 percent')
    expect(whyPaused({ bounced: 0, complained: 2 }, 500, guard)).toContain('2 of 500 emails were reported as spam')
  })
})
