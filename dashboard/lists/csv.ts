/** Writes a table as CSV text for spreadsheets. */

type CsvCell = string | number | null

/** A text that a spreadsheet would run as a formula gets an apostrophe, as in exports of the service. */
function cellText(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const toCsv = (rows: CsvCell[][]): string => `${rows.map((row) => row.map(cellText).join(',')).join('\r\n')}\r\n`
