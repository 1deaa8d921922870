/** Starts the service as `npm start` does, and opens pages of its dashboard in a browser that is signed in. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { Posthorn } from '../sdk/index.ts'
import { type ServiceProcess, startService } from '../server/test/service-process.ts'
import { CONTRAST, checkInBothThemes, checkPage } from './accessibility.ts'
import { type Contexts, createContexts, printPage, sharedBrowser, watchPage } from './browser.ts'

export const WIDE = { width: 1280, height: 860 }
export const PHONE = { width: 390, height: 844 }

export interface Owner {
  email: string
  password: string
  projectId: string
  publicKey: string
  secretKey: string
}

export type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

export interface Installation {
  service: ServiceProcess
  databaseUrl: string
  /** The owner of the first start. */
  owner: Owner
  browser: Browser
  contexts: Contexts
  stop(): Promise<void>
}

export async function startInstallation(settings: Record<string, string> = {}): Promise<Installation> {
  const home = mkdtempSync(path.join(tmpdir(), 'posthorn-dashboard-'))
  const removeHome = () => rmSync(home, { recursive: true, force: true })
  process.once('exit', removeHome)
  const browser = await sharedBrowser.acquire()
  const dataDir = path.join(home, 'data')
  const service = await startService({ DATA_DIR: dataDir, PORT: '0', ...settings })
  const databaseUrl = settings.DATABASE_URL ?? embeddedUrl(dataDir)
  const owner: Owner = JSON.parse(readFileSync(path.join(dataDir, 'first-run.json'), 'utf8'))
  const contexts = createContexts(browser, service.baseUrl)

  async function stop(): Promise<void> {
    await contexts.close()
    sharedBrowser.release()
    await service.stop()
    removeHome()
    process.off('exit', removeHome)
  }

  return { service, databaseUrl, owner, browser, contexts, stop }
}

/** The URL of the PostgreSQL that the service started. */
function embeddedUrl(dataDir: string): string {
  const { password, port } = JSON.parse(readFileSync(path.join(dataDir, 'postgres.json'), 'utf8'))
  return `postgresql://posthorn:${password}@127.0.0.1:${port}/posthorn`
}

/** The dashboard of an installation's first project. */
export async function openDashboard(settings: Record<string, string> = {}) {
  const installation = await startInstallation(settings)
  const { service, contexts, owner } = installation
  const { context } = await contexts.open(WIDE)
  const { email, password } = owner
  await post(context, `${service.baseUrl}/auth/login`, { email, password })
  const cookies = await context.cookies()
  await contexts.release(context)
  return { ...dashboardFor(installation, owner, cookies), close: installation.stop }
}

/** A request of a page: with the cookies of its context, which keeps those of the response. */
// biome-ignore lint/suspicious/noExplicitAny: responses of every shape.
export async function post(context: BrowserContext, url: string, data: object): Promise<any> {
  const response = await context.request.post(url, { data })
  const text = await response.text()
  assert.ok(response.ok(), `${url}: ${text}`)
  return JSON.parse(text)
}

export function dashboardFor(installation: Installation, owner: Owner, cookies: Cookies) {
  const { service, databaseUrl, browser, contexts } = installation
  const posthorn = new Posthorn(owner.secretKey, { baseUrl: service.baseUrl })
  const inProject = (subpath = '') => `${service.baseUrl}/app/projects/${owner.projectId}${subpath && `/${subpath}`}`

  /**
   * Opens a page without any stored data. With an empty `session`, it is not signed in. The `system` theme follows the
   * color scheme of the page.
   */
  async function openPage(theme: 'light' | 'dark' | 'system' = 'light', viewport = WIDE, session = cookies) {
    const { context, page } = await contexts.open(viewport)
    await context.addCookies(session)
    if (theme !== 'system')
      await page.addInitScript(`if (self === top) localStorage.setItem('posthorn.theme', '${theme}')`)
    const watched = watchPage(page, service.baseUrl)
    const expectNoErrors = () => assert.deepEqual(watched, { errors: [], externalRequests: [] })
    return { page, context, watched, expectNoErrors, close: () => contexts.release(context) }
  }

  /** Expects that pages are accessible, in both themes on a wide screen and in dark mode on a phone. */
  async function expectAccessible(paths: string[]): Promise<void> {
    const { page, expectNoErrors, close } = await openPage('system')
    const problems: string[] = []
    try {
      for (const subpath of paths) {
        problems.push(...(await checkInBothThemes(page, inProject(subpath))))
        await page.setViewportSize(PHONE) // instead of loading it again
        problems.push(...(await checkPage(page, CONTRAST)))
        await page.setViewportSize(WIDE)
      }
    } catch (error) {
      await printPage(page)
      throw error
    }
    expectNoErrors()
    await close()
    assert.deepEqual(problems, [])
  }

  const { projectId } = owner
  return { posthorn, service, browser, owner, cookies, projectId, databaseUrl, inProject, openPage, expectAccessible }
}
