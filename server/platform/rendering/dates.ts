/**
 * Dates in templates. The engine's filters use the clock, time zone and language of the machine; these use the time of
 * the rendering and UTC by default, so the same email is the same everywhere.
 */
import type { FilterImplOptions } from 'liquidjs'
import { zoneOffset } from '../../kernel/time/local-time.ts'
import { renderContext, text } from './context.ts'
import { TemplateError } from './template-error.ts'

type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>

const DEFAULT_FORMAT = '%A, %B %-e, %Y at %-l:%M %P %z'
const TEXT_MAX = 100
const FORMAT_MAX = 1000
const MINUTE_MS = 60_000

const ISO_WITHOUT_ZONE = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)$/
const HAS_ZONE = /(?:[zZ]|[+-]\d{2}:?\d{2}|\b(?:GMT|UTC?|[ECMP][SD]T))\)?$/

/** Milliseconds since 1970 of a value that represents a date, or undefined. */
function momentOf(value: unknown, now: Date): number | undefined {
  if (typeof value === 'number') return validMs(value * 1000)
  if (typeof value !== 'string' || value.length > TEXT_MAX) return undefined
  const word = value.trim()
  if (word === 'now' || word === 'today') return now.getTime()
  if (/^\d+$/.test(word)) return validMs(Number(word) * 1000)
  const iso = ISO_WITHOUT_ZONE.exec(word)
  if (iso) return validMs(Date.parse(`${iso[1]}T${iso[2]}Z`))
  if (HAS_ZONE.test(word) || /^\d{4}-\d{2}-\d{2}$/.test(word)) return validMs(Date.parse(word))
  return /\d/.test(word) ? validMs(Date.parse(`${word} UTC`)) : undefined
}

const validMs = (ms: number): number | undefined => (Number.isNaN(new Date(ms).getTime()) ? undefined : ms)

/** A zone is a name such as "Europe/Berlin", or minutes west of UTC as in the engine. */
function zoneAt(ms: number, wanted: unknown): Zone {
  if (typeof wanted === 'number') return { offset: Number.isFinite(wanted) ? -Math.trunc(wanted) : 0, name: '' }
  if (typeof wanted !== 'string' || wanted === '') return { offset: 0, name: 'UTC' }
  try {
    return { offset: zoneOffset(wanted, ms), name: wanted }
  } catch {
    throw new TemplateError('value', `The time zone "${wanted.slice(0, TEXT_MAX)}" does not exist.`)
  }
}

/** Formats a date. Other values are returned unchanged. */
function formatDate(value: unknown, format: string, zone: unknown, now: Date): unknown {
  const ms = momentOf(value, now)
  if (ms === undefined) return value
  const at = zoneAt(ms, zone)
  const wall = new Date(ms + at.offset * MINUTE_MS)
  return Number.isNaN(wall.getTime()) ? value : strftime({ ms, wall, zone: at }, format)
}

const formattedAs = (format: string): Handler =>
  function (value: unknown) {
    return formatDate(value, format, undefined, renderContext(this.context).options.now)
  }

/** Jekyll's `date_to_string: "ordinal", "US"` and its long form. */
const formattedWithMonth = (month: string): Handler =>
  function (value: unknown, type: unknown, style: unknown) {
    const ordinalFormat = style === 'US' ? `${month} %-d%q, %Y` : `%-d%q ${month} %Y`
    const format = type === 'ordinal' ? ordinalFormat : `%d ${month} %Y`
    return formatDate(value, format, undefined, renderContext(this.context).options.now)
  }

export const dateFilters: Record<string, Handler> = {
  date(value: unknown, format: unknown, zone: unknown) {
    const wanted = text(format) || DEFAULT_FORMAT
    if (wanted.length > FORMAT_MAX) {
      throw new TemplateError('size', `A date format can have at most ${FORMAT_MAX} characters.`)
    }
    return formatDate(value, wanted, zone, renderContext(this.context).options.now)
  },
  date_to_xmlschema: formattedAs('%Y-%m-%dT%H:%M:%S%:z'),
  date_to_rfc822: formattedAs('%a, %d %b %Y %H:%M:%S %z'),
  date_to_string: formattedWithMonth('%b'),
  date_to_long_string: formattedWithMonth('%B'),
}

const WIDTH_MAX = 256
const DAY_MS = 86_400_000

interface Zone {
  /** Minutes to add to UTC. */
  offset: number
  name: string
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

/** `wall` is the time shifted by its zone, so that its UTC fields show the local time. */
interface Moment {
  ms: number
  wall: Date
  zone: Zone
}

const yearStart = (wall: Date): number => Date.UTC(wall.getUTCFullYear(), 0, 1)
const dayOfYear = (wall: Date): number => Math.floor((wall.getTime() - yearStart(wall)) / DAY_MS) + 1
const weekOfYear = (wall: Date, firstDay: number): number =>
  Math.floor((dayOfYear(wall) - 1 - ((wall.getUTCDay() - firstDay + 7) % 7) + 7) / 7)
const hour12 = (wall: Date): number => wall.getUTCHours() % 12 || 12

/** The Thursday of a date's week: its year is the ISO year of the week. */
const isoThursday = (wall: Date): Date => new Date(wall.getTime() + (4 - (wall.getUTCDay() || 7)) * DAY_MS)

function ordinal(day: number): string {
  if (day >= 11 && day <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'
}

function offsetText({ zone }: Moment, flags: string): string {
  const minutes = Math.abs(zone.offset)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${zone.offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${flags.includes(':') ? ':' : ''}${two(minutes % 60)}`
}

/** For each format letter: its value, the default width and the padding. */
type Code = [write: (moment: Moment, flags: string, width: number) => string | number, width?: number, pad?: string]

const CODES: Record<string, Code> = {
  a: [({ wall }) => DAYS[wall.getUTCDay()]!.slice(0, 3), 0, ' '],
  A: [({ wall }) => DAYS[wall.getUTCDay()]!, 0, ' '],
  b: [({ wall }) => MONTHS[wall.getUTCMonth()]!.slice(0, 3), 0, ' '],
  h: [({ wall }) => MONTHS[wall.getUTCMonth()]!.slice(0, 3), 0, ' '],
  B: [({ wall }) => MONTHS[wall.getUTCMonth()]!, 0, ' '],
  c: [(moment) => strftime(moment, '%a %b %e %H:%M:%S %Y'), 0, ' '],
  C: [({ wall }) => Math.floor(wall.getUTCFullYear() / 100), 2],
  d: [({ wall }) => wall.getUTCDate(), 2],
  D: [(moment) => strftime(moment, '%m/%d/%y'), 0, ' '],
  e: [({ wall }) => wall.getUTCDate(), 2, ' '],
  F: [(moment) => strftime(moment, '%Y-%m-%d'), 0, ' '],
  G: [({ wall }) => isoThursday(wall).getUTCFullYear(), 4],
  H: [({ wall }) => wall.getUTCHours(), 2],
  I: [({ wall }) => hour12(wall), 2],
  j: [({ wall }) => dayOfYear(wall), 3],
  k: [({ wall }) => wall.getUTCHours(), 2, ' '],
  l: [({ wall }) => hour12(wall), 2, ' '],
  L: [({ wall }) => wall.getUTCMilliseconds(), 3],
  m: [({ wall }) => wall.getUTCMonth() + 1, 2],
  M: [({ wall }) => wall.getUTCMinutes(), 2],
  n: [() => '\n'],
  N: [({ wall }, _, width) => `${String(wall.getUTCMilliseconds()).padStart(3, '0')}000000`.slice(0, width || 9)],
  p: [({ wall }) => (wall.getUTCHours() < 12 ? 'AM' : 'PM'), 0, ' '],
  P: [({ wall }) => (wall.getUTCHours() < 12 ? 'am' : 'pm'), 0, ' '],
  q: [({ wall }) => ordinal(wall.getUTCDate()), 0, ' '],
  r: [(moment) => strftime(moment, '%I:%M:%S %p'), 0, ' '],
  R: [(moment) => strftime(moment, '%H:%M'), 0, ' '],
  s: [({ ms }) => Math.floor(ms / 1000)],
  S: [({ wall }) => wall.getUTCSeconds(), 2],
  t: [() => '\t'],
  T: [(moment) => strftime(moment, '%H:%M:%S'), 0, ' '],
  u: [({ wall }) => wall.getUTCDay() || 7],
  U: [({ wall }) => weekOfYear(wall, 0), 2],
  V: [({ wall }) => Math.floor((dayOfYear(isoThursday(wall)) - 1) / 7) + 1, 2],
  w: [({ wall }) => wall.getUTCDay()],
  W: [({ wall }) => weekOfYear(wall, 1), 2],
  x: [(moment) => strftime(moment, '%m/%d/%y'), 0, ' '],
  X: [(moment) => strftime(moment, '%H:%M:%S'), 0, ' '],
  y: [({ wall }) => ((wall.getUTCFullYear() % 100) + 100) % 100, 2],
  Y: [({ wall }) => wall.getUTCFullYear(), 4],
  z: [offsetText],
  Z: [(moment, flags) => moment.zone.name || offsetText(moment, flags), 0, ' '],
  '%': [() => '%'],
}

const CODE = /%([-_0^#:]{0,6})(\d{0,9})[EO]?([A-Za-z%])/g

/** `strftime` as in Ruby and Liquid, in English and for any zone. Unknown letters are unchanged. */
function strftime(moment: Moment, format: string): string {
  return format.replace(CODE, (whole, flags: string, digits: string, letter: string) => {
    const code = Object.hasOwn(CODES, letter) ? CODES[letter]! : undefined
    if (!code) return whole
    const [write, usualWidth = 0, usualPad = '0'] = code
    const width = flags.includes('-') ? 0 : Number(digits) || usualWidth
    if (width > WIDTH_MAX) throw new TemplateError('size', `A date can be padded to at most ${WIDTH_MAX} characters.`)
    return padded(inCase(String(write(moment, flags, width)), flags), width, padOf(flags, usualPad))
  })
}

function inCase(word: string, flags: string): string {
  if (flags.includes('^')) return word.toUpperCase()
  if (flags.includes('#')) return /[a-z]/.test(word) ? word.toUpperCase() : word.toLowerCase()
  return word
}

function padOf(flags: string, usual: string): string {
  if (flags.includes('_')) return ' '
  return flags.includes('0') ? '0' : usual
}

const padded = (word: string, width: number, pad: string): string =>
  pad === '0' && word.startsWith('-') ? `-${word.slice(1).padStart(width - 1, pad)}` : word.padStart(width, pad)
