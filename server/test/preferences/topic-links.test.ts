/** The preference links of an email with a topic, and what the preference page offers: topics and a pause. */
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { preferenceToken } from '../../features/audience/preferences/actions.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let counter = 0
let address: string

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())
beforeEach(() => {
  address = `reader-${++counter}@example.org`
})

/** Like a browser or a mail program, without a key. */
const visit = (path: string, headers: Record<string, string> = {}) => app.request('GET', path, { headers })
const post = (path: string, text = '', headers: Record<string, string> = {}) =>
  app.request('POST', path, { text, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } })

const stateOf = async (id: string) =>
  (await app.pool.query('select subscribed, opted_out from contacts where id = $1', [id])).rows[0]

const eventsOf = async (id: string) =>
  (await app.pool.query('select name, data from events where contact_id = $1 order by id', [id])).rows

const formsIn = (page: string) =>
  [...page.matchAll(/<form method="post"(?: action="([^"]*)")?>/g)].map((match) => match[1] ?? 'here')

describe('the links of an email with a topic', () => {
  let own: Awaited<ReturnType<typeof createProject>>
  const ofOwn = (method: string, path: string, body?: unknown) =>
    app.request(method, path, { key: own.secretKey, body })

  /** The token of an email that was sent with the topic, and of the one-click header. */
  async function sendNews() {
    own = await createProject(app, 'Shop')
    const topicId = (await ofOwn('POST', '/topics', { key: 'news', name: 'News & <more>', description: 'Every month' }))
      .body.id
    await ofOwn('POST', '/topics', { key: 'offers', name: 'Offers', defaultSubscribed: false })
    await ofOwn('POST', '/topics', { key: 'hidden', name: 'Hidden', isPublic: false })
    const { id } = (await ofOwn('POST', '/contacts', { email: address })).body
    const content = { name: 'N', subject: 'News', body: '{{manageUrl}}', from: 'a@example.com' }
    const template = (await ofOwn('POST', '/templates', { ...content, topicId })).body.id
    await ofOwn('POST', '/v1/send', { to: address, template })
    await app.drain()
    const raw = (await app.captured()).find((m) => m.recipients.includes(address))!.raw
    const mail = await PostalMime.parse(raw)
    const header = mail.headers.find(({ key }) => key === 'list-unsubscribe')!.value
    return { id, path: new URL(header.slice(1, -1)).pathname, text: mail.text!, topicId }
  }

  const topicsOf = async (id: string) =>
    Object.fromEntries(
      (await ofOwn('GET', `/contacts/${id}/topics`)).body.data.map((t: { key: string; subscribed: boolean }) => [
        t.key,
        t.subscribed,
      ]),
    )

  it('end that topic with one click, and then offer to unsubscribe from everything', async () => {
    const { id, path, text } = await sendNews()
    expect(text).toContain(`/manage/${preferenceToken(app.ctx.secrets, own.id, id)}`)
    const asked = (await visit(path)).body
    expect(asked).toContain('Unsubscribe from “<strong>News &amp; &lt;more&gt;</strong>”?')
    expect(asked).not.toContain('Unsubscribe from everything')
    const done = (await post(path, 'List-Unsubscribe=One-Click')).body
    expect(await topicsOf(id)).toMatchObject({ news: false })
    expect(await stateOf(id)).toEqual({ subscribed: true, opted_out: false })
    expect(done).toContain('Unsubscribe from everything')
    expect(await eventsOf(id)).toContainEqual({ name: 'topic.unsubscribed', data: { topic: 'news' } })
    const consents = (await ofOwn('GET', `/contacts/${id}/consents`)).body.data
    expect(consents).toContainEqual(
      expect.objectContaining({ kind: 'topic.unsubscribed', topic: 'news', source: 'one-click' }),
    )

    const all = formsIn(done).find((action) => action.includes('unsubscribe'))!
    await post(new URL(all, `http://posthorn.test${path}`).pathname)
    expect(await stateOf(id)).toEqual({ subscribed: false, opted_out: true })
    await post(path.replace('unsubscribe', 'subscribe'))
    expect(await stateOf(id)).toEqual({ subscribed: true, opted_out: false })
    expect(await topicsOf(id)).toMatchObject({ news: true })
  })

  it('are about all email once the topic was deleted', async () => {
    const { id, path, topicId } = await sendNews()
    const { data } = (await ofOwn('GET', '/templates')).body
    await ofOwn('PATCH', `/templates/${data[0].id}`, { topicId: null })
    expect((await ofOwn('DELETE', `/topics/${topicId}`)).status).toBe(204)
    await post(path)
    expect(await stateOf(id)).toEqual({ subscribed: false, opted_out: true })
  })

  it('lead to a page with the public topics, each with a check box, and one choice for all', async () => {
    const { id } = await sendNews()
    const path = `/manage/${preferenceToken(app.ctx.secrets, own.id, id)}`
    const page = (await visit(path)).body
    expect(page).toContain('News &amp; &lt;more&gt;<small>Every month</small>')
    expect(page).toMatch(/name="topics.news" value="true" checked/)
    expect(page).toMatch(/name="topics.offers" value="true">/)
    expect(page).not.toContain('Hidden')
    const saved = await post(
      path,
      'subscribed=true&topics.news=false&topics.offers=false&topics.offers=true&topics.hidden=false',
    )
    expect(saved.body).toContain('Your preferences have been saved.')
    expect(await topicsOf(id)).toEqual({ news: false, offers: true, hidden: true })
    await ofOwn('PUT', `/contacts/${id}/topics`, { topics: { news: true } })
    expect(await topicsOf(id)).toEqual({ news: true, offers: true, hidden: true })
    await post(path, 'subscribed=false&topics.offers=false')
    expect(await stateOf(id)).toEqual({ subscribed: false, opted_out: true })
    expect(await topicsOf(id)).toMatchObject({ offers: true })
  })

  it('lead to a page that shows what a suppression stops as off, until the person chooses it', async () => {
    const { id, path } = await sendNews()
    const manage = `/manage/${preferenceToken(app.ctx.secrets, own.id, id)}`
    await ofOwn('POST', '/suppressions', { email: address, topic: 'news' })
    const page = (await visit(manage)).body
    expect(page).toMatch(/name="topics.news" value="true">/)
    expect(page).toMatch(/name="subscribed" value="true" required checked/)
    expect(formsIn((await visit(path)).body)).toContain('here')
    expect(formsIn((await visit(path.replace('unsubscribe', 'subscribe'))).body)).toContain('here')
    await ofOwn('POST', '/suppressions', { email: address })
    expect((await visit(manage)).body).toMatch(/name="subscribed" value="false" required checked/)
    const saved = (await post(manage, 'subscribed=true&topics.news=true')).body
    expect(saved).toMatch(/name="topics.news" value="true" checked/)
    expect(saved).toMatch(/name="subscribed" value="true" required checked/)
    expect((await ofOwn('GET', '/suppressions')).body.data).toEqual([])
  })

  it('lead to a page that pauses marketing email, which then resumes without a further action', async () => {
    const { id } = await sendNews()
    const path = `/manage/${preferenceToken(app.ctx.secrets, own.id, id)}`
    expect((await visit(path)).body).toContain('Pause for 30 days')
    const paused = (await post(path, 'pause=90')).body
    expect(paused).toContain('Paused until')
    const until = new Date(app.clock.now().getTime() + 90 * 24 * 3_600_000)
    expect((await ofOwn('GET', `/contacts/${id}`)).body).toMatchObject({
      subscribed: true,
      pausedUntil: until.toISOString(),
    })
    const campaign = { name: 'C', subject: 'S', body: 'B', from: 'a@example.com', audienceType: 'ALL' }
    const reached = async () => (await ofOwn('POST', '/campaigns/audience-preview', { audienceType: 'ALL' })).body.count
    expect(await reached()).toBe(0)
    const { id: campaignId } = (await ofOwn('POST', '/campaigns', campaign)).body
    expect((await ofOwn('POST', `/campaigns/${campaignId}/send`, {})).status).toBe(400)
    app.clock.set(until)
    expect(await reached()).toBe(1)
    expect((await visit(path)).body).toContain('Pause for 30 days')
    await post(path, 'pause=30')
    await post(path, 'pause=0')
    expect((await ofOwn('GET', `/contacts/${id}`)).body.pausedUntil).toBeNull()
    await post(path, 'pause=5000')
    expect((await ofOwn('GET', `/contacts/${id}`)).body.pausedUntil).toBeNull()
  })
})
