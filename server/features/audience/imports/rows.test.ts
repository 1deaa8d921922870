import { describe, expect, it } from 'vitest'
import type { ImportLayout } from './layout.ts'
import { addToResult, EMPTY_RESULT, mergeChanges, outcomesOf, readChanges } from './rows.ts'

const layout = (columns: string[], exported = false): ImportLayout => ({
  delimiter: ',',
  columns,
  exported,
  headerRows: 1,
  start: 0,
})

const read = (columns: string[], ...rows: Array<string[] | undefined>) =>
  readChanges(
    layout(columns),
    rows.map((cells) => ({ cells, end: 0 })),
    1,
  )

const change = (patch: Record<string, unknown>, subscribed?: boolean) => ({ email: 'a@example.org', subscribed, patch })

describe('a row of an import', () => {
  it('sets the address and every cell that is not empty, as text', () => {
    expect(read(['name', 'email', 'age', ''], ['Ada', ' Ada@Example.ORG', '5', 'x'], ['', 'b@example.org'])).toEqual({
      changes: [
        { row: 2, email: 'ada@example.org', subscribed: undefined, patch: { name: 'Ada', age: '5' } },
        { row: 3, email: 'b@example.org', subscribed: undefined, patch: {} },
      ],
      errors: [],
      warnings: [],
    })
  })

  it('is imported without cells that are not of the type of their column, but not without its subscription', () => {
    const targets = [
      { field: 'email', type: 'string' as const },
      { field: 'data.age', type: 'number' as const },
      { field: 'subscribed', type: 'string' as const, values: { aktiv: true, abgemeldet: false } },
    ]
    const rows = [
      ['a@example.org', 'old', 'Aktiv'],
      ['b@example.org', '5', 'weg'],
    ].map((cells) => ({ cells, end: 0 }))
    expect(readChanges({ ...layout(['mail', 'age', 'status']), targets }, rows, 1)).toEqual({
      changes: [{ row: 2, email: 'a@example.org', subscribed: true, patch: {} }],
      errors: [{ row: 3, email: 'b@example.org', error: 'The mapping doesn\'t say what "weg" means for subscribed.' }],
      warnings: [{ row: 2, email: 'a@example.org', error: '"old" in the column "age" is not a number.' }],
    })
  })

  it.each([
    ['true', true],
    ['TRUE', true],
    ['1', true],
    ['Yes', true],
    ['false', false],
    ['0', false],
    ['nO', false],
    ['', undefined],
  ])('accepts %j as a subscription', (text, subscribed) => {
    expect(read(['email', 'subscribed'], ['a@example.org', text]).changes[0]!.subscribed).toBe(subscribed)
  })

  it.each<[cells: string[] | undefined, email: string | null, error: RegExp]>([
    [['nobody', 'x'], 'nobody', /Must be an email address/],
    [['', 'x'], null, /missing/],
    [['a@example.org', 'x', 'maybe'], 'a@example.org', /must be true/],
    [['a@example.org', 'x', 'constructor'], 'a@example.org', /must be true/],
    [['a@example.org', 'x', '', 'more'], 'a@example.org', /has 4 cells, but the header has only 3/],
    [undefined, null, /no closing quotation mark/],
  ])('%j is refused', (cells, email, error) => {
    const { changes, errors } = read(['email', 'name', 'subscribed'], ['a@example.org'], cells)
    expect(changes).toHaveLength(1)
    expect(errors).toEqual([{ row: 3, email, error: expect.stringMatching(error) }])
  })

  it('is skipped if it is empty, but counts for row numbers', () => {
    const { changes, errors } = read(['email', 'name'], [''], ['', '', ''], ['nobody'])
    expect([changes, errors.map((error) => error.row)]).toEqual([[], [4]])
  })

  it('can have trailing empty cells beyond the header', () => {
    expect(read(['email'], ['a@example.org', '', '']).changes).toHaveLength(1)
  })

  it('is invalid if it contains NUL, without affecting other rows', () => {
    expect(read(['email', 'plan'], ['a@example.org', 'a\0b'], ['b@example.org', 'ok'])).toMatchObject({
      changes: [{ email: 'b@example.org', patch: { plan: 'ok' } }],
      errors: [{ row: 2, email: 'a@example.org', error: expect.stringContaining('NUL') }],
    })
    expect(read(['email'], ['a\0@example.org']).errors).toMatchObject([{ email: 'a@example.org' }])
  })

  it("can't set reserved names or prototypes", () => {
    const [row] = read(
      ['email', 'id', '__proto__', 'constructor', 'plan', 'unsubscribeurl'],
      ['a@example.org', '1', '2', '3', '4', '5'],
    ).changes
    expect(row!.patch).toEqual({ plan: '4' })
    expect(({} as Record<string, unknown>)['2']).toBeUndefined()
  })

  it('ignores dates and loses its apostrophes if it is from our own export', () => {
    const columns = ['email', 'subscribed', 'createdat', 'updatedat', 'note']
    const cells = ["'=a@example.org", 'true', '2026-01-01', '2026-01-02', "'=1+1"]
    expect(readChanges(layout(columns, true), [{ cells, end: 0 }], 1).changes).toEqual([
      { row: 2, email: '=a@example.org', subscribed: true, patch: { note: '=1+1' } },
    ])
  })
})

describe('import rows with the same address', () => {
  it('are merged into one change in which the later row wins', () => {
    const rows = [change({ a: '1', b: '1' }, false), change({ b: '2' }), change({ c: '3' }, true), change({})]
    const { merged, repeated } = mergeChanges(rows)
    expect(merged).toEqual([change({ a: '1', b: '2', c: '3' }, true)])
    expect(repeated.get('a@example.org')).toHaveLength(4)
  })

  it('are counted as if they had been applied one after the other', () => {
    const rows = [
      change({ a: '1' }),
      change({ a: '1' }, true),
      change({ a: '2' }),
      change({ a: '2' }, false),
      change({}),
    ]
    expect(outcomesOf(rows, undefined)).toEqual(['created', 'unchanged', 'updated', 'updated', 'unchanged'])
    const before = { subscribed: false, data: { a: '1' } }
    expect(outcomesOf(rows, before)).toEqual(['unchanged', 'updated', 'updated', 'updated', 'unchanged'])
  })
})

it('an import result lists a hundred errors and counts all of them', () => {
  const errors = Array.from({ length: 80 }, (_, i) => ({ row: i, email: null, error: 'x' }))
  const result = [1, 2].reduce((sum) => addToResult(sum, ['created', 'unchanged'], errors, errors), EMPTY_RESULT)
  expect(result).toMatchObject({
    totalRows: 164,
    createdCount: 2,
    updatedCount: 0,
    unchangedCount: 2,
    failureCount: 160,
  })
  expect(result.errors).toHaveLength(100)
  expect([result.warningCount, result.warnings?.length]).toEqual([160, 100])
  expect(addToResult(EMPTY_RESULT, ['created'], [])).not.toHaveProperty('warningCount')
})
