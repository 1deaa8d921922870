/** Undo and redo of a value. Steps with the same key, such as the letters of a word, are undone together. */

export interface History<T> {
  past: readonly T[]
  present: T
  future: readonly T[]
  key: string | undefined
  /** When the last step was recorded, in milliseconds. */
  at: number
}

const STEPS_MAX = 200
/** After a pause, typing starts a new step. */
const PAUSE_MS = 1_500

export const startHistory = <T>(present: T): History<T> => ({ past: [], present, future: [], key: undefined, at: 0 })

export function record<T>(history: History<T>, present: T, key: string | undefined, at: number): History<T> {
  if (present === history.present) return history
  const continues = key !== undefined && key === history.key && at - history.at < PAUSE_MS
  const past = continues ? history.past : [...history.past, history.present].slice(-STEPS_MAX)
  return { past, present, future: [], key, at }
}

export function undo<T>(history: History<T>): History<T> {
  const present = history.past.at(-1)
  if (present === undefined) return history
  const future = [history.present, ...history.future]
  return { past: history.past.slice(0, -1), present, future, key: undefined, at: 0 }
}

export function redo<T>(history: History<T>): History<T> {
  const [present, ...future] = history.future
  if (present === undefined) return history
  return { past: [...history.past, history.present], present, future, key: undefined, at: 0 }
}

/** What a key means: Ctrl or ⌘ with Z, Shift and Z, or Y. */
export function historyKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): 'undo' | 'redo' | undefined {
  if (!(ctrlKey || metaKey) || altKey) return undefined
  if (key.toLowerCase() === 'y') return 'redo'
  if (key.toLowerCase() === 'z') return shiftKey ? 'redo' : 'undo'
  return undefined
}
