import { describe, expect, it } from 'vitest'
import { copyName } from './actions.ts'

describe('the name of a copy', () => {
  it.each([
    ['Welcome', 'Welcome (Copy)'],
    ['Mai (Copy)', 'Mai (Copy) (Copy)'],
    ['x'.repeat(13), `${'x'.repeat(13)} (Copy)`],
    ['x'.repeat(14), `${'x'.repeat(13)} (Copy)`],
    ['x'.repeat(20), `${'x'.repeat(13)} (Copy)`],
    [`${'x'.repeat(12)}😀x`, `${'x'.repeat(12)} (Copy)`],
    [`${'x'.repeat(11)}😀x`, `${'x'.repeat(11)}😀 (Copy)`],
  ])('is made from the name, with a limit of 20 characters: %j becomes %j', (name, copy) => {
    expect(copyName(name, 20)).toBe(copy)
    expect(copyName(name, 20).isWellFormed()).toBe(true)
  })
})
