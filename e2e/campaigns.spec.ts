/** Segments and campaigns: import, segment, campaign, progress and statistics; experiments, sending times, recurrences. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { itInBrowser as it, takeScreenshot } from './browser.ts'
import { choose } from './choose.ts'
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
  await choose(page.getByLabel('Field', { exact: true }), 'plan')
  await page.getByLabel('Value', { exact: true }).fill('pro')
  await page.getByText('30', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add OR group' }).click()
  await page.getByLabel('Match all or any groups').selectOption('OR')
  await choose(page.getByLabel('Field', { exact: true }).nth(1), 'Email address')
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

it('an experiment is set up in the editor, shows its results, and a person sends one variant to the rest', async () => {
  const { posthorn } = dashboard
  const more = Array.from({ length: 180 }, (_, i) => `more${i}@example.org`).join('\n')
  const { jobId } = await unwrap(posthorn.contacts.import(`email\n${more}\n`))
  await expect.poll(async () => (await unwrap(posthorn.contacts.getImport(jobId))).status).toBe('COMPLETED')
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject('campaigns/new'))
  await page.getByLabel('Name', { exact: true }).fill('Which subject')
  await page.getByLabel('Subject', { exact: true }).fill('October news')
  await page.getByRole('button', { name: 'Choose a design' }).click()
  await page.getByRole('button', { name: 'Use template: Newsletter' }).click()
  await page.getByText('Replace the content of this campaign?').waitFor()
  await page.getByRole('button', { name: 'Replace content' }).click()
  await page.getByText('Content copied from “Newsletter”.').waitFor()

  await page.getByRole('button', { name: 'Add experiment' }).click()
  await page.getByText('A and B are the same so far.').waitFor()
  await page.getByText(/^The test would have 43 recipients/).waitFor()
  await page.getByLabel(/^Share of the audience/).fill('50')
  await page.getByText('2 variants to about 54 recipients each').waitFor()
  const second = page.getByRole('group', { name: 'Variant B' })
  await second.getByLabel('Subject').fill('What changed in October')
  await page.getByRole('checkbox', { name: 'Content' }).check()
  await page.getByRole('group', { name: 'Content of' }).getByRole('button', { name: 'B' }).click()
  await page.getByRole('button', { name: 'Write other content for B' }).click()
  await page.getByRole('button', { name: 'Use the campaign’s content' }).waitFor()
  await page.getByLabel('You, manually').check()
  await page.getByRole('button', { name: 'Save campaign' }).click()
  await page.getByRole('heading', { level: 1, name: 'Which subject' }).waitFor()
  await page.getByText('“What changed in October” · Own content').waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1)!
  expect(await unwrap(posthorn.campaigns.experiment(id))).toMatchObject({
    share: 50,
    selection: 'manual',
    variants: [
      { name: 'A', subject: null, document: null },
      { name: 'B', subject: 'What changed in October', document: expect.any(Object) },
    ],
  })
  paths.push(`campaigns/${id}/edit`)

  await page.getByRole('button', { name: 'Send campaign', exact: true }).click()
  await page.getByText('because it has an experiment').waitFor()
  await page.getByRole('button', { name: /^Send to \d+ contacts$/ }).click()
  await page.getByText('There are no results yet.').waitFor()
  // Only emails of B are opened.
  const sentOf = async () =>
    (await unwrap(posthorn.campaigns.experiment(id))).variants.reduce((sum, { sent }) => sum + sent, 0)
  await expect.poll(sentOf).toBeGreaterThanOrEqual(20)
  const { data } = await unwrap(posthorn.campaigns.recipients(id, { limit: 20, status: 'DELIVERED' }))
  const opened = await Promise.all(data.map((one) => unwrap(posthorn.emails.get(one.id))))
  for (const email of opened.filter(({ subject }) => subject === 'What changed in October'))
    await unwrap(posthorn.emails.simulate(email.id, { outcome: 'open' }))
  const row = page.getByRole('row').filter({ hasText: 'What changed in October' })
  await page.getByText(/^B is ahead/).waitFor()
  expect(await row.textContent()).toMatch(/%/)
  await row.getByRole('button', { name: 'Send to the rest: B' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send to the rest: B' }).click()
  await row.getByText('Winner').waitFor()
  await page.getByText(/^B was chosen by .*@/).waitFor()
  paths.push(`campaigns/${id}`)
  await unwrap(posthorn.campaigns.cancel(id))
  expectNoErrors()
  await close()
})

it('a campaign is scheduled for a time in the zone of each recipient, and spread over some time with its waves', async () => {
  const { posthorn } = dashboard
  const content = { subject: 'Hello', body: '<p>Hello</p>', from: 'hello@example.com' }
  const { id } = await unwrap(posthorn.campaigns.create({ name: 'Local', ...content, audienceType: 'ALL' }))
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject(`campaigns/${id}`))
  await page.getByRole('button', { name: 'Send campaign', exact: true }).click()
  await page.getByLabel('Sending time').selectOption({ label: 'A time in each recipient’s time zone' })
  const date = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
  await page.getByLabel('Local date and time').fill(`${date}T09:00`)
  await page.getByLabel('Time zone if unknown').fill('Europe/Berlin')
  await page.getByRole('button', { name: /^Schedule for/ }).click()
  await page.getByText(/^.*at 09:00 in their time zone/).waitFor()
  const localTime = { date, time: '09:00', fallback: 'Europe/Berlin' }
  const scheduled = await unwrap(posthorn.campaigns.get(id))
  expect(scheduled).toMatchObject({ status: 'SCHEDULED', timing: { localTime, spreadMinutes: null } })
  // When it is 09:00 in the first time zone, 14 hours ahead of UTC.
  expect(Date.parse(scheduled.scheduledFor!)).toBe(Date.parse(`${date}T09:00:00Z`) - 14 * 3_600_000)

  await page.getByRole('button', { name: 'Send or reschedule campaign' }).click()
  await page.getByLabel('Sending time').selectOption({ label: 'Spread over several hours' })
  await page.getByLabel('Spread over', { exact: true }).selectOption({ label: '4 hours' })
  await page.getByLabel('Now').check()
  await page.getByRole('button', { name: /^Send to/ }).click()
  await page.getByText('The emails are spread over 4 hours.').waitFor()
  await page.getByText('Show the numbers').click()
  await page.getByRole('region', { name: 'Sending times' }).getByRole('row').nth(5).waitFor()
  await page.getByLabel('Show this campaign in the public archive').check()
  await page.getByText('The campaign is public.').waitFor()
  expect((await unwrap(posthorn.campaigns.get(id))).isPublic).toBe(true)
  paths.push(`campaigns/${id}`)
  await unwrap(posthorn.campaigns.cancel(id))
  expectNoErrors()
  await close()
})

it('a draft recurs with a feed, and its recurrence is paused', async () => {
  const { posthorn } = dashboard
  const { page, close, expectNoErrors } = await dashboard.openPage()
  const content = { subject: 'Weekly', body: '<p>Hello</p>', from: 'hello@example.com' }
  const { id } = await unwrap(posthorn.campaigns.create({ name: 'Weekly', ...content, audienceType: 'ALL' }))
  await page.goto(dashboard.inProject(`campaigns/${id}/edit`))
  await page.getByLabel('Source').selectOption({ label: 'RSS or Atom feed' })
  await page.getByLabel('Address').fill('https://example.com/feed.xml')
  await page.getByRole('button', { name: 'Save campaign' }).click()
  await page.getByRole('button', { name: 'Add recurrence' }).click()
  await page.getByLabel('Thursday').check()
  await page.getByLabel('Time zone').fill('Europe/Berlin')
  await page.getByRole('button', { name: 'Save recurrence' }).click()
  await page.getByText('Every Monday and Thursday at 09:00 (Europe/Berlin).').waitFor()
  expect(await unwrap(posthorn.campaigns.get(id))).toMatchObject({ recurrence: 'active', feed: { format: 'rss' } })
  expect(await page.getByRole('button', { name: 'Send campaign', exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Pause recurrence' }).click()
  await page.getByText('Paused.', { exact: false }).first().waitFor()
  expect((await unwrap(posthorn.campaigns.recurrence(id))).status).toBe('paused')
  paths.push(`campaigns/${id}`)
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
