/** Thumbnails of templates: images that are drawn when they come into view, whatever the HTML is. */
import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { itInBrowser as it } from './browser.ts'
import { BLUE, picture, RED } from './picture.ts'
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

const CONTENT = { subject: 'Hi', from: 'hello@example.com' }
const createTemplate = (name: string, body: string) =>
  unwrap(dashboard.posthorn.templates.create({ name, ...CONTENT, body }))

const thumbnailOf = (name: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name, exact: true }) })
    .locator('canvas')

const drawn = (canvas: Locator) => canvas.and(page.locator('[data-drawn=true]')).waitFor()

/** The colors on the screen at these parts of the width and the height of an element, as exact as a scaled photo has them. */
async function colorsOf(element: Locator, places: [x: number, y: number][]): Promise<number[][]> {
  const shown = (await element.screenshot()).toString('base64')
  return page.evaluate(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${shown}'
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.width
    canvas.height = image.height
    const context = canvas.getContext('2d', { willReadFrequently: true })
    context.drawImage(image, 0, 0)
    return ${JSON.stringify(places)}.map(([x, y]) =>
      [...context.getImageData(Math.floor(x * image.width), Math.floor(y * image.height), 1, 1).data.slice(0, 3)]
        .map((value) => Math.round(value / 15) * 15))
  })()`)
}

it('a list of templates has no frames, and draws only the thumbnails near the screen until it is scrolled', async () => {
  for (let i = 0; i < 20; i++) await createTemplate(`Letter ${i}`, `<h1>Letter ${i}</h1>`)
  await page.goto(dashboard.inProject('templates'))
  await drawn(thumbnailOf('Letter 19'))
  expect(await page.locator('canvas').count()).toBe(20)
  expect(await page.locator('iframe').count()).toBe(0)
  expect(await page.locator('canvas[data-drawn=false]').count()).toBeGreaterThan(3)
  await thumbnailOf('Letter 0').scrollIntoViewIfNeeded()
  await drawn(thumbnailOf('Letter 0'))
})

it('a thumbnail shows the colors of the email, its styles for phones and its uploaded images', async () => {
  const { url } = await unwrap(dashboard.posthorn.uploads.image(picture(40, 40), 'flag.png'))
  const body = `<!doctype html><html><head><style>.a{background:#fff}@media (max-width:480px){.a{background:#00f}}</style></head>
    <body style="margin:0" bgcolor="#00ff00"><table width="100%" cellpadding="0" cellspacing="0">
    <tr><td bgcolor="#ff0000" height="100">&nbsp;</td></tr><tr><td class="a" height="100">&nbsp;</td></tr>
    <tr><td><img src="${url}" width="384" height="100" style="display:block"></td></tr></table></body></html>`
  await createTemplate('Colors', body)
  await page.goto(dashboard.inProject('templates'))
  await drawn(thumbnailOf('Colors'))
  const places: [number, number][] = [
    [0.5, 0.13],
    [0.5, 0.4],
    [0.25, 0.65],
    [0.75, 0.65],
    [0.5, 0.93],
  ]
  expect(await colorsOf(thumbnailOf('Colors'), places)).toEqual([RED, BLUE, RED, BLUE, [0, 255, 0]])
})

it.each([
  ['attributes without a valid name', '<p "a" <b =c 1d="e" x:y="z" onclick="alert(1)">'],
  ['control characters', '<p>\u0001\u0008\uffff</p>'],
  [
    'elements of other programs',
    '<o:p><v:rect fill="t"/></o:p><!--[if mso]><o:p>--x-- </o:p><![endif]--><![CDATA[ x ]]>',
  ],
  [
    'SVG, MathML and scripts',
    '<svg><script>alert(1)</script><foreignObject><p></svg><math><mtext><script>alert(1)</script>',
  ],
  ['entities and open elements', '<div><p>&nbsp;&copy;&unknown;<table><tr><td><a href="javascript:alert(1)">&lt;'],
  [
    'styles with markup',
    '<style>p::before{content:"</p>&<"} @import "http://127.0.0.1:9/a.css"; p{background:url(http://127.0.0.1:9/b)}</style>',
  ],
])('a template with %s has a thumbnail', async (what, html) => {
  await createTemplate(what, `<div style="background:#f00;height:500px">Hello</div>${html}`)
  await page.goto(dashboard.inProject('templates'))
  await drawn(thumbnailOf(what))
  expect(await colorsOf(thumbnailOf(what), [[0.5, 0.6]])).toEqual([RED])
})
