/** Who receives templates and campaigns with a topic. */
import { beforeEach, describe, expect, it } from 'vitest'
import { createProject } from '../harness.ts'
import { useProject } from '../use-project.ts'

const used = useProject()
const { call } = used

const createTopic = async (body: object) => (await call('POST', '/topics', body)).body
const createContact = async (email: string, more: object = {}) =>
  (await call('POST', '/contacts', { email, ...more })).body.id as string

describe('email with a topic', () => {
  let topicId: string
  const template = async (more: object = {}) =>
    (
      await call('POST', '/templates', {
        name: 'News',
        subject: 'Hi',
        body: 'Hi',
        from: 'hello@example.com',
        topicId,
        ...more,
      })
    ).body
  const send = (to: string, templateId: string, more: object = {}) =>
    call('POST', '/v1/send', { to, template: templateId, ...more })

  beforeEach(async () => {
    topicId = (await createTopic({ key: 'offers', name: 'Offers', defaultSubscribed: false })).id
  })

  it.each(['MARKETING', 'HEADLESS'])(
    'is refused for contacts who would not receive it if its type is %s',
    async (type) => {
      const { id } = await template({ type })
      await createContact('in@example.org', { topics: { offers: true } })
      await createContact('not@example.org')
      await createContact('out@example.org', { subscribed: false, topics: { offers: true } })
      await createContact('paused@example.org', { topics: { offers: true } })
      const paused = (await call('GET', '/contacts?search=paused')).body.data[0].id
      await call('PATCH', `/contacts/${paused}`, {
        pausedUntil: new Date(used.app.clock.now().getTime() + 1000).toISOString(),
      })
      expect((await send('in@example.org', id)).status).toBe(200)
      for (const to of ['not@example.org', 'out@example.org', 'new@example.org', 'paused@example.org']) {
        const refused = await send(to, id)
        expect([to, refused.status, refused.body.error?.errors[0]]).toEqual([
          to,
          422,
          expect.objectContaining({ field: 'to', code: 'unsubscribed' }),
        ])
      }
      expect((await call('GET', '/contacts?search=new@')).body.data).toEqual([])
      expect((await send('new@example.org', id, { subscribed: true, topics: { offers: true } })).status).toBe(200)
      expect((await send('not@example.org', id, { topics: { offers: true } })).status).toBe(200)
    },
  )

  it('is sent to everyone if it is transactional', async () => {
    const { id } = await template({ type: 'TRANSACTIONAL' })
    expect((await send('new@example.org', id)).status).toBe(200)
  })

  it('is canceled if the contact opts out before it is sent', async () => {
    const { id } = await template()
    const contact = await createContact('in@example.org', { topics: { offers: true } })
    const sent = await send('in@example.org', id)
    const soon = new Date(used.app.clock.now().getTime() + 60_000)
    const later = await send('in@example.org', id, { sendAt: soon.toISOString() })
    await call('PUT', `/contacts/${contact}/topics`, { topics: { offers: false } })
    await used.app.drain()
    used.app.clock.set(soon)
    await used.app.drain()
    for (const { body } of [sent, later]) {
      expect((await call('GET', `/emails/${body.data.emails[0].email}`)).body).toMatchObject({
        status: 'CANCELLED',
        error: 'Not sent: the contact is not subscribed to the topic.',
      })
    }
  })

  it('reaches the contacts in the topic if it is of a campaign', async () => {
    await createContact('in@example.org', { topics: { offers: true } })
    await createContact('not@example.org')
    const late = await createContact('late@example.org', { topics: { offers: true } })
    const { id: templateId } = await template()
    const campaign = (await call('POST', '/campaigns', { name: 'Sale', templateId, audienceType: 'ALL' })).body
    expect(campaign.topicId).toBe(topicId)
    const copy = (await call('POST', `/campaigns/${campaign.id}/duplicate`)).body
    expect(copy.topicId).toBe(topicId)
    const preview = (await call('POST', '/campaigns/audience-preview', { audienceType: 'ALL', topicId })).body
    expect([preview.count, preview.excluded]).toEqual([2, { unsubscribed: 1, suppressed: 0 }])
    await call('POST', `/campaigns/${campaign.id}/send`, {})
    await call('PUT', `/contacts/${late}/topics`, { topics: { offers: false } })
    await used.app.drain()
    const { data } = (await call('GET', `/emails?campaignId=${campaign.id}`)).body
    expect(data.map(({ to, status }: Record<string, string>) => `${to} ${status}`).sort()).toEqual([
      'in@example.org DELIVERED',
      'late@example.org CANCELLED',
    ])
    expect((await call('GET', `/campaigns/${campaign.id}`)).body).toMatchObject({
      status: 'SENT',
      totalRecipients: 2,
      sentCount: 1,
    })
  })

  it('keeps its topic from being deleted, which says what uses it', async () => {
    const { id } = await template()
    const refused = await call('DELETE', `/topics/${topicId}`)
    expect([refused.status, refused.body.error.details]).toEqual([
      409,
      { usedBy: [{ kind: 'template', id, name: 'News' }] },
    ])
    expect((await call('PATCH', `/templates/${id}`, { topicId: null })).body.topicId).toBeNull()
    expect((await call('DELETE', `/topics/${topicId}`)).status).toBe(204)
  })

  it('must have a topic of the same project', async () => {
    const other = await createProject(used.app)
    const foreign = (
      await used.app.request('POST', '/topics', { key: other.secretKey, body: { key: 'news', name: 'News' } })
    ).body.id
    const content = { name: 'x', subject: 'Hi', body: 'Hi', from: 'hello@example.com', topicId: foreign }
    expect((await call('POST', '/templates', content)).status).toBe(404)
    expect((await call('POST', '/campaigns', { ...content, audienceType: 'ALL' })).status).toBe(404)
    expect((await call('POST', '/templates', { ...content, topicId: 'x' })).status).toBe(422)
  })
})
