/**
 * Which variant is probably the best. The rate of a variant with `successes` of `trials` has a Beta distribution (uniform
 * prior); the probability of being the best is integrated numerically. The same numbers always give the same result.
 */

export interface Trials {
  successes: number
  trials: number
}

/** Points of the grid. Distributions that overlap have hundreds in each; for those that don't, their number is irrelevant. */
const POINTS = 4_000
/** The distributions are negligible further from their means. */
const DEVIATIONS = 9

export function probabilitiesOfBest(variants: readonly Trials[]): number[] {
  const [low, high] = rangeOf(variants)
  const step = (high - low) / POINTS
  const densities = variants.map((variant) => densityOf(variant, low, step))
  /** The probability of each variant that its rate is below the point. */
  const below = variants.map(() => 0)
  const best = variants.map(() => 0)
  for (let point = 0; point < POINTS; point++) {
    for (let i = 0; i < best.length; i++) {
      let chance = densities[i]![point]!
      for (let j = 0; j < best.length; j++) if (j !== i) chance *= below[j]! + densities[j]![point]! / 2
      best[i]! += chance
    }
    for (let i = 0; i < best.length; i++) below[i]! += densities[i]![point]!
  }
  const sum = best.reduce((total, chance) => total + chance, 0)
  return best.map((chance) => chance / sum)
}

function rangeOf(variants: readonly Trials[]): [number, number] {
  const ranges = variants.map(({ successes, trials }) => {
    const [a, b] = [successes + 1, trials - successes + 1]
    const mean = a / (a + b)
    const deviation = Math.sqrt((mean * (1 - mean)) / (a + b + 1))
    return [mean - DEVIATIONS * deviation, mean + DEVIATIONS * deviation] as const
  })
  return [Math.max(0, Math.min(...ranges.map(([from]) => from))), Math.min(1, Math.max(...ranges.map(([, to]) => to)))]
}

/** The probability of each interval of the grid, from the logarithms, because the density itself would underflow. */
function densityOf({ successes, trials }: Trials, low: number, step: number): Float64Array {
  const logs = new Float64Array(POINTS)
  for (let point = 0; point < POINTS; point++) {
    const rate = low + (point + 0.5) * step
    logs[point] = successes * Math.log(rate) + (trials - successes) * Math.log1p(-rate)
  }
  const most = logs.reduce((max, log) => Math.max(max, log), Number.NEGATIVE_INFINITY)
  const weights = logs.map((log) => Math.exp(log - most))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

/** Above this, the experiment is conclusive. */
export const CONCLUSIVE = 0.8

export interface Decision {
  /** The index of the variant. */
  winner: number
  conclusive: boolean
}

/** The variant that is probably the best; if none is above 0.8, the one with the highest rate, and of equal ones the first. */
export function decide(variants: readonly Trials[]): Decision {
  const chances = probabilitiesOfBest(variants)
  const likeliest = indexOfMax(chances)
  if (chances[likeliest]! > CONCLUSIVE) return { winner: likeliest, conclusive: true }
  return { winner: indexOfMax(variants.map(rateOf)), conclusive: false }
}

export const rateOf = ({ successes, trials }: Trials): number => (trials === 0 ? 0 : successes / trials)

export const indexOfMax = (values: readonly number[]): number => values.indexOf(Math.max(...values))
