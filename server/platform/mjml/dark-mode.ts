/**
 * Dark colors for mail clients in dark mode. Every element whose colors change gets a class, and a style sheet has the
 * dark colors of each class: light surfaces become dark, text on them light, and colored surfaces such as buttons stay.
 * The HTML looks the same in light mode and in clients that ignore the style sheet.
 */
import { contrastRatio, hexOf, mixRgb, parseColor, type Rgb } from '../../kernel/content/colors.ts'
import { splitLiquid } from '../../kernel/content/liquid-parts.ts'
import {
  attributeValue,
  closeElement,
  findAttribute,
  readHtml,
  type StartTag,
  VOID_ELEMENTS,
} from '../html/html-reader.ts'

/** In the head of HTML that gets dark colors. The style sheet replaces it. */
export const DARK_MODE_MARK = '<meta name="posthorn-dark-mode" content="auto">'

interface Colors {
  color: Rgb
  /** Undefined if it can't be determined, for example because it is an image. */
  background: Rgb | undefined
}

interface Element extends Colors {
  tag: string
  dark: Colors
  /** On a colored surface that stays as it is, such as a card in the brand color, everything stays. */
  isAccent: boolean
}

const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]
const LINK: Rgb = [0, 0, 238]

export function withDarkMode(html: string): string {
  if (!html.includes(DARK_MODE_MARK)) return html
  const source = withoutLiquid(html)
  const classes = createClasses()
  const inserted: { at: number; text: string }[] = []
  const around = { color: BLACK, background: undefined }
  const open: Element[] = [{ tag: '', ...around, dark: around, isAccent: false }]
  let pageColor = WHITE
  readHtml(source, {
    startTag(tag) {
      if (VOID_ELEMENTS.has(tag.name)) return
      const declared = declaredColors(source, tag)
      if (tag.name === 'body') {
        declared.background ??= WHITE
        pageColor = declared.background
      }
      const parent = open.at(-1)!
      const element = elementOf(tag.name, declared, parent, pageColor)
      open.push(element)
      const name = classes.nameOf(darkStyle(element, declared, parent))
      if (name && tag.attributes.length > 0) inserted.push(classAttribute(source, tag, name))
    },
    endTag(name) {
      closeElement(open, name)
    },
  })
  return insertAll(html, inserted).replace(DARK_MODE_MARK, () => classes.styleSheet())
}

/** With blanks in place of Liquid, so that positions stay and quotes inside Liquid don't end attributes. */
const withoutLiquid = (html: string): string =>
  splitLiquid(html)
    .map(({ text, isLiquid }) => (isLiquid ? ' '.repeat(text.length) : text))
    .join('')

interface Declared {
  color: Rgb | undefined
  /** Null if there is one that can't be determined. */
  background: Rgb | null | undefined
  border: Rgb | undefined
}

const TRANSPARENT = /^(inherit|transparent|none|initial|unset)$/

function declaredColors(source: string, tag: StartTag): Declared {
  const declarations = new Map<string, string>()
  let border: Rgb | undefined
  for (const declaration of attributeValue(source, tag, 'style').toLowerCase().split(';')) {
    const colon = declaration.indexOf(':')
    const name = declaration.slice(0, Math.max(colon, 0)).trim()
    const value = declaration
      .slice(colon + 1)
      .replace('!important', '')
      .trim()
    declarations.set(name, value)
    const line = /^border(-top|-right|-bottom|-left)?(-color)?$/.test(name) && /(#[0-9a-f]{3,6}|[a-z]+)$/.exec(value)
    border = (line && parseColor(line[0])) || border
  }
  const given = declarations.get('background-color') ?? declarations.get('background') ?? bgColor(source, tag)
  const hasImage = declarations.has('background-image') || attributeValue(source, tag, 'background') !== ''
  const background = given === undefined || TRANSPARENT.test(given) ? undefined : (parseColor(given) ?? null)
  return { color: parseColor(declarations.get('color') ?? ''), background: hasImage ? null : background, border }
}

const bgColor = (source: string, tag: StartTag): string | undefined =>
  attributeValue(source, tag, 'bgcolor') || undefined

function elementOf(tag: string, declared: Declared, parent: Element, pageColor: Rgb): Element {
  const color = declared.color ?? (tag === 'a' ? LINK : parent.color)
  if (declared.background === null) {
    return { tag, color, background: undefined, dark: { color, background: undefined }, isAccent: false }
  }
  const background = declared.background ?? parent.background
  const darkBackground = declared.background
    ? darkSurface(declared.background, parent, pageColor)
    : parent.dark.background
  const inherits = !declared.color && tag !== 'a' && background === parent.background
  const darkColor = inherits ? parent.dark.color : darkText(color, background, darkBackground)
  const isOnDark = !isSame(parent.background, parent.dark.background)
  const isAccent = parent.isAccent || (isOnDark && isSame(background, darkBackground))
  return { tag, color, background, dark: { color: darkColor, background: darkBackground }, isAccent }
}

const isSame = (one: Rgb | undefined, other: Rgb | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && one.every((channel, i) => channel === other[i]))

/** The same hue, with dark and light exchanged. */
function inverted(rgb: Rgb): Rgb {
  const shift = 255 - Math.max(...rgb) - Math.min(...rgb)
  return rgb.map((channel) => channel + shift) as Rgb
}

/** Surfaces at least this light become dark. Darker ones are colors of a brand, or dark already. */
const LIGHT_SURFACE = 0.75
/** How much lighter than black the darkest surfaces are. The page is darker than what is on it, unless it is white. */
const LIFT = 0.11
const PAGE_LIFT = 0.03
/** The least contrast of a surface such as a button with what surrounds it. */
const SURFACE_CONTRAST = 1.5

function darkSurface(color: Rgb, parent: Element, pageColor: Rgb): Rgb {
  if (parent.isAccent) return color
  if (isSame(color, parent.background) && parent.dark.background) return parent.dark.background
  const lightness = (Math.max(...color) + Math.min(...color)) / 510
  if (lightness >= LIGHT_SURFACE) {
    const isPage = isSame(color, pageColor) && !isSame(color, WHITE)
    return mixRgb(inverted(color), WHITE, isPage ? PAGE_LIFT : LIFT)
  }
  const around = parent.dark.background
  return around && !isSame(around, parent.background) ? mixedUntil(color, WHITE, around, SURFACE_CONTRAST) : color
}

const TEXT_CONTRAST = 4.5

function darkText(color: Rgb, background: Rgb | undefined, dark: Rgb | undefined): Rgb {
  if (!dark || !background || isSame(background, dark)) return color
  const needed = Math.min(TEXT_CONTRAST, contrastRatio(color, background))
  if (contrastRatio(color, dark) >= needed) return color
  const towards = contrastRatio(WHITE, dark) > contrastRatio(BLACK, dark) ? WHITE : BLACK
  return mixedUntil(inverted(color), towards, dark, TEXT_CONTRAST)
}

/** The first mixture that has enough contrast with what it is seen on. */
function mixedUntil(color: Rgb, towards: Rgb, on: Rgb, contrast: number): Rgb {
  for (let share = 0; share < 1; share += 0.1) {
    const mixture = mixRgb(color, towards, share)
    if (contrastRatio(mixture, on) >= contrast) return mixture
  }
  return towards
}

const LINE_LIFT = 0.14

/** The declarations of an element's class; empty if it looks the same in dark mode. */
function darkStyle({ color, background, dark }: Element, declared: Declared, parent: Element): string {
  const style: string[] = []
  const add = (name: string, rgb: Rgb) => style.push(`${name}:${hexOf(rgb)} !important`)
  if (declared.background && dark.background && !isSame(background, dark.background))
    add('background-color', dark.background)
  if (!isSame(dark.color, declared.color ?? (isSame(color, parent.color) ? parent.dark.color : color)))
    add('color', dark.color)
  if (declared.border && background && dark.background && !isSame(background, dark.background))
    add('border-color', darkLine(declared.border, background, dark.background))
  return style.join(';')
}

/** A border in the color of its surface stays invisible. */
function darkLine(line: Rgb, background: Rgb, dark: Rgb): Rgb {
  if (isSame(line, background)) return dark
  return contrastRatio(line, background) >= TEXT_CONTRAST
    ? darkText(line, background, dark)
    : mixRgb(inverted(line), WHITE, LINE_LIFT)
}

/** Outlook.com marks what it has changed with these attributes. */
const OUTLOOK = ['[data-ogsc]', '[data-ogsb]']
/** The footer that marketing email without one gets is added to the body later. */
const DEFAULT_FOOTER = 'body > p, body > p a'
const FOOTER_COLOR = '#a1a1a6'

/** One class for each combination of dark colors. */
function createClasses() {
  const names = new Map<string, string>()
  return {
    nameOf(style: string): string | undefined {
      if (style === '') return undefined
      const name = names.get(style) ?? `ph-dark-${names.size + 1}`
      names.set(style, name)
      return name
    },
    /** In an element of its own: a client that can't parse it drops nothing else. */
    styleSheet(): string {
      const rules = [...names].map(([style, name]) => `.${name}{${style}}`)
      const outlook = [...names].map(
        ([style, name]) => `${OUTLOOK.map((attribute) => `${attribute} .${name}`).join(',')}{${style}}`,
      )
      rules.push(`${DEFAULT_FOOTER}{color:${FOOTER_COLOR} !important}`)
      return `<style type="text/css">
@media (prefers-color-scheme: dark) {
${rules.join('\n')}
}
${outlook.join('\n')}
</style>`
    },
  }
}

function classAttribute(source: string, tag: StartTag, name: string): { at: number; text: string } {
  const existing = findAttribute(source, tag, 'class')
  if (existing?.isQuoted) return { at: existing.end, text: ` ${name}` }
  // A second attribute of the same name is ignored, so this one comes first.
  return { at: tag.attributes[0]!.nameStart, text: `class="${name}" ` }
}

function insertAll(html: string, inserted: readonly { at: number; text: string }[]): string {
  let result = ''
  let end = 0
  for (const { at, text } of inserted) {
    result += html.slice(end, at) + text
    end = at
  }
  return result + html.slice(end)
}
