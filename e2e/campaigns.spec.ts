/** Segments and campaigns: import, segment, campaign, progress and statistics. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { itInBrowser as it, takeScreenshot } from './browser.ts'
import { type Dashboard, openTestDashboard } from './use-dashboard.ts'

let dashboard: Dashboard
let paths: string[] = []

beforeAll(async () => {
  dashboard = await openTestDashboard({ SEND_RATE_PER_SECOND: '3' }) // slow enough to observe the progress
})
afterAll(() => dashboard?.close())

const CONTACTS = 40

async function importContacts(page: Page): Promise<void> {
  const rows = Array.from({ length: CONTACTS }, (_, i) => `p${i}@example.org,${i % 4 === 0 ? 'free' : 'pro'}`)
  const buffer = Buffer.from(`email,plan\n${rows.join('\n')}\n`)
  await page.goto(dashboard.inProject('contacts/import'))
  await page.getByLabel('Choose a CSV file').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Import contacts', exact: true }).click()
  await page.getByText('Import completed').waitFor()
}

it('a campaign to a segment shows its progress and its statistics', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await importContacts(page)
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })

  await page.goto(dashboard.inProject('segments/new'))
  await page.getByLabel('Name', { exact: true }).fill('On the pro plan')
  await page.getByLabel('Field', { exact: true }).selectOption({ label: 'plan' })
  await page.getByLabel('Value', { exact: true }).fill('pro')
  await page.getByText('30', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add OR group' }).click()
  await page.getByLabel('Match all or any groups').selectOption('OR')
  await page.getByLabel('Field', { exact: true }).nth(1).selectOption({ label: 'Email address' })
  await page.getByLabel('Value', { exact: true }).nth(1).fill('p0@')
  await page.getByText('31', { exact: true }).waitFor()
  await takeScreenshot(page, 'segment')
  await page.getByRole('button', { name: 'Create segment' }).click()
  await heading('On the pro plan').waitFor()
  paths = ['segments/new', new URL(page.url()).pathname.split('/').slice(4).join('/')]

  await page.getByRole('link', { name: 'Create campaign' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Autumn news')
  await page.getByLabel('Subject').fill('News for {{email}}')
  await page.getByText('31 contacts').waitFor()
  await page.getByRole('button', { name: 'Save campaign' }).click()
  await heading('Autumn news').waitFor()
  paths.push('campaigns', 'campaigns/new', new URL(page.url()).pathname.split('/').slice(4).join('/'))

  await page.getByRole('button', { name: 'Send campaign', exact: true }).click()
  await page.getByRole('button', { name: 'Send to 31 contacts' }).click()
  await page.getByRole('progressbar').waitFor()
  await page.getByText(/ per second/).waitFor()
  await page.getByRole('button', { name: 'Pause campaign' }).click()
  await page.getByText(/^Paused at \d+ of 31$/).waitFor()
  await page.getByRole('button', { name: 'Resume campaign' }).click()
  const delivered = page.getByRole('region', { name: 'Statistics' }).getByText('Delivered').locator('..')
  await expect.poll(() => delivered.textContent()).toBe('Delivered31100%')
  await page.getByText('Sent', { exact: true }).first().waitFor()
  await page.getByLabel('Status').selectOption('DELIVERED')
  await page
    .getByRole('link', { name: /^p\d+@example\.org$/ })
    .nth(9)
    .waitFor()
  await takeScreenshot(page, 'campaign')

  // Without a reload: no recipient is pending, and a bounce changes every number that it is part of.
  await page.getByLabel('Status').selectOption('')
  const recipients = page.getByRole('region', { name: 'Recipients' })
  await expect.poll(() => recipients.getByText(/^(Pending|Sending)$/).count()).toBe(0)
  const campaignId = new URL(page.url()).pathname.split('/').at(-1)!
  const { data } = await unwrap(dashboard.posthorn.campaigns.recipients(campaignId))
  await unwrap(dashboard.posthorn.emails.simulate(data[0]!.id, { outcome: 'bounce' }))
  await expect.poll(() => delivered.textContent()).toBe('Delivered3096.8%')
  const bounced = page.getByRole('region', { name: 'Statistics' }).getByText('Bounced').locator('..')
  expect(await bounced.textContent()).toBe('Bounced13.2%')
  await page.getByRole('heading', { name: 'Bounces' }).waitFor()
  expectNoErrors()
  await close()
})

it('a campaign is scheduled in the time zone of the viewer, and canceled', async () => {
  const { posthorn } = dashboard
  const content = { subject: 'Later', body: '<p>Later</p>', from: 'hello@example.com' }
  const { id } = await unwrap(posthorn.campaigns.create({ name: 'Later', ...content, audienceType: 'ALL' }))
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject(`campaigns/${id}`))
  await page.getByRole('button', { name: 'Send campaign', exact: true }).click()
  const question = page.getByRole('region', { name: 'Where is your postal address?' })
  await question.getByLabel('Postal address').fill('Main Street 1, Berlin')
  await question.getByRole('button', { name: 'Show it in the footer' }).click()
  await question.waitFor({ state: 'detached' })
  await page.getByLabel('Schedule for later').check()
  await page.getByLabel('Date and time').fill('2099-01-02T10:30')
  // One of them bounced in the test before and no longer receives marketing email.
  await page.getByRole('button', { name: `Schedule for ${CONTACTS - 1} contacts` }).click()
  await page.getByText('Scheduled', { exact: true }).waitFor()
  paths.push(`campaigns/${id}/edit`)
  expect((await unwrap(posthorn.campaigns.get(id))).scheduledFor).toMatch(/^2099-01-0[123]T/)
  await page.getByRole('button', { name: 'Cancel campaign' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Nothing has been sent yet').waitFor()
  await dialog.getByRole('button', { name: 'Cancel campaign' }).click()
  await page.getByText('Canceled', { exact: true }).waitFor()
  await page.goto(dashboard.inProject('campaigns'))
  const row = page.getByRole('row').filter({ hasText: 'Later' })
  expect(await row.textContent()).not.toMatch(/\bin \d|2099/)
  expectNoErrors()
  await close()
})

it('contacts are added to a static segment by address, and removed', async () => {
  const { id } = await unwrap(dashboard.posthorn.segments.create({ name: 'Friends', type: 'STATIC' }))
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject(`segments/${id}`))
  await page.getByRole('button', { name: 'Add contacts' }).click()
  await page.getByLabel('Email addresses').fill('p1@example.org, new@example.org')
  await page.getByLabel('Create contacts for addresses that don’t exist yet').check()
  await page.getByRole('button', { name: 'Add 2 contacts' }).click()
  await page.getByRole('link', { name: 'new@example.org' }).waitFor()
  await page.getByRole('button', { name: 'Remove p1@example.org' }).click()
  await page.getByRole('link', { name: 'p1@example.org' }).waitFor({ state: 'detached' })
  expect((await unwrap(dashboard.posthorn.segments.get(id))).memberCount).toBe(1)
  paths.push(`segments/${id}`, `segments/${id}/edit`)
  expectNoErrors()
  await close()
})

it('the segment, campaign and analytics pages pass the accessibility and width checks', () =>
  dashboard.expectAccessible([...paths, 'analytics']))
