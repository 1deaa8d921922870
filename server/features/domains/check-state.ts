/**
 * What a check does to a domain's state. A failure of the DNS changes nothing; records that are gone un-verify a
 * domain only after three checks in a row; a domain that stays without proof is given up, and a later proof still counts.
 */

export type Status = 'PENDING' | 'VERIFIED' | 'FAILED'

/** `proved`: all that is required is there. `missing`: something required is not. `unknown`: nobody can say. */
export type CheckOutcome = 'proved' | 'missing' | 'unknown'

export interface CheckState {
  status: Status
  /** Checks in a row that found a verified domain without its records. */
  failedChecks: number
  pendingSince: Date | null
}

export interface AfterCheck extends CheckState {
  nextCheckAt: Date
  /** What the owners should hear of. */
  news?: 'verified' | 'lost'
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const LOST_AFTER_CHECKS = 3
const GIVEN_UP_AFTER_MS = 72 * HOUR_MS

export function afterCheck(state: CheckState, outcome: CheckOutcome, now: Date): AfterCheck {
  const next = change(state, outcome, now)
  return { ...next, nextCheckAt: new Date(now.getTime() + pauseOf(next, now)) }
}

function change(state: CheckState, outcome: CheckOutcome, now: Date): Omit<AfterCheck, 'nextCheckAt'> {
  if (outcome === 'unknown') return { ...state }
  if (outcome === 'proved') {
    const verified = { status: 'VERIFIED', failedChecks: 0, pendingSince: null } as const
    return state.status === 'VERIFIED' ? verified : { ...verified, news: 'verified' }
  }
  if (state.status === 'VERIFIED') {
    const failedChecks = state.failedChecks + 1
    if (failedChecks < LOST_AFTER_CHECKS) return { ...state, failedChecks }
    return { status: 'PENDING', failedChecks: 0, pendingSince: now, news: 'lost' }
  }
  return { ...state, status: pendingFor(state, now) >= GIVEN_UP_AFTER_MS ? 'FAILED' : state.status }
}

const pendingFor = ({ pendingSince }: CheckState, now: Date) => now.getTime() - (pendingSince ?? now).getTime()

/** Every five minutes at first; those who have not set their records for a day need no such hurry. */
function pauseOf(state: CheckState, now: Date): number {
  if (state.status === 'FAILED') return 6 * HOUR_MS
  const hurry = state.status === 'VERIFIED' || pendingFor(state, now) < 24 * HOUR_MS
  // A little less than the period, so that a domain checked late in one round is not left out of the next.
  return hurry ? 4.5 * MINUTE_MS : 29.5 * MINUTE_MS
}
