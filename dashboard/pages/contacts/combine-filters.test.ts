import { expect, it } from 'vitest'
import { emptyCondition } from '../../conditions/condition.ts'
import { combineFilters } from './combine-filters.ts'

it('combineFilters adds the search and the subscription filter to the condition if they are set', () => {
  const condition = emptyCondition()
  expect(combineFilters(condition, '', '')).toBe(condition)
  expect(combineFilters(condition, 'ada', 'false')).toEqual({
    logic: 'AND',
    groups: [
      {
        filters: [
          { field: 'text', operator: 'contains', value: 'ada' },
          { field: 'subscribed', operator: 'equals', value: false },
        ],
        conditions: condition,
      },
    ],
  })
})

it('combineFilters searches addresses by address and everything else in all fields', () => {
  const fieldOf = (search: string) => combineFilters(undefined, search, '').groups[0]!.filters[0]!.field
  expect(fieldOf('ada@exam')).toBe('email')
  expect(fieldOf('Lovelace')).toBe('text')
  const words = combineFilters(undefined, ' Ada  Lovelace ', '').groups[0]!.filters
  expect(words.map(({ value }) => value)).toEqual(['Ada', 'Lovelace'])
})

it('combineFilters without any filter matches every contact', () => {
  expect(combineFilters(undefined, '', '').groups[0]!.filters).toEqual([
    { field: 'email', operator: 'contains', value: '' },
  ])
})
