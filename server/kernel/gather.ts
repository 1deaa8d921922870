/**
 * Calls that arrive while others are under way are answered together: one statement for many callers.
 * A lone call waits for nobody but the current turn of the event loop.
 */
interface Waiting<A, B> {
  item: A
  resolve(value: B): void
  reject(error: unknown): void
}

export interface GatherOptions {
  /** The most items one call of `answerAll` gets. */
  most: number
  /** How many calls of `answerAll` may run at once; while they run, further items gather. */
  atOnce: number
}

/** `answerAll` gets the items in order and returns the answers in the same order. */
export function gather<A, B>(
  answerAll: (items: A[]) => Promise<B[]>,
  { most, atOnce }: GatherOptions,
): (item: A) => Promise<B> {
  let waiting: Waiting<A, B>[] = []
  let running = 0
  let scheduled = false

  async function run(batch: Waiting<A, B>[]): Promise<void> {
    running++
    try {
      const answers = await answerAll(batch.map((entry) => entry.item))
      batch.forEach((entry, i) => {
        entry.resolve(answers[i]!)
      })
    } catch (error) {
      for (const entry of batch) entry.reject(error)
    } finally {
      running--
      takeNext()
    }
  }

  function takeNext(): void {
    while (waiting.length > 0 && running < atOnce) {
      const batch = waiting.slice(0, most)
      waiting = waiting.slice(most)
      void run(batch)
    }
  }

  return (item) =>
    new Promise<B>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (scheduled) return
      scheduled = true
      setImmediate(() => {
        scheduled = false
        takeNext()
      })
    })
}
