/** When each recipient gets a campaign, as chosen in the dialog that sends it, and the request made from it. */
import type { Schemas } from '../../../data/api.ts'
import { fromLocalTime, toLocalTime } from '../local-time.ts'

type Campaign = Schemas['Campaign']

export type Mode = 'together' | 'localTime' | 'spread' | 'bestHour'

export interface Plan {
  mode: Mode
  later: boolean
  /** For later, in the time zone of the viewer: `2026-12-01T09:00`. */
  at: string
  /** In the time zone of each recipient: `2026-12-01T09:00`. */
  localAt: string
  /** The time zone of contacts without one. */
  fallback: string
  spreadMinutes: number | null
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The first time zone in which a day begins is this far ahead of UTC. */
const FIRST_ZONE_MS = 14 * HOUR_MS
const DEFAULT_SPREAD_MINUTES = 120

export function planOf(
  { status, scheduledFor, timing }: Pick<Campaign, 'status' | 'scheduledFor' | 'timing'>,
  now: Date,
  zone: string,
): Plan {
  const tomorrow = toLocalTime(new Date(now.getTime() + 24 * HOUR_MS)).slice(0, 10)
  const { localTime = null, spreadMinutes = null, bestHour = false } = timing ?? {}
  return {
    mode: localTime ? 'localTime' : bestHour ? 'bestHour' : spreadMinutes ? 'spread' : 'together',
    later: status === 'SCHEDULED',
    at: toLocalTime(scheduledFor && !localTime ? new Date(scheduledFor) : new Date(now.getTime() + HOUR_MS)),
    localAt: localTime ? `${localTime.date}T${localTime.time}` : `${tomorrow}T09:00`,
    fallback: localTime?.fallback ?? zone,
    spreadMinutes,
  }
}

/** Changing the mode keeps a spread where one is possible. */
export const withMode = (plan: Plan, mode: Mode): Plan => ({
  ...plan,
  mode,
  spreadMinutes: mode === 'spread' ? (plan.spreadMinutes ?? DEFAULT_SPREAD_MINUTES) : plan.spreadMinutes,
})

/** When the first time zone reaches the local time; undefined if that has passed, so that sending starts at once. */
export function localStart(localAt: string, now: Date): Date | undefined {
  const start = new Date(Date.parse(`${localAt}:00Z`) - FIRST_ZONE_MS)
  return start > now ? start : undefined
}

/** Undefined if everyone gets it now. */
export function requestOf({ mode, later, at, localAt, fallback, spreadMinutes }: Plan, now: Date) {
  if (mode === 'localTime') {
    const [date = '', time = ''] = localAt.split('T')
    const start = localStart(localAt, now)
    return {
      localTime: { date, time, fallback },
      ...(spreadMinutes && { spreadMinutes }),
      ...(start && { scheduledFor: start.toISOString() }),
    }
  }
  const timing = mode === 'spread' ? { spreadMinutes } : mode === 'bestHour' ? { bestHour: true } : {}
  if (later) return { ...timing, scheduledFor: fromLocalTime(at).toISOString() }
  return mode === 'together' ? undefined : timing
}

/** Whether the campaign is scheduled, instead of started, with this plan. */
export const isScheduled = ({ mode, later, localAt }: Plan, now: Date): boolean =>
  mode === 'localTime' ? localStart(localAt, now) !== undefined : later
