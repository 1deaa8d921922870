import { expect, it } from 'vitest'
import { emptyCondition } from '../../parts/condition.ts'
import { narrowed } from './narrowed.ts'

it('adds what the tools say to the condition, and nothing where they say nothing', () => {
  const where = emptyCondition()
  expect(narrowed(where, '', '')).toBe(where)
  expect(narrowed(where, 'ada', 'false')).toEqual({
    logic: 'AND',
    groups: [
      {
        filters: [
          { field: 'email', operator: 'contains', value: 'ada' },
          { field: 'subscribed', operator: 'equals', value: false },
        ],
        conditions: where,
      },
    ],
  })
})
