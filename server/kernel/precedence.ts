/**
 * Work that somebody waits for goes before work that nobody does, where both share one process. The others don't stand
 * still meanwhile: every moment a few of them go on, and all that have waited for as long as they can.
 */
export interface PrecedenceOptions {
  /** How many must be going first for others to give way. */
  many: number
  /**
   * How often some go on, and how long the way must be free for all to: requests come in waves, and whoever went in
   * between two would be in the way of the next one.
   */
  everyMs: number
  /** How many of them. They go together: what they do is cheaper for several at once. */
  few: number
}

export interface Precedence {
  goFirst<T>(work: () => Promise<T>): Promise<T>
  /** Nothing when the way is free. Otherwise it takes a moment, and up to `forMs` while many are going first. */
  giveWay(forMs: number): Promise<void> | undefined
}

interface Waiting {
  until: number
  goOn(): void
}

export function createPrecedence({ many, everyMs, few }: PrecedenceOptions): Precedence {
  let first = 0
  let crowdedUntil = 0
  let waiting: Waiting[] = []

  const isCrowded = () => first >= many || performance.now() < crowdedUntil

  function letSomeGoOn(): void {
    const now = performance.now()
    const crowded = isCrowded()
    const all = waiting
    waiting = []
    let gone = 0
    for (const one of all) {
      if (crowded && gone >= few && now < one.until) waiting.push(one)
      else {
        gone++
        one.goOn()
      }
    }
    if (waiting.length > 0) setTimeout(letSomeGoOn, everyMs)
  }

  return {
    async goFirst(work) {
      first++
      try {
        return await work()
      } finally {
        if (first >= many) crowdedUntil = performance.now() + everyMs
        first--
      }
    },
    giveWay(forMs) {
      if (!isCrowded()) return undefined
      return new Promise((goOn) => {
        if (waiting.length === 0) setTimeout(letSomeGoOn, everyMs)
        waiting.push({ until: performance.now() + forMs, goOn })
      })
    },
  }
}
