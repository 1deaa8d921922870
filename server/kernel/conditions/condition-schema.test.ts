/** Which conditions are accepted, and which path an error names. */
import { describe, expect, it } from 'vitest'
import { eventNamesOf, fieldsOf, pathsOf, segmentIdsOf } from './condition.ts'
import { dateText } from './condition-dates.ts'
import { conditionTree, stepCondition } from './condition-schema.ts'

const ID = '01a1dd1f-5566-7386-9343-5429898a495c'
const where = (...filters: unknown[]) => ({ logic: 'AND', groups: [{ filters }] })
const problems = (schema: typeof conditionTree, value: unknown) => {
  const { error } = schema.safeParse(value)
  return (error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.code === 'custom' && issue.params?.code])
}
const FILTER = { field: 'data.plan', operator: 'equals', value: 'pro' }

function nested(levels: number): object {
  const inner = { filters: [FILTER] }
  return { logic: 'OR', groups: [levels === 1 ? inner : { filters: [], conditions: nested(levels - 1) }] }
}

describe('a condition', () => {
  it('is accepted without unknown keys', () => {
    const given = {
      logic: 'OR',
      extra: 1,
      groups: [
        { filters: [{ ...FILTER, extra: 1 }], conditions: null, extra: 1 },
        { filters: [], conditions: where({ field: 'createdAt', operator: 'within', value: 0.5, unit: 'days' }) },
      ],
    }
    expect(conditionTree.parse(given)).toEqual({
      logic: 'OR',
      groups: [
        { filters: [FILTER] },
        { filters: [], conditions: where({ field: 'createdAt', operator: 'within', value: 0.5, unit: 'days' }) },
      ],
    })
  })

  it.each<[what: string, value: unknown, path: string, code: string]>([
    ['nothing', undefined, '', 'invalid_type'],
    ['null', null, '', 'invalid_type'],
    ['a list', [], '', 'invalid_type'],
    ['no logic', { groups: [{ filters: [FILTER] }] }, 'logic', 'invalid_type'],
    ['another logic', { ...where(FILTER), logic: 'and' }, 'logic', 'invalid_enum_value'],
    ['logic that is no text', { ...where(FILTER), logic: 1 }, 'logic', 'invalid_type'],
    ['no groups', { logic: 'AND' }, 'groups', 'invalid_type'],
    ['empty groups', { logic: 'AND', groups: [] }, 'groups', 'too_small'],
    ['a group that is text', { logic: 'AND', groups: ['x'] }, 'groups.0', 'invalid_type'],
    [
      'a group without filters',
      { logic: 'AND', groups: [{ conditions: where(FILTER) }] },
      'groups.0.filters',
      'invalid_type',
    ],
    ['an empty group', { logic: 'AND', groups: [{ filters: [] }] }, 'groups.0.filters', 'too_small'],
    [
      'an empty nested node',
      { logic: 'AND', groups: [{ filters: [], conditions: {} }] },
      'groups.0.conditions.logic',
      'invalid_type',
    ],
    ['a filter that is null', where(FILTER, null), 'groups.0.filters.1', 'invalid_type'],
    ['eleven levels', nested(11), `groups.0.${'conditions.groups.0.'.repeat(9)}conditions`, 'too_big'],
    ['201 filters', where(...Array(201).fill(FILTER)), 'groups.0.filters', 'too_big'],
    [
      '201 filters in two groups',
      {
        logic: 'OR',
        groups: [where(...Array(101).fill(FILTER)).groups[0], where(...Array(100).fill(FILTER)).groups[0]],
      },
      'groups.1.filters',
      'too_big',
    ],
    ['a million groups', { logic: 'OR', groups: Array(1_000_000).fill({ filters: [] }) }, 'groups', 'too_big'],
  ])('is refused with the path of the problem if it is %s', (_what, value, path, code) => {
    expect(problems(conditionTree, value)[0]).toEqual([path, code])
  })

  it('can be ten levels deep and have 200 filters', () => {
    expect(problems(conditionTree, nested(10))).toEqual([])
    expect(problems(conditionTree, where(...Array(200).fill(FILTER)))).toEqual([])
  })

  it('is refused without a stack overflow if it is very deep', () => {
    let deep: object = where(FILTER)
    for (let i = 0; i < 100_000; i++) deep = { logic: 'AND', groups: [{ filters: [], conditions: deep }] }
    expect(problems(conditionTree, deep)).toHaveLength(1)
  })
})

describe('a filter of a condition', () => {
  const wrong: Array<[filter: object, field: string, code: string]> = [
    [{ operator: 'equals', value: 1 }, 'field', 'invalid_type'],
    [{ field: 'data.a', value: 1 }, 'operator', 'invalid_type'],
    [{ field: 5, operator: 'equals', value: 1 }, 'field', 'invalid_type'],
    ...[
      'plan',
      '',
      '.',
      'data',
      'data.',
      'event.',
      'email.',
      'email.seen',
      'segment.x',
      'Email',
      'id',
      '__proto__',
      'constructor',
    ].map((field): [object, string, string] => [{ field, operator: 'equals', value: 1 }, 'field', 'custom']),
    [{ field: `data.${'x'.repeat(1000)}`, operator: 'exists' }, 'field', 'too_big'],
    [{ field: 'data.a', operator: 'is', value: 1 }, 'operator', 'invalid_enum_value'],
    [{ field: 'data.a', operator: 'toString', value: 1 }, 'operator', 'invalid_enum_value'],
    [{ field: 'data.a', operator: 'triggered' }, 'operator', 'invalid_enum_value'],
    [{ field: 'email', operator: 'greaterThan', value: 'a' }, 'operator', 'invalid_enum_value'],
    [{ field: 'email', operator: 'exists' }, 'operator', 'invalid_enum_value'],
    [{ field: 'subscribed', operator: 'contains', value: 'a' }, 'operator', 'invalid_enum_value'],
    [{ field: 'createdAt', operator: 'contains', value: '2026' }, 'operator', 'invalid_enum_value'],
    [{ field: 'event.x', operator: 'equals', value: 1 }, 'operator', 'invalid_enum_value'],
    [{ field: 'event.data.plan', operator: 'equals', value: 1 }, 'operator', 'invalid_enum_value'],
    [{ field: `segment.${ID}`, operator: 'equals', value: 1 }, 'operator', 'invalid_enum_value'],
    [{ field: 'data.a', operator: 'equals' }, 'value', 'invalid_type'],
    [{ field: 'data.a', operator: 'equals', value: null }, 'value', 'invalid_type'],
    [{ field: 'data.a', operator: 'equals', value: [] }, 'value', 'invalid_type'],
    [{ field: 'data.a', operator: 'equals', value: {} }, 'value', 'invalid_type'],
    [{ field: 'data.a', operator: 'greaterThan', value: Number.POSITIVE_INFINITY }, 'value', 'too_big'],
    [{ field: 'data.a', operator: 'contains', value: 'x'.repeat(10_001) }, 'value', 'too_big'],
    [{ field: 'email', operator: 'equals', value: 5 }, 'value', 'invalid_type'],
    [{ field: 'subscribed', operator: 'equals', value: 'true' }, 'value', 'invalid_type'],
    [{ field: 'createdAt', operator: 'equals', value: 5 }, 'value', 'invalid_type'],
    [{ field: 'createdAt', operator: 'equals', value: '2026-02-30' }, 'value', 'invalid_string'],
    [{ field: 'updatedAt', operator: 'lessThan', value: '2026-01-01T00:00:00+01:00' }, 'value', 'invalid_string'],
    [{ field: 'data.a', operator: 'within', value: 5 }, 'unit', 'invalid_type'],
    [{ field: 'data.a', operator: 'within', value: 5, unit: 'weeks' }, 'unit', 'invalid_enum_value'],
    [{ field: 'data.a', operator: 'within', value: 5, unit: 7 }, 'unit', 'invalid_type'],
    [{ field: 'data.a', operator: 'equals', value: 5, unit: 'weeks' }, 'unit', 'invalid_enum_value'],
    [{ field: 'event.x', operator: 'triggeredWithin', value: 5 }, 'unit', 'invalid_type'],
    [{ field: 'email.open', operator: 'notTriggeredWithin', value: '5', unit: 'days' }, 'value', 'invalid_type'],
    [{ field: 'createdAt', operator: 'olderThan', value: 0, unit: 'days' }, 'value', 'too_small'],
    [{ field: 'createdAt', operator: 'olderThan', value: -1, unit: 'days' }, 'value', 'too_small'],
    [{ field: 'data.a', operator: 'within', unit: 'days' }, 'value', 'invalid_type'],
  ]
  it.each(wrong.map(([filter, field, code]) => [JSON.stringify(filter).slice(0, 90), filter, field, code] as const))(
    '%s is refused',
    (_name, filter, field, code) => {
      expect(problems(conditionTree, where(FILTER, filter))).toEqual([[`groups.0.filters.1.${field}`, code]])
    },
  )

  it.each([
    { field: 'data.a', operator: 'contains', value: 5 },
    { field: 'data.a', operator: 'greaterThan', value: true },
    { field: 'data.a', operator: 'exists' },
    { field: 'data.x.y z."%', operator: 'notEquals', value: '' },
    { field: 'event.a/b c.d', operator: 'triggeredOlderThan', value: 1e300, unit: 'minutes' },
    { field: 'event.data.plan', operator: 'triggered' },
    { field: 'email.complaint', operator: 'triggered' },
    { field: `segment.${ID}`, operator: 'notMemberOfSegment' },
    { field: 'createdAt', operator: 'equals', value: '2026-01-01' },
  ])('%j is accepted', (filter) => {
    expect(conditionTree.parse(where(filter))).toEqual(where(filter))
  })
})

describe('the condition of a workflow step', () => {
  it('can be a single filter, and can refer to the event', () => {
    const filter = { field: 'event.data.plan', operator: 'equals', value: 'pro' }
    expect(stepCondition.parse(filter)).toEqual(where(filter))
    expect(stepCondition.parse(where(filter))).toEqual(where(filter))
    expect(problems(stepCondition, { field: 'event.data.plan', operator: 'within', value: 1 })).toEqual([
      ['unit', 'invalid_type'],
    ])
    expect(problems(stepCondition, { field: 'plan', operator: 'equals', value: 1 })).toEqual([['field', 'custom']])
    expect(problems(stepCondition, {})).toEqual([
      ['logic', 'invalid_type'],
      ['groups', 'invalid_type'],
    ])
  })
})

describe('a condition tree', () => {
  it('returns what it refers to', () => {
    const tree = stepCondition.parse({
      logic: 'AND',
      groups: [
        {
          filters: [
            FILTER,
            FILTER,
            { field: 'email', operator: 'contains', value: 'x' },
            { field: 'event.a.b', operator: 'triggered' },
          ],
          conditions: where(
            { field: 'email.opened', operator: 'triggered' },
            { field: `segment.${ID.toUpperCase()}`, operator: 'memberOfSegment' },
            { field: `segment.${ID}`, operator: 'memberOfSegment' },
            { field: 'event.data.plan', operator: 'exists' },
          ),
        },
      ],
    })
    expect(fieldsOf(tree)).toEqual(['data.plan', 'email'])
    expect(eventNamesOf(tree)).toEqual(['a.b', 'email.open'])
    expect(segmentIdsOf(tree)).toEqual([ID, ID])
  })

  it('reads a dotted name as a key first and as a path last', () => {
    expect(pathsOf('a')).toEqual([['a']])
    expect(pathsOf('a.b')).toEqual([['a.b'], ['a', 'b']])
    expect(pathsOf('a.b.c')).toEqual([['a.b.c'], ['a', 'b.c'], ['a.b', 'c'], ['a', 'b', 'c']])
    expect(pathsOf('a.b.c.d.e')).toEqual([['a.b.c.d.e'], ['a', 'b', 'c', 'd', 'e']])
  })
})

describe('dateText', () => {
  it.each([
    ['2026-01-02', '2026-01-02T00:00:00.000Z'],
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['1900-02-29', undefined],
    ['2026-02-30', undefined],
    ['2026-04-31', undefined],
    ['2026-13-45', undefined],
    ['2026-00-10', undefined],
    ['2026-01-02T24:00:00Z', undefined],
    ['2026-01-02T03:04:05.6Z', undefined],
    ['2026-01-02T03:04:05', undefined],
    ['2026-01-02\n', undefined],
  ])('completes dates and refuses anything else: %j is %j', (text, full) => {
    expect(dateText(text)).toBe(full)
  })
})
