/**
 * Reads one tag of an HTML document the way browsers do, keeping only the attributes that matter for plain text.
 * The position only ever moves forward, so a document of nothing but broken tags still takes linear time.
 */
import { decodeEntities } from './html-to-plain-text-entities.ts'

export interface Tag {
  /** Lower case. */
  name: string
  closing: boolean
  /** Where the text after the tag begins; the document's length if the tag never ends. */
  end: number
  hidden: boolean
  href: string
  alt: string
}

const GREATER = 0x3e
const SLASH = 0x2f
const EQUALS = 0x3d
const DOUBLE_QUOTE = 0x22
const SINGLE_QUOTE = 0x27

const HIDING_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i

export const isLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)

const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b)

/** Reads the tag whose `<` is at `start`; the caller has seen that a letter follows it (or follows its slash). */
export function readTag(html: string, start: number): Tag {
  const closing = html.charCodeAt(start + 1) === SLASH
  const nameStart = start + (closing ? 2 : 1)
  const nameEnd = endOfWord(html, nameStart)
  const name = lowerCase(html.slice(nameStart, nameEnd))
  const tag: Tag = { name, closing, end: html.length, hidden: false, href: '', alt: '' }

  let at = nameEnd
  while (at < html.length) {
    const code = html.charCodeAt(at)
    if (code === GREATER) {
      tag.end = at + 1
      return tag
    }
    at = isSpace(code) || code === SLASH ? at + 1 : readAttribute(html, at, tag)
  }
  return tag
}

/** Names are nearly always in lower case already, and looking is ten times cheaper than converting. */
function lowerCase(name: string): string {
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i)
    if (code >= 0x41 && code <= 0x5a) return name.toLowerCase()
  }
  return name
}

function endOfWord(html: string, from: number): number {
  let at = from
  while (at < html.length) {
    const code = html.charCodeAt(at)
    if (code === GREATER || code === SLASH || isSpace(code)) break
    at++
  }
  return at
}

/** Notes the attribute that starts at `start` and answers where it ends. */
function readAttribute(html: string, start: number, tag: Tag): number {
  let nameEnd = start + 1 // a leading "=" belongs to the name
  while (nameEnd < html.length) {
    const code = html.charCodeAt(nameEnd)
    if (code === EQUALS || code === GREATER || code === SLASH || isSpace(code)) break
    nameEnd++
  }
  let at = nameEnd
  while (isSpace(html.charCodeAt(at))) at++
  if (html.charCodeAt(at) !== EQUALS) {
    noteAttribute(tag, html, start, nameEnd, 0, 0)
    return at
  }
  at++
  while (isSpace(html.charCodeAt(at))) at++

  const quote = html.charCodeAt(at)
  if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
    const close = html.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", at + 1)
    if (close === -1) return html.length
    noteAttribute(tag, html, start, nameEnd, at + 1, close)
    return close + 1
  }
  let valueEnd = at
  while (valueEnd < html.length && html.charCodeAt(valueEnd) !== GREATER && !isSpace(html.charCodeAt(valueEnd)))
    valueEnd++
  noteAttribute(tag, html, start, nameEnd, at, valueEnd)
  return valueEnd
}

function noteAttribute(tag: Tag, html: string, start: number, end: number, valueStart: number, valueEnd: number): void {
  const first = html.charCodeAt(start) | 0x20
  if (first !== 0x61 && first !== 0x68 && first !== 0x73) return // alt, href, hidden and style are all we look for
  switch (lowerCase(html.slice(start, end))) {
    case 'href':
      tag.href ||= decodeEntities(html.slice(valueStart, valueEnd), 'attribute')
      break
    case 'alt':
      tag.alt ||= decodeEntities(html.slice(valueStart, valueEnd), 'attribute')
      break
    case 'style':
      tag.hidden ||= HIDING_STYLE.test(html.slice(valueStart, valueEnd))
      break
    case 'hidden':
      tag.hidden = true
      break
  }
}

/** Where the content of an element without markup inside (style, script, title …) ends: at its closing tag, or never. */
export function endOfRawText(html: string, name: string, from: number): number {
  for (let close = html.indexOf('</', from); close !== -1; close = html.indexOf('</', close + 2)) {
    const nameEnd = close + 2 + name.length
    if (html.slice(close + 2, nameEnd).toLowerCase() === name && !isLetter(html.charCodeAt(nameEnd))) return close
  }
  return html.length
}
