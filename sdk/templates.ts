/** Templates and their previews, layouts and saved blocks. */
import type { Call, Unchanged } from './call.ts'
import type { Body, Query } from './shapes.ts'

export const templates = (call: Call) => ({
  list: (query?: Query<'GET /templates'>) => call('GET /templates', { query }),
  create: (template: Body<'POST /templates'>) => call('POST /templates', { body: template }),
  get: (id: string) => call('GET /templates/{id}', { path: { id } }),
  update: (id: string, changes: Body<'PATCH /templates/{id}'>, condition?: Unchanged) =>
    call('PATCH /templates/{id}', { path: { id }, body: changes, ...condition }),
  delete: (id: string) => call('DELETE /templates/{id}', { path: { id } }),
  duplicate: (id: string) => call('POST /templates/{id}/duplicate', { path: { id } }),
  /** Creates the template, or replaces all fields of the one with that name. */
  upsert: ({ name, ...fields }: Body<'PUT /templates/by-name/{name}'> & { name: string }) =>
    call('PUT /templates/by-name/{name}', { path: { name }, body: fields }),
  /** All versions of the content, newest first. */
  versions: (id: string) => call('GET /templates/{id}/versions', { path: { id } }),
  version: (id: string, number: number) =>
    call('GET /templates/{id}/versions/{number}', { path: { id, number: String(number) } }),
  /** A version with a name is deleted last; null removes the name. */
  nameVersion: (id: string, number: number, name: string | null) =>
    call('PATCH /templates/{id}/versions/{number}', { path: { id, number: String(number) }, body: { name } }),
  restoreVersion: (id: string, number: number) =>
    call('POST /templates/{id}/versions/{number}/restore', { path: { id, number: String(number) } }),
  usage: (id: string) => call('GET /templates/{id}/usage', { path: { id } }),
  /** Renders without sending or storing anything. */
  preview: (draft: Body<'POST /templates/preview'>) =>
    call('POST /templates/preview', { body: draft, repeatable: true }),
  /** Sends a draft to one address, rendered as its type, without creating a contact. */
  test: (draft: Body<'POST /templates/test'>) => call('POST /templates/test', { body: draft }),
  /** Finds mistakes without sending or storing anything. */
  check: (draft: Body<'POST /templates/check'>) => call('POST /templates/check', { body: draft, repeatable: true }),
  /** Ready-made templates to start from. */
  gallery: () => call('GET /templates/gallery'),
  /** With its document, sample data and a preview. */
  galleryTemplate: (slug: string) => call('GET /templates/gallery/{slug}', { path: { slug } }),
})

/** Headers and footers that emails share. */
export const layouts = (call: Call) => ({
  list: () => call('GET /layouts'),
  create: (layout: Body<'POST /layouts'>) => call('POST /layouts', { body: layout }),
  get: (id: string) => call('GET /layouts/{id}', { path: { id } }),
  /** The emails that use the layout are recompiled in the background. */
  update: (id: string, changes: Body<'PATCH /layouts/{id}'>, condition?: Unchanged) =>
    call('PATCH /layouts/{id}', { path: { id }, body: changes, ...condition }),
  delete: (id: string) => call('DELETE /layouts/{id}', { path: { id } }),
})

/** Blocks that are inserted into emails as copies. */
export const savedBlocks = (call: Call) => ({
  list: () => call('GET /saved-blocks'),
  create: (blocks: Body<'POST /saved-blocks'>) => call('POST /saved-blocks', { body: blocks }),
  get: (id: string) => call('GET /saved-blocks/{id}', { path: { id } }),
  update: (id: string, changes: Body<'PATCH /saved-blocks/{id}'>, condition?: Unchanged) =>
    call('PATCH /saved-blocks/{id}', { path: { id }, body: changes, ...condition }),
  delete: (id: string) => call('DELETE /saved-blocks/{id}', { path: { id } }),
})
