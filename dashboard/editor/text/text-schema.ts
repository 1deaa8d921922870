/**
 * What a text can contain, as nodes and marks of tiptap, and the same as the JSON of a block. List items contain only
 * paragraphs, and a variable is one character that can't be split.
 */
import { type AnyExtension, InputRule, Mark as TiptapMark, Node as TiptapNode } from '@tiptap/core'
import { Bold } from '@tiptap/extension-bold'
import { Document } from '@tiptap/extension-document'
import { HardBreak } from '@tiptap/extension-hard-break'
import { Italic } from '@tiptap/extension-italic'
import { BulletList, ListItem, ListKeymap, OrderedList } from '@tiptap/extension-list'
import { Paragraph } from '@tiptap/extension-paragraph'
import { Strike } from '@tiptap/extension-strike'
import { Text } from '@tiptap/extension-text'
import { Color, TextStyle } from '@tiptap/extension-text-style'
import { Underline } from '@tiptap/extension-underline'
import type { TextNode } from '../document/document.ts'
import { texts } from '../texts.ts'

/** A heading is one line, a footer has paragraphs, and a text block has lists as well. */
export type TextKind = 'line' | 'paragraphs' | 'text'

const DOCUMENT_CONTENT: Record<TextKind, string> = {
  line: 'paragraph',
  paragraphs: 'paragraph+',
  text: '(paragraph | bulletList | orderedList)+',
}

export const VARIABLE_NAME = /^[\p{L}_][\p{L}\p{N}_-]*(\.[\p{L}\p{N}_][\p{L}\p{N}_-]*)*$/u

const Variable = TiptapNode.create({
  name: 'variable',
  group: 'inline',
  inline: true,
  atom: true,
  selectable: true,
  addAttributes: () => ({ name: { default: '' }, fallback: { default: null } }),
  parseHTML: () => [
    {
      tag: 'span[data-variable]',
      getAttrs: (element) => ({
        name: element.getAttribute('data-variable'),
        fallback: element.getAttribute('data-fallback'),
      }),
    },
  ],
  renderHTML: ({ node }) => [
    'span',
    {
      'data-variable': node.attrs.name,
      ...(node.attrs.fallback ? { 'data-fallback': node.attrs.fallback } : {}),
      class: 'email-variable',
    },
    node.attrs.fallback ? texts.variables.withFallback(node.attrs.name, node.attrs.fallback) : node.attrs.name,
  ],
  renderText: ({ node }) => `{{${node.attrs.name}}}`,
  /** A variable that is typed as code becomes a variable. */
  addInputRules() {
    return [
      new InputRule({
        find: /\{\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*\}\}$/u,
        handler: ({ state, range, match }) => {
          if (!VARIABLE_NAME.test(match[1]!)) return
          state.tr.replaceWith(range.from, range.to, this.type.create({ name: match[1] }))
        },
      }),
    ]
  },
})

/** Links can't be followed while the text is edited. */
const Link = TiptapMark.create({
  name: 'link',
  inclusive: false,
  addAttributes: () => ({ href: { default: '' } }),
  parseHTML: () => [
    { tag: 'a[href]', getAttrs: (element) => (isSafeUrl(element.getAttribute('href')!) ? null : false) },
  ],
  renderHTML: ({ mark }) => ['a', { href: mark.attrs.href, rel: 'noreferrer' }, 0],
})

/** The alignments that the API accepts. Pasted text can have others, such as `justify`. */
export const readAlign = (value: string): string | null => (/^(left|center|right)$/.test(value) ? value : null)

/** A color as the API accepts it. Browsers report `rgb(0, 0, 0)`; names, variables and transparent colors are dropped. */
export function readColor(value: string): string | null {
  if (/^#[0-9a-f]{6}$/i.test(value)) return value.toLowerCase()
  const parts = /^rgb\((\d+), ?(\d+), ?(\d+)\)$/.exec(value)?.slice(1)
  return parts ? `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}` : null
}

const HexColor = Color.extend({
  addGlobalAttributes: () => [
    {
      types: ['textStyle'],
      attributes: {
        color: {
          default: null,
          parseHTML: (element: HTMLElement) => readColor(element.style.color),
          renderHTML: ({ color }: { color?: string | null }) => (color ? { style: `color: ${color}` } : {}),
        },
      },
    },
  ],
})

const AlignedParagraph = Paragraph.extend({
  addAttributes: () => ({
    textAlign: {
      default: null,
      parseHTML: (element: HTMLElement) => readAlign(element.style.textAlign),
      renderHTML: ({ textAlign }: { textAlign?: string | null }) =>
        textAlign ? { style: `text-align: ${textAlign}` } : {},
    },
  }),
})

const URL_START = /^(https?:\/\/|mailto:|tel:|\{\{)/i

/** The schemes that the API accepts. Liquid is allowed anywhere in the URL. */
export const isSafeUrl = (url: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  URL_START.test(url) && !/[\u0000-\u001f"<>\\]/.test(url.replace(/\{\{.*?\}\}/g, ''))

/** Completes a typed URL: a host such as `example.com/sale` gets a scheme. */
export const toUrl = (text: string): string => {
  const url = text.trim()
  return /^[\w-]+(\.[\w-]+)+(\/|$)/.test(url) ? `https://${url}` : url
}

export function textExtensions(kind: TextKind): AnyExtension[] {
  const lists = [
    BulletList,
    OrderedList.extend({ addAttributes: () => ({}) }),
    ListItem.extend({ content: 'paragraph+' }),
    ListKeymap,
  ]
  return [
    Document.extend({ content: DOCUMENT_CONTENT[kind] }),
    AlignedParagraph,
    Text,
    HardBreak,
    Bold,
    Italic,
    Underline,
    Strike,
    Link,
    TextStyle,
    HexColor,
    Variable,
    ...(kind === 'text' ? lists : []),
  ]
}

/** The JSON of tiptap for the content of a block. */
export function toDocument(kind: TextKind, content: readonly TextNode[]): TextNode {
  if (kind === 'line') return { type: 'doc', content: [withContent({ type: 'paragraph' }, content)] }
  return { type: 'doc', content: content.length > 0 ? [...content] : [{ type: 'paragraph' }] }
}

/** The content of a block for the JSON of tiptap, without attributes and styles that have no value. */
export function fromDocument(kind: TextKind, document: TextNode): TextNode[] {
  const nodes = (document.content ?? []).map(clean)
  return kind === 'line' ? (nodes[0]?.content ?? []) : nodes
}

const withContent = (node: TextNode, content: readonly TextNode[]): TextNode =>
  content.length > 0 ? { ...node, content: [...content] } : node

function clean({ type, text, attrs, marks, content }: TextNode): TextNode {
  const given = Object.entries(attrs ?? {}).filter(([, value]) => value !== null && value !== undefined)
  const kept = marks?.filter((mark) => mark.type !== 'textStyle' || mark.attrs?.color)
  return {
    type,
    ...(text === undefined ? {} : { text }),
    ...(given.length > 0 ? { attrs: Object.fromEntries(given) } : {}),
    ...(kept && kept.length > 0 && type !== 'hardBreak' ? { marks: kept } : {}),
    ...(content ? { content: content.map(clean) } : {}),
  }
}
