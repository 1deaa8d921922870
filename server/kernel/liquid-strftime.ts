/**
 * `strftime` as Ruby and Liquid know it, in English and for any zone. Unknown letters stay as they are written.
 */
import { TemplateError } from './liquid-error.ts'

const WIDTH_MAX = 256
const DAY_MS = 86_400_000

export interface Zone {
  /** Minutes to add to UTC. */
  offset: number
  name: string
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

/** `wall` is the moment shifted by its zone, so that its UTC fields are what a clock on the wall there shows. */
export interface Told {
  ms: number
  wall: Date
  zone: Zone
}

const yearStart = (wall: Date): number => Date.UTC(wall.getUTCFullYear(), 0, 1)
const dayOfYear = (wall: Date): number => Math.floor((wall.getTime() - yearStart(wall)) / DAY_MS) + 1
const weekOfYear = (wall: Date, firstDay: number): number =>
  Math.floor((dayOfYear(wall) - 1 - ((wall.getUTCDay() - firstDay + 7) % 7) + 7) / 7)
const hour12 = (wall: Date): number => wall.getUTCHours() % 12 || 12

/** The Thursday of a date's week: ISO counts a week to the year that has it. */
const isoThursday = (wall: Date): Date => new Date(wall.getTime() + (4 - (wall.getUTCDay() || 7)) * DAY_MS)

function ordinal(day: number): string {
  if (day >= 11 && day <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'
}

function offsetText({ zone }: Told, flags: string): string {
  const minutes = Math.abs(zone.offset)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${zone.offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${flags.includes(':') ? ':' : ''}${two(minutes % 60)}`
}

/** What a letter stands for, how wide it usually is, and with what it is filled up. */
type Code = [tell: (told: Told, flags: string, width: number) => string | number, width?: number, pad?: string]

const CODES: Record<string, Code> = {
  a: [({ wall }) => DAYS[wall.getUTCDay()]!.slice(0, 3), 0, ' '],
  A: [({ wall }) => DAYS[wall.getUTCDay()]!, 0, ' '],
  b: [({ wall }) => MONTHS[wall.getUTCMonth()]!.slice(0, 3), 0, ' '],
  h: [({ wall }) => MONTHS[wall.getUTCMonth()]!.slice(0, 3), 0, ' '],
  B: [({ wall }) => MONTHS[wall.getUTCMonth()]!, 0, ' '],
  c: [(told) => strftime(told, '%a %b %e %H:%M:%S %Y'), 0, ' '],
  C: [({ wall }) => Math.floor(wall.getUTCFullYear() / 100), 2],
  d: [({ wall }) => wall.getUTCDate(), 2],
  D: [(told) => strftime(told, '%m/%d/%y'), 0, ' '],
  e: [({ wall }) => wall.getUTCDate(), 2, ' '],
  F: [(told) => strftime(told, '%Y-%m-%d'), 0, ' '],
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
  r: [(told) => strftime(told, '%I:%M:%S %p'), 0, ' '],
  R: [(told) => strftime(told, '%H:%M'), 0, ' '],
  s: [({ ms }) => Math.floor(ms / 1000)],
  S: [({ wall }) => wall.getUTCSeconds(), 2],
  t: [() => '\t'],
  T: [(told) => strftime(told, '%H:%M:%S'), 0, ' '],
  u: [({ wall }) => wall.getUTCDay() || 7],
  U: [({ wall }) => weekOfYear(wall, 0), 2],
  V: [({ wall }) => Math.floor((dayOfYear(isoThursday(wall)) - 1) / 7) + 1, 2],
  w: [({ wall }) => wall.getUTCDay()],
  W: [({ wall }) => weekOfYear(wall, 1), 2],
  x: [(told) => strftime(told, '%m/%d/%y'), 0, ' '],
  X: [(told) => strftime(told, '%H:%M:%S'), 0, ' '],
  y: [({ wall }) => ((wall.getUTCFullYear() % 100) + 100) % 100, 2],
  Y: [({ wall }) => wall.getUTCFullYear(), 4],
  z: [offsetText],
  Z: [(told, flags) => told.zone.name || offsetText(told, flags), 0, ' '],
  '%': [() => '%'],
}

const CODE = /%([-_0^#:]{0,6})(\d{0,9})[EO]?([A-Za-z%])/g

export function strftime(told: Told, format: string): string {
  return format.replace(CODE, (whole, flags: string, digits: string, letter: string) => {
    const code = Object.hasOwn(CODES, letter) ? CODES[letter]! : undefined
    if (!code) return whole
    const [tell, usualWidth = 0, usualPad = '0'] = code
    const width = flags.includes('-') ? 0 : Number(digits) || usualWidth
    if (width > WIDTH_MAX) throw new TemplateError('size', `A date is padded to more than ${WIDTH_MAX} characters.`)
    return padded(inCase(String(tell(told, flags, width)), flags), width, padOf(flags, usualPad))
  })
}

function inCase(told: string, flags: string): string {
  if (flags.includes('^')) return told.toUpperCase()
  if (flags.includes('#')) return /[a-z]/.test(told) ? told.toUpperCase() : told.toLowerCase()
  return told
}

function padOf(flags: string, usual: string): string {
  if (flags.includes('_')) return ' '
  return flags.includes('0') ? '0' : usual
}

const padded = (told: string, width: number, pad: string): string =>
  pad === '0' && told.startsWith('-') ? `-${told.slice(1).padStart(width - 1, pad)}` : told.padStart(width, pad)
