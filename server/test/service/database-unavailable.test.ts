/** While the database is unavailable, callers get a 503 with Retry-After, and nothing has to be restarted. */
import { createServer } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp, buildServices } from '../../app.ts'
import { openDatabase } from '../../platform/database/connection/connect.ts'
import { isDatabaseUnavailable, transaction } from '../../platform/database/connection/transaction.ts'
import { createProject, openTestApp, type TestApp, type TestReply } from '../harness.ts'
import { eventually } from '../service-process.ts'

let app: TestApp
let key: string
/** A connection that does not belong to the app. */
let outsider: pg.Client

beforeAll(async () => {
  app = await openTestApp()
  key = (await createProject(app)).secretKey
  outsider = new pg.Client({ connectionString: app.url, application_name: 'outsider' })
  await outsider.connect()
})

afterAll(async () => {
  await outsider?.end()
  await app?.close()
})

const OTHERS = `from pg_stat_activity where datname = current_database() and application_name like 'posthorn%'`
/** Ends every session of the app, and waits until they have ended. */
async function endSessions(): Promise<number> {
  const { rows } = await outsider.query(`select pid, pg_terminate_backend(pid) ${OTHERS}`)
  const pids = rows.map((row) => row.pid)
  await eventually('the sessions are over', 120_000, async () => {
    return (await outsider.query(`select pid ${OTHERS} and pid = any($1)`, [pids])).rowCount === 0
  })
  return pids.length
}

const waitingForLocks = async () => (await outsider.query(`select pid ${OTHERS} and wait_event_type = 'Lock'`)).rowCount

const send = (to: string, headers?: Record<string, string>) =>
  app.request('POST', '/v1/send', {
    key,
    ...(headers ? { headers } : {}),
    body: { to, from: 'hello@example.com', subject: 'Hello', body: '<p>Hello</p>' },
  })

/** The pool may have more broken connections that haven't been detected: each causes one more 503. */
const expectRunning = () =>
  eventually('a request is accepted', 120_000, async () => {
    const reply = await send('next@example.org')
    if (reply.status !== 200) expectUnavailable(reply)
    return reply.status === 200
  })

/** On a separate connection, because within a transaction PostgreSQL returns the same list of sessions each time. */
async function lock(table: string, mode: string): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: app.url, application_name: 'holder' })
  await holder.connect()
  await holder.query('begin')
  await holder.query(`lock table ${table} in ${mode} mode`)
  return () => holder.end()
}

function expectUnavailable({ status, body, headers }: TestReply): void {
  expect(status).toBe(503)
  expect(body).toMatchObject({ success: false, error: { code: 'SERVICE_UNAVAILABLE', statusCode: 503 } })
  expect(body.error.requestId).toBe(headers['x-request-id'])
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(JSON.stringify(body)).not.toMatch(/terminat|ECONN|127\.0\.0\.1|select/i)
}

describe('a database connection that ends', () => {
  it('while idle is replaced: requests succeed or get a 503, and then succeed', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, i) => send(`before-${i}@example.org`)))
    expect(await endSessions()).toBeGreaterThan(0)
    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => send(`during-${i}@example.org`)))
    for (const reply of replies) if (reply.status !== 200) expectUnavailable(reply)
    await expectRunning()
  })

  it('during a statement gives a 503, and nothing is written', async () => {
    const release = await lock('emails', 'exclusive')
    const sending = send('interrupted@example.org')
    await eventually('the request waits inside the database', 120_000, waitingForLocks)
    await endSessions()
    expectUnavailable(await sending)
    await release()

    const { rows } = await outsider.query(
      `select 1 from contacts where email = 'interrupted@example.org'
       union all select 1 from emails where to_email = 'interrupted@example.org'`,
    )
    expect(rows).toEqual([])
    await expectRunning()
  })

  it('during a request with an Idempotency-Key gives a 503, and a retry with the key is accepted, once', async () => {
    const headers = { 'idempotency-key': 'retried' }
    const release = await lock('emails', 'exclusive')
    const sending = send('retried@example.org', headers)
    await eventually('the request waits inside the database', 120_000, waitingForLocks)
    await endSessions()
    expectUnavailable(await sending)
    await release()
    await eventually(
      'the retry is accepted',
      120_000,
      async () => (await send('retried@example.org', headers)).status === 200,
    )
    const repeated = await send('retried@example.org', headers)
    expect(repeated.body.error).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', details: { originalStatusCode: 200 } })
  })

  it('during a transaction leaves the old state', async () => {
    const project = await createProject(app)
    const rotate = () =>
      app.request('POST', `/users/@me/projects/${project.id}/regenerate-keys`, { key: project.secretKey })
    const release = await lock('project_keys', 'share') // readers continue, writers wait
    const rotating = rotate()
    await eventually('the request waits inside the database', 120_000, waitingForLocks)
    await endSessions()
    expectUnavailable(await rotating)
    await release()
    await expectRunning()
    expect((await app.request('GET', '/emails', { key: project.secretKey })).status).toBe(200)
    expect((await rotate()).status).toBe(200)
  })

  it('between two statements of a transaction fails that transaction, not the process', async () => {
    const work = transaction(app.ctx.db, async (tx) => {
      await tx.selectFrom('projects').select('id').execute()
      await endSessions()
      return tx.selectFrom('projects').select('id').execute()
    })
    await expect(work).rejects.toSatisfy(isDatabaseUnavailable)
    await expectRunning()
  })
})

it.skipIf(process.platform !== 'linux')(
  'connections have settings that end the sessions of an unreachable machine within half a minute',
  async () => {
    const { rows } = await app.pool.query(
      `select current_setting('tcp_keepalives_idle')::int + current_setting('tcp_keepalives_interval')::int *
       current_setting('tcp_keepalives_count')::int as seconds, current_setting('tcp_user_timeout') as unanswered`,
    )
    expect(rows).toEqual([{ seconds: 25, unanswered: '25000' }])
  },
)

it('a statement that violates the protocol is not treated as an unavailable database', () => {
  const failed = (code: string) => Object.assign(new Error('failed'), { code })
  expect(isDatabaseUnavailable(failed('08P01'))).toBe(false)
  expect(isDatabaseUnavailable(failed('08006'))).toBe(true)
})

describe('an unavailable database', () => {
  it('gives a 503 with Retry-After on every route, and never a 500', async () => {
    await withDatabase(await closedPort(), async (request) => {
      expectUnavailable(await request('GET', '/emails'))
      expectUnavailable(await request('POST', '/v1/send'))
      expectUnavailable(await request('POST', '/v1/track', 'pk_0123456789abcdef0123456789abcdef0123456789abcdef'))
      const health = await request('GET', '/health')
      expect(health.status).toBe(200)
      const ready = await request('GET', '/ready')
      expect([ready.status, ready.body]).toEqual([503, { ready: false, database: false, queue: null, degraded: [] }])
    })
  })

  it("also gives a 503 if it accepts connections and doesn't respond", async () => {
    const silent = createServer()
    const port = await listen(silent)
    await withDatabase(port, async (request) => expectUnavailable(await request('GET', '/emails')))
    silent.close()
  })
})

describe('a process that only serves requests', () => {
  const limited = (timeouts: { statementMs: number; lockMs: number }, look: (request: Request) => Promise<void>) =>
    withDatabase(Number(new URL(app.url).port), look, timeouts)

  it('gives a 503 if a statement waits too long for a lock, and serves other requests meanwhile', async () => {
    await limited({ statementMs: 60_000, lockMs: 200 }, async (request) => {
      const release = await lock('contacts', 'access exclusive')
      const waiting = request('GET', '/contacts', key)
      expect((await request('GET', '/templates', key)).status).toBe(200)
      expectUnavailable(await waiting)
      await release()
      expect((await request('GET', '/contacts', key)).status).toBe(200)
    })
  })

  it('gives a 503 if a statement takes too long', async () => {
    await limited({ statementMs: 200, lockMs: 60_000 }, async (request) => {
      const release = await lock('contacts', 'access exclusive')
      expectUnavailable(await request('GET', '/contacts', key))
      await release()
      expect((await request('GET', '/contacts', key)).status).toBe(200)
    })
  })
})

type Request = (method: string, url: string, bearer?: string) => Promise<TestReply>

/** The app over a database at another port of this machine. */
async function withDatabase(
  port: number,
  look: (request: Request) => Promise<void>,
  timeouts?: { statementMs: number; lockMs: number },
): Promise<void> {
  const url = app.url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`)
  const away = openDatabase({ url, poolSize: 2, log: app.ctx.log, ...(timeouts && { timeouts }) })
  const ctx = { ...app.ctx, db: away.db }
  const server = buildApp(ctx, buildServices(ctx))
  try {
    await look(async (method, path, bearer = key) => {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
      const reply = await server.inject({
        method: method as 'GET',
        url: path,
        headers,
        ...(method === 'POST' && { payload: '{}' }),
      })
      return { status: reply.statusCode, body: reply.json(), headers: reply.headers as TestReply['headers'] }
    })
  } finally {
    await server.close()
    await away.close()
  }
}

const listen = (server: ReturnType<typeof createServer>): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)))

/** It was free a moment ago, so nothing listens there. */
async function closedPort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
