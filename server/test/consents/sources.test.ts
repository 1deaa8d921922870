/** Every path that changes a subscription or a topic, and what the record of consent has as its source. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { preferenceToken } from '../../features/audience/preferences/actions.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { uploadFile } from '../uploads/upload.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
/** The form without and with a confirmation. */
const forms: string[] = []
let workflows: Record<'subscribe' | 'unsubscribe', string>
let segmentId: string
let templateId: string

const call = (method: string, url: string, body?: unknown) => {
  app.clock.forward(10) // entries are listed by time
  return app.request(method, url, { key: project.secretKey, body })
}
const inDashboard = (method: string, url: string, body?: unknown) => {
  app.clock.forward(10)
  return app.request(method, url, { cookie: project.owner.cookie, projectId: project.id, body })
}
const visit = (url: string, text = '', type = 'application/x-www-form-urlencoded') => {
  app.clock.forward(10)
  return app.request('POST', url, { headers: { 'content-type': type }, text })
}

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  const { id: topicId } = (
    await call('POST', '/topics', { key: 'news', name: 'News', defaultSubscribed: true, isPublic: true })
  ).body
  await call('POST', '/topics', { key: 'offers', name: 'Offers', defaultSubscribed: false, isPublic: true })
  for (const doubleOptIn of [false, true])
    forms.push((await call('POST', '/forms', { name: 'Sign up', topics: ['offers'], doubleOptIn })).body.id)
  const workflow = async (subscribed: boolean): Promise<string> => {
    const { id } = (await call('POST', '/workflows', { name: 'W' })).body
    await call('POST', `/workflows/${id}/steps`, { type: 'UPDATE_CONTACT', config: { subscribed } })
    expect((await call('PATCH', `/workflows/${id}`, { triggerType: 'MANUAL', enabled: true })).status).toBe(200)
    return id
  }
  workflows = { subscribe: await workflow(true), unsubscribe: await workflow(false) }
  segmentId = (await call('POST', '/segments', { name: 'S', type: 'STATIC' })).body.id
  const template = { name: 'N', subject: 'N', body: '<p>N</p>', from: 'us@example.com', type: 'MARKETING', topicId }
  templateId = (await call('POST', '/templates', template)).body.id
})
afterAll(() => app.close())

interface Person {
  email: string
  /** Empty if the path creates the contact. */
  id: string
}

const token = ({ id }: Person) => preferenceToken(app.ctx.secrets, project.id, id)

async function importFile(rows: string, as: { key: string } | { cookie: string; projectId: string }): Promise<void> {
  app.clock.forward(10)
  expect((await uploadFile(app, '/contacts/import', rows, as)).status).toBe(202)
}
const withKey = () => ({ key: project.secretKey })
const asMember = () => ({ cookie: project.owner.cookie, projectId: project.id })

async function submit(form: string, { email }: Person): Promise<void> {
  const page = await app.request('GET', `/f/${form}`)
  const inputs = page.body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)
  const hidden = Object.fromEntries([...inputs].map(([, name, value]: string[]) => [name, value]))
  app.clock.forward(2_000)
  const { status } = await app.request('POST', `/f/${form}`, { body: { ...hidden, email } })
  expect(status).toBe(200)
}

/** The path of the link in an email to the contact, which begins with `prefix`. */
async function linkIn(email: string, prefix: string): Promise<string> {
  await app.drain()
  const { id } = (await call('GET', `/contacts?email=${email}`)).body.data[0]
  const [sent] = (await call('GET', `/emails?contactId=${id}`)).body.data
  const { html } = (await call('GET', `/emails/${sent.id}`)).body
  return new RegExp(`http://posthorn\\.test(/${prefix}/[^"<\\s]+)`).exec(html)![1]!
}

const start = (what: 'subscribe' | 'unsubscribe', { id }: Person) =>
  call('POST', `/workflows/${workflows[what]}/executions`, { contactId: id })

type Before = 'new' | 'subscribed' | 'unsubscribed'
type Path = [name: string, before: Before, change: (person: Person) => Promise<unknown>, ...recorded: string[]]

/** `recorded`: kind, topic and source of each entry that the path adds, the first one first. */
const PATHS: Path[] = [
  ['POST /contacts, new', 'new', ({ email }) => call('POST', '/contacts', { email }), 'subscribed api'],
  [
    'POST /contacts, with a topic',
    'subscribed',
    ({ email }) => call('POST', '/contacts', { email, topics: { news: false, offers: true } }),
    'topic.subscribed offers api',
    'topic.unsubscribed news api',
  ],
  [
    'PATCH /contacts/{id}',
    'subscribed',
    ({ id }) => call('PATCH', `/contacts/${id}`, { subscribed: false }),
    'unsubscribed api',
  ],
  [
    'PATCH /contacts/{id} in the dashboard',
    'unsubscribed',
    ({ id }) => inDashboard('PATCH', `/contacts/${id}`, { subscribed: true }),
    'subscribed dashboard',
  ],
  [
    'PUT /contacts/{id}/topics',
    'subscribed',
    ({ id }) => call('PUT', `/contacts/${id}/topics`, { topics: { offers: true } }),
    'topic.subscribed offers api',
  ],
  [
    'PUT /contacts/{id}/topics in the dashboard',
    'subscribed',
    ({ id }) => inDashboard('PUT', `/contacts/${id}/topics`, { topics: { news: false } }),
    'topic.unsubscribed news dashboard',
  ],
  [
    'POST /events/track',
    'unsubscribed',
    ({ email }) => call('POST', '/events/track', { email, event: 'e', subscribed: true, topics: { offers: true } }),
    'subscribed api',
    'topic.subscribed offers api',
  ],
  [
    'POST /v1/track with the public key',
    'new',
    ({ email }) =>
      app.request('POST', '/v1/track', { key: project.publicKey, body: { email, event: 'e', subscribed: true } }),
    'subscribed api',
  ],
  [
    'POST /v1/send',
    'unsubscribed',
    ({ email }) =>
      call('POST', '/v1/send', { to: email, from: 'us@example.com', subject: 'S', body: 'B', subscribed: true }),
    'subscribed api',
  ],
  [
    'an import',
    'new',
    ({ email }) => importFile(`email,topic:offers\n${email},yes\n`, withKey()),
    'subscribed import',
    'topic.subscribed offers import',
  ],
  [
    'an import in the dashboard',
    'subscribed',
    ({ email }) => importFile(`email,subscribed\n${email},no\n`, asMember()),
    'unsubscribed import',
  ],
  [
    'POST /contacts/transfer',
    'new',
    ({ email }) =>
      call('POST', '/contacts/transfer', {
        source: 'listmonk',
        contacts: [{ email, subscribed: true, topics: { offers: true } }],
      }),
    'subscribed import',
    'topic.subscribed offers import',
  ],
  [
    'POST /contacts/bulk-unsubscribe',
    'subscribed',
    ({ id }) => call('POST', '/contacts/bulk-unsubscribe', { contactIds: [id] }),
    'unsubscribed api',
  ],
  [
    'POST /contacts/bulk-subscribe in the dashboard',
    'unsubscribed',
    ({ id }) => inDashboard('POST', '/contacts/bulk-subscribe', { contactIds: [id] }),
    'subscribed dashboard',
  ],
  [
    'POST /segments/{id}/members, which creates a contact',
    'new',
    ({ email }) => inDashboard('POST', `/segments/${segmentId}/members`, { emails: [email], createMissing: true }),
    'subscribed dashboard',
  ],
  ['a workflow that subscribes', 'unsubscribed', (person) => start('subscribe', person), 'subscribed workflow'],
  ['a workflow that unsubscribes', 'subscribed', (person) => start('unsubscribe', person), 'unsubscribed workflow'],
  ['the unsubscribe page', 'subscribed', (person) => visit(`/unsubscribe/${token(person)}`), 'unsubscribed page'],
  [
    'one click in a mail client',
    'subscribed',
    (person) => visit(`/unsubscribe/${token(person)}`, 'List-Unsubscribe=One-Click'),
    'unsubscribed one-click',
  ],
  [
    'one click as multipart/form-data, which RFC 8058 prefers',
    'subscribed',
    (person) =>
      visit(
        `/unsubscribe/${token(person)}`,
        '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
        'multipart/form-data; boundary=x',
      ),
    'unsubscribed one-click',
  ],
  [
    'one click with a body that cannot be read',
    'subscribed',
    (person) => visit(`/unsubscribe/${token(person)}`, '--x', 'multipart/form-data'),
    'unsubscribed page',
  ],
  [
    'the page that subscribes again',
    'unsubscribed',
    (person) => visit(`/subscribe/${token(person)}`),
    'subscribed page',
  ],
  [
    'the preference page',
    'subscribed',
    (person) => visit(`/manage/${token(person)}`, 'topics.news=false&topics.offers=true'),
    'topic.subscribed offers page',
    'topic.unsubscribed news page',
  ],
  [
    'the unsubscribe link of an email with a topic',
    'subscribed',
    async ({ email }) => {
      await call('POST', '/v1/send', { to: email, template: templateId })
      await visit(await linkIn(email, 'unsubscribe'))
    },
    'topic.unsubscribed news page',
  ],
  [
    'one click for an email with a topic',
    'subscribed',
    async ({ email }) => {
      await call('POST', '/v1/send', { to: email, template: templateId })
      await visit(await linkIn(email, 'unsubscribe'), 'List-Unsubscribe=One-Click')
    },
    'topic.unsubscribed news one-click',
  ],
  ['a form', 'new', (person) => submit(forms[0]!, person), 'subscribed form', 'topic.subscribed offers form'],
  [
    'a form with a confirmation, and its link',
    'new',
    async (person) => {
      await submit(forms[1]!, person)
      await visit(await linkIn(person.email, 'confirm'))
    },
    'confirmation.requested form',
    'confirmed confirmation',
    'subscribed confirmation',
    'topic.subscribed offers form',
  ],
  [
    'POST /contacts with double opt-in, and its link',
    'new',
    async ({ email }) => {
      await call('POST', '/contacts', { email, doubleOptIn: true })
      await visit(await linkIn(email, 'confirm'))
    },
    'confirmation.requested api',
    'confirmed confirmation',
    'subscribed confirmation',
  ],
  [
    'a confirmation that a member sends again',
    'unsubscribed',
    ({ id }) => inDashboard('POST', `/contacts/${id}/confirmation`),
    'confirmation.requested dashboard',
  ],
]

let people = 0

it.each(PATHS)('%s records its source', async (_name, before, change, ...recorded) => {
  const email = `person-${people++}@example.org`
  let id = ''
  if (before !== 'new') id = (await call('POST', '/contacts', { email })).body.id
  if (before === 'unsubscribed') await call('PATCH', `/contacts/${id}`, { subscribed: false })
  const earlier = before === 'new' ? 0 : before === 'subscribed' ? 1 : 2
  await change({ email, id })
  await app.drain()
  id ||= (await call('GET', `/contacts?email=${email}`)).body.data[0].id
  const { data } = (await call('GET', `/contacts/${id}/consents`)).body
  const entries = data
    .toReversed()
    .slice(earlier)
    .map(({ kind, topic, source }: Record<string, string | null>) => [kind, topic, source].filter(Boolean).join(' '))
  expect(entries.toSorted()).toEqual(recorded.toSorted())
})

it.each(['bounce', 'complaint'])('a %s records its source', async (source) => {
  const email = `${source}@simulator.posthorn.test`
  const { id } = (await call('POST', '/contacts', { email })).body
  await call('POST', '/v1/send', { to: email, from: 'us@example.com', subject: 'S', body: 'B' })
  await app.drain()
  expect((await call('GET', `/contacts/${id}/consents`)).body.data[0]).toMatchObject({ kind: 'unsubscribed', source })
})
