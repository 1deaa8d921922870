/** The times of sending in the forms of other services, as ISO 8601. */
import { invalidField } from '../../../kernel/errors.ts'

const SECONDS: Record<string, number> = {
  second: 1,
  sec: 1,
  minute: 60,
  min: 60,
  hour: 3_600,
  hr: 3_600,
  day: 86_400,
  week: 604_800,
}
const IN = /^in (an?|[1-9]\d{0,8}) ([a-z]+?)s?$/i

/** Resend: ISO 8601, which is checked later, or "in 1 hour". */
export function resendTime(text: string, now: Date, field: string): string {
  const given = text.trim()
  const [, count = '', unit = ''] = IN.exec(given) ?? []
  const seconds = SECONDS[unit.toLowerCase()]
  if (seconds !== undefined) return later(now, (/^an?$/i.test(count) ? 1 : Number(count)) * seconds, field)
  if (/^\d{4}-/.test(given)) return given
  throw invalidField(field, 'Must be a time such as 2026-12-01T09:00:00Z, or "in 10 minutes".', 'invalid_string')
}

/** SendGrid: seconds since 1970. A time that has passed is now. */
export function unixTime(seconds: number, now: Date, field: string): string | undefined {
  const ahead = seconds - now.getTime() / 1000
  return ahead > 0 ? later(now, ahead, field) : undefined
}

/** Mailgun: RFC 2822 or seconds since 1970. A time that has passed is now. */
export function mailgunTime(text: string, now: Date, field: string): string | undefined {
  const given = text.trim()
  const isRfc2822 = /^(?:[a-z]{3},\s*)?\d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}(?::\d{2})? (?:[+-]\d{4}|GMT|UTC?)$/i.test(
    given,
  )
  const seconds = /^\d{1,11}(?:\.\d+)?$/.test(given)
    ? Number(given)
    : isRfc2822
      ? Date.parse(utc(given)) / 1000
      : Number.NaN
  if (!Number.isNaN(seconds)) return unixTime(seconds, now, field)
  throw invalidField(field, 'Must be a time such as "Tue, 01 Dec 2026 09:00:00 +0000".', 'invalid_string')
}

const utc = (text: string) => text.replace(/ UT$/i, ' UTC')

const FURTHEST_SECONDS = 10_000 * 86_400

function later(now: Date, seconds: number, field: string): string {
  if (seconds > FURTHEST_SECONDS) throw invalidField(field, 'Must be at most 365 days ahead.')
  return new Date(now.getTime() + seconds * 1000).toISOString()
}
