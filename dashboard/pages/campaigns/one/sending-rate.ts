/** The sending rate of a campaign and the time left, measured while its page is open. */

export interface Sample {
  atMs: number
  done: number
}

const WINDOW_MS = 20_000

/** Adds a sample and drops those that are too old. */
export function withSample(samples: Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1)
  if (last && (sample.done < last.done || sample.atMs <= last.atMs)) return [sample]
  return [...samples.filter(({ atMs }) => sample.atMs - atMs <= WINDOW_MS), sample]
}

/** Emails per second; undefined until there are enough samples. */
export function rateOf(samples: Sample[]): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.atMs - first.atMs < 900) return undefined
  return ((last.done - first.done) / (last.atMs - first.atMs)) * 1000
}

/** Undefined while the rate is unknown or zero. */
export function secondsLeft(pending: number, rate: number | undefined): number | undefined {
  if (pending === 0) return 0
  return rate ? pending / rate : undefined
}
