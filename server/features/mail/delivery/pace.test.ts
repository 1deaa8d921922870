import { describe, expect, it } from 'vitest'
import { createFlow } from './pace.ts'

const CAMPAIGN = 20
const URGENT = 0

/** A flow with its own clock, and the names of the emails it has admitted. */
function open(parallel: number) {
  let time = 0
  const flow = createFlow(parallel, () => time)
  const admitted: string[] = []
  const enter = (name: string, priority: number, project = 'a') =>
    void flow.enter(priority, project).then(() => admitted.push(name))
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
  return {
    flow,
    admitted,
    enter,
    nextTurn,
    pass: (ms: number) => {
      time += ms
    },
    /** Sends this many emails of a campaign, one every `ms`. */
    async send(count: number, ms: number): Promise<void> {
      for (let i = 0; i < count; i++) {
        time += ms
        flow.leave(CAMPAIGN, 'a')
        await nextTurn()
      }
    },
  }
}

describe('the flow of deliveries', () => {
  it('admits as many emails as the transport sends at once, and the measured work of 100 ms ahead', async () => {
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

  it('admits urgent emails at once, however many others are admitted or wait', async () => {
    const { admitted, enter, nextTurn } = open(2)
    for (let i = 0; i < 50; i++) enter(`campaign ${i}`, CAMPAIGN)
    enter('urgent 1', URGENT)
    enter('urgent 2', URGENT)
    await nextTurn()
    const campaign = [0, 1, 2, 3].map((i) => `campaign ${i}`)
    expect(admitted).toEqual([...campaign, 'urgent 1', 'urgent 2'])
  })

  it('lets projects of the same priority take turns', async () => {
    const { flow, admitted, enter, nextTurn } = open(1)
    for (let i = 0; i < 5; i++) enter(`a${i}`, CAMPAIGN, 'a')
    for (let i = 0; i < 5; i++) enter(`b${i}`, CAMPAIGN, 'b')
    for (const project of ['a', 'a', 'b', 'a']) {
      flow.leave(CAMPAIGN, project)
      await nextTurn()
    }
    expect(admitted.slice(0, 6)).toEqual(['a0', 'a1', 'b0', 'a2', 'b1', 'a3'])
  })

  it('admits emails of other projects although one project has as many as may be admitted, and none of them ends', async () => {
    const { admitted, enter, nextTurn } = open(10)
    for (let i = 0; i < 500; i++) enter(`hog ${i}`, CAMPAIGN, 'hog')
    await nextTurn()
    expect(admitted).toHaveLength(20)
    for (const project of ['a', 'b', 'c']) enter(project, CAMPAIGN, project)
    await nextTurn()
    expect(admitted.slice(20)).toEqual(['a', 'b', 'c'])
  })

  it('renders for a few milliseconds in each turn of the event loop, the most urgent first', async () => {
    const { flow, pass, nextTurn } = open(1)
    const rendered: string[] = []
    const render = (name: string, priority: number, ms: number) =>
      flow.renderInTurn(priority, 'a', async () => {
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

  it('renders other emails while a slow one is rendered in a thread, and reports an error only for the email that caused it', async () => {
    const { flow, nextTurn } = open(1)
    const never = flow.renderInTurn(CAMPAIGN, 'a', () => new Promise(() => {}))
    const broken = flow.renderInTurn(CAMPAIGN, 'a', async () => Promise.reject(new Error('broken')))
    const fine = flow.renderInTurn(CAMPAIGN, 'a', async () => 'fine')
    await expect(broken).rejects.toThrow('broken')
    expect(await fine).toBe('fine')
    await nextTurn()
    expect(await flow.renderInTurn(CAMPAIGN, 'a', async () => 'later')).toBe('later')
    expect(await Promise.race([never, nextTurn()])).toBeUndefined()
  })
})
