/** A new user signs up, verifies a domain, adds a contact, creates a template, sends it, and sees it opened. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { call } from '../server/test/service-process.ts'
import { checkPageAt } from './accessibility.ts'
import { itInBrowser as it, takeScreenshot } from './browser.ts'
import { choose } from './choose.ts'
import { PHONE, WIDE } from './dashboard.ts'
import { type Dashboard, type OpenedPage, openSharedDashboard } from './use-dashboard.ts'

let dashboard: Dashboard
let visitor: OpenedPage
let page: Page
/** The address of the project that is created here. */
let project: string
let secret: string

beforeAll(async () => {
  dashboard = await openSharedDashboard()
  visitor = await dashboard.openPage('light', undefined, [])
  page = visitor.page
})
afterAll(async () => {
  await visitor?.close()
  await dashboard?.close()
})

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const go = (path: string) => page.goto(`${project}/${path}`)

it('a new user signs up and sees the keys of the first project in the examples', async () => {
  await page.goto(`${dashboard.service.baseUrl}/app/sign-up`)
  await page.getByLabel('Email').fill('grace@example.org')
  await page.getByLabel('Password').fill('a long enough one')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByLabel('Name').fill('Lighthouse')
  await page.getByRole('button', { name: 'Create project' }).click()
  secret = (await page.locator('code').filter({ hasText: /^sk_/ }).textContent())!
  await page.getByRole('link', { name: 'Open project' }).click()
  await heading('Overview').waitFor()
  project = page.url()
  await page.getByText('0 of 6 steps completed.').waitFor()
  await page.getByRole('heading', { name: 'Welcome to Lighthouse' }).waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'API keys' }).click()
  expect(await page.getByRole('region', { name: 'curl example' }).textContent()).toContain(secret)
  expect((await call(dashboard.service, 'GET', '/contacts', { key: secret })).status).toBe(200)
  visitor.expectNoErrors()
})

it('empty pages are accessible and fit a phone', async () => {
  await page.setViewportSize(PHONE)
  const problems: string[] = []
  for (const path of ['contacts', 'segments', 'events', 'templates', 'campaigns', 'workflows', 'emails', 'activity'])
    problems.push(...(await checkPageAt(page, `${project}/${path}`, ['color-contrast'])))
  await page.setViewportSize(WIDE)
  await go('')
  expect(problems).toEqual([])
  visitor.expectNoErrors()
})

it('the user verifies a domain', async () => {
  await page.getByRole('link', { name: 'Verify a domain (not completed)' }).click()
  await page.getByRole('button', { name: 'Add domain' }).first().click()
  await page.getByLabel('Domain', { exact: true }).fill('lighthouse.example')
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
  await page.getByText('Pending', { exact: true }).waitFor()
  await page.getByText('Proves that you own the domain').first().waitFor()
  await page.getByRole('button', { name: 'Check records' }).click()
  await page.getByText('Verified', { exact: true }).waitFor()
  await page.getByText('Proves that you own the domain').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Show records' }).click()
  await page.getByText('Proves that you own the domain').waitFor()
  await page.getByRole('button', { name: 'Actions for lighthouse.example' }).click()
  await page.getByRole('menuitem', { name: 'Remove domain' }).click()
  await page.getByRole('heading', { name: 'Remove lighthouse.example?' }).waitFor()
  await page.keyboard.press('Escape')
  visitor.expectNoErrors()
})

it('the user sends a first email to themselves and sees it arrive', async () => {
  await go('')
  await page.getByText('Waiting for your first email…').waitFor()
  await page.getByText('Or send an email from your code').waitFor()
  await page.getByRole('button', { name: 'Send me a test email' }).click()
  await page.getByText('Your first email was sent:').waitFor()
  await page.getByText('Delivered').first().waitFor()
  await page.getByText('3 of 6 steps completed.').waitFor()
  visitor.expectNoErrors()
})

it('the user adds a contact and creates a template with a live preview', async () => {
  await go('contacts')
  await page.getByRole('button', { name: 'Add contact' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email', { exact: true }).fill('ada@example.org')
  await dialog.getByRole('button', { name: 'Add field' }).click()
  await dialog.getByLabel('Field name').fill('name')
  await dialog.getByLabel('Field name').press('Enter')
  await dialog.getByLabel('name', { exact: true }).fill('Ada')
  await dialog.getByRole('button', { name: 'Add contact' }).click()
  await heading('ada@example.org').waitFor()

  await go('templates/new')
  expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('hello@lighthouse.example')
  await page.getByLabel('Name', { exact: true }).fill('Welcome')
  await page.getByLabel('Subject').fill('Hello {{name}}, {{title}}')
  await page.getByRole('group', { name: 'Editor', exact: true }).getByRole('button', { name: 'HTML' }).click()
  await page.getByRole('button', { name: 'Switch to HTML' }).click()
  await page.getByLabel('Body (HTML with Liquid)').click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('<h1>Good morning {{name}}</h1>')
  await choose(page.getByLabel('Preview as'), 'ada@example.org')
  const preview = page.frameLocator('iframe[title="Email preview"]')
  await preview.getByRole('heading', { name: 'Good morning Ada' }).waitFor()
  expect(await page.getByText('Missing fields').locator('..').textContent()).toContain('title')
  await page.getByRole('button', { name: 'Save template' }).click()
  await heading('Welcome').waitFor()
  await page.waitForURL(/templates\/[\da-f-]{36}$/)
  visitor.expectNoErrors()
})

it('the user sends a test email, reads it, and sees it opened', async () => {
  await page.getByRole('button', { name: 'Send test email' }).click()
  await page.getByLabel('Recipient', { exact: true }).fill('ada@example.org')
  await page.getByRole('dialog').getByRole('button', { name: 'Send test email' }).click()
  await page.getByRole('button', { name: 'View email' }).click()
  await heading(/^\[TEST\] Hello Ada,/).waitFor()
  await page.getByText('Delivered').first().waitFor()
  const mail = page.frameLocator('iframe[title="Email preview"]')
  await mail.getByRole('heading', { name: 'Good morning Ada' }).waitFor()
  await page.getByRole('tab', { name: 'Raw' }).click()
  await page.getByText('MIME-Version').first().waitFor()
  await takeScreenshot(page, 'dashboard-email')

  await go('emails')
  await page.getByRole('link', { name: 'Hello from Posthorn', exact: true }).click()
  await page.getByRole('button', { name: 'Simulate open' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Opened' }).waitFor()
  await go('emails?status=OPENED')
  await page.getByRole('link', { name: 'Hello from Posthorn', exact: true }).waitFor()
  await go('')
  await page.getByText('4 of 6 steps completed.').waitFor()
  visitor.expectNoErrors()
})

it('a project without workflows offers ready-made ones, with templates for their emails', async () => {
  for (const [name, steps] of [
    ['Welcome new users', 3],
    ['Remind users before a trial ends', 3],
    ['Win back inactive users', 4],
  ] as const) {
    await go('workflows')
    await page.getByRole('button', { name }).click()
    await heading(name).waitFor()
    // The trigger is a box of the graph as well.
    await expect.poll(() => page.locator('.react-flow__node').count()).toBe(steps + 1)
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const { status } = await call(dashboard.service, 'DELETE', `/workflows/${id}`, { key: secret })
    expect(status).toBe(204)
  }
  await go('templates')
  const names = ['Survey', 'Trial ending', 'Re-engagement']
  for (const name of names) await page.getByRole('link', { name, exact: true }).waitFor()
  const { body: templates } = await call(dashboard.service, 'GET', '/templates?pageSize=100', { key: secret })
  for (const { name, fromName } of templates.data) if (names.includes(name)) expect(fromName).toBe('Lighthouse')
  visitor.expectNoErrors()
})

it('a ready-made workflow that could not be created is retried without creating its templates again', async () => {
  const countSurveys = async () =>
    (await call(dashboard.service, 'GET', '/templates?search=Survey', { key: secret })).body.total
  const before = await countSurveys()
  await go('workflows')
  await page.route('**/workflows/import', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Welcome new users' }).click()
  await page.getByRole('alert').first().waitFor()
  await page.getByRole('button', { name: 'Welcome new users' }).click()
  await heading('Welcome new users').waitFor()
  expect(await countSurveys()).toBe(before + 1)
})
