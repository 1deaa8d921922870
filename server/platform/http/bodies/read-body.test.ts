import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../kernel/errors.ts'
import { parseJsonBody } from './read-body.ts'

function refusalOf(text: string): Refusal {
  try {
    parseJsonBody(text)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('It was accepted.')
}

const HALF = String.raw`\ud83d`
const NUL = String.raw`\u0000`

describe('a JSON body', () => {
  it.each(['', ' ', '\r\n\t'])('is absent if it is blank (%j)', (text) => {
    expect(parseJsonBody(text)).toBeUndefined()
  })

  it('equals the result of JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        fc.pre(text.isWellFormed() && !/\\u(0000|d[89a-f])/i.test(text))
        expect(parseJsonBody(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it.each(['{', '{"a":}', "{'a': 1}", 'undefined', '[1,]', '{"a":1}}', '\u0000', '"a\u0000b"', 'a=b', '\ufeff{}'])(
    'is malformed if it is %j',
    (text) => {
      const { kind, code } = refusalOf(text)
      expect([kind, code]).toEqual(['bad-request', 'INVALID_REQUEST_BODY'])
    },
  )

  it.each([
    ['brackets', '['.repeat(60_000) + ']'.repeat(60_000)],
    ['keys', JSON.stringify(Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`key${i}`, i])))],
    ['items', JSON.stringify(Array.from({ length: 60_000 }, () => 1))],
    ['items after a text', JSON.stringify(['\\"', ...Array.from({ length: 60_000 }, () => 1)])],
  ])('is refused before it is parsed if it has too many %s', (_what, text) => {
    const { kind, code } = refusalOf(text)
    expect([kind, code]).toEqual(['too-large', 'PAYLOAD_TOO_LARGE'])
  })

  it('can contain a long text with any characters, and thousands of values', () => {
    const body = { text: '{"a":[1,2]}\\"'.repeat(20_000), items: Array.from({ length: 40_000 }, (_, i) => i) }
    expect(parseJsonBody(JSON.stringify(body))).toEqual(body)
  })

  it.each([
    [`"${NUL}"`, ''],
    [`{"a":"x${NUL}y"}`, 'a'],
    [`{"a":[1,{"b":"${NUL}"}]}`, 'a.1.b'],
  ])('is refused with the path if it has NUL in %s', (text, field) => {
    const { kind, extras } = refusalOf(text)
    expect(kind).toBe('invalid')
    expect(extras.problems).toMatchObject([{ field }])
  })

  it('is refused if it has NUL in a key at any depth', () => {
    expect(refusalOf(`{"a${NUL}b":1}`).kind).toBe('invalid')
    expect(refusalOf(`{"a":{"b":[{"${NUL}":1}]}}`).kind).toBe('invalid')
  })

  it('has lone surrogates replaced in values and keys, and pairs unchanged', () => {
    const whole = String.raw`\ud83d\ude00`
    const body = parseJsonBody(`{"a":"x${HALF}","k${HALF}":["\\ude00y"],"whole":"${whole}","W":"\\uD83D"}`)
    expect(body).toEqual({ a: 'x\ufffd', 'k\ufffd': ['\ufffdy'], whole: '😀', W: '\ufffd' })
    expect(JSON.stringify(body).isWellFormed()).toBe(true)
  })

  it('can contain an escaped backslash before u0000', () => {
    expect(parseJsonBody(String.raw`{"a":"C:\\u0000"}`)).toEqual({ a: String.raw`C:\u0000` })
  })

  it('keeps __proto__ as an ordinary key', () => {
    for (const text of ['{"__proto__":{"polluted":1}}', `{"__proto__":{"polluted":1},"x":"${HALF}"}`]) {
      const body = parseJsonBody(text) as Record<string, unknown>
      expect(Object.keys(body)).toContain('__proto__')
      expect(body.polluted).toBeUndefined()
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it.each([
    ['lists', `${'['.repeat(40_000)}"${HALF}"${']'.repeat(40_000)}`],
    ['objects', `${'{"a":'.repeat(10_000)}"${NUL}"${'}'.repeat(10_000)}`],
  ])('is refused without a stack overflow if it has endless %s', (_what, text) => {
    expect(refusalOf(text)).toMatchObject({ kind: 'invalid' })
  })
})
