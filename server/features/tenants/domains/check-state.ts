/**
 * How a check changes a domain's state. DNS failures change nothing; missing records un-verify a domain only after
 * three checks in a row; a domain that stays unverified fails, and can still be verified later.
 */

export type Status = 'PENDING' | 'VERIFIED' | 'FAILED'

/** `proved`: all required records exist. `missing`: a required record doesn't exist. `unknown`: the lookup failed. */
export type CheckOutcome = 'proved' | 'missing' | 'unknown'

export interface CheckState {
  status: Status
  /** Consecutive checks in which a verified domain lacked its records. */
  failedChecks: number
  pendingSince: Date | null
}

export interface AfterCheck extends CheckState {
  nextCheckAt: Date
  /** A change that the owners are notified of. */
  transition?: 'verified' | 'lost'
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
    return state.status === 'VERIFIED' ? verified : { ...verified, transition: 'verified' }
  }
  if (state.status === 'VERIFIED') {
    const failedChecks = state.failedChecks + 1
    if (failedChecks < LOST_AFTER_CHECKS) return { ...state, failedChecks }
    return { status: 'PENDING', failedChecks: 0, pendingSince: now, transition: 'lost' }
  }
  return { ...state, status: pendingFor(state, now) >= GIVEN_UP_AFTER_MS ? 'FAILED' : state.status }
}

const pendingFor = ({ pendingSince }: CheckState, now: Date) => now.getTime() - (pendingSince ?? now).getTime()

/** Every five minutes at first; less often if the records are still missing after a day. */
function pauseOf(state: CheckState, now: Date): number {
  if (state.status === 'FAILED') return 6 * HOUR_MS
  const checkOften = state.status === 'VERIFIED' || pendingFor(state, now) < 24 * HOUR_MS
  // Slightly less than the period, so that a domain that was checked late in one round is due in the next.
  return checkOften ? 4.5 * MINUTE_MS : 29.5 * MINUTE_MS
}
