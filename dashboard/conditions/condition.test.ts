import { describe, expect, it } from 'vitest'
import {
  type Condition,
  countFilters,
  emptyCondition,
  type Filter,
  isComplete,
  newFilter,
  operatorsFor,
  parseCondition,
  propertyOperators,
  withOperator,
} from './condition.ts'

describe('operatorsFor', () => {
  it('depends on the kind of field, and for custom fields on the type of their values', () => {
    expect(operatorsFor('subscribed', 'boolean')).toEqual(['equals', 'notEquals'])
    expect(operatorsFor('event.signed-up', undefined)).toContain('triggeredWithin')
    expect(operatorsFor('email.opened', undefined)).toContain('notTriggered')
    expect(operatorsFor('segment.1', undefined)).toEqual(['memberOfSegment', 'notMemberOfSegment'])
    expect(operatorsFor('data.age', 'number')).toContain('greaterThan')
    expect(operatorsFor('data.age', 'number')).not.toContain('contains')
    expect(operatorsFor('data.unheard-of', undefined)).toEqual(expect.arrayContaining(['contains', 'within']))
  })

  it('returns comparisons for the data of the trigger event', () => {
    expect(operatorsFor('event.data.total', 'number')).toContain('greaterThan')
  })
})

describe('a filter', () => {
  it('starts with default values', () => {
    expect(newFilter('subscribed', 'boolean')).toEqual({ field: 'subscribed', operator: 'equals', value: true })
    expect(newFilter('createdAt', 'date')).toEqual({ field: 'createdAt', operator: 'within', value: 30, unit: 'days' })
    expect(newFilter('email.opened', undefined)).toEqual({ field: 'email.opened', operator: 'triggered' })
  })

  it('keeps its value under another operator only if that operator can use it', () => {
    const plan = { field: 'data.plan', operator: 'equals', value: 'pro' }
    expect(withOperator(plan, 'notEquals', 'string')).toEqual({ ...plan, operator: 'notEquals' })
    expect(withOperator(plan, 'exists', 'string')).toEqual({ field: 'data.plan', operator: 'exists' })
    const recent = newFilter('createdAt', 'date')
    expect(withOperator(recent, 'greaterThan', 'date')).toEqual({ field: 'createdAt', operator: 'greaterThan' })
    expect(withOperator({ ...recent, value: 7 }, 'olderThan', 'date')).toMatchObject({ value: 7, unit: 'days' })
  })
})

describe('a filter on what contacts did', () => {
  it('offers counts for events and emails, and workflows have operators of their own', () => {
    expect(operatorsFor('event.purchase', undefined)).toContain('countAtLeast')
    expect(operatorsFor('email.sent', undefined)).toContain('countAtMost')
    expect(operatorsFor('workflow.1', undefined)[0]).toBe('inWorkflow')
    expect(propertyOperators('email.clicked', 'link', undefined)).toContain('startsWith')
    expect(propertyOperators('event.purchase', 'total', 'number')).toContain('greaterThan')
  })

  it('keeps its properties under another operator, and its period if it becomes a count and back', () => {
    const where = [{ property: 'total', operator: 'exists' }]
    const recent = { field: 'event.purchase', operator: 'triggeredWithin', value: 7, unit: 'days' as const, where }
    const count = withOperator(recent, 'countAtLeast', undefined)
    expect(count).toEqual({
      field: 'event.purchase',
      operator: 'countAtLeast',
      value: 1,
      within: { value: 7, unit: 'days' },
      where,
    })
    expect(withOperator(count, 'triggeredWithin', undefined)).toEqual(recent)
    expect(withOperator({ ...count, value: 3 }, 'countAtMost', undefined)).toMatchObject({ value: 3 })
    expect(withOperator(count, 'triggered', undefined)).toEqual({
      field: 'event.purchase',
      operator: 'triggered',
      where,
    })
  })

  it('is incomplete without a number of times, a period or the value of a property', () => {
    const complete = (filter: Filter) => isComplete({ logic: 'AND', groups: [{ filters: [filter] }] })
    const count: Filter = { field: 'event.purchase', operator: 'countAtLeast', value: 2 }
    expect(complete(count)).toBe(true)
    expect(complete({ field: 'event.purchase', operator: 'countAtLeast' })).toBe(false)
    expect(complete({ ...count, within: { value: Number.NaN, unit: 'days' } })).toBe(false)
    expect(complete({ ...count, where: [{ property: 'total', operator: 'greaterThan' }] })).toBe(false)
    expect(complete({ ...count, where: [{ property: '', operator: 'exists' }] })).toBe(false)
  })
})

describe('a condition', () => {
  const wrapped = (conditions: Condition): Condition => ({ logic: 'OR', groups: [{ filters: [], conditions }] })

  it('is complete when every filter has its value, at any depth', () => {
    expect(isComplete(emptyCondition())).toBe(true)
    expect(isComplete(wrapped(emptyCondition()))).toBe(true)
  })

  it('is incomplete while a field, filter or value is missing', () => {
    const open: Condition = { logic: 'AND', groups: [{ filters: [{ field: 'data.plan', operator: 'equals' }] }] }
    expect(isComplete(open)).toBe(false)
    expect(isComplete(wrapped(open))).toBe(false)
    expect(isComplete({ logic: 'AND', groups: [] })).toBe(false)
    expect(isComplete({ logic: 'AND', groups: [{ filters: [] }] })).toBe(false)
    expect(isComplete({ logic: 'AND', groups: [{ filters: [{ field: 'data.', operator: 'exists' }] }] })).toBe(false)
  })

  it('is parsed from the address, and any invalid text is ignored', () => {
    const tree = wrapped(emptyCondition())
    expect(parseCondition(JSON.stringify(tree))).toEqual(tree)
    const invalid = ['', '{', 'null', '[]', '{"logic":"AND"}', '{"logic":"AND","groups":[null]}']
    for (const text of [undefined, ...invalid, '{"logic":"AND","groups":[{"filters":[{"field":1}]}]}']) {
      expect(parseCondition(text)).toBeUndefined()
    }
    expect(parseCondition(JSON.stringify(Array.from({ length: 11 }).reduce<Condition>(wrapped, tree)))).toBeUndefined()
  })

  it('counts its filters at any depth', () => {
    expect(countFilters(wrapped(emptyCondition()))).toBe(1)
  })
})
