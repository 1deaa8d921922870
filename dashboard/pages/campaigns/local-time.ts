/** Converts between a date and the value of a date-and-time field, in the viewer's time zone, to the minute. */

/** The time zone of the viewer. */
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

const two = (n: number) => String(n).padStart(2, '0')

export const toLocalTime = (at: Date): string =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`

export const fromLocalTime = (text: string): Date => new Date(text)
