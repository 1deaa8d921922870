import { createRequire } from 'node:module'
import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { parseTimestamp } from './connect.ts'

/** The driver's own parser, which connect.ts replaces. */
const byDriver: (text: string) => unknown = createRequire(createRequire(import.meta.url).resolve('pg-types'))(
  'postgres-date',
)

const two = (n: number) => String(n).padStart(2, '0')

describe('parsing a timestamptz', () => {
  it.each([
    ['2026-11-15 17:45:03.123456+00', '2026-11-15T17:45:03.123Z'],
    ['2026-11-15 17:45:03.1+00', '2026-11-15T17:45:03.100Z'],
    ['2026-11-15 17:45:03.12+00', '2026-11-15T17:45:03.120Z'],
    ['2026-11-15 17:45:03+00', '2026-11-15T17:45:03.000Z'],
    ['2024-02-29 23:59:59.999999+00', '2024-02-29T23:59:59.999Z'],
    ['2026-11-15 17:45:03.5+05:30', '2026-11-15T12:15:03.500Z'],
    ['2026-11-15 17:45:03-03', '2026-11-15T20:45:03.000Z'],
    ['12026-11-15 17:45:03+00', '+012026-11-15T17:45:03.000Z'],
    ['12026-11-15 17:45:03.25+00', '+012026-11-15T17:45:03.250Z'],
    ['0099-01-01 00:00:00+00', '0099-01-01T00:00:00.000Z'],
  ])('%s gives %s', (text, expected) => {
    expect(parseTimestamp(text).toISOString()).toBe(expected)
  })

  it('is done in this way by every connection', () => {
    expect(pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)).toBe(parseTimestamp)
  })

  it.each(['infinity', '-infinity'])("%s gives the driver's result", (text) => {
    expect(parseTimestamp(text)).toEqual(byDriver(text))
  })

  it("gives the driver's result for random values", () => {
    const moment = fc.date({ min: new Date('0001-01-01'), max: new Date('+020000-01-01'), noInvalidDate: true })
    const fraction = fc.oneof(fc.constant(''), fc.stringMatching(/^\.[0-9]{0,5}[1-9]$/))
    const zone = fc.constantFrom('+00', '+00', '+05', '-11', '+05:45', '+00:01')
    fc.assert(
      fc.property(moment, fraction, zone, (date, rest, offset) => {
        const day = `${String(date.getUTCFullYear()).padStart(4, '0')}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
        const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
        const text = `${day} ${time}${rest}${offset}`
        expect(parseTimestamp(text)).toEqual(byDriver(text))
      }),
      { numRuns: 2_000 },
    )
  })
})
