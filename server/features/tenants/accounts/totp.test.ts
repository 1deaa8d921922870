import { describe, expect, it } from 'vitest'
import { newRecoveryCodes, newSecret, normalizeRecoveryCode, otpauthUrl, stepOfCode } from './totp.ts'

/** The secret of RFC 6238, appendix B: "12345678901234567890". */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const at = (seconds: number) => new Date(seconds * 1000)

describe('a TOTP code', () => {
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1234567890, '005924'],
    [20000000000, '353130'],
  ])('at second %d matches the test vectors of RFC 6238', (second, code) => {
    expect(stepOfCode(RFC_SECRET, code, at(second))).toBe(Math.floor(second / 30))
  })

  it('is valid one step early and late, and returns its own step', () => {
    const seconds = [1111111049, 1111111050, 1111111139, 1111111140]
    const step = Math.floor(1111111109 / 30)
    const expected = [undefined, step, step, undefined]
    expect(seconds.map((second) => stepOfCode(RFC_SECRET, '081804', at(second)))).toEqual(expected)
  })

  it.each(['', '12345', '1234567', 'abcdef', '12345６', '-12345', '1e1000'])('is invalid if it is %j', (text) => {
    expect(stepOfCode(RFC_SECRET, text, at(59))).toBeUndefined()
  })

  it('is valid if it is typed with a space', () => {
    expect(stepOfCode(RFC_SECRET, '287 082 ', at(59))).toBe(1)
  })
})

describe('a TOTP secret', () => {
  it('has 160 bits, is random, and is part of the otpauth URL', () => {
    const secret = newSecret()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(newSecret()).not.toBe(secret)
    const url = new URL(otpauthUrl(secret, 'ada@example.org'))
    expect(url.protocol).toBe('otpauth:')
    expect(decodeURIComponent(url.pathname)).toContain('Posthorn:ada@example.org')
    expect(url.searchParams.get('secret')).toBe(secret)
  })
})

describe('recovery codes', () => {
  it('are ten different codes that are easy to read', () => {
    const codes = newRecoveryCodes()
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){3}$/)
  })

  it('are normalized before they are compared', () => {
    expect(normalizeRecoveryCode(' ABCD-efgh jkmn2345')).toBe(normalizeRecoveryCode('abcd-efgh-jkmn-2345'))
  })
})
