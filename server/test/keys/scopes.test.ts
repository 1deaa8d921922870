/** Every route is called with every scope. IDs in paths don't exist, so nothing changes. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../app.ts'
import { ANY_SCOPE, hasScope, SCOPES } from '../../kernel/scopes.ts'
import { type Route, scopeOf } from '../../platform/http/route.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let secretKey: string
let keys: Array<{ scope: string; key: string }>

beforeAll(async () => {
  app = await openTestApp()
  secretKey = (await createProject(app)).secretKey
  keys = await Promise.all(
    SCOPES.map(async (scope) => {
      const body = { name: scope, scopes: [scope] }
      return { scope, key: (await app.request('POST', '/api-keys', { key: secretKey, body })).body.key }
    }),
  )
})
afterAll(() => app.close())

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const keyed = routes.filter((route) => ![undefined, ANY_SCOPE].includes(scopeOf(route)))
const isStream = (route: Route) => route.replies[200]?.contentType === 'text/event-stream'

describe('a key with one scope', () => {
  it.each(keyed.map((route) => [nameOf(route), route] as const))(
    'is refused unless it includes that of %s',
    async (_name, route) => {
      const required = scopeOf(route)!
      const url = route.path.replaceAll(/\{\w+\}/g, () => randomUUID())
      const wrong = await Promise.all(
        keys.map(async ({ scope, key }) => {
          const isAllowed = hasScope([scope], required)
          if (isAllowed && isStream(route)) return []
          const { status, body, headers } = await app.request(route.method, url, {
            key,
            ...(route.body && { body: {} }),
          })
          if (isAllowed) return status === 401 || status === 403 ? [`${scope}: ${status}`] : []
          // In the form of another service, its code is in a header.
          if (route.errors && headers['posthorn-error-code'] === 'FORBIDDEN') return []
          const expected =
            status === 403 && body.error.code === 'FORBIDDEN' && body.error.details.requiredScope === required
          return expected ? [] : [`${scope}: ${status} ${JSON.stringify(body)}`]
        }),
      )
      expect(wrong.flat()).toEqual([])
    },
  )
})

it('docs/keys.md lists every scope', async () => {
  const page = await readFile(path.resolve(import.meta.dirname, '../../../docs/keys.md'), 'utf8')
  const table = page.slice(page.indexOf('## Scopes'), page.indexOf('`:read` allows'))
  const listed = [...table.matchAll(/`([a-z:]+)`(?=[,\s|].*\|)/g)].map((match) => match[1]!)
  expect(SCOPES.filter((scope) => !listed.includes(scope))).toEqual([])
})

describe('the scope of a route', () => {
  const byName = Object.fromEntries(keyed.map((route) => [nameOf(route), scopeOf(route)]))

  it.each([
    ['POST /v1/send', 'send'],
    ['POST /v1/track', 'track'],
    ['POST /events/track', 'track'],
    ['POST /v1/verify', 'verify'],
    ['GET /contacts', 'contacts:read'],
    ['POST /contacts/lookup', 'contacts:read'],
    ['GET /contacts/{id}/timeline', 'contacts:read'],
    ['POST /contacts/import', 'contacts:write'],
    ['POST /segments/preview', 'segments:read'],
    ['POST /campaigns/audience-preview', 'campaigns:read'],
    ['POST /templates/preview', 'templates:read'],
    ['POST /templates/check', 'templates:read'],
    ['POST /templates/test', 'templates:write'],
    ['GET /templates/gallery', 'templates:read'],
    ['POST /layouts', 'templates:write'],
    ['DELETE /saved-blocks/{id}', 'templates:write'],
    ['POST /workflows/{id}/simulate', 'workflows:read'],
    ['GET /workflows/webhook-secret', 'workflows:write'],
    ['POST /emails/{id}/resend', 'emails:write'],
    ['POST /emails/{id}/simulate', 'emails:write'],
    ['GET /activity/stream', 'analytics:read'],
    ['GET /analytics/timeseries', 'analytics:read'],
    ['GET /tags', 'project:read'],
    ['GET /projects/{id}/audit-log', 'project:read'],
    ['POST /projects/{id}/members', 'project:write'],
    ['PATCH /users/@me/projects/{id}', 'project:write'],
    ['POST /users/@me/projects/{id}/billing-portal', 'project:write'],
    ['POST /uploads/image', 'uploads:write'],
    ['GET /api-keys', 'project:read'],
  ])('%s is %s', (name, scope) => expect(byName[name]).toBe(scope))

  it('is full access only for what manages keys or reads everything, so every tag is listed', () => {
    expect(
      Object.keys(byName)
        .filter((name) => byName[name] === 'full')
        .sort(),
    ).toEqual([
      'DELETE /api-keys/{id}',
      'GET /export',
      'PATCH /api-keys/{id}',
      'POST /api-keys',
      'POST /api-keys/{id}/rotate',
      'POST /users/@me/projects/{id}/regenerate-keys',
    ])
  })
})

describe('GET /me', () => {
  it('shows the project, the key and the limits to every key that can do more than track events', async () => {
    const body = { name: 'Shop', scopes: ['send'], allowedIps: ['127.0.0.0/8'] }
    const { body: created } = await app.request('POST', '/api-keys', { key: secretKey, body })
    const { status, body: me } = await app.request('GET', '/me', { key: created.key })
    expect(status).toBe(200)
    expect(me).toEqual({
      project: { id: expect.any(String), name: 'Test project' },
      key: { id: created.id, type: 'scoped', expiresAt: null, test: false, ...body },
      limits: {
        requestsPerMinute: null,
        messageMb: expect.any(Number),
        attachmentsMb: expect.any(Number),
        emails: expect.objectContaining({ transactional: { limit: null, used: 0 } }),
      },
    })
    expect((await app.request('GET', '/me', { key: secretKey })).body.key).toMatchObject({ id: null, type: 'secret' })
    const tracking = keys.find(({ scope }) => scope === 'track')!
    expect((await app.request('GET', '/me', { key: tracking.key })).status).toBe(403)
  })
})
