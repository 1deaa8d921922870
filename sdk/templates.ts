/** Templates and their previews. */
import type { Call } from './call.ts'
import type { Body, Query } from './shapes.ts'

export const templates = (call: Call) => ({
  list: (query?: Query<'GET /templates'>) => call('GET /templates', { query }),
  create: (template: Body<'POST /templates'>) => call('POST /templates', { body: template }),
  get: (id: string) => call('GET /templates/{id}', { path: { id } }),
  update: (id: string, changes: Body<'PATCH /templates/{id}'>) =>
    call('PATCH /templates/{id}', { path: { id }, body: changes }),
  delete: (id: string) => call('DELETE /templates/{id}', { path: { id } }),
  duplicate: (id: string) => call('POST /templates/{id}/duplicate', { path: { id } }),
  usage: (id: string) => call('GET /templates/{id}/usage', { path: { id } }),
  /** Renders without sending or storing anything. */
  preview: (draft: Body<'POST /templates/preview'>) =>
    call('POST /templates/preview', { body: draft, repeatable: true }),
  /** Sends a draft to one address, rendered as its type, without creating a contact. */
  test: (draft: Body<'POST /templates/test'>) => call('POST /templates/test', { body: draft }),
})
