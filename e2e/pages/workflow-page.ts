/** What tests of workflows do on the page of a workflow. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export const stepBox = (page: Page, name: string) => page.locator('.react-flow__node', { hasText: name })

export const publish = async (page: Page) => {
  await page.getByRole('button', { name: 'Publish changes' }).click()
  await page.getByRole('region', { name: 'Unpublished changes' }).waitFor({ state: 'detached' })
}

/** The view moves to a step that is added, so its connectors have to be still before they are dragged. */
export async function waitUntilStill(page: Page): Promise<void> {
  let previous: string | null = null
  const isStill = async () => {
    const place = await page.locator('.react-flow__viewport').getAttribute('style')
    const same = place === previous
    previous = place
    return same
  }
  await expect.poll(isStill, { interval: 200 }).toBe(true)
}
