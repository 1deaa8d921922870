/**
 * Text from other people never runs as a script: every field that they can fill contains scripts in several forms,
 * and every page of the dashboard and every public page is opened in a browser that reports whatever runs.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { waitUntilStable } from './accessibility.ts'
import { itInBrowser as it, printPage } from './browser.ts'
import { navigate } from './navigate.ts'
import { type Detector, detectScripts } from './scripts/detect-scripts.ts'
import { fillWithScripts } from './scripts/fill-with-scripts.ts'
import { accountPages, type Ids, LONG_TEXT, projectPages, publicPages, RUN, TEXT } from './scripts/script-pages.ts'
import { type Dashboard, openTestDashboard } from './use-dashboard.ts'

let dashboard: Dashboard
let otherServer: ReturnType<typeof createServer>
let ids: Ids

beforeAll(async () => {
  otherServer = createServer((_request, response) => {
    response.writeHead(418, { 'content-type': 'text/html', 'x-reply': TEXT.replaceAll(/[<>]/g, '') }).end(LONG_TEXT)
  })
  await new Promise<void>((resolve) => otherServer.listen(0, '127.0.0.1', resolve))
  const inboundPort = await freePort()
  dashboard = await openTestDashboard({
    INBOUND_SMTP_PORT: String(inboundPort),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    DNS_SERVERS: '127.0.0.1:9',
    RATE_LIMIT_PER_MINUTE: '0',
  })
  const { port } = otherServer.address() as AddressInfo
  ids = await fillWithScripts(dashboard, { inboundPort, webhookPort: port })
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

async function withPage(work: (page: Page, detector: Detector) => Promise<void>, isSignedIn = true): Promise<void> {
  const { page, context } = await dashboard.openPage('light', undefined, isSignedIn ? undefined : [])
  const detector = await detectScripts(context, page, dashboard.service.baseUrl)
  try {
    await work(page, detector)
  } catch (error) {
    await printPage(page)
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
