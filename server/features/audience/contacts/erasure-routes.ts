/** Deleting a contact over HTTP. */
import { notFound } from '../../../kernel/errors.ts'
import { idOf, route } from '../../../platform/http/route.ts'
import type { Erasure } from './erasure.ts'

export const erasureRoutes = (erasure: Erasure) => [
  route({
    method: 'DELETE',
    path: '/contacts/{id}',
    client: 'contacts.delete',
    access: 'project',
    tag: 'Contacts',
    summary: 'Delete a contact permanently',
    params: { id: idOf('contact') },
    replies: { 204: { description: 'Deleted.' } },
    handle: async (ctx, { caller, params }) => {
      const deleted = await erasure.deleteContacts(ctx, caller.projectId, [params.id])
      if (deleted.length === 0) throw notFound('contact', params.id)
    },
  }),
]
