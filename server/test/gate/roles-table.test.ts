/** Permissions in a project as a table: each row is an endpoint, each column a kind of caller. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../app.ts'
import type { Route } from '../../platform/http/route.ts'
import { createProject, openTestApp, signUp, type TestApp, type TestRequest } from '../harness.ts'

type Project = Awaited<ReturnType<typeof createProject>>
type Person = Awaited<ReturnType<typeof signUp>>

const CALLERS = ['owner', 'admin', 'member', 'key', 'public key', 'other user', 'other key', 'nobody'] as const
type Callers = Record<(typeof CALLERS)[number], TestRequest>

let app: TestApp
let project: Project
let callers: Callers
/** New for every cell, so that what one caller changes doesn't affect the next. */
let target: { id: string; email: string; invitation: string; key: string }

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  const other = await createProject(app)
  const [admin, member] = [await newMember('ADMIN'), await newMember('MEMBER')]
  callers = {
    owner: { cookie: project.owner.cookie, projectId: project.id },
    admin: { cookie: admin.cookie, projectId: project.id },
    member: { cookie: member.cookie, projectId: project.id },
    key: { key: project.secretKey },
    'public key': { key: project.publicKey },
    'other user': { cookie: other.owner.cookie, projectId: project.id },
    'other key': { key: other.secretKey },
    nobody: {},
  }
})
afterAll(() => app.close())

async function newMember(role: string): Promise<Person> {
  const person = await signUp(app)
  await app.request('POST', `/projects/${project.id}/members`, {
    key: project.secretKey,
    body: { email: person.email, role },
  })
  return person
}

/** Rows are written directly to the database, because hashing passwords takes time. */
async function newTarget(isMember: boolean) {
  const [id, invitation] = [randomUUID(), randomUUID()]
  const email = `${id}@example.org`
  await app.pool.query('insert into users (id, email, created_at, updated_at) values ($1, $2, now(), now())', [
    id,
    email,
  ])
  if (isMember) {
    await app.pool.query(
      `insert into members (project_id, user_id, role, created_at) values ($1, $2, 'MEMBER', now())`,
      [project.id, id],
    )
  }
  await app.pool.query(
    `insert into invitations (project_id, id, email, role, token_hash, created_at, expires_at)
     values ($1, $2, $3, 'MEMBER', $4, now(), now() + interval '1 day')`,
    [project.id, invitation, `${invitation}@example.org`, Buffer.from(invitation)],
  )
  const key = randomUUID()
  await app.pool.query('delete from api_keys') // a project can have only 100
  await app.pool.query(
    `insert into api_keys (project_id, id, name, prefix, scopes, created_by_type, created_by_name, created_at, updated_at)
     values ($1, $2, 'A key', 'phk_', '{send}', 'key', 'Secret key', now(), now())`,
    [project.id, key],
  )
  return { id, email, invitation, key }
}

const fill = (text: string) =>
  text
    .replaceAll('{id}', project.id)
    .replaceAll('{user}', target.id)
    .replaceAll('{owner}', project.owner.id)
    .replaceAll('{invitation}', target.invitation)
    .replaceAll('{key}', target.key)
    .replaceAll('{email}', target.email)

/** owner, admin, member, key, public key, other user, other key, nobody */
const TABLE: Array<[endpoint: string, body: object | undefined, ...statuses: number[]]> = [
  ['GET /projects/{id}/members', undefined, 200, 200, 200, 200, 401, 404, 404, 401],
  ['POST /projects/{id}/members', { email: '{email}', role: 'ADMIN' }, 201, 201, 403, 201, 401, 404, 404, 401],
  ['PATCH /projects/{id}/members/{user}', { role: 'ADMIN' }, 200, 200, 403, 200, 401, 404, 404, 401],
  ['PATCH /projects/{id}/members/{user}', { role: 'OWNER' }, 403, 403, 403, 403, 401, 404, 404, 401],
  ['PATCH /projects/{id}/members/{owner}', { role: 'MEMBER' }, 403, 403, 403, 403, 401, 404, 404, 401],
  ['DELETE /projects/{id}/members/{user}', undefined, 204, 204, 403, 204, 401, 404, 404, 401],
  ['DELETE /projects/{id}/members/{owner}', undefined, 403, 403, 403, 403, 401, 404, 404, 401],
  ['GET /projects/{id}/invitations', undefined, 200, 200, 403, 200, 401, 404, 404, 401],
  ['POST /projects/{id}/invitations', { email: '{email}', role: 'MEMBER' }, 201, 201, 403, 201, 401, 404, 404, 401],
  ['DELETE /projects/{id}/invitations/{invitation}', undefined, 204, 204, 403, 204, 401, 404, 404, 401],
  ['GET /projects/{id}/audit-log', undefined, 200, 200, 403, 200, 401, 404, 404, 401],
  ['GET /api-keys', undefined, 200, 200, 200, 200, 401, 403, 200, 401],
  ['POST /api-keys', { name: 'Shop', scopes: ['send'] }, 201, 201, 403, 201, 401, 403, 201, 401],
  ['PATCH /api-keys/{key}', { name: 'Shop' }, 200, 200, 403, 200, 401, 403, 404, 401],
  ['POST /api-keys/{key}/rotate', {}, 200, 200, 403, 200, 401, 403, 404, 401],
  ['DELETE /api-keys/{key}', undefined, 204, 204, 403, 204, 401, 403, 404, 401],
  ['GET /projects/{id}/setup-state', undefined, 200, 200, 200, 200, 401, 404, 404, 401],
  ['GET /projects/{id}/security', undefined, 200, 200, 200, 200, 401, 404, 404, 401],
  ['GET /users/@me/projects/{id}/security', undefined, 200, 200, 200, 200, 401, 404, 404, 401],
  ['PATCH /users/@me/projects/{id}', { name: 'Test project' }, 200, 200, 403, 200, 401, 404, 404, 401],
  ['GET /users/@me/projects/{id}/billing-limits', undefined, 200, 200, 200, 200, 401, 404, 404, 401],
  ['PUT /users/@me/projects/{id}/billing-limits', { inbound: 9 }, 200, 200, 403, 200, 401, 404, 404, 401],
  ['GET /users/@me/projects/{id}/billing-consumption', undefined, 200, 200, 200, 200, 401, 404, 404, 401],
  ['GET /users/@me/projects/{id}/billing-invoices', undefined, 404, 404, 403, 404, 401, 404, 404, 401],
  ['POST /users/@me/projects/{id}/checkout', {}, 404, 404, 403, 404, 401, 404, 404, 401],
  ['POST /users/@me/projects/{id}/billing-portal', {}, 404, 404, 403, 404, 401, 404, 404, 401],
  ['GET /domains/project/{id}', undefined, 200, 200, 200, 200, 401, 404, 404, 401],
  ['GET /users/@me/projects', undefined, 200, 200, 200, 401, 401, 200, 401, 401],
  ['POST /users/@me/projects', { name: 'Mine' }, 201, 201, 201, 401, 401, 201, 401, 401],
  ['GET /users/@me', undefined, 200, 200, 200, 401, 401, 200, 401, 401],
  ['PATCH /users/@me', { language: 'de' }, 200, 200, 200, 401, 401, 200, 401, 401],
  ['GET /auth/sessions', undefined, 200, 200, 200, 401, 401, 200, 401, 401],
  ['GET /auth/two-factor', undefined, 200, 200, 200, 401, 401, 200, 401, 401],
  ['POST /users/@me/projects/{id}/reset', { confirm: 'Test project' }, 200, 200, 403, 200, 401, 404, 404, 401],
]

describe('the table of roles', () => {
  it.each(TABLE)('%s %j', async (endpoint, body, ...statuses) => {
    const [method, path] = endpoint.split(' ') as [string, string]
    const isMember = path.includes('{user}')
    const got: Record<string, number> = {}
    for (const caller of CALLERS) {
      target = await newTarget(isMember)
      const options = { ...callers[caller], ...(body && { body: JSON.parse(fill(JSON.stringify(body))) }) }
      got[caller] = (await app.request(method, fill(path), options)).status
    }
    expect(got).toEqual(Object.fromEntries(CALLERS.map((caller, i) => [caller, statuses[i]])))
  })

  it('includes new keys, whose row replaces the keys it uses', async () => {
    const path = `/users/@me/projects/${project.id}/regenerate-keys`
    for (const [caller, status] of [
      ['member', 403],
      ['public key', 401],
      ['other user', 404],
      ['other key', 404],
      ['nobody', 401],
      ['owner', 200],
      ['admin', 200],
    ] as const) {
      expect([caller, (await app.request('POST', path, callers[caller])).status]).toEqual([caller, status])
    }
  })
})

describe('every route of a project', () => {
  const named = (route: Route) => `${route.method} ${route.path}`
  const ofProject = routes.filter((route) => route.access === 'own-project' && /projects?\/\{/.test(route.path))

  it('requires a role if it changes more than the project’s contents', () => {
    const open = ofProject.filter((route) => route.method !== 'GET' && !route.readOnly && !route.role).map(named)
    expect(open).toEqual([])
  })
})
