/** What the editors offer around an email: alignment, versions, checks, branding and test emails. */
import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { checkPage } from './accessibility.ts'
import { itInBrowser as it } from './browser.ts'
import { choose } from './choose.ts'
import {
  announced,
  block,
  expectOutline,
  openNewTemplate,
  paletteButton,
  saveTemplate,
  text,
  typesInto,
} from './pages/editor-page.ts'
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

const newTemplate = (name: string, fields: { subject: string; body: string }) =>
  unwrap(dashboard.posthorn.templates.create({ name, from: 'hello@example.com', ...fields }))

const templateOf = (id: string) => unwrap(dashboard.posthorn.templates.get(id))

it('a new template is checked once it has a subject', async () => {
  await page.goto(dashboard.inProject('templates/new'))
  const checks = page.locator('details', { hasText: 'Checks' })
  await page.getByLabel('Name', { exact: true }).fill('Checked')
  await checks.locator('summary').click()
  await checks.getByText('Write a subject to check').waitFor()
  await page.getByLabel('Subject').fill('ACT NOW PLEASE')
  await checks.getByText('The subject is written in capital letters.').waitFor()
  // A finding that names the subject isn't followed by where it is.
  expect(await checks.getByRole('listitem').filter({ hasText: 'capital letters' }).textContent()).not.toContain(
    'Found in',
  )
  await checks.getByText('Found in the subject.').waitFor()
})

it('paragraphs and headings are aligned in the toolbar, as they are sent', async () => {
  await openNewTemplate(dashboard, page, 'Aligned')
  const align = (to: string) => page.getByRole('button', { name: `Align ${to}`, exact: true })
  await text(page, 'Text').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('In the middle')
  await align('center').click()
  await expect.poll(() => align('center').getAttribute('aria-pressed')).toBe('true')
  await text(page, 'Heading').click()
  await expect.poll(() => align('left').getAttribute('aria-pressed')).toBe('true')
  await align('right').click()
  await expect.poll(() => align('right').getAttribute('aria-pressed')).toBe('true')

  const { document, body } = await templateOf(await saveTemplate(page))
  expect(document?.blocks.slice(0, 2)).toMatchObject([
    { type: 'heading', align: 'right' },
    {
      type: 'text',
      content: [{ type: 'paragraph' }, { type: 'paragraph', attrs: { textAlign: 'center' } }],
    },
  ])
  expect(body).toMatch(/text-align:center[^>]*>In the middle/)
})

it('a template that was saved twice is compared with its first version, which is restored', async () => {
  const paragraphs = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight'].map((text) => `<p>${text}</p>`)
  const { id } = await newTemplate('Versioned', { subject: 'First subject', body: paragraphs.join('') })
  await page.goto(dashboard.inProject(`templates/${id}`))
  for (const subject of ['Second subject', 'Third subject']) {
    await page.getByLabel('Subject').fill(subject)
    await page.getByRole('button', { name: 'Save template' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
  }
  await page.getByRole('button', { name: 'Version 3', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Versions' })
  const versions = dialog.getByRole('list', { name: 'Versions, newest first' }).getByRole('button')
  await versions.nth(2).waitFor()
  await dialog.getByRole('heading', { name: 'From version 2 to version 3 (current)' }).waitFor()
  expect(await versions.first().textContent()).toMatch(/^Version 3Current/)
  await versions.nth(2).click()
  await dialog.getByText('Subject: Third subject').waitFor()
  await dialog.getByText('Subject: First subject').waitFor()
  expect(await dialog.getByText('Eight').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Show 6 unchanged lines' }).click()
  await dialog.getByText('Eight').waitFor()
  expect(await checkPage(page)).toEqual([])
  await dialog.getByRole('tab', { name: 'Preview of version 1' }).click()
  await dialog.frameLocator('iframe').first().getByText('One').waitFor()
  await dialog.getByRole('button', { name: 'Restore version 1' }).click()
  await page
    .getByRole('dialog', { name: 'Restore version 1?' })
    .getByRole('button', { name: 'Restore version 1' })
    .click()
  await page.getByText('Version 1 restored.').waitFor()
  await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('First subject')
  expect(await templateOf(id)).toMatchObject({ subject: 'First subject', version: 4 })
})

it('a check names a problem, how to fix it and its block, and ends when it is fixed', async () => {
  await openNewTemplate(dashboard, page, 'Checked')
  await paletteButton(page, 'Button').click()
  const url = page.getByRole('textbox', { name: 'URL', exact: true })
  await url.fill('http://acme.io/sale')
  await block(page, /^Heading/).focus()
  const checks = page.locator('details', { hasText: 'Checks' })
  await checks.evaluate((one) => one.setAttribute('open', ''))
  const finding = checks.getByRole('listitem').filter({ hasText: 'Use https:// instead of http://.' })
  await finding.getByText('http://acme.io/sale').waitFor()
  await finding.getByRole('button', { name: 'Show block' }).click()
  await url.fill('https://acme.io/sale')
  await finding.waitFor({ state: 'detached' })
})

it('a new brand color is the color of buttons in the preview', async () => {
  await page.goto(dashboard.inProject('settings?tab=branding'))
  await page.getByRole('textbox', { name: 'Brand color', exact: true }).fill('#0f766e')
  await page.getByRole('button', { name: 'Save branding' }).click()
  await page.getByText('Branding saved.').waitFor()
  await openNewTemplate(dashboard, page, 'Branded')
  await paletteButton(page, 'Button').click()
  await page.getByRole('textbox', { name: 'URL', exact: true }).fill('https://example.org')
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const button = page.frameLocator('iframe[title="Email preview"]').getByRole('link', { name: 'Open' })
  await button.waitFor()
  expect(await button.getAttribute('style')).toContain('background:#0f766e')
})

it('a new email follows the dark mode of the brand', async () => {
  const darkMode = page.getByLabel('Use dark colors in dark mode')
  for (const [chosen, isDark] of [
    ['Off', false],
    ['On', true],
    ['Decide in each email', true],
  ] as const) {
    await page.goto(dashboard.inProject('settings?tab=branding'))
    await page.getByLabel('Dark colors in dark mode').selectOption(chosen)
    await page.getByRole('button', { name: 'Save branding' }).click()
    await page.getByText('Branding saved.').waitFor()
    await page.goto(dashboard.inProject('templates/new'))
    await darkMode.waitFor()
    expect(await darkMode.isChecked()).toBe(isDark)
  }
})

it('a test email is sent to a colleague with the data of a chosen contact', async () => {
  await unwrap(dashboard.posthorn.contacts.upsert({ email: 'grace@example.org', data: { firstName: 'Grace' } }))
  const { id } = await newTemplate('Tested', { subject: 'Hello {{firstName}}', body: '<p>Dear {{firstName}}</p>' })
  await page.goto(dashboard.inProject(`templates/${id}`))
  await page.getByRole('button', { name: 'Send test email' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Recipient').fill('colleague@example.org')
  await choose(dialog.getByRole('combobox', { name: 'Personalize for' }), 'grace@example.org')
  await dialog.getByRole('button', { name: 'Send test email' }).click()
  await page.getByText('Test email sent to colleague@example.org.').waitFor()
  await page.getByRole('button', { name: 'View email' }).click()
  await page.getByRole('heading', { level: 1, name: 'Hello Grace' }).waitFor()
  await page.frameLocator('iframe[sandbox=""]').getByText('Dear Grace').waitFor()
})

it('a workflow shows which version of a template it sends, and its emails which one they have', async () => {
  const { posthorn, inProject } = dashboard
  const { id: templateId } = await newTemplate('Greeting', { subject: 'Hello', body: '<p>Hello</p>' })
  await unwrap(posthorn.templates.update(templateId, { subject: 'Hello again' }))
  const { id } = await unwrap(posthorn.workflows.create({ name: 'Greetings', eventName: 'arrived' }))
  await unwrap(posthorn.workflows.steps.create(id, { type: 'SEND_EMAIL', name: 'Greet', config: {}, templateId }))
  await unwrap(posthorn.workflows.update(id, { enabled: true }))
  await unwrap(posthorn.events.track({ email: 'greeted@example.org', event: 'arrived' }))
  const completed = async () =>
    (await unwrap(posthorn.workflows.executions.list(id, { status: 'COMPLETED' }))).data[0]?.id
  await expect.poll(completed).toBeDefined()
  const executionId = await completed()

  await page.goto(inProject(`workflows/${id}`))
  await page.locator('.react-flow__node', { hasText: 'Greet' }).click()
  await page.getByText(/^Version 2, saved .* through the API$/).waitFor()
  expect(await page.getByRole('link', { name: 'Edit template' }).getAttribute('href')).toContain(templateId)
  await page.getByRole('link', { name: 'Create template' }).waitFor()
  await page.goto(inProject(`workflows/${id}/executions/${executionId}`))
  await page.getByRole('link', { name: 'Greeting, version 2' }).waitFor()
  await page.getByRole('link', { name: 'View email' }).click()
  await page.getByRole('link', { name: 'Template version 2' }).click()
  await page.getByRole('dialog', { name: 'Versions' }).getByRole('button', { name: 'Version 2' }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL((url) => !url.searchParams.has('versions'))
})

it('a newsletter is built, saved and sent as a test with the keyboard alone', async () => {
  const { keyboard } = page
  const isFocused = (one: Locator) =>
    one.evaluateAll((all) => all.some((each) => each === each.ownerDocument.activeElement))
  /** Presses Tab until an element has the focus. */
  const tabTo = async (one: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
    for (let presses = 0; presses < 80; presses++) {
      if (await isFocused(one)) return
      await keyboard.press(key)
    }
    throw new Error(`${one} can't be reached with ${key}.`)
  }
  const write = async (label: string, value: string) => {
    await tabTo(page.getByLabel(label, { exact: true }))
    await keyboard.press('ControlOrMeta+a')
    await keyboard.type(value)
  }
  /** From the block or text that has the focus to the palette, which is before the canvas. */
  const add = async (title: string) => {
    await tabTo(paletteButton(page, title), 'Shift+Tab')
    await keyboard.press('Enter')
  }
  await unwrap(dashboard.posthorn.contacts.upsert({ email: 'grace@example.org', data: { firstName: 'Grace' } }))
  await page.goto(dashboard.inProject('templates/new'))
  await block(page, 'Footer').waitFor()
  await write('Name', 'Typed')
  await write('Subject', 'News')
  await tabTo(block(page, /^Heading/))
  for (const blocks of [['Text', 'Footer'], ['Footer'], []]) {
    await keyboard.press('Delete')
    await expectOutline(page, blocks)
  }

  await add('Heading')
  await typesInto(page, 'Heading')
  await keyboard.type('News for {{fir')
  await page.getByRole('option', { name: /^firstName/ }).waitFor()
  await keyboard.press('Enter')
  await expect.poll(() => isFocused(page.getByLabel('Fallback'))).toBe(true)
  await keyboard.type('everyone')
  await keyboard.press('Enter')
  await typesInto(page, 'Heading')
  await keyboard.press('Escape')

  await add('Text')
  await typesInto(page, 'Text')
  await keyboard.type('Read the story')
  await keyboard.press('ControlOrMeta+a')
  await keyboard.press('Alt+F10')
  await tabTo(page.getByRole('button', { name: 'Link', exact: true }))
  await keyboard.press('Enter')
  await expect.poll(() => isFocused(page.getByLabel('URL', { exact: true }))).toBe(true)
  await keyboard.type('https://example.org/story')
  await keyboard.press('Enter')
  await typesInto(page, 'Text')
  await keyboard.press('Escape')

  await add('Columns')
  await announced(page, 'Columns added, position 3 of 3.')
  await add('Button')
  await announced(page, 'Button added, in Columns, position 1 of 1.')
  await keyboard.press('Enter')
  await expect.poll(() => isFocused(page.getByRole('textbox', { name: 'Label' }))).toBe(true)
  await keyboard.press('ControlOrMeta+a')
  await keyboard.type('Open')
  await tabTo(page.getByRole('textbox', { name: 'URL', exact: true }))
  await keyboard.type('https://example.org')
  await keyboard.press('Escape')
  await keyboard.press('Escape')
  await add('Footer')
  await expectOutline(page, ['Heading', 'Text', 'Columns', 'Button', 'Footer'])

  await keyboard.press('ControlOrMeta+s')
  await page.waitForURL(/templates\/[\da-f-]{36}$/)
  await page.getByText('Template saved.').waitFor()
  const { document: saved } = await templateOf(page.url().split('/').at(-1)!)
  expect(saved?.blocks).toMatchObject([
    { content: [{ text: 'News for ' }, { attrs: { name: 'firstName', fallback: 'everyone' } }] },
    { content: [{ content: [{ text: 'Read the story', marks: [{ type: 'link' }] }] }] },
    { columns: [{ blocks: [{ label: 'Open', url: 'https://example.org' }] }, { blocks: [] }] },
    { type: 'footer' },
  ])

  await tabTo(page.getByRole('button', { name: 'Send test email' }), 'Shift+Tab')
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await tabTo(dialog.getByLabel('Recipient'))
  await keyboard.press('ControlOrMeta+a')
  await keyboard.type('colleague@example.org')
  await tabTo(dialog.getByLabel('Personalize for'))
  await keyboard.type('grace@example.org')
  await page.getByRole('option', { name: 'grace@example.org' }).waitFor()
  await keyboard.press('Enter')
  await tabTo(dialog.getByRole('button', { name: 'Send test email' }))
  await keyboard.press('Enter')
  await page.getByText('Test email sent to colleague@example.org.').waitFor()
  await tabTo(page.getByRole('button', { name: 'View email' }))
  await keyboard.press('Enter')
  await page.frameLocator('iframe[sandbox=""]').getByRole('heading', { name: 'News for Grace' }).waitFor()
})
