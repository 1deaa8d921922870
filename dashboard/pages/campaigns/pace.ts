/** How fast a campaign goes and when it will be done, from what was seen while watching it. */

export interface Sample {
  atMs: number
  done: number
}

const WINDOW_MS = 20_000

/** With one more look; those too old to say how fast it goes now are dropped. */
export function withSample(samples: Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1)
  if (last && (sample.done < last.done || sample.atMs <= last.atMs)) return [sample]
  return [...samples.filter(({ atMs }) => sample.atMs - atMs <= WINDOW_MS), sample]
}

/** Emails a second; nothing while it is too early to say. */
export function rateOf(samples: Sample[]): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.atMs - first.atMs < 900) return undefined
  return ((last.done - first.done) / (last.atMs - first.atMs)) * 1000
}

export function timeLeftWords(left: number, rate: number | undefined): string {
  if (left === 0) return 'Nothing left'
  if (!rate) return '…'
  const seconds = left / rate
  if (seconds < 60) return 'Under a minute'
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return minutes === 1 ? '1 minute' : `${minutes} minutes`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`
}
