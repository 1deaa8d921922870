import { describe, expect, it } from 'vitest'
import { createPriorityLine } from './priority-line.ts'

describe('a priority line', () => {
  it('serves the most urgent priority first, and equals first in, first out', () => {
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
