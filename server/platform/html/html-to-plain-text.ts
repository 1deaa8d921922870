/**
 * Generates the text part of an email from its HTML: blocks become lines, links `text (URL)`, lists get markers, a
 * table row is a line; style, script, comments and hidden elements (preheaders) are dropped. The package html-to-text
 * builds a tree first and takes five times as long (decision 8); tests compare the results.
 */
import { attributeValue, decodeText, findAttribute, readHtml, type StartTag } from './html-reader.ts'

/** Elements whose content is not shown in plain text. */
const DROPPED = 1
const VOID = 2
/** Surrounded by empty lines. */
const PARAGRAPH = 3
/** The element is on a line of its own. */
const LINE = 4

const kinds = new Map<string, number>()
const classify = (kind: number, names: string): void => {
  for (const name of names.split(' ')) kinds.set(name, kind)
}
classify(DROPPED, 'script style title textarea xmp iframe noembed noframes')
classify(DROPPED, 'template svg math audio video canvas datalist select')
classify(VOID, 'area base br col embed hr img input link meta param source track wbr')
classify(PARAGRAPH, 'p h1 h2 h3 h4 h5 h6 dl table pre blockquote figure fieldset')
classify(LINE, 'div tr section article header footer main nav aside address form center body html thead tbody tfoot')
classify(LINE, 'caption figcaption dt dd details summary legend option li ul ol')

const RULE = '-'.repeat(20)
const HIDING_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i

interface Conversion {
  writer: TextWriter
  /** The hidden element that hides everything until it closes, and how many of its name are open inside. */
  hiddenBy: string
  hiddenDepth: number
  preDepth: number
  /** The start of the content of the last <pre>. */
  preStart: number
  /** The URL of the current link, and its text so far. */
  link: string
  linkText: string
  isSame: (text: string, link: string) => boolean
}

/** `isSame`: whether a text says what its link is. */
export function htmlToPlainText(html: string, isSame = isSameAddress): string {
  const state: Conversion = {
    writer: createTextWriter(),
    hiddenBy: '',
    hiddenDepth: 0,
    preDepth: 0,
    preStart: -1,
    link: '',
    linkText: '',
    isSame,
  }
  readHtml(html, {
    text: (start, end) => writeText(state, html, start, end),
    startTag: (tag) => startElement(state, html, tag),
    endTag: (name) => endElement(state, name),
  })
  closeLink(state)
  return state.writer.finish()
}

function writeText(state: Conversion, html: string, start: number, end: number): void {
  if (state.hiddenBy !== '') return
  // The line break right after <pre> is not part of its content.
  const first = start === state.preStart && html.charCodeAt(start) === 0x0a ? start + 1 : start
  const text = decodeText(html.slice(first, end))
  if (state.preDepth > 0) {
    state.writer.preformatted(text)
    addLinkText(state, text.trim())
  } else {
    addLinkText(state, state.writer.text(text))
  }
}

function addLinkText(state: Conversion, text: string): void {
  if (state.link !== '') state.linkText += text
}

function startElement(state: Conversion, html: string, tag: StartTag): void {
  const kind = kinds.get(tag.name) ?? 0
  if (tag.name === 'pre') state.preStart = tag.end
  if (state.hiddenBy !== '' && !endsHiddenParagraph(state, kind)) {
    if (tag.name === state.hiddenBy) state.hiddenDepth++
  } else if (kind !== DROPPED && !isHidden(html, tag)) openElement(state, html, tag, kind)
  else if (kind !== VOID) {
    state.hiddenBy = tag.name
    state.hiddenDepth = 1
  }
}

function endElement(state: Conversion, name: string): void {
  if (state.hiddenBy === '') closeElement(state, name, kinds.get(name) ?? 0)
  else if (name === state.hiddenBy && --state.hiddenDepth === 0) state.hiddenBy = ''
}

/** A block that opens ends a hidden `<p>`. */
function endsHiddenParagraph(state: Conversion, kind: number): boolean {
  if (state.hiddenBy !== 'p' || (kind !== PARAGRAPH && kind !== LINE)) return false
  state.hiddenBy = ''
  return true
}

function isHidden(html: string, tag: StartTag): boolean {
  if (tag.attributes.length === 0) return false
  const style = findAttribute(html, tag, 'style')
  if (style && HIDING_STYLE.test(html.slice(style.start, style.end))) return true
  return findAttribute(html, tag, 'hidden') !== undefined
}

function openElement(state: Conversion, html: string, tag: StartTag, kind: number): void {
  const { writer } = state
  breakAround(state, tag.name, kind)
  switch (tag.name) {
    case 'br':
      writer.addBreak()
      break
    case 'a':
      closeLink(state)
      state.link = linkAddress(attributeValue(html, tag, 'href'))
      break
    case 'img':
      addLinkText(state, writer.text(attributeValue(html, tag, 'alt')))
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

/** The URL to print for a link, or undefined if it is useless in print. */
function linkAddress(href: string): string {
  // As browsers do: line breaks are removed, other blanks inside are part of the URL.
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
  else if (!state.isSame(linkText, link)) state.writer.attach(`(${link})`)
}

export const isSameAddress = (a: string, b: string): boolean => bareAddress(a) === bareAddress(b)

/** For comparing URLs as readers do: without scheme, trailing slash and case. */
function bareAddress(address: string): string {
  const bare = address.replace(/^(?:https?:\/\/|mailto:|tel:)/i, '').toLowerCase()
  return bare.endsWith('/') ? bare.slice(0, -1) : bare
}

// Formats plain text: collapses space, delays line breaks until more text follows, and starts each line with its
// quotation marks, indentation and list marker. Output is never read again, so the cost is linear.

/** All white space except a single space: most are single, and replacing each takes twice the time. */
const SPACES = /[\t\n\f\r\u00a0][ \t\n\f\r\u00a0]*| [ \t\n\f\r\u00a0]+/g
/** Soft hyphen, combining grapheme joiner, zero-width space, byte order mark: filler in emails. */
const INVISIBLE = /\u00ad|\u034f|\u200b|\ufeff/g
const SPACE = 0x20

/** Deeper quotes and lists are not indented further, because nesting could make the text quadratic in size. */
const DEEPEST_INDENT = 8

const indents = Array.from({ length: DEEPEST_INDENT + 1 }, (_, depth) => '  '.repeat(depth))
const quotes = Array.from({ length: DEEPEST_INDENT + 1 }, (_, depth) => '> '.repeat(depth))

type TextWriter = ReturnType<typeof createTextWriter>

function createTextWriter() {
  let out = ''
  let started = false
  let breaks = 0
  let gap = ''
  let quoteDepth = 0
  let marker = ''
  /** One number per list: the items of an ordered list so far, -1 for a bulleted one. */
  const lists: number[] = []

  function linePrefix(): string {
    const depth = Math.min(lists.length, DEEPEST_INDENT)
    const quote = quotes[Math.min(quoteDepth, DEEPEST_INDENT)]!
    if (depth === 0) return quote
    const prefix = quote + (marker === '' ? indents[depth]! : indents[depth - 1]! + marker)
    marker = ''
    return prefix
  }

  function emit(text: string): void {
    if (!started) out += linePrefix()
    else if (breaks > 0) out += '\n'.repeat(breaks) + linePrefix()
    else out += gap
    started = true
    breaks = 0
    gap = ''
    out += text
  }

  return {
    /** Running text: any white space becomes one space. Returns what was written, without surrounding space. */
    text(run: string): string {
      const text = run.replace(INVISIBLE, '').replace(SPACES, ' ')
      const start = text.charCodeAt(0) === SPACE ? 1 : 0
      const end = text.charCodeAt(text.length - 1) === SPACE ? text.length - 1 : text.length
      if (start === 1 && gap === '') gap = ' '
      if (end <= start) return ''
      const words = text.slice(start, end)
      emit(words)
      if (end < text.length) gap = ' '
      return words
    },

    /** Text whose spaces and line breaks are preserved. */
    preformatted(run: string): void {
      const lines = run.split(/\r\n?|\n/)
      lines.forEach((line, index) => {
        if (index > 0) breaks++
        if (line !== '') emit(line)
      })
    },

    /** Appends to the last line, even if a line break is pending. */
    attach(text: string): void {
      out += ` ${text}`
    },

    /** 1: a new line, 2: an empty line between. */
    breakLine(count: 1 | 2): void {
      breaks = Math.max(Math.min(breaks, 2), count)
      gap = ''
    },

    /** `<br>`: one more line break, but at most one empty line. */
    addBreak(): void {
      breaks = Math.min(breaks + 1, 2)
      gap = ''
    },

    separateCell(): void {
      gap = '  '
    },

    openQuote(): void {
      quoteDepth++
    },

    closeQuote(): void {
      if (quoteDepth > 0) quoteDepth--
    },

    openList(ordered: boolean): void {
      lists.push(ordered ? 0 : -1)
    },

    closeList(): void {
      lists.pop()
      marker = ''
    },

    isInList: (): boolean => lists.length > 0,

    startItem(): void {
      const last = lists.length - 1
      if (last < 0) marker = ''
      else if (lists[last] === -1) marker = '- '
      else marker = `${++lists[last]!}. `
    },

    finish: (): string => out,
  }
}
