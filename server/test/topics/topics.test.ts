/** Topics: managing them, the choices of contacts, and conditions on them. Email with a topic is in email-with-topic.test.ts. */
import { beforeEach, describe, expect, it } from 'vitest'
import { conditionSql } from '../../features/audience/segments/condition-queries.ts'
import type { Condition } from '../../kernel/conditions/condition.ts'
import { sql } from '../../platform/database/connection/sql.ts'
import { createProject, databaseState } from '../harness.ts'
import { useProject } from '../use-project.ts'

const used = useProject()
const { call } = used

const news = { key: 'news', name: 'News' }
const offers = { key: 'offers', name: 'Offers', defaultSubscribed: false }

const createTopic = async (body: object) => (await call('POST', '/topics', body)).body
const createContact = async (email: string, more: object = {}) =>
  (await call('POST', '/contacts', { email, ...more })).body.id as string
const topicsOf = async (id: string) =>
  Object.fromEntries(
    (await call('GET', `/contacts/${id}/topics`)).body.data.map((t: { key: string; subscribed: boolean }) => [
      t.key,
      t.subscribed,
    ]),
  )
const eventsOf = async (id: string) =>
  (await call('GET', `/events/contact/${id}`)).body.data
    .filter(({ name }: { name: string }) => name.startsWith('topic.'))
    .map(({ name, data }: { name: string; data: { topic: string } }) => `${name} ${data.topic}`)
    .reverse()

describe('topics', () => {
  it('are created, listed by position, changed and deleted', async () => {
    const first = await call('POST', '/topics', { ...news, description: 'Every month' })
    expect(first).toMatchObject({
      status: 201,
      body: {
        ...news,
        description: 'Every month',
        defaultSubscribed: true,
        isPublic: true,
        position: 0,
        subscriberCount: 0,
      },
    })
    const second = await createTopic(offers)
    const keys = async (query = '') =>
      (await call('GET', `/topics${query}`)).body.data.map(({ key }: { key: string }) => key)
    expect(await keys()).toEqual(['offers', 'news'])
    const changed = await call('PATCH', `/topics/${second.id}`, { position: 3, description: 'Rare', isPublic: false })
    expect(changed).toMatchObject({
      status: 200,
      body: { position: 3, description: 'Rare', isPublic: false, key: 'offers' },
    })
    expect((await call('PATCH', `/topics/${second.id}`, { description: null })).body.description).toBeNull()
    expect(await keys()).toEqual(['news', 'offers'])
    const page = (await call('GET', '/topics?limit=1')).body
    expect(page).toMatchObject({ hasMore: true, total: 2, data: [{ key: 'news' }] })
    expect(await keys(`?limit=1&cursor=${page.cursor}`)).toEqual(['offers'])
    expect((await call('DELETE', `/topics/${second.id}`)).status).toBe(204)
    expect((await call('GET', `/topics/${second.id}`)).status).toBe(404)
  })

  it.each([
    [{ key: 'News', name: 'x' }, 'key'],
    [{ key: 'a'.repeat(51), name: 'x' }, 'key'],
    [{ key: '', name: 'x' }, 'key'],
    [{ key: 'news', name: ' ' }, 'name'],
    [{ key: 'news' }, 'name'],
    [{ key: 'news', name: 'x', color: 'red' }, 'color'],
    [{ key: 'news', name: 'x', position: -1 }, 'position'],
    [{ key: 'news', name: 'x', defaultSubscribed: 'yes' }, 'defaultSubscribed'],
  ])('are refused with 422 for %j', async (body, field) => {
    const reply = await call('POST', '/topics', body)
    expect([reply.status, reply.body.error.errors[0].field]).toEqual([422, field])
  })

  it('keep their key, are unique by key, and belong to a project', async () => {
    const { id } = await createTopic(news)
    expect((await call('PATCH', `/topics/${id}`, { key: 'other' })).status).toBe(422)
    expect((await call('POST', '/topics', news)).status).toBe(409)
    const other = await createProject(used.app)
    const foreign = { key: other.secretKey, body: { name: 'Mine' } }
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect(
        (await used.app.request(method, `/topics/${id}`, method === 'PATCH' ? foreign : { key: other.secretKey }))
          .status,
      ).toBe(404)
    }
  })

  it('are at most 50, also with concurrent requests', async () => {
    await used.app.pool.query(
      `insert into topics (project_id, id, number, key, name, default_subscribed, is_public, position, created_at, updated_at)
       select $1, gen_random_uuid(), n, 'topic-' || n, 'Topic', true, true, 0, now(), now() from generate_series(1, 49) as n`,
      [used.project.id],
    )
    const replies = await Promise.all(['a', 'b', 'c'].map((key) => call('POST', '/topics', { key, name: 'Topic' })))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })

  it('have no earlier choices if they are deleted and created again with the same key', async () => {
    const { id } = await createTopic(offers)
    const contact = await createContact('ada@example.org', { topics: { offers: true } })
    await call('DELETE', `/topics/${id}`)
    const again = await createTopic(offers)
    expect(await topicsOf(contact)).toEqual({ offers: false })
    expect(again.subscriberCount).toBe(0)
    await call('PUT', `/contacts/${contact}/topics`, { topics: { offers: false } })
    const { rows } = await used.app.pool.query('select topics from contacts where id = $1', [contact])
    expect(rows[0].topics).toHaveLength(1)
  })

  it('count the contacts who would receive them now', async () => {
    const [first, second] = [await createTopic(news), await createTopic(offers)]
    const [ada] = [
      await createContact('ada@example.org'),
      await createContact('grace@example.org', { topics: { offers: true } }),
    ]
    await createContact('out@example.org', { subscribed: false, topics: { offers: true } })
    await createContact('bad@example.org', { topics: { offers: true } })
    await call('POST', '/suppressions', { email: 'bad@example.org' })
    const counts = async () => [
      (await call('GET', `/topics/${first.id}`)).body.subscriberCount,
      (await call('GET', `/topics/${second.id}`)).body.subscriberCount,
    ]
    expect(await counts()).toEqual([2, 1])
    await call('PUT', `/contacts/${ada}/topics`, { topics: { news: false, offers: true } })
    expect(await counts()).toEqual([1, 2])
    await call('PATCH', `/contacts/${ada}`, {
      pausedUntil: new Date(used.app.clock.now().getTime() + 1000).toISOString(),
    })
    expect(await counts()).toEqual([1, 1])
  })
})

describe('the topics of a contact', () => {
  beforeEach(async () => {
    await createTopic(news)
    await createTopic(offers)
  })

  it('have their default, until the contact chooses', async () => {
    const id = await createContact('ada@example.org')
    expect((await call('GET', `/contacts/${id}/topics`)).body.data).toContainEqual({
      ...news,
      subscribed: true,
      suppressed: false,
      source: null,
      updatedAt: null,
    })
    const changed = await call('PUT', `/contacts/${id}/topics`, { topics: { news: false } })
    expect(changed.body.data).toContainEqual({
      ...news,
      subscribed: false,
      suppressed: false,
      source: 'api',
      updatedAt: used.app.clock.now().toISOString(),
    })
    expect(await topicsOf(id)).toEqual({ news: false, offers: false })
    await call('PUT', `/contacts/${id}/topics`, { topics: { news: false } })
    await call('PUT', `/contacts/${id}/topics`, { topics: { news: true, offers: true } })
    expect((await eventsOf(id)).sort()).toEqual([
      'topic.subscribed news',
      'topic.subscribed offers',
      'topic.unsubscribed news',
    ])
  })

  it('are off while the address is suppressed for them, until the contact opts in', async () => {
    const id = await createContact('ada@example.org')
    await call('POST', '/suppressions', { email: 'ada@example.org', topic: 'news' })
    const [topic] = (await call('GET', `/contacts/${id}/topics`)).body.data.filter(
      ({ key }: { key: string }) => key === 'news',
    )
    expect(topic).toMatchObject({ subscribed: false, suppressed: true, source: null })
    const changed = await call('PUT', `/contacts/${id}/topics`, { topics: { news: true } })
    expect(changed.body.data).toContainEqual(
      expect.objectContaining({ key: 'news', subscribed: true, suppressed: false }),
    )
    expect((await call('GET', '/suppressions')).body.data).toEqual([])
  })

  it('are set by POST and PATCH /contacts, /v1/track, /events/track and /v1/send', async () => {
    const email = 'ada@example.org'
    const id = await createContact(email, { topics: { offers: true } })
    expect(await topicsOf(id)).toEqual({ news: true, offers: true })
    await call('PATCH', `/contacts/${id}`, { topics: { news: false } })
    expect(await topicsOf(id)).toEqual({ news: false, offers: true })
    await call('POST', '/events/track', { email, event: 'seen', topics: { offers: false } })
    expect(await topicsOf(id)).toEqual({ news: false, offers: false })
    const body = { to: email, from: 'hello@example.com', subject: 'Hi', body: 'Hi', topics: { news: true } }
    expect((await call('POST', '/v1/send', body)).status).toBe(200)
    expect(await topicsOf(id)).toEqual({ news: true, offers: false })
    const batch = {
      messages: [
        { ...body, topics: { offers: true } },
        { ...body, topics: { nothing: true } },
      ],
    }
    const { results } = (await call('POST', '/v1/send/batch', batch)).body.data
    expect(results[1]).toMatchObject({ success: false, error: { errors: [{ field: 'topics.nothing' }] } })
    expect(await topicsOf(id)).toEqual({ news: true, offers: true })
    expect(await eventsOf(id)).toHaveLength(5)
  })

  it('are refused with 422 and without an effect if a key is unknown', async () => {
    const id = await createContact('ada@example.org')
    const before = await databaseState(used.app)
    const topics = { news: false, nothing: true }
    const replies = [
      await call('PUT', `/contacts/${id}/topics`, { topics }),
      await call('POST', '/contacts', { email: 'new@example.org', topics }),
      await call('PATCH', `/contacts/${id}`, { subscribed: false, topics }),
      await call('POST', '/events/track', { email: 'new@example.org', event: 'seen', topics }),
      await call('POST', '/v1/send', {
        to: 'new@example.org',
        from: 'hello@example.com',
        subject: 'Hi',
        body: 'Hi',
        topics,
      }),
      await call('PUT', `/contacts/${id}/topics`, { topics: { news: 'yes' } }),
      await call('PUT', `/contacts/${id}/topics`, { topics: { news: false, ['__proto__']: true } }),
      await call('POST', '/events/track', { email: 'new@example.org', event: 'seen', topics: { ['__proto__']: true } }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 422, 422, 422])
    expect(replies.slice(0, 5).map(({ body }) => body.error.errors[0].field)).toEqual(Array(5).fill('topics.nothing'))
    expect(await databaseState(used.app)).toBe(before)
  })

  it('are not changed by the public key if they were declined, but it can decline them', async () => {
    const email = 'ada@example.org'
    const id = await createContact(email, { topics: { news: false } })
    const track = (topics: object) =>
      used.app.request('POST', '/v1/track', { key: used.project.publicKey, body: { email, event: 'seen', topics } })
    expect((await track({ news: true, offers: true })).status).toBe(200)
    expect(await topicsOf(id)).toEqual({ news: false, offers: true })
    await track({ offers: false })
    expect(await topicsOf(id)).toEqual({ news: false, offers: false })
  })

  it('are all stored if requests decide about different topics at the same time', async () => {
    const id = await createContact('ada@example.org')
    await Promise.all([
      call('PUT', `/contacts/${id}/topics`, { topics: { news: false } }),
      call('PUT', `/contacts/${id}/topics`, { topics: { offers: true } }),
      call('POST', '/events/track', { email: 'ada@example.org', event: 'seen', topics: { news: false } }),
    ])
    const { rows } = await used.app.pool.query(
      `select c.topics, array_agg(case when d.subscribed then d.topic else -d.topic end) as decisions
       from contacts c join contact_topics d on d.contact_id = c.id where c.id = $1 group by c.topics`,
      [id],
    )
    const sorted = (list: number[]) => [...list].sort()
    expect(sorted(rows[0].topics)).toEqual(sorted(rows[0].decisions))
    expect(rows[0].topics).toHaveLength(2)
  })

  it('are deleted with the contact and with the project', async () => {
    const id = await createContact('ada@example.org', { topics: { news: false } })
    await call('DELETE', `/contacts/${id}`)
    const { rows } = await used.app.pool.query('select from contact_topics where contact_id = $1', [id])
    expect(rows).toEqual([])
  })
})

describe('a condition on a topic', () => {
  const where = (key: string, value: boolean, operator = 'equals') => ({
    logic: 'AND',
    groups: [{ filters: [{ field: `topics.${key}`, operator, value }] }],
  })
  const segment = (condition: object) => call('POST', '/segments', { name: 'S', type: 'DYNAMIC', condition })

  it('matches the contacts who would receive the topic now, or the others', async () => {
    await createTopic(news)
    const { id: topicId } = await createTopic(offers)
    await createContact('ada@example.org', { topics: { offers: true } })
    await createContact('grace@example.org', { topics: { news: false } })
    await createContact('out@example.org', { subscribed: false, topics: { offers: true } })
    await createContact('bad@example.org', { topics: { offers: true } })
    await call('POST', '/suppressions', { email: 'bad@example.org' })
    const members = async (condition: object) => {
      const { id } = (await segment(condition)).body
      const { data } = (await call('GET', `/segments/${id}/contacts`)).body
      return data.map(({ email }: { email: string }) => email.split('@')[0]).sort()
    }
    expect(await members(where('news', true))).toEqual(['ada'])
    expect(await members(where('news', false))).toEqual(['bad', 'grace', 'out'])
    expect(await members(where('offers', true))).toEqual(['ada'])
    expect(await members(where('offers', true, 'notEquals'))).toEqual(['bad', 'grace', 'out'])
    const refused = await call('DELETE', `/topics/${topicId}`)
    expect([refused.status, refused.body.error.details.usedBy[0].kind]).toEqual([409, 'segment'])
  })

  it.each([true, false])('leaves out the suppressed addresses, few: %s', async (fewSuppressions) => {
    await createTopic(news)
    for (const name of ['ada', 'all', 'news']) await createContact(`${name}@example.org`)
    await call('POST', '/suppressions', { email: 'all@example.org' })
    await call('POST', '/suppressions', { email: 'news@example.org', topic: 'news' })
    const matching = async (value: boolean) => {
      const scope = { projectId: used.project.id, now: used.app.clock.now(), fewSuppressions }
      const { rows } = await sql<{ email: string }>`select email from contacts where project_id = ${used.project.id}
        and ${conditionSql(where('news', value) as Condition, scope)} order by email`.execute(used.app.db)
      return rows.map(({ email }) => email.split('@')[0])
    }
    expect(await matching(true)).toEqual(['ada'])
    expect(await matching(false)).toEqual(['all', 'news'])
  })

  it('is refused with 422 if the topic is unknown or the value is no boolean', async () => {
    await createTopic(news)
    const replies = [await segment(where('nothing', true)), await segment(where('news', 'yes' as never))]
    expect(replies.map(({ status }) => status)).toEqual([422, 422])
  })

  it('can be on the time zone, which is a field of the data', async () => {
    await createContact('ada@example.org', { data: { timezone: 'Europe/Berlin' } })
    const filter = { field: 'timezone', operator: 'equals', value: 'Europe/Berlin' }
    expect((await segment({ logic: 'AND', groups: [{ filters: [filter] }] })).body.memberCount).toBe(1)
  })

  it('updates a tracked segment when a contact decides', async () => {
    await createTopic(news)
    const id = await createContact('ada@example.org')
    const body = { name: 'Readers', type: 'DYNAMIC', condition: where('news', true), trackMembership: true }
    const { id: segmentId } = (await call('POST', '/segments', body)).body
    await call('POST', `/segments/${segmentId}/compute`)
    await call('PUT', `/contacts/${id}/topics`, { topics: { news: false } })
    const { rows } = await used.app.pool.query('select changed_at from segments where id = $1', [segmentId])
    expect(rows[0].changed_at).not.toBeNull()
  })
})
