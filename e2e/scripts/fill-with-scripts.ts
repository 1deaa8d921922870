/** Fills a project with texts that try to run a script, in every field that other people can fill. */
import { expect, vi } from 'vitest'
import { deliver } from '../../server/test/mail-client.ts'
import { eventually } from '../../server/test/service-process.ts'
import { openDatabase } from '../mailbox.ts'
import type { Dashboard } from '../use-dashboard.ts'
import { type Ids, LONG_TEXT, RUN, SCRIPT_LINK, TEXT } from './script-pages.ts'

const CONTACT = 'ada@sender.example'

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape.
type Api = (method: string, url: string, body?: unknown) => Promise<any>

const apiOf =
  ({ owner, service }: Dashboard): Api =>
  async (method, url, body) => {
    const key = url === '/v1/track' ? owner.publicKey : owner.secretKey
    const response = await fetch(`${service.baseUrl}${url}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    expect(response.status, `${method} ${url}: ${text}`).toBeLessThan(300)
    return text ? JSON.parse(text) : undefined
  }

const untilFound = <T>(what: string, find: () => Promise<T | undefined>) =>
  eventually<T>(what, 30_000, async () => (await find()) as T)

/** Returns the IDs of what it created. `inboundPort` receives email, and `webhookPort` responds to a step. */
export async function fillWithScripts(
  dashboard: Dashboard,
  { inboundPort, webhookPort }: { inboundPort: number; webhookPort: number },
): Promise<Ids> {
  const api = apiOf(dashboard)
  const ids: Ids = {}
  await api('PATCH', `/users/@me/projects/${dashboard.projectId}`, { name: TEXT, postalAddress: TEXT })
  await fillContacts(api, ids)
  await fillContents(api, ids)
  await fillEmails(api, ids)
  await receiveEmail(api, ids, inboundPort)
  await runWorkflow(api, ids, webhookPort)
  await signInElsewhere(api, dashboard)
  return ids
}

async function fillContacts(api: Api, ids: Ids): Promise<void> {
  const data = {
    name: LONG_TEXT,
    url: SCRIPT_LINK,
    website: `https://example.com/${TEXT}`,
    list: [TEXT, { [TEXT]: TEXT }],
    [TEXT.replaceAll('.', '')]: TEXT,
  }
  ids.contact = (await api('POST', '/contacts', { email: CONTACT, subscribed: true, data })).id
  await api('POST', '/v1/track', {
    email: CONTACT,
    event: TEXT,
    data: { text: LONG_TEXT, url: SCRIPT_LINK, [TEXT]: 1 },
  })
  await api('POST', '/suppressions', { email: 'blocked@sender.example' })
}

async function fillContents(api: Api, ids: Ids): Promise<void> {
  const condition = {
    logic: 'AND',
    groups: [{ filters: [{ field: 'data.name', operator: 'contains', value: 'script' }] }],
  }
  ids.segment = (
    await api('POST', '/segments', { name: TEXT, description: LONG_TEXT, condition, trackMembership: true })
  ).id
  ids.members = (await api('POST', '/segments', { name: `${TEXT} static`, type: 'STATIC' })).id
  await api('POST', `/segments/${ids.members}/members`, { emails: [CONTACT] })
  const content = { subject: TEXT, body: `<p>${LONG_TEXT}</p>`, from: 'shop@example.com', fromName: TEXT }
  const template = { name: TEXT, description: LONG_TEXT, type: 'TRANSACTIONAL', ...content }
  ids.template = (await api('POST', '/templates', template)).id
  const blocks = [
    { id: 'heading', type: 'heading', level: 1, content: [{ type: 'text', text: LONG_TEXT }] },
    { id: 'button', type: 'button', label: TEXT, url: 'https://example.com/' },
    { id: 'image', type: 'image', src: '{{ image }}', alt: LONG_TEXT },
  ]
  ids.layout = (await api('POST', '/layouts', { name: TEXT, header: blocks, footer: [] })).id
  await api('POST', '/saved-blocks', { name: TEXT, blocks })
  await api('POST', '/api-keys', { name: TEXT.slice(0, 100), scopes: ['send'] })
  const endpoint = {
    url: `http://127.0.0.1:9/${encodeURIComponent(TEXT)}`,
    eventTypes: ['*', TEXT.replaceAll('*', '')],
    description: TEXT,
  }
  // The log of requests is written a moment after them.
  ids.request = await vi.waitFor(async () => (await api('GET', '/requests')).data[0].id, { timeout: 90_000 })
  const name = TEXT.slice(0, 100)
  const texts = { name, buttonText: name, title: TEXT, description: LONG_TEXT, consentText: LONG_TEXT }
  const choice = { key: 'plan', label: TEXT, type: 'select', options: [TEXT] }
  ids.form = (await api('POST', '/forms', { ...texts, fields: [choice] })).id
  ids.webhook = (await api('POST', '/webhook-endpoints', endpoint)).id
  await api('POST', `/webhook-endpoints/${ids.webhook}/test`, {}) // a port that is never called
  const document = { version: 1, layoutId: ids.layout, blocks }
  const { body: _, ...written } = template
  ids.visual = (
    await api('POST', '/templates', { ...written, document, preheader: TEXT, tags: [TEXT.slice(0, 20)] })
  ).id
  const audience = { audienceType: 'SEGMENT', segmentId: ids.segment }
  const campaign = { name: TEXT, description: LONG_TEXT, ...content, ...audience }
  ids.draft = (await api('POST', '/campaigns', campaign)).id
  ids.campaign = (await api('POST', '/campaigns', campaign)).id
  await api('POST', `/campaigns/${ids.campaign}/send`, {})
}

async function fillEmails(api: Api, ids: Ids): Promise<void> {
  const link = `https://example.com/?q=${encodeURIComponent(TEXT)}#${TEXT.replaceAll(/["'<>]/g, '')}`
  const sent = await api('POST', '/v1/send', {
    to: { email: CONTACT, name: TEXT },
    from: { email: 'shop@example.com', name: TEXT },
    subject: `{{ name }} ${TEXT}`,
    body: `<p>${LONG_TEXT} {{ name }} <a href="${link}">link</a> <a href="{{ url }}">x</a> {{ manageUrl }}</p>`,
    headers: { 'X-Note': TEXT },
    data: { name: LONG_TEXT, url: SCRIPT_LINK },
    attachments: [
      {
        filename: `${TEXT.replaceAll(/["/]/g, '')}.html`,
        contentType: 'text/html',
        content: Buffer.from(LONG_TEXT).toString('base64'),
      },
    ],
  })
  ids.email = sent.data.emails[0].email
  await untilFound('the email to be delivered', async () =>
    (await api('GET', `/emails/${ids.email}`)).status === 'DELIVERED' ? true : undefined,
  )
  const { html } = await api('GET', `/emails/${ids.email}`)
  ids.preferences = `/manage/${/\/(?:manage|unsubscribe|subscribe)\/([\w-]+)/.exec(html)?.[1] ?? ''}`
  expect(ids.preferences).toMatch(/manage\/.{20}/)
  const urls: string[] = html.match(/http:\/\/127\.0\.0\.1:\d+\/t\/[oc]\/[\w-]+/g) ?? []
  for (const url of urls) await fetch(url, { headers: { 'user-agent': TEXT }, redirect: 'manual' })
  await api('POST', `/emails/${ids.email}/simulate`, { outcome: 'click' })
  await api('POST', '/v1/send', {
    to: 'bounce@simulator.posthorn.test',
    from: 'shop@example.com',
    subject: TEXT,
    body: TEXT,
  })
}

async function receiveEmail(api: Api, ids: Ids, port: number): Promise<void> {
  const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
  const html = `${LONG_TEXT}<base href="http://evil.example/"><link rel=stylesheet href="http://evil.example/a.css"><meta http-equiv=refresh content="0;url=http://evil.example/"><img src="http://evil.example/pixel.gif"><form action="${SCRIPT_LINK}"><button>a</button></form><a href="${SCRIPT_LINK}">b</a><style>@import "http://evil.example/b.css"; p { background: url(http://evil.example/c) }</style><svg><a xlink:href="${SCRIPT_LINK}"><text>c</text></a><use href="data:image/svg+xml,<svg id=x xmlns='http://www.w3.org/2000/svg'><script>${RUN}</script></svg>#x"/></svg>`
  const raw = [
    `From: ${encoded(TEXT)} <${CONTACT}>`,
    `To: ${encoded(TEXT)} <shop@example.com>`,
    `Reply-To: ${encoded(TEXT)} <reply@sender.example>`,
    `Subject: ${encoded(TEXT)}`,
    `X-Note: ${TEXT}`,
    `Message-ID: <"${RUN}"@sender.example>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=part',
    '',
    '--part',
    'Content-Type: text/html; charset=utf-8',
    '',
    html,
    '--part',
    `Content-Type: text/html; name="${encoded(TEXT)}"`,
    `Content-Disposition: attachment; filename="${encoded(`${TEXT}.html`)}"`,
    '',
    html,
    '--part--',
    '',
  ].join('\r\n')
  const answers = await deliver(port, { to: ['shop@example.com'], raw })
  expect(answers.at(-1)).toMatch(/^250/)
  ids.received = (await api('GET', '/emails?status=RECEIVED')).data[0].id
}

async function runWorkflow(api: Api, ids: Ids, webhookPort: number): Promise<void> {
  const workflow = { name: TEXT, description: LONG_TEXT, eventName: 'start', allowReentry: true }
  ids.workflow = (await api('POST', '/workflows', workflow)).id
  const steps = [
    {
      type: 'WEBHOOK',
      name: TEXT,
      config: {
        url: `http://127.0.0.1:${webhookPort}/`,
        method: 'POST',
        headers: { 'x-note': 'a' },
        body: { text: LONG_TEXT },
      },
    },
    { type: 'UPDATE_CONTACT', name: TEXT, config: { updates: { note: LONG_TEXT } } },
    { type: 'EXIT', name: TEXT, config: { reason: TEXT } },
  ]
  const created: string[] = []
  for (const step of steps) created.push((await api('POST', `/workflows/${ids.workflow}/steps`, step)).id)
  for (const [i, toStepId] of created.slice(1).entries()) {
    await api('POST', `/workflows/${ids.workflow}/transitions`, { fromStepId: created[i], toStepId })
  }
  await api('PATCH', `/workflows/${ids.workflow}`, { enabled: true })
  await api('POST', '/v1/track', { email: CONTACT, event: 'start', data: { text: LONG_TEXT, url: SCRIPT_LINK } })
  ids.execution = await untilFound('an execution that ended', async () => {
    const { data } = await api('GET', `/workflows/${ids.workflow}/executions`)
    return data.find((one: { status: string }) => !['RUNNING', 'WAITING', 'PENDING'].includes(one.status))?.id
  })
}

/** Another session, from a client whose name is a script; and an invitation. */
async function signInElsewhere(api: Api, dashboard: Dashboard): Promise<void> {
  const { email, password } = dashboard.owner
  const response = await fetch(`${dashboard.service.baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': TEXT },
    body: JSON.stringify({ email, password }),
  })
  expect(response.status).toBe(200)
  await api('POST', `/projects/${dashboard.projectId}/invitations`, {
    email: "o'hara+script@sender.example",
    role: 'MEMBER',
  })
  const database = await openDatabase(dashboard.databaseUrl)
  try {
    const { rows } = await database.query('select from sessions where user_agent like $1', ['%<script>%'])
    expect(rows.length).toBeGreaterThan(0)
  } finally {
    await database.end()
  }
}
