/** The first rows of a CSV file, as the service will read them: to show before anything is imported. */

export interface CsvPreview {
  columns: string[]
  rows: string[][]
  /** Why it would be refused. */
  wrong?: string
}

export const LARGEST_BYTES = 5 * 1024 * 1024

export function previewCsv(text: string, most = 5): CsvPreview {
  const [header = [], ...rows] = records(text.replace(/^\uFEFF/, ''), most + 1)
  const columns = header.map((name) => name.trim().toLowerCase())
  return { columns, rows, wrong: wrongWith(columns) }
}

function wrongWith(columns: string[]): string | undefined {
  if (columns.length === 0) return 'The file is empty.'
  if (!columns.includes('email')) return 'There is no column "email". Its first row must name the columns.'
  return undefined
}

/** Quoted cells may hold commas, line breaks and doubled quotes. Stops after `most` records. */
function records(text: string, most: number): string[][] {
  const found: string[][] = []
  let record: string[] = []
  let cell = ''
  let quoted = false
  const endRecord = () => {
    record.push(cell)
    cell = ''
    if (record.length > 1 || record[0] !== '') found.push(record)
    record = []
  }
  for (let i = 0; i < text.length && found.length < most; i++) {
    const char = text[i]!
    if (quoted) {
      if (char !== '"') cell += char
      else if (text[i + 1] === '"') cell += text[i++]
      else quoted = false
    } else if (char === '"' && cell === '') quoted = true
    else if (char === ',') {
      record.push(cell)
      cell = ''
    } else if (char === '\n') endRecord()
    else if (char !== '\r') cell += char
  }
  if (found.length < most && (cell !== '' || record.length > 0)) endRecord()
  return found
}
