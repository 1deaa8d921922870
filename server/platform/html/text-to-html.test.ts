import fc from 'fast-check'
import { expect, it } from 'vitest'
import { textToHtml } from './text-to-html.ts'

it('textToHtml keeps paragraphs and lines, and escapes markup', () => {
  expect(textToHtml('Hi <b>you</b> & "me"\r\nsecond line\r\n\r\n\r\nsecond paragraph\r\n')).toBe(
    '<p>Hi &lt;b&gt;you&lt;/b&gt; &amp; &quot;me&quot;<br>\nsecond line</p>\n<p>second paragraph</p>',
  )
  expect(textToHtml(' \n ')).toBe('')
})

it('textToHtml creates no other tags, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(textToHtml(text).replaceAll(/<\/?p>|<br>/g, '')).not.toMatch(/[<>]/)
    }),
  )
})
