/**
 * An installation for attacks on every route: the project of a victim with one resource of each kind, another project
 * with the same, and the people. Everything that the victim wrote contains `MARK`, so a response that shows any of it is
 * recognized. The tests of the gate send their requests here too.
 */
import { randomUUID } from 'node:crypto'
import { preferenceToken } from '../../features/audience/preferences/actions.ts'
import { SCOPE_AREAS } from '../../kernel/scopes.ts'
import type { Route } from '../../platform/http/route.ts'
import { watchTables } from '../gate/changed-tables.ts'
import { createAccounts } from '../gate/gate-accounts.ts'
import { CAMPAIGN, EMAIL, EXAMPLES, type Json, LAYOUT, SAVED_BLOCKS, TEMPLATE } from '../gate/gate-examples.ts'
import { createWorkflow } from '../gate/gate-workflows.ts'
import { createProject, signUp, type TestApp } from '../harness.ts'
import { png } from '../uploads/images.ts'
import { uploadFile } from '../uploads/upload.ts'

export type Project = Awaited<ReturnType<typeof createProject>>
export type World = Awaited<ReturnType<typeof createWorld>>

/** One ID of each kind of resource, by the name it has in paths. */
export type Ids = Record<string, string>

export const MARK = 'only the victim knows this'

export const nameOf = (route: Route) => `${route.method} ${route.path}`

export async function createWorld(app: TestApp) {
  const operator = await signUp(app) // the first account
  const [victim, other] = [await createProject(app, MARK), await createProject(app)]
  const accounts = await createAccounts(app, victim)
  const [admin, member] = [await newMember(app, victim, 'ADMIN'), await newMember(app, victim, 'MEMBER')]
  const workflow = await createWorkflow(app, victim)
  const ids = await createResources(app, victim, workflow)
  const otherIds = await createResources(app, other, await createWorkflow(app, other))
  await app.drain()
  const changedTables = await watchTables(app)

  /** The text of a body with the IDs and codes that its words in braces stand for. */
  const fill = (body: Json): Promise<string> =>
    accounts.fill(
      workflow
        .fill(JSON.stringify(body))
        .replaceAll('{project}', victim.id)
        .replaceAll('{contact}', ids.contact!)
        .replaceAll('{segment}', ids.segment!)
        .replaceAll('{template}', ids.template!),
    )
  return {
    operator,
    victim,
    other,
    admin,
    member,
    accounts,
    workflow,
    ids,
    otherIds,
    changedTables,
    fill,
    /** A valid body of a route, if it accepts one. */
    bodyOf: async (route: Route) => (route.body ? fill(EXAMPLES[nameOf(route)] ?? {}) : undefined),
    scopedKeys: await createScopedKeys(app, victim),
    otherKey: (await createKey(app, other, { scopes: ['full'] })).key,
    linkToken: preferenceToken(app.ctx.secrets, victim.id, ids.contact!),
  }
}

const createKey = async (app: TestApp, { secretKey: key }: Project, limits: object) =>
  (await app.request('POST', '/api-keys', { key, body: { name: 'A key', ...limits } })).body as {
    id: string
    key: string
  }

/** Keys of the project by their scopes, and keys that no longer work. */
async function createScopedKeys(app: TestApp, project: Project) {
  const withScopes = async (...scopes: string[]) => (await createKey(app, project, { scopes })).key
  const [deleted, rotated] = [
    await createKey(app, project, { scopes: ['full'] }),
    await createKey(app, project, { scopes: ['full'] }),
  ]
  const key = project.secretKey
  await app.request('DELETE', `/api-keys/${deleted.id}`, { key })
  await app.request('POST', `/api-keys/${rotated.id}/rotate`, { key, body: { overlapHours: 0 } })
  const expired = await createKey(app, project, { scopes: ['full'] })
  await app.pool.query(`update api_keys set expires_at = now() - interval '1 day' where id = $1`, [expired.id])
  return {
    sends: await withScopes('send'),
    tracks: await withScopes('track'),
    reads: await withScopes(...SCOPE_AREAS.map((area) => `${area}:read`)),
    writes: await withScopes(...SCOPE_AREAS.map((area) => `${area}:write`)),
    elsewhere: (await createKey(app, project, { scopes: ['full'], allowedIps: ['203.0.113.7'] })).key,
    deleted: deleted.key,
    rotated: rotated.key,
    expired: expired.key,
  }
}

async function newMember(app: TestApp, { id, secretKey: key }: Project, role: string) {
  const person = await signUp(app)
  await app.request('POST', `/projects/${id}/members`, { key, body: { email: person.email, role } })
  return person
}

async function createResources(
  app: TestApp,
  project: Project,
  workflow: Awaited<ReturnType<typeof createWorkflow>>,
): Promise<Ids> {
  const make = async (path: string, body: unknown) =>
    (await app.request('POST', path, { key: project.secretKey, body })).body
  const named = (body: Json) => ({ ...(body as object), name: MARK })
  const contact = await make('/contacts', { email: 'someone@example.org', data: { note: MARK } })
  const sent = await make('/v1/send', { ...(EMAIL as object), to: 'a@example.org', subject: MARK })
  const graph = await app.request('GET', `/workflows/${workflow.id}`, { key: project.secretKey })
  const endpoint = await make('/webhook-endpoints', {
    url: 'http://127.0.0.1:9/hook',
    eventTypes: ['*'],
    description: MARK,
  })
  await make(`/webhook-endpoints/${endpoint.id}/test`, {}) // a port that is never called
  const log = await app.request('GET', `/webhook-endpoints/${endpoint.id}/deliveries`, { key: project.secretKey })
  const form = { key: project.secretKey, field: 'image', parts: { name: MARK, folder: MARK, alt: MARK } }
  const image = await uploadFile(app, '/uploads/image', png(), form)
  await app.services.requestLog.flush()
  const requests = await app.request('GET', '/requests', { key: project.secretKey })
  return {
    'webhook endpoint': endpoint.id,
    request: requests.body.data[0].id,
    delivery: log.body.data[0].id,
    contact: contact.id,
    form: (await make('/forms', { name: MARK })).id,
    topic: (await make('/topics', { key: 'marked', name: MARK })).id,
    template: (await make('/templates', named(TEMPLATE))).id,
    campaign: (await make('/campaigns', named(CAMPAIGN))).id,
    layout: (await make('/layouts', named(LAYOUT))).id,
    image: image.body.id,
    'saved block': (await make('/saved-blocks', named(SAVED_BLOCKS))).id,
    segment: (await make('/segments', { name: MARK, type: 'STATIC', trackMembership: true })).id,
    workflow: workflow.id,
    step: workflow.stepId,
    transition: graph.body.transitions?.[0]?.id ?? randomUUID(),
    execution: (await make(`/workflows/${workflow.id}/executions`, { contactId: contact.id })).id,
    email: sent.data.emails[0].email,
    domain: (await make('/domains', { domain: `${randomUUID().slice(0, 8)}.example` })).id,
    job: (await make('/contacts/bulk-subscribe', { contactIds: [contact.id] })).jobId,
    invitation: (await make(`/projects/${project.id}/invitations`, { email: 'x@example.org', role: 'MEMBER' })).id,
    'API key': (await make('/api-keys', { name: MARK, scopes: ['full'] })).id,
    member: project.owner.id,
    project: project.id,
  }
}

/** Values for parameters that aren't IDs. */
const TEXTS: Record<string, string> = { number: '1', n: '0', provider: 'oidc', name: 'a-name', field: 'plan' }

/** The path of a route with the given IDs; a token is that of a link in an email. */
export function pathWith(route: Route, ids: Ids, token: string): string {
  return route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const kind = route.params?.[name]
    if (kind !== undefined && kind !== 'text') return ids[kind.resource] ?? randomUUID()
    return name === 'token' ? token : name === 'projectId' ? ids.project! : (TEXTS[name] ?? 'x')
  })
}
