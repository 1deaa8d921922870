/** Work that somebody waits for goes before work that nobody does, where both share one process. */
export interface PrecedenceOptions {
  /** How many must be going first for others to give way. */
  many: number
  /** The longest anybody gives way. */
  mostMs: number
}

export interface Precedence {
  goFirst<T>(work: () => Promise<T>): Promise<T>
  /** Nothing when the way is free. */
  giveWay(): Promise<void> | undefined
}

export function createPrecedence({ many, mostMs }: PrecedenceOptions): Precedence {
  const waiting = new Set<() => void>()
  let underWay = 0
  return {
    async goFirst(work) {
      underWay++
      try {
        return await work()
      } finally {
        if (--underWay < many) for (const goOn of waiting) goOn()
      }
    },
    giveWay() {
      if (underWay < many) return undefined
      return new Promise<void>((resolve) => {
        const goOn = () => {
          clearTimeout(timer)
          waiting.delete(goOn)
          resolve()
        }
        const timer = setTimeout(goOn, mostMs)
        waiting.add(goOn)
      })
    },
  }
}
