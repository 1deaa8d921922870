import { describe, expect, it } from 'vitest'
import { previewCsv } from './csv-preview.ts'

describe('previewCsv', () => {
  it('normalizes column names as the service does and returns the first rows', () => {
    expect(previewCsv('\uFEFF Email ,First Name\r\na@x.org,Ada\r\nb@x.org,Bob\r\n', 1)).toEqual({
      columns: ['email', 'first name'],
      rows: [['a@x.org', 'Ada']],
      problem: undefined,
    })
  })

  it('parses quotes, commas and line breaks in cells and skips empty lines', () => {
    const { rows } = previewCsv('email,note\n\na@x.org,"one, ""two""\nthree"\nb@x.org,')
    expect(rows).toEqual([
      ['a@x.org', 'one, "two"\nthree'],
      ['b@x.org', ''],
    ])
  })

  it.each([
    ['semicolons', 'email;first name\na@x.org;Ada\n'],
    ['tabs', 'first name\temail\nAda\ta@x.org\n'],
  ])('parses files whose cells are separated by %s', (_separator, text) => {
    const { columns, rows, problem } = previewCsv(text)
    expect(problem).toBeUndefined()
    expect(columns.toSorted()).toEqual(['email', 'first name'])
    expect(rows[0]!.toSorted()).toEqual(['Ada', 'a@x.org'])
  })

  it('accepts CR as a line ending and trims cells', () => {
    expect(previewCsv('email,name\ra@x.org,  Ada \r').rows).toEqual([['a@x.org', 'Ada']])
  })

  it('reports an empty file and a missing email column', () => {
    expect(previewCsv('').problem).toMatch(/is empty/)
    expect(previewCsv('name,mail\nAda,a@x.org').problem).toMatch(/no “email” column/)
  })
})
