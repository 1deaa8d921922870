import { expect, it } from 'vitest'
import { parseValue } from './document.ts'

it.each([
  ['10', 10],
  ['-1.5', -1.5],
  ['true', true],
  ['007', '007'],
  ['1.0', '1.0'],
  ['1.', '1.'],
  ['1e3', '1e3'],
  ['12345678901234567890', '12345678901234567890'],
  ['NaN', 'NaN'],
  ['Infinity', 'Infinity'],
  ['', ''],
])('the value "%s" of a condition is compared as %j', (typed, value) => {
  expect(parseValue(typed)).toBe(value)
})
