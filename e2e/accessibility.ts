/** Checks a page for serious accessibility violations (axe) and for content that is wider than the screen. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { navigate } from './navigate.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: string[]
}

/** Only what is needed leaves the page. */
const seriousViolations = (options: object) => `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })))`

async function findSeriousViolations(page: Page, rules: string[]): Promise<string[]> {
  const run = seriousViolations({
    resultTypes: ['violations'],
    iframes: false,
    preload: false, // only for rules whose violations aren't serious, like those of the slow `region`
    ...(rules.length > 0 ? { runOnly: rules } : { rules: { region: { enabled: false } } }),
  })
  // Loaded and run at once, because a page can load another document in between.
  const violations =
    (await page.evaluate<Violation[] | undefined>(`'axe' in window ? ${run} : undefined`)) ??
    (await page.evaluate<Violation[]>(`${AXE};\n${run}`))
  return violations.map(({ id, nodes }) => `${page.url()} ${id}: ${nodes.join(' | ')}`)
}

/** A change of the theme can start some animations in the frame after the next. */
const TWO_FRAMES_MS = 40

/**
 * Resolves when a page no longer moves. It polls, because the promise of an animation never settles if a change of the screen's
 * width hides its element. Endless animations, such as spinners, are left out.
 */
const AT_REST = `new Promise((resolve) => {
  const isAtRest = () => document.getAnimations()
    .every((one) => one.playState === 'finished' || one.effect.getComputedTiming().iterations === Infinity)
  const look = () => (isAtRest() ? resolve() : setTimeout(look, ${TWO_FRAMES_MS}))
  setTimeout(look, ${TWO_FRAMES_MS})
})`

/** Waits until the page is loaded and its animations have ended, because text that fades in has too little contrast. */
export async function waitUntilStable(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  for (const spinner of await page.getByRole('status').all()) await spinner.waitFor({ state: 'detached' })
  await page.evaluate(AT_REST)
}

/** Opens an address and checks the page. Uses all axe rules unless some are given. */
export async function checkPageAt(page: Page, address: string, rules: string[] = []): Promise<string[]> {
  await navigate(page, address)
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
