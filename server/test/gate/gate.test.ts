/**
 * Every route, over HTTP: how it handles unusual input. `attackers` tests who has access. Routes come from the list the server is
 * built from, so a new one is covered automatically; one that accepts a body must add a valid example to
 * gate-examples.ts. Whatever is sent, the status is below 500, and a refused request changes nothing.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { routes } from '../../app.ts'
import { errorReply } from '../../gate/error-reply.ts'
import { parseJsonBody } from '../../platform/http/bodies/read-body.ts'
import { type Route, validate } from '../../platform/http/route.ts'
import { parseQuery } from '../../platform/http/server.ts'
import { createWorld, nameOf, type Project, pathWith, type World } from '../attackers/world.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import type { ChangedTables } from './changed-tables.ts'
import { EMAIL, EXAMPLES, type Json } from './gate-examples.ts'
import { pathsIn, STRANGE_BODIES, STRANGE_VALUES, withValue } from './strange-values.ts'

let app: TestApp
let world: World
/** For routes that would delete what the others need. */
let spare: Project

beforeAll(async () => {
  app = await openTestApp()
  world = await createWorld(app)
  spare = await createProject(app)
})
afterAll(() => app.close())

/** Calls a route with the credentials it requires. */
async function call(route: Route, text?: string, query = '', headers: Record<string, string> = {}) {
  const own = route.path.endsWith('/reset') ? spare : world.victim
  // A route with a body doesn't delete the resource itself.
  const ids = route.method === 'DELETE' && !route.body ? {} : { ...world.ids, member: world.accounts.memberId }
  const url = pathWith(route, { ...ids, project: own.id }, world.linkToken) + query
  const credentials: Record<Route['access'], Record<string, string>> = {
    open: {},
    session: { cookie: (route.operator ? world.operator : world.victim.owner).cookie },
    project: { authorization: `Bearer ${world.victim.secretKey}` },
    'own-project': { authorization: `Bearer ${own.secretKey}` },
    'public-key': { authorization: `Bearer ${world.victim.publicKey}` },
  }
  const reply = await app.server.inject({
    method: route.method,
    url,
    headers: {
      ...credentials[route.access],
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(text !== undefined && { payload: text }),
  })
  keepCredentials(route, reply)
  return reply
}

/** Some requests invalidate the credentials they are made with, and return new ones. */
function keepCredentials(
  route: Route,
  reply: { statusCode: number; headers: Record<string, unknown>; body: string },
): void {
  if (reply.statusCode >= 300) return
  const cookie = /^token=[^;]+/.exec(String(reply.headers['set-cookie']))?.[0]
  if (route.access === 'session' && cookie) world.victim.owner.cookie = cookie
  if (route.path.endsWith('/regenerate-keys')) Object.assign(world.victim, pick(JSON.parse(reply.body)))
}

const pick = ({ publicKey, secretKey }: { publicKey: string; secretKey: string }) => ({ publicKey, secretKey })

/** Pages for people return an error page; all others return JSON. */
function isRefusal(route: Route, reply: Awaited<ReturnType<typeof call>>): boolean {
  const isPage = String(reply.headers['content-type']).startsWith('text/html')
  if (route.errors) return reply.headers['posthorn-error-code'] !== undefined
  if (route.replies[reply.statusCode]?.contentType) return true
  if (isPage) return route.path.endsWith('/{token}') || route.path.startsWith('/auth/oauth/')
  return isErrorBody(route, reply.statusCode, reply.json())
}

/** Two routes return a bare `{error}` that they declare, all others the envelope. */
function isErrorBody(route: Route, status: number, { error }: { error?: string | { statusCode: number } }): boolean {
  if (typeof error === 'string') return route.replies[status] !== undefined
  return error?.statusCode === status
}

/** Makes each request and reports those that broke the rule. A GET isn't checked for changes. */
async function offenders<T>(
  route: Route,
  inputs: T[],
  show: (input: T) => string,
  send: (input: T) => ReturnType<typeof call>,
) {
  const changes: ChangedTables = route.method === 'GET' ? async () => [] : world.changedTables
  const found: string[] = []
  await changes()
  for (const input of inputs) {
    const reply = await send(input)
    const status = reply.statusCode
    const changed = await changes()
    if (status >= 500) found.push(`${show(input)} → ${status}`)
    else if (status >= 400 && !isRefusal(route, reply)) found.push(`${show(input)} → no envelope`)
    else if (status >= 400 && changed.length > 0) found.push(`${show(input)} → refused, but changed ${changed}`)
  }
  return found
}

/** The response to an error that is thrown before the handler of a route runs, if it breaks the rule. */
function offenceOf(route: Route, error: unknown): string[] {
  const { status, body } = errorReply(error, {
    requestId: randomUUID(),
    now: app.clock.now(),
    baseUrl: app.ctx.baseUrl,
  })
  if (status >= 500) return [`${status}`]
  return isErrorBody(route, status, body as { error?: { statusCode: number } }) ? [] : ['no envelope']
}

const parseAll = (texts: Record<string, string>) =>
  Object.entries(texts).map(([what, text]) => ({ what, text, ...resultOf(() => parseJsonBody(text)) }))
const PARSED_VALUES = parseAll(STRANGE_VALUES)
const PARSED_BODIES = parseAll(STRANGE_BODIES)

/** One of so many queries and bodies that are refused before the handler runs is sent. */
const SENT_EVERY = 7

function resultOf(work: () => unknown): { value?: unknown; error?: unknown } {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}

/** The example as JSON text with one value replaced by other text. */
async function replaced(example: Json, path: string[], text: string): Promise<string> {
  const marked = withValue(example, path, '\u0007here\u0007')
  return (await world.fill(marked)).replace('"\\u0007here\\u0007"', () => text)
}

/** Bodies with more fields, such as the document of an email, would take minutes. */
const PATHS_WITH_ALL_VALUES = 8

/** Every route gets a part of the inputs that no route handles itself, and each input a part of the routes. */
const shareOf = <T>(inputs: readonly T[], at: number, every: number): T[] =>
  inputs.filter((_, index) => (at + index) % every === 0)

/** A stream never ends; server/test/activity/activity-stream.test.ts tests it. */
const ending = routes.filter((route) => route.replies[200]?.contentType !== 'text/event-stream')
const withBody = routes.filter((route) => route.body && !route.upload && !route.form)
/** Nobody has received the campaign here; server/test/campaigns/campaign-report.test.ts tests it with recipients. */
const FOLLOW_UP = 'POST /campaigns/{id}/follow-up'
/** The email of these tests was sent, so it can neither be canceled nor get another time. */
const NOT_PUBLIC = 'POST /campaigns/feed-preview'
const REFUSED = [
  NOT_PUBLIC,
  FOLLOW_UP,
  'POST /campaigns/{id}/experiment/winner',
  'PUT /campaigns/{id}/recurrence', // not a draft
  'PATCH /emails/{id}',
  'POST /emails/{id}/cancel',
  'PATCH /compat/resend/emails/{id}',
  'POST /workflows/{id}/executions/{executionId}/move',
]

it('every table that a request changes is noticed, partitions and the queue included', async () => {
  await world.changedTables()
  const send = routes.find((route) => nameOf(route) === 'POST /v1/send')!
  expect((await call(send, await world.fill({ ...(EMAIL as object), from: 'a@elsewhere.example' }))).statusCode).toBe(
    403,
  )
  expect(await world.changedTables()).toEqual([])
  expect((await call(send, await world.fill(EMAIL))).statusCode).toBe(200)
  const changed = (await world.changedTables()).join(' ')
  for (const table of ['emails_', 'email_contents_', 'usage_changes', 'jobs']) expect(changed).toContain(table)
})

describe('every route', () => {
  it('has a valid example if it accepts a body', async () => {
    for (const route of withBody) {
      expect(EXAMPLES, nameOf(route)).toHaveProperty([nameOf(route)])
      const { statusCode, body } = await call(route, await world.fill(EXAMPLES[nameOf(route)]!))
      if (REFUSED.includes(nameOf(route)))
        expect(statusCode, body).toBe(route.errors || nameOf(route) === NOT_PUBLIC ? 422 : 409)
      else expect(statusCode, `${nameOf(route)}: ${body}`).toBeLessThan(300)
    }
  })

  // The server parses and validates a query and a body before it calls the handler. That takes a fraction of a request, so
  // here the same functions are called directly, and what they accept is sent.
  it.each(ending.map((route, at) => [nameOf(route), route, at] as const))(
    '%s handles any query without an internal error',
    async (_name, route, at) => {
      const names = route.query instanceof z.ZodObject ? Object.keys(route.query.shape) : []
      const values = '1e400 -1 [object] %00 %0d%0a %E0%A4%A %ED%A0%80 %F0%9F%98%80 %25%5F%5C'.split(' ')
      const queries = names.flatMap((name) => [
        ...['', ...values, 'x'.repeat(5_000)].map((value) => `?${name}=${value}`),
        ...[`?${name}=1&${name}=2`, `?${name}[]=1`, `?${name}[a]=1`],
      ])
      queries.push(...shareOf(['?__proto__=1', '?%00', '?=&&=', '?a[b][c]=%E0%A4%A'], at, 2))
      const found: string[] = []
      const sent = queries.filter((query, index) => {
        const { error } = resultOf(() => route.query && validate(route.query, parseQuery(query.slice(1))))
        if (error) found.push(...offenceOf(route, error).map((offence) => `${query} → ${offence}`))
        return !error || (at + index) % SENT_EVERY === 0
      })
      const send = (query: string) => call(route, route.body && '[]', query)
      expect([...found, ...(await offenders(route, sent, (query) => query, send))]).toEqual([])
    },
  )

  it.each(withBody.map((route, at) => [nameOf(route), route, at] as const))(
    '%s handles any body without an internal error',
    async (_name, route, at) => {
      const found: string[] = []
      const sent = PARSED_BODIES.filter(({ what, value, error: unreadable }, index) => {
        const error = unreadable ?? resultOf(() => validate(route.body!, value)).error
        if (error) found.push(...offenceOf(route, error).map((offence) => `${what} → ${offence}`))
        return !error || route.findProject || (at + index) % SENT_EVERY === 0
      })
      const offences = await offenders(
        route,
        sent,
        ({ what }) => what,
        ({ text }) => call(route, text),
      )
      expect([...found, ...offences]).toEqual([])
    },
  )

  it.each(withBody.map((route) => [nameOf(route), route] as const))(
    '%s handles any value in any field without an internal error',
    async (name, route) => {
      const example = EXAMPLES[name]!
      const valid = JSON.parse(await world.fill(example))
      const paths = pathsIn(example)
      // In a large body, each field gets every third value that reaches the handler, and each value every third field.
      const every = paths.length > PATHS_WITH_ALL_VALUES ? 3 : 1
      const inputs = paths.flatMap((path, at) =>
        PARSED_VALUES.map((one, index) => ({ ...one, path, isSent: (at + index) % every === 0 })),
      )
      const show = ({ path, what }: (typeof inputs)[number]) => `${path.join('.')} = ${what}`
      const found: string[] = []
      const accepted = inputs.filter((input) => {
        const { error = resultOf(() => validate(route.body!, withValue(valid, input.path, input.value))).error } = input
        if (error) found.push(...offenceOf(route, error).map((offence) => `${show(input)} → ${offence}`))
        return !error || route.findProject // which reads the body before it is validated
      })
      const sent = accepted.filter((input) => input.isSent)
      const send = async ({ path, text }: (typeof inputs)[number]) => call(route, await replaced(example, path, text))
      expect([...found, ...(await offenders(route, sent, show, send))]).toEqual([])
    },
  )

  it.each(ending.map((route, at) => [nameOf(route), route, at] as const))(
    '%s handles unusual headers and methods without an internal error',
    async (_name, route, at) => {
      const odd: Record<string, string>[] = [
        { 'content-type': '' },
        { 'content-type': 'nonsense' },
        { 'content-type': 'multipart/form-data' },
        { 'content-type': 'application/json; charset=utf-16' },
        { 'content-encoding': 'gzip' },
        { 'content-length': '7' },
        { 'x-project-id': '\u00ff' },
        { accept: 'image/png' },
        { origin: 'http://[' },
        { cookie: 'token=%' },
        { cookie: `token=${'a.'.repeat(1000)}` },
      ]
      const text = route.body && '[]'
      expect(
        await offenders(
          route,
          shareOf(odd, at, 3),
          (headers) => JSON.stringify(headers),
          (headers) => call(route, text, '', headers),
        ),
      ).toEqual([])
      const methods = ['PUT', 'OPTIONS', 'DELETE'] as const
      const others = methods.filter((method) => !routes.some((r) => r.method === method && r.path === route.path))
      expect(
        await offenders(
          route,
          shareOf(others, at, 2),
          (method) => method,
          (method) => call({ ...route, method: method as 'PUT' }, '{}'),
        ),
      ).toEqual([])
    },
  )
})
