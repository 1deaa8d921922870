/** The public archive: who is in it, what it shows, and what it never shows. */
import { expect, it } from 'vitest'
import { createProject } from '../harness.ts'
import { useCampaigns } from './campaign-fixture.ts'

const campaigns = useCampaigns()
const { call, create, get, upsert, sendNow } = campaigns

const open = (path: string) => campaigns.app.request('GET', path)
const setArchive = (archive: object | null) => call('PATCH', `/users/@me/projects/${campaigns.project.id}`, { archive })
let number = 0
const newSlug = () => `news-${++number}`

async function published(subject = 'Hello {{name ?? "reader"}}', body = '<p>Hi {{email}} {{name ?? "you"}}</p>') {
  const id = await create({ subject, body, preheader: 'Short & sweet' })
  await sendNow(id)
  expect((await call('PATCH', `/campaigns/${id}`, { isPublic: true })).body.isPublic).toBe(true)
  return id
}

it('lists public campaigns that were sent, newest first, and nothing else', async () => {
  await upsert('reader@example.org', { data: { name: 'Ada' } })
  const slug = newSlug()
  expect((await open(`/archive/${slug}`)).status).toBe(404)
  expect((await setArchive({ enabled: true, slug, title: 'News <of> Acme' })).body.archive.slug).toBe(slug)
  const first = await published('First')
  campaigns.app.clock.forward(1_000)
  const second = await published()
  await sendNow(await create({ subject: 'Private' }))
  const draft = await create({ subject: 'Draft', isPublic: true })
  const { status, body, headers } = await open(`/archive/${slug}`)
  expect(status).toBe(200)
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(body).toContain('News &lt;of&gt; Acme')
  expect(body.indexOf(second)).toBeLessThan(body.indexOf(first))
  expect(body).toContain('Hello reader')
  expect(body).toContain('Short &amp; sweet')
  expect(body).not.toMatch(/Private|Draft|Ada/)
  expect((await open(`/archive/${slug}/${draft}`)).status).toBe(404)
  expect((await open(`/archive/${slug}/no-id`)).status).toBe(404)
  expect((await open(`/archive/${slug}?page=2`)).body).not.toContain(first)
})

it('shows a campaign without data of a contact and without tracking', async () => {
  await upsert('reader@example.org', { data: { name: 'Ada' } })
  const slug = newSlug()
  await setArchive({ enabled: true, slug, title: 'News' })
  const link = '<a href="https://example.org/x">x</a><a href="{{unsubscribeUrl}}">u</a>'
  const id = await published('Hello', `<p>Hi {{email}}{{name ?? "you"}}</p>${link}`)
  const { status, body, headers } = await open(`/archive/${slug}/${id}`)
  expect(status).toBe(200)
  expect(headers['content-security-policy']).toContain('sandbox')
  expect(body).toContain('<p>Hi you</p>')
  expect(body).toContain('href="https://example.org/x"')
  expect(body).not.toMatch(/reader@example|Ada|\/t\/[oc]\/|unsubscribe\//)
  await call('PATCH', `/campaigns/${id}`, { isPublic: false })
  expect((await open(`/archive/${slug}/${id}`)).status).toBe(404)
})

it('has an Atom feed', async () => {
  await upsert('reader@example.org')
  const slug = newSlug()
  await setArchive({ enabled: true, slug, title: 'News & more' })
  const id = await published('A < B')
  const { status, body, headers } = await open(`/archive/${slug}/feed.xml`)
  expect(status).toBe(200)
  expect(headers['content-type']).toContain('application/atom+xml')
  expect(body).toContain('<title>News &amp; more</title>')
  expect(body).toContain(`<id>urn:uuid:${id}</id>\n<title>A &lt; B</title>`)
  expect((await open('/archive/unknown/feed.xml')).status).toBe(404)
})

it('a slug that another project uses is refused with 409, and free again when it is cleared', async () => {
  const slug = newSlug()
  await setArchive({ enabled: false, slug, title: 'News' })
  expect((await open(`/archive/${slug}`)).status).toBe(404) // not enabled
  const other = await createProject(campaigns.app)
  const archive = { enabled: true, slug, title: 'Other' }
  const take = () =>
    campaigns.app.request('PATCH', `/users/@me/projects/${other.id}`, { key: other.secretKey, body: { archive } })
  expect((await take()).status).toBe(409)
  await setArchive(null)
  expect((await take()).status).toBe(200)
})

it.each(['', 'Acme', 'a b', '-a', 'a-', 'a'.repeat(51), '../x'])('the slug %j is refused with 422', async (slug) => {
  expect((await setArchive({ enabled: true, slug, title: 'News' })).status).toBe(422)
})

it('a copy of a public campaign is not public', async () => {
  const id = await create({ isPublic: true })
  const copy = (await call('POST', `/campaigns/${id}/duplicate`)).body
  expect([(await get(id)).isPublic, copy.isPublic]).toEqual([true, false])
  expect((await call('PATCH', `/campaigns/${id}`, {})).status).toBe(422)
  const replaced = { name: 'News', subject: 'Hello', body: '<p>Hi</p>', from: 'us@example.com', audienceType: 'ALL' }
  expect((await call('PUT', `/campaigns/${id}`, replaced)).body.isPublic).toBe(true)
})
