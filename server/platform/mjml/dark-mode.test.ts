/** Dark colors: what changes in dark mode, what stays, and that everything stays readable. */
import { describe, expect, it } from 'vitest'
import { contrastRatio, parseColor } from '../../kernel/content/colors.ts'
import { DARK_MODE_MARK, withDarkMode } from './dark-mode.ts'

const email = (body: string, page = '#ffffff') =>
  `<html><head>${DARK_MODE_MARK}</head><body style="background-color:${page};color:#1f2937">${body}</body></html>`

/** The declarations of the classes of the element that contains a text. */
function darkStyleOf(html: string, text: string): string {
  const tag = new RegExp(`<[^>]*>(?=${text})`).exec(html)![0]
  const name = /ph-dark-\d+/.exec(tag)?.[0]
  return name ? new RegExp(`\\.${name}\\{([^}]*)\\}`).exec(html)![1]! : ''
}
const colorIn = (style: string, property: string) =>
  parseColor(new RegExp(`(?:^|;)${property}:(#[0-9a-f]{6})`).exec(style)![1]!)!

describe('dark mode', () => {
  it('changes nothing without its mark', () => {
    const html = '<p style="color:#000;background:#fff">Hi</p>'
    expect(withDarkMode(html)).toBe(html)
  })

  it('makes light surfaces dark and text on them light, in a media query and for Outlook.com', () => {
    const html = withDarkMode(email('<p style="background:#fff;color:#333">Words</p>'))
    const style = darkStyleOf(html, 'Words')
    expect(contrastRatio(colorIn(style, 'background-color'), [0, 0, 0])).toBeLessThan(1.5)
    expect(contrastRatio(colorIn(style, 'background-color'), colorIn(style, 'color'))).toBeGreaterThan(7)
    expect(html).toMatch(/@media \(prefers-color-scheme: dark\) \{\n\.ph-dark-1/)
    expect(html).toContain('[data-ogsc] .ph-dark-1,[data-ogsb] .ph-dark-1{')
    expect(html).not.toContain(DARK_MODE_MARK)
  })

  it('only adds classes and one style sheet, so the email looks the same in light mode', () => {
    const before = email('<p class="a" style="color:#333">{{ "<b>" }} <a href="{{ url }}" style=color:blue>Go</a></p>')
    const after = withDarkMode(before)
    const removed = after.replace(/<style type="text\/css">\n@media[\s\S]*?<\/style>/, DARK_MODE_MARK)
    expect(removed.replaceAll(/class="ph-dark-\d+" | ph-dark-\d+/g, '')).toBe(before)
    expect(after).toContain('class="a ph-dark-')
  })

  it('keeps colored surfaces and the text on them', () => {
    const html = withDarkMode(email('<a href="#" style="background:#facc15;color:#000000">Buy</a>'))
    expect(darkStyleOf(html, 'Buy')).toBe('')
  })

  it('keeps a white button on a colored surface, and makes white content on a colored page dark', () => {
    const button = '<a href="#" style="background:#ffffff;color:#000000">Go</a>'
    const card = withDarkMode(email(`<td style="background:#1d4ed8;color:#ffffff">${button}</td>`))
    expect(darkStyleOf(card, 'Go')).toBe('')
    const page = withDarkMode(email('<p style="background:#ffffff;color:#333333">Content</p>', '#1d4ed8'))
    expect(darkStyleOf(page, 'Content')).toContain('background-color:#1c1c1c')
  })

  it('sets the color of text that is inherited onto a surface that stays', () => {
    const html = withDarkMode(email('<p style="background:#facc15">Inherited</p>'))
    expect(darkStyleOf(html, 'Inherited')).toBe('color:#1f2937 !important')
  })

  it('makes black buttons visible on dark surfaces', () => {
    const html = withDarkMode(
      email('<td style="background:#ffffff"><a href="#" style="background:#111827;color:#fff">Go</a>'),
    )
    const style = darkStyleOf(html, 'Go')
    expect(contrastRatio(colorIn(style, 'background-color'), [28, 28, 28])).toBeGreaterThanOrEqual(1.5)
    expect(style).not.toContain(';color')
  })

  it('makes the page darker than the content, unless the page is white', () => {
    const html = withDarkMode(email('<p style="background:#ffffff">On gray</p>', '#f3f4f6'))
    const page = colorIn(/<style[\s\S]*?\.ph-dark-1\{([^}]*)\}/.exec(html)![1]!, 'background-color')
    const content = colorIn(darkStyleOf(html, 'On gray'), 'background-color')
    expect(contrastRatio(page, [0, 0, 0])).toBeLessThan(contrastRatio(content, [0, 0, 0]))
    const white = withDarkMode(email('<p style="background:#ffffff">On white</p>'))
    expect(white).toMatch(/\.ph-dark-1\{background-color:#1c1c1c/)
  })

  it('leaves what is on an image as it is', () => {
    const html = withDarkMode(email('<p style="background:url(a.png);color:#222">Image</p>'))
    expect(darkStyleOf(html, 'Image')).toBe('')
  })

  it('makes lines dark, and keeps borders invisible that have the color of their surface', () => {
    const html = withDarkMode(
      email(
        '<td style="background:#f9fafb;border:1px solid #f9fafb">Card</td><td style="border-bottom:1px solid #dddddd">Line</td>',
      ),
    )
    const card = darkStyleOf(html, 'Card')
    expect(colorIn(card, 'border-color')).toEqual(colorIn(card, 'background-color'))
    expect(contrastRatio(colorIn(darkStyleOf(html, 'Line'), 'border-color'), [28, 28, 28])).toBeGreaterThan(1.2)
  })

  it('handles deep nesting and end tags without a start tag', () => {
    const hostile = email('<p style="color:#111">'.repeat(5_000) + '</b>'.repeat(5_000))
    expect(withDarkMode(hostile).match(/class="ph-dark-/g)).toHaveLength(5_001)
  })
})
