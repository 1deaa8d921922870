/** What the preview and the import send: the file, its mapping and the options, and how a chosen file is read. */
import type { ColumnMapping, ImportOptions } from '@posthorn/sdk'
import { type CsvFile, decodeText, isBinary, MAX_BYTES, readCsv } from './csv-preview.ts'
import { texts } from './texts.ts'

export interface Upload {
  file: Blob
  name: string
  mapping: ColumnMapping[]
  options: ImportOptions
}

export interface ChosenFile {
  file: File
  csv: CsvFile
  /** The file in UTF-8. */
  content: Blob
  isConverted: boolean
  problem: string | undefined
}

export async function readFile(file: File): Promise<ChosenFile> {
  const { text, isUtf8 } = decodeText(new Uint8Array(await file.slice(0, MAX_BYTES + 1).arrayBuffer()))
  const content = isUtf8 ? file : new Blob([text], { type: 'text/csv' })
  const refused = (problem: string): ChosenFile => ({
    file,
    csv: { rows: [], hasHeader: true },
    content,
    isConverted: false,
    problem,
  })
  if (file.size > MAX_BYTES || content.size > MAX_BYTES) return refused(texts.tooLarge)
  if (isBinary(text)) return refused(texts.notText)
  const csv = readCsv(text)
  if (csv.rows.length === 0) return refused(texts.emptyFile)
  return { file, csv, content, isConverted: !isUtf8, problem: undefined }
}

/** How new contacts are created. */
export type NewContacts = 'subscribed' | 'unsubscribed' | 'confirm'

export const optionsOf = (newContacts: NewContacts, perHour: number, hasHeader: boolean): ImportOptions => ({
  ...(newContacts === 'unsubscribed' && { subscribeNew: false }),
  ...(newContacts === 'confirm' && { confirmationsPerHour: perHour }),
  ...(!hasHeader && { header: false }),
})
