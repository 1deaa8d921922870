/** Between a moment and what a date-and-time field holds: the viewer's own clock, to the minute. */

const two = (n: number) => String(n).padStart(2, '0')

export const toLocalTime = (at: Date): string =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`

export const fromLocalTime = (text: string): Date => new Date(text)
