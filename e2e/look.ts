/** Looks at a page as people with other eyes and smaller screens would: what axe finds serious, and what is too wide. */
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

async function seriousFaults(page: Page, rules: string[]): Promise<string[]> {
  await page.evaluate(axe.source)
  const options = JSON.stringify({
    resultTypes: ['violations'],
    iframes: false,
    ...(rules.length > 0 ? { runOnly: rules } : {}),
  })
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${page.url()} ${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

/** Those that end at all. */
const ANIMATIONS_END = `Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().iterations !== Infinity)
  .map((one) => one.finished))`

/** Everything is there, and nothing still fades in: what does has too little contrast. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  for (const spinner of await page.getByRole('status').all()) await spinner.waitFor({ state: 'detached' })
  await page.evaluate(ANIMATIONS_END)
}

/** Of the page at this address, once it stands still. All rules unless some are named. */
export async function faultsAt(page: Page, address: string, rules: string[] = []): Promise<string[]> {
  await page.goto(address)
  return faultsOn(page, rules)
}

/** Of the page as it stands. */
export async function faultsOn(page: Page, rules: string[] = []): Promise<string[]> {
  await settled(page)
  const faults = await seriousFaults(page, rules)
  const { width } = page.viewportSize()!
  const wide = await page.locator('html').evaluate((root) => root.scrollWidth)
  return wide > width ? [...faults, `${page.url()} is ${wide} wide`] : faults
}
