/** Times in the viewer's zone; UTC on hover. */

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const NEAR_DAYS = 7

/** "3 minutes ago" when it is near, the date when it is not. */
export function relativeWords(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000
  if (Math.abs(seconds) > NEAR_DAYS * 86_400) return DAY.format(at)
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return unit === 'second' ? 'just now' : RELATIVE.format(Math.trunc(seconds / size), unit)
}

export function Moment({ at, relative }: { at: string | null; relative?: boolean }) {
  if (!at) return <span className="text-soft">–</span>
  const date = new Date(at)
  const utc = at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')
  return (
    <time dateTime={at} title={relative ? `${FULL.format(date)}\n${utc}` : utc} className="whitespace-nowrap">
      {relative ? relativeWords(date, new Date()) : FULL.format(date)}
    </time>
  )
}
