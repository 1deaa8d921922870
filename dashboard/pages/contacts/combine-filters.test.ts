import { expect, it } from 'vitest'
import { emptyCondition } from '../../parts/condition.ts'
import { combineFilters } from './combine-filters.ts'

it('combineFilters adds the search and the subscription filter to the condition if they are set', () => {
  const condition = emptyCondition()
  expect(combineFilters(condition, '', '')).toBe(condition)
  expect(combineFilters(condition, 'ada', 'false')).toEqual({
    logic: 'AND',
    groups: [
      {
        filters: [
          { field: 'email', operator: 'contains', value: 'ada' },
          { field: 'subscribed', operator: 'equals', value: false },
        ],
        conditions: condition,
      },
    ],
  })
})
