/** What the HTML inside a document must not contain: mail clients remove it, and previews must not run it. */
import type { Block } from '../../kernel/email-document.ts'
import type { FieldProblem } from '../../kernel/errors.ts'
import { readHtml } from '../../platform/mail/html-reader.ts'

const FORBIDDEN_ELEMENTS = new Set('script iframe object embed form base meta link'.split(' '))
const URL_ATTRIBUTES = new Set('href src action background poster'.split(' '))
const SCRIPT_URL = /^\s*(javascript|vbscript|data:text\/html)/i

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
  readHtml(html, {
    startTag({ name, attributes }) {
      if (FORBIDDEN_ELEMENTS.has(name)) reason ??= `Must not contain ${name} elements, which mail clients remove.`
      for (const { nameStart, nameEnd, start, end } of attributes) {
        const attribute = html.slice(nameStart, nameEnd).toLowerCase()
        if (/^on[a-z]/.test(attribute)) reason ??= `Must not contain scripts, such as the attribute ${attribute}.`
        if (URL_ATTRIBUTES.has(attribute) && SCRIPT_URL.test(html.slice(start, end)))
          reason ??= `Must not contain scripts, such as the URL in ${attribute}.`
      }
    },
  })
  return reason
}
