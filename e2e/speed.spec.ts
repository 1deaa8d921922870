/** Typing stays quick: compared with something measured in the same run, or with a clock that the test moves. */
import { beforeAll, expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { itInBrowser as it } from './browser.ts'
import { type Dashboard, type OpenedPage, openSharedDashboard } from './use-dashboard.ts'

let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await openSharedDashboard()
  return dashboard.close
})

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

async function openEditor(name: string, paragraphs: number): Promise<OpenedPage> {
  const body = `<html><body>\n${PARAGRAPH.repeat(paragraphs)}</body></html>`
  const content = { subject: 'Hi', from: 'hello@example.com', body }
  const { id } = await unwrap(dashboard.posthorn.templates.create({ name, ...content }))
  const opened = await dashboard.openPage()
  const { page } = opened
  await page.goto(dashboard.inProject(`templates/${id}`))
  await page.locator('.cm-line').nth(2).click()
  await page.keyboard.press('End')
  await page.locator('iframe[title="Email preview"]').waitFor()
  await page.evaluate(WATCH_KEYS)
  return opened
}

async function type({ page }: OpenedPage): Promise<void> {
  for (const letter of WORDS) await page.keyboard.press(letter === ' ' ? 'Space' : letter)
}

/** The time of the keys during which the machine did little else. */
async function millisecondsOf({ page }: OpenedPage): Promise<number> {
  // A busy page handles what follows from its last keys after all of them.
  await expect.poll(() => page.evaluate<number>('window.presses.length')).toBe(ROUNDS * WORDS.length)
  const all = await page.evaluate<number[]>('window.presses')
  return all.sort((a, b) => a - b)[Math.floor(all.length / 10)]!
}

it('a key that is typed into a long email as HTML takes less than twice as long as in a short one', async () => {
  const short = await openEditor('Short', 10)
  const long = await openEditor('Long', 1_500)
  // Taking turns, so that both have what else the machine does.
  for (let round = 0; round < ROUNDS; round++) {
    await type(short)
    await type(long)
  }
  expect(await millisecondsOf(long)).toBeLessThan(2 * (await millisecondsOf(short)))
  for (const opened of [short, long]) {
    opened.expectNoErrors()
    await opened.close()
  }
})

it('a list is searched soon after the last letter, and not for each of them', async () => {
  await unwrap(dashboard.posthorn.contacts.upsert({ email: 'grace@example.org' }))
  const { page, context, expectNoErrors } = await dashboard.openPage()
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
  expectNoErrors()
  await context.close() // with its clock, which would stand still in the next test
})
