/** The page of the visual editor, for tests: its palette, its blocks and their texts. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Dashboard } from '../use-dashboard.ts'

export const paletteButton = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Blocks' }).getByRole('button', { name, exact: true })
/** A block by its type, and by its text if there are several. */
export const block = (page: Page, name: string | RegExp) =>
  page.getByRole('group', { name }).and(page.locator('[data-block]'))
export const text = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true }).last()
export const announced = (page: Page, message: string | RegExp) =>
  page.locator('[aria-live]').getByText(message).waitFor({ state: 'attached' })

/** Waits until typing writes into a text. */
export const typesInto = (page: Page, label: string) =>
  expect.poll(() => text(page, label).evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)

/** The types of the blocks on the canvas in reading order. */
export const expectOutline = (page: Page, types: string[]) =>
  expect
    .poll(() =>
      page
        .locator('[data-block]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')!.replace(/:.*| \(selected\)$/s, ''))),
    )
    .toEqual(types)

export async function dragTo(page: Page, source: Locator, target: Locator) {
  const from = (await source.boundingBox())!
  const to = (await target.boundingBox())!
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + from.width / 2 + 10, from.y + from.height / 2 + 10)
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 })
  await page.mouse.up()
}

export async function openNewTemplate(dashboard: Dashboard, page: Page, name: string): Promise<void> {
  await page.goto(dashboard.inProject('templates/new'))
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Subject').fill(name)
  await block(page, 'Footer').waitFor()
}

export async function removeAllBlocks(page: Page): Promise<void> {
  await page.locator('[data-block]').first().focus()
  while ((await page.locator('[data-block]').count()) > 0) await page.keyboard.press('Delete')
}

export async function saveTemplate(page: Page): Promise<string> {
  await page.keyboard.press('ControlOrMeta+s')
  await page.waitForURL(/templates\/[\da-f-]{36}$/)
  await page.getByText('Template saved.').waitFor()
  return page.url().split('/').at(-1)!
}
