/** People: from a file, found, filtered, changed many at a time, and one by one. */
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

const inProject = (place: string) => dashboard.inProject(place)
const heading = (name: string) => page.getByRole('heading', { level: 1, name })

it('come from a file: seen first, then imported, with the rows that failed', async () => {
  await page.goto(inProject('contacts/import'))
  const csv = 'Email,City\nbob@example.org,Porto\nnot an address,Lima\neve@example.org,Oslo\n'
  await page.getByLabel('Choose a CSV file').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csv),
  })
  await page.getByText('data.city').waitFor()
  await page.getByRole('button', { name: 'Import this file' }).click()
  await page.getByRole('table').getByText('not an address').waitFor()
  expect(await page.getByText('Created').locator('..').textContent()).toBe('Created2')
  await page.getByRole('link', { name: 'See the contacts' }).click()
  await page.getByRole('link', { name: 'bob@example.org' }).waitFor()
  opened.expectNothingWrong()
})

it('are found, chosen and unsubscribed together; the search is in the address', async () => {
  for (const email of ['many1@example.org', 'many2@example.org']) await unwrap(posthorn.contacts.upsert({ email }))
  await page.goto(inProject('contacts'))
  await page.getByLabel('Search by email').fill('many')
  await page.waitForURL(/search=many/)
  await page.reload()
  await page.getByRole('link', { name: 'many1@example.org' }).waitFor()
  await page.getByLabel('Choose all on this page').check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Unsubscribe' }).click()
  const rows = page.getByRole('row').filter({ hasText: 'Not subscribed' })
  await rows.nth(1).waitFor()
  expect(await rows.count()).toBe(2)
  opened.expectNothingWrong()
})

it('are filtered by a condition, which is in the address and can be kept as a segment', async () => {
  for (const [i, plan] of ['pro', 'pro', 'free'].entries())
    await unwrap(posthorn.contacts.upsert({ email: `filtered${i}@example.org`, data: { plan } }))
  await page.goto(inProject('contacts'))
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByText('Fill in every filter to apply them.').waitFor()
  await page.getByLabel('Field', { exact: true }).selectOption({ label: 'plan' })
  await page.getByLabel('Value', { exact: true }).fill('pro')
  await page.waitForURL(/where=/)
  await page.getByText('2 contacts', { exact: true }).waitFor()
  await page.getByLabel('Search by email').fill('filtered1')
  await page.getByText('1 contact', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('1 contact', { exact: true }).waitFor()
  await page.getByRole('button', { name: '1 filter' }).waitFor()
  await page.getByRole('link', { name: 'Keep as a segment' }).click()
  await heading('New segment').waitFor()
  expect(await page.getByLabel('Value', { exact: true }).inputValue()).toBe('pro')
  await page.goBack()
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await page.waitForURL((url) => !url.search.includes('where'))
  opened.expectNothingWrong()
})

it('are chosen on all pages, and deleted together by those who type how many', async () => {
  const rows = Array.from({ length: 60 }, (_, i) => `crowd${i}@example.org`)
  const { jobId } = await unwrap(posthorn.contacts.import(`email\n${rows.join('\n')}\n`))
  const status = async () => (await unwrap(posthorn.contacts.getImport(jobId))).status
  await expect.poll(status, { timeout: 20_000 }).toBe('COMPLETED')
  await page.goto(inProject('contacts?search=crowd'))
  await page.getByLabel('Choose all on this page').check()
  await page.getByRole('button', { name: 'Choose all 60' }).click()
  await page.getByRole('toolbar').getByText('60 contacts').waitFor()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  const act = page.getByRole('button', { name: 'Delete 60 contacts' })
  expect(await act.isDisabled()).toBe(true)
  await page.getByLabel('Type 60 to confirm').fill('60')
  await act.click()
  await page.getByText('Nobody matches').waitFor()
  await page.getByText('60 changed').waitFor()
  opened.expectNothingWrong()
})

it('have fields, which are looked over and deleted by name', async () => {
  await unwrap(posthorn.contacts.upsert({ email: 'ada@example.org', data: { shoe: 'left' } }))
  await page.goto(inProject('contacts'))
  await page.getByRole('link', { name: 'Fields' }).click()
  const row = page.getByRole('row').filter({ hasText: 'shoe' })
  await row.getByText('left').waitFor()
  await row.getByRole('button', { name: 'Delete data.shoe' }).click()
  await page.getByText('It will be gone for good from 1 contact.').waitFor()
  await page.getByLabel('Type shoe to confirm').fill('shoe')
  await page.getByRole('button', { name: 'Delete the field' }).click()
  await page.getByText('Deleted from 1 contact.').waitFor()
  await row.waitFor({ state: 'detached' })
  expect((await unwrap(posthorn.contacts.list({ email: 'ada@example.org' }))).data[0]!.data).toEqual({})
  opened.expectNothingWrong()
})

it('have a timeline of emails and events, older ones by the page, with UTC on hover', async () => {
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
  await page.getByRole('button', { name: 'Show older' }).click()
  await timeline.getByText('step-0', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show older' }).waitFor({ state: 'detached' })
  opened.expectNothingWrong()
})

it('are deleted only by those who type the address', async () => {
  const { id } = await unwrap(posthorn.contacts.upsert({ email: 'leaving@example.org' }))
  await page.goto(inProject(`contacts/${id}`))
  await page.getByRole('button', { name: 'Delete' }).click()
  const act = page.getByRole('button', { name: 'Delete the contact' })
  expect(await act.isDisabled()).toBe(true)
  await page.getByLabel('Type leaving@example.org to confirm').fill('leaving@example.org')
  await act.click()
  await heading('Contacts').waitFor()
  expect((await posthorn.contacts.get(id)).error?.statusCode).toBe(404)
  opened.expectNothingWrong()
})

it('the pages can be used by everyone', () => {
  const where = '{"logic":"AND","groups":[{"filters":[{"field":"data.plan","operator":"equals","value":"pro"}]}]}'
  return dashboard.expectGoodLooks([
    'contacts',
    `contacts?where=${encodeURIComponent(where)}`,
    'contacts/import',
    'contacts/fields',
  ])
}, 120_000)
