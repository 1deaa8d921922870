/** Segments by behavior: the editor of counts, periods and properties, and the page of such a segment. */
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

it('a segment by how often contacts did something is made without code, and reads as a sentence', async () => {
  const { posthorn } = dashboard
  for (const [name, total] of [
    ['often', 60],
    ['often', 80],
    ['rarely', 90],
    ['cheaply', 10],
    ['cheaply', 20],
  ] as const) {
    const data = { total: { value: total, persistent: false } }
    await unwrap(posthorn.events.track({ email: `${name}@shop.example.org`, event: 'purchase', data }))
  }
  await page.goto(dashboard.inProject('segments/new'))
  await page.getByLabel('Name', { exact: true }).fill('Big spenders')
  await choose(page.getByLabel('Field', { exact: true }), 'purchase')
  await page.getByLabel('Operator', { exact: true }).selectOption({ label: 'at least' })
  await page.getByLabel('Number of times').fill('2')
  const preview = page.getByRole('region', { name: 'Matching contacts' })
  await preview.getByText('cheaply@shop.example.org').waitFor()
  await page.getByLabel('Period').selectOption({ label: 'within the last' })
  await page.getByRole('button', { name: 'Only those with a property' }).click()
  await page.getByLabel('Property', { exact: true }).fill('total')
  await page.getByLabel('Operator', { exact: true }).nth(1).selectOption({ label: 'is greater than' })
  await page.getByLabel('Value', { exact: true }).last().fill('50')
  await preview.getByText('cheaply@shop.example.org').waitFor({ state: 'detached' })
  await preview.getByText('often@shop.example.org').waitFor()
  await page.getByRole('button', { name: 'Create segment' }).click()
  await page.getByRole('heading', { level: 1, name: 'Big spenders' }).waitFor()
  await page.getByText('purchase at least 2 times within the last 30 days, where total is greater than 50').waitFor()
  await page.getByRole('heading', { level: 2, name: /^1 contact, .*% of all contacts$/ }).waitFor()
  await page.getByText('It appears when sizes of two days are recorded.').waitFor()
  const { data: segments } = await posthorn.segments.list()
  expect(segments?.[0]?.condition?.groups[0]?.filters).toEqual([
    {
      field: 'event.purchase',
      operator: 'countAtLeast',
      value: 2,
      within: { value: 30, unit: 'days' },
      where: [{ property: 'total', operator: 'greaterThan', value: 50 }],
    },
  ])
  opened.expectNoErrors()
})
