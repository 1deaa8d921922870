/** Contacts: import, search, filters, bulk actions, fields and timeline. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Posthorn, unwrap } from '../sdk/index.ts'
import { itInBrowser as it } from './browser.ts'
import { choose } from './choose.ts'
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
const heading = (name: string) => page.getByRole('heading', { level: 1, name })

it('a CSV file is previewed and imported, and its invalid rows are listed', async () => {
  await page.goto(inProject('contacts/import'))
  const csv = 'Email,City\nbob@example.org,Porto\nnot an address,Lima\neve@example.org,Oslo\n'
  await page.getByLabel('Choose a CSV file').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csv),
  })
  await page.getByText('2 contacts will be created.').waitFor()
  await page.getByText('1 row will be skipped.').waitFor()
  await page.getByText('Row 3: Must be an email address.').waitFor()
  await page.getByRole('button', { name: 'Import contacts', exact: true }).click()
  await page.getByRole('region', { name: 'Skipped rows' }).getByText('not an address').waitFor()
  expect(await page.getByText('Created').locator('..').textContent()).toBe('Created2')
  await page.getByRole('link', { name: 'View contacts' }).click()
  await page.getByRole('link', { name: 'bob@example.org' }).waitFor()
  opened.expectNoErrors()
})

it('contacts are moved from another service after a preview, and people who opted out stay opted out', async () => {
  await page.goto(inProject('contacts/import'))
  await page.getByRole('link', { name: 'Move from another service' }).click()
  await page.getByLabel('Service').selectOption({ label: 'Mailchimp' })
  const file = (group: string, email: string) => ({
    name: `${group}_members_export.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(`Email Address,First Name\n${email},X\n`),
  })
  await page
    .getByLabel('Files of the export')
    .setInputFiles([
      file('subscribed', 'moved@example.org'),
      file('unsubscribed', 'left@example.org'),
      file('cleaned', 'wrong'),
    ])
  await page.getByRole('button', { name: 'Preview changes' }).click()
  await page.getByText('Contacts: 2 would be created, 0 updated, 0 unchanged.').waitFor()
  await page.getByText('Must be an email address.').first().waitFor()
  await page.getByRole('button', { name: 'Move contacts' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Move contacts' }).click()
  await page.getByText('Contacts: 2 were created, 0 updated, 0 unchanged.').waitFor()
  const [left] = (await unwrap(posthorn.contacts.list({ email: 'left@example.org' }))).data
  expect(left).toMatchObject({ subscribed: false })
  opened.expectNoErrors()
})

it('a file with semicolons and another encoding is imported with the chosen fields and types', async () => {
  await unwrap(posthorn.contacts.upsert({ email: 'jorg@example.org', data: { city: 'Bonn' } }))
  await page.goto(inProject('contacts/import'))
  const csv =
    'Adresse;Vorname;Alter;PLZ;Intern\njorg@example.org;J\u00f6rg;36,5;01067;x\nina@example.org;Ina;41;10115;y\n'
  await page.getByLabel('Choose a CSV file').setInputFiles({
    name: 'kunden.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csv, 'latin1'),
  })
  await page.getByText('It will be converted before it is uploaded.').waitFor()
  expect(await page.getByLabel('Field for Adresse').inputValue()).toBe('email')
  expect(await page.getByLabel('Type of Alter').inputValue()).toBe('number')
  expect(await page.getByLabel('Type of PLZ').inputValue()).toBe('string')
  await page.getByLabel('Field name for Vorname').fill('name.first')
  await page.getByText('In templates, use {{ data["name.first"] }}').waitFor()
  await page.getByLabel('Field name for Vorname').fill('firstName')
  await page.getByLabel('Field for Intern').selectOption({ label: 'Don’t import' })
  await page.getByText('1 contact will be created.').waitFor()
  await page.getByText('1 row will update an existing contact.').waitFor()
  await page.getByRole('button', { name: 'Import contacts', exact: true }).click()
  await page.getByText('Import completed').waitFor()
  const { data } = (await unwrap(posthorn.contacts.list({ email: 'jorg@example.org' }))).data[0]!
  expect(data).toEqual({ city: 'Bonn', firstName: 'Jörg', alter: 36.5, plz: '01067' })
  opened.expectNoErrors()
})

it('a file without a header, with two equal names, words for a status and bad cells is imported as its preview says', async () => {
  const choose = (csv: string | Buffer, name = 'list.csv') =>
    page
      .getByLabel('Choose a CSV file')
      .or(page.getByLabel('Choose another file'))
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.goto(inProject('contacts/import'))
  await choose(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'picture.csv')
  await page.getByText('This is not a text file.').waitFor()
  await choose('plain1@example.org;Ada\n', 'plain.csv')
  const header = page.getByLabel('The first row contains the names of the columns')
  expect(await header.isChecked()).toBe(false)
  await page.getByText('1 contact will be created.').waitFor()

  await choose(
    'E-Mail;Firma;Firma;Abonniert;Umsatz\nzwei1@example.org;ACME;Süd;ja;1.234,50\nzwei2@example.org;ACME;Nord;nein;viel\n',
  )
  await expect.poll(() => header.isChecked()).toBe(true)
  const start = page.getByRole('button', { name: 'Import contacts', exact: true })
  expect(await start.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Yes, import it as the subscription' }).click()
  expect(await page.getByLabel('“nein” means').inputValue()).toBe('false')
  await page.getByLabel('Type of Umsatz').selectOption({ label: 'Number' })
  await page.getByText('2 contacts will be created.').waitFor()
  await page.getByText('1 value doesn’t match its type and will be left out.').waitFor()
  await page.getByLabel('New contacts').selectOption({ label: 'Will not be subscribed' })
  await start.click()
  await page.getByRole('region', { name: 'Values that were left out' }).getByText('zwei2@example.org').waitFor()
  const list = (await unwrap(posthorn.contacts.list({ search: 'zwei' }))).data
  const found = Object.fromEntries(list.map(({ email, subscribed, data }) => [email, { subscribed, data }]))
  expect(found).toEqual({
    'zwei1@example.org': { subscribed: true, data: { firma: 'ACME', firma2: 'Süd', umsatz: 1234.5 } },
    'zwei2@example.org': { subscribed: false, data: { firma: 'ACME', firma2: 'Nord' } },
  })
  opened.expectNoErrors()
})

it('contacts are searched, selected and unsubscribed together, with the search in the address', async () => {
  for (const email of ['many1@example.org', 'many2@example.org']) await unwrap(posthorn.contacts.upsert({ email }))
  await page.goto(inProject('contacts'))
  await page.getByLabel('Search contacts').fill('many')
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
  await choose(page.getByLabel('Field', { exact: true }), 'plan')
  await page.getByLabel('Value', { exact: true }).fill('pro')
  await page.waitForURL(/where=/)
  await page.getByText('2 contacts', { exact: true }).waitFor()
  await page.getByLabel('Search contacts').fill('filtered1')
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

it('a search and a condition that are refused can be corrected', async () => {
  await unwrap(posthorn.contacts.upsert({ email: 'corrected@example.org', data: { plan: 'pro' } }))
  await page.route('**/segments/preview', (route) =>
    route.request().postData()?.includes('refused') ? route.fulfill({ status: 422, json: {} }) : route.continue(),
  )
  await page.goto(inProject('contacts'))
  const search = page.getByLabel('Search contacts')
  await search.fill('refused')
  await page.getByRole('alert').waitFor()
  expect(await search.evaluate((box) => box === box.ownerDocument.activeElement)).toBe(true)
  await search.fill('corrected')
  await page.getByText('1 contact', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await choose(page.getByLabel('Field', { exact: true }), 'plan')
  const value = page.getByLabel('Value', { exact: true })
  await value.fill('refused')
  await page.getByRole('alert').waitFor()
  await value.fill('pro')
  await page.getByText('1 contact', { exact: true }).waitFor()
})

it('contacts on all pages are selected, and deleted after typing their number', async () => {
  const rows = Array.from({ length: 60 }, (_, i) => `crowd${i}@example.org`)
  const { jobId } = await unwrap(posthorn.contacts.import(`email\n${rows.join('\n')}\n`))
  const status = async () => (await unwrap(posthorn.contacts.getImport(jobId))).status
  await expect.poll(status).toBe('COMPLETED')
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

it('contacts are found by their data, sorted, shown with chosen columns and saved as a view', async () => {
  for (const [i, firstName] of ['Zora', 'Yannick'].entries())
    await unwrap(
      posthorn.contacts.upsert({
        email: `view${i}@example.org`,
        data: { firstName, lastName: 'Querido', seats: 3 + i },
      }),
    )
  await page.goto(inProject('contacts'))
  await page.getByLabel('Search contacts').fill('zora querido')
  await page.getByText('1 contact', { exact: true }).waitFor()
  await page.getByLabel('Search contacts').fill('querido')
  await page.getByText('2 contacts', { exact: true }).waitFor()
  await page.getByRole('cell', { name: 'Zora Querido' }).waitFor()
  const emails = () => page.locator('tbody [data-row-link]').allTextContents()
  await expect.poll(emails).toEqual(['view1@example.org', 'view0@example.org'])
  await page.getByRole('button', { name: 'Email' }).click()
  await expect.poll(emails).toEqual(['view0@example.org', 'view1@example.org'])
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitem', { name: 'seats' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('columnheader', { name: 'seats' }).waitFor()
  await page.getByRole('cell', { name: '4', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Queridos')
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('link', { name: 'All contacts' }).click()
  await page.waitForURL((url) => url.search === '')
  await page.getByRole('link', { name: 'Queridos' }).click()
  await page.waitForURL(/search=querido.*sort=email|sort=email.*search=querido/)
  await page.getByText('2 contacts', { exact: true }).waitFor()
  opened.expectNoErrors()
})

it('the data of a contact is edited as fields, and unsaved changes are kept until they are discarded', async () => {
  const { id } = await unwrap(
    posthorn.contacts.upsert({ email: 'fields@example.org', data: { name: 'Fay', seats: 2, active: true, old: 'x' } }),
  )
  await page.goto(inProject(`contacts/${id}`))
  await page.getByLabel('name', { exact: true }).fill('Fay Reyes')
  await page.getByLabel('seats', { exact: true }).press('End')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('-5')
  await page.getByLabel('active', { exact: true }).selectOption({ label: 'No' })
  await page.getByRole('button', { name: 'Remove old' }).click()
  await page.getByRole('button', { name: 'Add field' }).click()
  await page.getByLabel('Field name').fill('city')
  await page.getByLabel('Field name').press('Enter')
  await page.getByLabel('city', { exact: true }).fill('Oslo')
  page.once('dialog', (dialog) => void dialog.dismiss())
  await page.getByRole('link', { name: 'Contacts' }).first().click()
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByText('Data saved.').waitFor()
  const { data } = await unwrap(posthorn.contacts.get(id))
  expect(data).toEqual({ name: 'Fay Reyes', seats: -5, active: false, city: 'Oslo' })
  opened.expectNoErrors()
})

it('the contact list shows which addresses are suppressed', async () => {
  for (const name of ['blocked', 'open']) await unwrap(posthorn.contacts.upsert({ email: `${name}@status.example` }))
  await unwrap(posthorn.suppressions.create({ email: 'blocked@status.example' }))
  await page.goto(inProject('contacts?search=@status.example'))
  const row = (email: string) => page.getByRole('row').filter({ hasText: email })
  await row('blocked@status.example').getByRole('cell', { name: 'Suppressed', exact: true }).waitFor()
  await row('open@status.example').getByRole('cell', { name: 'Subscribed', exact: true }).waitFor()
  opened.expectNoErrors()
})

it('the page of a contact shows its segments and workflows, and sends it an email', async () => {
  const email = 'member@example.org'
  const { id } = await unwrap(posthorn.contacts.upsert({ email }))
  const segment = await unwrap(posthorn.segments.create({ name: 'Inner circle', type: 'STATIC' }))
  await unwrap(posthorn.segments.addMembers(segment.id, { emails: [email] }))
  const workflow = await unwrap(posthorn.workflows.create({ name: 'Greeting', eventName: 'greet' }))
  await unwrap(posthorn.workflows.steps.create(workflow.id, { type: 'EXIT', config: {} } as never))
  await unwrap(posthorn.workflows.update(workflow.id, { enabled: true }))
  await page.goto(inProject(`contacts/${id}`))
  await page.getByRole('link', { name: 'Inner circle' }).waitFor()
  await page.getByText('No emails, events or imports yet.').waitFor() // a first read that is slower than the rest would miss the email
  await page.getByRole('button', { name: 'Start workflow' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start workflow' }).click()
  await page.getByText('Workflow started.').waitFor()
  await page.getByRole('link', { name: 'Greeting' }).waitFor()
  await page.getByRole('button', { name: 'Send email' }).click()
  await page.getByLabel('From').fill('hello@example.com')
  await page.getByLabel('Subject').fill('A personal note')
  await page.getByLabel('Message').fill('Hello,\n\n1 < 2')
  await page.getByLabel('Message').press('ControlOrMeta+Enter')
  await page.getByRole('list', { name: 'Timeline' }).getByRole('link', { name: 'A personal note' }).waitFor()
  opened.expectNoErrors()
})

it('contact fields are listed, and deleted after typing their name', async () => {
  await unwrap(posthorn.contacts.upsert({ email: 'ada@example.org', data: { shoe: 'left' } }))
  await page.goto(inProject('contacts'))
  await page.getByRole('link', { name: 'Manage fields' }).click()
  const row = page.getByRole('row').filter({ hasText: 'shoe' })
  await row.getByRole('cell', { name: 'left', exact: true }).waitFor()
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
  await expect.poll(async () => (await suppressions()).length).toBe(1)
  const { id } = (await unwrap(posthorn.contacts.list({ email }))).data[0]!
  await page.goto(inProject(`contacts/${id}`))
  const notice = page.getByRole('region', { name: 'Suppression' })
  await notice.getByText('This address is suppressed: permanent bounce').waitFor()
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
  await page.getByText('Suppression removed.').waitFor()
  await notice.waitFor({ state: 'detached' })
  expect(await suppressions()).toEqual([])
  opened.expectNoErrors()
})

it('a contact is deleted only after typing its address', async () => {
  const { id } = await unwrap(posthorn.contacts.upsert({ email: 'leaving@example.org' }))
  await page.goto(inProject(`contacts/${id}`))
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete contact' }).click()
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
    'contacts/move',
    'contacts/fields',
  ])
})
