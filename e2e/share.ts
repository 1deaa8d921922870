/** Things that the test files of a process share, because opening them takes longer than most tests. */

/**
 * Between two browser tests, a process runs files of other kinds (test-order.ts). Opening a browser and a service again takes
 * as much processor time as some minutes in which nobody uses them.
 */
const CLOSE_AFTER_MS = 120_000

export interface Shared<T> {
  acquire(): Promise<T>
  release(): void
}

/** Opened for the first file that acquires it, and closed some time after the last one has released it. */
export function share<T>(open: () => Promise<T>, close: (opened: T) => Promise<unknown>): Shared<T> {
  let opened: Promise<T> | undefined
  let users = 0
  let closing: NodeJS.Timeout | undefined

  return {
    async acquire() {
      exitWhenTerminated()
      clearTimeout(closing)
      opened ??= open().catch((error) => {
        opened = undefined
        throw error
      })
      const result = await opened
      users++
      return result
    },
    release() {
      users--
      if (users > 0) return
      closing = setTimeout(() => {
        const result = opened
        opened = undefined
        void result?.then(close)
      }, CLOSE_AFTER_MS).unref()
    },
  }
}

let exits = false

/** At the end of a run its processes are terminated. Only a process that exits ends the programs it has started. */
function exitWhenTerminated(): void {
  if (exits) return
  exits = true
  process.once('SIGTERM', () => process.exit())
}
