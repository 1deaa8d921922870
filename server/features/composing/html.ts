/**
 * Edits an HTML document without parsing it into a tree: replaces links, inserts before the end of the body. Tags are
 * found in one pass. What is not a tag to a browser is not one here: comments (conditional ones for Outlook included),
 * styles and scripts stay as they are, byte for byte.
 */
import { decodeEntities } from '../../platform/mail/html-to-plain-text-entities.ts'
import { endOfRawText, isLetter } from '../../platform/mail/html-to-plain-text-tags.ts'

/** Elements whose content is text to the end, whatever it looks like. */
const RAW_TEXT = new Set('style script title textarea xmp iframe noembed noframes plaintext'.split(' '))
const LINKS = new Set(['a', 'area'])
const NO_TRACK = 'data-no-track'

const GREATER = 0x3e
const SLASH = 0x2f
const EQUALS = 0x3d
const DOUBLE_QUOTE = 0x22
const SINGLE_QUOTE = 0x27
const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b)

/** `replace` gets each address as a browser reads it and answers with a better one, or nothing. */
export function replaceLinks(html: string, replace: (url: string) => string | undefined): string {
  let result = ''
  let copied = 0
  eachTag(html, (tag) => {
    if (tag.closing || !LINKS.has(tag.name) || tag.hrefEnd === 0 || tag.untracked) return
    const better = replace(decodeEntities(html.slice(tag.hrefStart, tag.hrefEnd), 'attribute').trim())
    if (better === undefined) return
    // With the quotes, where there are some.
    const from = tag.hrefStart - tag.quoteLength
    result += `${html.slice(copied, from)}"${escapeAttribute(better)}"`
    copied = tag.hrefEnd + tag.quoteLength
  })
  return copied === 0 ? html : result + html.slice(copied)
}

/** Inserts before the last `</body>` that is a tag and not part of a comment or script; at the end if there is none. */
export function insertBeforeEnd(html: string, addition: string): string {
  const at = endOfBody(html)
  return html.slice(0, at) + addition + html.slice(at)
}

/** How most documents end; the rest are searched for the tag. */
const USUAL_END = /^<\/body\s*>\s*(?:<\/html\s*>\s*)?$/i

function endOfBody(html: string): number {
  const written = lastWritten(html)
  if (written === -1) return html.length
  if (USUAL_END.test(html.slice(written))) return written
  const real = lastEndTag(html, 'body')
  return real === -1 ? html.length : real
}

function lastWritten(html: string): number {
  for (let at = html.lastIndexOf('</'); at > 0; at = html.lastIndexOf('</', at - 1)) {
    const isB = (html.charCodeAt(at + 2) | 0x20) === 0x62 // looked at first, because slicing costs
    if (isB && html.slice(at + 2, at + 6).toLowerCase() === 'body') return at
  }
  return -1
}

/** Where the last end tag of this name begins; -1 if there is none. */
function lastEndTag(html: string, name: string): number {
  let found = -1
  eachTag(html, (tag) => {
    if (tag.closing && tag.name === name) found = tag.start
  })
  return found
}

function eachTag(html: string, visit: (tag: Tag) => void): void {
  let at = html.indexOf('<')
  while (at !== -1) {
    const next = html.charCodeAt(at + 1)
    const closing = next === SLASH
    let end = at + 1
    if (isLetter(closing ? html.charCodeAt(at + 2) : next)) {
      const tag = readTag(html, at, closing)
      visit(tag)
      end = !closing && RAW_TEXT.has(tag.name) ? endOfRawText(html, tag.name, tag.end) : tag.end
    } else if (next === 0x21 || next === 0x3f) end = endOfDeclaration(html, at)
    at = html.indexOf('<', end)
  }
}

const escapeAttribute = (url: string): string => url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** A comment, a doctype, or what browsers take for a comment: where it ends. One that never ends swallows the rest. */
function endOfDeclaration(html: string, start: number): number {
  if (!html.startsWith('<!--', start)) return after(html, html.indexOf('>', start), 1)
  if (html.startsWith('>', start + 4)) return start + 5
  if (html.startsWith('->', start + 4)) return start + 6
  const dashes = html.indexOf('-->', start + 4)
  return after(html, dashes, 3)
}

const after = (html: string, at: number, length: number): number => (at === -1 ? html.length : at + length)

interface Tag {
  /** Lower case. */
  name: string
  closing: boolean
  start: number
  end: number
  /** Where the value of `href` stands, without quotes; an end of 0 if there is none. */
  hrefStart: number
  hrefEnd: number
  quoteLength: number
  untracked: boolean
}

/** Reads a tag the way browsers do. */
function readTag(html: string, start: number, closing: boolean): Tag {
  const nameStart = start + (closing ? 2 : 1)
  let at = nameStart
  while (at < html.length && !endsWord(html.charCodeAt(at))) at++
  const name = html.slice(nameStart, at).toLowerCase()
  const tag: Tag = {
    name,
    closing,
    start,
    end: html.length,
    hrefStart: 0,
    hrefEnd: 0,
    quoteLength: 0,
    untracked: false,
  }
  while (at < html.length) {
    const code = html.charCodeAt(at)
    if (code === GREATER) {
      tag.end = at + 1
      return tag
    }
    at = isSpace(code) || code === SLASH ? at + 1 : readAttribute(html, at, tag)
  }
  tag.untracked = true // it never ends: no browser shows it
  return tag
}

const endsWord = (code: number): boolean => code === GREATER || code === SLASH || isSpace(code)

/** Notes the attribute that starts at `start` and answers where it ends. */
function readAttribute(html: string, start: number, tag: Tag): number {
  let nameEnd = start + 1 // a leading "=" belongs to the name
  while (nameEnd < html.length) {
    const code = html.charCodeAt(nameEnd)
    if (code === EQUALS || endsWord(code)) break
    nameEnd++
  }
  let at = nameEnd
  while (isSpace(html.charCodeAt(at))) at++
  if (html.charCodeAt(at) !== EQUALS) {
    noteAttribute(html, start, nameEnd, tag, 0, 0, 0)
    return at
  }
  at++
  while (isSpace(html.charCodeAt(at))) at++
  const quote = html.charCodeAt(at)
  if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
    const close = html.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", at + 1)
    if (close === -1) return html.length
    noteAttribute(html, start, nameEnd, tag, at + 1, close, 1)
    return close + 1
  }
  let valueEnd = at
  while (valueEnd < html.length && html.charCodeAt(valueEnd) !== GREATER && !isSpace(html.charCodeAt(valueEnd)))
    valueEnd++
  noteAttribute(html, start, nameEnd, tag, at, valueEnd, 0)
  return valueEnd
}

function noteAttribute(
  html: string,
  start: number,
  nameEnd: number,
  tag: Tag,
  valueStart: number,
  valueEnd: number,
  quoteLength: number,
): void {
  const length = nameEnd - start
  if (length === 4 && tag.hrefEnd === 0 && html.slice(start, nameEnd).toLowerCase() === 'href') {
    tag.hrefStart = valueStart
    tag.hrefEnd = valueEnd
    tag.quoteLength = quoteLength
  } else if (length === NO_TRACK.length && html.slice(start, nameEnd).toLowerCase() === NO_TRACK) tag.untracked = true
}
