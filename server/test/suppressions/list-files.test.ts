/** Suppressions of single topics, and the list of suppressions as a file. */
import { describe, expect, it } from 'vitest'
import { createProject, databaseState } from '../harness.ts'
import { uploadFile } from '../uploads/upload.ts'
import { useProject } from '../use-project.ts'

const used = useProject()
const { call } = used

const upload = (file: string, key = used.project.secretKey) =>
  uploadFile(used.app, '/suppressions/import', file, { key })
const listed = async (query = '') =>
  (await call('GET', `/suppressions?${query}`)).body.data.map(
    ({ email, reason, topic }: Record<string, string>) => `${email} ${reason} ${topic}`,
  )
const createTopic = async (key: string, more: object = {}) =>
  (await call('POST', '/topics', { key, name: key, ...more })).body as { id: string }
const auditActs = async () =>
  (await call('GET', `/projects/${used.project.id}/audit-log`)).body.data.map(({ act }: { act: string }) => act)

describe('the suppression of a topic', () => {
  it('stops email of this topic only, even after the contact is deleted and imported again', async () => {
    const news = await createTopic('news')
    const offers = await createTopic('offers')
    const email = 'ada@example.org'
    expect(await call('POST', '/suppressions', { email, topic: 'news' })).toMatchObject({
      status: 201,
      body: { email, topic: 'news', reason: 'MANUAL' },
    })
    expect((await call('POST', '/suppressions', { email, topic: 'news' })).status).toBe(200)
    const { id } = (await call('POST', '/contacts', { email })).body
    await call('POST', '/contacts', { email: 'eve@example.org' })

    const reached = async (topicId: string) =>
      (await call('POST', '/campaigns/audience-preview', { type: 'MARKETING', audienceType: 'ALL', topicId })).body
    expect(await reached(news.id)).toMatchObject({ count: 1 })
    expect(await reached(offers.id)).toMatchObject({ count: 2 })
    expect((await call('GET', `/topics/${news.id}`)).body.subscriberCount).toBe(1)
    const inNews = {
      logic: 'AND',
      groups: [{ filters: [{ field: 'topics.news', operator: 'equals', value: true }] }],
    }
    expect((await call('POST', '/segments/preview', { condition: inNews })).body).toMatchObject({ count: 1 })

    const statusOf = async (topicId: string) => {
      const template = {
        name: topicId,
        subject: 's',
        body: '<p>b</p>',
        type: 'MARKETING',
        topicId,
        from: 'a@example.com',
      }
      const { id: templateId } = (await call('POST', '/templates', template)).body
      return (await call('POST', '/v1/send', { to: email, template: templateId })).status
    }
    expect([await statusOf(news.id), await statusOf(offers.id)]).toEqual([422, 200])

    await call('DELETE', `/contacts/${id}`)
    await used.app.drain()
    await call('POST', '/contacts', { email })
    expect(await reached(news.id)).toMatchObject({ count: 1 })
  })

  it('ends when the contact opts in to the topic, but not for the public key', async () => {
    await createTopic('news')
    const email = 'ada@example.org'
    await call('POST', '/suppressions', { email, topic: 'news' })
    await call('POST', '/suppressions', { email: 'other@example.org', topic: 'news' })
    const track = { key: used.project.publicKey, body: { email, event: 'seen', topics: { news: true } } }
    await used.app.request('POST', '/v1/track', track)
    const { id } = (await call('POST', '/contacts', { email, subscribed: true })).body
    expect(await listed(`email=${email}`)).toEqual([`${email} MANUAL news`])
    await call('PUT', `/contacts/${id}/topics`, { topics: { news: true } })
    expect(await listed()).toEqual(['other@example.org MANUAL news'])
  })

  it('is deleted with its topic, with the project’s other suppressions, and by its address and topic', async () => {
    const { id } = await createTopic('news')
    await createTopic('offers')
    const email = 'ada@example.org'
    for (const topic of ['news', 'offers', null]) await call('POST', '/suppressions', { email, topic })
    expect(await listed('topic=offers')).toEqual([`${email} MANUAL offers`])
    const path = `/suppressions/${email}`
    expect((await call('DELETE', `${path}?topic=offers`)).status).toBe(204)
    expect((await call('DELETE', `${path}?topic=offers`)).status).toBe(404)
    expect((await call('DELETE', path)).status).toBe(204)
    expect(await listed()).toEqual([`${email} MANUAL news`])
    expect((await auditActs()).slice(0, 2)).toEqual(['suppression.removed', 'suppression.removed'])
    expect((await call('DELETE', `/topics/${id}`)).status).toBe(204)
    expect(await listed()).toEqual([])
  })

  it('is refused for an unknown topic, and changes nothing', async () => {
    const before = await databaseState(used.app)
    const refused = await call('POST', '/suppressions', { email: 'a@example.org', topic: 'nothing' })
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { errors: [{ field: 'topic', code: 'unknown_topic' }] } },
    })
    expect((await call('DELETE', '/suppressions/a@example.org?topic=nothing')).status).toBe(422)
    expect(await databaseState(used.app)).toEqual(before)
  })
})

describe('the list of suppressions', () => {
  it('is imported from a file, with the words of other services, and says what it skipped', async () => {
    await createTopic('news')
    await call('POST', '/suppressions', { email: 'known@example.org' })
    const file = [
      'EmailAddress;Reason;Topic;CreatedAt',
      'Hard@Example.org;HardBounce;;2020-01-02',
      'spam@example.org;SpamComplaint;;',
      'soft@example.org;Soft bounce;;',
      'known@example.org;BOUNCE;;',
      'hard@example.org;MANUAL;;',
      ';;;',
      'hard@example.org;;news;',
      'nobody;;;',
      'x@example.org;;nothing;',
      'y@example.org;;;soon',
      "'=1+1@example.org;;;",
    ].join('\n')
    const { status, body } = await upload(file)
    expect([status, body.errors]).toEqual([
      200,
      [
        { row: 9, email: 'nobody', error: 'Must be an email address.' },
        { row: 10, email: 'x@example.org', error: 'There is no topic with the key "nothing".' },
        { row: 11, email: 'y@example.org', error: 'createdAt must be a date such as 2026-11-18.' },
      ],
    ])
    expect(body).toMatchObject({ totalRows: 10, addedCount: 5, existingCount: 2, failureCount: 3 })
    expect((await listed()).sort()).toEqual([
      '=1+1@example.org MANUAL null',
      'hard@example.org BOUNCE null',
      'hard@example.org MANUAL news',
      'known@example.org MANUAL null',
      'soft@example.org MANUAL null',
      'spam@example.org COMPLAINT null',
    ])
    expect(await listed('reason=COMPLAINT')).toEqual(['spam@example.org COMPLAINT null'])
    expect((await call('GET', '/suppressions?reason=NONE')).status).toBe(422)
    expect((await auditActs())[0]).toBe('suppressions.imported')
  })

  it('is exported as a file that another project can import', async () => {
    await createTopic('news')
    await upload('email,reason,topic,createdAt\n=a@example.org,BOUNCE,,2020-01-02T03:04:05.000Z\nb@example.org,,news,')
    const { status, body } = await call('GET', '/suppressions/export')
    expect(status).toBe(200)
    expect(body.split('\r\n').slice(0, 3)).toEqual([
      'email,reason,topic,createdAt',
      expect.stringMatching(/^b@example\.org,MANUAL,news,/),
      "'=a@example.org,BOUNCE,,2020-01-02T03:04:05.000Z",
    ])
    const other = await createProject(used.app)
    expect((await upload(body, other.secretKey)).body).toMatchObject({
      addedCount: 1,
      errors: [{ email: 'b@example.org' }],
    })
  })

  it.each([
    ['', 'The file is empty.'],
    ['name\nAda', 'one of them must be "email"'],
  ])('refuses the file %j', async (file, message) => {
    const { status, body } = await upload(file)
    expect([status, body.error.errors[0].message]).toEqual([422, expect.stringContaining(message)])
  })

  it('imports more rows than one batch', async () => {
    const rows = Array.from({ length: 2_500 }, (_, i) => `person-${i % 2_400}@example.org`)
    expect((await upload(`email\n${rows.join('\n')}\n`)).body).toMatchObject({
      totalRows: 2_500,
      addedCount: 2_400,
      existingCount: 100,
    })
  })
})

describe('POST /suppressions/delete', () => {
  it('deletes those with the given IDs, or those that match a filter, and no others', async () => {
    await call('POST', '/topics', { key: 'news', name: 'News' })
    const add = async (email: string, topic: string | null = null) =>
      (await call('POST', '/suppressions', { email, topic })).body.id as string
    const left = async () =>
      (await call('GET', '/suppressions')).body.data.map(({ email, topic }: Record<string, string>) => [email, topic])
    const both = await add('ada@example.org')
    await add('ada@example.org', 'news')
    await add('bob@example.org')
    await add('eve@example.net')
    expect((await call('POST', '/suppressions/delete', { ids: [both] })).body).toEqual({
      removedCount: 1,
      hasMore: false,
    })
    expect(await left()).toEqual([
      ['eve@example.net', null],
      ['bob@example.org', null],
      ['ada@example.org', 'news'],
    ])
    const { body } = await call('POST', '/suppressions/delete', { filter: { search: 'EXAMPLE.ORG' } })
    expect(body).toEqual({ removedCount: 2, hasMore: false })
    expect(await left()).toEqual([['eve@example.net', null]])
    expect((await call('POST', '/suppressions/delete', { filter: { reason: 'BOUNCE' } })).body.removedCount).toBe(0)
    const mistakes = [{ reason: 'OTHER' }, { search: '' }, { email: 'eve@example.net' }].map((filter) => ({ filter }))
    for (const choice of [{}, { ids: [] }, { ids: [both], filter: {} }, ...mistakes])
      expect((await call('POST', '/suppressions/delete', choice)).status).toBe(422)
    expect((await call('POST', '/suppressions/delete', { filter: {} })).body.removedCount).toBe(1)
  })
})
