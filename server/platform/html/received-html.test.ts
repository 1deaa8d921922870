import { describe, expect, it } from 'vitest'
import { bodyOf } from './received-html.ts'

const clean = (html: string) => bodyOf({ html, text: undefined })

describe('HTML of received email', () => {
  it.each([
    ['<script>alert(1)</script><p>x</p>', '<p>x</p>'],
    ['<p onclick="x()">x</p>', '<p>x</p>'],
    ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href=" java\nscript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="//evil.example/">x</a>', '<a>x</a>'],
    ['<iframe src="https://evil.example/"></iframe>x', 'x'],
    ['<form action="https://evil.example/"><input name=a>x</form>', 'x'],
    ['<style>body{display:none}</style>x', 'x'],
    ['<meta http-equiv="refresh" content="0;url=https://evil.example/">x', 'x'],
    ['<base href="https://evil.example/">x', 'x'],
    ['<svg><script>alert(1)</script></svg>x', 'x'],
    ['<math><mtext></mtext><mglyph><style><img src=x onerror=alert(1)></style></mglyph></math>x', 'x'],
    ['<p style="position:fixed;top:0;color:red">x</p>', '<p style="color:red">x</p>'],
    ['<p style="background-color:url(https://evil.example/)">x</p>', '<p>x</p>'],
    ['<p style="width:expression(alert(1))">x</p>', '<p>x</p>'],
    ['<!-- a comment --><!--[if mso]><p>y</p><![endif]-->x', 'x'],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>"></p></noscript>x', /^(?!.*onerror=alert)/s],
  ])('%s is made harmless', (html, expected) => {
    if (expected instanceof RegExp) expect(clean(html)).not.toMatch(/<[^>]*onerror/i)
    else expect(clean(html)).toBe(expected)
  })

  it('keeps its formatting', () => {
    const email =
      '<table width="600" cellpadding="0"><tbody><tr><td style="padding:10px 20px;text-align:center" bgcolor="#ffffff"><h1>Hi</h1>' +
      '<a href="https://example.org/?a=1&amp;b=2">link</a><img src="cid:logo" alt="Logo" /></td></tr></tbody></table>'
    expect(clean(email)).toBe(email)
  })
})

it('a received message without HTML is shown as its text', () => {
  expect(bodyOf({ html: undefined, text: 'a < b\r\n' })).toBe('<p>a &lt; b</p>')
  expect(bodyOf({ html: '<style>x</style>', text: 'words' })).toBe('<p>words</p>')
  expect(bodyOf({ html: undefined, text: undefined })).toBe('')
})

it('HTML that is too large to sanitize is shown as text', () => {
  const body = bodyOf({ html: `<p>${'word '.repeat(300_000)}</p>`, text: undefined })
  expect(body.startsWith('<p>word word')).toBe(true)
})

it('HTML nested more than 500 levels deep is shown as text, and its depth is counted as browsers count it', () => {
  const nested = (levels: number) => `${'<div>'.repeat(levels)}word${'</div>'.repeat(levels)}`
  expect(clean(nested(500))).toContain('<div>')
  expect(clean(nested(501))).toBe('<p>word</p>')
  expect(bodyOf({ html: nested(501), text: 'its text part' })).toBe('<p>its text part</p>')
  expect(clean('<p>word<br>'.repeat(1_000))).toContain('<br />')
})

it('HTML nested a hundred thousand levels deep takes little longer than flat HTML of its size', () => {
  const milliseconds = (html: string) => {
    const before = process.cpuUsage()
    clean(html)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  milliseconds('<p>x</p>') // loads the sanitizer
  expect(milliseconds('<div>'.repeat(100_000))).toBeLessThan(20 * milliseconds('<p></p>'.repeat(70_000)))
})

it.each(['xmp', 'iframe', 'noembed', 'noframes', 'plaintext', 'textarea', 'title'])(
  'what a browser reads as text inside <%s> does not come out as elements',
  (tag) => {
    for (const inside of [
      '<img src=x onerror=alert(1)>',
      '<script>alert(1)</script>',
      `<${tag}></${tag}><b onclick=x>`,
    ]) {
      expect(clean(`<${tag}>${inside}</${tag}>`)).not.toMatch(/<img|<script|onclick|onerror=/)
    }
  },
)
