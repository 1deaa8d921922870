/** Work that somebody waits for goes before work that nobody does, where both share one process. */
export interface PrecedenceOptions {
  /** How many must be going first for others to give way. */
  many: number
  /**
   * For how long these do. For all of it, even when the way is free before: requests come in waves, and whoever went in
   * between would be in the way of the next one, all together.
   */
  waitMs: number
}

export interface Precedence {
  goFirst<T>(work: () => Promise<T>): Promise<T>
  /** Nothing when the way is free. */
  giveWay(): Promise<void> | undefined
}

export function createPrecedence({ many, waitMs }: PrecedenceOptions): Precedence {
  let first = 0
  return {
    async goFirst(work) {
      first++
      try {
        return await work()
      } finally {
        first--
      }
    },
    giveWay() {
      if (first < many) return undefined
      return new Promise((resolve) => setTimeout(resolve, waitMs))
    },
  }
}
