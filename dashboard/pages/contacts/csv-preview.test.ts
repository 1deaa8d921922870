import { describe, expect, it } from 'vitest'
import { previewCsv } from './csv-preview.ts'

describe('the preview of a CSV file', () => {
  it('names the columns as the service does and shows the first rows', () => {
    expect(previewCsv('\uFEFF Email ,First Name\r\na@x.org,Ada\r\nb@x.org,Bob\r\n', 1)).toEqual({
      columns: ['email', 'first name'],
      rows: [['a@x.org', 'Ada']],
      wrong: undefined,
    })
  })

  it('understands quotes, commas and line breaks in cells, and skips empty lines', () => {
    const { rows } = previewCsv('email,note\n\na@x.org,"one, ""two""\nthree"\nb@x.org,')
    expect(rows).toEqual([
      ['a@x.org', 'one, "two"\nthree'],
      ['b@x.org', ''],
    ])
  })

  it.each([
    ['semicolons', 'email;first name\na@x.org;Ada\n'],
    ['tabs', 'first name\temail\nAda\ta@x.org\n'],
  ])('reads files of spreadsheets that separate cells by %s', (_what, text) => {
    const { columns, rows, wrong } = previewCsv(text)
    expect(wrong).toBeUndefined()
    expect(columns.toSorted()).toEqual(['email', 'first name'])
    expect(rows[0]!.toSorted()).toEqual(['Ada', 'a@x.org'])
  })

  it('reads lines that end with CR alone, and trims cells', () => {
    expect(previewCsv('email,name\ra@x.org,  Ada \r').rows).toEqual([['a@x.org', 'Ada']])
  })

  it('says what is wrong before anything is sent', () => {
    expect(previewCsv('').wrong).toMatch(/empty/)
    expect(previewCsv('name,mail\nAda,a@x.org').wrong).toMatch(/no column "email"/)
  })
})
