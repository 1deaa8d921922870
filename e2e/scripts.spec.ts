/**
 * Text from other people never runs as a script: every field that they can fill contains scripts in several forms,
 * and every page of the dashboard and every public page is opened in a browser that reports whatever runs.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { deliver } from '../server/test/mail-client.ts'
import { eventually } from '../server/test/service-process.ts'
import { waitUntilStable } from './accessibility.ts'
import { describePage, itInBrowser as it } from './browser.ts'
import { type Detector, detectScripts } from './detect-scripts.ts'
import { openDatabase } from './mailbox.ts'
import { navigate } from './navigate.ts'
import { accountPages, LONG_TEXT, projectPages, publicPages, RUN, SCRIPT_LINK, TEXT } from './script-pages.ts'
import { type Dashboard, openTestDashboard } from './use-dashboard.ts'

const CONTACT = 'ada@sender.example'
let dashboard: Dashboard
let inboundPort: number
let otherServer: ReturnType<typeof createServer>
const ids: Record<string, string> = {}

beforeAll(async () => {
  otherServer = createServer((_request, response) => {
    response.writeHead(418, { 'content-type': 'text/html', 'x-reply': TEXT.replaceAll(/[<>]/g, '') }).end(LONG_TEXT)
  })
  await new Promise<void>((resolve) => otherServer.listen(0, '127.0.0.1', resolve))
  inboundPort = await freePort()
  dashboard = await openTestDashboard({
    INBOUND_SMTP_PORT: String(inboundPort),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    DNS_SERVERS: '127.0.0.1:9',
    RATE_LIMIT_PER_MINUTE: '0',
  })
  await fill()
})
afterAll(async () => {
  await dashboard?.close()
  otherServer?.close()
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape.
async function api(method: string, url: string, body?: unknown): Promise<any> {
  const key = url === '/v1/track' ? dashboard.owner.publicKey : dashboard.owner.secretKey
  const response = await fetch(`${dashboard.service.baseUrl}${url}`, {
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

async function fill(): Promise<void> {
  await api('PATCH', `/users/@me/projects/${dashboard.projectId}`, { name: TEXT, postalAddress: TEXT })
  await fillContacts()
  await fillContents()
  await fillEmails()
  await receiveEmail()
  await runWorkflow()
  await signInElsewhere()
}

async function fillContacts(): Promise<void> {
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

async function fillContents(): Promise<void> {
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

async function fillEmails(): Promise<void> {
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

async function receiveEmail(): Promise<void> {
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
  const answers = await deliver(inboundPort, { to: ['shop@example.com'], raw })
  expect(answers.at(-1)).toMatch(/^250/)
  ids.received = (await api('GET', '/emails?status=RECEIVED')).data[0].id
}

async function runWorkflow(): Promise<void> {
  const workflow = { name: TEXT, description: LONG_TEXT, eventName: 'start', allowReentry: true }
  ids.workflow = (await api('POST', '/workflows', workflow)).id
  const { port } = otherServer.address() as AddressInfo
  const steps = [
    {
      type: 'WEBHOOK',
      name: TEXT,
      config: {
        url: `http://127.0.0.1:${port}/`,
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
async function signInElsewhere(): Promise<void> {
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

async function withPage(work: (page: Page, detector: Detector) => Promise<void>, isSignedIn = true): Promise<void> {
  const { page, context } = await dashboard.openPage('light', undefined, isSignedIn ? undefined : [])
  const detector = await detectScripts(context, page, dashboard.service.baseUrl)
  try {
    await work(page, detector)
  } catch (error) {
    console.log(await describePage(page).catch(String))
    throw error
  } finally {
    await context.close()
  }
}

/** 4xx responses are expected for invalid addresses; the browser logs them as errors. */
const isExpected = (finding: string) =>
  /Failed to load resource: the server responded with a status of 4\d\d/.test(finding)

async function expectNothing(detector: Detector): Promise<void> {
  expect((await detector.findings()).filter((finding) => !isExpected(finding))).toEqual([])
}

it('the detector reports everything that a page can run', async () => {
  const page = (body: string) => `<!doctype html><meta charset=utf-8><body>${body}`
  const cases: Record<string, [string, RegExp, Record<string, string>?]> = {
    script: [page(`<script>${RUN}</script>`), /a script ran/],
    onerror: [page(`<img src="data:," onerror="${RUN}">`), /a script ran/],
    onload: [page(`<svg onload="${RUN}"></svg>`), /a script ran/],
    frame: [page(`<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`), /a script ran/],
    dialog: [page('<script>alert(1)</script>'), /a dialog was opened/],
    error: [page('<script>undefinedFunction()</script>'), /an error was thrown/],
    blocked: [
      page(`<img src="data:," onerror="${RUN}">`),
      /policy was violated: script-src-attr/,
      { 'content-security-policy': "script-src 'self' 'unsafe-eval'" },
    ],
    request: [page('<img src="http://evil.example/x.png">'), /http:\/\/evil\.example\/x\.png was requested/],
    link: [page(`<a href="JavaScript:${RUN}">x</a>`), /a link would run a script/],
    form: [page(`<form action="javascript:${RUN}"><button>x</button></form>`), /a link would run a script/],
  }
  const server = createServer((request, response) => {
    const [body, , headers = {}] = cases[request.url!.slice(1)] ?? ['', /./]
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const context = await dashboard.browser.newContext()
  try {
    const tab = await context.newPage()
    const detector = await detectScripts(context, tab, origin)
    for (const [name, [, expected]] of Object.entries(cases)) {
      await tab.goto(`${origin}/${name}`)
      let found = ''
      const findMore = async () => {
        found += (await detector.findings()).join('\n')
        return found
      }
      await expect.poll(findMore, { message: name }).toMatch(expected)
    }
    await tab.goto(`${origin}/nothing`)
    expect(await detector.findings()).toEqual([])
  } finally {
    await context.close()
    server.close()
  }
})

/** Lists that show the text of every thing in them. */
const LISTS = ['contacts', 'segments', 'templates', 'campaigns', 'workflows', 'emails', 'events']

it('no page of a project runs a script from stored text, and lists show it as it was entered', async () => {
  await withPage(async (page, detector) => {
    for (const [name, addresses] of Object.entries(projectPages(ids))) {
      for (const address of addresses) {
        // An address that contains a text is loaded, because the server responds to it as well.
        if (address.includes(encodeURIComponent(TEXT))) await page.goto(dashboard.inProject(address))
        else await navigate(page, dashboard.inProject(address))
        await waitUntilStable(page)
        expect(await page.locator('body').textContent(), name).not.toBe('')
        if (LISTS.includes(address))
          await page.locator('main').getByText(`<script>${RUN}</script>`).first().waitFor({ state: 'attached' })
        await expectNothing(detector)
      }
    }
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByPlaceholder('Search or jump to').fill('script')
    await page.getByRole('dialog').getByText('<script>').first().waitFor()
    await expectNothing(detector)
  })
})

it('a CSV file with scripts in its name, columns and cells is previewed as text', async () => {
  await withPage(async (page, detector) => {
    await page.goto(dashboard.inProject('contacts/import'))
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    const buffer = Buffer.from(
      `email,${quoted(TEXT)}\n${quoted(TEXT)},${quoted(LONG_TEXT)}\nb@sender.example,${quoted(TEXT)}\n`,
    )
    await page
      .getByLabel('Choose a CSV file')
      .setInputFiles({ name: `${TEXT.replaceAll('/', '')}.csv`, mimeType: 'text/csv', buffer })
    await page.locator('main').getByText(`<script>${RUN}</script>`).first().waitFor()
    await page.getByRole('button', { name: 'Import contacts', exact: true }).click()
    await page.getByText('Import completed').waitFor()
    await expectNothing(detector)
  })
})

it('account pages and public pages run no script from their address or from stored text', async () => {
  for (const isSignedIn of [false, true]) {
    await withPage(async (page, detector) => {
      for (const address of Object.values(accountPages)) {
        await page.goto(`${dashboard.service.baseUrl}/app/${address}`)
        await waitUntilStable(page)
        await expectNothing(detector)
      }
      for (const address of publicPages(ids)) {
        await page.goto(`${dashboard.service.baseUrl}${address}`)
        await expectNothing(detector)
      }
    }, isSignedIn)
  }
})

it('the content and the attachments of an email run no script when they are opened as pages', async () => {
  await withPage(async (page, detector) => {
    for (const id of [ids.email, ids.received]) {
      for (const part of ['html', 'raw', 'attachments/0']) {
        const url = `${dashboard.service.baseUrl}/emails/${id}/${part}`
        const headers = { 'x-project-id': dashboard.projectId }
        await page.setExtraHTTPHeaders(headers)
        await page.goto(url).catch((error: Error) => {
          if (!/Download is starting|ERR_ABORTED/.test(error.message)) throw error
        })
        await expectNothing(detector)
      }
    }
  })
})

it('every page of the dashboard is opened by these tests', () => {
  const router = readFileSync(path.join(import.meta.dirname, '../dashboard/router.tsx'), 'utf8')
  const paths = [...router.matchAll(/^ {2}'?([\w/$-]+)'?: \[\(\) => import/gm)].map(([, route]) => route!)
  expect(new Set(paths)).toEqual(new Set([...Object.keys(projectPages(ids)), ...Object.keys(accountPages)]))
})
