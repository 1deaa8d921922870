/** Scheduled emails, tags and copies in the dashboard. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Posthorn, unwrap } from '../sdk/index.ts'
import { itInBrowser as it } from './browser.ts'
import { type Dashboard, type OpenedPage, useDashboard } from './use-dashboard.ts'

let dashboard: Dashboard
let opened: OpenedPage
let page: Page
let posthorn: Posthorn

useDashboard((nextPage, nextDashboard) => {
  dashboard = nextDashboard
  opened = nextPage
  page = opened.page
  posthorn = dashboard.posthorn
})

const DAY_MS = 24 * 3_600_000
const tomorrow = () => new Date(Date.now() + DAY_MS).toISOString()

const send = async (subject: string, more: object = {}) => {
  const email = { to: 'ada@example.org', from: 'hello@example.com', subject, body: '<p>Hi</p>', ...more }
  return (await unwrap(posthorn.emails.send(email))).emails[0]!.email
}

const row = (subject: string) => page.getByRole('row').filter({ hasText: subject })
const openMenu = (subject: string) => page.getByRole('button', { name: `Actions for “${subject}”` }).click()

it('scheduled emails are sent now, changed and canceled from the list', async () => {
  await send('Send me now', { sendAt: tomorrow() })
  await send('Cancel me', { sendAt: tomorrow() })
  const moved = await send('Move me', { sendAt: tomorrow() })
  await page.goto(dashboard.inProject('emails?status=SCHEDULED'))
  await row('Send me now').getByText('Scheduled for').waitFor()

  await openMenu('Move me')
  await page.getByRole('menuitem', { name: 'Change time' }).click()
  const year = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10)
  await page.getByLabel('Date and time').fill(`${year}T09:30`)
  await page.getByRole('button', { name: 'Save time' }).click()
  await page.getByText('Time changed.').waitFor()
  expect((await unwrap(posthorn.emails.get(moved))).scheduledFor).toContain(year.slice(0, 7))

  await openMenu('Cancel me')
  await page.getByRole('menuitem', { name: 'Cancel email' }).click()
  await page.getByRole('button', { name: 'Cancel email' }).click()
  await row('Cancel me').waitFor({ state: 'detached' })

  await openMenu('Send me now')
  await page.getByRole('menuitem', { name: 'Send now' }).click()
  await row('Send me now').waitFor({ state: 'detached' })
  await page.getByLabel('Status').selectOption('')
  await row('Send me now').getByText('Delivered').waitFor()
  await row('Cancel me').getByText('Canceled').waitFor()
  opened.expectNoErrors()
})

it('the page of an email shows its copies, skipped recipients and tags, which filter the list', async () => {
  await unwrap(posthorn.suppressions.create({ email: 'gone@example.org' }))
  const id = await send('With everything', {
    cc: ['Cara <cara@example.org>', 'gone@example.org'],
    bcc: 'hidden@example.org',
    tags: { category: 'receipt' },
    sendAt: tomorrow(),
  })
  await send('Without a tag')
  await page.goto(dashboard.inProject(`emails/${id}`))
  await page.getByText('Cc Cara <cara@example.org>, gone@example.org').waitFor()
  await page.getByText('Bcc hidden@example.org').waitFor()
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByText('The address is suppressed.').waitFor()
  await page.getByRole('link', { name: 'category: receipt' }).click()
  await row('With everything').waitFor()
  expect(await row('Without a tag').count()).toBe(0)
  await page.getByRole('button', { name: 'Remove the filter category:receipt' }).click()
  await row('Without a tag').waitFor()
  await page.getByRole('button', { name: 'Tag', exact: true }).click()
  await page.getByRole('textbox', { name: 'Tag' }).fill('receipt')
  await page.keyboard.press('Enter')
  await page.getByText('Enter a tag as name:value, such as category:receipt.').waitFor()
  await page.getByRole('textbox', { name: 'Tag' }).fill('category:receipt')
  await page.keyboard.press('Enter')
  await page.waitForURL(/tag=category/)
  await row('Without a tag').waitFor({ state: 'detached' })
  await row('With everything').waitFor()
  opened.expectNoErrors()
})
