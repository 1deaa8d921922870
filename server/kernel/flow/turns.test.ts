import { describe, expect, it } from 'vitest'
import { createTurns, type Turns } from './turns.ts'

/** Starts what may start, and returns it. */
function start(turns: Turns<string>): string[] {
  const started: string[] = []
  for (let turn = turns.take(); turn; turn = turns.take()) started.push(turn.item)
  return started
}

const addAll = (turns: Turns<string>, ...items: string[]) => {
  for (const item of items) turns.add(item, item[0]!)
}

describe('turns in a pool', () => {
  it('an owner that is alone uses every slot', () => {
    const turns = createTurns<string>({ slots: 4, share: 1 })
    addAll(turns, 'a1', 'a2', 'a3', 'a4', 'a5')
    expect(start(turns)).toEqual(['a1', 'a2', 'a3', 'a4'])
    turns.release('a')
    expect(start(turns)).toEqual(['a5'])
  })

  it('another owner does not wait for those slots, up to its share', () => {
    const turns = createTurns<string>({ slots: 4, share: 2 })
    addAll(turns, 'a1', 'a2', 'a3', 'a4', 'a5')
    start(turns)
    addAll(turns, 'b1', 'b2', 'b3')
    expect(start(turns)).toEqual(['b1', 'b2'])
    expect([turns.inUse(), turns.inUse('a'), turns.inUse('b'), turns.waiting]).toEqual([6, 4, 2, 2])
  })

  it('while others wait, the owner with the fewest slots is next, until all have as many', () => {
    const turns = createTurns<string>({ slots: 4, share: 1 })
    addAll(turns, 'a1', 'a2', 'a3', 'a4', 'a5', 'a6')
    start(turns)
    addAll(turns, 'b1', 'b2', 'b3', 'b4')
    expect(start(turns)).toEqual(['b1'])
    turns.release('a') // it had four of the four slots, and b has one more
    expect(start(turns)).toEqual([])
    turns.release('a')
    expect(start(turns)).toEqual(['b2'])
    turns.release('a')
    expect(start(turns)).toEqual(['a5'])
  })

  it('owners within their share never use more than the pool has', () => {
    const turns = createTurns<string>({ slots: 2, share: 1 })
    addAll(turns, 'a1', 'b1', 'c1', 'd1')
    expect(start(turns)).toEqual(['a1', 'b1'])
    turns.release('a')
    expect(start(turns)).toEqual(['c1'])
  })

  it('an owner with a hundred thousand items waiting delays none of a thousand others by more than one turn', () => {
    const turns = createTurns<string>({ slots: 10, share: 2 })
    for (let i = 0; i < 100_000; i++) turns.add('hog', 'hog')
    start(turns)
    let waited = 0
    for (let i = 0; i < 1_000; i++) {
      turns.add('other', `other ${i}`)
      while (turns.inUse(`other ${i}`) === 0) {
        const turn = turns.take()
        if (turn) continue
        turns.release('hog')
        waited++
      }
      turns.release(`other ${i}`)
    }
    expect(waited).toBe(0)
  })

  it('more urgent items go first, and those of another owner are not held up if they cannot start', () => {
    const turns = createTurns<string>({ slots: (priority) => (priority === 0 ? 2 : 1), share: 1 })
    turns.add('a late', 'a', 1)
    turns.add('a urgent', 'a', 0)
    turns.add('a urgent too', 'a', 0)
    turns.add('a urgent as well', 'a', 0)
    expect(start(turns)).toEqual(['a urgent', 'a urgent too'])
    turns.add('b late', 'b', 1)
    expect(start(turns)).toEqual([])
    turns.release('a')
    expect(start(turns)).toEqual(['a urgent as well'])
  })

  it('everything that waits can be taken at once, and uses no slots', () => {
    const turns = createTurns<string>({ slots: 1, share: 1 })
    addAll(turns, 'a1', 'a2', 'b1')
    start(turns)
    expect(turns.takeAll()).toHaveLength(2)
    expect([turns.waiting, turns.inUse()]).toEqual([0, 1])
  })
})
