/** Undo and redo of an email, with the keys that everybody uses, wherever the caret is. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { itInBrowser as it } from './browser.ts'
import { choose } from './choose.ts'
import { block, openNewTemplate, paletteButton, text, typesInto } from './pages/editor-page.ts'
import { type Dashboard, openSharedDashboard } from './use-dashboard.ts'

let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await openSharedDashboard()
})
afterAll(() => dashboard?.close())

const UNDO = 'ControlOrMeta+z'
const REDO = 'ControlOrMeta+Shift+z'
/** Longer than the letters of one step are apart. */
const pause = (page: Page) => page.waitForTimeout(1_600)
const subject = (page: Page) => page.getByLabel('Subject')
const preheader = (page: Page) => page.getByLabel('Preheader')
const expectText = (page: Page, pattern: RegExp) => expect.poll(() => text(page, 'Text').textContent()).toMatch(pattern)

it('Ctrl+Z and Ctrl+Shift+Z work with the caret in a text, also after formatting, and typing continues there', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await openNewTemplate(dashboard, page, 'Keys')
  await text(page, 'Text').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' one')
  await pause(page)
  await page.keyboard.type(' two')
  await expectText(page, / one two$/)
  await page.keyboard.press(UNDO)
  await expectText(page, / one$/)
  await page.keyboard.press(REDO)
  await expectText(page, / one two$/)
  await page.keyboard.press('ControlOrMeta+y') // nothing to redo
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('ControlOrMeta+b')
  await text(page, 'Text').locator('strong').first().waitFor()
  await page.keyboard.press(UNDO)
  await text(page, 'Text').locator('strong').waitFor({ state: 'detached' })
  await page.keyboard.press(UNDO)
  await expectText(page, / one$/)
  await page.keyboard.press('End')
  await page.keyboard.type(' more')
  await expectText(page, / one.* more|more/)
  expectNoErrors()
  await close()
})

it('subject, preheader, sender and content have one history, with the keys and the buttons', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await openNewTemplate(dashboard, page, 'One history')
  await pause(page)
  await subject(page).click()
  await page.keyboard.press('End')
  await page.keyboard.type(' for you')
  await preheader(page).click()
  await page.keyboard.type('A preheader')
  await text(page, 'Text').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' and more')
  await page.keyboard.press(UNDO)
  await expectText(page, /(?<! and more)$/)
  await page.keyboard.press(UNDO)
  expect(await preheader(page).inputValue()).toBe('')
  await subject(page).click()
  await page.keyboard.press(UNDO)
  expect(await subject(page).inputValue()).toBe('One history')
  for (let i = 0; i < 3; i++) await page.getByRole('button', { name: 'Redo' }).click()
  expect(await subject(page).inputValue()).toBe('One history for you')
  expect(await preheader(page).inputValue()).toBe('A preheader')
  await expectText(page, / and more$/)
  expectNoErrors()
  await close()
})

it('“Start from template” is one step that can be undone until the page is left, also after the message is gone', async () => {
  const { posthorn, inProject } = dashboard
  const content = {
    body: '<p>Autumn body</p>',
    from: 'autumn@example.com',
    fromName: 'Autumn',
    type: 'MARKETING' as const,
  }
  await unwrap(
    posthorn.templates.create({ name: 'Autumn', subject: 'Autumn subject', preheader: 'Leaves', ...content }),
  )
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(inProject('campaigns/new'))
  await subject(page).fill('My own subject')
  await preheader(page).fill('My own preheader')
  await text(page, 'Text').click()
  await page.keyboard.type('My own text. ')
  const select = page.getByLabel('Start from template')
  await choose(select, 'Autumn')
  await page.getByRole('button', { name: 'Replace content' }).click()
  await expect.poll(() => subject(page).inputValue()).toBe('Autumn subject')
  await page.getByText('Autumn <autumn@example.com>').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()

  await subject(page).click()
  await page.keyboard.press(UNDO)
  await text(page, 'Text').getByText('My own text.').waitFor()
  expect(await subject(page).inputValue()).toBe('My own subject')
  expect(await preheader(page).inputValue()).toBe('My own preheader')
  expect(await page.getByText('Autumn <autumn@example.com>').count()).toBe(0)
  expect(await select.inputValue()).toBe('')

  await subject(page).click()
  await page.keyboard.press(REDO)
  await page.getByLabel('Body (HTML with Liquid)').getByText('Autumn body').waitFor()
  expect(await subject(page).inputValue()).toBe('Autumn subject')
  expectNoErrors()
  await close()
})

it('code is undone in the same history as the subject', async () => {
  const { posthorn, inProject } = dashboard
  const { id } = await unwrap(
    posthorn.templates.create({ name: 'Code', subject: 'Code', body: '<p>Hello</p>', from: 'hello@example.com' }),
  )
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(inProject(`templates/${id}`))
  const body = page.getByLabel('Body (HTML with Liquid)')
  await body.click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('<p>More</p>')
  await subject(page).fill('Changed')
  await body.click()
  await page.keyboard.press(UNDO)
  expect(await subject(page).inputValue()).toBe('Code')
  await page.keyboard.press(UNDO)
  await expect.poll(() => body.textContent()).toBe('<p>Hello</p>')
  await page.keyboard.press(REDO)
  await expect.poll(() => body.textContent()).toContain('More')
  await page.keyboard.press(UNDO)
  await expect.poll(() => page.getByRole('button', { name: 'Saved', exact: true }).count()).toBe(1)
  expectNoErrors()
  await close()
})

it('a new button has its label focused and selected, and Space never scrolls while a block is selected', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await openNewTemplate(dashboard, page, 'Button')
  await paletteButton(page, 'Button').click()
  const label = page.getByRole('region', { name: 'Properties' }).getByLabel('Label')
  await expect.poll(() => label.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
  await page.keyboard.type('Buy now')
  await block(page, /^Button: Buy now/).waitFor()
  await page.keyboard.press('Escape')
  const scrolled = async () => (await page.locator('main').boundingBox())!.y
  const before = await scrolled()
  await page.keyboard.press('Space')
  await page.waitForTimeout(300)
  expect(await scrolled()).toBe(before)
  await paletteButton(page, 'Text').click()
  await typesInto(page, 'Text')
  await page.keyboard.type('a b')
  await expectText(page, /a b/)
  expectNoErrors()
  await close()
})
