/** Webhook endpoints in the dashboard: adding one, its test in the log, the attempts of a delivery, and the secret. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { itInBrowser as it } from './browser.ts'
import { choose } from './choose.ts'
import { type Dashboard, type OpenedPage, useDashboard } from './use-dashboard.ts'

let dashboard: Dashboard
let opened: OpenedPage
let page: Page

useDashboard((nextPage, nextDashboard) => {
  dashboard = nextDashboard
  opened = nextPage
  page = opened.page
})

it('an endpoint is added, tested, and shows each attempt and its secret', async () => {
  await page.goto(dashboard.inProject('webhooks'))
  await page.getByText('No webhook endpoints').waitFor()
  await page.getByRole('button', { name: 'Add endpoint' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').fill('http://127.0.0.1:9/hook') // a port that is never called
  await dialog.getByLabel('All events').uncheck()
  await dialog.getByLabel('email.bounce').check()
  await dialog.getByLabel('Your own events').fill('signup')
  await dialog.getByText('"type": "email.bounce"').waitFor()
  await choose(dialog.getByLabel('Example of', { exact: true }), 'campaign.sent')
  await dialog.getByText('"type": "campaign.sent"').waitFor()
  await dialog.getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByRole('heading', { level: 1, name: 'http://127.0.0.1:9/hook' }).waitFor()
  const endpoint = new URL(page.url()).pathname.split('/').at(-1)

  await page.getByRole('button', { name: 'Send test' }).click()
  await choose(dialog.getByLabel('Event'), 'email.bounce')
  await dialog.getByRole('button', { name: 'Send test' }).click()
  await dialog.getByText('Port 9 is not allowed').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'email.bounce' }).click()
  await page.getByRole('dialog').getByText('Port 9 is not allowed for HTTP requests.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Replay delivery' }).click()
  await page.getByText('The event will be sent again.').waitFor()
  await page.getByText('Waiting deliveries').waitFor()

  await page.getByRole('button', { name: 'Actions of the endpoint' }).click()
  await page.getByRole('menuitem', { name: 'Replay deliveries' }).click()
  await dialog.getByLabel('Deliveries').selectOption('all')
  await dialog.getByRole('button', { name: 'Replay deliveries' }).click()
  await page.getByText('No delivery of that time matches.').waitFor()

  await page.getByRole('button', { name: 'Actions of the endpoint' }).click()
  await page.getByRole('menuitem', { name: 'Show secret' }).click()
  await page.getByText(/^whsec_/).waitFor()
  await page.keyboard.press('Escape')
  await page.goto(dashboard.inProject('webhooks'))
  await page.getByRole('link', { name: 'http://127.0.0.1:9/hook' }).waitFor()
  const alignments = await page
    .locator('th, td')
    .evaluateAll((cells) => cells.map((one) => one.ownerDocument.defaultView!.getComputedStyle(one).textAlign))
  expect(new Set(alignments)).toEqual(new Set(['start']))
  await page.getByText('Failing', { exact: true }).waitFor()
  await page.goto(dashboard.inProject(''))
  await page.getByText('Requests to the webhook endpoint http://127.0.0.1:9/hook are failing.').waitFor()
  opened.expectNoErrors()

  const { posthorn } = dashboard
  const topic = { key: 'offers', name: 'Offers', defaultSubscribed: false, isPublic: false }
  await unwrap(posthorn.topics.create(topic))
  await expect.poll(async () => (await unwrap(posthorn.requests.list())).data.length).toBeGreaterThan(0)
  const [request] = (await unwrap(posthorn.requests.list())).data
  await dashboard.expectAccessible([
    'webhooks',
    `webhooks/${endpoint}`,
    'requests',
    `requests/${request!.id}`,
    'topics',
    'contacts/pending',
  ])
})
