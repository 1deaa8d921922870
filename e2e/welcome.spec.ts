/** A first start: the pages in a browser, and the example request that is printed to the terminal. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call, eventually, type ServiceProcess, startService } from '../server/test/service-process.ts'
import { checkPage } from './accessibility.ts'
import { itInBrowser, sharedBrowser, takeScreenshot, watchPage } from './browser.ts'

const home = mkdtempSync(path.join(tmpdir(), 'posthorn-e2e-'))
let service: ServiceProcess

beforeAll(async () => {
  service = await startService({ DATA_DIR: path.join(home, 'data'), PORT: '0' })
})

afterAll(async () => {
  await service?.stop()
  rmSync(home, { recursive: true, force: true })
})

const firstRun = () => JSON.parse(readFileSync(path.join(home, 'data/first-run.json'), 'utf8'))

describe('after the first start', () => {
  let browser: Browser
  let page: Page
  let watched: ReturnType<typeof watchPage>

  beforeAll(async () => {
    browser = await sharedBrowser.acquire()
  })

  afterAll(() => browser && sharedBrowser.release())

  beforeEach(async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    page = await context.newPage()
    watched = watchPage(page, service.baseUrl)
    return () => context.close()
  })

  const expectNoErrors = () => expect(watched).toEqual({ errors: [], externalRequests: [] })

  itInBrowser('the root address leads to the sign-in page of the dashboard', async () => {
    await page.goto(service.baseUrl)
    await page.waitForURL('**/app/sign-in')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sign in')
    await takeScreenshot(page, 'welcome')
  })

  itInBrowser('the first-run account signs in, and the root address then opens its project', async () => {
    const { email, password, projectId } = firstRun()
    const overview = page.getByRole('heading', { level: 1, name: 'Overview' })
    await page.goto(`${service.baseUrl}/app/sign-in`)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await overview.waitFor()
    expect(await page.getByRole('button', { name: /^Project My project/ }).isVisible()).toBe(true)
    await page.goto(service.baseUrl)
    await overview.waitFor()
    expect(page.url()).toBe(`${service.baseUrl}/app/projects/${projectId}`)
    expectNoErrors()
  })

  itInBrowser('the documentation has a search, themes, tabs of samples and a form that sends a request', async () => {
    await page.goto(`${service.baseUrl}/docs`)
    await page.getByRole('link', { name: 'Send receipts' }).first().click()
    const samples = page.locator('.samples').last()
    await samples.getByRole('tab', { name: 'Python' }).click()
    expect(await samples.locator('pre:visible').textContent()).toContain('urllib.request')
    await page.getByRole('button', { name: 'Use dark colors' }).click()
    expect(await checkPage(page)).toEqual([])
    await page.getByLabel('Search the documentation').fill('idempotency')
    await page.getByRole('list', { name: 'Search results' }).getByRole('link').first().waitFor()
    await page.getByLabel('Search the documentation').fill('post /v1/send/batch')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/reference/emails#*')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')

    const article = page.locator('article').filter({ has: page.getByText('/v1/send', { exact: true }) })
    await expect.poll(() => article.locator('.example pre').first().textContent()).toContain('urllib.request')
    await article.getByRole('button', { name: 'Try it' }).click()
    await article.getByLabel('Key', { exact: true }).fill(firstRun().secretKey)
    await article
      .getByLabel('Body')
      .fill('{"to": "tried@example.org", "from": "hello@example.com", "subject": "S", "body": "B"}')
    await article.getByRole('button', { name: 'Send request' }).click()
    await article.locator('[aria-live]').filter({ hasText: /^200 / }).waitFor()
    expect(await checkPage(page)).toEqual([])
    await takeScreenshot(page, 'docs-reference')
    // An address of a version in which the reference was one page at /docs.
    await page.goto(`${service.baseUrl}/docs#listContacts`)
    await page.locator('article:target').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${service.baseUrl}/docs/reference/contacts`)
    expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBeLessThanOrEqual(390)
    await page.getByRole('link', { name: 'Menu' }).click()
    await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Close' }).click()
    expectNoErrors()
  })

  itInBrowser('/docs shows an example of POST /v1/send and loads only from this service', async () => {
    await page.goto(`${service.baseUrl}/docs?lang=curl`)
    const article = page.locator('article', { has: page.getByText('/v1/send', { exact: true }) }).first()
    expect(await article.textContent()).toMatch(/POST\s*\/v1\/send/)
    expect(await article.locator('pre').first().textContent()).toContain(`${service.baseUrl}/v1/send`)
    // Only the hash allows the style sheet. With a wrong hash, the page would have no styles.
    expect(
      await page
        .locator('nav.menu')
        .evaluate((menu) => menu.ownerDocument.defaultView!.getComputedStyle(menu).position),
    ).toBe('sticky')
    await takeScreenshot(page, 'docs')
    expectNoErrors()
  })

  itInBrowser('the menu of /docs links to every endpoint', async () => {
    await page.goto(`${service.baseUrl}/docs?lang=curl`)
    await page.getByRole('navigation').getByRole('link', { name: 'POST Send an email', exact: true }).click()
    const target = page.locator('article:target')
    expect(await target.textContent()).toContain('/v1/send')
    const { y } = (await target.boundingBox())!
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y).toBeLessThan(800)
    const broken = await page
      .locator('a[href^="#"]')
      .evaluateAll((links) =>
        links.map((link) => link.getAttribute('href')!).filter((href) => !links[0]!.ownerDocument.querySelector(href)),
      )
    expect(broken).toEqual([])
    expectNoErrors()
  })

  itInBrowser('/docs fits on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${service.baseUrl}/docs?lang=curl`)
    expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBeLessThanOrEqual(390)
    await page.getByRole('link', { name: 'Contents' }).first().click()
    expect(await page.getByRole('link', { name: 'Send an email' }).first().isVisible()).toBe(true)
    await takeScreenshot(page, 'docs-phone')
    expectNoErrors()
  })
})

it('the request copied from the terminal sends an email that GET /emails returns', async () => {
  const { secretKey: key } = firstRun()
  const example = service.stdout()
  const body = JSON.parse(/-d '([^']+)'/.exec(example)![1]!)
  const address = /curl -X POST (\S+)/.exec(example)![1]!
  const sent = await call(service, 'POST', new URL(address).pathname, { key, body })
  expect(sent.status).toBe(200)
  const delivered = await eventually('the email is delivered', 120_000, async () => {
    const { data } = (await call(service, 'GET', '/emails', { key })).body
    return data.find(({ to, status }: { to: string; status: string }) => to === body.to && status === 'DELIVERED')
  })
  expect(delivered).toMatchObject({ id: sent.body.data.emails[0].email, to: body.to, subject: 'Hello Ada' })
})
