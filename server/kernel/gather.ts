/**
 * Calls that arrive while others are under way are answered together: one statement for many callers.
 * A lone call waits for nobody but the current turn of the event loop, unless a pace is set.
 */
interface Waiting<A, B> {
  item: A
  resolve(value: B): void
  reject(error: unknown): void
}

export interface GatherOptions<A> {
  /** The most items one call of `answerAll` gets. */
  most: number
  /** How many calls of `answerAll` may run at once; while they run, further items gather. */
  atOnce: number
  /**
   * For statements whose fixed cost is high: a batch begins no sooner after the one before, unless `enough` wait for
   * it. Who comes after a pause waits for nobody.
   */
  pace?: { ms: number; enough: number }
  /** Begins a batch: tells of one item after the other whether it may join those taken. The first always may. */
  mayJoin?: () => (item: A) => boolean
  /** Whether the items of a batch that failed are tried once more, each by itself, so that one harms nobody else. */
  tryAlone?: (error: unknown) => boolean
}

/** For `mayJoin`: a batch as large as this at most, all its items together. */
export const upToTotal =
  <A>(most: number, sizeOf: (item: A) => number) =>
  (): ((item: A) => boolean) => {
    let total = 0
    return (item) => {
      const fits = total + sizeOf(item) <= most
      if (fits) total += sizeOf(item)
      return fits
    }
  }

/** `answerAll` gets the items in order and returns the answers in the same order. */
export function gather<A, B>(
  answerAll: (items: A[]) => Promise<B[]>,
  { most, atOnce, pace, mayJoin = () => () => true, tryAlone = () => false }: GatherOptions<A>,
): (item: A) => Promise<B> {
  let waiting: Waiting<A, B>[] = []
  let running = 0
  let scheduled = false
  let restUntil = 0
  let resting = false

  async function run(batch: Waiting<A, B>[]): Promise<void> {
    running++
    try {
      await answer(batch)
    } catch (error) {
      if (batch.length > 1 && tryAlone(error)) for (const entry of batch) void answerAlone(entry)
      else for (const entry of batch) entry.reject(error)
    } finally {
      running--
      takeNext()
    }
  }

  async function answer(batch: Waiting<A, B>[]): Promise<void> {
    const answers = await answerAll(batch.map((entry) => entry.item))
    batch.forEach((entry, i) => {
      entry.resolve(answers[i]!)
    })
  }

  /** Not counted among those that run: whatever is wrong with it must not hold up the others. */
  const answerAlone = (entry: Waiting<A, B>) => answer([entry]).catch(entry.reject)

  function takeNext(): void {
    while (waiting.length > 0 && running < atOnce) {
      if (pace && !beginOrRest(pace)) return
      void run(takeBatch())
    }
  }

  /** Whether a batch begins now. If not, somebody looks again in time. */
  function beginOrRest({ ms, enough }: NonNullable<typeof pace>): boolean {
    const now = performance.now()
    if (now < restUntil && waiting.length < enough) {
      if (!resting) setTimeout(takeNextRested, restUntil - now)
      resting = true
      return false
    }
    restUntil = now + ms
    return true
  }

  function takeNextRested(): void {
    resting = false
    takeNext()
  }

  /** Who may not join keeps the place in the queue. Only so far back is anyone looked for, however many wait. */
  function takeBatch(): Waiting<A, B>[] {
    const joins = mayJoin()
    const batch: Waiting<A, B>[] = []
    const left: Waiting<A, B>[] = []
    let looked = 0
    while (looked < waiting.length && looked < most * 4 && batch.length < most) {
      const entry = waiting[looked++]!
      if (joins(entry.item) || batch.length === 0) batch.push(entry)
      else left.push(entry)
    }
    waiting = [...left, ...waiting.slice(looked)]
    return batch
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
