/** The text of blocks as HTML: paragraphs, lists, marks and variables. Liquid in it stays as written. */
import type { ContentBlock, Inline } from '../../../kernel/content/email-document.ts'
import { liquidString, mapOutsideLiquid, splitLiquid } from '../../../kernel/content/liquid-parts.ts'
import { escapeHtml } from '../../../platform/rendering/parser.ts'

export type RichText = Extract<ContentBlock, { type: 'text' }>['content']
type Paragraph = Extract<RichText[number], { type: 'paragraph' }>
type List = Exclude<RichText[number], Paragraph>
type Mark = NonNullable<Extract<Inline, { type: 'text' }>['marks']>[number]

/** For text and for quoted attributes. A brace at the end would change the meaning of Liquid that follows. */
export const escapeText = (text: string): string =>
  mapOutsideLiquid(text, (part) => escapeHtml(part).replace(/\{$/, '&#123;'))

/** Names that Liquid would read as something else. `data` contains all values. */
const RESERVED = /^(true|false|nil|null|empty|blank|and|or|not|contains|in|limit|offset|cols|reversed)(?=\.|$)/

export const liquidName = (name: string): string => (RESERVED.test(name) ? `data.${name}` : name)

const isSet = (text: string | null | undefined): text is string => text !== undefined && text !== null && text !== ''

export function inlineHtml(content: readonly Inline[] = [], linkColor: string): string {
  return content.map((node) => nodeHtml(node, linkColor)).join('')
}

function nodeHtml(node: Inline, linkColor: string): string {
  if (node.type === 'hardBreak') return '<br>'
  const html = node.type === 'text' ? escapeText(node.text) : variableLiquid(node.attrs)
  return (node.marks ?? []).reduceRight((inner, mark) => marked(inner, mark, linkColor), html)
}

function variableLiquid({ name, fallback }: { name: string; fallback?: string | null | undefined }): string {
  const value = liquidName(name)
  if (!isSet(fallback)) return `{{ ${value} }}`
  if (splitLiquid(fallback).some(({ isLiquid }) => isLiquid))
    return `{% if ${value} != nil and ${value} != "" %}{{ ${value} }}{% else %}${escapeText(fallback)}{% endif %}`
  return `{{ ${value} | default: ${liquidString(fallback)} }}`
}

const TAGS = { bold: 'strong', italic: 'em', underline: 'u', strike: 's' } as const

function marked(html: string, mark: Mark, linkColor: string): string {
  if (mark.type === 'link') return linkHtml(mark.attrs.href, html, linkColor)
  if (mark.type === 'textStyle')
    return mark.attrs.color ? `<span style="color:${mark.attrs.color}">${html}</span>` : html
  const tag = TAGS[mark.type]
  return `<${tag}>${html}</${tag}>`
}

export const linkHtml = (href: string, html: string, color: string): string =>
  `<a href="${escapeText(href)}" style="color:${color};text-decoration:underline">${html}</a>`

const GAP = 12

/** The last element has no space below it, because the padding of the block follows. */
export function richTextHtml(content: RichText, linkColor: string): string {
  return content
    .map((node, i) => {
      const margin = `margin:0 0 ${i === content.length - 1 ? 0 : GAP}px`
      return node.type === 'paragraph'
        ? paragraphHtml(node, margin, linkColor)
        : listHtml(node as List, margin, linkColor)
    })
    .join('')
}

function paragraphHtml({ content, attrs }: Paragraph, margin: string, linkColor: string): string {
  const align = attrs?.textAlign ? `;text-align:${attrs.textAlign}` : ''
  const html = inlineHtml(content, linkColor)
  return `<p style="${margin}${align}">${html === '' ? '&nbsp;' : html}</p>`
}

function listHtml({ type, content }: List, margin: string, linkColor: string): string {
  const tag = type === 'bulletList' ? 'ul' : 'ol'
  const items = content.map(
    (item) => `<li>${item.content.map((paragraph) => inlineHtml(paragraph.content, linkColor)).join('<br>')}</li>`,
  )
  return `<${tag} style="${margin};padding-left:24px">${items.join('')}</${tag}>`
}
