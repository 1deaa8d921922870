import { describe, expect, it } from 'vitest'
import {
  type Content,
  contentForApi,
  contentFromHtml,
  contentOf,
  isSameContent,
  mjmlFromHtml,
  starterContent,
} from './content.ts'

const html = (body: string): Content => ({ editor: 'html', body, document: null, mjml: null })

describe('contentFromHtml', () => {
  it.each([
    ['a fragment', '<p>Hi {{name}}</p>', '<p>Hi {{name}}</p>'],
    [
      'a whole page',
      '<!doctype html><html><head><title>x</title></head><body class="a"><p>Hi</p></body></html>',
      '<p>Hi</p>',
    ],
    [
      'the styles of a page',
      '<head><meta charset="utf-8"><style>p{color:red}</style></head><body><p>Hi</p></body>',
      '<style>p{color:red}</style>\n<p>Hi</p>',
    ],
    ['an empty email', '', ''],
  ])('keeps %s in one HTML block', (_, given, code) => {
    expect(contentFromHtml(given).document?.blocks).toMatchObject([{ type: 'html', code }])
  })
})

it('mjmlFromHtml puts HTML into a text of MJML', () => {
  expect(mjmlFromHtml('<body><p>Hi</p></body>').replaceAll(/\s/g, '')).toBe(
    '<mjml><mj-body><mj-section><mj-column><mj-text><p>Hi</p></mj-text></mj-column></mj-section></mj-body></mjml>',
  )
})

it('contentOf leaves out the HTML that the API compiled', () => {
  const stored = { body: '<p>Hi</p>', document: null, mjml: '<mjml></mjml>' }
  expect(contentOf({ ...stored, editor: 'mjml' }).body).toBe('')
  expect(contentOf({ ...stored, editor: 'html', mjml: null }).body).toBe('<p>Hi</p>')
})

describe('contentForApi', () => {
  it.each([
    ['html', html('<p>Hi</p>'), ['body']],
    ['visual', starterContent(null, null), ['document']],
    ['mjml', { ...html('<p>Hi</p>'), editor: 'mjml', mjml: '<mjml></mjml>' } as Content, ['mjml']],
  ])('sends only the field that content of the %s editor is written in', (_, content, fields) => {
    expect(Object.keys(contentForApi(content))).toEqual(fields)
  })
})

it('isSameContent recognizes an unchanged starter and any change to it', () => {
  const changed = starterContent(null, null)
  changed.document!.blocks.pop()
  expect(isSameContent(starterContent(null, null), starterContent(null, null))).toBe(true)
  expect(isSameContent(starterContent(null, null), changed)).toBe(false)
})

it.each([
  [null, { darkMode: true }],
  [{ font: 'serif' as const }, { darkMode: true }],
  [{ darkMode: true }, undefined],
  [{ darkMode: false }, undefined],
])('starterContent with the brand %j has the settings %j', (brand, settings) => {
  expect(starterContent(brand, null).document!.settings).toEqual(settings)
})
