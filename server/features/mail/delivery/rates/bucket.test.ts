import { describe, expect, it } from 'vitest'
import { type Bucket, EMPTY, type TokenRequest, takeTokens } from './bucket.ts'

const URGENT = 0
const CAMPAIGN = 20
const START = Date.UTC(2030, 0, 1)

/** A bucket that its requests change, with its own clock. The bucket is stored as JSON in between. */
function open(perSecond: number) {
  let bucket: Bucket = EMPTY
  let now = START
  function take(place: TokenRequest['place'] = 'new', { projectId = 'a', priority = URGENT, most = 1 } = {}) {
    const grant = takeTokens(bucket, { projectId, priority, place, most }, perSecond, now)
    bucket = JSON.parse(JSON.stringify(grant.bucket))
    return { tokens: grant.tokens, afterMs: grant.retryAt - START, place: grant.place }
  }
  const countOf = (times: number) => Array.from({ length: times }, () => take().tokens).filter((n) => n === 1).length
  return {
    take,
    countOf,
    pass: (ms: number) => {
      now += ms
    },
  }
}

describe('a token bucket', () => {
  it.each([1, 5, 14, 100])(
    'has %i tokens after any idle time if it gets as many a second, and then one at a time',
    (rate) => {
      const { take, countOf, pass } = open(rate)
      pass(3_600_000)
      expect(countOf(rate + 1)).toBe(rate)
      pass(1_000 / rate / 2)
      expect(take('slice').tokens).toBe(0)
      pass(1_000 / rate / 2)
      expect(take('slice').tokens).toBe(1)
      expect(take('slice').tokens).toBe(0)
    },
  )

  it('gives tokens at a rate below one per second', () => {
    const { take, pass } = open(0.5)
    expect(take().tokens).toBe(1)
    const { tokens, afterMs, place } = take()
    expect({ tokens, afterMs }).toEqual({ tokens: 0, afterMs: 2_000 })
    pass(2_000)
    expect(take(place).tokens).toBe(1)
  })

  it('gives as many tokens at a time as there are', () => {
    const { take } = open(10)
    expect(take('new', { most: 4 }).tokens).toBe(4)
    expect(take('new', { most: 100 }).tokens).toBe(6)
  })

  it('tells each of those who wait when its turn is, and nobody who comes later is served first', () => {
    const { take, countOf, pass } = open(5)
    countOf(5)
    const waiting = [take(), take(), take()]
    expect(waiting.map(({ afterMs }) => afterMs)).toEqual([200, 400, 600])
    pass(200)
    expect(take()).toMatchObject({ tokens: 0, afterMs: 800 })
    expect(take(waiting[1]!.place)).toMatchObject({ tokens: 0, afterMs: 400 })
    expect(take(waiting[0]!.place).tokens).toBe(1)
  })

  it('delays a whole line, in order, by the tokens that more urgent emails take', () => {
    const { take, countOf, pass } = open(5)
    const campaign = { priority: CAMPAIGN }
    countOf(5)
    const waiting = [take('new', campaign), take('new', campaign), take('new', campaign)]
    const urgent = take()
    expect(urgent.afterMs).toBe(200)
    pass(200)
    expect(take('slice', campaign).tokens).toBe(0)
    const first = take(waiting[0]!.place, campaign)
    expect(first).toMatchObject({ tokens: 0, afterMs: 700 }) // an urgent email may be late
    expect(take(urgent.place).tokens).toBe(1)
    expect(take(waiting[1]!.place, campaign)).toMatchObject({ tokens: 0, afterMs: 900 })
    expect(take(waiting[2]!.place, campaign)).toMatchObject({ tokens: 0, afterMs: 1_100 })
    pass(500)
    expect(take(first.place, campaign).tokens).toBe(1)
    pass(200)
    expect(take(waiting[1]!.place, campaign).tokens).toBe(1)
  })

  it('gives projects of the same priority tokens in turn, however many emails of each are waiting', () => {
    const { take, pass } = open(2)
    const ask = (projectId: string, place: TokenRequest['place'] = 'new') => take(place, { projectId })
    expect([ask('many').tokens, ask('many').tokens]).toEqual([1, 1])
    const many = Array.from({ length: 10 }, () => ask('many'))
    const few = [ask('few'), ask('few')]
    const served: string[] = []
    for (let turn = 0; turn < 8; turn++) {
      pass(500)
      for (const [projectId, places] of Object.entries({ many, few })) {
        if (places[0] && ask(projectId, places[0].place).tokens === 1) {
          served.push(projectId)
          places.shift()
        }
      }
    }
    expect(served.slice(0, 4).filter((projectId) => projectId === 'few')).toHaveLength(2)
    expect(served.length).toBeGreaterThanOrEqual(6)
  })

  it('retries slices one after the other, half a second apart', () => {
    const { take, countOf, pass } = open(5)
    countOf(5)
    expect([1, 2, 3].map(() => take('slice').afterMs)).toEqual([500, 1_000, 1_500])
    pass(500)
    expect(take('slice').tokens).toBe(1)
    expect(take('slice').tokens).toBe(1)
    expect(take('slice')).toMatchObject({ tokens: 0, afterMs: 2_000 })
  })

  it('does not wait for a line whose emails were canceled', () => {
    const { take, countOf, pass } = open(5)
    countOf(5)
    for (let i = 0; i < 1_000; i++) take()
    pass(1_300)
    expect(take('slice', { priority: CAMPAIGN }).tokens).toBe(0)
    pass(200)
    expect(take('slice', { priority: CAMPAIGN }).tokens).toBe(1)
    expect(take('slice', { priority: CAMPAIGN }).tokens).toBe(1)
  })

  it('continues after the clock was set back, within its rate', () => {
    const { take, countOf, pass } = open(2)
    countOf(2)
    const waiting = take()
    pass(-3_600_000)
    expect(countOf(3)).toBe(0)
    pass(500)
    expect(take(waiting.place).tokens).toBe(1)
    expect(take(waiting.place).tokens).toBe(0)
  })
})
