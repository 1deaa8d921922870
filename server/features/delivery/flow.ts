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
/** How long emails are rendered before anything else that this process has to do. */
const TURN_MS = 3

export type Flow = ReturnType<typeof createFlow>

export function createFlow(parallel: number, now: () => number = () => performance.now()) {
  const waiting = createPriorityLine<() => void>()
  const toRender = createPriorityLine<() => Promise<void>>()
  const admitted = new Map<number, number>()
  let isRendering = false
  let turnStartedAt = 0
  let perMs = 0
  let sent = 0
  let measuredAt = now()

  /** At least one for each connection, so that none waits for the database. */
  const ahead = () => Math.max(parallel, Math.ceil(perMs * AHEAD_MS))
  const limit = () => parallel + ahead()
  /** Emails are admitted so many at a time, because they share the statement that claims them. */
  const batch = () => Math.max(ahead() / 2, limit() / 4)

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
      if (room <= 0 || (before > 0 && room < Math.min(waiting.size, batch()))) return
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

  /** The next one follows at once if there is time left in this turn of the event loop, otherwise in the next turn. */
  function renderNext(): void {
    const render = toRender.take()
    if (!render) return
    const next = toRender.size > 0 ? setImmediate(startTurn) : undefined // unless it ends in this turn
    isRendering = next !== undefined
    void render().then(() => {
      if (!next || now() - turnStartedAt >= TURN_MS) return
      clearImmediate(next)
      renderNext()
    })
  }

  function startTurn(): void {
    turnStartedAt = now()
    renderNext()
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
    /** Emails that were claimed together are rendered a few at a time, so that nothing else waits for all of them. */
    renderInTurn<T>(priority: number, render: () => Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        toRender.add(() => render().then(resolve, reject), priority)
        if (!isRendering) setImmediate(startTurn)
        isRendering = true
      })
    },
    /** How many emails of a priority are admitted at most. */
    limit,
  }
}
