import fc from 'fast-check'
import { Tokenizer } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { attributeValue, findAttribute, readHtml, type StartTag } from './html-reader.ts'

/** Everything that is reported, in order. */
function partsOf(html: string): string[] {
  const parts: string[] = []
  readHtml(html, {
    text: (start, end) => parts.push(`text ${html.slice(start, end)}`),
    startTag({ name, attributes, end }) {
      const written = attributes.map(({ nameStart, nameEnd, start, end }) =>
        [html.slice(nameStart, nameEnd), html.slice(start, end)].join('='),
      )
      parts.push(['start', name, ...written, html[end - 1]].join(' '))
    },
    endTag: (name, start) => parts.push(`end ${name} ${html.slice(start, start + 2)}`),
  })
  return parts
}

/** The same, by htmlparser2. */
function partsByHtmlparser2(html: string): string[] {
  const parts: string[] = []
  let textEnd = -1
  let tag: string[] = []
  let attribute = ''
  const tagEnds = (at: number) => parts.push([...tag, html[at]].join(' '))
  const ignore = () => {}
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      ontext(start, end) {
        const text = html.slice(start, end)
        // A lone "<" splits a text in two.
        if (start === textEnd) parts[parts.length - 1] += text
        else parts.push(`text ${text}`)
        textEnd = end
      },
      onopentagname(start, end) {
        tag = ['start', html.slice(start, end).toLowerCase()]
      },
      onattribname(start, end) {
        attribute = `${html.slice(start, end)}=`
      },
      onattribdata(start, end) {
        attribute += html.slice(start, end)
      },
      onattribend: () => tag.push(attribute),
      onopentagend: tagEnds,
      onselfclosingtag: tagEnds,
      onclosetag: (start, end) => parts.push(`end ${html.slice(start, end).toLowerCase()} </`),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
      ontextentity: ignore,
      onattribentity: ignore,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return parts
}

function firstTag(html: string): StartTag {
  const tags: StartTag[] = []
  readHtml(html, { startTag: (tag) => tags.push(tag) })
  return tags[0]!
}

describe('readHtml', () => {
  it.each<[what: string, html: string, parts: string[]]>([
    ['text and tags', 'a<B Class=x>b</b >c', ['text a', 'start b Class=x >', 'text b', 'end b </', 'text c']],
    ['a lone < as part of the text', '1 < 2 <3 </', ['text 1 < 2 <3 </']],
    ['no comment', 'a<!-- <p> -- > --!>b<!--[if mso]><p><![endif]-->c', ['text a', 'text b', 'text c']],
    ['what follows an empty comment', '<!--><p><!---><b>', ['start p >', 'start b >']],
    ['no declaration', '<!doctype html><?xml ?><![if !mso]>a<![endif]></ x>b</>c', ['text a', 'text b', 'text c']],
    ['a script as text', '<script>"<p>"</SCRIPT >a', ['start script >', 'text "<p>"', 'end script </', 'text a']],
    ['what follows <plaintext> as text', '<plaintext><p></plaintext>', ['start plaintext >', 'text <p></plaintext>']],
    ['no tag that never ends', 'a<p title="x>b', ['text a']],
    ['a self-closing tag', '<br/><img alt=x / >', ['start br >', 'start img alt=x >']],
    ['nothing of an unfinished tag', 'a</p ', ['text a']],
  ])('reports %s', (_what, html, parts) => expect(partsOf(html)).toEqual(parts))

  it('finds the same as htmlparser2 in random documents', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.constantFrom('<', '>', '<!--', '-->', '--!>', '--', '<!', '<?', '"', "'", '=', ' ', '/', '\n', 'x', '&amp;'),
      fc.constantFrom('<a ', '<A\thref', 'href=', "title = '", '<p>', '</p>', '<br/>', '<img alt="a > b">', '</a x>'),
      fc.constantFrom('<style>', '</style>', '</STYLE >', '<title', '</title>', '<script>', '</script>', '</3>', '</>'),
    )
    let compared = 0
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        // The two differ in tags that never end and in attributes of end tags, so only documents whose end is read count.
        const html = `${pieces.join('')}<end>`
        const expected = partsByHtmlparser2(html)
        fc.pre(expected.at(-1) === 'start end >')
        compared++
        expect(partsOf(html)).toEqual(expected)
      }),
      { numRuns: 1_000, seed: 4711, maxSkipsPerRun: 100 },
    )
    expect(compared).toBe(1_000)
  })

  it('returns the position of a value without its quotes', () => {
    for (const html of ['<a href="x&amp;y">', "<a href = 'x&amp;y' >", '<a HREF=x&amp;y>']) {
      const { start, end, isQuoted } = findAttribute(html, firstTag(html), 'href')!
      expect(html.slice(start, end)).toBe('x&amp;y')
      expect(isQuoted).toBe(!html.includes('=x'))
    }
    expect(findAttribute('<a href>', firstTag('<a href>'), 'href')).toMatchObject({ start: 0, end: 0, isQuoted: false })
  })

  it.each([
    ['every named entity', '<a href="&rarr;&CounterClockwiseContourIntegral;">', '→∳'],
    ['no name that goes on as part of an address', '<a href="?a=1&copy=2&notit;">', '?a=1&copy=2&notit;'],
    ['the first of two', '<a href=1 HREF=2>', '1'],
    ['nothing for a missing one', '<a name=x>', ''],
  ])('decodes the value of an attribute: %s', (_what, html, value) => {
    expect(attributeValue(html, firstTag(html), 'href')).toBe(value)
  })

  it.each<[shape: string, tagsEach: number]>([
    ['<div>', 1],
    ['<!--x--><b>', 1],
    ['<a href="', 0],
    ['<!--', 0],
    ['</', 0],
  ])('reads ten megabytes of %s in one pass', (shape, tagsEach) => {
    const count = Math.floor(10_000_000 / shape.length) // scanning each part twice would exceed the timeout of the test
    let tags = 0
    readHtml(shape.repeat(count), { startTag: () => tags++ })
    expect(tags).toBe(count * tagsEach)
  })
})
