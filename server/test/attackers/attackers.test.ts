/**
 * Every actor calls every route with a valid body and the IDs of the victim. What an actor may not call is derived from
 * what the route declares (actors.ts). A refused request has the right code, shows nothing of the victim and changes
 * nothing. IDs of the victim in the requests of another project are treated like IDs that don't exist.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { routes } from '../../app.ts'
import type { Route } from '../../platform/http/route.ts'
import { openTestApp, type TestApp } from '../harness.ts'
import { type Actor, createActors } from './actors.ts'
import { BODIES_WITH_IDS } from './bodies-with-ids.ts'
import { createWorld, MARK, nameOf, pathWith, type World } from './world.ts'

let app: TestApp
let world: World
let actors: Record<string, Actor>

beforeAll(async () => {
  app = await openTestApp()
  world = await createWorld(app)
  actors = createActors(world, await storedCredentials())
})
afterAll(() => app.close())

/** What the database contains instead of keys, passwords, tokens and sessions. */
async function storedCredentials(): Promise<Record<string, string>> {
  const { rows } = await app.pool.query<{ what: string; value: string }>(
    `select 'the hash of a key' as what, encode(hash, 'hex') as value from project_keys
     union all select 'the hash of a password', password_hash from users where password_hash is not null
     union all select 'the hash of a token', encode(hash, 'hex') from account_tokens
     union all select 'the hash of an invitation', encode(token_hash, 'hex') from invitations
     union all select 'the hash of an API key', encode(hash, 'hex') from api_key_secrets
     union all select 'the id of a session', id::text from sessions`,
  )
  const byKind = Object.fromEntries(rows.map(({ what, value }) => [what, value]))
  expect(Object.keys(byKind)).toHaveLength(6)
  return byKind
}

const call = async (route: Route, headers: Record<string, string>, ids = world.ids, body?: string) => {
  const reply = await app.server.inject({
    method: route.method,
    url: pathWith(route, ids, world.linkToken),
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { payload: body }),
  })
  return { status: reply.statusCode, text: reply.body, headers: reply.headers }
}

/** Errors in the form of another service have their code in a header. */
const codeOf = ({ text, headers }: Awaited<ReturnType<typeof call>>): string =>
  String(headers['posthorn-error-code'] ?? JSON.parse(text).error.code)

const STATUSES: Record<string, number> = {
  MISSING_AUTH: 401,
  INVALID_API_KEY: 401,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  PROJECT_ACCESS_DENIED: 403,
  RESOURCE_NOT_FOUND: 404,
}

/** What is wrong with the response to a request that must be refused. */
function problemsWith(reply: Awaited<ReturnType<typeof call>>, refusal: string): string[] {
  const { status, text, headers } = reply
  const code = codeOf(reply)
  const hasOwnStatus = headers['posthorn-error-code'] !== undefined
  const problems: string[] = []
  if (!refusal.includes(code) || (STATUSES[code] !== status && !hasOwnStatus) || status < 400)
    problems.push(`${status} ${code} instead of ${refusal}`)
  if (text.includes(MARK)) problems.push('shows what the victim wrote')
  return problems
}

/** A stream never ends; server/test/activity/activity-stream.test.ts tests it. */
const isStream = (route: Route) => route.replies[200]?.contentType === 'text/event-stream'
const named = (list: Route[]) => list.map((route) => [nameOf(route), route] as const)

/** One of so many routes with the same access is called. */
const ATTEMPTS_EVERY = 4

/** Invalid credentials are refused before the route matters. So each route gets a part of them, and each of them a part of the routes. */
const attemptsOn = (actor: Actor, at: number, every: number) =>
  Object.entries(actor.attempts).filter(([what], i) => !actor.isUnknown || what === 'nothing' || (at + i) % every === 0)

describe('only those who may can call', () => {
  // Each kind of access handles credentials differently.
  const kinds = [...new Set(routes.map(({ access }) => access))].filter((access) => access !== 'open')
  const closed = kinds.flatMap((access) => {
    const list = routes.filter((route) => route.access === access)
    const every = Math.min(ATTEMPTS_EVERY, list.length)
    return list.map((route, at) => [nameOf(route), route, at, every] as const)
  })

  it.each(closed)('%s', async (_name, route, at, every) => {
    const body = await world.bodyOf(route)
    await world.changedTables()
    const found: string[] = []
    for (const [who, actor] of Object.entries(actors)) {
      if (actor.may(route)) continue
      for (const [what, headers] of attemptsOn(actor, at, every)) {
        const reply = await call(route, headers, world.ids, body)
        found.push(...problemsWith(reply, actor.refusal(route)).map((problem) => `${who} with ${what}: ${problem}`))
      }
    }
    expect(found).toEqual([])
    expect(await world.changedTables()).toEqual([])
  })

  it('and each actor may call something and may not call something', () => {
    for (const [who, actor] of Object.entries(actors)) {
      const allowed = routes.filter((route) => actor.may(route))
      expect([who, allowed.length > 0, allowed.length < routes.length]).toEqual([who, true, true])
    }
  })
})

it('every kind of ID in a path exists for the victim', () => {
  const kinds = new Set(
    routes.flatMap(({ params }) =>
      Object.values(params ?? {}).flatMap((kind) => (kind === 'text' ? [] : kind.resource)),
    ),
  )
  const personal = ['session', 'message'] // of an account and of the operator
  expect([...kinds].filter((kind) => !(kind in world.ids) && !personal.includes(kind))).toEqual([])
})

const FOREIGN: Record<string, string>[] = [
  { origin: 'https://evil.test' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
]

describe('a browser that shows a page of someone else', () => {
  const changing = routes.filter(({ method, access }) => method !== 'GET' && access !== 'public-key')

  it.each(named(changing.filter(({ form, raw }) => !form && !raw)))('changes nothing with %s', async (_name, route) => {
    const body = await world.bodyOf(route)
    const session = { cookie: world.victim.owner.cookie, 'x-project-id': world.victim.id }
    await world.changedTables()
    for (const headers of FOREIGN) {
      const reply = await call(route, { ...session, ...headers }, world.ids, body)
      const status = route.errors ? reply.status : 403
      expect([headers, reply.status, codeOf(reply)]).toEqual([headers, status, 'FORBIDDEN'])
    }
    expect(await world.changedTables()).toEqual([])
  })

  it.each(named(routes.filter((route) => route.method === 'GET' && !isStream(route))))(
    'changes nothing as an image of %s',
    async (_name, route) => {
      const session = { cookie: world.victim.owner.cookie, 'x-project-id': world.victim.id }
      await world.changedTables()
      const reply = await call(route, { ...session, 'sec-fetch-dest': 'image' })
      expect(reply.headers['set-cookie']).toBeUndefined()
      expect(await world.changedTables()).toEqual([])
    },
  )
})

describe('another project', () => {
  /** A response without the ID in question and without values that always differ. */
  const essence = ({ status, text }: { status: number; text: string }, id: string) =>
    `${status} ${text}`.replaceAll(id, 'ID').replaceAll(/"(requestId|timestamp)":"[^"]*"/g, '')
  const ofProjects = routes.filter(({ access }) => access === 'project' || access === 'own-project')
  const withIds = ofProjects.filter(({ params }) => Object.values(params ?? {}).some((kind) => kind !== 'text'))

  it.each(named(withIds))('can’t tell IDs of the victim from unknown ones in %s', async (_name, route) => {
    const key = { authorization: `Bearer ${world.other.secretKey}` }
    const body = await world.bodyOf(route)
    const kinds = Object.values(route.params ?? {}).flatMap((kind) => (kind === 'text' ? [] : kind.resource))
    await world.changedTables()
    // Each ID in turn is foreign, behind IDs of the caller's own; then all of them.
    const places = [...kinds.map((kind) => [kind]), kinds].slice(0, kinds.length > 1 ? undefined : 1)
    const values = Object.entries(world.ids).filter(([kind]) => kind !== 'member' || kinds.includes('member'))
    for (const place of places) {
      const withId = (id: string) => ({
        ...world.otherIds,
        ...Object.fromEntries(place.map((kind) => [kind, id])),
      })
      const unknown = randomUUID()
      const expected = essence(await call(route, key, withId(unknown), body), unknown)
      for (const [kind, id] of values) {
        expect(essence(await call(route, key, withId(id), body), id), `${kind} as ${place.join(' and ')}`).toBe(
          expected,
        )
      }
    }
    expect(await world.changedTables()).toEqual([])
  })

  const queries = ofProjects
    .filter((route) => route.query instanceof z.ZodObject && !route.params && !isStream(route))
    .flatMap((route) =>
      Object.keys((route.query as unknown as z.ZodObject).shape)
        .filter((name) => /Id$|^cursor$|^search$/.test(name))
        .map((name) => [`${nameOf(route)}?${name}`, route, name] as const),
    )

  it.each(queries)('can’t tell IDs of the victim from unknown ones in %s', async (_name, route, name) => {
    const request = async (id: string) => {
      const { status, body } = await app.request(route.method, `${route.path}?${name}=${id}`, {
        key: world.other.secretKey,
      })
      return essence({ status, text: JSON.stringify(body) }, id)
    }
    const expected = await request(randomUUID())
    for (const [kind, id] of Object.entries(world.ids)) expect(await request(id), kind).toBe(expected)
  })

  it.each(named(ofProjects.filter((route) => route.method === 'GET' && !isStream(route))))(
    'sees nothing of the victim with %s',
    async (_name, route) => {
      const reply = await call(route, { authorization: `Bearer ${world.other.secretKey}` }, world.otherIds)
      expect(reply.text).not.toContain(world.victim.id)
      for (const id of Object.values(world.ids)) expect(reply.text).not.toContain(id)
    },
  )

  it.each(BODIES_WITH_IDS)(
    'can’t tell IDs of the victim from unknown ones in the body of %s (%#)',
    async (name, bodyWith) => {
      const [method, template] = name.split(' ') as [string, string]
      const path = template.replaceAll(/\{(\w+)\}/g, (_all, kind: string) => world.otherIds[kind]!)
      const request = (id: string) =>
        app.request(method, path, { key: world.other.secretKey, body: bodyWith(id, world.otherIds) })
      const unknown = randomUUID()
      const first = await request(unknown)
      expect(first.status).toBeGreaterThanOrEqual(400)
      const expected = essence({ status: first.status, text: JSON.stringify(first.body) }, unknown)
      await world.changedTables()
      for (const [kind, id] of Object.entries(world.ids)) {
        const { status, body } = await request(id)
        expect(essence({ status, text: JSON.stringify(body) }, id), kind).toBe(expected)
      }
      expect(await world.changedTables()).toEqual([])
    },
  )

  it.each(['subscribe', 'unsubscribe', 'delete'])('changes no contacts of the victim with bulk-%s', async (action) => {
    const key = world.other.secretKey
    const rows = async () =>
      (await app.pool.query('select * from contacts where project_id = $1', [world.victim.id])).rows
    const before = await rows()
    const contactIds = Object.values(world.ids)
    const { status, body } = await app.request('POST', `/contacts/bulk-${action}`, { key, body: { contactIds } })
    expect(status).toBe(202)
    await app.drain()
    const job = await app.request('GET', `/contacts/bulk/${body.jobId}`, { key })
    expect(job.body.result).toMatchObject({ successCount: 0, failureCount: contactIds.length })
    expect(await rows()).toEqual(before)
  })
})
