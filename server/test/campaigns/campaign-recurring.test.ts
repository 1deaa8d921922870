/** Recurring campaigns and feeds: each time once, what is new once, and nothing if the feed can't be read. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recoverCampaigns } from '../../features/automation/campaigns/sending.ts'
import { useCampaigns } from './campaign-fixture.ts'

const campaigns = useCampaigns({ WEBHOOK_ALLOW_PRIVATE: 'true' })
const { call, create, get, upsert } = campaigns

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const DAILY = { every: 'day', time: '09:00', timezone: 'UTC' }

/** The clock is at 08:00 of the next day. Returns a moment of that day, or of one after it. */
function atEight(): (time: string, days?: number) => string {
  const tomorrow = campaigns.app.clock.now().getTime() + DAY_MS
  const dateOf = (days: number) => new Date(tomorrow + days * DAY_MS).toISOString().slice(0, 10)
  campaigns.app.clock.set(new Date(`${dateOf(0)}T08:00:00Z`))
  return (time, days = 0) => `${dateOf(days)}T${time}:00.000Z`
}

async function moveTo(at: string) {
  campaigns.app.clock.set(new Date(at))
  await campaigns.app.drain()
}

const set = (id: string, change: object = {}) => call('PUT', `/campaigns/${id}/recurrence`, { ...DAILY, ...change })
const recurrence = async (id: string) => (await call('GET', `/campaigns/${id}/recurrence`)).body
const occurrences = async (id: string) => (await call('GET', `/campaigns/${id}/recurrence/occurrences`)).body.data
const subjects = async () => {
  const { rows } = await campaigns.app.pool.query<{ subject: string; html: string }>(
    `select subject from emails where project_id = $1 and source_type = 'CAMPAIGN' order by id`,
    [campaigns.project.id],
  )
  return rows.map(({ subject }) => subject)
}

/** What the feed's server responds with. */
let respond: RequestListener = (_request, reply) => reply.end()
const server = createServer((request, reply) => respond(request, reply))
let origin = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  respond = (_request, reply) => reply.writeHead(404).end()
})

const rss = (...titles: string[]) =>
  `<rss><channel><title>Blog</title>${titles.map((title) => `<item><guid>${title}</guid><title>${title}</title><link>https://blog.example/${title}</link></item>`).join('')}</channel></rss>`
const publish = (...titles: string[]) => {
  respond = (_request, reply) => reply.end(rss(...titles))
}

describe('a recurring campaign', () => {
  it('is returned, paused, resumed and deleted, and stays a draft', async () => {
    const moment = atEight()
    const id = await create()
    expect((await get(id)).recurrence).toBeNull()
    expect((await call('GET', `/campaigns/${id}/recurrence`)).status).toBe(404)
    const { status, body } = await set(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...DAILY,
      weekdays: null,
      day: null,
      startsOn: null,
      endsOn: null,
      count: null,
      useTemplate: false,
      status: 'active',
      nextAt: moment('09:00'),
      sentCount: 0,
      lastOccurrence: null,
    })
    expect(await recurrence(id)).toEqual(body)
    expect(await get(id)).toMatchObject({ status: 'DRAFT', recurrence: 'active', recurrenceOf: null })
    expect((await call('POST', `/campaigns/${id}/send`)).status).toBe(409)
    expect((await call('POST', `/campaigns/${id}/recurrence/resume`)).status).toBe(409)
    expect((await call('POST', `/campaigns/${id}/recurrence/pause`)).body).toMatchObject({
      status: 'paused',
      nextAt: null,
    })
    expect((await call('POST', `/campaigns/${id}/recurrence/pause`)).status).toBe(409)
    await moveTo(moment('10:00'))
    expect(await occurrences(id)).toEqual([])
    expect((await call('POST', `/campaigns/${id}/recurrence/resume`)).body.nextAt).toBe(moment('09:00', 1))
    expect((await call('DELETE', `/campaigns/${id}/recurrence`)).status).toBe(204)
    expect((await call('DELETE', `/campaigns/${id}/recurrence`)).status).toBe(404)
    await moveTo(moment('10:00', 1))
    expect(await subjects()).toEqual([])
    expect(await get(id)).toMatchObject({ status: 'DRAFT', recurrence: null })
  })

  it.each([
    ['an unknown zone', { timezone: 'Mars/Olympus' }, 'timezone'],
    ['a time that does not exist', { time: '24:00' }, 'time'],
    ['a week without weekdays', { every: 'week' }, 'weekdays'],
    ['an end that has passed', { endsOn: '2020-01-01' }, 'endsOn'],
    ['a template that the campaign does not have', { useTemplate: true }, 'useTemplate'],
    ['an unknown field', { hour: 9 }, 'hour'],
  ])('%s is refused with 422', async (_what, change, field) => {
    const id = await create()
    const { status, body } = await set(id, change)
    expect(status).toBe(422)
    expect(body.error.errors).toContainEqual(expect.objectContaining({ field }))
    expect((await get(id)).recurrence).toBeNull()
  })

  it('must be a draft of the project', async () => {
    await upsert('a@example.org')
    const id = await create()
    await campaigns.sendNow(id)
    expect((await set(id)).status).toBe(409)
    expect((await set(campaigns.project.id)).status).toBe(404)
  })

  it('is sent each time as a campaign of its own, with what it says at that moment, until it ends', async () => {
    const moment = atEight()
    await upsert('a@example.org')
    const id = await create({ tags: ['weekly'], isPublic: true })
    await set(id, { count: 2 })
    await moveTo(moment('09:00'))
    await call('PUT', `/campaigns/${id}`, {
      name: 'News',
      subject: 'Later',
      body: '<p>Hi</p>',
      from: 'us@example.com',
      audienceType: 'ALL',
    })
    await upsert('b@example.org')
    await moveTo(moment('09:00', 1))
    await moveTo(moment('09:00', 2))
    expect(await subjects()).toEqual(['Hello', 'Later', 'Later'])
    expect(await recurrence(id)).toMatchObject({ status: 'ended', nextAt: null, sentCount: 2 })
    const [second, first] = await occurrences(id)
    expect(first).toMatchObject({ at: moment('09:00'), reason: null })
    expect(second).toMatchObject({ at: moment('09:00', 1), reason: null })
    expect(await get(first.campaignId)).toMatchObject({
      name: `News, ${moment('09:00').slice(0, 10)}`,
      status: 'SENT',
      tags: ['weekly'],
      isPublic: true,
      recurrence: null,
      recurrenceOf: id,
      totalRecipients: 1,
      scheduledFor: moment('09:00'),
    })
    expect((await get(second.campaignId)).totalRecipients).toBe(2)
  })

  it('has the content of its template at that moment if that is wanted', async () => {
    const moment = atEight()
    await upsert('a@example.org')
    const template = { name: 'T', subject: 'Old', body: '<p>Old</p>', from: 'us@example.com', type: 'MARKETING' }
    const templateId = (await call('POST', '/templates', template)).body.id
    const id = await create({ templateId, subject: undefined, body: undefined })
    await set(id, { useTemplate: true })
    await call('PATCH', `/templates/${templateId}`, { subject: 'New' })
    await moveTo(moment('09:00'))
    expect(await subjects()).toEqual(['New'])
  })

  it('is sent once, whatever runs at the same time, and even if its job was lost', async () => {
    const moment = atEight()
    await upsert('a@example.org')
    const id = await create()
    await set(id)
    await campaigns.app.pool.query("delete from posthorn_queue.jobs where name = 'run-recurrence'")
    campaigns.app.clock.set(new Date(moment('09:05')))
    const { ctx, jobs, clock } = campaigns.app
    await Promise.all([recoverCampaigns(ctx), recoverCampaigns(ctx)])
    const job = { projectId: campaigns.project.id, campaignId: id, at: moment('09:00') }
    await Promise.all([1, 2, 3].map(() => jobs['run-recurrence'](job, { attempt: 1, at: clock.now() })))
    await campaigns.app.drain()
    expect(await subjects()).toEqual(['Hello'])
    expect(await recurrence(id)).toMatchObject({ nextAt: moment('09:00', 1), sentCount: 1 })
  })

  it('after a standstill sends only the latest time, if that is less than an hour ago', async () => {
    const moment = atEight()
    await upsert('a@example.org')
    const id = await create()
    await set(id)
    await moveTo(moment('09:59', 3))
    expect(await subjects()).toEqual(['Hello'])
    await moveTo(moment('10:01', 5))
    expect(await subjects()).toEqual(['Hello'])
    expect(await recurrence(id)).toMatchObject({
      status: 'active',
      nextAt: moment('09:00', 6),
      sentCount: 1,
      lastOccurrence: { at: moment('09:00', 5), campaignId: null, reason: expect.stringContaining('not running') },
    })
  })

  it('is paused by a restore of a backup', async () => {
    const { PAUSE_RECURRENCES } = await import('../../features/automation/campaigns/recurrences/queries.ts')
    const id = await create()
    await set(id)
    await campaigns.app.pool.query(PAUSE_RECURRENCES)
    expect(await recurrence(id)).toMatchObject({ status: 'paused', nextAt: null })
  })
})

describe('a feed', () => {
  const FEED = { url: '', format: 'rss' }
  const BODY = '{% for item in feed.items %}<a href="{{ item.url }}">{{ item.title }}</a>{% endfor %}'
  const SUBJECT = '{{ feed.items[0].title }}'
  const withFeed = (feed: object = {}) =>
    create({ subject: SUBJECT, body: BODY, feed: { ...FEED, url: `${origin}/feed`, ...feed } })
  const htmlOf = async () => {
    const { data } = (await call('GET', '/emails')).body
    return (await call('GET', `/emails/${data[0].id}`)).body.html
  }

  it('is fetched once, and shown in every email', async () => {
    await Promise.all(['a', 'b', 'c'].map((name) => upsert(`${name}@example.org`, { data: { feed: 'mine' } })))
    let requests = 0
    respond = (_request, reply) => {
      requests++
      reply.end(rss('One', 'Two', 'Three'))
    }
    const id = await withFeed({ maxItems: 2 })
    expect((await get(id)).feed).toEqual({ url: `${origin}/feed`, format: 'rss', maxItems: 2 })
    await campaigns.sendNow(id)
    expect(requests).toBe(1)
    expect(await subjects()).toEqual(['One', 'One', 'One'])
    const html = await htmlOf()
    expect(html).toContain('Two')
    expect(html).not.toContain('Three')

    const archive = { enabled: true, slug: 'with-feed', title: 'News' }
    await call('PATCH', `/users/@me/projects/${campaigns.project.id}`, { archive })
    await call('PATCH', `/campaigns/${id}`, { isPublic: true })
    const open = async (path: string) => (await campaigns.app.request('GET', `/archive/with-feed${path}`)).body
    expect(await open('')).toMatch(/>One<\/a>/)
    expect(await open(`/${id}`)).toContain('Two')
    expect(await open('/feed.xml')).toContain('<title>One</title>')
    expect(requests).toBe(1)
  })

  it.each([
    ['recurrence', DAILY],
    [
      'experiment',
      { variants: [{ name: 'A' }, { name: 'B' }], share: 50, metric: 'opens', waitMinutes: 60, winner: 'manual' },
    ],
  ])(
    'is fetched while the %s of the campaign is set: it is not sent, because it is no longer what was checked',
    async (what, body) => {
      await upsert('reader@example.org')
      const id = await create({ feed: { url: origin, format: 'rss' } })
      respond = async (_request, reply) => {
        expect((await call('PUT', `/campaigns/${id}/${what}`, body)).status).toBe(200)
        reply.end(rss('One'))
      }
      expect((await call('POST', `/campaigns/${id}/send`, { spreadMinutes: 10 })).status).toBe(409)
      expect(await get(id)).toMatchObject({ status: 'DRAFT', timing: null })
    },
  )

  it('is available as it is if it is JSON', async () => {
    await upsert('a@example.org')
    respond = (_request, reply) => reply.end('{"offer": {"price": 12}, "nul": "a\\u0000b", "null": null}')
    const id = await create({
      subject: '{{ feed.offer.price }} {{ feed.nul }}',
      feed: { url: `${origin}/x`, format: 'json' },
    })
    await campaigns.sendNow(id)
    expect(await subjects()).toEqual(['12 ab'])
  })

  it.each<[string, RequestListener, object, string]>([
    ['is not XML', (_r, reply) => reply.end('hello'), {}, 'not a complete RSS or Atom feed'],
    ['has no items', (_r, reply) => reply.end(rss()), {}, 'no items'],
    ['has status 500', (_r, reply) => reply.writeHead(500).end(), {}, 'status 500'],
    ['is not JSON', (_r, reply) => reply.end('<rss>'), { format: 'json' }, 'not JSON'],
    ['has 3 MB', (_r, reply) => reply.end('x'.repeat(3_000_000)), {}, 'larger than 2 MB'],
    [
      'has 300 KB of JSON',
      (_r, reply) => reply.end(JSON.stringify(['x'.repeat(300_000)])),
      { format: 'json' },
      'maximum',
    ],
    ['is nested too deeply', (_r, reply) => reply.end('['.repeat(50) + ']'.repeat(50)), { format: 'json' }, 'levels'],
  ])('is refused if it %s, and nothing is sent', async (_what, listener, feed, reason) => {
    await upsert('a@example.org')
    respond = listener
    const id = await withFeed(feed)
    const { status, body } = await call('POST', `/campaigns/${id}/send`)
    expect(status).toBe(422)
    expect(body.error.errors).toEqual([expect.objectContaining({ field: 'feed' })])
    expect(body.error.errors[0].message).toContain(reason)
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'DRAFT', sentCount: 0 })
    const preview = await call('POST', '/campaigns/feed-preview', { ...FEED, url: `${origin}/feed`, ...feed })
    expect(preview.status).toBe(reason === 'no items' ? 200 : 422)
  })

  it.each([
    ['another protocol', { url: 'file:///etc/passwd' }, 'feed.url'],
    ['a password', { url: 'https://a:b@example.org/' }, 'feed.url'],
    ['an unknown format', { format: 'csv' }, 'feed.format'],
    ['51 items', { maxItems: 51 }, 'feed.maxItems'],
  ])('is refused when it is saved if it has %s', async (_what, change, field) => {
    const news = { name: 'N', subject: 'S', body: 'B', from: 'us@example.com', audienceType: 'ALL' }
    const feed = { ...FEED, url: 'https://example.org/feed', ...change }
    const { status, body } = await call('POST', '/campaigns', { ...news, feed })
    expect(status).toBe(422)
    expect(body.error.errors).toContainEqual(expect.objectContaining({ field }))
  })

  it('holds the campaign if it fails at the scheduled time', async () => {
    await upsert('a@example.org')
    const id = await withFeed()
    const scheduledFor = new Date(campaigns.app.clock.now().getTime() + HOUR_MS).toISOString()
    await call('POST', `/campaigns/${id}/send`, { scheduledFor })
    await moveTo(scheduledFor)
    expect(await get(id)).toMatchObject({ status: 'SCHEDULED', heldReason: expect.stringContaining('status 404') })
  })

  it('is in test emails and in the preview', async () => {
    publish('One')
    const id = await withFeed()
    expect((await call('POST', `/campaigns/${id}/test`, { email: 'me@example.org' })).status).toBe(200)
    await campaigns.app.drain()
    const [message] = (await campaigns.app.captured()).slice(-1)
    expect(String(message!.raw)).toContain('[TEST] One')
    const { body } = await call('POST', '/campaigns/feed-preview', { ...FEED, url: `${origin}/feed` })
    expect(body.feed).toMatchObject({ title: 'Blog', items: [{ title: 'One', url: 'https://blog.example/One' }] })
  })

  it('has only new items for a recurring campaign, and nothing is sent without any', async () => {
    const moment = atEight()
    await upsert('a@example.org')
    publish('Two', 'One')
    const id = await withFeed()
    await set(id)
    await moveTo(moment('09:00'))
    await moveTo(moment('09:00', 1))
    publish('Three', 'Two', 'One')
    await moveTo(moment('09:00', 2))
    expect(await subjects()).toEqual(['Two', 'Three'])
    expect((await occurrences(id)).map(({ reason }: { reason: string | null }) => reason)).toEqual([
      null,
      'The feed has no new items.',
      null,
    ])
    expect(await recurrence(id)).toMatchObject({ sentCount: 2, nextAt: moment('09:00', 3) })
  })

  it('has a maximum for a recurring campaign, whose next ones get the other new items', async () => {
    const moment = atEight()
    await upsert('a@example.org')
    publish('Two', 'One', 'Zero')
    const id = await withFeed({ maxItems: 2 })
    await set(id)
    await moveTo(moment('09:00'))
    publish('Five', 'Four', 'Three', 'Two', 'One', 'Zero')
    await moveTo(moment('09:00', 1))
    publish('Six', 'Five', 'Four', 'Three', 'Two', 'One', 'Zero')
    const links = async () => [...(await htmlOf()).matchAll(/>(\w+)<\/a>/g)].map(([, title]) => title).slice(0, 2)
    expect(await links()).toEqual(['Five', 'Four'])
    await moveTo(moment('09:00', 2))
    expect(await links()).toEqual(['Six', 'Three'])
    await moveTo(moment('09:00', 3))
    expect((await occurrences(id))[0].reason).toBe('The feed has no new items.')
  })

  it('is fetched again for a while if it fails for a recurring campaign, and then the time is skipped with the reason', async () => {
    const moment = atEight()
    await upsert('a@example.org')
    const id = await withFeed()
    await set(id)
    await moveTo(moment('09:00'))
    expect(await occurrences(id)).toEqual([])
    publish('One')
    await moveTo(moment('09:05'))
    expect(await subjects()).toEqual(['One'])
    respond = (_request, reply) => reply.writeHead(503).end()
    await moveTo(moment('09:00', 1))
    await moveTo(moment('09:30', 1))
    expect((await occurrences(id))[0]).toMatchObject({
      campaignId: null,
      reason: 'The feed could not be read: The URL responded with status 503.',
    })
    const notice = (await campaigns.app.captured()).find(({ recipients }) =>
      recipients.includes(campaigns.project.owner.email),
    )
    expect(String(notice?.raw)).toContain('status 503')
  })
})
