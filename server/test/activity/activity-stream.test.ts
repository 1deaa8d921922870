/**
 * The activity stream over real connections: what it sends, what it sends after a reconnect, and that nothing stays
 * open.
 */
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect as openSocket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildApp, buildServices } from '../../app.ts'
import type { Context } from '../../context.ts'
import { STREAMS_MAX } from '../../features/insight/activity/stream.ts'
import { openDatabase } from '../../platform/database/connection/connect.ts'
import { createProject, openTestApp, signUp, type TestApp } from '../harness.ts'

type Project = Awaited<ReturnType<typeof createProject>>

let app: TestApp
let project: Project
let other: Project
const open: ClientRequest[] = []

beforeAll(async () => {
  app = await openTestApp()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  project = await createProject(app)
  other = await createProject(app)
})
afterAll(() => app.close())
afterEach(async () => {
  for (const each of open.splice(0)) each.destroy()
  await vi.waitFor(async () => expect(await listeners()).toBe(0))
})

/** Database connections that listen for streams. */
const listeners = async () =>
  (
    await app.pool.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'posthorn listening'`,
    )
  ).rows[0]!.n

interface Item {
  id: string
  type: string
  metadata: Record<string, unknown>
}

async function connect(headers: Record<string, string>, server = app.server) {
  const { port } = server.server.address() as AddressInfo
  const sent = request({ host: '127.0.0.1', port, path: '/activity/stream', headers })
  sent.on('error', () => {})
  open.push(sent)
  sent.end()
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  let ended = false
  reply.setEncoding('utf8')
  reply.on('data', (part: string) => {
    text += part
  })
  reply.on('error', () => {})
  reply.once('close', () => {
    ended = true
  })
  return {
    status: reply.statusCode,
    headers: reply.headers,
    text: () => text,
    ended: () => ended,
    close: () => sent.destroy(),
    items: (): Item[] =>
      text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice('data: '.length))] : [])),
  }
}

/** A stream that has started. */
async function watch(headers: Record<string, string> = {}, key = project.secretKey, server = app.server) {
  const stream = await connect({ authorization: `Bearer ${key}`, ...headers }, server)
  await vi.waitFor(() => expect(stream.text()).toContain('retry: '))
  return stream
}

const track = async (event: string, key = project.secretKey) =>
  (await app.request('POST', '/events/track', { key, body: { email: 'a@example.org', event } })).body.data
    .event as string

const arrived = (stream: { items(): Item[] }, types: string[]) =>
  vi.waitFor(() => expect(stream.items().map((item) => item.type)).toEqual(types), { timeout: 90_000 })

describe('an activity stream ends immediately', () => {
  const ends = (stream: { ended(): boolean }) =>
    vi.waitFor(() => expect(stream.ended()).toBe(true), { timeout: 90_000 })
  const createKey = async (limits: object) => {
    const body = { name: 'A key', scopes: ['analytics:read'], ...limits }
    return (await app.request('POST', '/api-keys', { key: project.secretKey, body })).body
  }
  const asMember = ({ cookie }: { cookie: string }, { id }: Project) => connect({ cookie, 'x-project-id': id })

  it('when the key that opened it is replaced, and those of other projects continue', async () => {
    const own = await createProject(app)
    const beside = await watch()
    const stream = await watch({}, own.secretKey)
    const replaced = await app.request('POST', `/users/@me/projects/${own.id}/regenerate-keys`, { key: own.secretKey })
    await ends(stream)
    expect(beside.ended()).toBe(false)
    expect((await connect({ authorization: `Bearer ${own.secretKey}` })).status).toBe(401)
    await watch({}, replaced.body.secret)
  })

  it.each<[how: string, end: (id: string, key: string) => Promise<unknown>, status: number]>([
    ['is deleted', (id, key) => app.request('DELETE', `/api-keys/${id}`, { key }), 401],
    [
      'is replaced',
      (id, key) => app.request('POST', `/api-keys/${id}/rotate`, { key, body: { overlapHours: 0 } }),
      401,
    ],
    ['loses the scope', (id, key) => app.request('PATCH', `/api-keys/${id}`, { key, body: { scopes: ['send'] } }), 403],
  ])('when the API key that opened it %s', async (_how, end, status) => {
    const { id, key } = await createKey({})
    const stream = await watch({}, key)
    await end(id, project.secretKey)
    await ends(stream)
    expect((await connect({ authorization: `Bearer ${key}` })).status).toBe(status)
  })

  it('when the API key that opened it expires', async () => {
    const { key } = await createKey({ expiresAt: new Date(app.clock.now().getTime() + 500).toISOString() })
    await ends(await watch({}, key))
  })

  it('when the session that opened it ends', async () => {
    const own = await createProject(app)
    const stream = await asMember(own.owner, own)
    await vi.waitFor(() => expect(stream.text()).toContain('retry: '))
    await app.request('GET', '/auth/logout', { cookie: own.owner.cookie })
    await ends(stream)
    expect((await asMember(own.owner, own)).status).toBe(401)
  })

  it('when the person is removed from the project', async () => {
    const own = await createProject(app)
    const person = await signUp(app)
    const key = own.secretKey
    await app.request('POST', `/projects/${own.id}/members`, { key, body: { email: person.email, role: 'MEMBER' } })
    const stream = await asMember(person, own)
    await vi.waitFor(() => expect(stream.text()).toContain('retry: '))
    await app.request('DELETE', `/projects/${own.id}/members/${person.id}`, { key })
    await ends(stream)
    expect((await asMember(person, own)).status).toBe(403)
  })
})

describe('GET /activity/stream', () => {
  it('sends new activity of its project in the form of the list', async () => {
    await track('before')
    const stream = await watch()
    expect(stream).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
        connection: 'close',
        'cache-control': 'no-store, no-transform',
        'x-request-id': expect.any(String),
      },
    })
    await track('theirs', other.secretKey)
    const id = await track('first')
    await track('second\nline')
    await arrived(stream, ['first', 'second\nline'])
    const { body } = await app.request('GET', '/activity?types=first', { key: project.secretKey })
    expect(stream.items()[0]).toEqual(body.data[0])
    expect(stream.text()).toContain(`id: ${id}\n`)
  })

  it('is available to members of the project', async () => {
    const stream = await connect({ cookie: project.owner.cookie, 'x-project-id': project.id })
    expect(stream.status).toBe(200)
    await vi.waitFor(() => expect(stream.text()).toContain('retry: '))
    await track('seen by a person')
    await arrived(stream, ['seen by a person'])
    expect((await connect({ cookie: project.owner.cookie, 'x-project-id': other.id })).status).toBe(403)
    expect((await connect({})).status).toBe(401)
  })

  it('sends what was missed since the last ID, and nothing else', async () => {
    const last = await track('known')
    app.clock.forward(60_000)
    await track('missed')
    await track('missed too')
    app.clock.forward(60_000)
    const stream = await watch({ 'last-event-id': last })
    await arrived(stream, ['missed', 'missed too'])
    await track('new')
    await arrived(stream, ['missed', 'missed too', 'new'])
    expect((await watch({ 'last-event-id': 'nonsense' })).items()).toEqual([])
  })

  it('sends at most the newest 500 missed entries', async () => {
    const last = await track('start of many')
    await app.pool.query(
      `insert into events (project_id, id, name, created_at) select $1, id_at($2::timestamptz, i), 'n' || i, $2 from generate_series(1, 600) i`,
      [project.id, new Date(app.clock.now().getTime() + 1_000)],
    )
    app.clock.forward(60_000)
    const stream = await watch({ 'last-event-id': last })
    await arrived(
      stream,
      Array.from({ length: 500 }, (_, i) => `n${i + 101}`),
    )
  })

  it('sends what other processes record', async () => {
    const elsewhere = openDatabase({ url: app.url, poolSize: 3, log: app.ctx.log })
    const ctx: Context = { ...app.ctx, db: elsewhere.db, listen: elsewhere.listen }
    const second = buildApp(ctx, buildServices(ctx))
    await second.listen({ host: '127.0.0.1', port: 0 })
    try {
      const [here, there] = [await watch(), await watch({}, project.secretKey, second)]
      await track('told to both')
      await arrived(here, ['told to both'])
      await arrived(there, ['told to both'])
      const closed = second.close() // stopping doesn't wait for open streams
      await vi.waitFor(() => expect(there.ended()).toBe(true))
      await closed
      expect(here.ended()).toBe(false)
    } finally {
      await second.close()
      await elsewhere.close()
    }
  })

  it('ends when the services are closed; closing again changes nothing, and neither connection nor timer is left', async () => {
    const [started, cleared] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')]
    const services = buildServices(app.ctx)
    const second = buildApp(app.ctx, services)
    await second.listen({ host: '127.0.0.1', port: 0 })
    try {
      const stream = await watch({}, project.secretKey, second)
      expect(await listeners()).toBe(1)
      await services.close()
      await services.close()
      await vi.waitFor(() => expect(stream.ended()).toBe(true))
      await vi.waitFor(async () => expect(await listeners()).toBe(0))
      const timers = started.mock.results.map(({ value }) => value)
      expect(timers).toHaveLength(1)
      expect(cleared).toHaveBeenCalledWith(timers[0])
      expect((await connect({ authorization: `Bearer ${project.secretKey}` }, second)).status).toBe(503)
    } finally {
      started.mockRestore()
      cleared.mockRestore()
      await second.close()
      await services.close()
      vi.restoreAllMocks()
    }
  })

  it('continues after its database connection broke', async () => {
    const stream = await watch()
    await app.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'posthorn listening'`,
    )
    await track('while it was broken')
    await arrived(stream, ['while it was broken'])
    await vi.waitFor(async () => expect(await listeners()).toBe(1))
    await track('after')
    await arrived(stream, ['while it was broken', 'after'])
  })

  it('is refused if the project has too many streams, until one ends', async () => {
    const streams = await Promise.all(Array.from({ length: STREAMS_MAX }, () => watch()))
    const refused = await connect({ authorization: `Bearer ${project.secretKey}` })
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '3' } })
    expect((await watch({}, other.secretKey)).status).toBe(200)
    expect(await listeners()).toBe(1)
    streams[0]!.close()
    await vi.waitFor(async () => expect((await watch()).status).toBe(200), { timeout: 90_000 })
  })

  it('is no longer counted if the client disconnects before it starts', async () => {
    const { port } = app.server.server.address() as AddressInfo
    const headers = { authorization: `Bearer ${project.secretKey}` }
    for (let i = 0; i < 2 * STREAMS_MAX; i++) {
      const socket = openSocket(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(`GET /activity/stream HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n\r\n`)
      setImmediate(() => socket.destroy())
      await once(socket, 'close')
    }
    await vi.waitFor(
      async () => {
        const streams = await Promise.all(Array.from({ length: STREAMS_MAX }, () => connect(headers)))
        const statuses = streams.map((stream) => stream.status)
        if (statuses.includes(429)) for (const stream of streams) stream.close()
        expect(statuses).toEqual(Array(STREAMS_MAX).fill(200))
      },
      { timeout: 90_000 },
    )
  })

  it('causes no notifications for projects without streams', async () => {
    const client = await app.pool.connect()
    const notified: string[] = []
    client.on('notification', ({ payload }) => notified.push(payload ?? ''))
    try {
      await client.query('listen posthorn_activity')
      await client.query('delete from activity_watchers')
      await track('unwatched')
      await client.query(`insert into activity_watchers values ($1, now() + interval '1 minute')`, [project.id])
      await track('unwatched', other.secretKey)
      await track('watched')
      await vi.waitFor(() => expect(notified).toEqual([project.id]))
    } finally {
      client.release(true)
    }
  })

  it('is not opened by a HEAD request', async () => {
    const reply = await app.server.inject({
      method: 'HEAD',
      url: '/activity/stream',
      headers: { authorization: `Bearer ${project.secretKey}` },
    })
    expect({ status: reply.statusCode, body: reply.body }).toEqual({ status: 200, body: '' })
  })
})
