/** From people to numbers: contacts, a segment of them, a campaign to it, its progress and how it fared. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { itInBrowser as it, takeScreenshot } from './browser.ts'
import { openDashboard } from './dashboard.ts'

let dashboard: Awaited<ReturnType<typeof openDashboard>>
let places: string[] = []

beforeAll(async () => {
  dashboard = await openDashboard({ SEND_RATE_PER_SECOND: '10' }) // slow enough to be watched
}, 240_000)
afterAll(() => dashboard?.close(), 60_000)

const PEOPLE = 40

async function importPeople(page: Page): Promise<void> {
  const rows = Array.from({ length: PEOPLE }, (_, i) => `p${i}@example.org,${i % 4 === 0 ? 'free' : 'pro'}`)
  const buffer = Buffer.from(`email,plan\n${rows.join('\n')}\n`)
  await page.goto(dashboard.inProject('contacts/import'))
  await page.getByLabel('Choose a CSV file').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Import this file' }).click()
  await page.getByText('Done').waitFor()
}

it('a campaign goes to a segment, and tells how far it is and how it fared', async () => {
  const { page, context, expectNothingWrong } = await dashboard.openPage()
  await importPeople(page)
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })

  await page.goto(dashboard.inProject('segments/new'))
  await page.getByLabel('Name', { exact: true }).fill('On the pro plan')
  await page.getByLabel('Field', { exact: true }).selectOption({ label: 'plan' })
  await page.getByLabel('Value', { exact: true }).fill('pro')
  await page.getByText('30', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add a group' }).click()
  await page.getByLabel('How groups are joined').selectOption('OR')
  await page.getByLabel('Field', { exact: true }).nth(1).selectOption({ label: 'Email address' })
  await page.getByLabel('Value', { exact: true }).nth(1).fill('p0@')
  await page.getByText('31', { exact: true }).waitFor()
  await takeScreenshot(page, 'segment')
  await page.getByRole('button', { name: 'Save segment' }).click()
  await heading('On the pro plan').waitFor()
  places = ['segments', 'segments/new', new URL(page.url()).pathname.split('/').slice(4).join('/')]

  await page.getByRole('button', { name: 'More acts' }).click()
  await page.getByRole('menuitem', { name: 'Write a campaign' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Autumn news')
  await page.getByLabel('Subject').fill('News for {{email}}')
  await page.getByText('31 contacts').waitFor()
  await page.getByRole('button', { name: 'Save campaign' }).click()
  await heading('Autumn news').waitFor()
  places.push('campaigns', 'campaigns/new', new URL(page.url()).pathname.split('/').slice(4).join('/'))

  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('button', { name: 'Send to 31 contacts' }).click()
  await page.getByRole('progressbar').waitFor()
  await page.getByText(/ a second/).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText(/^Paused at \d+ of 31$/).waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  const delivered = page.getByRole('region', { name: 'Numbers' }).getByText('Delivered').locator('..')
  await expect.poll(() => delivered.textContent(), { timeout: 60_000 }).toBe('Delivered31100%')
  await page.getByText('Sent', { exact: true }).first().waitFor()
  await page.getByLabel('Status').selectOption('DELIVERED')
  await page
    .getByRole('link', { name: /^p\d+@example\.org$/ })
    .nth(24)
    .waitFor()
  await takeScreenshot(page, 'campaign')
  expectNothingWrong()
  await context.close()
}, 120_000)

it('one is scheduled in the time of the viewer, and cancelled', async () => {
  const { posthorn } = dashboard
  const letter = { subject: 'Later', body: '<p>Later</p>', from: 'hello@example.com' }
  const { id } = await unwrap(posthorn.campaigns.create({ name: 'Later', ...letter, audienceType: 'ALL' }))
  const { page, context, expectNothingWrong } = await dashboard.openPage()
  await page.goto(dashboard.inProject(`campaigns/${id}`))
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByLabel('At a time').check()
  await page.getByLabel('Date and time').fill('2099-01-02T10:30')
  await page.getByRole('button', { name: `Schedule for ${PEOPLE} contacts` }).click()
  await page.getByText('Scheduled', { exact: true }).waitFor()
  places.push(`campaigns/${id}/edit`)
  expect((await unwrap(posthorn.campaigns.get(id))).scheduledFor).toMatch(/^2099-01-0[123]T/)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Cancel the campaign' }).click()
  await page.getByText('Cancelled', { exact: true }).waitFor()
  expectNothingWrong()
  await context.close()
}, 60_000)

it('people are put into a segment by hand, and taken out', async () => {
  const { id } = await unwrap(dashboard.posthorn.segments.create({ name: 'Friends', type: 'STATIC' }))
  const { page, context, expectNothingWrong } = await dashboard.openPage()
  await page.goto(dashboard.inProject(`segments/${id}`))
  await page.getByRole('button', { name: 'Add people' }).click()
  await page.getByLabel('Addresses').fill('p1@example.org, new@example.org')
  await page.getByLabel('Make contacts of those not known yet').check()
  await page.getByRole('button', { name: 'Add 2 people' }).click()
  await page.getByRole('link', { name: 'new@example.org' }).waitFor()
  await page.getByRole('button', { name: 'Remove p1@example.org' }).click()
  await page.getByRole('link', { name: 'p1@example.org' }).waitFor({ state: 'detached' })
  expect((await unwrap(dashboard.posthorn.segments.get(id))).memberCount).toBe(1)
  places.push(`segments/${id}`, `segments/${id}/edit`)
  expectNothingWrong()
  await context.close()
}, 60_000)

it('the pages can be used by everyone', () => dashboard.expectGoodLooks([...places, 'analytics', 'activity']), 120_000)
