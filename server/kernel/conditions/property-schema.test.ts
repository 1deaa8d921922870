/** Which counts, periods and properties are accepted, and which path an error names. */
import { describe, expect, it } from 'vitest'
import { eventNamesOf, filterCountOf, filterPlacesOf } from './condition.ts'
import { conditionTree, stepCondition } from './condition-schema.ts'

const ID = '01a1dd1f-5566-7386-9343-5429898a495c'
const where = (...filters: unknown[]) => ({ logic: 'AND', groups: [{ filters }] })
const problems = (filter: unknown) => {
  const { error } = conditionTree.safeParse(where(filter))
  return (error?.issues ?? []).map((issue) => [
    issue.path.join('.').replace('groups.0.filters.0.', ''),
    issue.code === 'custom' && issue.params?.code,
  ])
}
const COUNT = { field: 'event.purchase', operator: 'countAtLeast', value: 3 }
const having = (property: object) => ({ ...COUNT, where: [property] })
const CLICK = { field: 'email.clicked', operator: 'triggered' }

describe('a filter on what contacts did', () => {
  it.each([
    COUNT,
    { ...COUNT, operator: 'countAtMost', value: 0, within: { value: 0.5, unit: 'hours' } },
    { field: 'email.sent', operator: 'countExactly', value: 1_000_000 },
    { field: 'event.data.plan', operator: 'countAtLeast', value: 1 },
    having({ property: 'total', operator: 'greaterThan', value: 50 }),
    having({ property: 'items.count', operator: 'exists' }),
    having({ property: 'paidAt', operator: 'within', value: 7, unit: 'days' }),
    {
      ...COUNT,
      operator: 'triggeredWithin',
      unit: 'days',
      where: [{ property: 'a', operator: 'equals', value: true }],
    },
    { ...CLICK, where: [{ property: 'link', operator: 'startsWith', value: 'https://example.com/' }] },
    { ...CLICK, where: [{ property: 'link', operator: 'contains', value: '/pricing' }] },
    { ...CLICK, field: 'email.open', where: [{ property: 'campaignId', operator: 'equals', value: ID }] },
    { field: `workflow.${ID}`, operator: 'notInWorkflow' },
    { field: `workflow.${ID}`, operator: 'enteredWorkflow', within: { value: 30, unit: 'days' } },
  ])('%j is accepted', (filter) => {
    expect(conditionTree.parse(where(filter))).toEqual(where(filter))
    expect(stepCondition.parse(filter)).toEqual(where(filter))
  })

  it.each<[filter: object, path: string, code: string]>([
    [{ ...COUNT, value: undefined }, 'value', 'invalid_type'],
    [{ ...COUNT, value: '3' }, 'value', 'invalid_type'],
    [{ ...COUNT, value: 1.5 }, 'value', 'invalid_type'],
    [{ ...COUNT, value: 0 }, 'value', 'too_small'],
    [{ ...COUNT, operator: 'countAtMost', value: -1 }, 'value', 'too_small'],
    [{ ...COUNT, value: 1_000_001 }, 'value', 'too_big'],
    [{ ...COUNT, unit: 'days' }, 'unit', 'custom'],
    [{ ...COUNT, within: 30 }, 'within', 'invalid_type'],
    [{ ...COUNT, within: { value: 0, unit: 'days' } }, 'within.value', 'too_small'],
    [{ ...COUNT, within: { value: 30 } }, 'within.unit', 'invalid_type'],
    [{ ...COUNT, within: { value: 30, unit: 'weeks' } }, 'within.unit', 'invalid_enum_value'],
    [{ ...COUNT, within: { unit: 'days' } }, 'within.value', 'invalid_type'],
    [{ ...COUNT, operator: 'triggered', within: { value: 1, unit: 'days' } }, 'within', 'custom'],
    [{ field: 'data.a', operator: 'countAtLeast', value: 1 }, 'operator', 'invalid_enum_value'],
    [{ field: 'data.a', operator: 'exists', where: [] }, 'where', 'custom'],
    [{ ...COUNT, where: {} }, 'where', 'invalid_type'],
    [{ ...COUNT, where: ['total'] }, 'where.0', 'invalid_type'],
    [{ ...COUNT, where: Array(11).fill({ property: 'a', operator: 'exists' }) }, 'where', 'too_big'],
    [having({ operator: 'exists' }), 'where.0.property', 'invalid_type'],
    [having({ property: '', operator: 'exists' }), 'where.0.property', 'too_small'],
    [having({ property: 'x'.repeat(1_001), operator: 'exists' }), 'where.0.property', 'too_big'],
    [having({ property: 'total', operator: 'triggered' }), 'where.0.operator', 'invalid_enum_value'],
    [having({ property: 'total', operator: 'greaterThan' }), 'where.0.value', 'invalid_type'],
    [having({ property: 'total', operator: 'greaterThan', value: [] }), 'where.0.value', 'invalid_type'],
    [having({ property: 'at', operator: 'within', value: 5 }), 'where.0.unit', 'invalid_type'],
    [having({ property: 'at', operator: 'within', value: 0, unit: 'days' }), 'where.0.value', 'too_small'],
    [{ ...CLICK, where: [{ property: 'url', operator: 'equals', value: 'x' }] }, 'where.0.property', 'custom'],
    [
      { ...CLICK, field: 'email.opened', where: [{ property: 'link', operator: 'contains', value: 'x' }] },
      'where.0.property',
      'custom',
    ],
    [
      { ...CLICK, where: [{ property: 'link', operator: 'equals', value: 'example.com' }] },
      'where.0.value',
      'invalid_string',
    ],
    [{ ...CLICK, where: [{ property: 'link', operator: 'contains', value: '' }] }, 'where.0.value', 'too_small'],
    [{ ...CLICK, where: [{ property: 'link', operator: 'contains', value: 5 }] }, 'where.0.value', 'invalid_type'],
    [
      { ...CLICK, where: [{ property: 'campaignId', operator: 'equals', value: 'spring' }] },
      'where.0.value',
      'invalid_string',
    ],
    [{ field: 'workflow.welcome', operator: 'inWorkflow' }, 'field', 'custom'],
    [{ field: `workflow.${ID}`, operator: 'memberOfSegment' }, 'operator', 'invalid_enum_value'],
    [{ field: `workflow.${ID}`, operator: 'inWorkflow', within: { value: 1, unit: 'days' } }, 'within', 'custom'],
  ])('%j is refused', (filter, path, code) => {
    expect(problems(filter)).toEqual([[path, code]])
  })

  it('explains where the period of an operator belongs', () => {
    const message = (filter: object) => conditionTree.safeParse(where(filter)).error?.issues[0]?.message
    expect(message({ ...COUNT, unit: 'days' })).toContain('use `within`')
    expect(
      message({ ...COUNT, operator: 'triggeredWithin', unit: 'days', within: { value: 1, unit: 'days' } }),
    ).toContain('in `value` and `unit`')
  })

  it('refuses more properties than a condition can have filters', () => {
    const many = { ...COUNT, where: Array(10).fill({ property: 'a', operator: 'exists' }) }
    const { error } = conditionTree.safeParse(where(...Array(19).fill(many)))
    expect(error?.issues[0]).toMatchObject({ path: ['groups', 0, 'filters', 18, 'where'], params: { code: 'too_big' } })
  })
})

describe('what a condition on behavior refers to', () => {
  const tree = conditionTree.parse({
    logic: 'OR',
    groups: [
      {
        filters: [having({ property: 'total', operator: 'exists' })],
        conditions: where({ field: 'email.clicked', operator: 'countAtMost', value: 2 }),
      },
    ],
  })

  it('is listed with the events, and properties count towards its size', () => {
    expect(eventNamesOf(tree)).toEqual(['purchase', 'email.click'])
    expect(filterCountOf(tree)).toBe(3)
  })

  it('has a path for each filter', () => {
    expect(filterPlacesOf(tree, 'condition').map(({ path }) => path)).toEqual([
      'condition.groups.0.filters.0',
      'condition.groups.0.conditions.groups.0.filters.0',
    ])
  })
})
