import { describe, expect, it } from 'vitest'
import { fingerprintOf } from './request-fingerprint.ts'

const print = async (json: string) => (await fingerprintOf(JSON.parse(json))).toString('hex')

describe('the fingerprint of a body', () => {
  it('is the same for equal JSON', async () => {
    const a = '{"to": ["a", {"name": "x", "n": 1.0}], "data": null}'
    const b = '{ "data":null,"to":["a",{"n":1,"name":"x"}] }'
    expect(await print(a)).toBe(await print(b))
  })

  it.each([
    ['{"a": "1"}', '{"a": 1}'],
    ['["a", "b"]', '["b", "a"]'],
    ['["ab"]', '["a", "b"]'],
    ['[[], []]', '[[[]]]'],
    ['{"a": {"b": 1}}', '{"a": 1, "b": {}}'],
    ['{"a": null}', '{}'],
    ['[12, 3]', '[1, 23]'],
    ['""', '[]'],
  ])('differs for %s and %s', async (a, b) => {
    expect(await print(a)).not.toBe(await print(b))
  })

  it('includes every character of a long text', async () => {
    const long = 'é'.repeat(2_500_000)
    const prints = await Promise.all([long, `${long.slice(1)}e`, `${long}x`].map((text) => fingerprintOf({ text })))
    expect(new Set(prints.map((each) => each.toString('hex'))).size).toBe(3)
  })
})
