/** Somebody new: signs up, proves a domain, adds a contact, writes a template, sends it, and sees it opened. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { call } from '../server/test/service-process.ts'
import { itInBrowser as it, takeScreenshot } from './browser.ts'
import { openDashboard } from './dashboard.ts'

let dashboard: Awaited<ReturnType<typeof openDashboard>>
let stranger: Awaited<ReturnType<(typeof dashboard)['openPage']>>
let page: Page
/** Of the project that is made here. */
let project: string

beforeAll(async () => {
  dashboard = await openDashboard()
  stranger = await dashboard.openPage('light', undefined, [])
  page = stranger.page
}, 240_000)
afterAll(() => dashboard?.close(), 60_000)

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const go = (place: string) => page.goto(`${project}/${place}`)

it('signs up, and sees the keys of the first project in the examples', async () => {
  await page.goto(`${dashboard.service.baseUrl}/app/sign-up`)
  await page.getByLabel('Email').fill('grace@example.org')
  await page.getByLabel('Password').fill('a long enough one')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByLabel('Name').fill('Lighthouse')
  await page.getByRole('button', { name: 'Create' }).click()
  const secret = (await page.locator('code').filter({ hasText: /^sk_/ }).textContent())!
  await page.getByRole('link', { name: 'Open the project' }).click()
  await heading('Overview').waitFor()
  project = page.url()
  await page.getByText('0 of 6 done.').waitFor()
  expect(await page.getByRole('region', { name: 'curl example' }).textContent()).toContain(secret)
  expect((await call(dashboard.service, 'GET', '/contacts', { key: secret })).status).toBe(200)
  stranger.expectNothingWrong()
})

it('proves a domain', async () => {
  await page.getByRole('link', { name: 'Verify a sender domain' }).click()
  await page.getByRole('button', { name: 'Add domain' }).first().click()
  await page.getByLabel('Domain', { exact: true }).fill('lighthouse.example')
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
  await page.getByText('Waiting for DNS').waitFor()
  await page.getByText('Proves the domain is yours').first().waitFor()
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('Verified', { exact: true }).waitFor()
  stranger.expectNothingWrong()
})

it('adds a contact and writes a template, with its preview beside it', async () => {
  await go('contacts')
  await page.getByRole('button', { name: 'Add contact' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill('ada@example.org')
  await dialog.getByLabel('Data').fill('{ "name": "Ada" }')
  await dialog.getByRole('button', { name: 'Add contact' }).click()
  await heading('ada@example.org').waitFor()

  await go('templates/new')
  expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('hello@lighthouse.example')
  await page.getByLabel('Name', { exact: true }).fill('Welcome')
  await page.getByLabel('Subject').fill('Hello {{name}}, {{title}}')
  await page.getByLabel('Body, HTML with Liquid').click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('<h1>Good morning {{name}}</h1>')
  await page.getByLabel('Preview for').fill('ada@example.org')
  const preview = page.frameLocator('iframe[title="Preview of the email"]')
  await preview.getByRole('heading', { name: 'Good morning Ada' }).waitFor()
  expect(await page.getByText('This contact lacks').locator('..').textContent()).toContain('title')
  await page.getByRole('button', { name: 'Save template' }).click()
  await heading('Welcome').waitFor()
  await page.waitForURL(/templates\/[\da-f-]{36}$/)
  stranger.expectNothingWrong()
}, 60_000)

it('sends it, reads what arrived, and sees it opened', async () => {
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByLabel('To', { exact: true }).fill('ada@example.org')
  await page.getByRole('button', { name: 'Send the test' }).click()
  await heading(/^Hello Ada,/).waitFor()
  await page.getByText('Delivered').first().waitFor()
  const mail = page.frameLocator('iframe[title="The email as it looks"]')
  await mail.getByRole('heading', { name: 'Good morning Ada' }).waitFor()
  await page.getByRole('tab', { name: 'Raw' }).click()
  await page.getByText('MIME-Version').first().waitFor()
  await takeScreenshot(page, 'dashboard-email')

  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('listitem').filter({ hasText: 'Opened' }).waitFor()
  await go('emails?status=OPENED')
  await page.getByRole('link', { name: /Hello Ada/ }).waitFor()
  await go('')
  await page.getByText('4 of 6 done.').waitFor()
  stranger.expectNothingWrong()
}, 60_000)
