/** Languages: the browser's, unless the account has chosen one; and no page keeps English texts or becomes too wide. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { allTexts, readEnglish, readTranslation } from '../dashboard/languages/read-texts.ts'
import { unwrap } from '../sdk/index.ts'
import { waitUntilStable } from './accessibility.ts'
import { itInBrowser as it, watchPage } from './browser.ts'
import { PHONE, WIDE } from './dashboard.ts'
import { navigate } from './navigate.ts'
import { type Dashboard, useDashboard } from './use-dashboard.ts'

let dashboard: Dashboard
useDashboard((_, opened) => {
  dashboard = opened
})

async function openIn(locale: string, isSignedIn = true) {
  const context = await dashboard.browser.newContext({ locale, reducedMotion: 'reduce', viewport: WIDE })
  context.setDefaultTimeout(90_000)
  if (isSignedIn) await context.addCookies(dashboard.cookies)
  const page = await context.newPage()
  const watched = watchPage(page, dashboard.service.baseUrl)
  return { page, watched, close: () => context.close() }
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

it('a visitor sees the language of the browser, and formats of its region', async () => {
  const { page, watched, close } = await openIn('de-AT', false)
  await page.goto(`${dashboard.service.baseUrl}/app/sign-in`)
  await page.getByRole('button', { name: 'Anmelden' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  expect(watched.errors.filter((error) => !error.endsWith(': 401'))).toEqual([])
  await close()
})

it('the language of an account is used in every browser, until it follows the browser again', async () => {
  const chosen = await openIn('en-US')
  await chosen.page.goto(dashboard.inProject('settings?tab=account'))
  await chosen.page.getByLabel('Language of the dashboard').selectOption({ label: 'Français' })
  await chosen.page.locator('html[lang="fr"]').waitFor()
  await heading(chosen.page, 'Compte').waitFor()

  const other = await openIn('de-DE')
  await other.page.goto(dashboard.inProject())
  await other.page.locator('html[lang="fr"]').waitFor()
  await waitUntilStable(other.page)
  await other.close()

  await chosen.page.locator('select').filter({ hasText: 'Français' }).selectOption('')
  await chosen.page.locator('html[lang="en"]').waitFor()
  await heading(chosen.page, 'Account').waitFor()
  expect(chosen.watched.errors).toEqual([])
  await chosen.close()
})

/** Stored by the service in English: values of the sample file, and a design of the gallery. */
const STORED = new Set(['yes', 'no', 'Invoice'])

/** English texts that are different in German, unless a German text is the same. */
async function englishOnly(): Promise<Set<string>> {
  const german = allTexts(await readTranslation('de'))
  const inGerman = new Set(german.values())
  const english = [...allTexts(await readEnglish())].flatMap(([at, text]) =>
    typeof text === 'string' && text !== german.get(at) && !inGerman.has(text) && !STORED.has(text) ? [text] : [],
  )
  return new Set(english)
}

/** What a page shows or says to a screen reader. */
const SHOWN = `[...document.querySelectorAll('body *')].filter((one) => !one.closest('iframe, svg, code, pre')).flatMap((one) => [
  ...[...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent),
  ...['aria-label', 'title', 'placeholder'].map((name) => one.getAttribute(name) ?? ''),
]).map((text) => text.trim()).filter(Boolean)`

const PAGES = [
  ...[
    '',
    'contacts',
    'contacts/import',
    'contacts/move',
    'contacts/fields',
    'contacts/pending',
    'segments',
    'segments/new',
  ],
  ...[
    'templates',
    'templates/new',
    'templates/gallery',
    'templates/layouts',
    'campaigns',
    'campaigns/new',
    'workflows',
  ],
  ...[
    'activity',
    'analytics',
    'emails',
    'events',
    'domains',
    'topics',
    'forms',
    'forms/new',
    'suppressions',
    'webhooks',
    'requests',
  ],
  ...['project', 'branding', 'sending', 'usage', 'security', 'members', 'audit-log', 'keys', 'smtp', 'account'].map(
    (tab) => `settings?tab=${tab}`,
  ),
]

it('every page is in German, and fits on a phone', async () => {
  const { posthorn } = dashboard
  const contact = await unwrap(posthorn.contacts.upsert({ email: 'ada@example.org', data: { plan: 'pro' } }))
  await unwrap(posthorn.events.track({ email: 'ada@example.org', event: 'upgraded' }))
  const workflow = await unwrap(posthorn.workflows.create({ name: 'Willkommen', eventName: 'upgraded' }))
  const english = await englishOnly()
  const { page, watched, close } = await openIn('de-DE')
  const problems: string[] = []
  for (const address of [...PAGES, `contacts/${contact.id}`, `workflows/${workflow.id}`]) {
    await navigate(page, dashboard.inProject(address))
    await waitUntilStable(page)
    const shown = await page.evaluate<string[]>(SHOWN)
    problems.push(...[...new Set(shown)].filter((text) => english.has(text)).map((text) => `${address}: ${text}`))
    await page.setViewportSize(PHONE)
    const width = await page.locator('html').evaluate((root) => root.scrollWidth)
    if (width > PHONE.width) problems.push(`${address} is ${width} px wide`)
    await page.setViewportSize(WIDE)
  }
  expect(problems).toEqual([])
  expect(watched.errors).toEqual([])
  await close()
})
