/** Members: an invitation is accepted, and the pages offer what each role may do. */
import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { deriveSecrets } from '../server/platform/secrets.ts'
import { transportId } from '../server/platform/transports/open.ts'
import { readSettings } from '../server/settings/read-settings.ts'
import { codeAt } from '../server/test/accounts/authenticator.ts'
import { checkPage } from './accessibility.ts'
import { itInBrowser as it } from './browser.ts'
import { linkSentTo } from './mailbox.ts'
import { type Dashboard, openTestDashboard } from './use-dashboard.ts'

const SECRET = 'a secret of the members tests'
const MIA = { email: 'mia@example.org', password: 'a long enough one' }

let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await openTestDashboard({ SECRET })
})
afterAll(() => dashboard?.close())

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

async function openAsMia() {
  const opened = await dashboard.openPage('light', undefined, [])
  await opened.page.goto(`${dashboard.service.baseUrl}/app/sign-in`)
  await opened.page.getByLabel('Email').fill(MIA.email)
  await opened.page.getByLabel('Password').fill(MIA.password)
  await opened.page.getByRole('button', { name: 'Sign in' }).click()
  return opened
}

it('an invited person signs up through the link in the email and joins the project', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject('settings?tab=members'))
  await page.getByLabel('Email', { exact: true }).fill(MIA.email)
  const notFound = page.waitForResponse((response) => response.url().endsWith('/members') && response.status() === 404)
  await page.getByRole('button', { name: 'Add member' }).click()
  await notFound // without an account, the page sends an invitation instead
  await page.getByRole('table').getByText(MIA.email).waitFor()
  await close()

  const link = await linkSentTo(dashboard.databaseUrl, MIA.email)
  const visitor = await dashboard.openPage('light', undefined, [])
  await visitor.page.goto(link)
  await heading(visitor.page, 'Join My project').waitFor()
  expect(await checkPage(visitor.page)).toEqual([])
  await visitor.page.getByRole('link', { name: 'Create account' }).click()
  expect(await visitor.page.getByLabel('Email').inputValue()).toBe(MIA.email)
  await visitor.page.getByLabel('Password').fill(MIA.password)
  await visitor.page.getByRole('button', { name: 'Create account' }).click()
  await heading(visitor.page, 'Overview').waitFor()
  expect(visitor.page.url()).toBe(dashboard.inProject())
  visitor.expectNoErrors()
  await visitor.close()

  const { data } = await unwrap(dashboard.posthorn.projects.members.list(dashboard.projectId))
  expect(data.find(({ email }) => email === MIA.email)).toMatchObject({ role: 'MEMBER' })
  expect(expectNoErrors).toThrow(/members: 404/)
})

it('an invitation link that was used shows an error', async () => {
  const link = await linkSentTo(dashboard.databaseUrl, MIA.email)
  const { page, close } = await dashboard.openPage('light', undefined, [])
  await page.goto(link)
  await heading(page, 'This invitation is no longer valid').waitFor()
  await page.getByRole('link', { name: 'Go to the dashboard' }).waitFor()
  await close()
})

it('a member can manage contacts but not members, keys, settings or domains', async () => {
  const { page, close, expectNoErrors } = await openAsMia()
  await heading(page, 'Overview').waitFor()
  await page.goto(dashboard.inProject('contacts'))
  await page.getByRole('button', { name: 'Add contact' }).first().waitFor()

  await page.goto(dashboard.inProject('settings'))
  const sections = page.getByRole('navigation', { name: 'Settings' })
  expect(await page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
  expect(await sections.getByRole('link', { name: 'System mail' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: /^(Save|Reset|Delete)/ }).count()).toBe(0)
  await sections.getByRole('link', { name: 'API keys' }).click()
  await page.getByText('Public key', { exact: true }).waitFor()
  await page.getByText('No API keys yet').waitFor()
  expect(await page.getByRole('button', { name: /^(Replace keys|Create API key)$/ }).count()).toBe(0)
  await sections.getByRole('link', { name: 'Members' }).click()
  await page.getByText('You', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: /^(Add member|Remove)/ }).count()).toBe(0)
  await sections.getByRole('link', { name: 'Usage and billing' }).click()
  await page.getByText('Billing is disabled').waitFor()
  expect(await page.getByRole('button', { name: 'Save limits' }).count()).toBe(0)
  await page.goto(dashboard.inProject('domains'))
  await page.getByText('example.com').first().waitFor()
  expect(await page.getByRole('button', { name: /^(Add domain|Remove)/ }).count()).toBe(0)
  expectNoErrors()
  await close()
})

it('an admin can manage members, and a removed member loses access immediately', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject('settings?tab=members'))
  await page.getByLabel(`Role of ${MIA.email}`).selectOption('ADMIN')
  await page.getByText(`${MIA.email} now has the Admin role.`).waitFor()

  const mia = await openAsMia()
  await heading(mia.page, 'Overview').waitFor()
  await mia.page.goto(dashboard.inProject('settings?tab=members'))
  await mia.page.getByRole('button', { name: 'Add member' }).waitFor()
  expect(await mia.page.getByRole('button', { name: 'Remove owner@example.com' }).count()).toBe(0)
  mia.expectNoErrors()

  await page.getByRole('button', { name: `Remove ${MIA.email}` }).click()
  await page.getByLabel(`Type “${MIA.email}” to confirm`).fill(MIA.email)
  await page.getByRole('button', { name: 'Remove member' }).click()
  await page.getByText('Member removed.').waitFor()
  expectNoErrors()
  await mia.page.reload()
  await mia.page.getByText('Page not found').waitFor()
  await mia.close()
  await close()
})

const NOA = { email: 'noa@example.org', password: 'a long enough one' }

it('the operator reads a captured invitation in the dashboard and opens its link', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await unwrap(
    dashboard.posthorn.projects.invitations.create(dashboard.projectId, { email: NOA.email, role: 'MEMBER' }),
  )
  await page.goto(dashboard.inProject('settings'))
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'System mail' }).click()
  const row = page.getByRole('row').filter({ hasText: NOA.email })
  await row.getByRole('link', { name: /You’ve been invited/ }).click()
  await page.frameLocator('iframe[title="System message"]').getByText('Accept the invitation here').waitFor()
  const link = await page.getByRole('link', { name: 'Open link' }).getAttribute('href')
  expect(link).toMatch(/\/app\/accept-invitation\?token=/)
  expectNoErrors()
  await close()
})

it('a copied invitation link lets the person join', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject('settings?tab=members'))
  await page
    .getByRole('button', { name: `Copy the invitation link for ${NOA.email}` })
    .first()
    .click()
  const link = await page.getByText(/\/app\/accept-invitation\?token=/).textContent()
  expectNoErrors()
  await close()

  const visitor = await dashboard.openPage('light', undefined, [])
  await visitor.page.goto(link!)
  await visitor.page.getByRole('link', { name: 'Create account' }).click()
  await visitor.page.getByLabel('Password').fill(NOA.password)
  await visitor.page.getByRole('button', { name: 'Create account' }).click()
  await heading(visitor.page, 'Overview').waitFor()
  visitor.expectNoErrors()
  await visitor.close()
})

it('the audit log describes in words what was changed, from what to what', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await unwrap(dashboard.posthorn.projects.update(dashboard.projectId, { tracking: 'MARKETING_ONLY', language: 'de' }))
  await page.goto(dashboard.inProject('settings?tab=audit-log'))
  const rows = page.getByRole('row')
  const changed = rows.filter({ hasText: 'Settings changed' }).first()
  await changed.getByText('Language changed from English to German').filter({ visible: true }).waitFor()
  await changed
    .getByText('Open and click tracking changed from All template emails to Marketing emails only')
    .filter({ visible: true })
    .waitFor()
  const accepted = rows.filter({ hasText: 'Invitation accepted' }).filter({ hasText: MIA.email }).first()
  await accepted
    .getByText(/^mia@example\.org, (Admin|Member)$/)
    .filter({ visible: true })
    .waitFor()
  expectNoErrors()
  await close()
})

it('every settings section passes the accessibility and width checks', () => {
  const sections = [
    '',
    'branding',
    'keys',
    'members',
    'smtp',
    'usage',
    'security',
    'audit-log',
    'account',
    'installation',
    'system-mail',
  ]
  return dashboard.expectAccessible(sections.map((tab) => `settings${tab && `?tab=${tab}`}`))
})

it('the installation section shows how long data is kept and where it is archived', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject('settings?tab=installation'))
  const rows = page.getByRole('region', { name: 'Data retention' }).getByRole('row')
  await rows.filter({ hasText: 'Email contents and attachments' }).getByText('90 days').waitFor()
  await rows.filter({ hasText: 'Events' }).getByText('Never').waitFor()
  await page.getByText('Off: old data isn’t archived').waitFor()
  expectNoErrors()
  await close()
})

it('the installation section shows why sending is paused, and resumes it', async () => {
  const transport = transportId(readSettings({}), deriveSecrets(SECRET))
  const database = new pg.Client({ connectionString: dashboard.databaseUrl })
  await database.connect()
  await database.query(
    `insert into transport_pauses (transport, reason, credentials_refused, since, paused_until, pauses)
     values ($1, '535 Wrong password', true, now(), now() + interval '5 minutes', 9)`,
    [transport],
  )
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject('settings?tab=installation'))
  const problem = page.getByRole('alert').filter({ hasText: 'The mail server refuses the credentials' })
  await problem.getByText('535 Wrong password').waitFor()
  expect(await checkPage(page)).toEqual([])
  await problem.getByRole('button', { name: 'Resume sending' }).click()
  await problem.waitFor({ state: 'detached' })
  expect((await database.query('select from transport_pauses')).rows).toEqual([])
  await database.end()
  expectNoErrors()
  await close()
})

it('two-factor authentication shows a QR code, and its recovery codes must be confirmed as saved', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject('settings?tab=account'))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByLabel('Password', { exact: true }).fill(dashboard.owner.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  const dialog = page.getByRole('dialog')
  const secret = (await dialog.locator('code').textContent())!.replaceAll(' ', '')
  await dialog.getByLabel('Authentication code').fill(codeAt(secret, new Date()))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const done = dialog.getByRole('button', { name: 'Done' })
  await done.waitFor()
  expect(await done.isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await dialog.getByLabel('I’ve saved the codes').check()
  await done.click()
  await page.getByText('On', { exact: true }).waitFor()
  expectNoErrors()
  await close()
})

it('a project is deleted after typing its name', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(`${dashboard.service.baseUrl}/app/projects/new`)
  await page.getByLabel('Name').fill('Short-lived')
  await page.getByRole('button', { name: 'Create project' }).click()
  const openLink = page.getByRole('link', { name: 'Open project' })
  await openLink.waitFor()
  expect(await checkPage(page)).toEqual([])
  await openLink.click()
  await heading(page, 'Overview').waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Delete project' }).click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete project' })
  await page.getByLabel('Type “Short-lived” to confirm').fill('Short')
  expect(await confirm.isDisabled()).toBe(true)
  await page.getByLabel('Type “Short-lived” to confirm').fill('Short-lived')
  await confirm.click()
  await heading(page, 'Overview').waitFor()
  expect(page.url()).toBe(dashboard.inProject())
  expectNoErrors()
  await close()
})
