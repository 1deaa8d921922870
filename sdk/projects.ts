/** Projects: members, invitations, billing, reputation, API keys, requests and domains. */
import type { Call, Unchanged } from './call.ts'
import { everyItem } from './pages.ts'
import type { Body, Item, Query } from './shapes.ts'

export const projects = (call: Call) => ({
  /** The projects you are a member of. */
  list: () => call('GET /users/@me/projects'),
  create: (project: Body<'POST /users/@me/projects'>) => call('POST /users/@me/projects', { body: project }),
  update: (id: string, changes: Body<'PATCH /users/@me/projects/{id}'>, condition?: Unchanged) =>
    call('PATCH /users/@me/projects/{id}', { path: { id }, body: changes, ...condition }),
  delete: (id: string, confirmation?: Body<'DELETE /users/@me/projects/{id}'>) =>
    call('DELETE /users/@me/projects/{id}', { path: { id }, body: confirmation }),
  /** Replaces the public and the secret key. The old ones stop working immediately. */
  regenerateKeys: (id: string) => call('POST /users/@me/projects/{id}/regenerate-keys', { path: { id } }),
  /** Deletes the data of a project, but keeps the project, its keys, members and domains. */
  reset: (id: string, confirmation?: Body<'POST /users/@me/projects/{id}/reset'>) =>
    call('POST /users/@me/projects/{id}/reset', { path: { id }, body: confirmation }),
  /** Everything of the project as a ZIP archive, in memory: `posthorn export` writes a large one to a file. */
  export: () => call('GET /export', { as: 'blob' }),
  /** When the public and the secret key were last used. */
  keys: (id: string) => call('GET /projects/{id}/keys', { path: { id } }),
  setupState: (id: string) => call('GET /projects/{id}/setup-state', { path: { id } }),
  security: (id: string) => call('GET /projects/{id}/security', { path: { id } }),
  /** Same as `security`, for your own projects. */
  ownSecurity: (id: string) => call('GET /users/@me/projects/{id}/security', { path: { id } }),
  auditLog: (id: string, query?: Query<'GET /projects/{id}/audit-log'>) =>
    call('GET /projects/{id}/audit-log', { path: { id }, query }),

  members: {
    list: (id: string) => call('GET /projects/{id}/members', { path: { id } }),
    add: (id: string, member: Body<'POST /projects/{id}/members'>) =>
      call('POST /projects/{id}/members', { path: { id }, body: member }),
    update: (id: string, userId: string, changes: Body<'PATCH /projects/{id}/members/{userId}'>) =>
      call('PATCH /projects/{id}/members/{userId}', { path: { id, userId }, body: changes }),
    /** Who else has this open in an editor. With a session, they see that you do too, for 45 seconds. */
    reportEditing: (id: string, editing: Body<'POST /projects/{id}/editing'>) =>
      call('POST /projects/{id}/editing', { path: { id }, body: editing, repeatable: true }),
    remove: (id: string, userId: string) => call('DELETE /projects/{id}/members/{userId}', { path: { id, userId } }),
  },

  invitations: {
    list: (id: string) => call('GET /projects/{id}/invitations', { path: { id } }),
    create: (id: string, invitation: Body<'POST /projects/{id}/invitations'>) =>
      call('POST /projects/{id}/invitations', { path: { id }, body: invitation }),
    delete: (id: string, invitationId: string) =>
      call('DELETE /projects/{id}/invitations/{invitationId}', { path: { id, invitationId } }),
    /** Creates a link to pass on; earlier links to the invitation stop working. */
    createLink: (id: string, invitationId: string) =>
      call('POST /projects/{id}/invitations/{invitationId}/link', { path: { id, invitationId } }),
    /** Returns the project and address of an invitation before it is accepted. */
    preview: (token: string) => call('POST /invitations/preview', { body: { token }, repeatable: true }),
    accept: (token: string) => call('POST /invitations/accept', { body: { token } }),
  },

  billing: {
    checkout: (id: string) => call('POST /users/@me/projects/{id}/checkout', { path: { id } }),
    portal: (id: string) => call('POST /users/@me/projects/{id}/billing-portal', { path: { id } }),
    limits: (id: string) => call('GET /users/@me/projects/{id}/billing-limits', { path: { id } }),
    setLimits: (id: string, limits: Body<'PUT /users/@me/projects/{id}/billing-limits'>) =>
      call('PUT /users/@me/projects/{id}/billing-limits', { path: { id }, body: limits }),
    consumption: (id: string) => call('GET /users/@me/projects/{id}/billing-consumption', { path: { id } }),
    invoices: (id: string) => call('GET /users/@me/projects/{id}/billing-invoices', { path: { id } }),
  },
})

/** Keys with scopes. The public and the secret key of the project are in `projects.keys`. */
export const apiKeys = (call: Call) => ({
  list: (query?: Query<'GET /api-keys'>) => call('GET /api-keys', { query }),
  all: (query?: Query<'GET /api-keys'>) =>
    everyItem<Item<'GET /api-keys'>>((cursor) => call('GET /api-keys', { query: { limit: 100, ...query, cursor } })),
  /** The project, the scopes and the limits of the key in use. */
  me: () => call('GET /me'),
  /** Returns the key itself, which is shown only once. */
  create: (key: Body<'POST /api-keys'>) => call('POST /api-keys', { body: key }),
  update: (id: string, changes: Body<'PATCH /api-keys/{id}'>) =>
    call('PATCH /api-keys/{id}', { path: { id }, body: changes }),
  /** Returns a new key. The old one works for `overlapHours` more, 24 by default. */
  rotate: (id: string, rotation?: Body<'POST /api-keys/{id}/rotate'>) =>
    call('POST /api-keys/{id}/rotate', { path: { id }, body: rotation }),
  /** The key stops working immediately. */
  delete: (id: string) => call('DELETE /api-keys/{id}', { path: { id } }),
})

/** What the keys of the project requested in the last 7 days. */
export const requests = (call: Call) => ({
  list: (query?: Query<'GET /requests'>) => call('GET /requests', { query }),
  all: (query?: Query<'GET /requests'>) =>
    everyItem<Item<'GET /requests'>>((cursor) => call('GET /requests', { query: { limit: 100, ...query, cursor } })),
  /** Finds a request by the request ID of its response. */
  get: (id: string) => call('GET /requests/{id}', { path: { id } }),
})

export const domains = (call: Call) => ({
  list: (projectId: string) => call('GET /domains/project/{projectId}', { path: { projectId } }),
  /** The domains of the key's project, newest first. */
  page: (query?: Query<'GET /domains'>) => call('GET /domains', { query }),
  all: (query?: Query<'GET /domains'>) =>
    everyItem<Item<'GET /domains'>>((cursor) => call('GET /domains', { query: { limit: 100, ...query, cursor } })),
  /** Returns the domain with the DNS records to set. */
  create: (domain: Body<'POST /domains'>) => call('POST /domains', { body: domain }),
  /** Includes findings about its DNS records. */
  get: (id: string) => call('GET /domains/{id}', { path: { id } }),
  /** Checks the DNS records now. */
  verify: (id: string) => call('GET /domains/{id}/verify', { path: { id } }),
  /** Sets, changes or ends the warm-up. */
  update: (id: string, changes: Body<'PATCH /domains/{id}'>) =>
    call('PATCH /domains/{id}', { path: { id }, body: changes }),
  delete: (id: string) => call('DELETE /domains/{id}', { path: { id } }),
})
