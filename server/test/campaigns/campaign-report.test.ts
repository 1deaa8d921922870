/** The report of a campaign and the follow-ups to it. */
import { describe, expect, it } from 'vitest'
import { createProject } from '../harness.ts'
import { useCampaigns } from './campaign-fixture.ts'

const campaigns = useCampaigns()
const { call, upsert, create, recipients, sendNow } = campaigns

describe('the report of a campaign', () => {
  it('has opens and clicks by hour, clicks by link, and bounces by domain and reason', async () => {
    await upsert('reader@example.org')
    await upsert('other@example.org')
    await upsert('bounce@simulator.posthorn.test')
    const id = await create({ body: '<a href="https://example.com/x">x</a>' })
    await sendNow(id)
    const { data } = await recipients(id)
    const idOf = (address: string) => data.find(({ email }: { email: string }) => email === address).id
    await call('POST', `/emails/${idOf('reader@example.org')}/simulate`, { outcome: 'click' })
    await call('POST', `/emails/${idOf('other@example.org')}/simulate`, { outcome: 'open' })
    const { status, body } = await call('GET', `/campaigns/${id}/report`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      unit: 'hour',
      engagement: [{ opened: 2, clicked: 1 }],
      links: [{ url: 'https://example.com/x', clicks: 1, totalClicks: 1 }],
      bounces: [{ domain: 'simulator.posthorn.test', count: 1, reason: expect.stringMatching(/^5\d\d /) }],
    })
    const other = await createProject(campaigns.app)
    expect((await campaigns.app.request('GET', `/campaigns/${id}/report`, { key: other.secretKey })).status).toBe(404)
  })

  it('has the links that were clicked at any time', async () => {
    await upsert('early@example.org')
    await upsert('late@example.org')
    const id = await create({ body: '<a href="https://example.com/x">x</a>' })
    await sendNow(id)
    const [late, early] = (await recipients(id)).data
    await call('POST', `/emails/${early.id}/simulate`, { outcome: 'click' })
    campaigns.app.clock.forward(31 * 24 * 3_600_000)
    await call('POST', `/emails/${late.id}/simulate`, { outcome: 'click' })
    const { body } = await call('GET', `/campaigns/${id}/report`)
    expect(body.engagement).toHaveLength(2)
    expect(body.links).toEqual([{ url: 'https://example.com/x', clicks: 2, totalClicks: 2 }])
  })

  it('is empty for a draft', async () => {
    const { body } = await call('GET', `/campaigns/${await create({})}/report`)
    const empty = { engagement: [], links: [], bounces: [], skipped: [] }
    expect(body).toEqual({ unit: 'hour', ...empty, convertedCount: 0, revenue: {} })
  })
})

describe('POST /campaigns/{id}/follow-up', () => {
  const followUp = (id: string, chosen: string, key?: string) =>
    key
      ? campaigns.app.request('POST', `/campaigns/${id}/follow-up`, { key, body: { recipients: chosen } })
      : call('POST', `/campaigns/${id}/follow-up`, { recipients: chosen })

  it('creates a draft for the recipients who did or did not react', async () => {
    for (const name of ['opener', 'clicker', 'silent']) await upsert(`${name}@example.org`)
    await upsert('bounce@simulator.posthorn.test')
    const id = await create({ body: '<a href="https://example.com/x">x</a>', name: 'News' })
    await sendNow(id)
    const { data } = await recipients(id)
    const idOf = (address: string) => data.find(({ email }: { email: string }) => email === address).id
    await call('POST', `/emails/${idOf('opener@example.org')}/simulate`, { outcome: 'open' })
    await call('POST', `/emails/${idOf('clicker@example.org')}/simulate`, { outcome: 'click' })
    const expected = {
      OPENED: ['clicker@example.org', 'opener@example.org'],
      NOT_OPENED: ['silent@example.org'],
      CLICKED: ['clicker@example.org'],
      NOT_CLICKED: ['opener@example.org', 'silent@example.org'],
    }
    for (const [chosen, addresses] of Object.entries(expected)) {
      const { status, body } = await followUp(id, chosen)
      expect(status).toBe(201)
      expect(body).toMatchObject({ status: 'DRAFT', subject: 'Hello', audienceType: 'SEGMENT' })
      const { body: members } = await call('GET', `/segments/${body.segmentId}/contacts`)
      expect(members.data.map(({ email }: { email: string }) => email).sort()).toEqual(addresses)
    }
  })

  it('has a segment whose name is at most 100 characters long and keeps the choice', async () => {
    await upsert('reader@example.org')
    const id = await create({ name: 'x'.repeat(200) })
    await sendNow(id)
    const { body } = await followUp(id, 'NOT_OPENED')
    const segment = (await call('GET', `/segments/${body.segmentId}`)).body
    expect(segment.name).toHaveLength(100)
    expect(segment.name).toMatch(/x: not opened$/)
  })

  it('leaves no segment behind if the draft cannot be created', async () => {
    await upsert('reader@example.org')
    const id = await create({ name: 'Broken' })
    await sendNow(id)
    await campaigns.app.pool.query(
      "alter table campaigns add constraint refuse_draft check (name <> 'Broken: not opened') not valid",
    )
    try {
      expect((await followUp(id, 'NOT_OPENED')).status).toBe(500)
    } finally {
      await campaigns.app.pool.query('alter table campaigns drop constraint refuse_draft')
    }
    expect((await call('GET', '/segments')).body).toEqual([])
  })

  it('is refused if nobody matches, for an unknown choice, and to other projects', async () => {
    const id = await create({})
    expect((await followUp(id, 'OPENED')).status).toBe(409)
    expect((await followUp(id, 'EVERYONE')).status).toBe(422)
    const other = await createProject(campaigns.app)
    expect((await followUp(id, 'OPENED', other.secretKey)).status).toBe(404)
  })
})
