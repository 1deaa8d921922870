/** The image library: folders, details, a crop with the pointer and the keyboard, alternative texts, and deleting an image. */
import type { Page } from 'playwright-core'
import { beforeEach, expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { checkPage } from './accessibility.ts'
import { itInBrowser as it } from './browser.ts'
import { choose } from './choose.ts'
import { block } from './pages/editor-page.ts'
import { BLUE, picture } from './picture.ts'
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

/** The colors of the image on the canvas at its left and at its right edge. */
const COLORS = `(async () => {
  const image = document.querySelector('[data-block] img')
  await image.decode()
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  context.drawImage(image, 0, 0)
  return [0, image.naturalWidth - 1].map((column) => [...context.getImageData(column, 0, 1, 1).data.slice(0, 3)])
})()`

const upload = (name: string, details = {}) =>
  unwrap(dashboard.posthorn.uploads.image(picture(200, 100), name, details))

async function openTemplateWithImage(name: string) {
  const document = { version: 1, blocks: [{ id: 'a', type: 'image', src: 'https://', alt: '' }] }
  const content = { subject: 'Hi', from: 'hello@example.com', document } as const
  const template = await unwrap(dashboard.posthorn.templates.create({ name, ...content } as never))
  await page.goto(dashboard.inProject(`templates/${template.id}`))
  await block(page, 'Image').click()
}

const openLibrary = () => page.getByRole('button', { name: 'Choose from library' }).click()
const imageButton = (name: string) => page.getByRole('dialog').getByRole('button', { name })

it('images are found by name, moved to a folder together, renamed, and inserted with their alternative text', async () => {
  await openTemplateWithImage('With a logo')
  await openLibrary()
  await page.getByText('No images yet').waitFor()
  await page.keyboard.press('Escape')
  for (const name of ['Logo.png', 'Logo on dark.png', 'Team.png']) await upload(name)
  await openLibrary()
  await page.getByText('Keep related images together').waitFor()
  expect(await checkPage(page)).toEqual([])
  await page.getByLabel('Select Logo.png').check()
  await page.getByLabel('Select Logo on dark.png').check()
  await page.getByRole('button', { name: 'Move to folder' }).click()
  await page.getByRole('combobox', { name: 'Folder' }).fill('Brand')
  await page.getByRole('button', { name: 'Move images' }).click()
  await page.getByText('2 images moved.').waitFor()
  await choose(page.getByRole('combobox', { name: 'Folder' }), 'Brand')
  await imageButton('Team.png').waitFor({ state: 'detached' })
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('dark')
  await imageButton('Logo.png').waitFor({ state: 'detached' })
  await imageButton('Logo on dark.png').click()
  await page.getByRole('textbox', { name: 'Name' }).last().fill('Light logo')
  await page.getByRole('textbox', { name: 'Alternative text' }).last().fill('Sunrise')
  await page.getByRole('button', { name: 'Insert image' }).click()

  await block(page, 'Image').locator('img').waitFor()
  expect(await page.getByRole('textbox', { name: 'Alternative text' }).inputValue()).toBe('Sunrise')
  const { data } = await unwrap(dashboard.posthorn.uploads.list({ folder: 'Brand' }))
  expect(data.map(({ name, alt }) => [name, alt])).toEqual([
    ['Light logo', 'Sunrise'],
    ['Logo.png', null],
  ])
})

it('a crop is made with the pointer and the arrow keys, becomes a new image, and has the colors of its part', async () => {
  const original = await upload('Flag.png', { alt: 'A flag', folder: 'Flags' })
  await openTemplateWithImage('With a crop')
  await openLibrary()
  await imageButton('Flag.png').click()
  await page.getByRole('button', { name: 'Crop', exact: true }).click()
  // The right part with the keyboard: each step with Shift is a tenth of the width.
  await page.getByRole('button', { name: 'Left edge' }).focus()
  for (let i = 0; i < 6; i++) await page.keyboard.press('Shift+ArrowRight')
  await page.getByRole('button', { name: 'Frame, 80 × 100 pixels' }).waitFor()
  // And its upper part with the pointer.
  const handle = (await page.getByRole('button', { name: 'Bottom edge' }).boundingBox())!
  const frame = (await page.getByRole('button', { name: /^Frame/ }).boundingBox())!
  const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 50, y - frame.height / 2, { steps: 3 })
  await page.mouse.up()
  await page.getByRole('button', { name: 'Frame, 80 × 50 pixels' }).waitFor()
  await page.getByRole('button', { name: 'Insert cropped image' }).click()

  const inserted = block(page, 'Image').locator('img')
  await inserted.waitFor()
  const { data } = await unwrap(dashboard.posthorn.uploads.list({ folder: 'Flags' }))
  expect(data).toMatchObject([
    { name: 'Flag (cropped).png', alt: 'A flag', width: 80, height: 50 },
    { id: original.id, name: 'Flag.png', width: 200, height: 100 },
  ])
  expect(await inserted.getAttribute('src')).toBe(data[0]!.url)
  const colors = await page.evaluate(COLORS)
  expect(colors).toEqual([BLUE, BLUE])
})

it('before an image is deleted, the dialog names what uses it', async () => {
  const { url } = await upload('Banner.png')
  const content = { subject: 'Hi', from: 'hello@example.com', body: `<img src="${url}">` }
  await unwrap(dashboard.posthorn.templates.create({ name: 'Spring letter', ...content }))
  await openTemplateWithImage('Another')
  await openLibrary()
  await imageButton('Banner.png').click()
  await page.getByRole('button', { name: 'Delete image' }).click()
  await page.getByText('Spring letter (template)').waitFor()
  await page.getByRole('dialog').last().getByRole('button', { name: 'Delete image' }).click()
  await page.getByText('Image deleted.').waitFor()
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('Banner')
  await page.getByText('No image matches.').waitFor()
})
