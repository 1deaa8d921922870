/** Contacts who receive no marketing email at the moment: the sunset rule, pauses, and imports that ask for a confirmation. */
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

const inProject = (path: string) => dashboard.inProject(path)

it('the sunset rule is previewed and saved, shown on the page of a contact, and undone for it', async () => {
  const { id } = await unwrap(posthorn.contacts.upsert({ email: 'silent@example.org' }))
  const content = { subject: 'Hi', body: '<p>Hi</p>', from: 'hello@example.com' }
  const template = await unwrap(posthorn.templates.create({ name: 'Silent', type: 'MARKETING', ...content }))
  for (let n = 0; n < 3; n++) await unwrap(posthorn.emails.send({ to: 'silent@example.org', template: template.id }))
  const sent = async () =>
    (await unwrap(posthorn.emails.list({ contactId: id }))).data.filter(({ sentAt }) => sentAt).length
  await expect.poll(sent).toBe(3)

  await page.goto(inProject('settings?tab=sending'))
  await page.getByLabel('Use sunset rule').check()
  await page.getByText('This rule would stop marketing email to no contact now.').waitFor()
  await page.getByLabel('Emails without an open or click').fill('3')
  await page.getByText('This rule would stop marketing email to 1 contact now.').waitFor()
  expect(await page.getByRole('link', { name: 'Do you want to stay?' }).getAttribute('href')).toContain('gallery=stay')
  await page.getByLabel('Within this many days').fill('7')
  await page.getByRole('button', { name: 'Save: Sunset rule' }).click()
  await page.getByText('Must be at least 30.').waitFor()
  await page.getByLabel('Within this many days').fill('90')
  await page.getByRole('button', { name: 'Save: Sunset rule' }).click()
  await page.getByText('Sunset rule saved.').waitFor()

  await page.goto(inProject(`contacts/${id}`))
  const notice = page.getByRole('region', { name: 'Sunset rule' })
  await notice.getByText('because nothing was opened or clicked').waitFor()
  await notice.getByRole('button', { name: 'Send marketing again' }).click()
  await page.getByText('The contact receives marketing email again.').waitFor()
  await notice.waitFor({ state: 'detached' })
  expect((await unwrap(posthorn.contacts.sunset(id))).stopped).toBe(false)

  await page.goto(inProject('settings?tab=sending'))
  await page.getByLabel('Use sunset rule').uncheck()
  await page.getByRole('button', { name: 'Save: Sunset rule' }).click()
  await page.getByText('Sunset rule saved.').waitFor()
})

it('a pause is shown on the page of the contact, and ended after a confirmation', async () => {
  const { id } = await unwrap(posthorn.contacts.upsert({ email: 'paused@example.org' }))
  const pausedUntil = new Date(Date.now() + 30 * 86_400_000).toISOString()
  await unwrap(posthorn.contacts.update(id, { pausedUntil }))
  await page.goto(inProject(`contacts/${id}`))
  await page.getByText('Paused', { exact: true }).waitFor()
  const notice = page.getByRole('region', { name: 'Pause' })
  await notice.getByText('This contact receives no marketing email until').waitFor()
  await notice.getByRole('button', { name: 'End pause' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('end it only if the person asked you to').waitFor()
  expect((await unwrap(posthorn.contacts.get(id))).pausedUntil).toBe(pausedUntil)
  await dialog.getByRole('button', { name: 'End pause' }).click()
  await page.getByText('Pause ended.').waitFor()
  await notice.waitFor({ state: 'detached' })
  expect((await unwrap(posthorn.contacts.get(id))).pausedUntil).toBeNull()
  opened.expectNoErrors()
})

it('an import can ask contacts to confirm at a rate, and its page shows how far it is, even after a reload', async () => {
  await page.goto(inProject('contacts/import'))
  await page.getByLabel('Choose a CSV file').setInputFiles({
    name: 'list.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('email\nconfirm1@example.org\nconfirm2@example.org\n'),
  })
  await page.getByLabel('New contacts').selectOption({ label: 'Get a confirmation email first' })
  const rate = page.getByLabel('Emails per hour')
  const start = page.getByRole('button', { name: 'Import contacts', exact: true })
  await rate.fill('0')
  expect(await start.isDisabled()).toBe(true)
  await rate.fill('1')
  await start.click()
  await page.getByText('1 in an hour').waitFor()
  const [contact] = (await unwrap(posthorn.contacts.list({ search: 'confirm1@example.org' }))).data
  expect(contact).toMatchObject({ subscribed: false, confirmation: { status: 'pending' } })
  await page.reload()
  await page.getByRole('progressbar', { name: 'Sending confirmation emails' }).waitFor()
  await page.getByText('You can leave this page').waitFor()
  opened.expectNoErrors()
})
