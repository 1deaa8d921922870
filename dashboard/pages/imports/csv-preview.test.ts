import { describe, expect, it } from 'vitest'
import { decodeText, previewCsv } from './csv-preview.ts'

describe('previewCsv', () => {
  it('trims column names and returns the first rows', () => {
    expect(previewCsv('\uFEFF Email ,First Name\r\na@x.org,Ada\r\nb@x.org,Bob\r\n', 1)).toEqual({
      columns: ['Email', 'First Name'],
      rows: [['a@x.org', 'Ada']],
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
    const { columns, rows } = previewCsv(text)
    expect(columns.toSorted()).toEqual(['email', 'first name'])
    expect(rows[0]!.toSorted()).toEqual(['Ada', 'a@x.org'])
  })

  it('finds the delimiter of a file without a column named email', () => {
    expect(previewCsv('Adresse;Name, Vorname;Ort\na@x.org;"Lovelace, Ada";Bonn').columns).toEqual([
      'Adresse',
      'Name, Vorname',
      'Ort',
    ])
  })

  it('accepts CR as a line ending and trims cells', () => {
    expect(previewCsv('email,name\ra@x.org,  Ada \r').rows).toEqual([['a@x.org', 'Ada']])
  })

  it('has no columns for an empty file', () => {
    expect(previewCsv('')).toEqual({ columns: [], rows: [] })
  })
})

describe('decodeText', () => {
  it.each([
    ['UTF-8', [0x4a, 0xc3, 0xb6], { text: 'Jö', isUtf8: true }],
    ['Windows-1252', [0x4a, 0xf6], { text: 'Jö', isUtf8: false }],
    ['UTF-16, little-endian', [0xff, 0xfe, 0x4a, 0, 0xf6, 0], { text: 'Jö', isUtf8: false }],
    ['UTF-16, big-endian', [0xfe, 0xff, 0, 0x4a, 0, 0xf6], { text: 'Jö', isUtf8: false }],
  ])('reads %s', (_encoding, bytes, expected) => {
    expect(decodeText(new Uint8Array(bytes))).toEqual(expected)
  })
})
