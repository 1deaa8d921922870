/**
 * Numbers, dates and lists for display. Numbers and dates follow the browser's locale if it has the language of the
 * texts. Formats that produce words (plurals, lists, relative times) follow the language of the texts, so that no
 * sentence mixes two languages.
 */
import { currentLanguage, currentLocale } from '../languages/language.ts'

const MISSING = '–'
const DAY_SECONDS = 86_400
const RELATIVE_LIMIT_DAYS = 7
const KILOBYTE = 1024
const SMALLEST_SHARE = 0.0001

const RELATIVE_UNITS: [TimeUnit, number][] = [
  ['day', DAY_SECONDS],
  ['hour', 3_600],
  ['minute', 60],
]

/** The words for one and for several: `{ one: 'contact', other: 'contacts' }`. */
export interface PluralForms {
  one: string
  other: string
}

export type TimeUnit = 'day' | 'hour' | 'minute' | 'second'

export function createFormats(locale: string | undefined, language: string) {
  const number = new Intl.NumberFormat(locale)
  const kilobytes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 })
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const hour = new Intl.DateTimeFormat(locale, { weekday: 'short', hour: 'numeric' })
  const clock = new Intl.DateTimeFormat(locale, { weekday: 'short', hour: 'numeric', minute: '2-digit' })
  const utcDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const shortUtcDay = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' })
  const utcMonth = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const plurals = new Intl.PluralRules(language)
  const lists = new Intl.ListFormat(language)
  const unitLists = new Intl.ListFormat(language, { type: 'unit', style: 'narrow' })

  const formatNumber = (value: number): string => number.format(value)

  /** `0.994` reads as "99.4%". */
  const formatPercent = (ratio: number, digits = 1): string =>
    new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: digits }).format(ratio)

  const pickPlural = (count: number, forms: PluralForms): string =>
    plurals.select(count) === 'one' ? forms.one : forms.other

  /** "1 day", "2.5 hours". */
  const formatUnit = (value: number, unit: TimeUnit, unitDisplay: 'long' | 'narrow' = 'long'): string =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay }).format(value)

  return {
    formatNumber,
    formatPercent,
    pickPlural,
    formatUnit,

    /**
     * A share of a whole: a dash when the whole is empty, and never more than 100%. Only none is "0%" and only all is
     * "100%": shares next to them get a second digit, or are shown as less or more than the nearest value.
     */
    formatShare: (part: number, whole: number): string => {
      if (whole === 0) return MISSING
      const ratio = Math.min(1, part / whole)
      if (ratio > 0 && ratio < SMALLEST_SHARE) return `<${formatPercent(SMALLEST_SHARE, 2)}`
      if (ratio < 1 && ratio > 1 - SMALLEST_SHARE) return `>${formatPercent(1 - SMALLEST_SHARE, 2)}`
      return formatPercent(ratio, ratio < 0.001 || ratio > 0.999 ? 2 : 1)
    },

    /** "1 contact", "2,041 contacts". */
    formatCount: (count: number, forms: PluralForms): string => `${formatNumber(count)} ${pickPlural(count, forms)}`,

    formatKilobytes: (bytes: number): string => kilobytes.format(Math.ceil(bytes / KILOBYTE)),

    /** "4 hours", "90 minutes", "2 days". */
    formatMinutes: (minutes: number): string => {
      const [unit, size] = RELATIVE_UNITS.find(([, size]) => (minutes * 60) % size === 0) ?? ['minute', 60]
      return formatUnit((minutes * 60) / size, unit)
    },

    formatCurrency: (amount: number, currency: string): string =>
      new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount),

    /** Stripe counts in the smallest unit of a currency, and not every currency has hundredths. */
    formatMoney: (amount: number, currency: string): string => {
      const money = new Intl.NumberFormat(locale, { style: 'currency', currency })
      return money.format(amount / 10 ** (money.resolvedOptions().maximumFractionDigits ?? 2))
    },

    formatList: (items: string[]): string => lists.format(items),

    formatDateTime: (at: Date): string => dateTime.format(at),
    /** "Tue, 10 AM". */
    formatHour: (at: Date): string => hour.format(at),
    /** "Tue, 10:05 AM". */
    formatClock: (at: Date): string => clock.format(at),

    /** `2026-11-16`, a day in UTC. */
    formatDay: (day: string): string => utcDay.format(new Date(day)),
    formatShortDay: (at: Date): string => shortUtcDay.format(at),

    /** `2026-11`, a month in UTC. */
    formatMonth: (month: string): string => utcMonth.format(new Date(month)),

    /** "3 minutes ago" within a week, the date otherwise. */
    formatRelative: (at: Date, now: Date): string => {
      const exact = (at.getTime() - now.getTime()) / 1000
      // A time in the future is rounded: 2 days and 23 hours from now is "in 3 days".
      const seconds = exact > 0 ? Math.round(exact / 60) * 60 : exact
      if (Math.abs(seconds) > RELATIVE_LIMIT_DAYS * DAY_SECONDS) return date.format(at)
      const [unit, size] = RELATIVE_UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? []
      if (!unit || !size) return relative.format(0, 'second')
      return relative.format(seconds > 0 ? Math.round(seconds / size) : Math.trunc(seconds / size), unit)
    },

    /** "5 minutes", "1h 30m", "12 days". Less than a minute rounds to one minute. */
    formatDuration: (seconds: number): string => {
      const minutes = Math.max(1, Math.round(seconds / 60))
      if (minutes < 60) return formatUnit(minutes, 'minute')
      const hours = Math.floor(minutes / 60)
      if (hours >= 48) return formatUnit(Math.round(hours / 24), 'day')
      return unitLists.format([formatUnit(hours, 'hour', 'narrow'), formatUnit(minutes % 60, 'minute', 'narrow')])
    },
  }
}

export const {
  formatNumber,
  formatPercent,
  formatShare,
  formatCount,
  pickPlural,
  formatUnit,
  formatKilobytes,
  formatMinutes,
  formatCurrency,
  formatMoney,
  formatList,
  formatDateTime,
  formatHour,
  formatClock,
  formatDay,
  formatShortDay,
  formatMonth,
  formatRelative,
  formatDuration,
} = createFormats(currentLocale(), currentLanguage())
