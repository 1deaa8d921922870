import { describe, expect, it } from 'vitest'
import { createLane, type Lane, type Leave } from './lane.ts'

const CAMPAIGN = 20
const URGENT = 0
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Records what has entered a lane, and leaves it by name. */
function open(lane: Lane) {
  const entered: string[] = []
  const leaving = new Map<string, Leave>()
  const enter = (name: string, priority: number, projectId = 'a') =>
    void lane.enter({ priority, projectId }).then((leave) => {
      entered.push(name)
      leaving.set(name, leave)
    })
  const leave = (name: string) => leaving.get(name)!()
  return { entered, enter, leave }
}

describe('a lane', () => {
  it('starts as much work as it has places, then the most urgent first', async () => {
    const { entered, enter, leave } = open(createLane({ places: 2 }))
    enter('first', CAMPAIGN)
    enter('second', CAMPAIGN)
    enter('third', CAMPAIGN)
    enter('urgent', URGENT)
    await settled()
    expect(entered).toEqual(['first', 'second'])
    leave('second')
    leave('second') // has no effect
    await settled()
    expect(entered).toEqual(['first', 'second', 'urgent'])
    leave('first')
    await settled()
    expect(entered).toEqual(['first', 'second', 'urgent', 'third'])
  })

  it('gives the next place to the project that uses the fewest', async () => {
    const { entered, enter, leave } = open(createLane({ places: 2 }))
    for (let i = 0; i < 4; i++) enter(`a${i}`, CAMPAIGN, 'a')
    for (let i = 0; i < 4; i++) enter(`b${i}`, CAMPAIGN, 'b')
    for (const name of ['a0', 'a1', 'b0', 'a2']) {
      await settled()
      leave(name)
    }
    await settled()
    expect(entered).toEqual(['a0', 'a1', 'b0', 'a2', 'b1', 'a3'])
  })

  it('never has more work than places if it has no share', async () => {
    const { entered, enter } = open(createLane({ places: 2 }))
    for (const project of ['a', 'a', 'a', 'b', 'c']) enter(project, CAMPAIGN, project)
    await settled()
    expect(entered).toEqual(['a', 'a'])
  })

  it('starts the share of other projects although one project uses all places, and none of its work ends', async () => {
    const { entered, enter } = open(createLane({ places: 20, share: 4 }))
    for (let i = 0; i < 500; i++) enter('hog', CAMPAIGN, 'hog')
    await settled()
    expect(entered).toHaveLength(20)
    for (const project of ['b', 'c', 'd']) enter(project, CAMPAIGN, project)
    await settled()
    expect(entered.slice(20)).toEqual(['b', 'c', 'd'])
  })

  it('starts urgent work at once if less urgent work does not count', async () => {
    const { entered, enter } = open(createLane({ places: 2, lessUrgentCounts: false }))
    for (let i = 0; i < 5; i++) enter(`campaign ${i}`, CAMPAIGN)
    for (let i = 0; i < 3; i++) enter(`urgent ${i}`, URGENT)
    await settled()
    expect(entered).toEqual(['campaign 0', 'campaign 1', 'urgent 0', 'urgent 1'])
  })

  it('starts work in groups, but does not wait for work that is not there', async () => {
    const { entered, enter, leave } = open(createLane({ places: 4, groupMin: () => 2 }))
    for (let i = 0; i < 7; i++) enter(`${i}`, CAMPAIGN)
    await settled()
    leave('0')
    await settled()
    expect(entered).toHaveLength(4)
    leave('1')
    await settled()
    expect(entered).toHaveLength(6)
    leave('2')
    await settled()
    expect(entered).toHaveLength(7) // the last one
  })

  it('asks for the number of places again when work enters or leaves', async () => {
    let places = 1
    const { entered, enter, leave } = open(createLane({ places: () => places }))
    for (const name of ['a', 'b', 'c', 'd']) enter(name, CAMPAIGN)
    await settled()
    places = 3
    leave('a')
    await settled()
    expect(entered).toEqual(['a', 'b', 'c', 'd'])
    places = 1
    leave('b')
    enter('e', CAMPAIGN)
    await settled()
    expect(entered).toHaveLength(4)
  })

  it('gives the place back after a failure, and runs other work that waits for it', async () => {
    const lane = createLane({ places: 1 })
    const failed = lane.run({ priority: 0 }, () => Promise.reject(new Error('refused')))
    const next = lane.run({ priority: 0 }, async () => 'sent')
    await expect(failed).rejects.toThrow('refused')
    expect(await next).toBe('sent')
    expect(lane.inUse()).toBe(0)
  })

  it('refuses what waits, and leaves alone what has a place', async () => {
    const lane = createLane({ places: 1 })
    let finish = () => {}
    const running = lane.run({ priority: 0 }, () => new Promise<string>((resolve) => (finish = () => resolve('done'))))
    const waiting = lane.run({ priority: 0 }, async () => 'never')
    await settled()
    lane.refuseWaiting(new Error('no server'))
    await expect(waiting).rejects.toThrow('no server')
    expect(lane.hasPlace()).toBe(false)
    finish()
    expect(await running).toBe('done')
    expect(lane.hasPlace()).toBe(true)
  })
})
