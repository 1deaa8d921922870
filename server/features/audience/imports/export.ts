/** Streams all contacts of a project as one CSV file, at the speed of the client. */
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { listFieldPaths } from '../contacts/fields/fields.ts'
import { listTopicRules } from '../contacts/topics.ts'
import { contactLine, headerLine } from './export-cells.ts'
import { listContactsAfter } from './queries.ts'

const CONTACTS_AT_ONCE = 1_000
/** Writing so many takes a few milliseconds. Other requests are served in between. */
const CELLS_AT_ONCE = 20_000

/**
 * The first contacts are read before the stream is returned, so that an unavailable database gives an ordinary error
 * response.
 */
export async function exportContacts(ctx: Context, projectId: string): Promise<Readable> {
  const paths = await listFieldPaths(ctx, projectId)
  const topics = await listTopicRules(ctx.db, projectId)
  const linesAtOnce = Math.ceil(CELLS_AT_ONCE / (paths.length + topics.length + 1))
  const first = await listContactsAfter(ctx.db, projectId, undefined, CONTACTS_AT_ONCE)
  return Readable.from(
    (async function* () {
      yield headerLine(topics, paths)
      let contacts = first
      while (contacts.length > 0) {
        for (let i = 0; i < contacts.length; i += linesAtOnce) {
          const some = contacts.slice(i, i + linesAtOnce)
          yield some.map((contact) => contactLine(contact, topics, paths)).join('')
          await setImmediate()
        }
        contacts = await listContactsAfter(ctx.db, projectId, contacts.at(-1)!.id, CONTACTS_AT_ONCE)
      }
    })(),
    { objectMode: false },
  )
}
