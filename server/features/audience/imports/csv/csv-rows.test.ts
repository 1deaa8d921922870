import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRows } from './csv-rows.ts'

const readAll = (text: string, delimiter = ',') =>
  readRows(Buffer.from(text), { delimiter, rowsMax: 1_000, atEnd: true }).rows.map((row) => row.cells)

/** Like an import: windows of a given size, larger if not even one row fits, each starting where the last row ended. */
function readInWindows(file: Buffer, windowBytes: number, rowsMax: number) {
  const rows: Array<string[] | undefined> = []
  let done = 0
  let size = windowBytes
  while (done < file.length) {
    const window = file.subarray(done, done + size)
    const atEnd = done + window.length === file.length
    const read = readRows(window, { delimiter: ',', rowsMax, atEnd })
    rows.push(...read.rows.map((row) => row.cells))
    done += read.bytes
    size = read.bytes === 0 ? size * 2 : windowBytes
  }
  return rows
}

describe('CSV rows', () => {
  it.each<[what: string, text: string, rows: Array<string[] | undefined>]>([
    [
      'plain',
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'without a line end at the end',
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['with every kind of line end', 'a\r\nb\rc\nd', [['a'], ['b'], ['c'], ['d']]],
    ['quoted commas, line breaks and quotes', '"a,b","c\r\nd","e""f"\ng', [['a,b', 'c\r\nd', 'e"f'], ['g']]],
    ['spaces around cells, but not inside quotes', ' a , " b " \n', [['a', ' b ']]],
    ['fewer and more cells', 'a,b\nc\nd,e,f\n', [['a', 'b'], ['c'], ['d', 'e', 'f']]],
    ['an empty line', 'a\n\nb\n', [['a'], [''], ['b']]],
    [
      'a quote inside a cell',
      'a,5" pipe\nb,c\n',
      [
        ['a', '5" pipe'],
        ['b', 'c'],
      ],
    ],
    [
      'quotes inside quotes',
      'a,"Bob "the man" Smith"\nb,c\n',
      [
        ['a', '"Bob "the man" Smith"'],
        ['b', 'c'],
      ],
    ],
    ['a quote that is never closed', 'a,"b\nc,d\ne,"f"\n', [undefined, ['c', 'd'], ['e', 'f']]],
    ['a quote that is never closed, in the last row', 'a,b\nc,"d', [['a', 'b'], undefined]],
    [
      'other scripts',
      'é,日本語\n😀,ß\n',
      [
        ['é', '日本語'],
        ['😀', 'ß'],
      ],
    ],
  ])('%s', (_what, text, rows) => {
    expect(readAll(text)).toEqual(rows)
  })

  it('are separated by the given delimiter', () => {
    expect(readAll('a;b,c\n"d;e";f\n', ';')).toEqual([
      ['a', 'b,c'],
      ['d;e', 'f'],
    ])
    expect(readAll('a\t\tb\n\t"c"\t\n', '\t')).toEqual([
      ['a', '', 'b'],
      ['', 'c', ''],
    ])
  })

  it('are limited to the requested number and include the offset of the next row', () => {
    const { rows, bytes } = readRows(Buffer.from('é,b\r\nc,d\r\ne,f\r\n'), { delimiter: ',', rowsMax: 2, atEnd: true })
    expect(rows.map((row) => row.end)).toEqual([6, 11])
    expect(bytes).toBe(11)
  })

  it('do not include a row that may be cut off by the window', () => {
    const cut = (text: string) => readRows(Buffer.from(text), { delimiter: ',', rowsMax: 9, atEnd: false })
    expect(cut('a,b\nc,d')).toMatchObject({ rows: [{ cells: ['a', 'b'] }], bytes: 4 })
    expect(cut('a,b\nc,"d\n')).toMatchObject({ rows: [{ cells: ['a', 'b'] }], bytes: 4 })
    expect(cut('a,b\nc,5" d')).toMatchObject({ rows: [{ cells: ['a', 'b'] }], bytes: 4 })
    expect(cut('a,"b')).toEqual({ rows: [], bytes: 0 })
  })

  it("stop after a hundred repairs, so that a window of malformed rows doesn't take longer", () => {
    const { rows } = readRows(Buffer.from('a,5" pipe\n'.repeat(300)), { delimiter: ',', rowsMax: 1_000, atEnd: true })
    expect(rows).toHaveLength(100)
  })

  it('treat a quote that stays open for two megabytes as unclosed', () => {
    const text = `a,"b\n${'c,d\n'.repeat(600_000)}`
    const { rows } = readRows(Buffer.from(text), { delimiter: ',', rowsMax: 2, atEnd: false })
    expect(rows.map((row) => row.cells)).toEqual([undefined, ['c', 'd']])
  })

  const cell = fc.string({ unit: fc.constantFrom('a', 'é', '😀', ',', '"', '\n', '\r', ' ', ';'), maxLength: 6 })
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 12 })
  const write = (rows: string[][]) =>
    rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')).join('\n')

  it('equal what was written, for any cells and window sizes', () => {
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 5 }), (rows, bytes, rowsMax) => {
        expect(readInWindows(Buffer.from(write(rows)), bytes, rowsMax)).toEqual(rows)
      }),
    )
  })

  it('are the same in windows as in one piece, even if the file is malformed', () => {
    const noise = fc.string({ unit: fc.constantFrom('a', 'é', ',', '"', '\n', '\r', ' '), maxLength: 60 })
    fc.assert(
      fc.property(noise, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 5 }), (text, bytes, rowsMax) => {
        expect(readInWindows(Buffer.from(text), bytes, rowsMax)).toEqual(readAll(text))
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('rows without quotes', () => {
  it('are read as the CSV parser reads them', () => {
    const text = fc.array(fc.constantFrom('a', 'ü', ',', ' ', '\t', '\f', '\u00a0', '\r', '\n', '\r\n', '\0'), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 6 }), (parts, rowsMax) => {
        const window = Buffer.from(parts.join(''))
        const expected: Array<{ cells: string[]; end: number }> = []
        parse(window, {
          delimiter: ',',
          record_delimiter: ['\r\n', '\n', '\r'],
          relax_column_count: true,
          trim: true,
          to: rowsMax,
          on_record: (cells: string[], { bytes }) => void expected.push({ cells, end: bytes }),
        })
        expect(readRows(window, { delimiter: ',', rowsMax, atEnd: true }).rows).toEqual(expected)
      }),
      { numRuns: 2_000 },
    )
  })
})
