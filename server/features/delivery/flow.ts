/**
 * How many emails a process has claimed at a time. Besides those that the transport can be sending, only what it is
 * going to send within a tenth of a second is claimed, by the rate that is measured: enough that no connection waits for
 * an email, and few enough that an urgent one is soon served. Less urgent emails don't count for more urgent ones, so
 * these are admitted at once.
 */
import { createPriorityLine } from '../../kernel/priority-line.ts'

/** How much work is claimed ahead. A goal for the delay of urgent email, the same on every machine. */
const AHEAD_MS = 100
/** How often the rate is measured. Each measurement counts half, so it follows a change within a few of them. */
const MEASURE_MS = 100
/** Emails are admitted a quarter of the limit at a time, so that they share the statement that claims them. */
const SHARE = 4
const BATCH_MIN = 10

export type Flow = ReturnType<typeof createFlow>

export function createFlow(parallel: number, now: () => number = () => performance.now()) {
  const waiting = createPriorityLine<() => void>()
  const admitted = new Map<number, number>()
  let perMs = 0
  let sent = 0
  let measuredAt = now()

  const limit = () => parallel + Math.ceil(perMs * AHEAD_MS)

  /** Those that are as urgent, or more. */
  function admittedUpTo(priority: number): number {
    let count = 0
    for (const [other, emails] of admitted) if (other <= priority) count += emails
    return count
  }

  const count = (priority: number, change: number) => admitted.set(priority, (admitted.get(priority) ?? 0) + change)

  function admit(): void {
    for (let priority = waiting.nextPriority(); priority !== undefined; priority = waiting.nextPriority()) {
      const before = admittedUpTo(priority)
      let room = limit() - before
      if (room <= 0 || (before > 0 && room < Math.min(waiting.size, limit() / SHARE))) return
      for (; room > 0 && waiting.nextPriority() === priority; room--) {
        count(priority, 1)
        waiting.take()!()
      }
    }
  }

  function measure(): void {
    const elapsed = now() - measuredAt
    if (elapsed < MEASURE_MS) return
    perMs = (perMs + sent / elapsed) / 2
    sent = 0
    measuredAt = now()
  }

  return {
    /** Resolves when the email may be claimed: by priority, and projects of the same priority in turn. */
    enter(priority: number, projectId: string): Promise<void> {
      return new Promise((resolve) => {
        waiting.add(resolve, priority, projectId)
        admit()
      })
    },
    /** The transport has responded, or the email isn't sent after all. */
    leave(priority: number): void {
      count(priority, -1)
      sent++
      measure()
      admit()
    },
    /** How many emails may share a statement: its result is rendered in one go, during which this process does nothing else. */
    batchMax: () => Math.max(BATCH_MIN, Math.ceil(limit() / SHARE)),
  }
}
