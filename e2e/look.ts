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

/** Of the page at this address, once it stands still. All rules unless some are named. */
export async function faultsAt(page: Page, address: string, rules: string[] = []): Promise<string[]> {
  await page.goto(address)
  await page.locator('h1').first().waitFor()
  for (const spinner of await page.getByRole('status').all()) await spinner.waitFor({ state: 'detached' })
  await page.evaluate(ANIMATIONS_END) // what still fades in has too little contrast
  const faults = await seriousFaults(page, rules)
  const { width } = page.viewportSize()!
  const wide = await page.locator('html').evaluate((root) => root.scrollWidth)
  return wide > width ? [...faults, `${address} is ${wide} wide`] : faults
}
