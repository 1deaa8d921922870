import { expect, it } from 'vitest'
import { timeLeft } from './countdown.tsx'

it.each([
  [0, '0 s'],
  [-5_000, '0 s'],
  [59_000, '59 s'],
  [60_000, '1 min 0 s'],
  [3_599_001, '1 h 0 min'],
  [86_399_000, '23 h 59 min'],
  [7 * 86_400_000, '7 d 0 h'],
])('%i ms are shown as %s', (ms, shown) => expect(timeLeft(ms)).toBe(shown))
