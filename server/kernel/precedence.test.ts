import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPrecedence, type Precedence } from './precedence.ts'

const EVERY_MS = 100
const OPTIONS = { many: 2, everyMs: EVERY_MS, few: 2 }

/** Work that goes first until it is told to end. */
function begin(precedence: Precedence): () => Promise<void> {
  let finish = () => {}
  const ended = new Promise<void>((resolve) => {
    finish = resolve
  })
  const answer = precedence.goFirst(() => ended)
  return () => {
    finish()
    return answer
  }
}

/** The names of those that went on, as they do. */
function line(precedence: Precedence) {
  const gone: string[] = []
  const join = (name: string, forMs: number) => void precedence.giveWay(forMs)!.then(() => gone.push(name))
  return { gone, join }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('precedence', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('holds nobody back while few are going first', () => {
    const precedence = createPrecedence(OPTIONS)
    void begin(precedence)
    expect(precedence.giveWay(1_000)).toBeUndefined()
  })

  it('lets a few go on at a time while many are going first, in the order they came', async () => {
    const precedence = createPrecedence(OPTIONS)
    void begin(precedence)
    void begin(precedence)
    const { gone, join } = line(precedence)
    for (const name of ['a', 'b', 'c', 'd', 'e']) join(name, 1_000)
    await pass(EVERY_MS - 1)
    expect(gone).toEqual([])
    await pass(1)
    expect(gone).toEqual(['a', 'b'])
    await pass(EVERY_MS)
    expect(gone).toEqual(['a', 'b', 'c', 'd'])
    await pass(EVERY_MS)
    expect(gone).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('holds nobody back for longer than they can wait', async () => {
    const precedence = createPrecedence(OPTIONS)
    void begin(precedence)
    void begin(precedence)
    const { gone, join } = line(precedence)
    for (const name of ['a', 'b', 'c', 'd']) join(name, 1_000)
    for (const name of ['late', 'later']) join(name, -5_000)
    join('soon', 2 * EVERY_MS)
    await pass(EVERY_MS)
    expect(gone).toEqual(['a', 'b', 'late', 'later'])
    await pass(EVERY_MS)
    expect(gone.slice(4)).toEqual(['c', 'd', 'soon'])
  })

  it('lets all go on once the way has been free for a moment', async () => {
    const precedence = createPrecedence(OPTIONS)
    const finish = [begin(precedence), begin(precedence)]
    const { gone, join } = line(precedence)
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) join(name, 1_000)
    await pass(EVERY_MS / 2)
    await Promise.all(finish.map((end) => end()))
    await pass(EVERY_MS / 2)
    expect(gone, 'the next wave may be on its way').toEqual(['a', 'b'])
    join('g', 1_000)
    await pass(EVERY_MS)
    expect(gone).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    expect(precedence.giveWay(1_000)).toBeUndefined()
  })

  it('gives answers and errors on, and counts what failed as ended', async () => {
    const precedence = createPrecedence({ ...OPTIONS, many: 1 })
    expect(await precedence.goFirst(async () => 7)).toBe(7)
    await expect(precedence.goFirst(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    await pass(EVERY_MS)
    expect(precedence.giveWay(1_000)).toBeUndefined()
  })
})
