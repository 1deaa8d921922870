import { afterAll, describe, expect, it } from 'vitest'
import { createLongBodies } from './long-bodies.ts'

const bodies = createLongBodies()
afterAll(() => bodies.close())

const parse = (text: string, owner = 'one') => bodies.parse(owner, Buffer.from(text))

describe('a long body', () => {
  it('is parsed like a short one', async () => {
    const text = `{"a":"${'\\u00e9'.repeat(100_000)}","b":[1,null,{"__proto__":{"c":true}}],"half":"\\ud83d","ü":"ü"}`
    const body = await parse(text)
    expect(body).toEqual({ ...JSON.parse(text), half: '\ufffd' })
    expect(await parse('  ')).toBeUndefined()
  })

  it.each([
    ['is not JSON', '{', { code: 'INVALID_REQUEST_BODY' }],
    ['has NUL', '{"a":"\\u0000"}', { extras: { problems: [{ field: 'a' }] } }],
    ['has too many values', '[1,'.repeat(60_000), { code: 'PAYLOAD_TOO_LARGE' }],
    ['is nested too deeply', `${'['.repeat(1_001)}${']'.repeat(1_001)}`, { code: 'PAYLOAD_TOO_LARGE' }],
  ])('is refused like a short one if it %s, and the next one is parsed', async (_what, text, refusal) => {
    const [first, second] = await Promise.allSettled([parse(text), parse('[1]')])
    expect(first).toMatchObject({ status: 'rejected', reason: refusal })
    expect(second).toEqual({ status: 'fulfilled', value: [1] })
  })

  it('does not wait for the many bodies of another owner', async () => {
    const order: string[] = []
    const long = `["${'\\n'.repeat(2_000_000)}"]`
    const work = Array.from({ length: 12 }, async () => {
      await parse(long, 'many')
      order.push('many')
    })
    await parse('[]', 'other')
    order.push('other')
    await Promise.all(work)
    expect(order.indexOf('other')).toBeLessThan(6)
  })
})
