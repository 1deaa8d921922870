/**
 * What is equal for all recipients of a content is done once. Its body is completed, tracked and converted to text with marks in
 * place of the values, by the functions that any other body takes, and the results are cut at the marks. Emails are put
 * together from these pieces. The result is the same, byte for byte, as long as a mark is in a place where its value can't change
 * how the HTML is read, and a value has no characters that would be converted; all other emails take the longer way
 * (docs/decisions/0008-own-composer.md).
 */
import { randomBytes } from 'node:crypto'
import { decodeAttribute, escapeAttribute, readHtml, replaceLinks } from '../../../platform/html/html-reader.ts'
import { htmlToPlainText, isSameAddress } from '../../../platform/html/html-to-plain-text.ts'
import { PRINTABLE } from '../../../platform/mime/mime-encoding.ts'
import { VALUE } from '../../../platform/rendering/context.ts'
import type { RenderedParts } from '../../../platform/rendering/renderer.ts'

/** How a rendered body becomes the HTML and the text of an email. */
export interface BodySteps {
  /** Everything that the result depends on, except for the body, the recipient and the email. */
  key: string
  unsubscribeUrl: string
  /** Adds the footer, and the UTM parameters of links. */
  complete(html: string, unsubscribeUrl: string): string
  /** Whether `complete` changes links. */
  changesLinks: boolean
  isOwnPage(link: string): boolean
  /** Absent if the email isn't tracked. Undefined for a link that isn't replaced. */
  trackedUrl?: ((link: string) => string | undefined) | undefined
  /** The image of the pixel with this URL; empty if there is none. */
  pixel(url: string): string
  pixelUrl(): string
  /** Whether the text is generated. */
  hasText: boolean
}

export interface ComposedBody {
  html: string
  /** Empty if it isn't generated. */
  text: string
  /** Both are printable ASCII. Absent if that isn't known. */
  isPrintable?: boolean
}

/** Text with a value after each piece except the last. */
interface Pieces {
  texts: string[]
  /** The positions of these values. */
  values: number[]
}

interface Plan {
  html: Pieces
  text: Pieces
  hasPixel: boolean
  isPrintable: boolean
  links: PlannedLink[]
  /** The values in these places must be ASCII without spaces; or also begin like a URL. */
  inLinks: number[]
  startingLinks: number[]
  /** The link and its text, which is followed by the link only if the two differ. */
  linkTexts: Array<{ link: Pieces; text: Pieces; isSame: boolean }>
}

interface PlannedLink {
  link: Pieces
  kind: 'own' | 'tracked' | 'unchanged'
  /** The position of its tracked URL. */
  position: number
}

/** Mail clients cut off longer emails, and keeping their pieces would take much memory. */
const LENGTH_MAX = 100_000
const REMEMBERED_CHARACTERS_MAX = 4_000_000

/** Nobody can guess it, so no text contains a mark. */
const MARK = `v${randomBytes(12).toString('hex')}n`
const MARKS = new RegExp(`${MARK}(\\d+)x`)
const ALL_MARKS = new RegExp(MARKS, 'g')
const markOf = (position: number): string => `${MARK}${position}x`

/**
 * Characters that are markup, or that the text part has in another form: entities, controls, invisible ones, and white space other
 * than single spaces.
 */
const CONVERTED = /^$|^\s|\s$|\s\s|[<>"'&\p{Cc}\u00a0\u00ad\u200b\ufeff]|\u034f/u
const PLAIN_IN_LINK = /^[!#-%(-;=?-~]+$/
const STARTS_LINK = /^https?:\/\//i

/** Undefined if this email must take the longer way. */
export function composePrepared({ text, source, values }: RenderedParts, steps: BodySteps): ComposedBody | undefined {
  if (source === undefined || text.length > LENGTH_MAX) return undefined
  const plan = planOf(`${steps.key}\n${source}`, () => createPlan(source, values, steps))
  if (!plan) return undefined
  for (const value of new Set(values)) if (CONVERTED.test(value)) return undefined
  const all = [...values, steps.unsubscribeUrl, plan.hasPixel ? steps.pixelUrl() : '']
  if (!plan.inLinks.every((position) => PLAIN_IN_LINK.test(all[position]!))) return undefined
  if (!plan.startingLinks.every((position) => STARTS_LINK.test(all[position]!))) return undefined
  for (const planned of plan.links) if (!addTrackedUrl(planned, all, steps)) return undefined
  for (const { link, text, isSame } of plan.linkTexts) {
    if (isSameAddress(fill(text, all), fill(link, all)) !== isSame) return undefined
  }
  const isPrintable = plan.isPrintable && [...new Set(all)].every((value = '') => PRINTABLE.test(value))
  return { html: fill(plan.html, all), text: fill(plan.text, all), isPrintable }
}

/** False if the link of this email is of another kind. */
function addTrackedUrl({ link: pieces, kind, position }: PlannedLink, all: string[], steps: BodySteps): boolean {
  const link = fill(pieces, all)
  if (steps.isOwnPage(link) !== (kind === 'own')) return false
  const url = kind === 'own' ? undefined : steps.trackedUrl?.(link)
  if (url !== undefined) all[position] = escapeAttribute(url)
  return (url !== undefined) === (kind === 'tracked')
}

function fill({ texts, values }: Pieces, all: readonly string[]): string {
  let filled = texts[0]!
  for (let i = 0; i < values.length; i++) filled += all[values[i]!]! + texts[i + 1]!
  return filled
}

/** `null`: the content can't be prepared. `seen`: for a single email, preparing would take longer than it saves. */
const plans = new Map<string, Plan | null | 'seen'>()
let remembered = 0

function planOf(key: string, create: () => Plan | null) {
  const known = plans.get(key)
  if (known !== undefined && known !== 'seen') return known
  const plan = known && create()
  plans.set(key, plan ?? (known ? null : 'seen'))
  remembered += (known ? 0 : key.length) + (plan ? sizeOf(plan.html) + sizeOf(plan.text) : 0)
  for (const [oldest, dropped] of plans) {
    if (remembered <= REMEMBERED_CHARACTERS_MAX) break
    plans.delete(oldest)
    remembered -= oldest.length + (dropped && dropped !== 'seen' ? sizeOf(dropped.html) + sizeOf(dropped.text) : 0)
  }
  return plan
}

const sizeOf = ({ texts }: Pieces): number => texts.reduce((sum, text) => sum + text.length, 0)

function createPlan(source: string, values: readonly string[], steps: BodySteps): Plan | null {
  const pieces = source.split(VALUE)
  if (pieces.length !== values.length + 1) return null
  const marked = pieces.map((piece, i) => (i === 0 ? piece : markOf(i - 1) + piece)).join('')
  if (marked.length > 2 * LENGTH_MAX) return null
  const whole = steps.complete(marked, steps.unsubscribeUrl && markOf(values.length))
  const places = placesOf(whole)
  if (!places) return null

  const actual = [...values, steps.unsubscribeUrl]
  const links = new Map<string, PlannedLink>()
  const replace = (link: string): string | undefined => {
    const planned = links.get(link) ?? planLink(cut(link), values.length + 2 + links.size, actual, steps)
    if (planned.kind === 'tracked' || planned.link.values.length > 0) links.set(link, planned)
    return planned.kind === 'tracked' ? markOf(planned.position) : undefined
  }
  const pixel = steps.pixel(markOf(values.length + 1))
  const html = replaceLinks(whole, replace, pixel)
  const withValues = [...links.values()].filter(({ link }) => link.values.length > 0)
  if (steps.changesLinks && withValues.some((planned) => !isLeftAlone(planned, steps))) return null

  const linkTexts: Plan['linkTexts'] = []
  const isSame = (marked: string, markedLink: string): boolean => {
    if (marked.includes(' ')) return false // a link has no spaces, whatever the values are
    const [text, link] = [cut(marked), cut(markedLink)]
    const planned = { text, link, isSame: isSameAddress(fill(text, actual), fill(link, actual)) }
    if (text.values.length + link.values.length > 0) linkTexts.push(planned)
    return planned.isSame
  }
  const text = steps.hasText ? htmlToPlainText(whole, isSame) : ''
  return {
    html: cut(html),
    text: cut(text),
    hasPixel: pixel !== '',
    isPrintable: PRINTABLE.test(html) && PRINTABLE.test(text),
    links: steps.trackedUrl || steps.changesLinks ? [...links.values()] : [],
    ...places,
    linkTexts,
  }
}

/** With a mark in place of the value, `complete` didn't change the link either. */
function isLeftAlone({ link: { texts }, kind }: PlannedLink, steps: BodySteps): boolean {
  const start = texts[0]!
  return kind === 'own' && (start === '' || steps.isOwnPage(start))
}

function planLink(link: Pieces, position: number, actual: readonly string[], steps: BodySteps): PlannedLink {
  const url = fill(link, actual)
  if (steps.isOwnPage(url)) return { link, kind: 'own', position }
  return { link, kind: steps.trackedUrl?.(url) === undefined ? 'unchanged' : 'tracked', position }
}

/** The text at its marks. */
function cut(marked: string): Pieces {
  const parts = marked.split(MARKS) // pieces and positions in turn
  const isPiece = (_: string, i: number) => i % 2 === 0
  return { texts: parts.filter(isPiece), values: parts.filter((_, i) => i % 2 === 1).map(Number) }
}

/** An entity or an end tag that the value could complete. The number of a character can have any length. */
const UNFINISHED = /(?:&[#\w]*|<\/?\w*|^[\da-f]{40})$/i
const NAME_MAX = 40
/** What a link is used for in the text part is certain. */
const KNOWN_START = /^[a-z][a-z\d+.-]*:|^[/?#.]/i

/** Null if a value isn't in a text or in a quoted attribute, or could change how the HTML is read. */
function placesOf(html: string): Pick<Plan, 'inLinks' | 'startingLinks'> | null {
  const inLinks: number[] = []
  const startingLinks: number[] = []
  let left = [...html.matchAll(ALL_MARKS)].length

  function check(start: number, end: number): number[] {
    const text = html.slice(start, end)
    const found: number[] = []
    if (!text.includes(MARK)) return found
    for (const match of text.matchAll(ALL_MARKS)) {
      if (!UNFINISHED.test(text.slice(Math.max(0, match.index - NAME_MAX), match.index))) left--
      found.push(Number(match[1]))
    }
    return found
  }

  function checkLink(start: number, end: number, found: number[]): void {
    inLinks.push(...found)
    const link = decodeAttribute(html.slice(start, end)).trim()
    const before = link.slice(0, link.indexOf(MARK))
    if (before === '') startingLinks.push(found[0]!)
    else if (!KNOWN_START.test(before)) left++
  }

  readHtml(html, {
    text: (start, end) => void check(start, end),
    startTag({ attributes }) {
      for (const { nameStart, nameEnd, start, end, isQuoted } of attributes) {
        const name = html.slice(nameStart, nameEnd).toLowerCase()
        if (!isQuoted || name === 'style') continue
        const found = check(start, end)
        if (found.length > 0 && name === 'href') checkLink(start, end, found)
      }
    },
  })
  return left === 0 ? { inLinks, startingLinks } : null
}
