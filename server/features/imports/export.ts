/** All contacts of a project as one CSV file, read as fast as the other side takes it and no faster. */
import { Readable } from 'node:stream'
import type { Context } from '../../context.ts'
import { contactLine, headerLine } from './export-cells.ts'
import { listContactsAfter, listFieldPaths } from './queries.ts'

const CONTACTS_AT_ONCE = 1_000

/** The first contacts are read before the stream is handed out, so a database that is away is still an ordinary refusal. */
export async function exportContacts(ctx: Context, projectId: string): Promise<Readable> {
  const paths = await listFieldPaths(ctx.db, projectId)
  const first = await listContactsAfter(ctx.db, projectId, undefined, CONTACTS_AT_ONCE)
  return Readable.from(
    (async function* () {
      yield headerLine(paths)
      let contacts = first
      while (contacts.length > 0) {
        yield contacts.map((contact) => contactLine(contact, paths)).join('')
        contacts = await listContactsAfter(ctx.db, projectId, contacts.at(-1)!.id, CONTACTS_AT_ONCE)
      }
    })(),
    { objectMode: false },
  )
}
