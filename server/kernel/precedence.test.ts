import { describe, expect, it } from 'vitest'
import { createPrecedence } from './precedence.ts'

/** Work that ends when it is told to. */
function open() {
  let finish = () => {}
  const ended = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { finish, work: () => ended }
}

describe('precedence', () => {
  it('holds nobody back while few are going first', () => {
    const precedence = createPrecedence({ many: 2, waitMs: 1 })
    void precedence.goFirst(open().work)
    expect(precedence.giveWay()).toBeUndefined()
  })

  it('holds others back while many are, but not for ever', async () => {
    const precedence = createPrecedence({ many: 2, waitMs: 1 })
    const callers = [open(), open()]
    const answers = callers.map(({ work }) => precedence.goFirst(work))
    const held = precedence.giveWay()
    expect(held).toBeInstanceOf(Promise)
    await held
    for (const { finish } of callers) finish()
    await Promise.all(answers)
    expect(precedence.giveWay()).toBeUndefined()
  })

  it('gives answers and errors on, and counts what failed as ended', async () => {
    const precedence = createPrecedence({ many: 1, waitMs: 1 })
    expect(await precedence.goFirst(async () => 7)).toBe(7)
    await expect(precedence.goFirst(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    expect(precedence.giveWay()).toBeUndefined()
  })
})
