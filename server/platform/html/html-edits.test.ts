import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { insertBeforeEnd, replaceLinks } from './html-reader.ts'

/** The URLs that are found, as they are passed to the callback. */
function linksIn(html: string): string[] {
  const found: string[] = []
  replaceLinks(html, (url) => {
    found.push(url)
    return undefined
  })
  return found
}

const replaced = (html: string) => replaceLinks(html, (url) => `T(${url})`)

describe('replaceLinks finds links', () => {
  it.each([
    ['in double quotes', '<a href="https://x.test/">x</a>', 'https://x.test/'],
    ['in single quotes', "<a href='https://x.test/'>x</a>", 'https://x.test/'],
    ['without quotes', '<a href=https://x.test/a/b>x</a>', 'https://x.test/a/b'],
    ['in capitals', '<A CLASS=b HREF="https://x.test/">x</A>', 'https://x.test/'],
    ['with spaces and line breaks', '<a\n  href\t=\r\n "  https://x.test/ "\n>', 'https://x.test/'],
    ['with entities', '<a href="https://x.test/?a=1&amp;b=2&#38;c=&quot;">', 'https://x.test/?a=1&b=2&c="'],
    ['with an ampersand that is no entity', '<a href="https://x.test/?a=1&copy=2">', 'https://x.test/?a=1&copy=2'],
    ['after an attribute with a >', '<a title="a > b" href="https://x.test/">', 'https://x.test/'],
    ['in a self-closing tag', '<a href="https://x.test/"/>', 'https://x.test/'],
    ['in an area', '<map><area href="https://x.test/"></map>', 'https://x.test/'],
    ['behind an empty comment', '<!--><a href="https://x.test/">', 'https://x.test/'],
    ['in what only looks like a comment', '<![if !mso]><a href="https://x.test/"><![endif]>', 'https://x.test/'],
    ['once, if there are two', '<a href="https://x.test/" href="https://y.test/">', 'https://x.test/'],
  ])('%s', (_what, html, url) => expect(linksIn(html)).toEqual([url]))
})

describe('replaceLinks finds no links', () => {
  it.each([
    ['in a comment', '<!-- <a href="https://x.test/">x</a> -->'],
    [
      'in a comment for Outlook',
      '<!--[if mso]><a href="https://x.test/"><v:roundrect href="https://x.test/"><![endif]-->',
    ],
    ['in a comment that never ends', '<!-- <a href="https://x.test/">x</a>'],
    ['in a style', '<style>a::after{content:"<a href=https://x.test/>"}</style>'],
    ['in a script', '<script>"<a href=\'https://x.test/\'>"</script >'],
    ['in a title', '<title><a href="https://x.test/"></title>'],
    ['in an attribute', '<img alt="<a href=\'https://x.test/\'>">'],
    ['in other elements', '<link href="https://x.test/"><base href="https://x.test/"><abbr href="https://x.test/">'],
    ['in other attributes', '<a data-href="https://x.test/" xhref="https://x.test/">'],
    ['in a tag that never ends', '<a href="https://x.test/"'],
    ['in a quote that never ends', '<a href="https://x.test/>x</a>'],
    ['in a closing tag', '</a href="https://x.test/">'],
    [
      'where the author says so',
      '<a data-no-track href="https://x.test/"><a href="https://x.test/" DATA-NO-TRACK="true">',
    ],
    ['without a value', '<a href>'],
  ])('%s', (_what, html) => {
    expect(linksIn(html)).toEqual([])
    expect(replaced(html)).toBe(html)
  })
})

describe('replaceLinks', () => {
  it('leaves everything else unchanged, byte for byte', () => {
    expect(replaced(`é<a class=x href=https://x.test/ id='y'>1</a><!-- c --><a href='a"b'>2</a>`)).toBe(
      `é<a class=x href="T(https://x.test/)" id='y'>1</a><!-- c --><a href="T(a&quot;b)">2</a>`,
    )
  })

  const piece = fc.constantFrom(
    '<a ',
    'href=',
    '"',
    "'",
    '>',
    '<!--',
    '-->',
    '<style>',
    '</style>',
    '/',
    ' ',
    'x',
    '&amp;',
    '<',
    '</a>',
    '<body>',
    '</body>',
    '<script>',
    '</script>',
    '=',
  )
  const documents = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))

  it('returns the same text if nothing is replaced', () => {
    fc.assert(
      fc.property(documents, (html) => {
        expect(replaceLinks(html, () => undefined)).toBe(html)
      }),
    )
  })

  it('adds what insertBeforeEnd would insert after it', () => {
    const image = '<img src="https://x.test/pixel">'
    fc.assert(
      fc.property(documents, (html) => {
        expect(replaceLinks(html, (url) => `T(${url})`, image)).toBe(insertBeforeEnd(replaced(html), image))
      }),
      { examples: [['<body><a href=x>1</a></body><a href=y>2</a><!--</body>']] },
    )
  })

  it('takes linear time on malformed documents', () => {
    for (const piece of ['<a ', '<a href="', '<!--', '<style>', '</', '<a href=x', "<a x='", '<!']) {
      const html = piece.repeat(1_000_000 / piece.length) // scanning each part twice would exceed the timeout of the test
      expect(replaceLinks(html, () => undefined)).toBe(html)
    }
  })
})
