/**
 * The document of the visual editor as MJML: one section for each block, and Liquid tags around the sections of conditions
 * and loops. Without input or output.
 */
import { textColorOn } from '../../kernel/branding.ts'
import type { Block, ContentBlock, EmailDocument, FONTS, SocialLink } from '../../kernel/email-document.ts'
import { liquidString } from '../../kernel/liquid-parts.ts'
import { escapeHtml } from '../../platform/rendering/parser.ts'
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
  /** In the language of the project. */
  texts: { unsubscribe: string; manage: string }
}

interface Look extends DocumentBrand {
  linkColor: string
  textColor: string
  contentBackground: string
}

type Columns = Extract<Block, { type: 'columns' }>
type Condition = Extract<Block, { type: 'condition' }>['if']
type Inherited = Pick<Block, 'hideOn' | 'background'>

/** Every mail client has one font of each list. */
const FONT_STACKS: Record<(typeof FONTS)[number], string> = {
  sans: "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
  serif: "Georgia, Cambria, 'Times New Roman', Times, serif",
  rounded: "'SF Pro Rounded', Nunito, 'Trebuchet MS', Verdana, sans-serif",
  mono: "'SF Mono', Menlo, Consolas, 'Courier New', monospace",
}

/**
 * Phones are those for which MJML stacks columns. Outlook doesn't read media queries, so what only phones show is hidden by
 * default. Both color schemes are declared because all colors are set: clients then don't invert only some of them.
 */
const headOf = (font: string, { textColor }: Look) => `<mj-head>
<mj-attributes>
<mj-all font-family="${font}"/>
<mj-text font-size="16px" line-height="1.5" color="${textColor}"/>
<mj-button font-size="16px" font-weight="600" inner-padding="12px 24px" border-radius="6px"/>
<mj-section padding="0"/>
</mj-attributes>
<mj-raw><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"></mj-raw>
<mj-style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
.hide-desktop, .hide-desktop-outlook { display: none; mso-hide: all; }
@media only screen and (max-width: 479px) {
  .hide-mobile { display: none !important; }
  div.hide-desktop { display: block !important; }
  td.hide-desktop { display: table-cell !important; }
}
</mj-style>
</mj-head>`

export function documentToMjml(document: EmailDocument, brand: DocumentBrand): string {
  const settings = { ...brand.settings, ...document.settings }
  const { width = 600, background = '#f3f4f6', contentBackground = '#ffffff', textColor = '#1f2937' } = settings
  const { linkColor = brand.color ?? '#1d4ed8', font = 'sans' } = settings
  const look: Look = { ...brand, linkColor, textColor, contentBackground }
  return `<mjml lang="${escapeHtml(brand.language)}">
${headOf(FONT_STACKS[font], look)}
<mj-body width="${width}px" background-color="${background}">
${blocksMjml(document.blocks, look, {})}
</mj-body>
</mjml>`
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
      return section(block, look, `<mj-column>${contentMjml(block, look, 24)}</mj-column>`)
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
  const columns = block.columns.map((column, i) => {
    const blocks = column.blocks.map((inner) => contentMjml(inner, look, 12, true))
    return `<mj-column width="${widths[i]}%">${blocks.join('\n')}</mj-column>`
  })
  const inner = block.stack === false ? `<mj-group>${columns.join('\n')}</mj-group>` : columns.join('\n')
  const { paddingTop = 0, paddingBottom = 0 } = block
  return `<mj-section background-color="${block.background ?? look.contentBackground}" padding="${paddingTop}px 12px ${paddingBottom}px"${hideClass(block)}>${inner}</mj-section>`
}

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
      const size = { 1: 28, 2: 22, 3: 18 }[block.level]
      const style = `margin:0;font-size:${size}px;line-height:1.25;font-weight:700`
      const html = inlineHtml(block.content, linkColor)
      return `<mj-text ${box()}${colorOf(block)}><h${block.level} style="${style}">${html}</h${block.level}></mj-text>`
    }
    case 'text': {
      const size = block.size ? ` font-size="${block.size}px"` : ''
      return `<mj-text ${box()}${colorOf(block)}${size}>${richTextHtml(block.content, linkColor)}</mj-text>`
    }
    case 'button': {
      const color = block.color ?? look.color ?? '#1d4ed8'
      const radius = block.radius === undefined ? '' : ` border-radius="${block.radius}px"`
      const width = block.fullWidth ? ' width="100%"' : ''
      return `<mj-button ${box()} href="${escapeText(block.url)}" background-color="${color}" color="${block.textColor ?? textColorOn(color)}"${radius}${width}>${escapeText(block.label)}</mj-button>`
    }
    case 'image':
      return imageMjml(block, box())
    case 'divider':
      return `<mj-divider ${box()} border-color="${block.color ?? '#d1d5db'}" border-width="${block.thickness ?? 1}px"/>`
    case 'spacer':
      return `<mj-spacer height="${block.height}px"${inColumn ? ownBox(block) : ''}/>`
    case 'social':
      return `<mj-text ${box()}>${socialHtml(block.links ?? look.socialLinks ?? [], linkColor)}</mj-text>`
    case 'logo':
      return logoMjml(block, look, box())
    case 'footer':
      return footerMjml(block, look, box())
    case 'html':
      return `<mj-text ${box(0)}>${block.code}</mj-text>`
    case 'items':
      return `<mj-table ${box()} font-size="16px" line-height="1.5" color="${look.textColor}">${itemsHtml(block, look)}</mj-table>`
  }
}

const ownBox = (block: ContentBlock): string =>
  `${block.background ? ` container-background-color="${block.background}"` : ''}${hideClass(block)}`

const CENTERED = new Set(['button', 'image', 'logo', 'social', 'footer'])

function alignOf(block: ContentBlock): string {
  if ('align' in block && block.align) return ` align="${block.align}"`
  return CENTERED.has(block.type) ? ' align="center"' : ''
}

const colorOf = ({ color }: { color?: string | undefined }): string => (color ? ` color="${color}"` : '')

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
  return `<mj-text ${box}>${url ? linkHtml(url, name, look.linkColor) : name}</mj-text>`
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
  const color = block.color ?? '#6b7280'
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

function itemsHtml(block: Extract<ContentBlock, { type: 'items' }>, look: Look): string {
  const value = (field: string) => `entry.${field}`
  const title = `<strong>{{ ${value(block.title)} }}</strong>`
  const name = block.url
    ? `{% if ${value(block.url)} %}<a href="{{ ${value(block.url)} }}" style="color:${look.linkColor};text-decoration:underline">${title}</a>{% else %}${title}{% endif %}`
    : title
  const image = block.image
    ? `<td style="padding:8px 12px 8px 0;width:64px;vertical-align:top">{% if ${value(block.image)} %}<img src="{{ ${value(block.image)} }}" alt="" width="64" style="display:block;width:64px">{% endif %}</td>`
    : ''
  const text = block.text ? `{% if ${value(block.text)} %}<br>{{ ${value(block.text)} }}{% endif %}` : ''
  const price = block.price
    ? `<td style="padding:8px 0;text-align:right;vertical-align:top;white-space:nowrap">{{ ${value(block.price)} }}</td>`
    : ''
  return `{% for entry in ${liquidName(block.list)}${limitOf(block)} %}<tr>${image}<td style="padding:8px 12px 8px 0;vertical-align:top">${name}${text}</td>${price}</tr>{% endfor %}`
}
