/** Streams all contacts of a project as one CSV file, at the speed of the client. */
import { Readable } from 'node:stream'
import type { Context } from '../../context.ts'
import { contactLine, headerLine } from './export-cells.ts'
import { listContactsAfter, listFieldPaths } from './queries.ts'

const CONTACTS_AT_ONCE = 1_000

/**
 * The first contacts are read before the stream is returned, so that an unavailable database gives an ordinary error
 * response.
 */
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
