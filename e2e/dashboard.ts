/** Starts the service as `npm start` does, and a browser that is signed in. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { Posthorn } from '../sdk/index.ts'
import { startService } from '../server/test/service-process.ts'
import { CONTRAST, checkPageAt } from './accessibility.ts'
import { createContexts, openBrowser, watchPage } from './browser.ts'

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
  const home = mkdtempSync(path.join(tmpdir(), 'posthorn-dashboard-'))
  const dataDir = path.join(home, 'data')
  const service = await startService({ DATA_DIR: dataDir, PORT: '0', ...settings })
  const databaseUrl = settings.DATABASE_URL ?? embeddedUrl(dataDir)
  const owner: Owner = JSON.parse(readFileSync(path.join(dataDir, 'first-run.json'), 'utf8'))
  const posthorn = new Posthorn(owner.secretKey, { baseUrl: service.baseUrl })
  const contexts = createContexts(browser, service.baseUrl)
  const cookies = await signIn(contexts, service.baseUrl, owner)
  const inProject = (subpath = '') => `${service.baseUrl}/app/projects/${owner.projectId}${subpath && `/${subpath}`}`

  /** Opens a page without any stored data. With an empty `session`, it is not signed in. */
  async function openPage(theme: 'light' | 'dark' = 'light', viewport = WIDE, session = cookies) {
    const { context, page } = await contexts.open(viewport)
    await context.addCookies(session)
    await page.addInitScript(`if (self === top) localStorage.setItem('posthorn.theme', '${theme}')`)
    const watched = watchPage(page, service.baseUrl)
    const expectNoErrors = () => assert.deepEqual(watched, { errors: [], externalRequests: [] })
    return { page, context, expectNoErrors, close: () => contexts.release(context) }
  }

  /** Expects that pages are accessible, in light mode on a wide screen and in dark mode on a phone. */
  async function expectAccessible(paths: string[]): Promise<void> {
    const variants = [
      { theme: 'light', viewport: WIDE, rules: [] },
      { theme: 'dark', viewport: PHONE, rules: CONTRAST },
    ] as const
    for (const { theme, viewport, rules } of variants) {
      const { page, expectNoErrors, close } = await openPage(theme, viewport)
      const problems: string[] = []
      for (const subpath of paths) problems.push(...(await checkPageAt(page, inProject(subpath), [...rules])))
      assert.deepEqual(problems, [])
      expectNoErrors()
      await close()
    }
  }

  async function close(): Promise<void> {
    await browser.close()
    await service.stop()
    rmSync(home, { recursive: true, force: true })
  }

  const { projectId } = owner
  return { posthorn, service, browser, owner, projectId, databaseUrl, inProject, openPage, expectAccessible, close }
}

/** Of the PostgreSQL that the service started. */
function embeddedUrl(dataDir: string): string {
  const { password, port } = JSON.parse(readFileSync(path.join(dataDir, 'postgres.json'), 'utf8'))
  return `postgresql://posthorn:${password}@127.0.0.1:${port}/posthorn`
}

async function signIn(contexts: ReturnType<typeof createContexts>, baseUrl: string, owner: Owner) {
  const { context, page } = await contexts.open(WIDE)
  await page.goto(`${baseUrl}/app/sign-in`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  const cookies = await context.cookies()
  await contexts.release(context)
  return cookies
}
