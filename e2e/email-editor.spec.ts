/** The visual editor: an email is built with the mouse and the keyboard, saved, and sent as it was shown. */
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { checkPage } from './accessibility.ts'
import { itInBrowser as it, takeScreenshot } from './browser.ts'
import { choose } from './choose.ts'
import { PHONE } from './dashboard.ts'
import {
  announced,
  block,
  dragTo,
  expectOutline,
  openNewTemplate,
  paletteButton,
  removeAllBlocks,
  saveTemplate,
  text,
  typesInto,
} from './pages/editor-page.ts'
import { type Dashboard, openSharedDashboard } from './use-dashboard.ts'

let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await openSharedDashboard()
  await unwrap(
    dashboard.posthorn.contacts.upsert({ email: 'ada@example.org', data: { firstName: 'Ada', plan: 'pro' } }),
  )
})
afterAll(() => dashboard?.close())

const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)

const templateOf = async (id: string) => unwrap(dashboard.posthorn.templates.get(id))

/** Links of one recipient, and what counts opens and clicks. */
const untokened = (html: string | null) => html?.replaceAll(/(\/(?:unsubscribe|manage|t\/[co])\/)[\w.-]+/g, '$1')

it('a newsletter is built from scratch, saved, reloaded and sent as it was shown', async () => {
  const { posthorn, inProject } = dashboard
  const { page, close, expectNoErrors } = await dashboard.openPage('light', { width: 1440, height: 1000 })
  await openNewTemplate(dashboard, page, 'Autumn newsletter')
  await removeAllBlocks(page)
  const canvas = page.getByRole('group', { name: 'Email', exact: true })
  await canvas.getByText('Drag blocks here').waitFor()

  // Typing braces completes a variable and asks for a fallback.
  await dragTo(page, paletteButton(page, 'Heading'), canvas)
  await typesInto(page, 'Heading')
  await page.keyboard.type('News for {{fir')
  await page.getByRole('option', { name: /^firstName/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByLabel('Fallback').fill('everyone')
  await page.keyboard.press('Enter')
  await canvas.getByText('firstName, or “everyone”').waitFor()

  // By keyboard: the palette, formats, and back to the block.
  await paletteButton(page, 'Text').focus()
  await page.keyboard.press('Enter')
  await typesInto(page, 'Text')
  await page.keyboard.type('Three things are ')
  await page.keyboard.press('Alt+F10')
  await page.keyboard.press('Enter') // bold, the first button of the toolbar
  await typesInto(page, 'Text')
  await page.keyboard.type('new')
  await page.keyboard.press('ControlOrMeta+b')
  await page.keyboard.type(':')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Bulleted list' }).click()
  await page.keyboard.type('Faster')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Nicer')
  await page.keyboard.press('Escape')
  await expectOutline(page, ['Heading', 'Text'])

  // Columns with an uploaded image, and a button that is dragged into the second column.
  await paletteButton(page, 'Columns').click()
  await paletteButton(page, 'Image').click()
  await page
    .getByRole('region', { name: 'Properties' })
    .getByLabel('Image file')
    .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: DOT })
  await block(page, 'Image').locator('img').waitFor()
  await page.getByRole('textbox', { name: 'Alternative text' }).fill('A dot')
  await dragTo(page, paletteButton(page, 'Button'), page.getByRole('group', { name: 'Column 2' }))
  await page.getByRole('textbox', { name: 'Label' }).fill('Read more')
  await page.getByRole('textbox', { name: 'URL', exact: true }).fill('https://example.org/news')

  // A condition, moved above the columns with the keyboard, and a block moved into it.
  await block(page, 'Columns: 2 columns').focus()
  await paletteButton(page, 'Condition').click()
  await announced(page, 'Condition added, position 4 of 4.')
  await page.getByRole('combobox', { name: 'Variable' }).fill('plan')
  await page.getByLabel('Operator').selectOption('is')
  await page.getByLabel('Value').fill('pro')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Alt+ArrowUp')
  await announced(page, 'Condition moved, position 3 of 4.')
  await page.keyboard.press('Escape')
  await paletteButton(page, 'Divider').click()
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowRight')
  await announced(page, /^Divider moved, in Condition, position 1 of 1/)
  await page.keyboard.press('Escape')
  await paletteButton(page, 'Footer').click()
  const blocks = ['Heading', 'Text', 'Condition', 'Divider', 'Columns', 'Image', 'Button', 'Footer']
  await expectOutline(page, blocks)
  await takeScreenshot(page, 'email-editor')
  expect(await checkPage(page)).toEqual([])

  const id = await saveTemplate(page)
  const saved = await templateOf(id)
  expect(saved).toMatchObject({ editor: 'visual', document: { version: 1 } })
  await page.reload()
  await block(page, /^Footer/).waitFor()
  await expectOutline(page, blocks)
  await page.getByLabel('Subject').fill('Saved again')
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByText('Template saved.').waitFor()
  expect((await templateOf(id)).document).toEqual(saved.document)

  // What the preview shows is what a campaign with this template sends.
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await choose(page.getByLabel('Preview as'), 'ada@example.org')
  const preview = page.frameLocator('iframe[title="Email preview"]')
  await preview.getByRole('heading', { name: 'News for Ada' }).waitFor()
  await page.goto(inProject('campaigns/new'))
  await page.getByLabel('Name', { exact: true }).fill('Autumn campaign')
  await choose(page.getByLabel('Start from template'), 'Autumn newsletter')
  await canvas.getByText('Three things').waitFor()
  await page.getByRole('button', { name: 'Save campaign' }).click()
  await page.waitForURL(/campaigns\/[\da-f-]{36}$/)
  const campaignId = page.url().split('/').at(-1)!
  expect(await unwrap(posthorn.campaigns.get(campaignId))).toMatchObject({ body: saved.body, editor: 'visual' })
  await unwrap(posthorn.campaigns.send(campaignId))
  await expect.poll(async () => (await unwrap(posthorn.campaigns.get(campaignId))).status).toBe('SENT')
  const { data } = await unwrap(posthorn.emails.list({ search: 'ada@example.org' }))
  const { html } = await unwrap(posthorn.emails.get(data[0]!.id))
  expect(html).toContain('News for Ada')
  expect(html).toMatch(/<strong>new<\/strong>|<b>new<\/b>/)
  expect(html).toContain('alt="A dot"')
  expect(html).toContain('Read more')
  expect(html).not.toMatch(/\{\{|\{%/)
  const { id: contactId } = (await unwrap(posthorn.contacts.list({ search: 'ada@example.org' }))).data[0]!
  const shown = await unwrap(
    posthorn.templates.preview({ subject: 'x', document: saved.document!, type: 'MARKETING', contactId }),
  )
  const words = (given: string) =>
    given
      .replaceAll(/<style[\s\S]*?<\/style>|<!--[\s\S]*?-->|<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  expect(words(untokened(html)!)).toBe(words(untokened(shown.html)!))
  expectNoErrors()
  await close()
})

it('undo and redo cover blocks, text and properties', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await openNewTemplate(dashboard, page, 'Undone')
  await paletteButton(page, 'Button').click()
  await page.getByRole('textbox', { name: 'Label' }).fill('Buy')
  await text(page, 'Text').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' And more.')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Delete')
  await expectOutline(page, ['Heading', 'Button', 'Footer'])

  await page.keyboard.press('ControlOrMeta+z')
  await text(page, 'Text').getByText('Write your message here. And more.').waitFor()
  await page.keyboard.press('ControlOrMeta+z')
  await text(page, 'Text').getByText('Write your message here.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await block(page, 'Button: Open').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectOutline(page, ['Heading', 'Text', 'Footer'])
  await page.getByRole('button', { name: 'Redo' }).click()
  await page.getByRole('button', { name: 'Redo' }).click()
  await block(page, 'Button: Buy').waitFor()

  await paletteButton(page, 'HTML').click()
  const code = page.getByLabel('HTML with Liquid')
  await code.click()
  await page.keyboard.insertText('<b>Bold</b>')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => code.textContent()).toBe('')
  await page.getByRole('button', { name: 'Redo' }).click()
  await expect.poll(() => code.textContent()).toBe('<b>Bold</b>')
  expectNoErrors()
  await close()
})

it('blocks are copied into another email, cut, and duplicated', async () => {
  const { page, context, close, expectNoErrors } = await dashboard.openPage()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openNewTemplate(dashboard, page, 'Copied')
  await block(page, /^Heading/).focus()
  await page.keyboard.press('ControlOrMeta+d')
  await expectOutline(page, ['Heading', 'Heading', 'Text', 'Footer'])
  await page.keyboard.press('ControlOrMeta+x')
  await expectOutline(page, ['Heading', 'Text', 'Footer'])
  await page.keyboard.press('ControlOrMeta+v')
  await page.keyboard.press('ControlOrMeta+c')
  await announced(page, 'Heading copied.')

  page.once('dialog', (dialog) => void dialog.accept()) // leaves the unsaved template
  await page.goto(dashboard.inProject('campaigns/new'))
  await block(page, /^Footer/).focus()
  await page.keyboard.press('ControlOrMeta+v')
  await expectOutline(page, ['Heading', 'Text', 'Footer', 'Heading'])
  expectNoErrors()
  await close()
})

it('blocks are dragged from place to place, and not into places that can’t contain them', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage('light', { width: 1440, height: 1300 })
  await openNewTemplate(dashboard, page, 'Dragged')
  await paletteButton(page, 'Columns').click()
  await expectOutline(page, ['Heading', 'Text', 'Columns', 'Footer'])
  const handle = (name: string) => page.getByRole('button', { name: `Drag ${name}`, exact: true })
  const dragBlock = async (name: string, target: Locator) => {
    await page
      .locator('[data-block]')
      .filter({ has: handle(name) })
      .last()
      .hover()
    await dragTo(page, handle(name).last(), target)
  }
  await dragBlock('Text', page.getByRole('group', { name: 'Column 1' }))
  await expectOutline(page, ['Heading', 'Columns', 'Text', 'Footer'])
  await announced(page, 'Text moved, in Columns, position 1 of 1.')
  await dragTo(page, paletteButton(page, 'Condition'), page.getByRole('group', { name: 'Column 2' }))
  await announced(page, /^Condition added, position/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectOutline(page, ['Heading', 'Columns', 'Text', 'Footer'])
  expectNoErrors()
  await close()
})

it('switching to HTML asks first and can be undone, and HTML becomes one block', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await openNewTemplate(dashboard, page, 'Switched')
  const choose = (kind: string) =>
    page.getByRole('group', { name: 'Editor', exact: true }).getByRole('button', { name: kind }).click()
  await choose('HTML')
  await page.getByRole('button', { name: 'Keep current editor' }).click()
  await block(page, /^Footer/).waitFor()

  await choose('HTML')
  await page.getByRole('button', { name: 'Switch to HTML' }).click()
  await page.getByLabel('Body (HTML with Liquid)').getByText('<!doctype html>').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await block(page, /^Footer/).waitFor()
  await expectOutline(page, ['Heading', 'Text', 'Footer'])

  const body = '<html><head><style>p{color:red}</style></head><body><p>Written {{firstName}}</p></body></html>'
  const { id } = await unwrap(
    dashboard.posthorn.templates.create({ name: 'Code', subject: 'Code', body, from: 'hello@example.com' }),
  )
  page.once('dialog', (dialog) => void dialog.accept())
  await page.goto(dashboard.inProject(`templates/${id}`))
  await page.getByLabel('Body (HTML with Liquid)').waitFor()
  await choose('Visual')
  await page.frameLocator('iframe[title="HTML block"]').getByText('Written {{firstName}}').waitFor()
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByText('Template saved.').waitFor()
  const saved = await templateOf(id)
  expect(saved.editor).toBe('visual')
  expect(saved.document?.blocks).toMatchObject([
    { type: 'html', code: '<style>p{color:red}</style>\n<p>Written {{firstName}}</p>' },
  ])
  expectNoErrors()
  await close()
})

it('a problem that the API reports is shown at its block, and nothing is lost', async () => {
  const { page, close } = await dashboard.openPage()
  await openNewTemplate(dashboard, page, 'Refused')
  await paletteButton(page, 'HTML').click()
  await page.getByLabel('HTML with Liquid').click()
  await page.keyboard.insertText('<script>alert(1)</script>')
  await page.keyboard.press('ControlOrMeta+s')
  await block(page, /^HTML/)
    .getByText(/script/)
    .waitFor()
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByText('Your unsaved changes were restored.').waitFor()
  await block(page, /^Footer/).waitFor()
  await expectOutline(page, ['Heading', 'Text', 'HTML', 'Footer'])
  await close()
})

it.each([
  { theme: 'light', viewport: PHONE },
  { theme: 'dark', viewport: { width: 1280, height: 860 } },
] as const)('the editor is accessible in the $theme theme with every block type', async ({ theme, viewport }) => {
  const { page, close, expectNoErrors } = await dashboard.openPage(theme, viewport)
  await openNewTemplate(dashboard, page, 'Accessible')
  for (const button of await page.getByRole('toolbar', { name: 'Blocks' }).getByRole('button').all()) {
    await button.click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  }
  expect(await checkPage(page)).toEqual([])
  for (const name of [/^Columns/, /^Condition/, /^Item list/, /^Social/]) {
    await block(page, name).focus()
    expect(await checkPage(page)).toEqual([])
  }
  expectNoErrors()
  await close()
})
