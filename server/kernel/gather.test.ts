import { describe, expect, it } from 'vitest'
import { gather } from './gather.ts'

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
})
