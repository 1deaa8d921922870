/** Whether a figure is still growing: the last quarter of a run is compared with the second; the first is the warm-up. */

export type Sample = Record<string, number>

export interface Limit {
  /** How much larger the last quarter may be. */
  ratio: number
  /** Values up to this are always accepted, because ratios of very small numbers are noise. */
  floor?: number
}

export interface Comparison {
  name: string
  second: number
  last: number
  limit: number
  holds: boolean
}

export function compareQuarters(samples: Sample[], limits: Record<string, Limit>): Comparison[] {
  const quarter = (from: number, to: number) =>
    samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to))
  return Object.entries(limits).map(([name, { ratio, floor = 0 }]) => {
    const second = medianOf(quarter(0.25, 0.5), name)
    const last = medianOf(quarter(0.75, 1), name)
    const limit = Math.max(second * ratio, floor)
    return { name, second, last, limit, holds: last <= limit }
  })
}

const medianOf = (samples: Sample[], name: string) =>
  quantile(
    samples.map((sample) => sample[name]!),
    0.5,
  )

export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
