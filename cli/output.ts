/** Prints results as tables for people and as JSON for programs. */
import { stripVTControlCharacters } from 'node:util'

export interface Output {
  json: boolean
  /** A sentence for people, which programs don't get. */
  say: (text: string) => void
  /** One document. */
  item: (value: unknown, show?: () => string) => void
  list: <T>(rows: T[], columns: Record<string, (row: T) => unknown>, empty: string) => void
  /** One document a line, for output that doesn't end. */
  event: (value: unknown, show: () => string) => void
}

const COLORS = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const

/** As https://no-color.org asks for. */
const hasColors = (stream: NodeJS.WriteStream) => stream.isTTY === true && !process.env.NO_COLOR

export const paint = (color: keyof typeof COLORS, text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  hasColors(stream) ? `\u001B[${COLORS[color]}m${text}\u001B[0m` : text

export function createOutput(json: boolean): Output {
  const print = (text: string) => void process.stdout.write(`${text}\n`)
  const document = (value: unknown) => print(JSON.stringify(value, null, 2))
  return {
    json,
    say: (text) => void (json || print(text)),
    item: (value, show) => (json ? document(value) : print(show ? show() : describe(value))),
    list: (rows, columns, empty) => {
      if (json) document(rows)
      else print(rows.length === 0 ? empty : table(rows, columns))
    },
    event: (value, show) => print(json ? JSON.stringify(value) : show()),
  }
}

/** Text from a service must not move the cursor or change colors. */
export const printable = (value: unknown): string => {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return value === null || value === undefined ? '' : stripVTControlCharacters(text).replace(/\p{Cc}+/gu, ' ')
}

export function table<T>(rows: T[], columns: Record<string, (row: T) => unknown>): string {
  const names = Object.keys(columns)
  const cells = rows.map((row) => names.map((name) => printable(columns[name]!(row))))
  const widths = names.map((name, i) => Math.max(name.length, ...cells.map((line) => line[i]!.length)))
  const line = (values: string[]) =>
    values
      .map((value, i) => value.padEnd(widths[i]!))
      .join('  ')
      .trimEnd()
  return [paint('bold', line(names)), ...cells.map(line)].join('\n')
}

/** A line for each field. */
export function describe(value: unknown): string {
  const fields = Object.entries((value ?? {}) as Record<string, unknown>)
  const width = Math.max(0, ...fields.map(([name]) => name.length))
  return fields.map(([name, field]) => `${paint('dim', name.padEnd(width))}  ${printable(field)}`).join('\n')
}
