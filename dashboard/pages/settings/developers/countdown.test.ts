import { expect, it } from 'vitest'
import { timeLeft } from './countdown.tsx'

it.each([
  [0, '0s'],
  [-5_000, '0s'],
  [59_000, '59s'],
  [60_000, '1m 0s'],
  [3_599_001, '1h 0m'],
  [86_399_000, '23h 59m'],
  [7 * 86_400_000, '7d 0h'],
])('%i ms are shown as %s', (ms, shown) => expect(timeLeft(ms)).toBe(shown))
