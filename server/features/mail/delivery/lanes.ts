/** The lanes of delivery: what emails of all projects wait for inside a process. Each serves the most urgent first. */
import { createLane, type LaneTurn } from '../../../kernel/flow/lane.ts'

/** How much work is claimed ahead. A goal for the delay of urgent email, the same on every machine. */
const AHEAD_MS = 100
/** How often the rate is measured. Each measurement counts half, so it follows a change within a few of them. */
const MEASURE_MS = 100
/** How long emails are rendered before anything else that this process has to do. A goal, the same on every machine. */
const RENDER_MS = 3
/** A mail server that takes no longer for an email is quick. Each email counts a sixteenth, so a single slow one changes little. */
const QUICK_MS = 5
/** The share of the emails that a process has claimed which a project can have however many the others have. */
const PROJECT_SHARE = 1 / 5

export type Lanes = ReturnType<typeof createLanes>

/** `parallel`: how many emails the transport sends at the same time. */
export function createLanes(parallel: number, now: () => number = () => performance.now()) {
  const rendering = createLane({ places: 1 })
  let perMs = 0
  let ended = 0
  let measuredAt = now()
  let renderingSince = 0
  let inTransit = 0
  let transitMs = QUICK_MS

  function measure(): void {
    ended++
    const elapsed = now() - measuredAt
    if (elapsed < MEASURE_MS) return
    perMs = (perMs + ended / elapsed) / 2
    ended = 0
    measuredAt = now()
  }

  /** At least one for each connection, so that none waits for the database. */
  const ahead = () => Math.max(parallel, Math.ceil(perMs * AHEAD_MS))
  const claimedMax = () => parallel + ahead()

  return {
    /**
     * Emails that are claimed and that the transport hasn't responded to. In addition to those that it is sending, only
     * what it can send within a tenth of a second, by the measured rate: enough that no connection waits for an email,
     * and few enough that an urgent one is served soon. They enter in groups, which share the statement that claims them: at
     * least one for each connection, because half of the cost of claiming twelve doesn't depend on how many they are.
     */
    claimed: createLane({
      places: claimedMax,
      share: Math.max(1, Math.floor(2 * parallel * PROJECT_SHARE)),
      lessUrgentCounts: false,
      groupMin: () => Math.max(ahead() / 2, parallel),
      onLeave: measure,
    }),
    /** How many emails of a priority are claimed at most. */
    claimedMax,

    /** From the start of an SMTP transaction until it is recorded: what is sent again if the process is killed. */
    sending: createLane({ places: parallel }),

    /** Runs in a place of the lane `sending`: the part of it until the transport responds. */
    async transit<T>(send: () => Promise<T>): Promise<T> {
      const startedAt = now()
      inTransit++
      try {
        return await send()
      } finally {
        inTransit--
        transitMs += (now() - startedAt - transitMs) / 16
      }
    },
    /** The number of emails that the transport hasn't responded to. */
    inTransit: () => inTransit,
    isQuick: () => transitMs <= QUICK_MS,

    /**
     * Emails that were claimed together are rendered for a few milliseconds in each turn of the event loop, so that
     * nothing else waits for all of them. One that takes longer, in a thread, doesn't delay the next.
     */
    async render<T>(turn: LaneTurn, render: () => Promise<T>): Promise<T> {
      const leave = await rendering.enter(turn)
      const nextTurn = setImmediate(() => {
        renderingSince = now()
        leave()
      })
      try {
        return await render()
      } finally {
        if (now() - renderingSince < RENDER_MS) {
          clearImmediate(nextTurn)
          leave()
        }
      }
    },
  }
}
