/** Lists: numbers that agree, live updates, links, keyboard shortcuts and the command palette. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Posthorn, unwrap } from '../sdk/index.ts'
import { checkPage, waitUntilStable } from './accessibility.ts'
import { itInBrowser as it } from './browser.ts'
import { choose } from './choose.ts'
import { PHONE } from './dashboard.ts'
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
const sendEmail = async (to: string, subject: string) =>
  (await unwrap(posthorn.emails.send({ to, subject, from: 'hello@example.com', body: '<p>Hi</p>' }))).emails[0]!.email

it('a segment shows the number of contacts it lists, even if its stored number is older', async () => {
  const condition = {
    logic: 'AND' as const,
    groups: [{ filters: [{ field: 'data.tier', operator: 'equals', value: 'gold' }] }],
  }
  const { id, memberCount } = await unwrap(posthorn.segments.create({ name: 'Gold', condition }))
  expect(memberCount).toBe(0)
  for (const name of ['one', 'two', 'three'])
    await unwrap(posthorn.contacts.upsert({ email: `${name}@gold.example.org`, data: { tier: 'gold' } }))
  await page.goto(inProject('segments'))
  const row = page.getByRole('row').filter({ hasText: 'Gold' })
  await row.getByRole('cell', { name: '3', exact: true }).waitFor()
  await unwrap(posthorn.contacts.upsert({ email: 'four@gold.example.org', data: { tier: 'gold' } }))
  await page.goto(inProject(`segments/${id}`))
  await page.getByRole('link', { name: 'four@gold.example.org' }).waitFor()
  await page.getByRole('heading', { level: 2, name: '4 contacts' }).waitFor()
  opened.expectNoErrors()
})

it('the email list and the page of an email are updated by the activity stream', async () => {
  const stream = page.waitForResponse((response) => response.url().endsWith('/activity/stream'))
  await page.goto(inProject('emails'))
  await stream
  const id = await sendEmail('live@example.org', 'Live news')
  const row = page.getByRole('row').filter({ hasText: 'Live news' })
  await row.getByText('Delivered').waitFor()
  await row.getByRole('link').click()
  await heading('Live news').waitFor()
  await unwrap(posthorn.emails.simulate(id, { outcome: 'open' }))
  await page.getByText('Opened').first().waitFor()
  opened.expectNoErrors()
})

it('emails are filtered by source and date, and the list shows how many there are', async () => {
  await sendEmail('filtered@example.org', 'To be filtered')
  const { total } = await unwrap(posthorn.emails.list())
  await page.goto(inProject('emails'))
  await page.getByRole('navigation', { name: 'Pagination' }).getByText(`${total} email`).waitFor()
  const row = page.getByRole('row').filter({ hasText: 'To be filtered' })
  await page.getByLabel('Date').selectOption('24h')
  await row.waitFor()
  await page.getByLabel('Source').selectOption('WORKFLOW')
  await page.getByText('No matching emails').waitFor()
  await page.getByLabel('Source').selectOption('TRANSACTIONAL')
  await row.waitFor()
  await page.getByLabel('Date').selectOption('custom')
  await page.getByLabel('To date').fill('2020-01-31')
  await page.getByText('No matching emails').waitFor()
  await page.getByLabel('From date').fill('2020-01-01')
  await page.getByLabel('To date').fill('')
  await row.getByRole('link').click()
  await page.getByRole('link', { name: 'View contact' }).click()
  await heading('filtered@example.org').waitFor()
  opened.expectNoErrors()
})

it('the overview shows a step that failed, with its error and a link to the failed executions', async () => {
  const template = { name: 'To nobody', subject: 'x', body: '<p>x</p>', from: 'hello@example.com' }
  const { id: templateId } = await unwrap(posthorn.templates.create(template))
  const { id } = await unwrap(posthorn.workflows.create({ name: 'Reports', eventName: 'report-due' }))
  const config = { recipient: { type: 'CUSTOM', customEmail: '{{manager}}' } }
  await unwrap(
    posthorn.workflows.steps.create(id, { type: 'SEND_EMAIL', name: 'Tell the manager', config, templateId }),
  )
  await unwrap(posthorn.workflows.update(id, { enabled: true }))
  await unwrap(posthorn.events.track({ email: 'unmanaged@example.org', event: 'report-due' }))
  const failed = async () => (await unwrap(posthorn.workflows.executions.list(id, { status: 'FAILED' }))).total
  await expect.poll(failed).toBe(1)
  await page.goto(inProject(''))
  await heading('Overview').waitFor()
  const alert = page
    .getByRole('listitem')
    .filter({ hasText: 'The step “Tell the manager” in “Reports” failed for 1 contact' })
  await alert.getByText('Last error: "" is not an email address.').waitFor()
  await alert.getByRole('link', { name: 'View failures' }).click()
  await page.getByRole('row').filter({ hasText: 'unmanaged@example.org' }).getByText('Failed').waitFor()
  opened.expectNoErrors()
})

it('a row is a link everywhere, so that a click opens it and a middle click opens a new tab', async () => {
  const { id } = await unwrap(posthorn.contacts.upsert({ email: 'row@example.org', data: { plan: 'pro' } }))
  await page.goto(inProject('contacts?search=row@example.org'))
  const cell = page.getByRole('row').filter({ hasText: 'row@example.org' }).locator('time')
  await cell.waitFor()
  await waitUntilStable(page)
  const { x, y, width, height } = (await cell.boundingBox())!
  const linkAt = `document.elementFromPoint(${x + width / 2}, ${y + height / 2}).closest('a').href`
  expect(await page.evaluate(linkAt)).toBe(inProject(`contacts/${id}`))
  await cell.click({ force: true })
  await heading('row@example.org').waitFor()
  opened.expectNoErrors()
})

it('pages, lists and search can be reached by keyboard, and a dialog lists the shortcuts', async () => {
  for (const name of ['a', 'b']) await unwrap(posthorn.contacts.upsert({ email: `${name}@keys.example.org` }))
  await page.goto(inProject(''))
  await heading('Overview').waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Next row').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await heading('Contacts').waitFor()
  await page.getByRole('link', { name: 'b@keys.example.org' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('keys')
  await page.waitForURL(/search=keys/)
  await page.getByText('2 contacts', { exact: true }).waitFor()
  await page.evaluate('document.activeElement.blur()')
  for (const key of ['j', 'j', 'ArrowUp', 'ArrowDown', 'x']) await page.keyboard.press(key)
  await page.getByRole('toolbar').getByText('1 contact selected').waitFor()
  expect(await page.getByLabel('Select a@keys.example.org').isChecked()).toBe(true)
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await heading('b@keys.example.org').waitFor()
  opened.expectNoErrors()
})

it('Ctrl+S saves the page', async () => {
  const { id } = await unwrap(posthorn.segments.create({ name: 'Before', type: 'STATIC' }))
  await page.goto(inProject(`segments/${id}/edit`))
  await page.getByLabel('Name').fill('After')
  await page.keyboard.press('ControlOrMeta+s')
  await heading('After').waitFor()
  opened.expectNoErrors()
})

it('the command palette finds emails, settings, projects and actions', async () => {
  await sendEmail('palette@example.org', 'Palette news')
  await page.goto(inProject(''))
  await heading('Overview').waitFor()
  const search = async (text: string) => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByPlaceholder('Search or jump to').fill(text)
  }
  await search('Palette news')
  await page.getByRole('option', { name: 'Palette news to palette@example.org' }).click()
  await heading('Palette news').waitFor()
  await search('api keys')
  await page.getByRole('option', { name: 'API keys' }).waitFor()
  await page.keyboard.press('Escape')
  await search('My project')
  await page.getByRole('option', { name: 'My project' }).waitFor()
  await page.keyboard.press('Escape')
  await search('add contact')
  await page.getByRole('option', { name: 'Add contact' }).click()
  await page.getByRole('dialog', { name: 'Add contact' }).waitFor()
  opened.expectNoErrors()
})

it('results that arrive late leave the selection of the command palette where the arrow keys moved it', async () => {
  await unwrap(posthorn.contacts.upsert({ email: 'settings@example.org' }))
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/\/contacts\?.*search=settings/, async (route) => {
    await answered
    await route.continue()
  })
  await page.goto(inProject(''))
  await heading('Overview').waitFor()
  await page.keyboard.press('ControlOrMeta+k')
  const requested = page.waitForRequest(/\/contacts\?.*search=settings/)
  await page.getByPlaceholder('Search or jump to').fill('settings')
  await requested
  await page.keyboard.press('ArrowDown')
  const selected = page.getByRole('dialog').getByRole('option', { selected: true })
  const chosen = await selected.textContent()
  answer()
  await page.getByRole('option', { name: 'settings@example.org' }).waitFor()
  await expect.poll(() => selected.textContent()).toBe(chosen)
  // The next text selects its own first result again.
  await page.getByPlaceholder('Search or jump to').fill('settings@')
  await expect.poll(() => selected.textContent()).toBe('settings@example.org')
  opened.expectNoErrors()
})

it('analytics compares periods, shows rates and breakdowns, and exports them as CSV', async () => {
  const id = await sendEmail('numbers@stats.example.org', 'Numbers')
  const status = async () => (await unwrap(posthorn.emails.get(id))).status
  await expect.poll(status).toBe('DELIVERED')
  await unwrap(posthorn.emails.simulate(id, { outcome: 'open' }))
  const { totals, openRate } = await unwrap(posthorn.activity.stats())
  await page.goto(inProject('analytics'))
  const figure = (name: string) => page.locator('dl > div').filter({ hasText: name })
  const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })
  await expect.poll(() => figure('Sent').textContent()).toBe(`Sent${totals.sent}`)
  const opens = totals.opened === 1 ? '1 email' : `${totals.opened} emails`
  expect(await figure('Opened').textContent()).toBe(`Opened${percent.format(openRate)}${opens}`)
  await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Rates' })
  await page.getByLabel('Compare open rate with previous period').check()
  await page.waitForURL(/show=rates.*compare=1|compare=1.*show=rates/)
  await page.getByRole('tab', { name: 'Recipient domains' }).click()
  const row = page.getByRole('row').filter({ hasText: 'stats.example.org' })
  await row.waitFor()
  const [name, ...numbers] = await row.getByRole('cell').allTextContents()
  expect(name).toMatch(/^stats\.example\.org/)
  expect(numbers).toEqual(['1', '100%', '100%', '0%', '0%', '0%'])
  const download = page.waitForEvent('download')
  await page.getByRole('region', { name: 'Breakdown' }).getByRole('button', { name: 'Export CSV' }).click()
  const file = await (await download).createReadStream()
  const csv = Buffer.concat(await file.toArray()).toString()
  expect(csv).toContain('Domain,Sent,Delivered,Opened,Clicked,Bounced,Spam complaints\r\n')
  expect(csv).toContain('stats.example.org,1,1,1,0,0,0\r\n')
  opened.expectNoErrors()
})

it('the most frequent events are counted above the list, and selecting one filters it', async () => {
  for (const email of ['counted-1@example.org', 'counted-1@example.org', 'counted-2@example.org'])
    await unwrap(posthorn.events.track({ email, event: 'opened-report' }))
  await page.goto(inProject('events'))
  await page.getByRole('button', { name: 'opened-report 3 from 2 contacts' }).click()
  await page.waitForURL(/name=opened-report/)
  const rows = page.getByRole('row').filter({ hasText: 'opened-report' })
  await expect.poll(() => rows.count()).toBe(3)
  opened.expectNoErrors()
})

it('the list of events starts with tracked events, and shows the others on request', async () => {
  const segment = await unwrap(
    posthorn.segments.create({ name: 'Beta testers!', type: 'STATIC', trackMembership: true }),
  )
  await unwrap(posthorn.events.track({ email: 'tester@example.org', event: 'joined-tests', data: { seat: 4 } }))
  await unwrap(posthorn.segments.addMembers(segment.id, { emails: ['tester@example.org'] }))
  await page.goto(inProject('events'))
  const table = page.getByRole('table')
  await table.getByRole('row').filter({ hasText: 'joined-tests' }).getByText('seat: 4').waitFor()
  expect(await table.getByText('Entered segment').count()).toBe(0)
  await page.getByRole('button', { name: 'Entered segment “Beta testers!” 1 contact' }).waitFor()
  await choose(page.getByLabel('Event name'), 'All events')
  await page.waitForURL(/show=all/)
  await table.getByText('Entered segment “Beta testers!”').waitFor()
  await page.getByRole('button', { name: 'Track an event' }).click()
  const example = page.getByRole('dialog').getByText('/v1/track')
  expect(await example.textContent()).toContain('"plan": { "value": "pro", "persistent": false }')
  await page.getByRole('checkbox', { name: 'Store the properties as contact fields too' }).check()
  expect(await example.textContent()).toContain('"data": { "plan": "pro" }')
  opened.expectNoErrors()
})

it('the list of workflows shows how many executions are active and how many were completed', async () => {
  const { id } = await unwrap(posthorn.workflows.create({ name: 'Counted', eventName: 'joined-beta' }))
  await unwrap(posthorn.workflows.steps.create(id, { type: 'EXIT', config: {} }))
  await unwrap(posthorn.workflows.update(id, { enabled: true }))
  await unwrap(posthorn.events.track({ email: 'counted-3@example.org', event: 'joined-beta' }))
  const counts = async () => (await unwrap(posthorn.workflows.counts())).find(({ workflowId }) => workflowId === id)
  await expect.poll(counts).toMatchObject({ active: 0, completed: 1 })
  await page.goto(inProject('workflows'))
  const row = page.getByRole('row').filter({ hasText: 'Counted' })
  await expect.poll(() => row.getByRole('cell').allTextContents()).toContain('1')
  expect((await row.getByRole('cell').allTextContents()).slice(3, 5)).toEqual(['0', '1'])
  opened.expectNoErrors()
})

it('the list, feed and analytics pages pass the accessibility and width checks', () =>
  dashboard.expectAccessible([
    'activity',
    'analytics',
    'analytics?by=domain&show=rates',
    'emails',
    'segments',
    'events',
  ]))

it('a contact is chosen by name with the keyboard, and an earlier search that takes longer doesn’t count', async () => {
  const people = { p1: 'Grace Hopper', p2: 'Gregor Mendel' }
  for (const [local, name] of Object.entries(people))
    await unwrap(posthorn.contacts.upsert({ email: `${local}@picker.example.org`, data: { name } }))
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/search=Gr(&|$)/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto(inProject('templates/new'))
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const field = page.getByRole('combobox', { name: 'Preview as' })
  const earlier = page.waitForRequest(/search=Gr(&|$)/)
  await field.fill('Gr')
  await earlier
  await field.fill('Grace')
  await field.press('Enter') // before there are results
  await expect.poll(() => field.inputValue()).toBe('p1@picker.example.org')
  const late = page.waitForResponse(/search=Gr(&|$)/)
  release()
  await late
  expect(await field.inputValue()).toBe('p1@picker.example.org')

  await field.press('ArrowDown')
  await page.getByRole('option', { name: 'Grace Hopper', selected: true }).waitFor()
  expect(await checkPage(page)).toEqual([])
  await field.press('Escape')
  expect(await field.getAttribute('aria-expanded')).toBe('false')
  await field.fill('mendel')
  await page.getByRole('option', { name: 'p2@picker.example.org' }).waitFor()
  await field.press('Tab')
  await expect.poll(() => field.inputValue()).toBe('p2@picker.example.org')
  await field.fill('nobody at all')
  await page.getByText('No matches', { exact: true }).first().waitFor()
  await field.press('Tab') // what was chosen before stays
  await expect.poll(() => field.inputValue()).toBe('p2@picker.example.org')
  opened.expectNoErrors()
})

it('tags are added in a list, filter it, and are removed again', async () => {
  const content = { subject: 'Hi', body: '<p>Hi</p>', from: 'hello@example.com' }
  await unwrap(posthorn.templates.create({ name: 'Receipt', ...content }))
  await unwrap(posthorn.templates.create({ name: 'Reminder', ...content }))
  await page.goto(inProject('templates'))
  const row = page.getByRole('row').filter({ hasText: 'Receipt' })
  await row.hover()
  await row.getByRole('button', { name: 'Add tag to Receipt' }).click()
  await page.getByRole('combobox', { name: 'Tag', exact: true }).fill('billing')
  await page.keyboard.press('Enter')
  await row.getByRole('button', { name: 'Remove tag billing' }).waitFor()
  await page.keyboard.press('Escape')
  await row.getByRole('link', { name: 'Show everything tagged billing' }).click()
  await page.waitForURL(/tag=billing/)
  await page.getByRole('link', { name: 'Reminder', exact: true }).waitFor({ state: 'detached' })
  await row.waitFor()
  const tagsOf = async () => (await unwrap(posthorn.templates.list({ tag: 'billing' }))).data.map(({ name }) => name)
  expect(await tagsOf()).toEqual(['Receipt'])
  await row.hover()
  await row.getByRole('button', { name: 'Edit tags for Receipt' }).click()
  await row.getByRole('button', { name: 'Remove tag billing' }).click()
  await expect.poll(tagsOf).toEqual([])
  opened.expectNoErrors()
})

it('on a phone, the filters of a list stay readable, and its cells keep their distance from the edges', async () => {
  await unwrap(
    posthorn.templates.create({ name: 'On a phone', subject: 'Hi', from: 'hello@example.com', body: '<p>Hi</p>' }),
  )
  await page.setViewportSize(PHONE)
  await page.goto(inProject('templates'))
  const row = page.getByRole('row').filter({ hasText: 'On a phone' })
  await row.waitFor()
  for (const filter of await page.getByRole('combobox').all())
    expect((await filter.boundingBox())!.width).toBeGreaterThanOrEqual(144)
  const padding = (cell: Locator, side: 'left' | 'right') =>
    cell.evaluate(
      (one, name) => one.ownerDocument.defaultView!.getComputedStyle(one).getPropertyValue(name),
      `padding-${side}`,
    )
  const cells = row.getByRole('cell')
  expect([await padding(cells.first(), 'left'), await padding(cells.last(), 'right')]).toEqual(['20px', '20px'])

  await page.getByRole('button', { name: 'More actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Layouts and saved blocks' }).click()
  await heading('Layouts and saved blocks').waitFor()
  opened.expectNoErrors()
})

it('suppressions that match a search are removed at once, after their number is confirmed', async () => {
  for (const email of ['bulk-1@example.org', 'bulk-2@example.org', 'kept@example.org'])
    await unwrap(posthorn.suppressions.create({ email }))
  await page.goto(inProject('suppressions?search=bulk-'))
  await page.getByLabel('Select bulk-1@example.org').waitFor()
  await page.getByLabel('Select all suppressions on this page').check()
  await page.getByRole('toolbar').getByText('2 suppressions selected').waitFor()
  await page.getByRole('toolbar').getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('2')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove 2 suppressions' }).click()
  await page.getByText('2 suppressions removed.').waitFor()
  const left = (await unwrap(posthorn.suppressions.list())).data.map(({ email }) => email)
  expect(left).toEqual(['kept@example.org'])
})
