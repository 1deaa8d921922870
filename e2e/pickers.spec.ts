/** Lists that are searched by typing, where a project can have many of what is chosen: tags, layouts, keys and templates. */
import type { Page } from 'playwright-core'
import { beforeEach, expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { itInBrowser as it } from './browser.ts'
import { choose } from './choose.ts'
import { type Dashboard, type OpenedPage, useDashboard } from './use-dashboard.ts'

let dashboard: Dashboard
let opened: OpenedPage
let page: Page
useDashboard((nextPage, itsDashboard) => {
  dashboard = itsDashboard
  opened = nextPage
  page = opened.page
})
beforeEach(() => () => opened.expectNoErrors())

const CONTENT = { subject: 'Hi', body: '<p>Hi</p>', from: 'hello@example.com' }

it('tags are suggested while one is typed, chosen with the keyboard, and filter the list', async () => {
  const { templates, tags } = dashboard.posthorn
  const { id } = await unwrap(templates.create({ name: 'Invoice', ...CONTENT, tags: ['billing', 'monthly'] }))
  await unwrap(templates.create({ name: 'Reminder', ...CONTENT }))
  await page.goto(dashboard.inProject('templates'))
  const row = page.getByRole('row').filter({ hasText: 'Reminder' })
  await row.hover()
  await row.getByRole('button', { name: 'Add tag to Reminder' }).click()
  await row.getByRole('combobox', { name: 'Tag' }).pressSequentially('bill')
  await page.getByRole('option', { name: 'billing' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await row.getByRole('button', { name: 'Remove tag billing' }).waitFor()
  await page.keyboard.type('new')
  await page.keyboard.press('Enter')
  await row.getByRole('button', { name: 'Remove tag new' }).waitFor()
  await page.keyboard.press('Escape') // closes the suggestions
  await page.keyboard.press('Escape')
  await expect
    .poll(async () => (await unwrap(tags.list())).map(({ tag }) => tag))
    .toEqual(['billing', 'monthly', 'new'])

  await choose(page.getByRole('combobox', { name: 'Tag', exact: true }), 'monthly')
  await page.waitForURL(/tag=monthly/)
  await row.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Invoice' }).waitFor()
  await unwrap(templates.delete(id))
})

it('the layout of an email is found by its name', async () => {
  const { layouts, templates } = dashboard.posthorn
  for (const name of ['Winter', 'Spring', 'Summer']) await unwrap(layouts.create({ name, header: [], footer: [] }))
  const document = { version: 1, blocks: [{ id: 'a', type: 'divider' }] } as const
  const { subject, from } = CONTENT
  const { id } = await unwrap(templates.create({ name: 'Letter', subject, from, document } as never))
  await page.goto(dashboard.inProject(`templates/${id}`))
  await choose(page.getByRole('combobox', { name: 'Layout' }), 'Summer')
  await page.keyboard.press('ControlOrMeta+s')
  await expect
    .poll(async () => (await unwrap(templates.get(id))).document?.layoutId)
    .toBe((await unwrap(layouts.list())).find(({ name }) => name === 'Summer')!.id)
})

it('the graph of a workflow names its template, even if a hundred others were edited later', async () => {
  const { workflows, templates } = dashboard.posthorn
  const template = await unwrap(templates.create({ name: 'The very first', ...CONTENT }))
  await Promise.all(Array.from({ length: 101 }, (_, i) => unwrap(templates.create({ name: `Later ${i}`, ...CONTENT }))))
  const workflow = await unwrap(workflows.create({ name: 'Welcome' }))
  await unwrap(workflows.steps.create(workflow.id, { type: 'SEND_EMAIL', config: {}, templateId: template.id }))
  await page.goto(dashboard.inProject(`workflows/${workflow.id}`))
  await page.getByText('The very first').first().waitFor()
})
