/** Whether text can be read: the contrast of its color with the background, as WCAG 2 defines it. */
import { contrastRatio, hexOf, parseColor, type Rgb } from '../../../kernel/content/colors.ts'
import {
  attributeValue,
  closeElement,
  decodeText,
  readHtml,
  VOID_ELEMENTS,
} from '../../../platform/html/html-reader.ts'
import { type CheckedContent, type HtmlFinding, maskLiquid } from './finding.ts'

interface Style {
  tag: string
  /** Undefined if it can't be determined, for example because it is an image. */
  color: Rgb | undefined
  background: Rgb | undefined
  size: number
  bold: boolean
  hidden: boolean
}

const MIN_RATIO = 4.5
/** Large text is easier to read. */
const MIN_RATIO_LARGE = 3

const NOT_SHOWN = new Set('script style title head template'.split(' '))

const START: Style = { tag: '', color: [0, 0, 0], background: [255, 255, 255], size: 16, bold: false, hidden: false }

export function checkContrast({ html }: Pick<CheckedContent, 'html'>): HtmlFinding[] {
  const source = maskLiquid(html)
  const open: Style[] = [START]
  const found = new Map<string, HtmlFinding>()
  readHtml(source, {
    startTag(tag) {
      if (VOID_ELEMENTS.has(tag.name)) return
      open.push(styleOf(tag.name, (name) => attributeValue(source, tag, name), open.at(-1)!))
    },
    endTag(name) {
      closeElement(open, name)
    },
    text(start, end) {
      const { color, background, size, bold, hidden } = open.at(-1)!
      const text = source.slice(start, end).replace(/\s+|&nbsp;|&#\w+;/g, '')
      if (hidden || size === 0 || text === '' || !color || !background) return
      const isLarge = size >= 24 || (bold && size >= 18.66)
      const ratio = contrastRatio(color, background)
      if (ratio >= (isLarge ? MIN_RATIO_LARGE : MIN_RATIO)) return
      const [front, back] = [hexOf(color), hexOf(background)]
      const key = `${front} ${back}`
      if (found.has(key)) return
      found.set(key, {
        code: 'contrast.low',
        severity: 'warning',
        message: `The text color ${front} on ${back} has a contrast of ${ratio.toFixed(1)}:1; the recommended minimum is ${isLarge ? MIN_RATIO_LARGE : MIN_RATIO}:1.`,
        fix: 'Choose a darker or lighter color.',
        at: start,
        needle: decodeText(source.slice(start, end)).trim(),
      })
    },
  })
  return [...found.values()]
}

const LINK_COLOR: Rgb = [0, 0, 238]
const BOLD = new Set(['b', 'strong', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'th'])

/** Name and value, in lower case. A later declaration of the same name takes precedence. */
function declarationOf(text: string): [string, string] {
  const colon = text.indexOf(':')
  const value = text.slice(colon + 1).replace('!important', '')
  return [text.slice(0, Math.max(colon, 0)).trim().toLowerCase(), value.trim().toLowerCase()]
}

function styleOf(tag: string, attribute: (name: string) => string, parent: Style): Style {
  const style = attribute('style')
  const declared = new Map(style.split(';').map(declarationOf))
  const own = (name: string) => declared.get(name)
  const color = own('color') ?? (tag === 'font' ? attribute('color') || undefined : undefined)
  const background = own('background-color') ?? own('background') ?? (attribute('bgcolor') || undefined)
  const hasImage = attribute('background') !== '' || own('background-image') !== undefined
  const size = /^([\d.]+)(?:px)?$/.exec(own('font-size') ?? '')?.[1]
  const weight = own('font-weight')
  return {
    tag,
    color: color === undefined ? (tag === 'a' ? LINK_COLOR : parent.color) : colorOr(color, parent.color),
    background: hasImage
      ? undefined
      : background === undefined
        ? parent.background
        : colorOr(background, parent.background),
    size: size === undefined ? parent.size : Number(size),
    bold: weight === undefined ? parent.bold || BOLD.has(tag) : weight === 'bold' || Number(weight) >= 600,
    hidden:
      parent.hidden ||
      NOT_SHOWN.has(tag) ||
      /display\s*:\s*none|visibility\s*:\s*hidden|max-height\s*:\s*0|opacity\s*:\s*0(?![.\d])/i.test(style),
  }
}

const KEEPS = /^(inherit|transparent|none|initial|unset)$/i

const colorOr = (text: string, inherited: Rgb | undefined): Rgb | undefined =>
  KEEPS.test(text) ? inherited : parseColor(text)
