/** Typing stays quick: compared with something measured in the same run, or with a clock that the test moves. */
import type { Page } from 'playwright-core'
import { beforeEach, expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { itInBrowser as it } from './browser.ts'
import { WIDE } from './dashboard.ts'
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

/** Adds to `window.presses` how long each key keeps the page from handling the next one. */
const WATCH_KEYS = `(() => {
  window.presses = []
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }) => window.presses.push(performance.now() - data)
  addEventListener('keydown', () => {
    const pressed = performance.now()
    setTimeout(() => port2.postMessage(pressed))
  }, true)
})()`

const PARAGRAPH = '<p>Hello {{name}}, <b>this</b> is a paragraph of an email.</p>\n'
const WORDS = 'some words '
const ROUNDS = 10

async function openEditor(name: string, paragraphs: number): Promise<Page> {
  const body = `<html><body>\n${PARAGRAPH.repeat(paragraphs)}</body></html>`
  const content = { subject: 'Hi', from: 'hello@example.com', body }
  const { id } = await unwrap(dashboard.posthorn.templates.create({ name, ...content }))
  const { page } = await dashboard.openPage('light', WIDE)
  await page.goto(dashboard.inProject(`templates/${id}`))
  await page.locator('.cm-line').nth(2).click()
  await page.keyboard.press('End')
  await page.locator('iframe[title="Email preview"]').waitFor()
  await page.evaluate(WATCH_KEYS)
  return page
}

async function type(page: Page): Promise<void> {
  for (const letter of WORDS) await page.keyboard.press(letter === ' ' ? 'Space' : letter)
}

async function medianOf(page: Page): Promise<number> {
  const all = await page.evaluate<number[]>('window.presses')
  expect(all.length).toBeGreaterThan(ROUNDS * WORDS.length * 0.9)
  return all.sort((a, b) => a - b)[Math.floor(all.length / 2)]!
}

it('a key that is typed into a long email as HTML takes less than twice as long as in a short one', async () => {
  const short = await openEditor('Short', 10)
  const long = await openEditor('Long', 1_500)
  // Taking turns, so that both have what else the machine does.
  for (let round = 0; round < ROUNDS; round++) {
    await type(short)
    await type(long)
  }
  expect(await medianOf(long)).toBeLessThan(2 * (await medianOf(short)))
})

it('a list is searched soon after the last letter, and not for each of them', async () => {
  await unwrap(dashboard.posthorn.contacts.upsert({ email: 'grace@example.org' }))
  await page.goto(dashboard.inProject('contacts'))
  await page.getByRole('link', { name: 'grace@example.org' }).waitFor()
  const searches: string[] = []
  page.on('request', (request) => {
    if (/segments\/preview|[?&]search=/.test(request.url())) searches.push(request.url())
  })
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  const search = page.getByRole('searchbox').first()
  for (const letter of 'nobody') {
    await search.press(letter)
    await page.clock.runFor(50)
  }
  expect(searches).toEqual([])
  await page.clock.runFor(100)
  await expect.poll(() => searches.length).toBe(1)
})
