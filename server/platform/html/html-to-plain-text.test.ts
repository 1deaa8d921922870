import fc from 'fast-check'
import { convert } from 'html-to-text'
import { describe, expect, it } from 'vitest'
import { htmlToPlainText } from './html-to-plain-text.ts'

describe('plain text from HTML', () => {
  const cases: [sentence: string, html: string, text: string][] = [
    ['puts an empty line between paragraphs', '<p>One</p><p>Two</p>', 'One\n\nTwo'],
    ['puts blocks on lines of their own', '<div>One</div><div>Two</div>three', 'One\nTwo\nthree'],
    ['breaks lines at br, with one empty line at most', 'a<br>b<br/><br><br>c', 'a\nb\n\nc'],
    ['collapses white space', '<p>\n  a \t b\n <b> c</b>&nbsp; d </p>', 'a b c d'],
    ['keeps words of inline elements together', '<p>re<b>mark</b>able</p>', 'remarkable'],
    ['sets headings apart', '<h1>Title</h1>Text<h2>Next</h2>', 'Title\n\nText\n\nNext'],
    [
      'writes the address behind a link',
      '<a href="https://x.test/a?b=1&amp;c=2">Go</a>.',
      'Go (https://x.test/a?b=1&c=2).',
    ],
    ['writes a link once when text and address agree', '<a href="https://x.test/">x.test</a>', 'x.test'],
    [
      'keeps the blanks of an address',
      '<a href=" https://x.test/a b?z=1\n 2 ">Go</a>',
      'Go (https://x.test/a%20b?z=1%202)',
    ],
    ['writes a mail link once', '<a href="mailto:a@x.test">a@x.test</a>', 'a@x.test'],
    [
      'writes the address of a link without text',
      'See <a href="https://x.test/a"><img src="i.png"></a>',
      'See https://x.test/a',
    ],
    ['leaves out addresses that mean nothing on paper', '<a href="#top">Up</a> <a href="javascript:x()">b</a>', 'Up b'],
    [
      'ends a link where the next begins',
      '<a href="http://a.test/1">A<a href="http://b.test/2">B</a>',
      'A (http://a.test/1)B (http://b.test/2)',
    ],
    [
      'keeps the address on the line of its block link',
      '<a href="http://a.test/1"><p>A</p></a><p>B</p>',
      'A (http://a.test/1)\n\nB',
    ],
    ['keeps ampersands in addresses', '<a href="http://x.test/?a=1&copy=2">y</a>', 'y (http://x.test/?a=1&copy=2)'],
    ['reads images aloud', '<p>Hi <img src="x.png" alt="the &quot;logo&quot;"> there</p>', 'Hi the "logo" there'],
    ['marks the items of a list', '<p>A</p><ul><li>One</li><li>Two<li>Three</ul>B', 'A\n\n- One\n- Two\n- Three\n\nB'],
    ['counts the items of an ordered list', '<ol><li>One<li>Two</ol>', '1. One\n2. Two'],
    ['indents nested lists', '<ul><li>A<ol><li>B<br>b</ol></li><li>C</ul>', '- A\n  1. B\n    b\n- C'],
    ['quotes block quotes', '<blockquote>A<blockquote>B</blockquote></blockquote>C', '> A\n\n> > B\n\nC'],
    ['puts a table row on a line', '<table><tr><td>A</td><td>1</td></tr><tr><td>B<td>2</table>', 'A  1\nB  2'],
    ['draws a rule', 'a<hr>b', 'a\n\n--------------------\n\nb'],
    ['keeps the lines of preformatted text', '<pre>\nif a:\n    b\n\n\n  c</pre>d', 'if a:\n    b\n\n\n  c\n\nd'],
    [
      'drops style, script, title and comments',
      '<title>t</title><style>p{}</style>a<script>"<p>"</script><!-- <p>x -->b',
      'ab',
    ],
    [
      'drops the branch for Outlook and keeps the other',
      '<!--[if mso]>A<![endif]--><!--[if !mso]><!-->B<!--<![endif]-->',
      'B',
    ],
    [
      'drops hidden elements with all they hold',
      '<div style="color:red; DISPLAY : none">a<div>b</div>c</div>d<p hidden>e</p>f',
      'df',
    ],
    ['ends a hidden paragraph at the next block', '<p style="display:none">a<p>b', 'b'],
    ['takes a hidden image for nothing more', '<img alt="x" style="display:none">a', 'a'],
    ['drops invisible filler', 'a\u200b&shy;\u034fb&#8203;', 'ab'],
    [
      'reads upper case and odd attributes',
      '<P CLASS=x data-a=">" STYLE=\'a:b\'>a</P><BR/><A HREF=http://x.test/y>z</A>',
      'a\n\nz (http://x.test/y)',
    ],
    ['takes a lone < for text', '1 < 2 <3 &lt;b>', '1 < 2 <3 <b>'],
    ['drops what a never-ending tag or comment swallows', 'a<!-- b', 'a'],
    ['drops what a never-closed attribute swallows', 'a<p title="b>c', 'a'],
  ]
  it.each(cases)('%s', (_, html, text) => {
    expect(htmlToPlainText(html)).toBe(text)
  })

  it('decodes every kind of character reference and leaves unknown ones unchanged', () => {
    expect(htmlToPlainText('&eacute;&#233;&#xE9; &euro; &hellip; &alpha;&Omega; &copy 2026 AT&T')).toBe(
      'ééé € … αΩ © 2026 AT&T',
    )
    expect(htmlToPlainText('&#150;&#x80;')).toBe('–€')
    expect(htmlToPlainText('&#0;&#xD800;&#x110000;&#99999999999999;')).toBe('\ufffd'.repeat(4))
    expect(htmlToPlainText('&nosuch; &; &#; &#x;')).toBe('&nosuch; &; &#; &#x;')
    expect(htmlToPlainText('&amp;lt;')).toBe('&lt;')
  })

  it('stops indenting deeply nested lists and quotes', () => {
    expect(htmlToPlainText(`${'<ul><li>'.repeat(30)}x`)).toBe(`${' '.repeat(14)}- x`)
    expect(htmlToPlainText(`${'<blockquote>'.repeat(30)}x`)).toBe(`${'> '.repeat(8)}x`)
  })

  const MAIL = `<!DOCTYPE html><html><head><meta charset="utf-8"><title>Order</title><style>a{color:red}</style></head>
    <body bgcolor=#fff><table width="100%"><tr><td align="center"><table class="box" cellpadding=0><tr><td>
    <h1>Hi Zoë &amp; friends,</h1><p>your order&nbsp;4711 &mdash; <strong>three</strong> parcels &mdash; is on its way.</p>
    <p><i>Thanks</i><br>the&#32;team</p><ul><li>Paper</li><li>Ink &frac12; litre</li></ul><p>10 &lt; 20 &euro;</p>
    </td></tr></table></td></tr></table></body></html>`

  const wordsOf = (text: string): string[] => text.split(/[\s*-]+/u).filter((word) => word !== '')

  it('contains the same words as html-to-text, in the same order', () => {
    const oracle = convert(MAIL, { wordwrap: false, selectors: [{ selector: 'h1', options: { uppercase: false } }] })
    expect(wordsOf(htmlToPlainText(MAIL))).toEqual(wordsOf(oracle))
  })

  it('contains the same words as html-to-text for random documents', () => {
    const word = fc.constantFrom('alpha', 'béta', '東京', 'x &amp; y', '1 &lt; 2', '&eacute;t&eacute;', 'a\n  b')
    const { node } = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        word,
        fc
          .tuple(
            fc.constantFrom('p', 'div', 'b', 'span', 'section', 'em', 'u'),
            fc.array(tie('node'), { maxLength: 4 }),
          )
          .map(([name, children]) => `<${name} class="x">${children.join(' ')}</${name}>`),
        fc
          .array(tie('node'), { maxLength: 3 })
          .map((items) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`),
      ),
    }))
    fc.assert(
      fc.property(node, (html) => {
        expect(wordsOf(htmlToPlainText(html))).toEqual(wordsOf(convert(html, { wordwrap: false })))
      }),
      { numRuns: 200, seed: 4711 },
    )
  })

  it('never throws, and has no trailing blanks and at most one empty line in a row', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(
        '<',
        '</',
        '>',
        '<!--',
        '-->',
        '"',
        "'",
        '=',
        '&#',
        '&amp',
        '<p',
        '<p>',
        '</p>',
        '<br>',
        '<li>',
        '<td>',
      ),
      fc.constantFrom(
        '<ul>',
        '</ul>',
        '<a href="x">',
        '</a>',
        '<style>',
        '</style>',
        '<div hidden>',
        '</div>',
        '<hr>',
        ' ',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = htmlToPlainText(pieces.join(''))
        expect(text).not.toMatch(/[ \t]\n|\n{3}/)
      }),
      { numRuns: 1000, seed: 4711 },
    )
  })

  it('takes linear time on malicious documents', () => {
    const shapes = [
      '<',
      '<a',
      '<a ',
      '</',
      '<!',
      '<!--',
      '<?',
      '<a b="',
      '<a =',
      '<div>',
      '<p hidden>',
      '<style>',
      '&',
      '&#',
      '&amp',
    ]
    shapes.push(
      '<ul><li>x',
      '<blockquote>x',
      '<pre>\n',
      '<a href=x>y',
      '</style',
      '<td>x',
      '<br>',
      ' \u00a0',
      '<svg>',
      '</p>',
    )
    for (const shape of shapes) {
      // At this size anything quadratic takes half a minute or more; linear stays far below the limit even on a busy machine.
      const html = shape.repeat(Math.ceil(500_000 / shape.length))
      const start = process.cpuUsage()
      htmlToPlainText(html)
      const { user, system } = process.cpuUsage(start)
      expect((user + system) / 1e6, `seconds for ${JSON.stringify(shape)}`).toBeLessThan(5)
    }
  })
})
