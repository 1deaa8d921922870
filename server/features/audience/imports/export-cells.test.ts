import { describe, expect, it } from 'vitest'
import { readRows } from './csv/csv-rows.ts'
import { contactLine, headerLine } from './export-cells.ts'
import { freeFormula } from './layout.ts'

const at = new Date('2026-01-02T03:04:05.678Z')

const cellsOf = (data: Record<string, unknown>, ...paths: string[][]) => {
  const line = contactLine(
    { email: 'a@example.org', subscribed: true, topics: [], data, created_at: at, updated_at: at },
    [],
    paths,
  )
  const { rows } = readRows(Buffer.from(line), { delimiter: ',', rowsMax: 2, atEnd: true })
  expect(rows).toHaveLength(1)
  return rows[0]!.cells!.slice(4)
}

const cellOf = (value: unknown) => cellsOf({ x: value }, ['x'])[0]

describe('an exported contact', () => {
  it('has its standard columns first', () => {
    expect(headerLine([], [['plan'], ['profile', 'tier']])).toBe(
      'email,subscribed,createdAt,updatedAt,plan,profile.tier\r\n',
    )
    expect(
      contactLine(
        { email: 'a@example.org', subscribed: false, topics: [], data: {}, created_at: at, updated_at: at },
        [],
        [],
      ),
    ).toBe('a@example.org,false,2026-01-02T03:04:05.678Z,2026-01-02T03:04:05.678Z\r\n')
  })

  it.each([
    ['plain', 'plain'],
    ['a,b', 'a,b'],
    ['say "hi"', 'say "hi"'],
    ['two\r\nlines', 'two\r\nlines'],
    [' spaces ', ' spaces '],
    [5, '5'],
    [-5.5, '-5.5'],
    [false, 'false'],
    [null, ''],
    [undefined, ''],
    [[1, 'a', null], '[1,"a",null]'],
    [{ deeper: 1 }, ''],
  ])('writes %j', (value, shown) => {
    expect(cellOf(value)).toBe(shown)
  })

  it.each(['=1+1', '+cmd', '-cmd', '@sum', '\t=1', '\r=1', "'=1", '-5+cmd', '=HYPERLINK("http://x","y")'])(
    'escapes %j',
    (text) => {
      expect(cellOf(text)).toBe(`'${text}`)
    },
  )

  it.each([
    ['a;=1+1', "a;'=1+1"],
    ['a; +cmd;@x', "a; '+cmd;'@x"],
    ['a;"=1', `a;"'=1`],
    ["a;'=1", "a;''=1"],
    ['＝1+1', "'＝1+1"],
    ['a;＠sum', "a;'＠sum"],
    ['a;b', 'a;b'],
  ])('escapes %j, which is a formula with other separators or widths, and an import restores it', (text, shown) => {
    expect(cellOf(text)).toBe(shown)
    expect(freeFormula(shown)).toBe(text)
  })

  it.each(['-5', '+31612345678', '-1.5', "'quoted'", 'a=b'])('leaves %j unchanged', (text) => {
    expect(cellOf(text)).toBe(text)
  })

  it('escapes names and addresses too', () => {
    expect(headerLine([], [['=x']])).toContain(",'=x\r\n")
    const contact = { topics: [], email: '=a@example.org', subscribed: true, data: {}, created_at: at, updated_at: at }
    expect(contactLine(contact, [], [])).toMatch(/^'=a@example\.org,/)
  })

  it('finds nested values by their path, and nothing in lists or prototypes', () => {
    const data = { profile: { tier: 'gold' }, list: [1], a: 'text' }
    const paths = [
      ['profile', 'tier'],
      ['profile', 'none'],
      ['list', '0'],
      ['a', 'length'],
      ['toString'],
      ['constructor'],
    ]
    expect(cellsOf(data, ...paths)).toEqual(['gold', '', '', '', '', ''])
  })
})
