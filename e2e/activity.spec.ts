/** The activity feed: one entry for an email or a series, and a time that is visible at every width. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Posthorn, unwrap } from '../sdk/index.ts'
import { itInBrowser as it } from './browser.ts'
import { choose } from './choose.ts'
import { PHONE } from './dashboard.ts'
import { type OpenedPage, useDashboard } from './use-dashboard.ts'

let opened: OpenedPage
let page: Page
let posthorn: Posthorn
let inProject: (path: string) => string

useDashboard((nextPage, dashboard) => {
  opened = nextPage
  page = opened.page
  ;({ posthorn, inProject } = dashboard)
})

const sendEmail = async (to: string, subject: string) =>
  (await unwrap(posthorn.emails.send({ to, subject, from: 'hello@example.com', body: '<p>Hi</p>' }))).emails[0]!.email

it('an email is one entry of the activity feed, with its states, and links to the email', async () => {
  const id = await sendEmail('states@example.org', 'One entry')
  const status = async () => (await unwrap(posthorn.emails.get(id))).status
  await expect.poll(status).toBe('DELIVERED')
  await page.goto(inProject('activity'))
  await page.getByText('Live', { exact: true }).waitFor()
  const entry = page.getByRole('list', { name: 'Activity' }).locator(':scope > li').filter({ hasText: 'One entry' })
  await entry.getByText('Delivered').waitFor()
  await unwrap(posthorn.emails.simulate(id, { outcome: 'open' }))
  await entry.getByText('Opened').waitFor()
  expect(await entry.count()).toBe(1)
  expect(await entry.getByRole('list').textContent()).toBe('SentDeliveredOpened')
  await unwrap(posthorn.events.track({ email: 'states@example.org', event: 'signed-up' }))
  await choose(page.getByLabel('Type'), 'All tracked events')
  await page.waitForURL(/type=tracked/)
  await page.getByRole('link', { name: 'signed-up' }).waitFor()
  expect(await entry.count()).toBe(0)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await entry.getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'One entry' }).waitFor()
  opened.expectNoErrors()
})

it('a series of the same event is one entry of the activity feed, which opens', async () => {
  for (const name of ['ada', 'bea', 'carl'])
    await unwrap(posthorn.events.track({ email: `${name}@example.org`, event: 'repeated' }))
  await page.goto(inProject('activity?type=repeated'))
  const series = page.getByRole('button', { name: 'repeated 3 contacts' })
  await series.click()
  expect(await page.getByRole('link', { name: 'repeated' }).count()).toBe(3)
  await series.click()
  expect(await page.getByRole('link', { name: 'repeated' }).count()).toBe(0)
  opened.expectNoErrors()
})

it('the time of an entry is visible in the activity feed at every width', async () => {
  await sendEmail('maximiliane.von-und-zu-hohenstein-wiesenfeld+newsletter@marketing.example.org', 'Long'.repeat(40))
  await page.goto(inProject('activity'))
  for (const width of [1600, 1280, 1024, 768, PHONE.width, 320]) {
    await page.setViewportSize({ width, height: 800 })
    const times = page.getByRole('list', { name: 'Activity' }).locator('time')
    await times.first().waitFor()
    const hidden = await times.evaluateAll((all, screen) => {
      const isVisible = (element: (typeof all)[number]) => {
        const { left, right, top } = element.getBoundingClientRect()
        const card = element.closest('section')!.getBoundingClientRect()
        return left >= 0 && right <= screen && right <= card.right && top >= card.top
      }
      return all.filter((element) => !isVisible(element)).map((element) => element.textContent)
    }, width)
    expect({ width, hidden }).toEqual({ width, hidden: [] })
  }
  opened.expectNoErrors()
})
