/** Blocks of an email are selected, moved, dragged and touched. */
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { beforeEach, expect } from 'vitest'
import { checkPage } from './accessibility.ts'
import { itInBrowser as it } from './browser.ts'
import { PHONE } from './dashboard.ts'
import { announced, block, expectOutline, openNewTemplate, paletteButton, text } from './pages/editor-page.ts'
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

it('several blocks are selected with Shift, and moved, duplicated and deleted together', async () => {
  await openNewTemplate(dashboard, page, 'Selected')
  await paletteButton(page, 'Divider').click()
  await expectOutline(page, ['Heading', 'Text', 'Divider', 'Footer'])

  await block(page, /^Heading/).focus()
  await page.keyboard.press('Shift+ArrowDown')
  await announced(page, '2 blocks selected.')
  await block(page, /^Text.*\(selected\)$/).waitFor()
  await page.getByRole('region', { name: 'Properties' }).getByRole('heading', { name: '2 blocks' }).waitFor()
  expect(await checkPage(page)).toEqual([])
  await page.keyboard.press('Alt+ArrowDown')
  await announced(page, '2 blocks moved, position 2 of 4.')
  await expectOutline(page, ['Divider', 'Heading', 'Text', 'Footer'])
  await page.keyboard.press('ControlOrMeta+d')
  await expectOutline(page, ['Divider', 'Heading', 'Text', 'Heading', 'Text', 'Footer'])
  await page.keyboard.press('Delete')
  await announced(page, '2 blocks deleted.')
  await expectOutline(page, ['Divider', 'Heading', 'Text', 'Footer'])

  // Each of them was one step.
  await page.keyboard.press('ControlOrMeta+z')
  await expectOutline(page, ['Divider', 'Heading', 'Text', 'Heading', 'Text', 'Footer'])
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('ControlOrMeta+z')
  await expectOutline(page, ['Heading', 'Text', 'Divider', 'Footer'])
})

it('a click with Shift selects all blocks in between, which are dragged and copied together', async () => {
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openNewTemplate(dashboard, page, 'Copied together')
  await paletteButton(page, 'Divider').click()
  await text(page, 'Heading').click()
  await block(page, /^Divider/).click({ modifiers: ['Shift'] })
  await announced(page, '3 blocks selected.')
  await page.keyboard.press('ControlOrMeta+c')
  await announced(page, '3 blocks copied.')
  await block(page, /^Footer/).focus()
  await page.keyboard.press('ControlOrMeta+v')
  await expectOutline(page, ['Heading', 'Text', 'Divider', 'Footer', 'Heading', 'Text', 'Divider'])

  // The pasted blocks are selected. Escape leaves one of them selected, and a click another one.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Delete')
  await expectOutline(page, ['Heading', 'Text', 'Divider', 'Footer', 'Text', 'Divider'])
  await block(page, /^Footer/).focus()
  await page.keyboard.press('Shift+ArrowUp')
  await announced(page, '2 blocks selected.')
  const handle = page.getByRole('button', { name: 'Drag Footer' })
  const from = (await handle.boundingBox())!
  const to = (await block(page, /^Heading/).boundingBox())!
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + 2, { steps: 5 })
  await page.mouse.up()
  await expectOutline(page, ['Divider', 'Footer', 'Heading', 'Text', 'Text', 'Divider'])
})

const centerOf = async (one: Locator) => {
  const { x, y, width, height } = (await one.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

/** A finger that touches one point, and moves to another one if there is one. */
async function touch(context: BrowserContext, from: { x: number; y: number }, to = from): Promise<void> {
  const client = await context.newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints })
  await send('touchStart', [from])
  const steps = to === from ? 0 : 10
  for (let step = 1; step <= steps; step++) {
    const share = step / steps
    await send('touchMove', [{ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }])
  }
  await send('touchEnd', [])
}

it('a finger drags a block from the palette onto the canvas, and a tap adds one', async () => {
  await page.setViewportSize(PHONE)
  await openNewTemplate(dashboard, page, 'Touched')
  const button = paletteButton(page, 'Button')
  await button.evaluate((one) => one.scrollIntoView({ block: 'center' }))
  const heading = (await block(page, /^Heading/).boundingBox())!
  await touch(opened.context, await centerOf(button), { x: heading.x + heading.width / 2, y: heading.y + 4 })
  await expectOutline(page, ['Button', 'Heading', 'Text', 'Footer'])

  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  const image = paletteButton(page, 'Image')
  await image.evaluate((one) => one.scrollIntoView({ block: 'center' }))
  await touch(opened.context, await centerOf(image))
  await expectOutline(page, ['Button', 'Heading', 'Text', 'Image', 'Footer'])
})

it('on a phone, the tools are in one row that scrolls, and the properties of a block open on request', async () => {
  await page.setViewportSize(PHONE)
  await openNewTemplate(dashboard, page, 'Small')
  const top = async (name: string) => (await page.getByRole('button', { name, exact: true }).boundingBox())!.y
  expect(await top('Undo')).toBe(await top('Bold'))
  expect(await top('Insert variable')).toBe(await top('Bold'))

  await block(page, /^Heading/).click()
  const properties = page.getByRole('region', { name: 'Properties' })
  const level = properties.getByLabel('Level')
  await properties.getByRole('button', { name: 'Show properties' }).waitFor()
  expect(await level.isVisible()).toBe(false)
  await properties.getByRole('button', { name: 'Show properties' }).click()
  await level.waitFor()
  await properties.getByRole('button', { name: 'Hide properties' }).click()
  await level.waitFor({ state: 'hidden' })
  await page.setViewportSize({ width: 1280, height: 860 })
  await level.waitFor()
})
