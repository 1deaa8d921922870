/**
 * The result of a measurement, and how several are combined. The latencies of all clients are evaluated in the same
 * way.
 */
import type { ProcessorTime } from './processor.ts'

export interface Measurement {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** How many cores each party used; empty if the system doesn't report it. */
  cores: Record<string, number>
  /** What one request takes, with the work that follows from it. */
  processor?: ProcessorTime | undefined
}

export function summarize(latenciesMs: number[], seconds: number): Omit<Measurement, 'cores' | 'processor'> {
  if (latenciesMs.length === 0) throw new Error('No request was answered during the measurement.')
  const sorted = Float64Array.from(latenciesMs).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  return { perSecond: sorted.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Each figure separately: the median of the rates, the median of the p99s. */
export function medianOf(rounds: Measurement[]): Measurement {
  const of = (pick: (round: Measurement) => number | undefined) => median(rounds.map((round) => pick(round) ?? 0))
  const parties = new Set(rounds.flatMap((round) => Object.keys(round.cores)))
  return {
    perSecond: of((r) => r.perSecond),
    p50Ms: of((r) => r.p50Ms),
    p99Ms: of((r) => r.p99Ms),
    cores: Object.fromEntries([...parties].map((party) => [party, of((r) => r.cores[party])])),
    processor: medianProcessor(rounds.flatMap((round) => round.processor ?? [])),
  }
}

/** The round whose ratio is the median one, so that its parts add up. */
function medianProcessor(rounds: ProcessorTime[]): ProcessorTime | undefined {
  const inSignatures = ({ totalMs, signatureMs }: ProcessorTime) => totalMs / signatureMs
  return rounds.sort((a, b) => inSignatures(a) - inSignatures(b))[(rounds.length - 1) >> 1]
}
