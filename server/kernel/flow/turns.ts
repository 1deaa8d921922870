/**
 * Turns in a pool that projects or client networks share, so that none of them can use all of it while another waits:
 * the owner that uses the fewest slots is next. An owner that is alone can use every slot. So that the others don't wait
 * for its slots, those within their share get further ones, up to one share more than the pool has.
 */
import { createPriorityLine } from './waiting.ts'

export interface TurnsOptions {
  /** How many slots an owner may use if it is alone; a function if it depends on the priority. */
  slots: number | ((priority: number) => number)
  /** How many slots an owner may use however busy the others are. */
  share: number
}

export interface Turns<T> {
  /** How many items are waiting. */
  readonly waiting: number
  add(item: T, owner: string, priority?: number): void
  /**
   * The next item, whose slot is in use until `release`. Undefined if none may start now. With `within-share`, only of
   * owners within their share, and only if another has more than its own.
   */
  take(only?: 'within-share'): Turn<T> | undefined
  /** The priority of the item that `take` would return if there were slots. */
  nextPriority(): number | undefined
  /** All that are waiting. They use no slots. */
  takeAll(): T[]
  release(owner: string): void
  /** How many slots are in use: of all owners, or of one. */
  inUse(owner?: string): number
  waitingOf(owner: string): number
  /** Those that use slots or wait for one. */
  owners(): string[]
  /** How many items of this owner could start now if no others were waiting. */
  free(owner: string, priority?: number): number
}

export interface Turn<T> {
  item: T
  owner: string
}

export function createTurns<T>({ slots, share }: TurnsOptions): Turns<T> {
  const line = createPriorityLine<Turn<T>>()
  const used = new Map<string, number>()
  const waiting = new Map<string, number>()
  let total = 0
  /** Slots in use by owners beyond their share. */
  let beyond = 0
  const slotsFor = typeof slots === 'number' ? () => slots : slots
  const usedBy = (owner: string) => used.get(owner) ?? 0

  function count(owner: string, change: 1 | -1): void {
    const before = usedBy(owner)
    const after = before + change
    if (after > 0) used.set(owner, after)
    else used.delete(owner)
    total += change
    beyond += Math.max(0, after - share) - Math.max(0, before - share)
  }

  function free(owner: string, priority = 0): number {
    const further = usedBy(owner) < share ? Math.min(share, beyond) : 0
    return Math.max(0, slotsFor(priority) + further - total)
  }

  return {
    get waiting() {
      return line.size
    },
    add(item, owner, priority = 0) {
      line.add({ item, owner }, priority, owner)
      waiting.set(owner, (waiting.get(owner) ?? 0) + 1)
    },
    take(only) {
      if (only && beyond === 0) return undefined
      const turn = line.take((owner, priority) => {
        const rank = usedBy(owner)
        return free(owner, priority) > 0 && (!only || rank < share) ? rank : undefined
      })
      if (!turn) return undefined
      const left = waiting.get(turn.owner)! - 1
      if (left > 0) waiting.set(turn.owner, left)
      else waiting.delete(turn.owner)
      count(turn.owner, 1)
      return turn
    },
    nextPriority: () => line.nextPriority(),
    takeAll() {
      waiting.clear()
      return line.takeAll().map(({ item }) => item)
    },
    release: (owner) => count(owner, -1),
    inUse: (owner) => (owner === undefined ? total : usedBy(owner)),
    waitingOf: (owner) => waiting.get(owner) ?? 0,
    owners: () => [...new Set([...used.keys(), ...waiting.keys()])],
    free,
  }
}
