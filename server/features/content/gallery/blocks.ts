/**
 * A short notation for the documents of the gallery. In texts, `{{name}}` and `{{name|fallback}}` become variables,
 * `**bold**` and `[text](https://…)` become marks; bold text can contain variables. IDs are numbers in reading order.
 */
import type { Block, ContentBlock, EmailDocument, Inline } from '../../../kernel/content/email-document.ts'
import type { PictureName } from './pictures.ts'

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

type Words = Exclude<Inline, { type: 'hardBreak' }>

export function inline(text: string): Words[] {
  const nodes: Words[] = []
  let end = 0
  const addText = (plain: string) => plain !== '' && nodes.push({ type: 'text', text: plain })
  for (const found of text.matchAll(PIECE)) {
    const [whole, name, fallback, bold, label, href] = found
    addText(text.slice(end, found.index))
    if (name) nodes.push({ type: 'variable', attrs: { name, ...(fallback === undefined ? {} : { fallback }) } })
    else if (bold) nodes.push(...inline(bold).map((node) => ({ ...node, marks: [{ type: 'bold' as const }] })))
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

export const list = (items: string[]): DraftOf<'text'> => ({
  type: 'text',
  content: [{ type: 'bulletList', content: items.map((item) => ({ type: 'listItem', content: [paragraph(item)] })) }],
})

export const button = (label: string, url: string, style: Style<'button'> = {}): DraftOf<'button'> => ({
  type: 'button',
  label,
  url,
  ...style,
})

export const logo = (): DraftOf<'logo'> => ({ type: 'logo', align: 'left', paddingTop: 36, paddingBottom: 20 })

/** The title of an email that has one topic. */
export const title = (words: string): DraftOf<'heading'> =>
  heading(words, { size: 30, paddingTop: 8, paddingBottom: 4 })

/** The main button of an email. */
export const action = (label: string, url: string): DraftOf<'button'> =>
  button(label, url, { align: 'left', paddingTop: 16, paddingBottom: 16 })

/** Small print that most readers can skip. */
export const note = (words: string | string[]): DraftOf<'text'> => text(words, { size: 14, color: SOFT })

/** For clients that don't show the button. The name is that of the variable with the URL. */
export const linkOf = (name: string): string =>
  `If the button doesn’t work, open this link in your browser: [{{${name}}}]({{${name}}})`

/** The last block of the content has more space below it. */
export const last = <T extends Draft>(block: T): T => ({ ...block, paddingBottom: 36 })

/** Two or more columns side by side; on phones they are stacked. */
export const columns = (...contents: ContentDraft[][]): DraftOf<'columns'> => ({
  type: 'columns',
  columns: contents.map((blocks) => ({ blocks })),
})

/** One card for each list of blocks, side by side. */
export const cards = (card: DraftOf<'columns'>['card'], ...contents: ContentDraft[][]): DraftOf<'columns'> => ({
  ...columns(...contents),
  card,
  paddingTop: 10,
  paddingBottom: 10,
})

/** Labels and values. A label that starts with `=` is a total. */
export const details = (rows: Record<string, string>): DraftOf<'details'> => ({
  type: 'details',
  rows: Object.entries(rows).map(([label, value]) =>
    label.startsWith('=') ? { label: label.slice(1), value, bold: true } : { label, value },
  ),
})

/** The top of an email: a large title and the main button, on the brand color. */
export const hero = (over: string, words: string, lead: string, label: string, url: string): DraftOf<'columns'> =>
  cards('brand', [
    text(`**${over}**`, { size: 14, paddingTop: 14, paddingBottom: 0 }),
    heading(words, { size: 36, paddingTop: 6, paddingBottom: 6 }),
    text(lead, { size: 18, paddingBottom: 6 }),
    button(label, url, { align: 'left', paddingTop: 12, paddingBottom: 16 }),
  ])

/** The top of an email whose picture is its eye-catcher. */
export const headline = (over: string, words: string, lead: string, label: string, url: string): Draft[] => [
  text(`**${over}**`, { size: 14, color: SOFT, paddingTop: 20, paddingBottom: 0 }),
  heading(words, { size: 32, paddingTop: 6, paddingBottom: 4 }),
  text(lead, { size: 18, paddingBottom: 4 }),
  action(label, url),
]

/** Stands for the address of the pictures, which each service has at its own. */
const PICTURES_URL = '{{ galleryPictures }}'

/** A picture of the gallery over the whole width. */
export const picture = (name: PictureName, alt: string): DraftOf<'image'> => ({
  type: 'image',
  src: `${PICTURES_URL}/${name}.png`,
  alt,
  width: 528,
  paddingTop: 4,
  paddingBottom: 12,
})

export const withPictures = (document: EmailDocument, address: string): EmailDocument =>
  JSON.parse(JSON.stringify(document).replaceAll(PICTURES_URL, address))

const SOFT = '#5b6472'

/** Receipts and notices need no unsubscribe link. */
export const transactionalFooter = (reason: string): DraftOf<'footer'> => ({
  type: 'footer',
  content: [paragraph(reason)],
  unsubscribe: false,
  color: SOFT,
  paddingTop: 24,
})

export const marketingFooter = (): DraftOf<'footer'> => ({
  type: 'footer',
  content: [paragraph('[View this email in your browser]({{viewInBrowserUrl}})')],
  color: SOFT,
  paddingTop: 24,
})

/** The colors and the font are those of the brand. */
const SETTINGS = { padding: 36, margin: 32, radius: 12, darkMode: true }

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
  return { version: 1, settings: SETTINGS, blocks: numbered(blocks) as Block[] }
}
