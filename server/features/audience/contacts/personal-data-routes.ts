/**
 * Everything that is stored about a person, as one JSON document. Each feature that stores data about contacts contributes
 * a list, which app.ts names; it is read page by page, at the speed of the client.
 */
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { cursorParam } from '../../../kernel/pages.ts'
import { CustomResponse, idOf, route } from '../../../platform/http/route.ts'
import { getContact } from './actions.ts'
import { Contact } from './schemas.ts'

/** A page of what a feature stores about a contact. */
export type PersonalDataList = (
  ctx: Context,
  projectId: string,
  contactId: string,
  page: { limit: number; cursor: string | undefined },
) => Promise<{ data: unknown[]; cursor: string | null }>

/** The same list, without these fields of its rows. */
export const withoutFields =
  (list: PersonalDataList, ...names: string[]): PersonalDataList =>
  async (...args) => {
    const { data, cursor } = await list(...args)
    const rest = (row: object) => Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)))
    return { data: data.map((row) => rest(row as object)), cursor }
  }

const PAGE = 100

const PersonalData = z
  .looseObject({ contact: Contact })
  .meta({ id: 'PersonalData', description: 'The contact, and a list for everything else that is stored about it.' })

/** The contact and the first pages are read before the response begins, so that a missing contact is an ordinary error. */
export async function exportPerson(
  ctx: Context,
  lists: Record<string, PersonalDataList>,
  projectId: string,
  contactId: string,
): Promise<Readable> {
  const contact = await getContact(ctx, projectId, contactId)
  const readPage = (list: PersonalDataList, cursor?: string) =>
    list(ctx, projectId, contactId, { limit: PAGE, cursor: cursorParam.parse(cursor) })
  return Readable.from(
    (async function* () {
      yield `{"contact":${JSON.stringify(contact)}`
      for (const [name, list] of Object.entries(lists)) {
        yield `,${JSON.stringify(name)}:[`
        let isFirst = true
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const page: Awaited<ReturnType<PersonalDataList>> = await readPage(list, cursor)
          if (page.data.length > 0) {
            yield `${isFirst ? '' : ','}${page.data.map((item) => JSON.stringify(item)).join(',')}`
            isFirst = false
          }
          cursor = page.cursor
        }
        yield ']'
      }
      yield '}\n'
    })(),
    { objectMode: false },
  )
}

export const personalDataRoutes = (lists: Record<string, PersonalDataList>) => [
  route({
    method: 'GET',
    path: '/contacts/{id}/export',
    client: 'contacts.exportPerson',
    access: 'project',
    tag: 'Contacts',
    summary: 'Export everything about a contact',
    description:
      'One JSON document with what is stored about a person: the contact, its topics, consents, suppressions, emails, events, segments and workflow executions. For requests of people for their data.',
    params: { id: idOf('contact') },
    replies: { 200: { description: 'The document.', schema: PersonalData, contentType: 'application/json' } },
    handle: async (ctx, { caller, params }) =>
      new CustomResponse(200, await exportPerson(ctx, lists, caller.projectId, params.id), {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="contact-${params.id}.json"`,
        'cache-control': 'no-store',
      }),
  }),
]
