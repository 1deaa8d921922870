/** What the numbers of an experiment mean, in one sentence for people who don't know statistics. */
import { CONCLUSIVE, indexOfMax, probabilitiesOfBest, rateOf, type Trials } from './probability.ts'

export interface NamedTrials extends Trials {
  name: string
}

/** More than this isn't worth waiting for. */
const MORE_MAX = 1_000_000
const STEPS_MAX = 24

interface Description {
  summary: string
  recipientsNeeded: number | null
}

const sentence = (summary: string): Description => ({ summary, recipientsNeeded: null })

export function describeTest(variants: readonly NamedTrials[]): Description {
  if (variants.every(({ successes }) => successes === 0)) return sentence('There are no results yet.')
  const chances = probabilitiesOfBest(variants)
  const leader = indexOfMax(variants.map(rateOf))
  const { name } = variants[leader]!
  if (chances[leader]! > CONCLUSIVE) {
    const percent = Math.min(99, Math.floor(chances[leader]! * 100))
    return sentence(`${name} is ahead: the probability that it is the best is ${percent}%.`)
  }
  const equal = variants.filter((variant) => rateOf(variant) === rateOf(variants[leader]!))
  if (equal.length > 1) return sentence(`${LIST.format(equal.map((variant) => variant.name))} are equal so far.`)
  const more = recipientsNeeded(variants)
  if (more === undefined)
    return sentence(`${name} is ahead, but by so little that even a million more recipients would not be enough.`)
  const summary = `${name} is ahead, but by too little to be sure; ${NUMBER.format(more)} more recipients are needed.`
  return { summary, recipientsNeeded: more }
}

export const describeDecision = (winner: string, conclusive: boolean | null): Description =>
  sentence(
    conclusive
      ? `${winner} won.`
      : `${winner} was chosen, but the difference between the variants is too small to be sure that it is the best.`,
  )

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })
const NUMBER = new Intl.NumberFormat('en')

/** The number of recipients that are still missing if the rates stay the same, rounded up to two digits. Undefined if too many. */
export function recipientsNeeded(variants: readonly Trials[]): number | undefined {
  const total = variants.reduce((sum, { trials }) => sum + trials, 0)
  const scaled = (factor: number) =>
    variants.map(({ successes, trials }) => ({ successes: successes * factor, trials: trials * factor }))
  const isEnough = (factor: number) => Math.max(...probabilitiesOfBest(scaled(factor))) > CONCLUSIVE
  let high = 1 + MORE_MAX / total
  if (total === 0 || !isEnough(high)) return undefined
  let low = 1
  for (let step = 0; step < STEPS_MAX && high / low > 1.02; step++) {
    const middle = Math.sqrt(low * high)
    if (isEnough(middle)) high = middle
    else low = middle
  }
  const more = (high - 1) * total
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(more)) - 1)
  return Math.ceil(more / unit) * unit
}
