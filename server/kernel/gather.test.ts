import { describe, expect, it } from 'vitest'
import { gather, upToTotal } from './gather.ts'

describe('gather', () => {
  it('answers calls of one turn together, each with its own answer', async () => {
    const batches: number[][] = []
    const double = gather(
      async (items: number[]) => {
        batches.push(items)
        return items.map((n) => n * 2)
      },
      { most: 10, atOnce: 1 },
    )
    expect(await Promise.all([double(1), double(2), double(3)])).toEqual([2, 4, 6])
    expect(batches).toEqual([[1, 2, 3]])
  })

  it('gathers what arrives while a call runs, and never passes more than it may', async () => {
    const batches: number[][] = []
    const open: Array<() => void> = []
    const echo = gather(
      async (items: number[]) => {
        batches.push(items)
        await new Promise<void>((resolve) => open.push(resolve))
        return items
      },
      { most: 2, atOnce: 1 },
    )
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

  it('fails only the calls of the batch that failed', async () => {
    let calls = 0
    const flaky = gather(
      async (items: number[]) => {
        if (calls++ === 0) throw new Error('first batch')
        return items
      },
      { most: 1, atOnce: 1 },
    )
    const [first, second] = await Promise.allSettled([flaky(1), flaky(2)])
    expect(first.status).toBe('rejected')
    expect(second).toEqual({ status: 'fulfilled', value: 2 })
  })

  it('leaves who may not join for a later batch, and keeps the order of those who wait', async () => {
    const batches: string[][] = []
    const noTwins = () => {
      const taken = new Set<string>()
      return (item: string) => !taken.has(item[0]!) && Boolean(taken.add(item[0]!))
    }
    const echo = gather(
      async (items: string[]) => {
        batches.push(items)
        return items
      },
      { most: 10, atOnce: 1, mayJoin: noTwins },
    )
    const items = ['a1', 'b1', 'a2', 'c1', 'a3', 'b2']
    expect(await Promise.all(items.map(echo))).toEqual(items)
    expect(batches).toEqual([['a1', 'b1', 'c1'], ['a2', 'b2'], ['a3']])
  })

  it('takes an item that may join nobody by itself', async () => {
    const batches: number[][] = []
    const echo = gather(
      async (items: number[]) => {
        batches.push(items)
        return items
      },
      { most: 10, atOnce: 1, mayJoin: () => () => false },
    )
    expect(await Promise.all([echo(1), echo(2)])).toEqual([1, 2])
    expect(batches).toEqual([[1], [2]])
  })

  it('tries the items of a failed batch each by itself, so that only the one at fault fails', async () => {
    const refuseOdd = gather(
      async (items: number[]) => {
        const odd = items.find((n) => n % 2 === 1)
        if (odd !== undefined) throw new Error(`${odd} is odd`)
        return items
      },
      { most: 10, atOnce: 1, tryAlone: () => true },
    )
    const replies = await Promise.allSettled([2, 3, 4, 5].map(refuseOdd))
    expect(replies.map((reply) => (reply.status === 'fulfilled' ? reply.value : reply.reason.message))).toEqual([
      2,
      '3 is odd',
      4,
      '5 is odd',
    ])
  })

  it('does not try again what is not worth it', async () => {
    let calls = 0
    const fail = gather(
      async (_items: number[]): Promise<number[]> => {
        calls++
        throw new Error('away')
      },
      { most: 10, atOnce: 1, tryAlone: (error) => (error as Error).message !== 'away' },
    )
    const replies = await Promise.allSettled([fail(1), fail(2)])
    expect(replies.map((reply) => reply.status)).toEqual(['rejected', 'rejected'])
    expect(calls).toBe(1)
  })

  it('makes no batch larger than its total, except of one item', async () => {
    const batches: number[][] = []
    const echo = gather(
      async (items: number[]) => {
        batches.push(items)
        return items
      },
      { most: 10, atOnce: 1, mayJoin: upToTotal(10, (size: number) => size) },
    )
    expect(await Promise.all([4, 6, 12, 3, 7, 8].map(echo))).toEqual([4, 6, 12, 3, 7, 8])
    expect(batches).toEqual([[4, 6], [12, 3, 7], [8]])
  })

  it('takes the most urgent items first, equals in the order of their arrival', async () => {
    const batches: string[][] = []
    const echo = gather(
      async (items: string[]) => {
        batches.push(items)
        return items
      },
      { most: () => 2, atOnce: 1, priorityOf: (item) => Number(item[0]) },
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
