import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyDataRules } from './contact-data.ts'
import { Refusal } from './errors.ts'

describe('contact data', () => {
  it('is refused without being written if it is too large, and not by its size if it is only deep', () => {
    const code = (data: Record<string, unknown>) => {
      try {
        applyDataRules(data)
      } catch (error) {
        return (error as Refusal).extras.problems?.[0]
      }
    }
    const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)
    expect(code({ deep })).toMatchObject({ code: 'too_big', message: expect.stringContaining('levels') })
    expect(code({ text: 'é'.repeat(33_000) })).toMatchObject({ field: 'data', code: 'too_big' })
    expect(code({ list: Array.from({ length: 1_000_000 }, () => 1) })).toMatchObject({ field: 'data', code: 'too_big' })
    expect(code({ text: 'x'.repeat(65_000) })).toBeUndefined()
  })

  it('is separated into set, removed and transient values', () => {
    const change = applyDataRules({
      plan: 'pro',
      age: 41,
      vip: false,
      old: null,
      empty: '',
      code: { value: 'X', persistent: false },
      profile: { tier: 'gold', since: null, note: '' },
      tags: ['a', 'b'],
    })
    expect(change.patch).toEqual({
      plan: 'pro',
      age: 41,
      vip: false,
      profile: { tier: 'gold', since: null, note: '' },
      tags: ['a', 'b'],
    })
    expect(change.removed).toEqual(['old'])
    expect(change.visible).toEqual({ ...change.patch, code: 'X' })
  })

  it('accepts only {value, persistent: false} as a transient value', () => {
    const plain = { a: { value: 1 }, b: { value: 1, persistent: true } }
    expect(applyDataRules(plain).patch).toEqual(plain)
    expect(applyDataRules({ c: { value: null, persistent: false } })).toEqual({
      patch: {},
      removed: [],
      visible: {},
      sent: { c: null },
    })
    expect(applyDataRules({ c: { value: '', persistent: false } }).visible).toEqual({ c: '' })
  })

  it.each([
    'id',
    'email',
    'service_id',
    'plunk_email',
    'posthorn_id',
    'unsubscribeUrl',
    'manageUrl',
    'viewInBrowserUrl',
  ])('ignores the reserved name %s at the top level only', (name) => {
    expect(applyDataRules({ [name]: 'x', nested: { [name]: 'y' } }).patch).toEqual({ nested: { [name]: 'y' } })
  })

  it('drops prototype names at any depth', () => {
    const change = applyDataRules(
      JSON.parse('{"__proto__": {"a": 1}, "constructor": 1, "x": {"__proto__": 1, "prototype": 2, "y": 3}}'),
    )
    expect(change.patch).toEqual({ x: { y: 3 } })
    expect(Object.getPrototypeOf(change.patch.x)).toBe(Object.prototype)
  })

  it('is refused if it is too deep, too long or not a finite number', () => {
    let deep: unknown = 1
    for (let i = 0; i < 30; i++) deep = { deep }
    const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, i]))
    expect(Object.keys(applyDataRules(names(1_000)).patch)).toHaveLength(1_000)
    const many = [names(1_001), { a: names(500), b: [names(500)] }]
    for (const data of [{ deep }, { ['k'.repeat(256)]: 1 }, { n: Number.POSITIVE_INFINITY }, ...many]) {
      expect(() => applyDataRules(data)).toThrow(Refusal)
    }
  })

  it('is never refused with another error, and never stores null, empty text or reserved names at the top level', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
        const { patch } = applyDataRules(data as Record<string, unknown>)
        for (const [key, value] of Object.entries(patch)) {
          expect(value).not.toBeNull()
          expect(value).not.toBe('')
          expect(['id', 'email', '__proto__']).not.toContain(key)
        }
        expect(applyDataRules(patch).patch).toEqual(patch)
      }),
    )
  })
})
