/**
 * Dates in templates. The engine's own filters read the clock, the time zone and the language of the machine;
 * these take "now" from the rendering and mean UTC unless told otherwise, so the same mail reads the same everywhere.
 */
import type { FilterImplOptions } from 'liquidjs'
import { renderContext } from './liquid-context.ts'
import { TemplateError } from './liquid-error.ts'
import { strftime, type Zone } from './liquid-strftime.ts'
import { text } from './liquid-values.ts'

type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>

const DEFAULT_FORMAT = '%A, %B %-e, %Y at %-l:%M %P %z'
const TEXT_MAX = 100
const FORMAT_MAX = 1000
const MINUTE_MS = 60_000

const ISO_WITHOUT_ZONE = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)$/
const HAS_ZONE = /(?:[zZ]|[+-]\d{2}:?\d{2}|\b(?:GMT|UTC?|[ECMP][SD]T))\)?$/

/** Milliseconds since 1970 of whatever may stand for a date, or nothing. */
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

const offsetFormats = new Map<string, Intl.DateTimeFormat>()
const OFFSET_FORMATS_MAX = 50

function offsetFormat(name: string): Intl.DateTimeFormat {
  const known = offsetFormats.get(name)
  if (known) return known
  if (offsetFormats.size >= OFFSET_FORMATS_MAX) offsetFormats.clear()
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
    offsetFormats.set(name, format)
    return format
  } catch {
    throw new TemplateError('value', `There is no time zone called "${name.slice(0, TEXT_MAX)}".`)
  }
}

/** A zone is a name such as "Europe/Berlin", or minutes west of UTC as the engine has it. */
function zoneAt(ms: number, wanted: unknown): Zone {
  if (typeof wanted === 'number') return { offset: Number.isFinite(wanted) ? -Math.trunc(wanted) : 0, name: '' }
  if (typeof wanted !== 'string' || wanted === '') return { offset: 0, name: 'UTC' }
  const parts = offsetFormat(wanted).formatToParts(ms)
  const label = parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(label)
  const minutes = match ? Number(match[2]) * 60 + Number(match[3]) : 0
  return { offset: match?.[1] === '-' ? -minutes : minutes, name: wanted }
}

/** A date as `format` tells it; what is no date is handed back as it came. */
function tellDate(value: unknown, format: string, zone: unknown, now: Date): unknown {
  const ms = momentOf(value, now)
  if (ms === undefined) return value
  const at = zoneAt(ms, zone)
  const wall = new Date(ms + at.offset * MINUTE_MS)
  return Number.isNaN(wall.getTime()) ? value : strftime({ ms, wall, zone: at }, format)
}

const told = (format: string): Handler =>
  function (value: unknown) {
    return tellDate(value, format, undefined, renderContext(this.context).options.now)
  }

/** Jekyll's `date_to_string: "ordinal", "US"` and its long form. */
const toldWithMonth = (month: string): Handler =>
  function (value: unknown, type: unknown, style: unknown) {
    const ordinalFormat = style === 'US' ? `${month} %-d%q, %Y` : `%-d%q ${month} %Y`
    const format = type === 'ordinal' ? ordinalFormat : `%d ${month} %Y`
    return tellDate(value, format, undefined, renderContext(this.context).options.now)
  }

export const dateFilters: Record<string, Handler> = {
  date(value: unknown, format: unknown, zone: unknown) {
    const wanted = text(format) || DEFAULT_FORMAT
    if (wanted.length > FORMAT_MAX) {
      throw new TemplateError('size', `The format of a date has at most ${FORMAT_MAX} characters.`)
    }
    return tellDate(value, wanted, zone, renderContext(this.context).options.now)
  },
  date_to_xmlschema: told('%Y-%m-%dT%H:%M:%S%:z'),
  date_to_rfc822: told('%a, %d %b %Y %H:%M:%S %z'),
  date_to_string: toldWithMonth('%b'),
  date_to_long_string: toldWithMonth('%B'),
}
