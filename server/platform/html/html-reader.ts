/**
 * Parses HTML as browsers do and reports text and tags with their positions, so that a document can be edited in place.
 * Comments (including conditional ones for Outlook) and tag-like text inside a script or style are not tags. The
 * position only moves forward, so malicious documents take linear time. Our own because htmlparser2 doubles the cost of
 * composing (decision 8); tests compare the two.
 */
import { decodeHTML, decodeHTMLAttribute } from 'entities'

interface Attribute {
  nameStart: number
  nameEnd: number
  /** The position of the value, without quotes. Both are 0 for an attribute without a value. */
  start: number
  end: number
  isQuoted: boolean
}

export interface StartTag {
  /** Lower case. */
  name: string
  attributes: Attribute[]
  /** The position of the text after the tag. */
  end: number
}

/** A tag that never ends is not reported, as in browsers. */
export interface HtmlVisitor {
  text?(start: number, end: number): void
  startTag?(tag: StartTag): void
  endTag?(name: string, start: number): void
}

/** Elements whose content is text up to their end tag, whatever it contains. */
const RAW_TEXT = new Set('script style title textarea xmp iframe noembed noframes'.split(' '))

const EXCLAMATION = 0x21
const DOUBLE_QUOTE = 0x22
const SINGLE_QUOTE = 0x27
const SLASH = 0x2f
const EQUALS = 0x3d
const GREATER = 0x3e
const QUESTION = 0x3f

const isLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b)
const endsWord = (code: number): boolean => code === GREATER || code === SLASH || isSpace(code)

export function readHtml(html: string, visitor: HtmlVisitor): void {
  let textStart = 0
  let open = html.indexOf('<')
  while (open !== -1) {
    const isEndTag = html.charCodeAt(open + 1) === SLASH
    const nameStart = isEndTag ? open + 2 : open + 1
    const first = html.charCodeAt(nameStart)
    let next = open + 1
    if (isLetter(first)) {
      if (open > textStart) visitor.text?.(textStart, open)
      const tag = readTag(html, nameStart)
      if (!tag) return
      textStart = tag.end
      next = tag.end
      if (isEndTag) visitor.endTag?.(tag.name, open)
      else {
        visitor.startTag?.(tag)
        next = endOfContent(html, tag)
      }
    } else if (isEndTag ? nameStart < html.length : first === EXCLAMATION || first === QUESTION) {
      if (open > textStart) visitor.text?.(textStart, open)
      next = endOfComment(html, open)
      textStart = next
    }
    // Otherwise it is a single "<", which is text.
    open = html.indexOf('<', next)
  }
  if (html.length > textStart) visitor.text?.(textStart, html.length)
}

/** Reads a tag from its name on; undefined if it never ends. */
function readTag(html: string, nameStart: number): StartTag | undefined {
  let at = nameStart
  while (at < html.length && !endsWord(html.charCodeAt(at))) at++
  const tag: StartTag = { name: lowerCase(html.slice(nameStart, at)), attributes: [], end: 0 }
  while (at < html.length) {
    const code = html.charCodeAt(at)
    if (code === GREATER) {
      tag.end = at + 1
      return tag
    }
    at = isSpace(code) || code === SLASH ? at + 1 : readAttribute(html, at, tag)
  }
  return undefined
}

/** Names are usually lower case already, and checking is ten times cheaper than converting. */
function lowerCase(name: string): string {
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i)
    if (code < 0x61 || code > 0x7a) return name.toLowerCase()
  }
  return name
}

/** Adds the attribute that starts at `nameStart` and returns where it ends. */
function readAttribute(html: string, nameStart: number, tag: StartTag): number {
  let nameEnd = nameStart + 1 // a leading "=" belongs to the name
  while (nameEnd < html.length) {
    const code = html.charCodeAt(nameEnd)
    if (code === EQUALS || endsWord(code)) break
    nameEnd++
  }
  const attribute: Attribute = { nameStart, nameEnd, start: 0, end: 0, isQuoted: false }
  tag.attributes.push(attribute)
  let at = skipSpace(html, nameEnd)
  if (html.charCodeAt(at) !== EQUALS) return at
  at = skipSpace(html, at + 1)
  const quote = html.charCodeAt(at)
  attribute.isQuoted = quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE
  if (!attribute.isQuoted) {
    attribute.start = at
    while (at < html.length && html.charCodeAt(at) !== GREATER && !isSpace(html.charCodeAt(at))) at++
    attribute.end = at
    return at
  }
  const close = html.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", at + 1)
  if (close === -1) return html.length
  attribute.start = at + 1
  attribute.end = close
  return close + 1
}

function skipSpace(html: string, from: number): number {
  let at = from
  while (isSpace(html.charCodeAt(at))) at++
  return at
}

/** The position where the next tag can start: after this one, or at the end of raw text. */
function endOfContent(html: string, { name, end }: StartTag): number {
  if (name === 'plaintext') return html.length
  if (!RAW_TEXT.has(name)) return end
  for (let close = html.indexOf('</', end); close !== -1; close = html.indexOf('</', close + 2)) {
    const nameEnd = close + 2 + name.length
    if (endsWord(html.charCodeAt(nameEnd)) && html.slice(close + 2, nameEnd).toLowerCase() === name) return close
  }
  return html.length
}

const COMMENT_END = /--!?>/g

/** `<!-- … -->`, and `<!doctype …>`, `<?xml …>`, `<![endif]>`, `</3>`, which end at the first `>`. */
function endOfComment(html: string, open: number): number {
  if (html.startsWith('<!--', open)) {
    if (html.startsWith('>', open + 4)) return open + 5
    if (html.startsWith('->', open + 4)) return open + 6
    COMMENT_END.lastIndex = open + 4
    return COMMENT_END.test(html) ? COMMENT_END.lastIndex : html.length
  }
  const close = html.indexOf('>', open + 2)
  return close === -1 ? html.length : close + 1
}

/** Elements without content, so without an end tag. */
export const VOID_ELEMENTS = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

/** An end tag without a start tag is ignored. Searching further for its start tag would make hostile HTML slow. */
const NESTING_MAX = 50

/** Removes the element that ends, and those inside it, from the list of open elements. The first entry is the root. */
export function closeElement(open: Array<{ tag: string }>, name: string): void {
  const depth = open
    .slice(-NESTING_MAX)
    .reverse()
    .findIndex(({ tag }) => tag === name)
  if (depth !== -1 && depth < open.length - 1) open.length -= depth + 1
}

/** `name` is lower case. As in browsers, the first of several attributes with the same name counts. */
export const findAttribute = (html: string, { attributes }: StartTag, name: string): Attribute | undefined =>
  attributes.find(
    ({ nameStart, nameEnd }) =>
      nameEnd - nameStart === name.length && lowerCase(html.slice(nameStart, nameEnd)) === name,
  )

/** Empty if the tag doesn't have the attribute. */
export function attributeValue(html: string, tag: StartTag, name: string): string {
  const attribute = findAttribute(html, tag, name)
  return attribute ? decodeAttribute(html.slice(attribute.start, attribute.end)) : ''
}

export const decodeAttribute = (source: string): string => (source.includes('&') ? decodeHTMLAttribute(source) : source)
/** What a person reads, with spaces between elements. */
export function textOfHtml(html: string): string {
  if (!html.includes('<')) return decodeText(html)
  const parts: string[] = []
  let hidden = false
  readHtml(html, {
    text: (start, end) => {
      if (!hidden) parts.push(decodeText(html.slice(start, end)))
    },
    startTag: ({ name }) => {
      hidden = name === 'script' || name === 'style'
    },
    endTag: () => {
      hidden = false
    },
  })
  return parts.join(' ')
}

export const decodeText = (source: string): string => (source.includes('&') ? decodeHTML(source) : source)

// Edits an HTML document in place: replaces links and inserts before the end of the body. Everything else is unchanged,
// byte for byte.

const LINKS = new Set(['a', 'area'])
const NO_TRACK = 'data-no-track'

/**
 * `replace` gets each decoded URL and returns a new one, or undefined to keep it. `addition` is inserted as `insertBeforeEnd`
 * does, without reading the document again.
 */
export function replaceLinks(html: string, replace: (url: string) => string | undefined, addition = ''): string {
  let result = ''
  let copied = 0
  /** In the result. */
  let bodyEnd: number | undefined
  readHtml(html, {
    startTag(tag) {
      if (!LINKS.has(tag.name)) return
      const href = findAttribute(html, tag, 'href')
      if (!href || href.end === 0 || findAttribute(html, tag, NO_TRACK)) return
      const better = replace(decodeAttribute(html.slice(href.start, href.end)).trim())
      if (better === undefined) return
      const quote = href.isQuoted ? 1 : 0
      result += `${html.slice(copied, href.start - quote)}"${escapeAttribute(better)}"`
      copied = href.end + quote
    },
    endTag(name, start) {
      if (name === 'body') bodyEnd = result.length + start - copied
    },
  })
  const replaced = copied === 0 ? html : result + html.slice(copied)
  return addition === '' ? replaced : replaced.slice(0, bodyEnd) + addition + replaced.slice(bodyEnd ?? replaced.length)
}

/** Inserts before the last `</body>` tag that is not in a comment or script; at the end if there is none. */
export function insertBeforeEnd(html: string, addition: string): string {
  const at = endOfBody(html)
  return html.slice(0, at) + addition + html.slice(at)
}

/** Inserts after the `<body>` tag; without one, after the head or the doctype, so that these stay first. */
export function insertAtStart(html: string, addition: string): string {
  const at = startOfBody(html)
  return html.slice(0, at) + addition + html.slice(at)
}

function startOfBody(html: string): number {
  let body: number | undefined
  let start = /^\s*<!doctype[^>]*>/i.exec(html)?.[0].length ?? 0
  readHtml(html, {
    startTag({ name, end }) {
      if (name === 'body') body ??= end
      else if (name === 'html' && body === undefined) start = end
    },
    endTag(name, at) {
      if (name === 'head') start = html.indexOf('>', at) + 1
    },
  })
  return body ?? start
}

function endOfBody(html: string): number {
  let found = html.length
  readHtml(html, {
    endTag(name, start) {
      if (name === 'body') found = start
    },
  })
  return found
}

export const escapeAttribute = (url: string): string => url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
