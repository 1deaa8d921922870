import { expect, it } from 'vitest'
import { lastInTurn, ownerOf } from './claim.ts'

it('the last of the owners that had a turn is the one before which the order began', () => {
  expect(lastInTurn(['c', 'b', 'd'], '')).toBe('d')
  expect(lastInTurn(['c', 'd'], 'b')).toBe('d')
  expect(lastInTurn(['d', 'a', 'b'], 'c')).toBe('b')
  expect(lastInTurn([], 'c')).toBe('c')
})

it('a job of no project has an owner of its own', () => {
  expect(ownerOf({ payload: { projectId: 'a' } })).toBe('a')
  expect([ownerOf({ payload: {} }), ownerOf({ payload: null })]).toEqual(['-', '-'])
})
