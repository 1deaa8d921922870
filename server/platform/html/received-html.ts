/**
 * The body of a received email as HTML that can be shown and passed on: no scripts, no forms, no frames, no styles that
 * reach beyond the message. If there is no HTML part, the text part is used.
 */
import sanitizeHtml from 'sanitize-html'
import { htmlToPlainText } from './html-to-plain-text.ts'
import { textToHtml } from './text-to-html.ts'

/** Sanitizing takes about a second per megabyte. Longer HTML is shown as text. */
const HTML_MAX = 512 * 1024
const TEXT_MAX = 1024 * 1024
/** The time grows with the square of the nesting. Deeper HTML is shown as text, too. */
const NESTING_MAX = 500

const SIZE = /^[\w\s.%-]*$/
const COLOR = /^(?:#[\da-f]{3,8}|[a-z]+|rgba?\([\d\s.,%]+\))$/i
const WORDS = /^[\w\s,'"#%.-]*$/

const BOX = ['margin', 'padding'].flatMap((side) => [
  side,
  ...['top', 'right', 'bottom', 'left'].map((edge) => `${side}-${edge}`),
])
const SIZES = [...BOX, 'width', 'height', 'max-width', 'font-size', 'line-height', 'border-radius', 'border-spacing']
const KEYWORDS = ['text-align', 'vertical-align', 'font-weight', 'font-style', 'font-family', 'text-decoration']
const BORDERS = ['border', 'border-top', 'border-right', 'border-bottom', 'border-left', 'border-collapse']

const styles = (names: string[], form: RegExp) => Object.fromEntries(names.map((name) => [name, [form]]))

const RULES: sanitizeHtml.IOptions = {
  allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img', 'center', 'font', 'del', 'ins'],
  allowedAttributes: {
    '*': ['style', 'align', 'valign', 'bgcolor', 'width', 'height', 'dir', 'lang', 'title'],
    a: ['href', 'name'],
    img: ['src', 'alt'],
    font: ['color', 'face', 'size'],
    table: ['border', 'cellpadding', 'cellspacing'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
    ol: ['start', 'type'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https', 'cid', 'data'] },
  allowProtocolRelative: false,
  allowedStyles: {
    '*': {
      ...styles(SIZES, SIZE),
      ...styles(['color', 'background-color', 'border-color'], COLOR),
      ...styles([...KEYWORDS, ...BORDERS], WORDS),
    },
  },
  disallowedTagsMode: 'discard',
  // Browsers read the content of these as text, so the sanitizer must not turn it into elements (CVE-2026-44990).
  nonTextTags: [
    ...['script', 'style', 'textarea', 'option', 'title', 'noscript'],
    ...['xmp', 'iframe', 'noembed', 'noframes', 'plaintext'],
  ],
  parser: { lowerCaseTags: true },
  nestingLimit: 200,
}

class NestedTooDeeply extends Error {}

/** Undefined if it is nested too deeply. */
function sanitize(html: string): string | undefined {
  let depth = 0
  const onOpenTag = () => {
    if (++depth > NESTING_MAX) throw new NestedTooDeeply()
  }
  try {
    return sanitizeHtml(html, { ...RULES, onOpenTag, onCloseTag: () => depth-- })
  } catch (error) {
    if (error instanceof NestedTooDeeply) return undefined
    throw error
  }
}

/** Empty if the message has neither. */
export function bodyOf({ html, text }: { html: string | undefined; text: string | undefined }): string {
  if (html !== undefined && html.length <= HTML_MAX) {
    const clean = sanitize(html)?.trim()
    if (clean || (clean === '' && !text)) return clean
  }
  const plain = text ?? (html === undefined ? '' : htmlToPlainText(html.slice(0, TEXT_MAX)))
  return textToHtml(plain.slice(0, TEXT_MAX).toWellFormed())
}
