/** Contacts: import, search, filters, bulk actions, fields and timeline. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { type Posthorn, unwrap } from '../sdk/index.ts'
import { itInBrowser as it } from './browser.ts'
import { openDashboard } from './dashboard.ts'

let dashboard: Awaited<ReturnType<typeof openDashboard>>
let opened: Awaited<ReturnType<(typeof dashboard)['openPage']>>
let page: Page
let posthorn: Posthorn

beforeAll(async () => {
  dashboard = await openDashboard()
  posthorn = dashboard.posthorn
}, 240_000)
afterAll(() => dashboard?.close(), 60_000)

beforeEach(async () => {
  opened = await dashboard.openPage()
  page = opened.page
  return () => opened.context.close()
})

const inProject = (path: string) => dashboard.inProject(path)
const heading = (name: string) => page.getByRole('heading', { level: 1, name })

it('a CSV file is previewed and imported, and its invalid rows are listed', async () => {
  await page.goto(inProject('contacts/import'))
  const csv = 'Email,City\nbob@example.org,Porto\nnot an address,Lima\neve@example.org,Oslo\n'
  await page.getByLabel('Choose a CSV file').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csv),
  })
  await page.getByText('data.city').waitFor()
  await page.getByRole('button', { name: 'Import contacts', exact: true }).click()
  await page.getByRole('table').getByText('not an address').waitFor()
  expect(await page.getByText('Created').locator('..').textContent()).toBe('Created2')
  await page.getByRole('link', { name: 'View contacts' }).click()
  await page.getByRole('link', { name: 'bob@example.org' }).waitFor()
  opened.expectNoErrors()
})

it('contacts are searched, selected and unsubscribed together, with the search in the address', async () => {
  for (const email of ['many1@example.org', 'many2@example.org']) await unwrap(posthorn.contacts.upsert({ email }))
  await page.goto(inProject('contacts'))
  await page.getByLabel('Search by email').fill('many')
  await page.waitForURL(/search=many/)
  await page.reload()
  await page.getByRole('link', { name: 'many1@example.org' }).waitFor()
  await page.getByLabel('Select all contacts on this page').check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Unsubscribe' }).click()
  await page.getByRole('heading', { name: 'Unsubscribe 2 contacts?' }).waitFor()
  await page.getByRole('button', { name: 'Unsubscribe 2 contacts' }).click()
  const rows = page.getByRole('row').filter({ hasText: 'Not subscribed' })
  await rows.nth(1).waitFor()
  expect(await rows.count()).toBe(2)
  opened.expectNoErrors()
})

it('contacts are filtered by a condition, which is in the address and can be saved as a segment', async () => {
  for (const [i, plan] of ['pro', 'pro', 'free'].entries())
    await unwrap(posthorn.contacts.upsert({ email: `filtered${i}@example.org`, data: { plan } }))
  await page.goto(inProject('contacts'))
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByText('Complete every filter to apply it.').waitFor()
  await page.getByLabel('Field', { exact: true }).selectOption({ label: 'plan' })
  await page.getByLabel('Value', { exact: true }).fill('pro')
  await page.waitForURL(/where=/)
  await page.getByText('2 contacts', { exact: true }).waitFor()
  await page.getByLabel('Search by email').fill('filtered1')
  await page.getByText('1 contact', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('1 contact', { exact: true }).waitFor()
  await page.getByRole('button', { name: '1 filter' }).waitFor()
  await page.getByRole('link', { name: 'Save as segment' }).click()
  await heading('Create segment').waitFor()
  expect(await page.getByLabel('Value', { exact: true }).inputValue()).toBe('pro')
  await page.goBack()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.waitForURL((url) => !url.search.includes('where'))
  opened.expectNoErrors()
})

it('contacts on all pages are selected, and deleted after typing their number', async () => {
  const rows = Array.from({ length: 60 }, (_, i) => `crowd${i}@example.org`)
  const { jobId } = await unwrap(posthorn.contacts.import(`email\n${rows.join('\n')}\n`))
  const status = async () => (await unwrap(posthorn.contacts.getImport(jobId))).status
  await expect.poll(status, { timeout: 20_000 }).toBe('COMPLETED')
  await page.goto(inProject('contacts?search=crowd'))
  await page.getByLabel('Select all contacts on this page').check()
  await page.getByRole('button', { name: 'Select all 60' }).click()
  await page.getByRole('toolbar').getByText('60 contacts selected').waitFor()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  const confirm = page.getByRole('button', { name: 'Delete 60 contacts' })
  expect(await confirm.isDisabled()).toBe(true)
  await page.getByLabel('Type “60” to confirm').fill('60')
  await confirm.click()
  await page.getByText('No matching contacts').waitFor()
  await page.getByText('60 updated').waitFor()
  opened.expectNoErrors()
})

it('contact fields are listed, and deleted after typing their name', async () => {
  await unwrap(posthorn.contacts.upsert({ email: 'ada@example.org', data: { shoe: 'left' } }))
  await page.goto(inProject('contacts'))
  await page.getByRole('link', { name: 'Manage fields' }).click()
  const row = page.getByRole('row').filter({ hasText: 'shoe' })
  await row.getByText('left').waitFor()
  await row.getByRole('button', { name: 'Delete data.shoe' }).click()
  await page.getByText('This permanently removes the field from 1 contact.').waitFor()
  await page.getByLabel('Type “shoe” to confirm').fill('shoe')
  await page.getByRole('button', { name: 'Delete field' }).click()
  await page.getByText('Field removed from 1 contact.').waitFor()
  await row.waitFor({ state: 'detached' })
  expect((await unwrap(posthorn.contacts.list({ email: 'ada@example.org' }))).data[0]!.data).toEqual({})
  opened.expectNoErrors()
})

it('the timeline of a contact shows emails and events page by page, with UTC on hover', async () => {
  const email = 'busy@example.org'
  const { id } = await unwrap(posthorn.contacts.upsert({ email }))
  for (let i = 0; i < 33; i++) await unwrap(posthorn.events.track({ email, event: `step-${i}` }))
  const mail = { from: 'hello@example.com', subject: 'A word', body: '<p>A word</p>' }
  await unwrap(posthorn.emails.send({ to: email, ...mail }))
  await page.goto(inProject(`contacts/${id}`))
  const timeline = page.getByRole('list', { name: 'Timeline' })
  await timeline.getByRole('link', { name: 'A word' }).waitFor()
  expect(await timeline.locator('time').first().getAttribute('title')).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
  expect(await timeline.getByText('step-0', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Show older entries' }).click()
  await timeline.getByText('step-0', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show older entries' }).waitFor({ state: 'detached' })
  opened.expectNoErrors()
})

it('a contact whose address bounced shows it, and subscribing keeps the suppression until it is removed', async () => {
  const email = 'bounce@simulator.posthorn.test'
  await unwrap(posthorn.emails.send({ to: email, from: 'hello@example.com', subject: 'Hi', body: '<p>Hi</p>' }))
  const suppressions = async () => (await unwrap(posthorn.suppressions.list({ email }))).data
  await expect.poll(async () => (await suppressions()).length, { timeout: 20_000 }).toBe(1)
  const { id } = (await unwrap(posthorn.contacts.list({ email }))).data[0]!
  await page.goto(inProject(`contacts/${id}`))
  const notice = page.getByRole('region', { name: 'Suppression' })
  await notice.getByText('This address is suppressed: hard bounce').waitFor()
  expect(await notice.locator('time').getAttribute('datetime')).toBe((await suppressions())[0]!.createdAt)
  await page.getByRole('button', { name: 'Subscribe contact' }).click()
  await page.getByText('Contact subscribed. The address is still suppressed.').waitFor()
  expect(await suppressions()).toHaveLength(1)
  await page.goto(inProject('contacts?search=simulator'))
  await page.getByLabel('Select all contacts on this page').check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Subscribe', exact: true }).click()
  await page.getByRole('button', { name: 'Subscribe 1 contact' }).click()
  await page.getByText('0 updated, 1 unchanged.').waitFor()
  expect(await suppressions()).toHaveLength(1)
  await page.goto(inProject(`contacts/${id}`))
  await page.getByRole('button', { name: 'Remove suppression' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove suppression' }).click()
  await notice.waitFor({ state: 'detached' })
  expect(await suppressions()).toEqual([])
  opened.expectNoErrors()
})

it('a contact is deleted only after typing its address', async () => {
  const { id } = await unwrap(posthorn.contacts.upsert({ email: 'leaving@example.org' }))
  await page.goto(inProject(`contacts/${id}`))
  await page.getByRole('button', { name: 'Delete contact' }).click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete contact' })
  expect(await confirm.isDisabled()).toBe(true)
  await page.getByLabel('Type “leaving@example.org” to confirm').fill('leaving@example.org')
  await confirm.click()
  await heading('Contacts').waitFor()
  expect((await posthorn.contacts.get(id)).error?.statusCode).toBe(404)
  opened.expectNoErrors()
})

it('the contact pages pass the accessibility and width checks', () => {
  const where = '{"logic":"AND","groups":[{"filters":[{"field":"data.plan","operator":"equals","value":"pro"}]}]}'
  return dashboard.expectAccessible([
    'contacts',
    `contacts?where=${encodeURIComponent(where)}`,
    'contacts/import',
    'contacts/fields',
  ])
}, 120_000)
