/**
 * Pictures of every page, light and dark, wide and on a phone, into e2e/screenshots/pages:
 *   node --import tsx e2e/take-screenshots.ts [part of a name]
 * With `--docs`: the six of the documentation, into docs/screenshots.
 */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { openDashboard, PHONE, WIDE } from './dashboard.ts'
import { settled } from './look.ts'
import { furnish, type Shown } from './show-project.ts'

const root = path.resolve(import.meta.dirname, '..')
const forDocs = process.argv.includes('--docs')
const only = process.argv.slice(2).find((word) => !word.startsWith('--'))
const folder = path.join(root, forDocs ? 'docs/screenshots' : 'e2e/screenshots/pages')
mkdirSync(folder, { recursive: true })

const WHERE = '{"logic":"AND","groups":[{"filters":[{"field":"data.city","operator":"equals","value":"Oslo"}]}]}'

interface Picture {
  name: string
  place: string
  act?(page: Page): Promise<unknown>
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByPlaceholder('Search or jump to').fill('a')
}

const pictures = (shown: Shown): Picture[] => [
  { name: 'overview', place: '' },
  { name: 'activity', place: 'activity' },
  { name: 'analytics', place: 'analytics' },
  { name: 'contacts', place: 'contacts' },
  { name: 'contacts-filtered', place: `contacts?where=${encodeURIComponent(WHERE)}` },
  {
    name: 'contacts-chosen',
    place: 'contacts',
    act: (page) => page.getByLabel('Select all contacts on this page').check(),
  },
  { name: 'contacts-add', place: 'contacts', act: (page) => page.getByRole('button', { name: 'Add contact' }).click() },
  { name: 'contacts-none', place: 'contacts?search=nobody' },
  { name: 'contact', place: `contacts/${shown.contact}` },
  { name: 'import', place: 'contacts/import' },
  { name: 'segments', place: 'segments' },
  { name: 'segment', place: `segments/${shown.segment}` },
  { name: 'segment-members', place: `segments/${shown.members}` },
  { name: 'segment-edit', place: `segments/${shown.segment}/edit` },
  { name: 'events', place: 'events' },
  { name: 'campaigns', place: 'campaigns' },
  { name: 'campaign', place: `campaigns/${shown.campaign}` },
  { name: 'campaign-draft', place: `campaigns/${shown.draft}` },
  {
    name: 'campaign-send',
    place: `campaigns/${shown.draft}`,
    act: (page) => page.getByRole('button', { name: 'Send campaign', exact: true }).click(),
  },
  { name: 'campaign-scheduled', place: `campaigns/${shown.scheduled}/edit` },
  { name: 'campaign-edit', place: `campaigns/${shown.draft}/edit` },
  { name: 'workflows', place: 'workflows' },
  {
    name: 'workflow',
    place: `workflows/${shown.workflow}`,
    act: (page) => page.locator('.react-flow__node', { hasText: 'Is on the pro plan?' }).click(),
  },
  { name: 'workflow-executions', place: `workflows/${shown.workflow}?tab=executions` },
  { name: 'workflow-settings', place: `workflows/${shown.workflow}?tab=settings` },
  { name: 'execution', place: `workflows/${shown.workflow}/executions/${shown.execution}` },
  { name: 'templates', place: 'templates' },
  { name: 'template', place: `templates/${shown.template}` },
  { name: 'emails', place: 'emails' },
  { name: 'email', place: `emails/${shown.email}` },
  { name: 'email-headers', place: `emails/${shown.email}?tab=headers` },
  { name: 'domains', place: 'domains' },
  { name: 'suppressions', place: 'suppressions' },
  { name: 'settings-project', place: 'settings' },
  { name: 'settings-keys', place: 'settings?tab=keys' },
  { name: 'settings-members', place: 'settings?tab=members' },
  { name: 'settings-usage', place: 'settings?tab=usage' },
  { name: 'settings-audit-log', place: 'settings?tab=audit-log' },
  { name: 'settings-account', place: 'settings?tab=account' },
  { name: 'palette', place: '', act: openPalette },
]

const DOCS: Record<string, 'light' | 'dark'> = {
  workflow: 'light',
  execution: 'dark',
  segment: 'light',
  campaign: 'light',
  activity: 'light',
  analytics: 'dark',
}
/** What is called so in the documentation is this page. */
const DOCS_PAGES: Record<string, string> = { segment: 'segment-edit', campaign: 'campaign-scheduled' }

const WAYS = [
  { theme: 'light', viewport: WIDE, suffix: 'wide-light' },
  { theme: 'dark', viewport: WIDE, suffix: 'wide-dark' },
  { theme: 'light', viewport: PHONE, suffix: 'phone-light' },
  { theme: 'dark', viewport: PHONE, suffix: 'phone-dark' },
] as const

const dashboard = await openDashboard()
try {
  const shown = await furnish(dashboard.posthorn, dashboard.projectId, dashboard.dataDir)
  const all = pictures(shown)
  if (forDocs) {
    for (const [name, theme] of Object.entries(DOCS)) {
      const { page, context } = await dashboard.openPage(theme, { width: 1400, height: 900 })
      await take(page, all.find((one) => one.name === (DOCS_PAGES[name] ?? name))!, name, false)
      await context.close()
    }
  } else {
    for (const { theme, viewport, suffix } of WAYS) {
      const { page, context } = await dashboard.openPage(theme, viewport)
      for (const picture of all.filter(({ name }) => !only || name.includes(only))) {
        await take(page, picture, `${picture.name}.${suffix}`, !picture.act || picture.name === 'workflow')
      }
      await context.close()
    }
  }
} finally {
  await dashboard.close()
}

async function take(page: Page, { place, act }: Picture, name: string, fullPage: boolean): Promise<void> {
  await page.goto(dashboard.inProject(place))
  await settled(page)
  await act?.(page)
  await settled(page)
  const size = page.viewportSize()!
  // As tall as the page: what is out of sight is not drawn in full.
  if (fullPage) await page.setViewportSize({ ...size, height: await page.evaluate('document.body.scrollHeight') })
  await page.evaluate('new Promise((done) => setTimeout(done, 300))')
  await page.screenshot({ path: path.join(folder, `${name}.png`) })
  await page.setViewportSize(size)
}
