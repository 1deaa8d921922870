import { describe, expect, it } from 'vitest'
import { createTracer, parseTraceparent, type SpanRecord } from './tracer.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

describe('parseTraceparent', () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, { traceId: TRACE, spanId: SPAN, isSampled: true }],
    [`00-${TRACE}-${SPAN}-00`, { traceId: TRACE, spanId: SPAN, isSampled: false }],
    [`00-${TRACE}-${SPAN}-03`, { traceId: TRACE, spanId: SPAN, isSampled: true }],
    [`cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`, { traceId: TRACE, spanId: SPAN, isSampled: true }],
    [`00-${TRACE}-${SPAN}-01-more`, undefined],
    [`ff-${TRACE}-${SPAN}-01`, undefined],
    [`00-${'0'.repeat(32)}-${SPAN}-01`, undefined],
    [`00-${TRACE}-${'0'.repeat(16)}-01`, undefined],
    [`00-${TRACE.toUpperCase()}-${SPAN}-01`, undefined],
    [`00-${TRACE}-${SPAN}`, undefined],
    ['', undefined],
  ])('%s', (text, expected) => {
    expect(parseTraceparent(text)).toEqual(expected)
  })
})

describe('a sampler', () => {
  const isSampled = (sampler: string, ratio: number, parent?: string) =>
    createTracer({ sampler, ratio }, () => {}).start('span', parent, {}).isSampled

  it.each([
    ['always_on', 0, '00', true],
    ['always_off', 1, '01', false],
    ['parentbased_always_on', 0, '00', false],
    ['parentbased_always_on', 0, undefined, true],
    ['parentbased_always_off', 1, '01', true],
    ['parentbased_always_off', 1, undefined, false],
    ['parentbased_traceidratio', 0, '01', true],
    ['parentbased_traceidratio', 1, undefined, true],
    ['parentbased_traceidratio', 0, undefined, false],
    ['traceidratio', 0, '01', false],
    ['traceidratio', 1, '00', true],
  ])('%s with %d and the flags %s of a parent records: %s', (sampler, ratio, flags, expected) => {
    expect(isSampled(sampler, ratio, flags && `00-${TRACE}-${SPAN}-${flags}`)).toBe(expected)
  })

  it('by ratio records about its share', () => {
    const tracer = createTracer({ sampler: 'traceidratio', ratio: 0.25 }, () => {})
    const sampled = Array.from({ length: 4_000 }, () => tracer.start('span', undefined, {})).filter(
      (span) => span.isSampled,
    )
    expect(sampled.length).toBeGreaterThan(800)
    expect(sampled.length).toBeLessThan(1_200)
  })
})

describe('a span', () => {
  it('is recorded once, with its last attributes, below its parent', () => {
    const ended: SpanRecord[] = []
    const tracer = createTracer({ sampler: 'always_on', ratio: 1 }, (span) => ended.push(span))
    const parent = tracer.start('parent', undefined, { kind: 'server' })
    const child = tracer.start('child', parent, { attributes: { attempt: 1 } })
    child.set({ attempt: 2 })
    child.fail('ETIMEDOUT')
    child.end()
    child.end()
    parent.end()
    expect(ended).toMatchObject([
      {
        name: 'child',
        traceId: parent.traceId,
        parentId: parent.traceparent.split('-')[2],
        failed: true,
        attributes: { attempt: 2, 'error.type': 'ETIMEDOUT' },
      },
      { name: 'parent', kind: 'server', parentId: undefined, failed: false },
    ])
  })

  it('is the current one in the work it runs, including what that waits for', async () => {
    const tracer = createTracer({ sampler: 'always_on', ratio: 1 }, () => {})
    const span = tracer.start('span', undefined, {})
    expect(tracer.current()).toBeUndefined()
    await tracer.run(span, async () => {
      await Promise.resolve()
      expect(tracer.current()).toBe(span)
    })
    expect(tracer.current()).toBeUndefined()
  })
})
