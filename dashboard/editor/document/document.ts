/**
 * The document of the visual editor. The API writes out every level that blocks can be nested in; for editing, one
 * recursive type is enough, and `canContain` in edits.ts limits the depth.
 */
import type { Schemas } from '../../data/api.ts'

export type Align = 'left' | 'center' | 'right'

export interface Mark {
  type: string
  attrs?: Record<string, unknown>
}

/** A node of a text in the JSON format of ProseMirror. */
export interface TextNode {
  type: string
  text?: string
  attrs?: Record<string, unknown>
  marks?: Mark[]
  content?: TextNode[]
}

interface EveryBlock {
  id: string
  hideOn?: 'mobile' | 'desktop'
  background?: string
  paddingTop?: number
  paddingBottom?: number
}

export interface SocialLink {
  network: string
  url: string
}

export interface Column {
  id: string
  width?: number
  blocks: Block[]
}

/** The card styles for columns. */
export type Card = 'border' | 'gray' | 'light' | 'brand'

export interface DetailRow {
  label: string
  value: string
  bold?: boolean
}

export type Operator = 'exists' | 'notExists' | 'equals' | 'notEquals' | 'contains' | 'greaterThan' | 'lessThan'

export interface Comparison {
  variable: string
  operator: Operator
  value?: string | number | boolean
}

/** Typed numbers and yes or no are compared as such, unless that changes what is typed, such as 007 or 1.0. */
export function parseValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?\d/.test(text) && String(Number(text)) === text ? Number(text) : text
}

interface BlockFields {
  heading: { level: 1 | 2 | 3; content: TextNode[]; align?: Align; color?: string; size?: number }
  text: { content: TextNode[]; align?: Align; color?: string; size?: number }
  button: {
    label: string
    url: string
    align?: Align
    color?: string
    textColor?: string
    borderColor?: string
    radius?: number
    fullWidth?: boolean
  }
  image: { src: string; alt: string; decorative?: boolean; url?: string; width?: number; align?: Align }
  columns: { columns: Column[]; stack?: boolean; card?: Card }
  divider: { color?: string; thickness?: number }
  spacer: { height: number }
  social: { links?: SocialLink[]; align?: Align }
  logo: { src?: string; alt?: string; url?: string; width?: number; align?: Align }
  footer: { content?: TextNode[]; address?: boolean; unsubscribe?: boolean; align?: Align; color?: string }
  html: { code: string }
  condition: { if: Comparison; blocks: Block[]; otherwise?: Block[] }
  loop: { list: string; item: string; limit?: number; blocks: Block[] }
  items: {
    list: string
    title: string
    text?: string
    price?: string
    image?: string
    url?: string
    limit?: number
    lines?: boolean
  }
  details: { rows: DetailRow[] }
}

export type BlockType = keyof BlockFields
export type BlockOf<T extends BlockType> = EveryBlock & { type: T } & BlockFields[T]
export type Block = { [T in BlockType]: BlockOf<T> }[BlockType]

export interface Settings {
  width?: number
  background?: string
  contentBackground?: string
  textColor?: string
  linkColor?: string
  font?: 'sans' | 'serif' | 'rounded' | 'mono'
  padding?: number
  margin?: number
  radius?: number
  darkMode?: boolean
}

export interface EmailDocument {
  version: 1
  settings?: Settings
  layoutId?: string | null
  blocks: Block[]
}

/** Both types describe the same JSON. */
export const documentFromApi = (document: Schemas['EmailDocument']) => document as unknown as EmailDocument
export const documentForApi = (document: EmailDocument) => document as unknown as Schemas['EmailDocument']

const ID_LENGTH = 10

/** Random, because a block can be pasted into any other document. */
export const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(ID_LENGTH)), (byte) => (byte % 32).toString(32)).join('')

export const plainText = (nodes: readonly TextNode[]): string =>
  nodes
    .map((node) => {
      if (node.type === 'variable') return `{{${node.attrs?.name}}}`
      return node.text ?? plainText(node.content ?? [])
    })
    .join(nodes.some(({ type }) => type === 'paragraph' || type === 'listItem') ? ' ' : '')
    .trim()
