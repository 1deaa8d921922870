import { describe, expect, it } from 'vitest'
import {
  dottedNames,
  findMappingProblem,
  guessMapping,
  statusColumns,
  toMapping,
  unclearWords,
  wordsOf,
} from './guess-mapping.ts'

const fieldsOf = (columns: string[], rows: string[][] = []) => guessMapping(columns, rows, []).map(({ field }) => field)

describe('guessMapping', () => {
  it('finds the address by its name, or by its values', () => {
    expect(fieldsOf(['Name', 'E-Mail'])).toEqual(['data.name', 'email'])
    expect(fieldsOf(['Mail', 'Email'])).toEqual(['data.mail', 'email'])
    expect(fieldsOf(['Wer', 'Wohin'], [['Ada', 'ada@x.org']])).toEqual(['data.wer', 'email'])
  })

  it('uses known fields with their types, and lower-cases new ones', () => {
    const known = [{ field: 'data.firstName', type: 'string' as const }]
    expect(guessMapping(['email', 'FIRSTNAME', 'City'], [['a@x.org', '1', 'Bonn']], known)).toEqual([
      { column: 'email', field: 'email', type: 'string' },
      { column: 'FIRSTNAME', field: 'data.firstName', type: 'string' },
      { column: 'City', field: 'data.city', type: 'string' },
    ])
  })

  it('gives columns with spaces a name that templates can use, unless a field already has theirs', () => {
    expect(fieldsOf(['email', 'First name', 'Kunde seit (Datum)', 'order_id'])).toEqual([
      'email',
      'data.firstName',
      'data.kundeSeitDatum',
      'data.order_id',
    ])
    const known = [{ field: 'data.first name', type: 'string' as const }]
    expect(guessMapping(['email', 'First name'], [], known)[1]!.field).toBe('data.first name')
  })

  it('keeps names in camel case, as the sample file and exports have them', () => {
    expect(fieldsOf(['email', 'firstName', 'LastName', 'PLAN', 'Last-Login'])).toEqual([
      'email',
      'data.firstName',
      'data.lastName',
      'data.plan',
      'data.last-login',
    ])
    expect(fieldsOf(['email', 'firstName', 'FIRSTNAME'])).toEqual(['email', 'data.firstName', 'data.firstname2'])
  })

  it.each([
    [['1', '2,5', ''], 'number'],
    [['1.234,50', '99,00'], 'number'],
    [['1,234.5', '1,000,000'], 'number'],
    [['1,5', '2.5'], 'string'],
    [['12.34.56'], 'string'],
    [['01234'], 'string'],
    [['yes', 'No'], 'boolean'],
    [['2026-01-31', '1.2.2026'], 'date'],
    [['1', 'x'], 'string'],
    [[''], 'string'],
  ])('reads the cells %o as %s', (cells, type) => {
    const rows = cells.map((cell) => ['a@x.org', cell])
    expect(guessMapping(['email', 'x'], rows, [])[1]!.type).toBe(type)
  })

  it('leaves out columns whose names are unusable, and numbers a second column of the same name', () => {
    expect(fieldsOf(['email', '', 'City', 'CITY', 'City'])).toEqual([
      'email',
      '',
      'data.city',
      'data.city2',
      'data.city3',
    ])
    expect(toMapping(guessMapping(['email', ''], [], []), [])).toEqual([
      { position: 1, field: 'email', type: 'string' },
    ])
    const known = [{ field: 'data.€', type: 'number' as const }]
    const targets = guessMapping(['#', 'email', '%', '€'], [], known)
    expect(targets.map(({ field }) => field)).toEqual(['', 'email', '', 'data.€'])
    expect(findMappingProblem(targets)).toBeUndefined()
  })
})

it('dottedNames lists the custom fields that templates would read as a path', () => {
  const target = (field: string) => ({ column: field, field, type: 'string' as const })
  const targets = ['email', 'subscribed', '', 'data.city', 'data.address.city'].map(target)
  expect(dottedNames(targets)).toEqual(['address.city'])
  expect(dottedNames(guessMapping(['email', 'address.city'], [], []))).toEqual([])
})

it('findMappingProblem reports a missing address, a field without a name and a field that is used twice', () => {
  const target = (column: string, field: string) => ({ column, field, type: 'string' as const })
  expect(findMappingProblem([target('a', 'data.a')])).toEqual({ kind: 'no-email' })
  expect(findMappingProblem([target('a', 'email'), target('b', 'data.')])).toEqual({ kind: 'unnamed', column: 'b' })
  expect(findMappingProblem([target('a', 'email'), target('b', 'email')])).toEqual({ kind: 'twice', column: 'b' })
  expect(findMappingProblem([target('a', 'email'), target('b', '')])).toBeUndefined()
})

describe('columns with the state of a subscription', () => {
  const target = (column: string, field = `data.${column}`) => ({ column, field, type: 'string' as const })

  it.each([
    'status',
    'Status',
    'blocklisted',
    'unsubscribed',
    'opt_in',
    'Opt-Out',
    'Abonniert',
    'subscriber_status',
    'email_status',
    'unsubscribed_at',
  ])('are found by the name %s', (column) => {
    expect(statusColumns([target('email', 'email'), target(column)])).toEqual([1])
    expect(statusColumns([target('email', 'email'), target(column, '')])).toEqual([1])
  })

  it('are no concern if one column is the subscription, and others are not found', () => {
    expect(statusColumns([target('email', 'email'), target('status', 'subscribed')])).toEqual([])
    expect(statusColumns([target('email', 'email'), target('city'), target('order status'), target('statue')])).toEqual(
      [],
    )
  })

  it('have words with a meaning, which people give to those that are not clear', () => {
    const rows = ['Ja', 'nein', 'Hard-Bounced', 'VIP', ''].map((word) => [word])
    const values = wordsOf(rows, 0)
    expect(values).toEqual({ ja: true, nein: false, 'hard-bounced': false, vip: undefined })
    const targets = [{ ...target('Status', 'subscribed'), values }, target('email', 'email')]
    expect(unclearWords(targets)).toEqual(['vip'])
    expect(toMapping(targets, rows)[0]).toEqual({
      position: 1,
      field: 'subscribed',
      type: 'string',
      values: { ja: true, nein: false, 'hard-bounced': false },
    })
    expect(
      wordsOf(
        Array.from({ length: 21 }, (_, i) => [`day ${i}`]),
        0,
      ),
    ).toBeUndefined()
  })
})

it.each([
  [['1.234', '0,5'], ','],
  [['1.234.567'], ','],
  [['1,234', '2.5'], '.'],
  [['1.234', '12'], undefined],
])('the decimal sign of %j is %j', (cells, decimal) => {
  const target = { column: 'x', field: 'data.x', type: 'number' as const }
  expect(
    toMapping(
      [target],
      cells.map((cell) => [cell]),
    )[0]!.decimal,
  ).toBe(decimal)
})
