/**
 * A short notation for the documents of the gallery. In texts, `{{name}}` and `{{name|fallback}}` become variables,
 * `**bold**` and `[text](https://…)` become marks, and other Liquid stays as it is. IDs are numbers in reading order.
 */
import type { Block, ContentBlock, EmailDocument, Inline } from '../../kernel/email-document.ts'

type WithoutIds<T> = T extends readonly (infer I)[]
  ? WithoutIds<I>[]
  : T extends object
    ? { [K in keyof T as K extends 'id' ? never : K]: WithoutIds<T[K]> }
    : T

type Draft = WithoutIds<Block>
type ContentDraft = WithoutIds<ContentBlock>
type DraftOf<T extends Block['type']> = WithoutIds<Extract<Block, { type: T }>>
type Style<T extends Block['type']> = Partial<Omit<DraftOf<T>, 'type' | 'content'>>

const PIECE = /\{\{([\p{L}_][\w.]*)(?:\|([^{}|"]*))?\}\}|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)]+)\)/gu

export function inline(text: string): Inline[] {
  const nodes: Inline[] = []
  let end = 0
  const addText = (plain: string) => plain !== '' && nodes.push({ type: 'text', text: plain })
  for (const found of text.matchAll(PIECE)) {
    const [whole, name, fallback, bold, label, href] = found
    addText(text.slice(end, found.index))
    if (name) nodes.push({ type: 'variable', attrs: { name, ...(fallback === undefined ? {} : { fallback }) } })
    else if (bold) nodes.push({ type: 'text', text: bold, marks: [{ type: 'bold' }] })
    else nodes.push({ type: 'text', text: label!, marks: [{ type: 'link', attrs: { href: href! } }] })
    end = found.index + whole.length
  }
  addText(text.slice(end))
  return nodes
}

const paragraph = (text: string) => ({ type: 'paragraph' as const, content: inline(text) })

export const heading = (text: string, style: Style<'heading'> = {}): DraftOf<'heading'> => ({
  type: 'heading',
  level: 1,
  content: inline(text),
  ...style,
})

/** One paragraph for each text. */
export const text = (texts: string | string[], style: Style<'text'> = {}): DraftOf<'text'> => ({
  type: 'text',
  content: [texts].flat().map(paragraph),
  ...style,
})

export const list = (items: string[], type: 'bulletList' | 'orderedList' = 'bulletList'): DraftOf<'text'> => ({
  type: 'text',
  content: [{ type, content: items.map((item) => ({ type: 'listItem', content: [paragraph(item)] })) }],
})

export const button = (label: string, url: string, style: Style<'button'> = {}): DraftOf<'button'> => ({
  type: 'button',
  label,
  url,
  ...style,
})

export const divider = (): DraftOf<'divider'> => ({ type: 'divider', color: '#d1d5db' })

export const logo = (): DraftOf<'logo'> => ({ type: 'logo', paddingTop: 28, paddingBottom: 12 })

/** Two or more columns side by side, which phones stack. */
export const columns = (...contents: ContentDraft[][]): DraftOf<'columns'> => ({
  type: 'columns',
  columns: contents.map((blocks) => ({ blocks })),
})

/** Receipts and notices need no way to unsubscribe. */
export const transactionalFooter = (reason: string): DraftOf<'footer'> => ({
  type: 'footer',
  content: [paragraph(reason)],
  unsubscribe: false,
  color: '#6b7280',
})

export const marketingFooter = (): DraftOf<'footer'> => ({
  type: 'footer',
  content: [paragraph('[View this email in your browser]({{viewInBrowserUrl}})')],
  color: '#6b7280',
})

export function documentOf(...blocks: Draft[]): EmailDocument {
  let count = 0
  const numbered = (items: unknown[]): unknown[] =>
    items.map((item) => {
      const block = item as Record<string, unknown>
      const id = `block-${++count}`
      const inner = ['columns', 'blocks', 'otherwise'].flatMap((key) =>
        Array.isArray(block[key]) ? [[key, numbered(block[key])] as const] : [],
      )
      return { ...block, ...Object.fromEntries(inner), id }
    })
  return { version: 1, blocks: numbered(blocks) as Block[] }
}
