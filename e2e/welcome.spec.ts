/** A first start: the pages in a browser, and the example request that is printed to the terminal. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call, eventually, type ServiceProcess, startService } from '../server/test/service-process.ts'
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

  itInBrowser('/docs shows an example of POST /v1/send and loads only from this service', async () => {
    await page.goto(`${service.baseUrl}/docs`)
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
    await page.goto(`${service.baseUrl}/docs`)
    await page.getByRole('navigation').getByRole('link', { name: 'Send an email' }).click()
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
    await page.goto(`${service.baseUrl}/docs`)
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
    return data.find((email: { status: string }) => email.status === 'DELIVERED')
  })
  expect(delivered).toMatchObject({ id: sent.body.data.emails[0].email, to: body.to, subject: 'Hello Ada' })
})
