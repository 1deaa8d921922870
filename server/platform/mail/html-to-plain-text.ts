/**
 * Makes the text part of a mail from its HTML: blocks become lines, links `text (address)`, lists get markers, a table
 * row is a line; style, script, comments and hidden elements (preheaders) vanish. Our own because html-to-text takes
 * about 250 µs for a 5 KB mail, more than all of composing may cost at 5,000 messages a second, and this about 50; it
 * is the oracle in the tests.
 */
import { decodeEntities } from './html-to-plain-text-entities.ts'
import { endOfRawText, isLetter, readTag, type Tag } from './html-to-plain-text-tags.ts'
import { createTextWriter, type TextWriter } from './html-to-plain-text-writer.ts'

/** Content is text up to the element's own closing tag, and none of it is for readers. */
const RAW = 1
/** Has markup inside that plain text has no use for. */
const DROPPED = 2
const VOID = 4
/** An empty line before and after. */
const PARAGRAPH = 8
/** A line of its own. */
const LINE = 16

const kinds = new Map<string, number>()
const classify = (kind: number, names: string): void => {
  for (const name of names.split(' ')) kinds.set(name, kind)
}
classify(RAW, 'script style title textarea xmp iframe noembed noframes')
classify(DROPPED, 'template svg math audio video canvas datalist select')
classify(VOID, 'area base br col embed hr img input link meta param source track wbr')
classify(PARAGRAPH, 'p h1 h2 h3 h4 h5 h6 dl table pre blockquote figure fieldset')
classify(LINE, 'div tr section article header footer main nav aside address form center body html thead tbody tfoot')
classify(LINE, 'caption figcaption dt dd details summary legend option li ul ol')

const RULE = '-'.repeat(20)

interface Conversion {
  writer: TextWriter
  /** The element that hides everything until it closes, and how many of its name are open inside. */
  hiddenBy: string
  hiddenDepth: number
  preDepth: number
  /** Address of the link we are inside of, and the text it has had so far. */
  link: string
  linkText: string
}

export function htmlToPlainText(html: string): string {
  const state: Conversion = {
    writer: createTextWriter(),
    hiddenBy: '',
    hiddenDepth: 0,
    preDepth: 0,
    link: '',
    linkText: '',
  }
  let at = 0
  let textStart = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open === -1) break
    const next = html.charCodeAt(open + 1)
    if (isLetter(next) || (next === 0x2f && isLetter(html.charCodeAt(open + 2)))) {
      writeText(state, html.slice(textStart, open))
      at = handleTag(state, html, readTag(html, open))
    } else if (next === 0x21 || next === 0x3f || next === 0x2f) {
      writeText(state, html.slice(textStart, open))
      at = endOfComment(html, open)
    } else {
      at = open + 1 // a lone "<" is text
      continue
    }
    textStart = at
  }
  writeText(state, html.slice(textStart))
  closeLink(state)
  return state.writer.finish()
}

/** `<!-- … -->`, and the bogus comments `<!doctype …>`, `<?xml …>`, `<![endif]>`, `</3>` that end at the first `>`. */
function endOfComment(html: string, open: number): number {
  const isComment = html.startsWith('<!--', open)
  const close = isComment ? html.indexOf('-->', open + 2) : html.indexOf('>', open + 2)
  if (close === -1) return html.length
  return close + (isComment ? 3 : 1)
}

function writeText(state: Conversion, source: string): void {
  if (source === '' || state.hiddenBy !== '') return
  const text = decodeEntities(source, 'text')
  if (state.preDepth > 0) {
    state.writer.preformatted(text)
    noteLinkText(state, text.trim())
  } else {
    noteLinkText(state, state.writer.text(text))
  }
}

function noteLinkText(state: Conversion, text: string): void {
  if (state.link !== '') state.linkText += text
}

/** Answers where to read on. */
function handleTag(state: Conversion, html: string, tag: Tag): number {
  const kind = kinds.get(tag.name) ?? 0
  if (kind === RAW && !tag.closing) return endOfRawText(html, tag.name, tag.end)
  if (state.hiddenBy !== '' && !leavesHidden(state, tag, kind)) return tag.end
  if (tag.closing) closeElement(state, tag.name, kind)
  else if (!tag.hidden && kind !== DROPPED) openElement(state, tag, kind)
  else if (kind !== VOID) {
    state.hiddenBy = tag.name
    state.hiddenDepth = 1
  }
  // The line end right after <pre> is not part of its content.
  if (tag.name === 'pre' && !tag.closing && html.charCodeAt(tag.end) === 0x0a) return tag.end + 1
  return tag.end
}

/** True when the tag ends what is hidden and is itself to be handled: a block that opens ends a hidden `<p>`. */
function leavesHidden(state: Conversion, tag: Tag, kind: number): boolean {
  if (state.hiddenBy === 'p' && !tag.closing && (kind === PARAGRAPH || kind === LINE)) {
    state.hiddenBy = ''
    return true
  }
  if (tag.name === state.hiddenBy) {
    state.hiddenDepth += tag.closing ? -1 : 1
    if (state.hiddenDepth === 0) state.hiddenBy = ''
  }
  return false
}

function openElement(state: Conversion, tag: Tag, kind: number): void {
  const { writer } = state
  breakAround(state, tag.name, kind)
  switch (tag.name) {
    case 'br':
      writer.addBreak()
      break
    case 'a':
      closeLink(state)
      state.link = linkAddress(tag.href)
      break
    case 'img':
      if (tag.alt !== '') noteLinkText(state, writer.text(tag.alt))
      break
    case 'td':
    case 'th':
      writer.separateCell()
      break
    case 'ul':
    case 'ol':
      writer.openList(tag.name === 'ol')
      break
    case 'li':
      writer.startItem()
      break
    case 'blockquote':
      writer.openQuote()
      break
    case 'pre':
      state.preDepth++
      break
    case 'hr':
      writer.breakLine(2)
      writer.text(RULE)
      writer.breakLine(2)
      break
  }
}

function closeElement(state: Conversion, name: string, kind: number): void {
  const { writer } = state
  switch (name) {
    case 'a':
      closeLink(state)
      break
    case 'ul':
    case 'ol':
      writer.closeList()
      break
    case 'blockquote':
      writer.closeQuote()
      break
    case 'pre':
      if (state.preDepth > 0) state.preDepth--
      break
  }
  breakAround(state, name, kind)
}

function breakAround(state: Conversion, name: string, kind: number): void {
  if (kind === PARAGRAPH) state.writer.breakLine(2)
  else if (name === 'ul' || name === 'ol') state.writer.breakLine(state.writer.isInList() ? 1 : 2)
  else if (kind === LINE) state.writer.breakLine(1)
}

/** The address to print for a link, or nothing where it would mean nothing on paper. */
function linkAddress(href: string): string {
  // As browsers read it: breaks are nothing, other blanks inside are part of the address.
  const address = href
    .trim()
    .replace(/[\t\n\r]+/g, '')
    .replace(/\s/g, encodeURIComponent)
  return /^(?:#|javascript:|vbscript:|data:|cid:)/i.test(address) ? '' : address
}

function closeLink(state: Conversion): void {
  const { link, linkText } = state
  state.link = ''
  state.linkText = ''
  if (link === '') return
  if (linkText === '') state.writer.text(link)
  else if (bareAddress(linkText) !== bareAddress(link)) state.writer.attach(`(${link})`)
}

/** What a reader sees as the same address: no scheme, no slash at the end, no difference of case. */
function bareAddress(address: string): string {
  const bare = address.replace(/^(?:https?:\/\/|mailto:|tel:)/i, '').toLowerCase()
  return bare.endsWith('/') ? bare.slice(0, -1) : bare
}
