import { expect, it } from 'vitest'
import { browserOf } from './browser-name.ts'

it.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36',
    'Chrome on Linux',
  ],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/147.0 Safari/537.36 Edg/147.0', 'Edge on Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19.0 Safari/604.1',
    'Safari on iOS',
  ],
  ['curl/8.1', 'curl'],
  [null, 'Unknown browser'],
])('browserOf(%s) returns "%s"', (userAgent, name) => {
  expect(browserOf(userAgent)).toBe(name)
})
