/** What the HTML inside a document must not contain: mail clients remove it, and previews must not run it. */
import type { Block } from '../../kernel/email-document.ts'
import type { FieldProblem } from '../../kernel/errors.ts'
import { decodeText, readHtml } from '../../platform/mail/html-reader.ts'

const FORBIDDEN_ELEMENTS = new Set('script iframe object embed form base meta link'.split(' '))
const URL_ATTRIBUTES = new Set('href src action background poster xlink:href formaction'.split(' '))
const SCRIPT_URL = /^(javascript:|vbscript:|data:text\/html)/i
/** Old browsers and mail clients run these. */
const SCRIPT_IN_STYLE = /(javascript|vbscript):|expression\(|-moz-binding:|(^|[;{])behavior:/i
/** As browsers do: they ignore such characters in the scheme of a URL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
const withoutSpace = (text: string): string => text.replace(/[\u0000-\u0020\u007f]/g, '')

/** The problems of all HTML blocks, with the path of each. */
export function unsafeMarkup(blocks: readonly Block[], path: string): FieldProblem[] {
  return blocks.flatMap((block, i) => {
    const here = `${path}.${i}`
    switch (block.type) {
      case 'html': {
        const reason = unsafeReason(block.code)
        return reason ? [{ field: `${here}.code`, message: reason, code: 'custom' }] : []
      }
      case 'columns':
        return block.columns.flatMap((column, n) => unsafeMarkup(column.blocks, `${here}.columns.${n}.blocks`))
      case 'condition':
        return [
          ...unsafeMarkup(block.blocks, `${here}.blocks`),
          ...unsafeMarkup(block.otherwise ?? [], `${here}.otherwise`),
        ]
      case 'loop':
        return unsafeMarkup(block.blocks, `${here}.blocks`)
      default:
        return []
    }
  })
}

function unsafeReason(html: string): string | undefined {
  let reason: string | undefined
  let isStyleSheet = false
  readHtml(html, {
    text(start, end) {
      if (isStyleSheet && SCRIPT_IN_STYLE.test(withoutSpace(html.slice(start, end))))
        reason ??= 'Must not contain scripts, such as in the style sheet.'
    },
    startTag(tag) {
      isStyleSheet = tag.name === 'style'
      if (FORBIDDEN_ELEMENTS.has(tag.name))
        reason ??= `Must not contain ${tag.name} elements, which mail clients remove.`
      for (const { nameStart, nameEnd, start, end } of tag.attributes) {
        const attribute = html.slice(nameStart, nameEnd).toLowerCase()
        const value = withoutSpace(decodeText(html.slice(start, end)))
        if (/^on[a-z]/.test(attribute)) reason ??= `Must not contain scripts, such as the attribute ${attribute}.`
        if (URL_ATTRIBUTES.has(attribute) && SCRIPT_URL.test(value))
          reason ??= `Must not contain scripts, such as the URL in ${attribute}.`
        if (attribute === 'style' && SCRIPT_IN_STYLE.test(value))
          reason ??= 'Must not contain scripts, such as in the attribute style.'
      }
    },
    endTag() {
      isStyleSheet = false
    },
  })
  return reason
}
