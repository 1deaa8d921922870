/**
 * Guessing keys has a limit: five failures in 15 minutes for one address, then sign-in is refused. Counted in this
 * process: keys are too long to be guessed, so this only limits the noise.
 */
import type { Context } from '../../context.ts'

const FAILURES_MAX = 5
const WINDOW_MS = 15 * 60_000
/** Whoever has that many addresses is not stopped by counting. */
const ADDRESSES_MAX = 10_000

const failuresOf = new WeakMap<Context, Map<string, number[]>>()

function failures(ctx: Context): Map<string, number[]> {
  const known = failuresOf.get(ctx) ?? new Map<string, number[]>()
  failuresOf.set(ctx, known)
  return known
}

const recent = (ctx: Context, address: string): number[] => {
  const since = ctx.clock.now().getTime() - WINDOW_MS
  return (failures(ctx).get(address) ?? []).filter((at) => at > since)
}

/** In how many minutes the address may try again; nothing when it may now. */
export function minutesToWait(ctx: Context, address: string): number | undefined {
  const tries = recent(ctx, address)
  if (tries.length < FAILURES_MAX) return undefined
  return Math.max(1, Math.ceil((tries[0]! + WINDOW_MS - ctx.clock.now().getTime()) / 60_000))
}

export function noteFailure(ctx: Context, address: string): void {
  const known = failures(ctx)
  const tries = [...recent(ctx, address), ctx.clock.now().getTime()].slice(-FAILURES_MAX)
  known.delete(address) // to the end of the line
  known.set(address, tries)
  if (known.size > ADDRESSES_MAX) known.delete(known.keys().next().value!)
}

export const forgive = (ctx: Context, address: string): void => void failures(ctx).delete(address)
