/**
 * Calls that arrive while others are in progress are answered together: one statement for many callers. A single call
 * waits only for the current turn of the event loop.
 */
interface Waiting<A, B> {
  item: A
  resolve(value: B): void
  reject(error: unknown): void
}

export interface GatherOptions<A> {
  /** The most items one call of `answerAll` gets; a function where it follows what is measured. */
  most: number | (() => number)
  /** How many calls of `answerAll` may run at once; while they run, further items gather. */
  atOnce: number
  /** Lower is taken first; the order of arrival if left out. */
  priorityOf?: (item: A) => number
  /** Begins a batch: returns for one item after the other whether it may join the batch. The first always may. */
  mayJoin?: () => (item: A) => boolean
  /** Whether the items of a batch that failed are retried one by one, so that one of them doesn't fail the others. */
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
  { most, atOnce, priorityOf, mayJoin = () => () => true, tryAlone = () => false }: GatherOptions<A>,
): (item: A) => Promise<B> {
  let waiting: Waiting<A, B>[] = []
  let running = 0
  let scheduled = false

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

  /** Not counted among the running ones: a slow one must not delay the others. */
  const answerAlone = (entry: Waiting<A, B>) => answer([entry]).catch(entry.reject)

  function takeNext(): void {
    while (waiting.length > 0 && running < atOnce) void run(takeBatch())
  }

  /** Items that may not join keep their place. Only the first ones are looked at, however many wait. */
  function takeBatch(): Waiting<A, B>[] {
    if (priorityOf) waiting.sort((a, b) => priorityOf(a.item) - priorityOf(b.item))
    const joins = mayJoin()
    const batchMax = typeof most === 'number' ? most : most()
    const batch: Waiting<A, B>[] = []
    const left: Waiting<A, B>[] = []
    let looked = 0
    while (looked < waiting.length && looked < batchMax * 4 && batch.length < batchMax) {
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
