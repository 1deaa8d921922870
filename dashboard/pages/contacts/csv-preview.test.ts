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

  it('says what is wrong before anything is sent', () => {
    expect(previewCsv('').wrong).toMatch(/empty/)
    expect(previewCsv('name,mail\nAda,a@x.org').wrong).toMatch(/no column "email"/)
  })
})
