import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../kernel/errors.ts'
import { freeFormula, readLayout } from './layout.ts'

const layoutOf = (text: string) => readLayout(Buffer.from(text))

function refusalOf(file: Buffer | string): string {
  try {
    readLayout(Buffer.from(file))
  } catch (error) {
    if (error instanceof Refusal) return error.extras.problems![0]!.message
    throw error
  }
  throw new Error('it was accepted')
}

describe('the header of an import file', () => {
  it('contains column names, trimmed and lower-cased', () => {
    expect(layoutOf(' Email ,First Name,"Plan"\na@example.org,A,pro\n')).toEqual({
      delimiter: ',',
      columns: ['email', 'first name', 'plan'],
      exported: false,
      headerRows: 1,
      start: 26,
    })
  })

  it.each([
    ['a comma', 'email,name\n', ','],
    ['a semicolon', 'email;name\n', ';'],
    ['a tab', 'name\temail\n', '\t'],
    ['a semicolon, with commas in names', 'email;"last, first"\n', ';'],
    ['a semicolon, with a bare comma', 'email;a,b\n', ';'],
    ['nothing, as there is one column', 'email\n', ','],
  ])('can be separated by %s', (_what, text, delimiter) => {
    expect(layoutOf(text).delimiter).toBe(delimiter)
  })

  it('can follow a byte order mark and empty lines', () => {
    expect(layoutOf('\ufeffemail,a\n')).toMatchObject({ columns: ['email', 'a'], headerRows: 1, start: 11 })
    expect(layoutOf('\r\n  \n\remail,a\r\nx')).toMatchObject({ columns: ['email', 'a'], headerRows: 4, start: 15 })
  })

  it('can have columns without a name', () => {
    expect(layoutOf('email,,a,\n').columns).toEqual(['email', '', 'a', ''])
  })

  it('can be the whole file', () => {
    expect(layoutOf('email').start).toBe(5)
  })

  it('identifies our own exports', () => {
    const ours = layoutOf("email,subscribed,createdAt,updatedAt,'=x\n")
    expect(ours).toMatchObject({ exported: true, columns: ['email', 'subscribed', 'createdat', 'updatedat', '=x'] })
    expect(layoutOf("email,createdAt,updatedAt,'=x\n")).toMatchObject({
      exported: false,
      columns: ['email', 'createdat', 'updatedat', "'=x"],
    })
  })

  it.each<[what: string, file: Buffer | string, message: RegExp]>([
    ['an empty file', '', /empty/],
    ['a file of spaces and lines', ' \r\n\t\n', /empty/],
    ['a mark and nothing else', '\ufeff', /empty/],
    ['a workbook', Buffer.from('504b0304140006000800', 'hex'), /spreadsheet or an archive/],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /spreadsheet or an archive/],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), /not UTF-8/],
    ['text in UTF-16 without its mark', Buffer.from('email\n', 'utf16le'), /not UTF-8/],
    ['text in UTF-16', Buffer.from('\ufeffemail\n', 'utf16le'), /not UTF-8/],
    ['text in Latin-1', Buffer.from('email,name\na@example.org,Zoé\n', 'latin1'), /not UTF-8/],
    ['no email column', 'mail,name\na@example.org,A\n', /must be "email"/],
    ['a header with a quote that never closes', 'email,"name\n', /must be "email"/],
    ['JSON', '[{"email": "a@example.org"}]', /must be "email"/],
    ['two email columns', 'email,Email\n', /The column name "email" appears more than once/],
    ['two columns of one name', 'email,a,A \n', /The column name "a" appears more than once/],
    ['too many columns', `email,${Array.from({ length: 1_000 }, (_, i) => `c${i}`).join(',')}\n`, /more than 1000/],
    ['a name that is too long', `email,${'x'.repeat(256)}\n`, /at most 255/],
    ['a header without an end', `email,${'x,'.repeat(200_000)}`, /must be "email"/],
  ])('is refused: %s', (_what, file, message) => {
    expect(refusalOf(file)).toMatch(message)
  })

  it('is found quickly after millions of empty lines', () => {
    expect(layoutOf(`${'\n'.repeat(4_000_000)}email\n`).headerRows).toBe(4_000_001)
  })
})

it('an apostrophe is removed only where an export would have added it', () => {
  expect(["'=1", "''=1", "'a", "'", '=1'].map(freeFormula)).toEqual(['=1', "'=1", "'a", "'", '=1'])
})
