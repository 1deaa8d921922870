/**
 * The first page is small. Typing stays quick: compared with something measured in the same run, or with a clock that the
 * test moves.
 */
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

it('the first page transfers less than 245 KB: the page, its scripts, styles and font, and all its data', async () => {
  const { posthorn } = dashboard
  await unwrap(posthorn.contacts.upsert({ email: 'ada@example.org' }))
  const body = `<p>${'A long campaign. '.repeat(4_000)}</p>`
  const content = { name: 'Long', subject: 'Long', from: 'hello@example.com', body, audienceType: 'ALL' as const }
  const { id } = await unwrap(posthorn.campaigns.create(content))
  await unwrap(posthorn.campaigns.send(id, { scheduledFor: new Date(Date.now() + 86_400_000).toISOString() }))
  for (let i = 0; i < 8; i++) {
    const email = { to: 'ada@example.org', from: 'hello@example.com', subject: `Your order ${i}`, body: '<p>Hi</p>' }
    await unwrap(posthorn.emails.send(email))
  }
  const sentToday = async () => (await unwrap(posthorn.analytics.timeseries({}))).data.at(-1)?.sent
  await expect.poll(sentToday, { timeout: 60_000 }).toBe(8) // otherwise there is no chart
  const uncached = await dashboard.browser.newContext()
  await uncached.addCookies(dashboard.cookies)
  const page = await uncached.newPage()
  const network = await uncached.newCDPSession(page)
  await network.send('Network.enable')
  const loading = new Set<string>()
  let bytes = 0
  network.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (!request.url.endsWith('/activity/stream')) loading.add(requestId) // which never ends
  })
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (loading.delete(requestId)) bytes += encodedDataLength
  })
  await page.goto(dashboard.inProject())
  await page.locator('canvas').waitFor() // of the chart, which is loaded last
  await page.getByRole('link', { name: 'Long' }).waitFor()
  await page.getByRole('link', { name: 'Your order 7' }).waitFor()
  await page.evaluate('document.fonts.ready.then(() => {})')
  await expect.poll(() => loading.size).toBe(0)
  await uncached.close()
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThan(245_000)
})
