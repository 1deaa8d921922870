/** Checks a page for serious accessibility violations (axe) and for content that is wider than the screen. */
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

async function findSeriousViolations(page: Page, rules: string[]): Promise<string[]> {
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

/** Endless animations, such as spinners, are left out. */
const ANIMATIONS_FINISHED = `Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().iterations !== Infinity)
  .map((one) => one.finished))`

/** Waits until the page is loaded and its animations have ended, because text that fades in has too little contrast. */
export async function waitUntilStable(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  for (const spinner of await page.getByRole('status').all()) await spinner.waitFor({ state: 'detached' })
  // Twice, because a change of the theme can start some of them in the next frame.
  for (let i = 0; i < 2; i++)
    await page.evaluate(`new Promise(requestAnimationFrame).then(() => ${ANIMATIONS_FINISHED})`)
}

/** Opens an address and checks the page. Uses all axe rules unless some are given. */
export async function checkPageAt(page: Page, address: string, rules: string[] = []): Promise<string[]> {
  await page.goto(address)
  return checkPage(page, rules)
}

/**
 * Opens an address and checks the page in light mode, then in dark mode, without loading it again. The page must follow
 * the system theme.
 */
export async function checkInBothThemes(page: Page, address: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const problems = await checkPageAt(page, address)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator(':root[data-theme="dark"]').waitFor()
  return [...problems, ...(await checkPage(page, CONTRAST))]
}

/** The rules that depend on the theme. */
export const CONTRAST = ['color-contrast']

export async function checkPage(page: Page, rules: string[] = []): Promise<string[]> {
  await waitUntilStable(page)
  const problems = await findSeriousViolations(page, rules)
  const { width } = page.viewportSize()!
  const contentWidth = await page.locator('html').evaluate((root) => root.scrollWidth)
  return contentWidth > width ? [...problems, `${page.url()} is ${contentWidth} px wide`] : problems
}
