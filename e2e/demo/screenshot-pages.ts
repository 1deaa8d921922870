/** The pages in the screenshots, and the steps that lead to the state each one shows. */
import type { Page } from 'playwright-core'
import { block } from '../pages/editor-page.ts'
import type { DemoProject } from './demo-project.ts'

export interface Screenshot {
  name: string
  /** The address of the page, or the HTML of an email. */
  show: { address: string } | { html: string }
  prepare?(page: Page): Promise<unknown>
  signedOut?: boolean
  /** An email as a page: it has no scripts, and need not have a heading. */
  isEmail?: boolean
  /** Only what fits on the screen: a dialog, or a page that scrolls on its own. */
  onScreen?: boolean
}

interface ProjectScreenshot extends Pick<Screenshot, 'name' | 'prepare' | 'onScreen'> {
  path: string
}

const WHERE = '{"logic":"AND","groups":[{"filters":[{"field":"data.city","operator":"equals","value":"Oslo"}]}]}'

const CSV = `E-mail;First name;Age;Customer since;Newsletter
ada.lind0@example.org;Ada;36;2024-03-01;yes
new.customer@example.org;Grace;41;2025-11-30;no
not an address;Bob;29;;yes
`

async function openShortcuts(page: Page): Promise<void> {
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByPlaceholder('Search or jump to').fill('a')
}

/** The project switcher, which is in the menu on a phone. */
async function openProjects(page: Page): Promise<void> {
  const openMenu = page.getByRole('button', { name: 'Open menu' })
  if (await openMenu.isVisible()) await openMenu.click()
  await page.getByRole('button', { name: /^Project / }).click()
  await page.getByRole('menuitem', { name: 'New project' }).waitFor()
}

const clickButton = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click()

async function openChecks(page: Page): Promise<void> {
  const checks = page.locator('details', { hasText: 'Checks' })
  await checks.evaluate((one) => one.setAttribute('open', ''))
  await checks.getByText('Checking…').waitFor({ state: 'detached' })
  await checks.scrollIntoViewIfNeeded()
}

async function openVersions(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Version \d+$/ }).click()
  const list = page.getByRole('dialog', { name: 'Versions' }).getByRole('list', { name: 'Versions, newest first' })
  await list.getByRole('button').last().click()
  await page.getByRole('heading', { name: /^From version/ }).waitFor()
}

async function turnOnTwoFactor(page: Page, password: string): Promise<void> {
  await clickButton('Turn on')(page)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await clickButton('Continue')(page)
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
}

async function loseConnection(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await page.getByText('You’re offline.').waitFor()
}

async function failRequests(page: Page): Promise<void> {
  await page.route(/\/segments\b(?!\/app)/, (route) =>
    route.request().resourceType() === 'fetch' ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  )
  await page.reload()
  await page.getByRole('alert').first().waitFor()
}

/** The pages and states of a project, by topic. */
export const projectScreenshots = (demo: DemoProject, password: string): ProjectScreenshot[] => [
  { name: 'overview', path: '' },
  { name: 'activity', path: 'activity' },
  { name: 'analytics', path: 'analytics' },
  { name: 'analytics-rates', path: 'analytics?show=rates&compare=1&by=domain' },
  { name: 'shortcuts', path: '', onScreen: true, prepare: openShortcuts },
  { name: 'palette', path: '', onScreen: true, prepare: openPalette },
  { name: 'projects', path: '', onScreen: true, prepare: openProjects },
  { name: 'not-found', path: 'contacts/00000000-0000-4000-8000-000000000000' },
  { name: 'error', path: 'segments', prepare: failRequests },
  { name: 'offline', path: 'templates', onScreen: true, prepare: loseConnection },
  ...contactScreenshots(demo),
  ...campaignScreenshots(demo),
  ...templateScreenshots(demo),
  ...workflowScreenshots(demo),
  ...settingsScreenshots(password),
]

const contactScreenshots = (demo: DemoProject): ProjectScreenshot[] => [
  { name: 'contacts', path: 'contacts' },
  { name: 'contacts-filtered', path: `contacts?where=${encodeURIComponent(WHERE)}` },
  {
    name: 'contacts-selected',
    path: 'contacts',
    onScreen: true,
    prepare: (page) => page.getByLabel('Select all contacts on this page').check(),
  },
  { name: 'contacts-add', path: 'contacts', onScreen: true, prepare: clickButton('Add contact') },
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
  { name: 'segment-new', path: 'segments/new' },
  { name: 'events', path: 'events' },
  { name: 'suppressions', path: 'suppressions' },
]

const campaignScreenshots = (demo: DemoProject): ProjectScreenshot[] => [
  { name: 'campaigns', path: 'campaigns' },
  { name: 'campaign', path: `campaigns/${demo.campaign}` },
  { name: 'campaign-draft', path: `campaigns/${demo.draft}` },
  { name: 'campaign-send', path: `campaigns/${demo.draft}`, onScreen: true, prepare: clickButton('Send campaign') },
  { name: 'campaign-scheduled', path: `campaigns/${demo.scheduled}/edit` },
  {
    name: 'campaign-visual',
    path: `campaigns/${demo.scheduled}/edit`,
    onScreen: true,
    prepare: async (page) => {
      await page.getByRole('group', { name: 'Heading: The winter roast is here' }).focus()
      await page
        .getByRole('region', { name: 'Email editor' })
        .evaluate((one) => one.scrollIntoView({ block: 'center' }))
    },
  },
  { name: 'campaign-edit', path: `campaigns/${demo.draft}/edit` },
  { name: 'campaign-new', path: 'campaigns/new' },
  { name: 'emails', path: 'emails' },
  { name: 'email', path: `emails/${demo.email}` },
  { name: 'email-headers', path: `emails/${demo.email}?tab=headers` },
]

const templateScreenshots = (demo: DemoProject): ProjectScreenshot[] => [
  { name: 'templates', path: 'templates' },
  { name: 'template', path: `templates/${demo.template}` },
  { name: 'template-new', path: 'templates/new' },
  { name: 'template-visual', path: `templates/${demo.visual}` },
  {
    name: 'template-block',
    path: `templates/${demo.visual}`,
    onScreen: true,
    prepare: (page) =>
      block(page, /^Button/)
        .first()
        .focus(),
  },
  { name: 'template-preview', path: `templates/${demo.visual}`, prepare: clickButton('Preview') },
  { name: 'template-checks', path: `templates/${demo.order}`, onScreen: true, prepare: openChecks },
  { name: 'template-versions', path: `templates/${demo.visual}`, onScreen: true, prepare: openVersions },
  {
    name: 'template-test',
    path: `templates/${demo.visual}`,
    onScreen: true,
    prepare: clickButton('Send test email'),
  },
  { name: 'gallery', path: 'templates/gallery' },
  {
    name: 'gallery-preview',
    path: 'templates/gallery',
    onScreen: true,
    prepare: clickButton('Preview Welcome'),
  },
  { name: 'layouts', path: 'templates/layouts' },
  { name: 'layout', path: `templates/layouts/${demo.layout}` },
]

const workflowScreenshots = (demo: DemoProject): ProjectScreenshot[] => [
  { name: 'workflows', path: 'workflows' },
  { name: 'workflow-new', path: 'workflows', onScreen: true, prepare: clickButton('Create workflow') },
  {
    name: 'workflow',
    path: `workflows/${demo.workflow}`,
    onScreen: true,
    prepare: (page) => page.locator('.react-flow__node', { hasText: 'On the pro plan?' }).click(),
  },
  {
    name: 'workflow-add-step',
    path: `workflows/${demo.workflow}`,
    onScreen: true,
    prepare: (page) => page.getByRole('button', { name: 'Add a step between' }).first().click(),
  },
  {
    name: 'workflow-remove-step',
    path: `workflows/${demo.workflow}`,
    onScreen: true,
    prepare: async (page) => {
      await page.locator('.react-flow__node', { hasText: 'here now' }).first().click()
      await page.getByRole('button', { name: 'Remove step' }).click()
    },
  },
  { name: 'workflow-executions', path: `workflows/${demo.workflow}?tab=executions` },
  { name: 'workflow-settings', path: `workflows/${demo.workflow}?tab=settings` },
  { name: 'execution', path: `workflows/${demo.workflow}/executions/${demo.execution}` },
]

const settingsScreenshots = (password: string): ProjectScreenshot[] => [
  { name: 'domains', path: 'domains' },
  { name: 'settings-project', path: 'settings' },
  ...[
    'branding',
    'keys',
    'members',
    'usage',
    'security',
    'audit-log',
    'account',
    'smtp',
    'installation',
    'system-mail',
  ].map((tab) => ({ name: `settings-${tab}`, path: `settings?tab=${tab}` })),
  {
    name: 'settings-two-factor',
    path: 'settings?tab=account',
    onScreen: true,
    prepare: (page) => turnOnTwoFactor(page, password),
  },
  {
    name: 'settings-system-message',
    path: 'settings?tab=system-mail',
    prepare: (page) => page.getByRole('link', { name: /You’ve been invited/ }).click(),
  },
]

const LISTS = ['contacts', 'segments', 'events', 'campaigns', 'workflows', 'templates', 'emails', 'domains']

/** The pages of a project without data. `address` is that of the project. */
export const emptyScreenshots = (address: string): Screenshot[] => [
  { name: 'onboarding', show: { address } },
  ...[...LISTS, 'suppressions', 'activity', 'analytics'].map((path) => ({
    name: `empty-${path}`,
    show: { address: `${address}/${path}` },
  })),
]

/** Pages outside any project: accounts, recipients and the API reference. */
export const publicScreenshots = (baseUrl: string, { preferences, inBrowser }: DemoProject): Screenshot[] => {
  const signedOut = true
  const at = (path: string) => ({ address: `${baseUrl}${path}` })
  return [
    { name: 'project-new', show: at('/app/projects/new') },
    ...['sign-in', 'sign-up', 'forgot-password', 'reset-password?token=expired', 'verify-email?token=expired'].map(
      (path) => ({ name: path.replace(/\?.*/, ''), show: at(`/app/${path}`), signedOut }),
    ),
    { name: 'invalid-invitation', show: at('/app/accept-invitation?token=expired'), signedOut },
    { name: 'unknown-page', show: at('/app/unknown/page') },
    { name: 'preferences', show: at(preferences), signedOut },
    ...['unsubscribe', 'subscribe'].map((page) => ({
      name: page,
      show: at(preferences.replace('manage', page)),
      signedOut,
    })),
    { name: 'invalid-link', show: at('/unsubscribe/invalid'), signedOut },
    { name: 'view-in-browser', show: at(inBrowser), signedOut, isEmail: true },
    { name: 'welcome', show: at('/'), signedOut },
    { name: 'docs', show: at('/docs'), signedOut, onScreen: true },
  ]
}
