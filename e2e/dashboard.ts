/** The service as `npm start` runs it, a browser, and somebody signed in: where errands in the dashboard begin. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { Posthorn } from '../sdk/index.ts'
import { startService } from '../server/test/service-process.ts'
import { openBrowser, watchPage } from './browser.ts'
import { faultsAt } from './look.ts'

export const WIDE = { width: 1280, height: 860 }
export const PHONE = { width: 390, height: 844 }

interface Owner {
  email: string
  password: string
  projectId: string
  publicKey: string
  secretKey: string
}

export async function openDashboard(settings: Record<string, string> = {}) {
  const browser: Browser = await openBrowser()
  const home = mkdtempSync(path.join(tmpdir(), 'posthorn-errand-'))
  const dataDir = path.join(home, 'data')
  const service = await startService({ DATA_DIR: dataDir, PORT: '0', ...settings })
  const owner: Owner = JSON.parse(readFileSync(path.join(dataDir, 'first-run.json'), 'utf8'))
  const posthorn = new Posthorn(owner.secretKey, { baseUrl: service.baseUrl })
  const cookies = await signIn(browser, service.baseUrl, owner)
  const inProject = (place = '') => `${service.baseUrl}/app/projects/${owner.projectId}${place && `/${place}`}`

  /** A fresh page of the same person, or with an empty `session` of a stranger, and what went wrong on it. */
  async function openPage(theme: 'light' | 'dark' = 'light', viewport = WIDE, session = cookies) {
    const context: BrowserContext = await browser.newContext({ viewport, locale: 'en-US' })
    await context.addCookies(session)
    await context.addInitScript(`if (self === top) localStorage.setItem('posthorn.theme', '${theme}')`)
    const page: Page = await context.newPage()
    const watched = watchPage(page, service.baseUrl)
    const expectNothingWrong = () => assert.deepEqual(watched, { complaints: [], foreign: [] })
    return { page, context, expectNothingWrong }
  }

  /** Every place for everyone: in the light, in the dark, and on a phone. */
  async function expectAccessibleLayout(places: string[]): Promise<void> {
    const ways = [
      { theme: 'light', viewport: WIDE, rules: [] },
      { theme: 'dark', viewport: PHONE, rules: ['color-contrast'] }, // nothing else depends on it
    ] as const
    for (const { theme, viewport, rules } of ways) {
      const { page, context, expectNothingWrong } = await openPage(theme, viewport)
      const faults: string[] = []
      for (const place of places) faults.push(...(await faultsAt(page, inProject(place), [...rules])))
      assert.deepEqual(faults, [])
      expectNothingWrong()
      await context.close()
    }
  }

  async function close(): Promise<void> {
    await browser.close()
    await service.stop()
    rmSync(home, { recursive: true, force: true })
  }

  const { projectId } = owner
  return { posthorn, service, browser, owner, projectId, dataDir, inProject, openPage, expectAccessibleLayout, close }
}

async function signIn(browser: Browser, baseUrl: string, owner: { email: string; password: string }) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${baseUrl}/app/sign-in`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  const cookies = await context.cookies()
  await context.close()
  return cookies
}
