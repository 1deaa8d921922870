/** The rows of tables in a dump of pg_dump in plain text: of its COPY sections. */
import { linesOf } from '../files.ts'
import { BrokenFile, type MoveFile } from '../record.ts'

export interface CopyRow {
  table: string
  line: number
  cells: Record<string, string | null>
}

const COPY = /^COPY (?:"?\w+"?\.)?"?(\w+)"? \(([^)]*)\) FROM stdin;/
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', '\\': '\\' }

const textOfCell = (text: string): string | null =>
  text === '\\N'
    ? null
    : text.includes('\\')
      ? text.replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter)
      : text

export async function* copiedRows(file: MoveFile, tables: string[]): AsyncGenerator<CopyRow> {
  let table: string | undefined
  let columns: string[] = []
  let startedAt = 0
  for await (const lines of linesOf(file)) {
    for (const { line, text } of lines) {
      if (table === undefined) {
        const [, name, list] = COPY.exec(text) ?? []
        if (name === undefined) {
          const inserted = tables.find((wanted) => new RegExp(`^INSERT INTO (?:"?\\w+"?\\.)?"?${wanted}"? `).test(text))
          if (inserted)
            throw new BrokenFile(
              file.name,
              line,
              'The dump was written with --inserts. Write it again without this option.',
            )
          continue
        }
        table = name
        startedAt = line
        columns = list!.split(',').map((column) => column.trim().replaceAll('"', ''))
      } else if (text === '\\.') table = undefined
      else if (tables.includes(table)) {
        const cells = text.split('\t')
        if (cells.length !== columns.length) {
          throw new BrokenFile(
            file.name,
            line,
            `The row of ${table} has ${cells.length} values instead of ${columns.length}.`,
          )
        }
        yield { table, line, cells: Object.fromEntries(columns.map((name, i) => [name, textOfCell(cells[i]!)])) }
      }
    }
  }
  if (table !== undefined)
    throw new BrokenFile(file.name, startedAt, `The dump ends within the table ${table}. Write it again.`)
}
