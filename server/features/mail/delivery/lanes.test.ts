import { describe, expect, it } from 'vitest'
import type { Leave } from '../../../kernel/flow/lane.ts'
import { createLanes } from './lanes.ts'

const CAMPAIGN = 20
const URGENT = 0

/** Lanes with their own clock, and the names of the emails that may be claimed. */
function open(parallel: number) {
  let time = 0
  const lanes = createLanes(parallel, () => time)
  const admitted: string[] = []
  const leaving: Leave[] = []
  const enter = (name: string, priority: number, projectId = 'a') =>
    void lanes.claimed.enter({ priority, projectId }).then((leave) => {
      admitted.push(name)
      leaving.push(leave)
    })
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
  return {
    lanes,
    admitted,
    enter,
    nextTurn,
    pass: (ms: number) => {
      time += ms
    },
    /** Sends this many emails, one every `ms`. */
    async send(count: number, ms: number): Promise<void> {
      for (let i = 0; i < count; i++) {
        time += ms
        leaving.shift()!()
        await nextTurn()
      }
    },
  }
}

describe('emails that are claimed', () => {
  it('are as many as the transport sends at once, and the measured work of 100 ms ahead', async () => {
    const { admitted, enter, send, nextTurn } = open(4)
    for (let i = 0; i < 500; i++) enter(`${i}`, CAMPAIGN)
    await nextTurn()
    expect(admitted).toHaveLength(8) // one ahead for each of the four
    await send(200, 5) // 200 a second: 20 in 100 ms
    expect(admitted.length - 200).toBeGreaterThanOrEqual(18)
    expect(admitted.length - 200).toBeLessThanOrEqual(24)
    await send(200, 50) // 20 a second
    expect(admitted.length - 400).toBeLessThanOrEqual(8)
  })

  it('include urgent ones at once, however many others are claimed or wait', async () => {
    const { admitted, enter, nextTurn } = open(2)
    for (let i = 0; i < 50; i++) enter(`campaign ${i}`, CAMPAIGN)
    enter('urgent 1', URGENT)
    enter('urgent 2', URGENT)
    await nextTurn()
    const campaign = [0, 1, 2, 3].map((i) => `campaign ${i}`)
    expect(admitted).toEqual([...campaign, 'urgent 1', 'urgent 2'])
  })

  it('include those of other projects although one project has as many as may be claimed, and none of them ends', async () => {
    const { admitted, enter, nextTurn } = open(10)
    for (let i = 0; i < 500; i++) enter(`hog ${i}`, CAMPAIGN, 'hog')
    await nextTurn()
    expect(admitted).toHaveLength(20)
    for (const project of ['a', 'b', 'c']) enter(project, CAMPAIGN, project)
    await nextTurn()
    expect(admitted.slice(20)).toEqual(['a', 'b', 'c'])
  })
})

describe('rendering', () => {
  it('takes a few milliseconds in each turn of the event loop, the most urgent email first', async () => {
    const { lanes, pass, nextTurn } = open(1)
    const rendered: string[] = []
    const render = (name: string, priority: number, ms: number) =>
      lanes.render({ priority, projectId: 'a' }, async () => {
        pass(ms)
        rendered.push(name)
      })
    for (let i = 1; i <= 6; i++) void render(`campaign ${i}`, CAMPAIGN, 1)
    await nextTurn()
    expect(rendered).toEqual(['campaign 1', 'campaign 2', 'campaign 3'])
    void render('urgent', URGENT, 10)
    await nextTurn()
    expect(rendered.slice(3)).toEqual(['urgent'])
    await nextTurn()
    expect(rendered.slice(4)).toEqual(['campaign 4', 'campaign 5', 'campaign 6'])
  })

  it('continues while a slow email is rendered in a thread, and reports an error only for the email that caused it', async () => {
    const { lanes, nextTurn } = open(1)
    const turn = { priority: CAMPAIGN, projectId: 'a' }
    const never = lanes.render(turn, () => new Promise(() => {}))
    const broken = lanes.render(turn, async () => Promise.reject(new Error('broken')))
    const fine = lanes.render(turn, async () => 'fine')
    await expect(broken).rejects.toThrow('broken')
    expect(await fine).toBe('fine')
    await nextTurn()
    expect(await lanes.render(turn, async () => 'later')).toBe('later')
    expect(await Promise.race([never, nextTurn()])).toBeUndefined()
  })
})
