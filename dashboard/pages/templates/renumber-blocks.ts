/** Blocks of several documents that are shown together need different IDs. */
import type { EmailDocument } from '../../editor/document/document.ts'

/** Also changes the IDs of blocks inside of others. */
export function renumberBlocks(document: EmailDocument, prefix: string): EmailDocument {
  let count = 0
  return JSON.parse(JSON.stringify(document), (key, value) => {
    if (key !== 'id' || typeof value !== 'string') return value
    count++
    return `${prefix}-${count}`
  })
}
