/**
 * Items that wait to be served: the most urgent priority first, the owners within a priority in turn, and the items of
 * an owner first in, first out.
 */
export interface PriorityLine<T> {
  readonly size: number
  /** Lower is more urgent, as in the queue. Without owners a priority is a single queue. */
  add(item: T, priority: number, owner?: string): void
  take(): T | undefined
  /** Of the item that `take` would return. */
  nextPriority(): number | undefined
  takeAll(): T[]
}

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

  function take(): T | undefined {
    const owners = firstLevel()?.owners
    if (!owners) return undefined
    const [owner, items] = owners.entries().next().value!
    const item = items.shift()
    owners.delete(owner) // a map keeps the order in which keys were added, so the owner's next turn is the last one
    if (items.length > 0) owners.set(owner, items)
    size--
    return item
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
