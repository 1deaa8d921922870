import { describe, expect, it } from 'vitest'
import { createPrecedence } from './precedence.ts'

function open() {
  let finish = () => {}
  const ended = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { finish, work: () => ended }
}

describe('precedence', () => {
  it('lets everybody pass while few are going first', () => {
    const precedence = createPrecedence({ many: 2, mostMs: 60_000 })
    void precedence.goFirst(open().work)
    expect(precedence.giveWay()).toBeUndefined()
  })

  it('holds others back while many are, and lets all of them go when they are fewer', async () => {
    const precedence = createPrecedence({ many: 2, mostMs: 60_000 })
    const [one, two] = [open(), open()]
    const first = [precedence.goFirst(one.work), precedence.goFirst(two.work)]
    const held = [precedence.giveWay(), precedence.giveWay()]
    expect(held).toEqual([expect.any(Promise), expect.any(Promise)])
    one.finish()
    await Promise.all(held)
    expect(precedence.giveWay()).toBeUndefined()
    two.finish()
    await Promise.all(first)
  })

  it('holds nobody back for longer than it may', async () => {
    const precedence = createPrecedence({ many: 1, mostMs: 1 })
    void precedence.goFirst(open().work)
    await precedence.giveWay()
  })

  it('gives the answer on, and counts what failed as ended', async () => {
    const precedence = createPrecedence({ many: 1, mostMs: 60_000 })
    expect(await precedence.goFirst(async () => 7)).toBe(7)
    await expect(precedence.goFirst(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    expect(precedence.giveWay()).toBeUndefined()
  })
})
