import { expect, it } from 'vitest'
import { storable } from './sender.ts'

it.each([
  ['ok', 'ok'],
  ['a\0b', 'a\ufffdb'],
  ['x'.repeat(5_000), 'x'.repeat(4_096)],
  ['é'.repeat(3_000), 'é'.repeat(2_048)],
  [`x${'😀'.repeat(2_000)}`, `x${'😀'.repeat(1_023)}`],
])('a response is stored up to 4 KB, without half a character', (given, stored) => {
  expect(storable(given)).toBe(stored)
})
