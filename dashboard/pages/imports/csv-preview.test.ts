import { describe, expect, it } from 'vitest'
import { columnsOf, decodeText, isBinary, readCsv } from './csv-preview.ts'

const read = (text: string) => columnsOf(readCsv(text), true)

describe('readCsv', () => {
  it('trims column names and cells', () => {
    expect(read('\uFEFF Email ,First Name\r\na@x.org,  Ada \r\n')).toEqual({
      columns: ['Email', 'First Name'],
      rows: [['a@x.org', 'Ada']],
    })
  })

  it('parses quotes, commas and line breaks in cells and skips empty lines', () => {
    const { rows } = read('email,note\n\na@x.org,"one, ""two""\nthree"\nb@x.org,')
    expect(rows).toEqual([
      ['a@x.org', 'one, "two"\nthree'],
      ['b@x.org', ''],
    ])
  })

  it.each([
    ['semicolons', 'email;first name\na@x.org;Ada\n'],
    ['tabs', 'first name\temail\nAda\ta@x.org\n'],
  ])('parses files whose cells are separated by %s', (_separator, text) => {
    const { columns, rows } = read(text)
    expect(columns.toSorted()).toEqual(['email', 'first name'])
    expect(rows[0]!.toSorted()).toEqual(['Ada', 'a@x.org'])
  })

  it('finds the delimiter of a file without a column named email', () => {
    expect(read('Adresse;Name, Vorname;Ort\na@x.org;"Lovelace, Ada";Bonn').columns).toEqual([
      'Adresse',
      'Name, Vorname',
      'Ort',
    ])
  })

  it('finds a first row that is a contact, whose columns then have no names', () => {
    const file = readCsv('a@x.org;Doe, John, Jr\nb@x.org;Ada\n')
    expect(file.hasHeader).toBe(false)
    expect(columnsOf(file, false)).toEqual({
      columns: ['', ''],
      rows: [
        ['a@x.org', 'Doe, John, Jr'],
        ['b@x.org', 'Ada'],
      ],
    })
    expect(readCsv('email\na@x.org').hasHeader).toBe(true)
  })

  it('accepts CR as a line ending', () => {
    expect(read('email,name\ra@x.org,Ada\r').rows).toEqual([['a@x.org', 'Ada']])
  })

  it('has no columns for an empty file', () => {
    expect(read('')).toEqual({ columns: [], rows: [] })
  })
})

it.each([
  ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), true],
  ['UTF-16 without its mark', new Uint8Array([0x61, 0, 0x62, 0]), true],
  ['text', new TextEncoder().encode('email\tname\r\nJö'), false],
])('isBinary: %s', (_what, bytes, expected) => {
  expect(isBinary(decodeText(bytes).text)).toBe(expected)
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
