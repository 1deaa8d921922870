/**
 * Combines concurrent calls into batches, so that one statement serves many callers. A single call is delayed only
 * until the end of the current turn of the event loop, unless a pace is set.
 */
interface Waiting<A, B> {
  item: A
  resolve(value: B): void
  reject(error: unknown): void
}

export interface BatcherOptions<A> {
  /** The maximum number of items per batch. */
  batchMax: number
  /** How many batches may run at the same time; further items wait for the next batch. */
  concurrency: number
  /**
   * For statements with a high fixed cost: the minimum time between batches, unless `enough` items are waiting. The
   * first item after a pause isn't delayed.
   */
  pace?: { ms: number; enough: number }
  /**
   * Called for each batch. The returned function decides for each item whether it can join the batch; the first item
   * always can.
   */
  mayJoin?: () => (item: A) => boolean
  /** Whether the items of a failed batch are retried one by one, so that one bad item doesn't fail the others. */
  retryAlone?: (error: unknown) => boolean
}

/** For `mayJoin`: limits the total size of a batch. */
export const upToTotal =
  <A>(batchMax: number, sizeOf: (item: A) => number) =>
  (): ((item: A) => boolean) => {
    let total = 0
    return (item) => {
      const fits = total + sizeOf(item) <= batchMax
      if (fits) total += sizeOf(item)
      return fits
    }
  }

/** `runBatch` gets the items in order and returns the results in the same order. */
export function createBatcher<A, B>(
  runBatch: (items: A[]) => Promise<B[]>,
  { batchMax, concurrency, pace, mayJoin = () => () => true, retryAlone = () => false }: BatcherOptions<A>,
): (item: A) => Promise<B> {
  let waiting: Waiting<A, B>[] = []
  let running = 0
  let scheduled = false
  let pausedUntil = 0
  let isPausing = false

  async function run(batch: Waiting<A, B>[]): Promise<void> {
    running++
    try {
      await answer(batch)
    } catch (error) {
      if (batch.length > 1 && retryAlone(error)) for (const entry of batch) void runAlone(entry)
      else for (const entry of batch) entry.reject(error)
    } finally {
      running--
      startNext()
    }
  }

  async function answer(batch: Waiting<A, B>[]): Promise<void> {
    const results = await runBatch(batch.map((entry) => entry.item))
    batch.forEach((entry, i) => {
      entry.resolve(results[i]!)
    })
  }

  /** Not counted as running, so that a failing item doesn't delay other batches. */
  const runAlone = (entry: Waiting<A, B>) => answer([entry]).catch(entry.reject)

  function startNext(): void {
    while (waiting.length > 0 && running < concurrency) {
      if (pace && !startOrWait(pace)) return
      void run(nextBatch())
    }
  }

  /** Whether a batch starts now. If not, a timer starts it later. */
  function startOrWait({ ms, enough }: NonNullable<typeof pace>): boolean {
    const now = performance.now()
    if (now < pausedUntil && waiting.length < enough) {
      if (!isPausing) setTimeout(startNextAfterPause, pausedUntil - now)
      isPausing = true
      return false
    }
    pausedUntil = now + ms
    return true
  }

  function startNextAfterPause(): void {
    isPausing = false
    startNext()
  }

  /** Items that can't join keep their position. The search is limited, however many items are waiting. */
  function nextBatch(): Waiting<A, B>[] {
    const joins = mayJoin()
    const batch: Waiting<A, B>[] = []
    const skipped: Waiting<A, B>[] = []
    let examined = 0
    while (examined < waiting.length && examined < batchMax * 4 && batch.length < batchMax) {
      const entry = waiting[examined++]!
      if (joins(entry.item) || batch.length === 0) batch.push(entry)
      else skipped.push(entry)
    }
    waiting = [...skipped, ...waiting.slice(examined)]
    return batch
  }

  return (item) =>
    new Promise<B>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (scheduled) return
      scheduled = true
      setImmediate(() => {
        scheduled = false
        startNext()
      })
    })
}
