/**
 * What the HTML inside a document must not contain: mail clients remove it, and previews must not run it. Liquid between
 * the letters can hide a word from this check, so names must not contain any, and each HTML block is checked without its
 * Liquid and as it is rendered with empty values.
 */
import type { Block } from '../../../kernel/content/email-document.ts'
import { splitLiquid } from '../../../kernel/content/liquid-parts.ts'
import type { FieldProblem } from '../../../kernel/errors.ts'
import { decodeText, readHtml } from '../../../platform/html/html-reader.ts'

const words = (text: string): Set<string> => new Set(text.split(' '))

const FORBIDDEN_ELEMENTS = words(
  'script iframe frame frameset object embed applet form base meta link ' +
    // These set attributes such as href later.
    'animate animatemotion animatetransform set',
)
const URL_ATTRIBUTES = words('href src action background poster xlink:href formaction')
const SCRIPT_URLS = ['javascript:', 'vbscript:', 'data:text/html', 'data:application/xhtml+xml']
/** Old browsers and mail clients run these. */
const SCRIPT_IN_STYLE = /(javascript|vbscript):|expression\(|-moz-binding:|(^|[;{])behavior:/i
/** As browsers do: they ignore such characters in the scheme of a URL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
const withoutSpace = (text: string): string => text.replace(/[\u0000-\u0020\u007f]/g, '')

export interface HtmlBlock {
  /** Its path in the document. */
  field: string
  code: string
}

export function htmlBlocksOf(blocks: readonly Block[], path: string): HtmlBlock[] {
  return blocks.flatMap((block, i) => {
    const here = `${path}.${i}`
    switch (block.type) {
      case 'html':
        return [{ field: `${here}.code`, code: block.code }]
      case 'columns':
        return block.columns.flatMap((column, n) => htmlBlocksOf(column.blocks, `${here}.columns.${n}.blocks`))
      case 'condition':
        return [
          ...htmlBlocksOf(block.blocks, `${here}.blocks`),
          ...htmlBlocksOf(block.otherwise ?? [], `${here}.otherwise`),
        ]
      case 'loop':
        return htmlBlocksOf(block.blocks, `${here}.blocks`)
      default:
        return []
    }
  })
}

/** The problem of a block. `rendered` is its code with empty values, if it can be rendered. */
export function unsafeMarkup({ field, code }: HtmlBlock, rendered = ''): FieldProblem[] {
  const masked = maskLiquid(code)
  const message = unsafeReason(masked) ?? (rendered === masked ? undefined : unsafeReason(rendered))
  return message ? [{ field, message, code: 'custom' }] : []
}

/** Liquid that writes something, and Liquid that writes nothing. */
const OUTPUT = '\ue000'
const CONTROL = '\ue001'
const MARK = /[\ue000\ue001]/
const NAME_WITH_MARK = /<\/?[a-z0-9:-]*[\ue000\ue001]/i

const CONTROL_TAG =
  /^\{%-?\s*(?:if|elsif|else|endif|unless|endunless|case|when|endcase|for|endfor|break|continue|assign|capture|endcapture|comment|#)(?!\w)/
const RAW_BLOCK = /^\{%-?\s*raw\s*-?%\}(.*)\{%-?\s*endraw\s*-?%\}$/s

const maskLiquid = (code: string): string =>
  splitLiquid(code)
    .map(({ text, isLiquid }) => {
      if (!isLiquid) return text
      return RAW_BLOCK.exec(text)?.[1] ?? (CONTROL_TAG.test(text) ? CONTROL : OUTPUT)
    })
    .join('')

const LIQUID_IN_NAME =
  'Must not contain Liquid in the name of an element or attribute. Write "<" in a text as "&lt;", and conditions around whole attributes.'
const scriptIn = (where: string): string => `Must not contain scripts, such as ${where}.`

/** Why HTML, in which Liquid is masked or that has none, can't be used. */
function unsafeReason(html: string): string | undefined {
  let reason: string | undefined
  let isStyleSheet = false
  if (NAME_WITH_MARK.test(html)) return LIQUID_IN_NAME
  readHtml(html, {
    text(start, end) {
      if (isStyleSheet && isScriptInStyle(html.slice(start, end))) reason ??= scriptIn('in the style sheet')
    },
    startTag(tag) {
      isStyleSheet = tag.name === 'style'
      if (FORBIDDEN_ELEMENTS.has(tag.name))
        reason ??= `Must not contain ${tag.name} elements, which mail clients remove.`
      for (const { nameStart, nameEnd, start, end } of tag.attributes)
        reason ??= unsafeAttribute(html.slice(nameStart, nameEnd), html.slice(start, end))
    },
    endTag() {
      isStyleSheet = false
    },
  })
  return reason
}

function unsafeAttribute(written: string, value: string): string | undefined {
  const name = written.toLowerCase().replace(/^\ue001+|\ue001+$/g, '') // a condition around the attribute
  if (MARK.test(name)) return LIQUID_IN_NAME
  if (/^on[a-z]/.test(name)) return scriptIn(`the attribute ${name}`)
  if (URL_ATTRIBUTES.has(name) && isScriptUrl(value)) return scriptIn(`the URL in ${name}`)
  if (name === 'style' && isScriptInStyle(decodeText(value))) return scriptIn('in the attribute style')
  return undefined
}

/** Whether the URL can start with a script: each piece between Liquid may be left out by a condition. */
function isScriptUrl(value: string): boolean {
  const joined = urlStart(value.split(MARK).join(''))
  const pieces = MARK.test(value) ? urlStart(value).split(MARK) : []
  return SCRIPT_URLS.some((url) => joined.startsWith(url) || canSpell(pieces, url))
}

const urlStart = (value: string): string => withoutSpace(decodeText(value)).toLowerCase()

function canSpell(pieces: string[], word: string): boolean {
  const lengths = new Set([0])
  for (const piece of pieces) {
    for (const length of [...lengths]) {
      const rest = word.slice(length)
      if (piece.startsWith(rest)) return true
      if (rest.startsWith(piece)) lengths.add(length + piece.length)
    }
  }
  return false
}

const isScriptInStyle = (style: string): boolean => SCRIPT_IN_STYLE.test(withoutSpace(style.split(MARK).join('')))
