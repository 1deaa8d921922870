import { afterEach, describe, expect, it, vi } from 'vitest'
import { createBatcher, createPriorityLine, upToTotal } from './waiting.ts'

/** A batcher whose batches run until the test ends them, in the order in which they started. */
function openBatcher(options: Parameters<typeof createBatcher<number, number>>[1]) {
  const batches: number[][] = []
  const open: Array<() => void> = []
  const echo = createBatcher(async (items: number[]) => {
    batches.push(items)
    await new Promise<void>((resolve) => open.push(resolve))
    return items
  }, options)
  return { echo, batches, open }
}

describe('createBatcher', () => {
  afterEach(() => void vi.useRealTimers())

  it('runs the calls of one turn as a batch and returns each result to its caller', async () => {
    const batches: number[][] = []
    const double = createBatcher(
      async (items: number[]) => {
        batches.push(items)
        return items.map((n) => n * 2)
      },
      { batchMax: 10, concurrency: 1 },
    )
    expect(await Promise.all([double(1), double(2), double(3)])).toEqual([2, 4, 6])
    expect(batches).toEqual([[1, 2, 3]])
  })

  it('batches calls that arrive while a batch runs, up to the maximum size', async () => {
    const { echo, batches, open } = openBatcher({ batchMax: 2, concurrency: 1 })
    const first = echo(1)
    await new Promise((resolve) => setImmediate(resolve))
    const rest = [echo(2), echo(3), echo(4)]
    for (let turn = 0; turn < 20; turn++) {
      open.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await Promise.all([first, ...rest])).toEqual([1, 2, 3, 4])
    expect(batches).toEqual([[1], [2, 3], [4]])
  })

  it('starts a batch when no further item can arrive, however long it gathers', async () => {
    vi.useFakeTimers()
    let left = 3
    const options = { batchMax: 9, concurrency: 1, gatherMs: () => 1_000, isGathered: () => left === 0 }
    const { echo, batches, open } = openBatcher(options)
    const arrive = (item: number) => {
      left--
      return echo(item)
    }
    const calls = [arrive(1), arrive(2)]
    await vi.advanceTimersByTimeAsync(10)
    expect(batches).toEqual([])
    calls.push(arrive(3))
    await vi.advanceTimersByTimeAsync(1)
    expect(batches).toEqual([[1, 2, 3]])
    open.shift()!()
    await Promise.all(calls)
    left = 2
    void arrive(4)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(batches).toEqual([[1, 2, 3], [4]])
    open.shift()!()
  })

  it('starts a second batch beside a running one only if it is full or an item has waited for 20 ms', async () => {
    vi.useFakeTimers()
    const { echo, batches, open } = openBatcher({ batchMax: 3, concurrency: 3 })
    const calls = [echo(1)]
    await vi.advanceTimersByTimeAsync(5)
    calls.push(echo(2), echo(3))
    await vi.advanceTimersByTimeAsync(5)
    expect(batches).toEqual([[1]])
    calls.push(echo(4))
    await vi.advanceTimersByTimeAsync(5)
    expect(batches).toEqual([[1], [2, 3, 4]])
    calls.push(echo(5))
    await vi.advanceTimersByTimeAsync(19)
    expect(batches).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(3)
    expect(batches).toEqual([[1], [2, 3, 4], [5]])
    for (const end of open) end()
    expect(await Promise.all(calls)).toEqual([1, 2, 3, 4, 5])
  })

  it('lets no item wait longer than that, even if an earlier one was served before', async () => {
    vi.useFakeTimers()
    const { echo, batches, open } = openBatcher({ batchMax: 3, concurrency: 2 })
    const calls = [echo(1)]
    await vi.advanceTimersByTimeAsync(1)
    calls.push(echo(2))
    await vi.advanceTimersByTimeAsync(10)
    open.shift()!() // 2 is served next, and 3 waits for it
    await vi.advanceTimersByTimeAsync(1)
    calls.push(echo(3))
    await vi.advanceTimersByTimeAsync(22)
    expect(batches).toEqual([[1], [2], [3]])
    for (const end of open) end()
    await Promise.all(calls)
  })

  it('gathers items for as long as `gatherMs` says, also after another batch', async () => {
    vi.useFakeTimers()
    let ms = 5
    const { echo, batches, open } = openBatcher({ batchMax: 10, concurrency: 1, gatherMs: () => ms })
    const calls = [echo(1)]
    await vi.advanceTimersByTimeAsync(3)
    calls.push(echo(2))
    expect(batches).toEqual([])
    await vi.advanceTimersByTimeAsync(2)
    expect(batches).toEqual([[1, 2]])
    calls.push(echo(3))
    await vi.advanceTimersByTimeAsync(1)
    open.shift()!()
    await vi.advanceTimersByTimeAsync(1)
    calls.push(echo(4))
    expect(batches).toEqual([[1, 2]])
    await vi.advanceTimersByTimeAsync(3)
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ])
    open.shift()!()
    await vi.advanceTimersByTimeAsync(1)
    ms = 0
    calls.push(echo(5))
    await vi.advanceTimersByTimeAsync(0)
    expect(batches).toEqual([[1, 2], [3, 4], [5]])
    open.shift()!()
    expect(await Promise.all(calls)).toEqual([1, 2, 3, 4, 5])
  })

  it('fails only the calls of the failed batch', async () => {
    let calls = 0
    const flaky = createBatcher(
      async (items: number[]) => {
        if (calls++ === 0) throw new Error('first batch')
        return items
      },
      { batchMax: 1, concurrency: 1 },
    )
    const [first, second] = await Promise.allSettled([flaky(1), flaky(2)])
    expect(first.status).toBe('rejected')
    expect(second).toEqual({ status: 'fulfilled', value: 2 })
  })

  it("leaves items that can't join for a later batch, in their order", async () => {
    const batches: string[][] = []
    const noTwins = () => {
      const taken = new Set<string>()
      return (item: string) => !taken.has(item[0]!) && Boolean(taken.add(item[0]!))
    }
    const echo = createBatcher(
      async (items: string[]) => {
        batches.push(items)
        return items
      },
      { batchMax: 10, concurrency: 1, mayJoin: noTwins },
    )
    const items = ['a1', 'b1', 'a2', 'c1', 'a3', 'b2']
    expect(await Promise.all(items.map(echo))).toEqual(items)
    expect(batches).toEqual([['a1', 'b1', 'c1'], ['a2', 'b2'], ['a3']])
  })

  it("runs an item that can't join any other as a batch of one", async () => {
    const batches: number[][] = []
    const echo = createBatcher(
      async (items: number[]) => {
        batches.push(items)
        return items
      },
      { batchMax: 10, concurrency: 1, mayJoin: () => () => false },
    )
    expect(await Promise.all([echo(1), echo(2)])).toEqual([1, 2])
    expect(batches).toEqual([[1], [2]])
  })

  it('retries the items of a failed batch one by one, so that only the bad one fails', async () => {
    const refuseOdd = createBatcher(
      async (items: number[]) => {
        const odd = items.find((n) => n % 2 === 1)
        if (odd !== undefined) throw new Error(`${odd} is odd`)
        return items
      },
      { batchMax: 10, concurrency: 1, retryAlone: () => true },
    )
    const replies = await Promise.allSettled([2, 3, 4, 5].map(refuseOdd))
    expect(replies.map((reply) => (reply.status === 'fulfilled' ? reply.value : reply.reason.message))).toEqual([
      2,
      '3 is odd',
      4,
      '5 is odd',
    ])
  })

  it('does not retry items if the error is not worth a retry', async () => {
    let calls = 0
    const fail = createBatcher(
      async (_items: number[]): Promise<number[]> => {
        calls++
        throw new Error('away')
      },
      { batchMax: 10, concurrency: 1, retryAlone: (error) => (error as Error).message !== 'away' },
    )
    const replies = await Promise.allSettled([fail(1), fail(2)])
    expect(replies.map((reply) => reply.status)).toEqual(['rejected', 'rejected'])
    expect(calls).toBe(1)
  })

  it('limits the total size of a batch, except for a single item', async () => {
    const batches: number[][] = []
    const echo = createBatcher(
      async (items: number[]) => {
        batches.push(items)
        return items
      },
      { batchMax: 10, concurrency: 1, mayJoin: upToTotal(10, (size: number) => size) },
    )
    expect(await Promise.all([4, 6, 12, 3, 7, 8].map(echo))).toEqual([4, 6, 12, 3, 7, 8])
    expect(batches).toEqual([[4, 6], [12, 3, 7], [8]])
  })

  it('takes the most urgent items first, and items of the same priority in their order of arrival', async () => {
    const batches: string[][] = []
    const echo = createBatcher(
      async (items: string[]) => {
        batches.push(items)
        return items
      },
      { batchMax: () => 2, concurrency: 1, priorityOf: (item) => Number(item[0]) },
    )
    const items = ['2a', '2b', '0a', '2c', '1a', '0b']
    expect(await Promise.all(items.map(echo))).toEqual(items)
    expect(batches).toEqual([
      ['0a', '0b'],
      ['1a', '2a'],
      ['2b', '2c'],
    ])
  })
})

describe('a priority line', () => {
  it('serves the most urgent priority first, and items of the same priority first in, first out', () => {
    const line = createPriorityLine<string>()
    for (const [item, priority] of [
      ['campaign 1', 20],
      ['campaign 2', 20],
      ['urgent 1', 0],
      ['workflow', 10],
      ['urgent 2', 0],
    ] as const) {
      line.add(item, priority)
    }
    expect(line.nextPriority()).toBe(0)
    expect(line.takeAll()).toEqual(['urgent 1', 'urgent 2', 'workflow', 'campaign 1', 'campaign 2'])
    expect([line.size, line.nextPriority(), line.take()]).toEqual([0, undefined, undefined])
  })

  it('serves the owners of a priority in turn', () => {
    const line = createPriorityLine<string>()
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) line.add(item, 20, item[0]!)
    line.add('b0', 0, 'b')
    expect([line.take(), line.take(), line.take()]).toEqual(['b0', 'a1', 'b1'])
    line.add('d1', 20, 'd')
    expect(line.takeAll()).toEqual(['c1', 'a2', 'b2', 'd1', 'a3'])
  })
})
