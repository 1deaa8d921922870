/**
 * Takes screenshots of every page and every gallery email, light and dark, wide and on a phone, into
 * e2e/screenshots/pages. Pass parts of names, such as `contact` or `gallery.phone`, to take only some of them:
 *   npm run screenshots [-- parts of names]
 * `npm run screenshots -- --docs` takes the six of the documentation, into docs/screenshots.
 */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { waitUntilStable } from '../accessibility.ts'
import { openDashboard, PHONE, WIDE } from '../dashboard.ts'
import { createDemoProject } from './demo-project.ts'
import { emptyScreenshots, projectScreenshots, publicScreenshots, type Screenshot } from './screenshot-pages.ts'

const root = path.resolve(import.meta.dirname, '../..')
const forDocs = process.argv.includes('--docs')
const parts = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const folder = path.join(root, forDocs ? 'docs/screenshots' : 'e2e/screenshots/pages')
mkdirSync(folder, { recursive: true })

const DOCS: Record<string, 'light' | 'dark'> = {
  workflow: 'light',
  execution: 'dark',
  segment: 'light',
  campaign: 'light',
  activity: 'light',
  analytics: 'dark',
}
/** Screenshots of the documentation that have another name here. */
const DOCS_PAGES: Record<string, string> = { segment: 'segment-edit', campaign: 'campaign-visual' }

const VARIANTS = [
  { theme: 'light', viewport: WIDE, suffix: 'wide-light' },
  { theme: 'dark', viewport: WIDE, suffix: 'wide-dark' },
  { theme: 'light', viewport: PHONE, suffix: 'phone-light' },
  { theme: 'dark', viewport: PHONE, suffix: 'phone-dark' },
] as const

const dashboard = await openDashboard()
try {
  const demo = await createDemoProject(dashboard.posthorn, dashboard.projectId, dashboard.databaseUrl)
  const ofProject = projectScreenshots(demo, dashboard.owner.password).map(
    ({ path: subpath, ...one }): Screenshot => ({ ...one, show: { address: dashboard.inProject(subpath) } }),
  )
  if (forDocs) {
    for (const [name, theme] of Object.entries(DOCS)) {
      const { page, close } = await dashboard.openPage(theme, { width: 1400, height: 900 })
      const shown = ofProject.find((one) => one.name === (DOCS_PAGES[name] ?? name))!
      await takeScreenshot(page, { ...shown, onScreen: true }, name)
      await close()
    }
  } else {
    const all = [
      ...ofProject,
      ...emptyScreenshots(await createEmptyProject()),
      ...publicScreenshots(dashboard.service.baseUrl, demo),
      ...demo.gallery.map(({ slug, html }): Screenshot => ({ name: `email-${slug}`, show: { html }, signedOut: true })),
    ]
    const problems: string[] = []
    for (const variant of VARIANTS) problems.push(...(await takeScreenshots(all, variant)))
    if (problems.length > 0) throw new Error(`These screenshots could not be taken: ${problems.join(', ')}`)
  }
} finally {
  await dashboard.close()
}

/** Returns its address. */
async function createEmptyProject(): Promise<string> {
  const { page, close } = await dashboard.openPage()
  await page.goto(`${dashboard.service.baseUrl}/app/projects/new`)
  await page.getByLabel('Name').fill('Lighthouse')
  await page.getByRole('button', { name: 'Create project' }).click()
  const address = await page.getByRole('link', { name: 'Open project' }).getAttribute('href')
  await close()
  return `${dashboard.service.baseUrl}${address}`
}

/** Returns errors instead of throwing them, so that the other screenshots are still taken. */
async function takeScreenshots(all: Screenshot[], { theme, viewport, suffix }: (typeof VARIANTS)[number]) {
  const problems: string[] = []
  for (const signedOut of [false, true]) {
    const { page, close } = await dashboard.openPage(theme, viewport, signedOut ? [] : undefined)
    await page.emulateMedia({ colorScheme: theme })
    for (const screenshot of all.filter((one) => Boolean(one.signedOut) === signedOut)) {
      const name = `${screenshot.name}.${suffix}`
      if (parts.length > 0 && !parts.some((part) => name.includes(part))) continue
      await takeScreenshot(page, screenshot, name).catch((error: Error) => {
        problems.push(name)
        console.error(`${name}: ${error.message}`)
      })
    }
    await close()
  }
  return problems
}

async function takeScreenshot(
  page: Page,
  { show, prepare, onScreen, isEmail }: Screenshot,
  name: string,
): Promise<void> {
  const size = page.viewportSize()!
  if ('html' in show) {
    await page.goto('about:blank') // the policy of the page before would block the styles of the email
    await page.setContent(show.html)
  } else {
    await page.goto(show.address)
    if (!isEmail) await waitUntilStable(page)
    await prepare?.(page)
    if (prepare) await waitUntilStable(page)
  }
  // The viewport gets the height of the page, because content outside of it isn't fully drawn.
  if (!onScreen)
    await page.setViewportSize({ ...size, height: Math.max(await heightOf(page), 'html' in show ? 0 : size.height) })
  await pause(300)
  if (!onScreen && 'address' in show && !isEmail) {
    await waitUntilStable(page) // content that was loaded because it came into view
    await page.setViewportSize({ ...size, height: Math.max(await heightOf(page), size.height) })
  }
  await page.screenshot({ path: path.join(folder, `${name}.png`) })
  await page.context().setOffline(false)
  await page.unrouteAll()
  await page.setViewportSize(size)
}

function heightOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.body.scrollHeight')
}
