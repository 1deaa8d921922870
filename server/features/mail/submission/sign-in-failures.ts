/**
 * Limits guessing: after five failures in 15 minutes from one address, sign-in is refused. Counted per process: keys
 * are too long to be guessed, so this only limits load.
 */
import type { Clock } from '../../../kernel/clock.ts'

const FAILURES_MAX = 5
const WINDOW_MS = 15 * 60_000
/** An attacker with this many addresses can't be stopped by counting. */
const ADDRESSES_MAX = 10_000

export type SignInFailures = ReturnType<typeof createSignInFailures>

export function createSignInFailures(clock: Clock) {
  const known = new Map<string, number[]>()

  function recent(address: string): number[] {
    const since = clock.now().getTime() - WINDOW_MS
    return (known.get(address) ?? []).filter((at) => at > since)
  }

  return {
    /** The minutes until the address can sign in again; undefined if it can now. */
    minutesToWait(address: string): number | undefined {
      const failures = recent(address)
      if (failures.length < FAILURES_MAX) return undefined
      return Math.max(1, Math.ceil((failures[0]! + WINDOW_MS - clock.now().getTime()) / 60_000))
    },

    record(address: string): void {
      const failures = [...recent(address), clock.now().getTime()].slice(-FAILURES_MAX)
      known.delete(address) // moves it to the end
      known.set(address, failures)
      if (known.size > ADDRESSES_MAX) known.delete(known.keys().next().value!)
    },

    clear(address: string): void {
      known.delete(address)
    },
  }
}
