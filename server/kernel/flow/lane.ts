/**
 * A lane has a number of places, which all projects share. Work that finds no free place waits: the most urgent is next,
 * and of the same priority the project that uses the fewest places (`createTurns`).
 */
import { createTurns, type Turns } from './turns.ts'

export interface LaneOptions {
  /** How many places there are; a function if that changes. It is called when work enters or leaves. */
  places: number | (() => number)
  /** How many places a project can use however many the others use, if necessary beyond `places`. None if absent. */
  share?: number
  /** Whether less urgent work counts against the places of more urgent work. */
  lessUrgentCounts?: boolean
  /** Unless all places are free, waiting work starts only if this many are free, so that it shares its statements. */
  groupMin?: () => number
  onLeave?: () => void
}

/** Whose work it is. What belongs to no project is one more owner. */
export interface LaneTurn {
  priority: number
  projectId?: string
}

/** Gives the place back. Calling it again has no effect. */
export type Leave = () => void

export interface Lane {
  /** Resolves when there is a place. */
  enter(turn: LaneTurn): Promise<Leave>
  /** In a place until the work ends, or until it calls `leave`. */
  run<T>(turn: LaneTurn, work: (leave: Leave) => Promise<T>): Promise<T>
  inUse(): number
  hasPlace(): boolean
  /** Whether any work waits for a place. */
  hasWaiting(): boolean
  /** Rejects all work that waits. */
  refuseWaiting(error: Error): void
}

interface Waiting {
  priority: number
  owner: string
  start(leave: Leave): void
  refuse(error: Error): void
}

export function createLane(options: LaneOptions): Lane {
  const { share = 0, lessUrgentCounts = true, groupMin = () => 1, onLeave } = options
  const places = typeof options.places === 'number' ? () => options.places as number : options.places
  const turns: Turns<Waiting> = createTurns({ slots: (priority) => places() + turns.inUse() - usedBy(priority), share })
  const usedByPriority = new Map<number, number>()

  /** How many places are in use that count for work of this priority. */
  function usedBy(priority: number): number {
    if (lessUrgentCounts) return turns.inUse()
    let used = 0
    for (const [other, count] of usedByPriority) if (other <= priority) used += count
    return used
  }

  const count = (priority: number, change: number) =>
    usedByPriority.set(priority, (usedByPriority.get(priority) ?? 0) + change)

  function startWaiting(): void {
    for (let priority = turns.nextPriority(); priority !== undefined; priority = turns.nextPriority()) {
      const used = usedBy(priority)
      let free = places() - used
      if (free <= 0 || (used > 0 && free < Math.min(turns.waiting, groupMin()))) break
      for (; free > 0 && turns.nextPriority() === priority; free--) startNext()
    }
    while (share > 0 && startNext('within-share')) {}
  }

  function startNext(only?: 'within-share'): boolean {
    const item = turns.take(only)?.item
    if (!item) return false
    const { priority, owner } = item
    count(priority, 1)
    let hasLeft = false
    item.start(() => {
      if (hasLeft) return
      hasLeft = true
      count(priority, -1)
      turns.release(owner)
      onLeave?.()
      startWaiting()
    })
    return true
  }

  function enter({ priority, projectId: owner = '' }: LaneTurn): Promise<Leave> {
    return new Promise((start, refuse) => {
      turns.add({ priority, owner, start, refuse }, owner, priority)
      startWaiting()
    })
  }

  return {
    enter,
    async run(turn, work) {
      const leave = await enter(turn)
      try {
        return await work(leave)
      } finally {
        leave()
      }
    },
    inUse: () => turns.inUse(),
    hasPlace: () => turns.inUse() < places(),
    hasWaiting: () => turns.waiting > 0,
    refuseWaiting(error) {
      for (const { refuse } of turns.takeAll()) refuse(error)
    },
  }
}
