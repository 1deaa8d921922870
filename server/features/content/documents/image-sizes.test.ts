import { expect, it } from 'vitest'
import { withImageSizes } from './image-sizes.ts'

const UPLOADS = 'https://mail.test/uploads/p/'
const SIZES = new Map([[`${UPLOADS}a.png?x=1&y=2`, { width: 1200, height: 800 }]])
const sized = (html: string) =>
  withImageSizes(html, UPLOADS, async (sources) => new Map([...SIZES].filter(([source]) => sources.includes(source))))

const A = `${UPLOADS}a.png?x=1&amp;y=2`

it.each([
  [
    'the height of an uploaded image at its width',
    `<img src="${A}" style="height:auto;width:100%" width="300" height="auto" />`,
    `<img src="${A}" style="height:auto;width:100%" width="300" height="200" />`,
  ],
  [
    'every image',
    `<img height=auto width=600 src="${A}"><p>Hi</p><img src="${A}" width="3" height="auto">`,
    `<img height=400 width=600 src="${A}"><p>Hi</p><img src="${A}" width="3" height="2">`,
  ],
])('withImageSizes writes %s', async (_name, html, expected) => {
  expect(await sized(html)).toBe(expected)
})

it.each([
  ['without a width', `<img src="${A}" height="auto">`],
  ['with a width in percent', `<img src="${A}" width="100%" height="auto">`],
  ['with a height of its own', `<img src="${A}" width="300" height="10">`],
  ['from elsewhere', '<img src="https://a.test/a.png" width="300" height="auto">'],
  ['that is unknown', `<img src="${UPLOADS}b.png" width="300" height="auto">`],
  ['in a comment', `<!-- <img src="${A}" width="300" height="auto"> -->`],
])('withImageSizes leaves an image %s as it is', async (_name, html) => {
  expect(await sized(html)).toBe(html)
})
