/** CSV files with a header (RFC 4180), as streams of rows with their line numbers. */
import { textOf } from './files.ts'
import { BrokenFile, type MoveFile } from './record.ts'

export interface CsvRow {
  /** Where it begins. */
  line: number
  /** The keys are the names of columns in the header. */
  cells: Record<string, string>
}

const CELL_MAX = 5_000_000

/** Every row, the header included. */
async function* rowsOf(file: MoveFile): AsyncGenerator<{ line: number; cells: string[] }[]> {
  let delimiter: string | undefined
  let rest = ''
  let line = 1
  const parse = (text: string, atEnd: boolean) => {
    const rows: { line: number; cells: string[] }[] = []
    delimiter ??= delimiterOf(text)
    let at = 0
    for (;;) {
      const row = rowAt(text, at, delimiter)
      if (!row || (row.open && !atEnd) || (row.reachesEnd && !atEnd)) break
      if (row.open) throw new BrokenFile(file.name, line, 'A quotation mark in this row is never closed.')
      if (row.cells.length > 1 || row.cells[0] !== '') rows.push({ line, cells: row.cells })
      line += row.lines
      at = row.end
    }
    if (text.length - at > CELL_MAX)
      throw new BrokenFile(file.name, line, 'A quotation mark in this row is never closed.')
    return { rows, rest: text.slice(at) }
  }
  for await (const part of textOf(file)) {
    const text = rest + (line === 1 && rest === '' ? part.replace(/^\uFEFF/, '') : part)
    const parsed = parse(text, false)
    rest = parsed.rest
    yield parsed.rows
  }
  yield parse(rest, true).rows
}

/** The most frequent one in the header. */
function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/)).replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((delimiter) => [header.split(delimiter).length, delimiter] as const)
  return counts.sort(([a], [b]) => b - a)[0]![1]
}

interface ParsedRow {
  cells: string[]
  end: number
  /** How many line breaks it has, with its own. */
  lines: number
  /** A quoted cell isn't closed. */
  open: boolean
  /** It ends with the text and not with a line break, so there may be more of it. */
  reachesEnd: boolean
}

function rowAt(text: string, start: number, delimiter: string): ParsedRow | undefined {
  if (start >= text.length) return undefined
  const cells: string[] = []
  let at = start
  let lines = 1
  for (;;) {
    let cell: string
    if (text[at] === '"') {
      let end = at + 1
      for (;;) {
        end = text.indexOf('"', end)
        if (end === -1) return { cells, end: text.length, lines, open: true, reachesEnd: true }
        if (text[end + 1] !== '"') break
        end += 2
      }
      cell = text.slice(at + 1, end).replaceAll('""', '"')
      for (let i = text.indexOf('\n', at); i !== -1 && i < end; i = text.indexOf('\n', i + 1)) lines++
      at = end + 1
      const next = endOfCell(text, at, delimiter)
      cell += text.slice(at, next) // what follows a quotation mark by mistake
      at = next
    } else {
      const end = endOfCell(text, at, delimiter)
      cell = text.slice(at, end)
      at = end
    }
    cells.push(cell.trim())
    if (text[at] === delimiter) at++
    else if (at >= text.length) return { cells, end: at, lines, open: false, reachesEnd: true }
    else {
      const isPair = text[at] === '\r' && text[at + 1] === '\n'
      const mayBePair = text[at] === '\r' && at + 1 === text.length
      return { cells, end: at + (isPair ? 2 : 1), lines, open: false, reachesEnd: mayBePair }
    }
  }
}

function endOfCell(text: string, from: number, delimiter: string): number {
  for (let i = from; i < text.length; i++) {
    const character = text[i]
    if (character === delimiter || character === '\n' || character === '\r') return i
  }
  return text.length
}

/** As the readers write them, whatever their case in the file. */
function namesOf(header: string[], required: string[]): string[] {
  const names = [...required, 'unsubscribed', 'subscribed'].filter((name) => !header.includes(name))
  return header.map((column) => names.find((name) => name.toLowerCase() === column.toLowerCase()) ?? column)
}

/** Rows by the names of their columns. Refuses a file without one of the required columns. */
export async function* csvRows(file: MoveFile, required: string[]): AsyncGenerator<CsvRow> {
  let columns: string[] | undefined
  for await (const rows of rowsOf(file)) {
    for (const { line, cells } of rows) {
      if (!columns) {
        columns = namesOf(cells, required)
        const known = new Set(columns.map((name) => name.toLowerCase()))
        const missing = required.find((name) => !known.has(name.toLowerCase()))
        if (missing) {
          throw new BrokenFile(
            file.name,
            line,
            `The header has no column "${missing}", but ${columns
              .slice(0, 8)
              .map((name) => `"${name}"`)
              .join(', ')}.`,
          )
        }
        continue
      }
      if (cells.length > columns.length && cells.slice(columns.length).some((cell) => cell !== '')) {
        throw new BrokenFile(
          file.name,
          line,
          `The row has ${cells.length} cells, but the header has ${columns.length}. A cell may need quotation marks.`,
        )
      }
      const names = columns
      yield { line, cells: Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ''])) }
    }
  }
  if (!columns) throw new BrokenFile(file.name, 1, 'The file is empty.')
}

export async function headerOf(file: MoveFile): Promise<string[]> {
  for await (const rows of rowsOf(file)) if (rows[0]) return rows[0].cells
  return []
}
