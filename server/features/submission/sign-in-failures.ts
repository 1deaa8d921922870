/**
 * Guessing keys has a limit: five failures in 15 minutes for one address, then sign-in is refused. Counted by
 * each server: keys are too long to be guessed, so this only limits the noise.
 */
import type { Clock } from '../../kernel/clock.ts'

const FAILURES_MAX = 5
const WINDOW_MS = 15 * 60_000
/** Whoever has that many addresses is not stopped by counting. */
const ADDRESSES_MAX = 10_000

export type SignInFailures = ReturnType<typeof createSignInFailures>

export function createSignInFailures(clock: Clock) {
  const known = new Map<string, number[]>()

  function recent(address: string): number[] {
    const since = clock.now().getTime() - WINDOW_MS
    return (known.get(address) ?? []).filter((at) => at > since)
  }

  return {
    /** In how many minutes the address may try again; nothing when it may now. */
    minutesToWait(address: string): number | undefined {
      const tries = recent(address)
      if (tries.length < FAILURES_MAX) return undefined
      return Math.max(1, Math.ceil((tries[0]! + WINDOW_MS - clock.now().getTime()) / 60_000))
    },

    record(address: string): void {
      const tries = [...recent(address), clock.now().getTime()].slice(-FAILURES_MAX)
      known.delete(address) // to the end of the line
      known.set(address, tries)
      if (known.size > ADDRESSES_MAX) known.delete(known.keys().next().value!)
    },

    clear(address: string): void {
      known.delete(address)
    },
  }
}
