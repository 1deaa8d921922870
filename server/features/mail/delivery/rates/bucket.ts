/**
 * A token bucket: each email that is sent takes a token, and the bucket gets `perSecond` of them a second. Those who find
 * none wait in lines, one for each priority and project: more urgent lines first, projects of the same priority in turn,
 * and each line in order. Pure; all times are in milliseconds.
 */
export interface Bucket {
  /** The tokens up to this time are taken. */
  takenUntil: number
  lines: Record<string, Line>
}

/** A place in a line is the time at which it would be served if nothing delayed the line. */
interface Line {
  /** The last place. */
  end: number
  /** How much later the line is served, because more urgent emails or other projects came first. */
  delay: number
  /** When the line last got a token. */
  servedAt: number
}

export interface TokenRequest {
  projectId: string
  priority: number
  /**
   * In its line, from an earlier request; `new` if there was none. `slice`: it requests tokens for many emails, one after
   * the other, and needs no place.
   */
  place: number | 'new' | 'slice'
  /** How many tokens are taken if there are so many. */
  most: number
}

export interface Grant {
  tokens: number
  /** When to retry if there were none, and the place until then. */
  retryAt: number
  place: number
  bucket: Bucket
}

export const EMPTY: Bucket = { takenUntil: 0, lines: {} }
const NO_LINE: Line = { end: 0, delay: 0, servedAt: 0 }

/** Tokens that nobody takes are kept for this long. Workers look for due jobs once a second. */
const KEPT_MS = 1_000
/** Times are rounded to milliseconds. */
const EARLY_MS = 1
/** Those who wait can be this late; until then, others don't get their token. */
const LATE_MS = 500
/** A slice is retried for the tokens of half a second, because each retry costs a job. */
const SLICE_MS = 500
/** Tokens are never taken for the future, so the clock was set back. Clocks of different machines differ by less. */
const CLOCK_SET_BACK_MS = 600_000
/** A line is remembered for this long after its end. */
const FORGET_MS = 10_000
const LINES_MAX = 1_000

export function takeTokens(stored: Bucket, request: TokenRequest, perSecond: number, now: number): Grant {
  const { priority, projectId, most } = request
  const msPerToken = 1_000 / perSecond
  const { takenUntil, lines } = current(stored, msPerToken, now)
  const name = `${priority} ${projectId}`
  const line = lines[name] ?? NO_LINE
  const others = Object.entries(lines)
    .filter(([other, { end, delay }]) => other !== name && end + delay + LATE_MS > now)
    .map(([other, waiting]) => ({ ...waiting, priority: Number.parseInt(other, 10) }))
  const urgentUntil = others
    .filter((other) => other.priority < priority)
    .reduce((latest, { end, delay }) => Math.max(latest, end + delay + LATE_MS), 0)
  // One token is left for each project of the same priority that was served less recently.
  const before = others.filter((other) => other.priority === priority && other.servedAt < line.servedAt).length

  const since = Math.max(takenUntil, now - Math.max(KEPT_MS, msPerToken))
  const free = Math.floor((now - since + EARLY_MS) / msPerToken) - before
  const turnAt = turnOf(request, line, msPerToken, now)
  const tokens = turnAt <= now + EARLY_MS && urgentUntil <= now ? Math.max(0, Math.min(most, free)) : 0
  if (tokens > 0) {
    const served = { ...lines, [name]: { ...line, servedAt: now } }
    return { tokens, retryAt: now, place: now, bucket: { takenUntil: since + tokens * msPerToken, lines: served } }
  }

  const nextAt = Math.max(urgentUntil, since + (1 + before) * msPerToken, now + 1)
  // The slices of a line are retried one after the other, not all at once.
  const sliceAt = request.place === 'slice' ? Math.max(now, line.end + line.delay) + SLICE_MS : 0
  const retryAt = Math.ceil(Math.max(turnAt, nextAt, sliceAt))
  const isInLine = typeof request.place === 'number' && request.place <= line.end
  const place = isInLine ? (request.place as number) : retryAt - line.delay
  const delay = Math.max(line.delay, retryAt - place)
  const waiting = { ...lines, [name]: { ...line, end: Math.max(line.end, place), delay } }
  return { tokens, retryAt, place, bucket: { takenUntil, lines: waiting } }
}

/** When it is their turn. Those who aren't in the line any longer have waited long enough. */
function turnOf({ place }: TokenRequest, { end, delay }: Line, msPerToken: number, now: number): number {
  if (place === 'slice' || (place !== 'new' && place > end)) return now
  if (place !== 'new') return place + delay
  return end + delay > now ? end + delay + msPerToken : now
}

/**
 * Without lines that have ended. If nobody took a token for so long that those who should have no longer wait, for example
 * because they were canceled, without any lines.
 */
function current(bucket: Bucket, msPerToken: number, now: number): Bucket {
  const { takenUntil } = bucket
  if (takenUntil > now + CLOCK_SET_BACK_MS) return { takenUntil: now, lines: {} }
  if (now - takenUntil > KEPT_MS + 2 * msPerToken) return { takenUntil, lines: {} }
  const kept = Object.entries(bucket.lines).filter(
    ([, { end, delay, servedAt }]) => Math.max(end + delay, servedAt) + FORGET_MS > now,
  )
  return { takenUntil, lines: Object.fromEntries(kept.slice(-LINES_MAX)) }
}
