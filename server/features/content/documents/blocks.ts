/**
 * The document of the visual editor as MJML: one section for each block, and Liquid tags around the sections of conditions
 * and loops. Without input or output.
 */
import { mixColors, textColorOn } from '../../../kernel/content/colors.ts'
import type {
  Block,
  CARDS,
  ContentBlock,
  EmailDocument,
  FONTS,
  SocialLink,
} from '../../../kernel/content/email-document.ts'
import { liquidString } from '../../../kernel/content/liquid-parts.ts'
import { DARK_MODE_MARK } from '../../../platform/mjml/dark-mode.ts'
import { escapeHtml } from '../../../platform/rendering/parser.ts'
import { UNSUBSCRIBE_CLASS } from '../composing/additions.ts'
import { escapeText, inlineHtml, linkHtml, liquidName, richTextHtml } from './rich-text.ts'

/** How the blocks of a project look, and what they show, unless a document sets it. */
export interface DocumentBrand {
  projectName: string
  language: string
  color?: string | undefined
  logoUrl?: string | undefined
  postalAddress?: string | undefined
  socialLinks?: SocialLink[] | undefined
  settings?: EmailDocument['settings']
  /** The labels of the links, in the language of the project. */
  texts: { unsubscribe: string; manage: string }
}

interface Look extends DocumentBrand {
  linkColor: string
  textColor: string
  contentBackground: string
  /** The space on both sides of the content. */
  side: number
  /** Whether the text color differs from that of the email. */
  onBrand?: boolean
}

type Columns = Extract<Block, { type: 'columns' }>
type Condition = Extract<Block, { type: 'condition' }>['if']
type Inherited = Pick<Block, 'hideOn' | 'background'>

const BLUE = '#1d4ed8'
/** The default space on both sides, and half the gap between columns. */
const SIDE = 24
const COLUMN_SIDE = 12

/** Every mail client has one font of each list. */
const FONT_STACKS: Record<(typeof FONTS)[number], string> = {
  sans: "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
  serif: "Georgia, Cambria, 'Times New Roman', Times, serif",
  rounded: "'SF Pro Rounded', Nunito, 'Trebuchet MS', Verdana, sans-serif",
  mono: "'SF Mono', Menlo, Consolas, 'Courier New', monospace",
}

/**
 * Phones are those for which MJML stacks columns; there, the content fills the screen, so its corners aren't round.
 * Outlook doesn't read media queries, so what only phones show is hidden by default. Both color schemes are declared
 * because all colors are set: clients then don't invert only some of them.
 */
const headOf = (font: string, { textColor }: Look, darkMode: boolean) => `<mj-head>
<mj-attributes>
<mj-all font-family="${font}"/>
<mj-text font-size="16px" line-height="1.5" color="${textColor}"/>
<mj-button font-size="16px" font-weight="600" inner-padding="12px 24px" border-radius="6px"/>
<mj-section padding="0"/>
</mj-attributes>
<mj-raw><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">${darkMode ? DARK_MODE_MARK : ''}</mj-raw>
<mj-style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
.hide-desktop, .hide-desktop-outlook { display: none; mso-hide: all; }
@media only screen and (max-width: 479px) {
  .hide-mobile { display: none !important; }
  div.hide-desktop { display: block !important; }
  td.hide-desktop { display: table-cell !important; }
  .framed, .framed > table { border-radius: 0 !important; }
}
</mj-style>
</mj-head>`

export function documentToMjml(document: EmailDocument, brand: DocumentBrand): string {
  const settings = { ...brand.settings, ...document.settings }
  const { width = 600, background = '#f3f4f6', contentBackground = '#ffffff', textColor = '#1f2937' } = settings
  const { linkColor = brand.color ?? BLUE, font = 'sans', padding = SIDE, margin = 0, radius = 0 } = settings
  const look: Look = { ...brand, linkColor, textColor, contentBackground, side: padding }
  return `<mjml lang="${escapeHtml(brand.language)}">
${headOf(FONT_STACKS[font], look, settings.darkMode ?? false)}
<mj-body width="${width}px" background-color="${background}">
${margin + radius > 0 ? framedMjml(document.blocks, look, { background, margin, radius }) : blocksMjml(document.blocks, look, {})}
</mj-body>
</mjml>`
}

interface Frame {
  background: string
  margin: number
  radius: number
}

/** The content with a margin and round corners. With a margin, footers at the end are below it. */
function framedMjml(blocks: readonly Block[], look: Look, { background, margin, radius }: Frame): string {
  const end = margin === 0 ? blocks.length : blocks.findLastIndex(({ type }) => type !== 'footer') + 1
  const space = margin === 0 ? '' : `<mj-section padding="${margin / 2}px 0"><mj-column></mj-column></mj-section>`
  const content = `<mj-wrapper padding="0" background-color="${look.contentBackground}" border-radius="${radius}px" css-class="framed">
${blocksMjml(blocks.slice(0, end), look, {})}
</mj-wrapper>`
  const footers = blocksMjml(blocks.slice(end), { ...look, contentBackground: background }, {})
  return [space, end === 0 ? '' : content, footers, space].filter((part) => part !== '').join('\n')
}

const blocksMjml = (blocks: readonly Block[], look: Look, inherited: Inherited): string =>
  blocks.map((block) => blockMjml({ ...inherited, ...block }, look)).join('\n')

const raw = (liquid: string): string => `<mj-raw>${liquid}</mj-raw>`

function blockMjml(block: Block, look: Look): string {
  const { hideOn, background } = block
  const inherited = { ...(hideOn && { hideOn }), ...(background && { background }) }
  switch (block.type) {
    case 'condition': {
      const otherwise = block.otherwise?.length
        ? `${raw('{% else %}')}\n${blocksMjml(block.otherwise, look, inherited)}\n`
        : ''
      const blocks = blocksMjml(block.blocks, look, inherited)
      return `${raw(`{% if ${conditionLiquid(block.if)} %}`)}\n${blocks}\n${otherwise}${raw('{% endif %}')}`
    }
    case 'loop': {
      const head = `{% for ${block.item} in ${liquidName(block.list)}${limitOf(block)} %}`
      return `${raw(head)}\n${blocksMjml(block.blocks, look, inherited)}\n${raw('{% endfor %}')}`
    }
    case 'columns':
      return columnsMjml(block, look)
    default:
      return section(block, look, `<mj-column>${contentMjml(block, look, look.side)}</mj-column>`)
  }
}

const limitOf = ({ limit }: { limit?: number | undefined }): string => (limit === undefined ? '' : ` limit: ${limit}`)

function conditionLiquid(condition: Condition): string {
  const name = liquidName(condition.variable)
  switch (condition.operator) {
    case 'exists':
      return `${name} != nil and ${name} != ""`
    case 'notExists':
      return `${name} == nil or ${name} == ""`
    case 'equals':
      return `${name} == ${literal(condition.value)}`
    case 'notEquals':
      return `${name} != ${literal(condition.value)}`
    case 'contains':
      return `${name} contains ${literal(condition.value)}`
    case 'greaterThan':
      return `${name} > ${literal(condition.value)}`
    case 'lessThan':
      return `${name} < ${literal(condition.value)}`
  }
}

/** Liquid has no numbers with exponents. */
function literal(value: string | number | boolean): string {
  if (typeof value === 'string') return liquidString(value)
  if (typeof value === 'boolean') return String(value)
  return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
}

const hideClass = ({ hideOn }: Inherited): string => (hideOn ? ` css-class="hide-${hideOn}"` : '')

const section = (block: Block, look: Look, columns: string): string =>
  `<mj-section background-color="${block.background ?? look.contentBackground}"${hideClass(block)}>${columns}</mj-section>`

function columnsMjml(block: Columns, look: Look): string {
  const widths = columnWidths(block.columns)
  const card = block.card && cardOf(block.card, look)
  const columns = block.columns.map((column, i) => {
    const blocks = column.blocks.map((inner) =>
      contentMjml(inner, card ? card.look : look, card ? CARD_SIDE : COLUMN_SIDE, true),
    )
    if (card) blocks.push(`<mj-spacer height="${CARD_SPACE}px"/>`)
    if (card) blocks.unshift(`<mj-spacer height="${CARD_SPACE}px"/>`)
    return `<mj-column width="${widths[i]}%"${card ? card.attributes : ''}>${blocks.join('\n')}</mj-column>`
  })
  const inner = block.stack === false ? `<mj-group>${columns.join('\n')}</mj-group>` : columns.join('\n')
  const { paddingTop = 0, paddingBottom = 0 } = block
  const side = Math.max(look.side - COLUMN_SIDE, 0)
  return `<mj-section background-color="${block.background ?? look.contentBackground}" padding="${paddingTop}px ${side}px ${paddingBottom}px"${hideClass(block)}>${inner}</mj-section>`
}

/** The padding and corner radius of a card. */
const CARD_SIDE = 20
const CARD_SPACE = 10
const CARD_RADIUS = 10

/** The style of a column shown as a card, and of its blocks. Texts and links stay readable on every color. */
function cardOf(card: (typeof CARDS)[number], look: Look): { attributes: string; look: Look } {
  const { textColor, contentBackground, color = BLUE } = look
  const attributes = (background: string, border = background) =>
    ` padding="6px ${COLUMN_SIDE}px" inner-background-color="${background}" inner-border="1px solid ${border}" inner-border-radius="${CARD_RADIUS}px"`
  switch (card) {
    case 'border':
      return { attributes: attributes(contentBackground, lineColor(look)), look }
    case 'gray': {
      const gray = mixColors(contentBackground, textColor, 0.06)
      return { attributes: attributes(gray), look: { ...look, contentBackground: gray } }
    }
    case 'light': {
      const light = mixColors(contentBackground, color, 0.08)
      return { attributes: attributes(light), look: { ...look, contentBackground: light } }
    }
    case 'brand': {
      const text = textColorOn(color)
      const inner = { ...look, textColor: text, linkColor: text, contentBackground: color, color: text, onBrand: true }
      return { attributes: attributes(color), look: inner }
    }
  }
}

/** Colors of secondary text and of lines. Both are readable on any background. */
const softColor = ({ textColor, contentBackground }: Look): string => mixColors(textColor, contentBackground, 0.3)
const lineColor = ({ textColor, contentBackground }: Look): string => mixColors(contentBackground, textColor, 0.14)

/** In percent. Columns without a width share the rest, and the sum is always 100. */
function columnWidths(columns: Columns['columns']): string[] {
  const given = columns.reduce((sum, { width = 0 }) => sum + width, 0)
  const open = columns.filter(({ width }) => width === undefined).length
  const share = open === 0 ? 0 : Math.max((100 - given) / open, 5)
  const widths = columns.map(({ width }) => width ?? share)
  const sum = widths.reduce((a, b) => a + b, 0)
  return widths.map((width) => ((width * 100) / sum).toFixed(2))
}

/** A block inside a column. Blocks of their own section have their background and visibility there. */
function contentMjml(block: ContentBlock, look: Look, side: number, inColumn = false): string {
  const { paddingTop = 10, paddingBottom = 10 } = block
  const box = (sides = side) =>
    `padding="${paddingTop}px ${sides}px ${paddingBottom}px"${inColumn ? ownBox(block) : ''}${alignOf(block)}`
  const { linkColor } = look
  switch (block.type) {
    case 'heading': {
      const size = block.size ?? { 1: 28, 2: 22, 3: 18 }[block.level]
      const style = `margin:0;font-size:${size}px;line-height:1.25;font-weight:700`
      const html = inlineHtml(block.content, linkColor)
      return `<mj-text ${box()}${colorOf(block, look)}><h${block.level} style="${style}">${html}</h${block.level}></mj-text>`
    }
    case 'text': {
      const size = block.size ? ` font-size="${block.size}px"` : ''
      return `<mj-text ${box()}${colorOf(block, look)}${size}>${richTextHtml(block.content, linkColor)}</mj-text>`
    }
    case 'button': {
      const color = block.color ?? look.color ?? BLUE
      const border = block.borderColor ? ` border="1px solid ${block.borderColor}"` : ''
      const radius = block.radius === undefined ? '' : ` border-radius="${block.radius}px"`
      const width = block.fullWidth ? ' width="100%"' : ''
      return `<mj-button ${box()} href="${escapeText(block.url)}" background-color="${color}" color="${block.textColor ?? textColorOn(color)}"${border}${radius}${width}>${escapeText(block.label)}</mj-button>`
    }
    case 'image':
      return imageMjml(block, box())
    case 'divider':
      return `<mj-divider ${box()} border-color="${block.color ?? '#d1d5db'}" border-width="${block.thickness ?? 1}px"/>`
    case 'spacer':
      return `<mj-spacer height="${block.height}px"${inColumn ? ownBox(block) : ''}/>`
    case 'social':
      return `<mj-text ${box()}${colorOf({}, look)}>${socialHtml(block.links ?? look.socialLinks ?? [], linkColor)}</mj-text>`
    case 'logo':
      return logoMjml(block, look, box())
    case 'footer':
      return footerMjml(block, look, box())
    case 'html':
      return `<mj-text ${box(0)}${colorOf({}, look)}>${block.code}</mj-text>`
    case 'items':
      return `<mj-table ${box()} font-size="16px" line-height="1.5" color="${look.textColor}">${itemsHtml(block, look)}</mj-table>`
    case 'details':
      return `<mj-table ${box()} font-size="15px" line-height="1.5" color="${look.textColor}">${detailsHtml(block, look)}</mj-table>`
  }
}

const ownBox = (block: ContentBlock): string =>
  `${block.background ? ` container-background-color="${block.background}"` : ''}${hideClass(block)}`

const CENTERED = new Set(['button', 'image', 'logo', 'social', 'footer'])

function alignOf(block: ContentBlock): string {
  if ('align' in block && block.align) return ` align="${block.align}"`
  return CENTERED.has(block.type) ? ' align="center"' : ''
}

function colorOf({ color }: { color?: string | undefined }, { onBrand, textColor }: Look): string {
  const own = color ?? (onBrand ? textColor : undefined)
  return own ? ` color="${own}"` : ''
}

interface ImageSource {
  src: string
  alt: string
  url?: string | undefined
  width?: number | undefined
}

function imageMjml({ src, alt, url, width }: ImageSource, box: string): string {
  const link = url ? ` href="${escapeText(url)}"` : ''
  const size = width ? ` width="${width}px"` : ''
  return `<mj-image ${box} src="${escapeText(src)}" alt="${escapeText(alt)}"${link}${size}/>`
}

/** Without an image, the name of the project is the logo. */
function logoMjml(block: Extract<ContentBlock, { type: 'logo' }>, look: Look, box: string): string {
  const { src = look.logoUrl, alt = look.projectName, url, width = 160 } = block
  if (src) return imageMjml({ src, alt, url, width }, box)
  const name = `<strong style="font-size:20px">${escapeHtml(look.projectName)}</strong>`
  return `<mj-text ${box}${colorOf({}, look)}>${url ? linkHtml(url, name, look.linkColor) : name}</mj-text>`
}

const NETWORK_NAMES: Record<SocialLink['network'], string> = {
  website: 'Website',
  x: 'X',
  facebook: 'Facebook',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  github: 'GitHub',
  mastodon: 'Mastodon',
  bluesky: 'Bluesky',
  threads: 'Threads',
}

/** Names instead of icons: they need no images from another server and are readable in every client. */
const socialHtml = (links: readonly SocialLink[], linkColor: string): string =>
  links.map(({ network, url }) => linkHtml(url, NETWORK_NAMES[network], linkColor)).join(' &nbsp;·&nbsp; ')

function footerMjml(block: Extract<ContentBlock, { type: 'footer' }>, look: Look, box: string): string {
  const color = block.color ?? (look.onBrand ? look.textColor : '#6b7280')
  const { address = true, unsubscribe = true, content = [] } = block
  const parts = [
    ...(content.length > 0 ? [richTextHtml(content, color)] : []),
    ...(address && look.postalAddress ? [`<p style="margin:8px 0 0">${addressHtml(look.postalAddress)}</p>`] : []),
    ...(unsubscribe ? [preferencesHtml(look, color)] : []),
  ]
  return `<mj-text ${box} color="${color}" font-size="13px">${parts.join('')}</mj-text>`
}

const addressHtml = (address: string): string => escapeHtml(address).replaceAll(/\r?\n/g, '<br>')

/** An email without a contact has no such links. */
const preferencesHtml = ({ texts }: Look, color: string): string =>
  `{% if unsubscribeUrl != "" %}<p style="margin:8px 0 0"><a href="{{ unsubscribeUrl }}" class="${UNSUBSCRIBE_CLASS}" style="color:${color};text-decoration:underline">${escapeHtml(texts.unsubscribe)}</a> &nbsp;·&nbsp; <a href="{{ manageUrl }}" style="color:${color};text-decoration:underline">${escapeHtml(texts.manage)}</a></p>{% endif %}`

/** With lines between the items, their texts are smaller, as on a receipt. */
function itemsHtml(block: Extract<ContentBlock, { type: 'items' }>, look: Look): string {
  const value = (field: string) => `entry.${field}`
  const title = `<strong>{{ ${value(block.title)} }}</strong>`
  const space = block.lines ? 14 : 8
  const line = block.lines ? `;border-bottom:1px solid ${lineColor(look)}` : ''
  const name = block.url
    ? `{% if ${value(block.url)} %}<a href="{{ ${value(block.url)} }}" style="color:${look.linkColor};text-decoration:underline">${title}</a>{% else %}${title}{% endif %}`
    : title
  const image = block.image
    ? `<td style="padding:${space}px 12px ${space}px 0;width:64px;vertical-align:top${line}">{% if ${value(block.image)} %}<img src="{{ ${value(block.image)} }}" alt="" width="64" style="display:block;width:64px">{% endif %}</td>`
    : ''
  const shown = (field: string) =>
    block.lines
      ? `<span style="font-size:14px;color:${softColor(look)}">{{ ${value(field)} }}</span>`
      : `{{ ${value(field)} }}`
  const text = block.text ? `{% if ${value(block.text)} %}<br>${shown(block.text)}{% endif %}` : ''
  const price = block.price
    ? `<td style="padding:${space}px 0;text-align:right;vertical-align:top;white-space:nowrap${line}">{{ ${value(block.price)} }}</td>`
    : ''
  return `{% for entry in ${liquidName(block.list)}${limitOf(block)} %}<tr>${image}<td style="padding:${space}px 12px ${space}px 0;vertical-align:top${line}">${name}${text}</td>${price}</tr>{% endfor %}`
}

function detailsHtml({ rows }: Extract<ContentBlock, { type: 'details' }>, look: Look): string {
  const cell = (html: string, style: string) => `<td style="${style};vertical-align:top">${html}</td>`
  return rows
    .map(({ label, value, bold }, i) => {
      const line = bold && i > 0 ? `;border-top:1px solid ${lineColor(look)}` : ''
      const weight = bold ? 700 : 400
      const space = bold && i > 0 ? 12 : 5
      return `<tr>${cell(escapeText(label), `padding:${space}px 16px 5px 0;color:${bold ? look.textColor : softColor(look)};font-weight:${weight}${line}`)}${cell(escapeText(value), `padding:${space}px 0 5px;text-align:right;font-weight:${bold ? 700 : 600}${line}`)}</tr>`
    })
    .join('')
}
