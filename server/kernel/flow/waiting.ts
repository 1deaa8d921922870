/** Work that waits: concurrent calls that share a batch, and items that are served by priority. */
import { currentSpan, type Span, traceShared } from '../tracing.ts'

interface Waiting<A, B> {
  item: A
  since: number
  /** The span of the caller. */
  span: Span | undefined
  resolve(value: B): void
  reject(error: unknown): void
}

interface BatcherOptions<A> {
  /**
   * The maximum number of items per batch; a function if it depends on measurements. It only limits how long a batch
   * takes: its size follows from how many items arrive while the previous one runs, on any machine.
   */
  batchMax: number | (() => number)
  /**
   * How many batches may run at the same time. With more than one, a batch that waits for a lock doesn't stop the others.
   * Another one starts beside those that run only if as many items are waiting as fit into it, or if one has waited for
   * `patienceMs`: a few large batches cost much less than many small ones.
   */
  concurrency: number
  /** BATCH_WAIT_MS if absent. */
  patienceMs?: number
  /** How long an item waits for others, asked when it arrives and no other is waiting like that. The current turn if absent. */
  gatherMs?: () => number
  /** Whether no further item can arrive before one of these is done, so that waiting for others is of no use. Asked for each item. */
  isGathered?: () => boolean
  /** Lower runs first; the order of arrival if absent. */
  priorityOf?: (item: A) => number
  /** Called for each batch. The returned function decides for each item whether it can join; the first item always can. */
  mayJoin?: () => (item: A) => boolean
  /** Whether the items of a batch that failed are retried one by one, so that one of them doesn't fail the others. */
  retryAlone?: (error: unknown) => boolean
}

/**
 * How long an item waits for a running batch before another one starts, if there may be another. A goal for its delay, the
 * same on every machine.
 */
const BATCH_WAIT_MS = 20

/** For `mayJoin`: limits the total size of a batch. */
export const upToTotal =
  <A>(max: number, sizeOf: (item: A) => number) =>
  (): ((item: A) => boolean) => {
    let total = 0
    return (item) => {
      const fits = total + sizeOf(item) <= max
      if (fits) total += sizeOf(item)
      return fits
    }
  }

/**
 * Combines concurrent calls into batches, so that one statement serves many callers. Unless items are gathered for longer,
 * a single call is delayed only until the end of the current turn of the event loop. `runBatch` gets the items in order
 * and returns the results in the same order.
 */
export function createBatcher<A, B>(
  runBatch: (items: A[]) => Promise<B[]>,
  {
    batchMax,
    concurrency,
    patienceMs = BATCH_WAIT_MS,
    gatherMs = () => 0,
    isGathered = () => false,
    priorityOf,
    mayJoin = () => () => true,
    retryAlone = () => false,
  }: BatcherOptions<A>,
): (item: A) => Promise<B> {
  let waiting: Waiting<A, B>[] = []
  let running = 0
  let isStarting = false
  let gathering: NodeJS.Timeout | undefined
  let isPatient = false

  async function run(batch: Waiting<A, B>[]): Promise<void> {
    running++
    try {
      await resolveAll(batch)
    } catch (error) {
      if (batch.length > 1 && retryAlone(error)) for (const entry of batch) void runAlone(entry)
      else for (const entry of batch) entry.reject(error)
    } finally {
      running--
      startNext()
    }
  }

  async function resolveAll(batch: Waiting<A, B>[]): Promise<void> {
    const results = await traceShared(
      batch.map((entry) => entry.span),
      () => runBatch(batch.map((entry) => entry.item)),
    )
    batch.forEach((entry, i) => {
      entry.resolve(results[i]!)
    })
  }

  /** Not counted among the running ones: a slow one must not delay the others. */
  const runAlone = (entry: Waiting<A, B>) => resolveAll([entry]).catch(entry.reject)

  function startNext(): void {
    if (isStarting) return
    while (waiting.length > 0 && running < concurrency && (running === 0 || isWorthAnother())) void run(nextBatch())
    if (waiting.length > 0 && running > 0 && running < concurrency && !isPatient) {
      isPatient = true
      setTimeout(endWait, patienceMs - waitedMs() + 1)
    }
  }

  function endWait(): void {
    isPatient = false
    startNext()
  }

  function startFirst(): void {
    isStarting = false
    gathering = undefined
    startNext()
  }

  /** At the end of this turn of the event loop, in which others may arrive too, or after gathering. */
  function startSoon(): void {
    const ms = isGathered() ? 0 : isStarting ? undefined : gatherMs()
    if (ms === undefined || (isStarting && !gathering)) return
    isStarting = true
    clearTimeout(gathering)
    gathering = ms > 0 ? setTimeout(startFirst, ms) : undefined
    if (ms <= 0) setImmediate(startFirst)
  }

  const sizeMax = () => (typeof batchMax === 'number' ? batchMax : batchMax())
  const waitedMs = () => performance.now() - waiting[0]!.since
  const isWorthAnother = () => waiting.length >= sizeMax() || waitedMs() >= patienceMs

  /** Items that can't join keep their position. The search is limited, however many items are waiting. */
  function nextBatch(): Waiting<A, B>[] {
    if (priorityOf) waiting.sort((a, b) => priorityOf(a.item) - priorityOf(b.item))
    const joins = mayJoin()
    const size = sizeMax()
    const batch: Waiting<A, B>[] = []
    const skipped: Waiting<A, B>[] = []
    let examined = 0
    while (examined < waiting.length && examined < size * 4 && batch.length < size) {
      const entry = waiting[examined++]!
      if (joins(entry.item) || batch.length === 0) batch.push(entry)
      else skipped.push(entry)
    }
    waiting = [...skipped, ...waiting.slice(examined)]
    return batch
  }

  return (item) =>
    new Promise<B>((resolve, reject) => {
      waiting.push({ item, since: performance.now(), span: currentSpan(), resolve, reject })
      startSoon()
    })
}

/**
 * Items that wait to be served: the most urgent priority first, the owners within a priority in turn, and the items of
 * an owner first in, first out. `createTurns` also counts what each owner has in use.
 */
export interface PriorityLine<T> {
  readonly size: number
  /** Lower is more urgent, as in the queue. Without owners a priority is a single queue. */
  add(item: T, priority: number, owner?: string): void
  /**
   * The owner with the lowest rank, of those of the most urgent priority, is next. An owner without a rank can't be
   * served now.
   */
  take(rankOf?: RankOf): T | undefined
  /** The priority of the item that `take` would return. */
  nextPriority(): number | undefined
  takeAll(): T[]
}

export type RankOf = (owner: string, priority: number) => number | undefined

const ALL_ALIKE: RankOf = () => 0

export function createPriorityLine<T>(): PriorityLine<T> {
  /** Sorted by priority. A level stays when it is empty; there are only a few. */
  const levels: Array<{ priority: number; owners: Map<string, T[]> }> = []
  let size = 0

  function levelOf(priority: number) {
    const found = levels.find((level) => level.priority === priority)
    if (found) return found
    const level = { priority, owners: new Map<string, T[]>() }
    levels.push(level)
    levels.sort((a, b) => a.priority - b.priority)
    return level
  }

  const firstLevel = () => levels.find(({ owners }) => owners.size > 0)

  /** Whose turn it is at a level: the lowest rank, and of those the owner that has waited longest for a turn. */
  function ownerInTurn(level: { priority: number; owners: Map<string, T[]> }, rankOf: RankOf): string | undefined {
    let best: { owner: string; rank: number } | undefined
    for (const owner of level.owners.keys()) {
      const rank = rankOf(owner, level.priority)
      if (rank !== undefined && (!best || rank < best.rank)) best = { owner, rank }
      if (best?.rank === 0) break
    }
    return best?.owner
  }

  function take(rankOf = ALL_ALIKE): T | undefined {
    for (const level of levels) {
      const owner = ownerInTurn(level, rankOf)
      if (owner === undefined) continue
      const { owners } = level
      const items = owners.get(owner)!
      const item = items.shift()
      owners.delete(owner) // a map keeps the order in which keys were added, so the owner's next turn is the last one
      if (items.length > 0) owners.set(owner, items)
      size--
      return item
    }
    return undefined
  }

  return {
    get size() {
      return size
    },
    add(item, priority, owner = '') {
      const { owners } = levelOf(priority)
      const items = owners.get(owner)
      if (items) items.push(item)
      else owners.set(owner, [item])
      size++
    },
    take,
    nextPriority: () => firstLevel()?.priority,
    takeAll: () => Array.from({ length: size }, () => take()!),
  }
}
