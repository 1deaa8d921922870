/**
 * Takes screenshots of every page, light and dark, wide and on a phone, into e2e/screenshots/pages:
 *   npm run screenshots [-- part of a name]
 * `npm run screenshots -- --docs` takes the six of the documentation, into docs/screenshots.
 */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { waitUntilStable } from './accessibility.ts'
import { openDashboard, PHONE, WIDE } from './dashboard.ts'
import { createDemoProject, type DemoProject } from './demo-project.ts'

const root = path.resolve(import.meta.dirname, '..')
const forDocs = process.argv.includes('--docs')
const only = process.argv.slice(2).find((argument) => !argument.startsWith('--'))
const folder = path.join(root, forDocs ? 'docs/screenshots' : 'e2e/screenshots/pages')
mkdirSync(folder, { recursive: true })

const WHERE = '{"logic":"AND","groups":[{"filters":[{"field":"data.city","operator":"equals","value":"Oslo"}]}]}'

const CSV = `E-mail;First name;Age;Customer since;Newsletter
ada.lind0@example.org;Ada;36;2024-03-01;yes
new.customer@example.org;Grace;41;2025-11-30;no
not an address;Bob;29;;yes
`

interface Screenshot {
  name: string
  path: string
  prepare?(page: Page): Promise<unknown>
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByPlaceholder('Search or jump to').fill('a')
}

const screenshots = (demo: DemoProject): Screenshot[] => [
  { name: 'overview', path: '' },
  { name: 'activity', path: 'activity' },
  { name: 'analytics', path: 'analytics' },
  { name: 'analytics-rates', path: 'analytics?show=rates&compare=1&by=domain' },
  { name: 'contacts', path: 'contacts' },
  { name: 'contacts-filtered', path: `contacts?where=${encodeURIComponent(WHERE)}` },
  {
    name: 'contacts-selected',
    path: 'contacts',
    prepare: (page) => page.getByLabel('Select all contacts on this page').check(),
  },
  {
    name: 'contacts-add',
    path: 'contacts',
    prepare: (page) => page.getByRole('button', { name: 'Add contact' }).click(),
  },
  { name: 'contacts-none', path: 'contacts?search=nobody' },
  { name: 'contact', path: `contacts/${demo.contact}` },
  { name: 'import', path: 'contacts/import' },
  {
    name: 'import-columns',
    path: 'contacts/import',
    prepare: async (page) => {
      const buffer = Buffer.from(CSV)
      await page.getByLabel('Choose a CSV file').setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer })
      await page.getByText('Based on the first').waitFor()
    },
  },
  { name: 'fields', path: 'contacts/fields' },
  { name: 'segments', path: 'segments' },
  { name: 'segment', path: `segments/${demo.segment}` },
  { name: 'segment-members', path: `segments/${demo.members}` },
  { name: 'segment-edit', path: `segments/${demo.segment}/edit` },
  { name: 'events', path: 'events' },
  { name: 'campaigns', path: 'campaigns' },
  { name: 'campaign', path: `campaigns/${demo.campaign}` },
  { name: 'campaign-draft', path: `campaigns/${demo.draft}` },
  {
    name: 'campaign-send',
    path: `campaigns/${demo.draft}`,
    prepare: (page) => page.getByRole('button', { name: 'Send campaign', exact: true }).click(),
  },
  { name: 'campaign-scheduled', path: `campaigns/${demo.scheduled}/edit` },
  {
    name: 'campaign-visual',
    path: `campaigns/${demo.scheduled}/edit`,
    prepare: async (page) => {
      await page.getByRole('group', { name: 'Heading: The winter roast is here' }).focus()
      await page
        .getByRole('region', { name: 'Email editor' })
        .evaluate((one) => one.scrollIntoView({ block: 'center' }))
    },
  },
  { name: 'campaign-edit', path: `campaigns/${demo.draft}/edit` },
  { name: 'workflows', path: 'workflows' },
  {
    name: 'workflow',
    path: `workflows/${demo.workflow}`,
    prepare: (page) => page.locator('.react-flow__node', { hasText: 'On the pro plan?' }).click(),
  },
  {
    name: 'workflow-add-step',
    path: `workflows/${demo.workflow}`,
    prepare: (page) => page.getByRole('button', { name: 'Add a step between' }).first().click(),
  },
  {
    name: 'workflow-remove-step',
    path: `workflows/${demo.workflow}`,
    prepare: async (page) => {
      await page.locator('.react-flow__node', { hasText: 'here now' }).first().click()
      await page.getByRole('button', { name: 'Remove step' }).click()
    },
  },
  { name: 'workflow-executions', path: `workflows/${demo.workflow}?tab=executions` },
  { name: 'workflow-settings', path: `workflows/${demo.workflow}?tab=settings` },
  { name: 'execution', path: `workflows/${demo.workflow}/executions/${demo.execution}` },
  { name: 'templates', path: 'templates' },
  { name: 'template', path: `templates/${demo.template}` },
  { name: 'emails', path: 'emails' },
  { name: 'email', path: `emails/${demo.email}` },
  { name: 'email-headers', path: `emails/${demo.email}?tab=headers` },
  { name: 'domains', path: 'domains' },
  { name: 'suppressions', path: 'suppressions' },
  { name: 'settings-project', path: 'settings' },
  { name: 'settings-keys', path: 'settings?tab=keys' },
  { name: 'settings-members', path: 'settings?tab=members' },
  { name: 'settings-usage', path: 'settings?tab=usage' },
  { name: 'settings-audit-log', path: 'settings?tab=audit-log' },
  { name: 'settings-account', path: 'settings?tab=account' },
  { name: 'settings-smtp', path: 'settings?tab=smtp' },
  { name: 'settings-installation', path: 'settings?tab=installation' },
  { name: 'settings-system-mail', path: 'settings?tab=system-mail' },
  { name: 'shortcuts', path: '', prepare: (page) => page.keyboard.press('?') },
  { name: 'palette', path: '', prepare: openPalette },
]

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
  const demo = await createDemoProject(dashboard.posthorn, dashboard.projectId, dashboard.dataDir)
  const all = screenshots(demo)
  if (forDocs) {
    for (const [name, theme] of Object.entries(DOCS)) {
      const { page, context } = await dashboard.openPage(theme, { width: 1400, height: 900 })
      await takeScreenshot(page, all.find((one) => one.name === (DOCS_PAGES[name] ?? name))!, name, false)
      await context.close()
    }
  } else {
    for (const { theme, viewport, suffix } of VARIANTS) {
      const { page, context } = await dashboard.openPage(theme, viewport)
      for (const screenshot of all.filter(({ name }) => !only || name.includes(only))) {
        await takeScreenshot(page, screenshot, `${screenshot.name}.${suffix}`, !screenshot.prepare)
      }
      await context.close()
    }
  }
} finally {
  await dashboard.close()
}

async function takeScreenshot(
  page: Page,
  { path: subpath, prepare }: Screenshot,
  name: string,
  fullPage: boolean,
): Promise<void> {
  await page.goto(dashboard.inProject(subpath))
  await waitUntilStable(page)
  await prepare?.(page)
  await waitUntilStable(page)
  const size = page.viewportSize()!
  // The viewport gets the height of the page, because content outside of it isn't fully drawn.
  if (fullPage) await page.setViewportSize({ ...size, height: await page.evaluate('document.body.scrollHeight') })
  await page.evaluate('new Promise((done) => setTimeout(done, 300))')
  await page.screenshot({ path: path.join(folder, `${name}.png`) })
  await page.setViewportSize(size)
}
