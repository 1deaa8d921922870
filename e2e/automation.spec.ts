/** What the dashboard shows about automation: who starts a workflow, why an email was sent, and what a campaign will and did do. */
import { afterAll, beforeAll, expect } from 'vitest'
import { Posthorn, unwrap } from '../sdk/index.ts'
import { itInBrowser as it } from './browser.ts'
import { publish, stepBox } from './pages/workflow-page.ts'
import { type Dashboard, type OpenedPage, openSharedDashboard } from './use-dashboard.ts'

const CONTENT = { subject: 'News', body: '<p>What happened this week.</p>', from: 'hello@example.com' }

let dashboard: Dashboard
/** All tests use the same page and continue where the one before ended. */
let opened: OpenedPage
let adaId: string
let workflowId: string

beforeAll(async () => {
  dashboard = await openSharedDashboard()
  opened = await dashboard.openPage()
})
afterAll(() => dashboard?.close())

async function importContacts(csv: string) {
  const { posthorn } = dashboard
  const { jobId } = await unwrap(posthorn.contacts.import(csv))
  await expect.poll(async () => (await unwrap(posthorn.contacts.getImport(jobId))).status).toBe('COMPLETED')
}

async function sendCampaign(name: string) {
  const { posthorn } = dashboard
  const { id } = await unwrap(posthorn.campaigns.create({ ...CONTENT, name, audienceType: 'ALL' }))
  await unwrap(posthorn.campaigns.send(id))
  await expect.poll(async () => (await unwrap(posthorn.campaigns.get(id))).status).toBe('SENT')
  return id
}

it('a workflow is enabled for contacts who enter a segment and for those who are in it now', async () => {
  const { posthorn } = dashboard
  const { page } = opened
  await importContacts('email\nada@example.org\nbob@example.org\n')
  const { data: contacts } = await unwrap(posthorn.contacts.list({ search: 'ada@example.org' }))
  adaId = contacts[0]!.id
  const { id: segmentId } = await unwrap(
    posthorn.segments.create({ name: 'Testers', type: 'STATIC', trackMembership: true } as never),
  )
  await unwrap(posthorn.segments.addMembers(segmentId, { emails: ['ada@example.org', 'bob@example.org'] }))
  const template = await unwrap(posthorn.templates.create({ ...CONTENT, name: 'Welcome', type: 'TRANSACTIONAL' }))
  const { id } = await unwrap(posthorn.workflows.create({ name: 'For testers', eventName: 'segment.testers.entry' }))
  workflowId = id
  await unwrap(
    posthorn.workflows.steps.create(id, {
      type: 'SEND_EMAIL',
      name: 'Say hello',
      config: { templateId: template.id },
    }),
  )

  await page.goto(dashboard.inProject(`workflows/${id}`))
  await page.getByRole('button', { name: 'Enable workflow' }).click()
  const dialog = page.getByRole('dialog', { name: 'Enable this workflow' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await unwrap(posthorn.workflows.get(id))).enabled).toBe(false)
  await page.getByRole('button', { name: 'Enable workflow' }).click()
  await dialog.getByRole('radio', { name: /^Also those who are in it now/ }).check({ force: true })
  await dialog.getByRole('button', { name: 'Enable workflow' }).click()
  await page.getByText('Enabled', { exact: true }).waitFor()
  const completed = async () => (await unwrap(posthorn.workflows.executions.list(id, { status: 'COMPLETED' }))).total
  await expect.poll(completed).toBe(2)
  opened.expectNoErrors()
})

it('each version of a workflow has its own numbers', async () => {
  const { posthorn } = dashboard
  const { page } = opened
  await stepBox(page, 'Say hello').click()
  await page.getByRole('form', { name: 'Step', exact: true }).getByLabel('Name').fill('Greet')
  await publish(page)
  const cleo = await unwrap(posthorn.contacts.upsert({ email: 'cleo@example.org' }))
  await unwrap(posthorn.workflows.executions.start(workflowId, { contactId: cleo.id }))
  const completed = async () =>
    (await unwrap(posthorn.workflows.executions.list(workflowId, { status: 'COMPLETED' }))).total
  await expect.poll(completed).toBe(3)
  await page.reload()
  await page.getByRole('button', { name: 'Show versions' }).click()
  const numbersOf = (version: string) => page.getByRole('listitem').filter({ hasText: version }).textContent()
  await page.getByText('1 contact started').waitFor()
  expect(await numbersOf('Version 2')).toContain('1 contact started · 100% completed · 0% failed')
  expect(await numbersOf('Version 1')).toContain('2 contacts started · 100% completed · 0% failed')
  opened.expectNoErrors()
})

it('the timeline of a contact says why each email was sent, and shows imports', async () => {
  const { posthorn } = dashboard
  const { page } = opened
  await importContacts('email,city\nada@example.org,Oslo\n')
  const { key } = await unwrap(posthorn.apiKeys.create({ name: 'Shop', scopes: ['send'] }))
  const shop = new Posthorn(key, { baseUrl: dashboard.service.baseUrl })
  await unwrap(shop.emails.send({ ...CONTENT, to: 'ada@example.org', subject: 'Your order' }))
  await sendCampaign('Weekly')
  await page.goto(dashboard.inProject(`contacts/${adaId}`))
  const timeline = page.getByRole('list', { name: 'Timeline' })
  await timeline.getByText('Campaign “Weekly”').waitFor()
  await timeline.getByText('API, key “Shop”').waitFor()
  await timeline.getByText('Workflow “For testers”, step “Greet”').waitFor()
  await timeline.getByRole('link', { name: 'Created by an import' }).waitFor()
  await timeline.getByRole('link', { name: 'Changed by an import' }).click()
  await page.getByText('Import completed').waitFor()
  opened.expectNoErrors()
})

it('a campaign is compared with earlier ones at the same age', async () => {
  const { page } = opened
  const id = await sendCampaign('The week after')
  // The earlier one is compared once this one has the age at which that one had sent its emails.
  await expect.poll(async () => (await unwrap(dashboard.posthorn.campaigns.compare(id))).earlier.length).toBe(1)
  await page.goto(dashboard.inProject(`campaigns/${id}`))
  const comparison = page.getByRole('region', { name: 'Compared with 1 earlier campaign at the same age' }).last()
  await comparison.getByRole('row').filter({ hasText: 'This campaign' }).waitFor()
  await comparison.getByRole('link', { name: 'Weekly' }).waitFor()
  opened.expectNoErrors()
})

it('before a campaign is sent, its dialog shows who will be skipped and what its variants lack', async () => {
  const { posthorn } = dashboard
  const { page } = opened
  const settings = `${dashboard.service.baseUrl}/users/@me/projects/${dashboard.projectId}`
  const saved = await opened.context.request.patch(settings, { data: { frequencyCap: { emails: 2, days: 7 } } })
  expect(saved.status()).toBe(200)
  await importContacts('email,subscribed\ndan@example.org,false\neve@example.org,true\n')
  const { id } = await unwrap(posthorn.campaigns.create({ ...CONTENT, name: 'Next', audienceType: 'ALL' }))
  await unwrap(
    posthorn.campaigns.setExperiment(id, {
      variants: [{ name: 'Calm' }, { name: 'Loud', body: '<p>What happened.</p><a href="/week">The week</a>' }],
      share: 50,
      metric: 'opens',
      waitMinutes: 60,
      winner: 'automatic',
    }),
  )
  await page.goto(dashboard.inProject(`campaigns/${id}`))
  await page.getByRole('button', { name: 'Send campaign', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('3 who have reached the frequency cap, 1 not subscribed').waitFor()
  await dialog.getByText(/^Error: Variant Loud: /).waitFor()
  expect(await dialog.getByText('Variant Calm').count()).toBe(0)
  opened.expectNoErrors()
})

it('the activity page shows events as they occur', async () => {
  const { page } = opened
  await page.goto(dashboard.inProject('activity'))
  await page.getByText('Live', { exact: true }).waitFor()
  await unwrap(dashboard.posthorn.events.track({ email: 'live@example.org', event: 'just-now' }))
  await page.getByRole('listitem').filter({ hasText: 'just-now' }).waitFor()
  opened.expectNoErrors()
})
