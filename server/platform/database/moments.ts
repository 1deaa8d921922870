/**
 * Parses a `timestamptz`. Every row has two or three, and the driver's parser takes most of the time of reading a row;
 * the usual form is parsed digit by digit.
 */
import pg from 'pg'

/** `2026-11-15 17:45:03.123456+00`, with up to six digits of a second or none. */
const USUAL_LENGTH = { least: 22, most: 29 }
const POINT = 46
const ZERO = 48
const PLUS = 43

const readAnyMoment: (text: string) => Date = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)

/** Years before 1000 or after 9999, other time zones and infinity are left to the driver. */
export function readMoment(text: string): Date {
  const zone = text.length - 3
  if (!isUsual(text, zone)) return readAnyMoment(text)
  const year = digitPair(text, 0) * 100 + digitPair(text, 2)
  const day = Date.UTC(year, digitPair(text, 5) - 1, digitPair(text, 8))
  const seconds = digitPair(text, 11) * 3600 + digitPair(text, 14) * 60 + digitPair(text, 17)
  return new Date(day + seconds * 1000 + milliseconds(text, zone))
}

/** With a five-digit year, the separators are at other positions. */
const isUsual = (text: string, zone: number): boolean =>
  text.length >= USUAL_LENGTH.least &&
  text.length <= USUAL_LENGTH.most &&
  text.charCodeAt(0) !== ZERO &&
  text.charCodeAt(zone) === PLUS &&
  text.charCodeAt(zone + 1) === ZERO &&
  text.charCodeAt(zone + 2) === ZERO &&
  (zone === 19 || text.charCodeAt(19) === POINT)

const digit = (text: string, at: number): number => text.charCodeAt(at) - ZERO
const digitPair = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1)

/** PostgreSQL omits trailing zeros. */
const milliseconds = (text: string, zone: number): number =>
  (zone > 20 ? digit(text, 20) * 100 : 0) + (zone > 21 ? digit(text, 21) * 10 : 0) + (zone > 22 ? digit(text, 22) : 0)
