/**
 * The basis of integration tests: a separate database, the real routes without a socket, the real queue drained on
 * demand, captured email, and a clock that the test sets. Every response is checked against the schema of its route.
 */

import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import { buildApp, buildServices, routes, tallies } from '../app.ts'
import type { Context } from '../context.ts'
import { makePartitions } from '../features/operations/retention/partition-queries.ts'
import { findUncounted } from '../features/operations/retention/retired-queries.ts'
import { hashPassword } from '../features/tenants/accounts/passwords.ts'
import { insertUser } from '../features/tenants/accounts/queries.ts'
import { openSession } from '../features/tenants/accounts/sessions.ts'
import { insertDomain, type NewDomain } from '../features/tenants/domains/queries.ts'
import { failedJobs, jobs } from '../jobs.ts'
import { newId } from '../kernel/ids.ts'
import { openDatabase } from '../platform/database/connection/connect.ts'
import { openReplica } from '../platform/database/connection/replica.ts'
import { transaction } from '../platform/database/connection/transaction.ts'
import { rebuildTallies } from '../platform/database/tallies.ts'
import { isSingle } from '../platform/http/route.ts'
import { deriveSecrets } from '../platform/secrets.ts'
import { openTransport } from '../platform/transports/open.ts'
import { readSettings } from '../settings/read-settings.ts'
import { drainQueue } from './drain-queue.ts'
import { learnSecret, learnSecretsIn, openCheckedLog, recordOutput } from './known-secrets.ts'
import { sharedThreads } from './shared-threads.ts'
import { createTestDatabase } from './test-databases.ts'

const log = openCheckedLog()

/** A new, migrated database, or a copy of another one, deleted when it is closed. `disconnect` keeps it, as a template for others. */
export async function openTestDatabase(template?: string) {
  const { name, url, drop } = await createTestDatabase(inject('postgresUrl'), template)
  const { db, pool, listen, close } = openDatabase({ url, poolSize: 10, log })
  return {
    db,
    pool,
    listen,
    name,
    url,
    disconnect: close,
    async close() {
      await close()
      await drop()
    },
  }
}

/** A clock that stands still until it is moved. */
export function testClock(start = new Date()) {
  let now = start
  return {
    now: () => now,
    set: (to: Date) => {
      now = to
    },
    forward: (ms: number) => {
      now = new Date(now.getTime() + ms)
    },
  }
}

export interface TestReply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape.
  body: any
  headers: Record<string, string | string[] | number | undefined>
}

export interface TestRequest {
  key?: string
  cookie?: string
  projectId?: string
  headers?: Record<string, string>
  body?: unknown
  /** Sent unchanged, instead of `body`. */
  text?: string
}

/**
 * Nothing listens there: a test that needs DNS starts its own server, and no test queries a real one. The app is an API,
 * because jobs run only when a test drains the queue.
 */
const OFFLINE = { DNS_SERVERS: '127.0.0.1:9', ROLE: 'api' }

type TestDatabase = Pick<Awaited<ReturnType<typeof openTestDatabase>>, 'db' | 'pool' | 'listen' | 'url' | 'close'>

export async function openTestApp(env: Record<string, string> = {}, given?: TestDatabase, clock = testClock()) {
  const database = given ?? (await openTestDatabase())
  const dataDir = await mkdtemp(path.join(tmpdir(), 'posthorn-data-'))
  const settings = readSettings({ ...OFFLINE, DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: '0', ...env })
  learnSecret('SECRET', 'a secret for tests only')
  const secrets = deriveSecrets('a secret for tests only', { encryptContents: settings.DATA_ENCRYPTION === 'on' })
  const ctx: Context = {
    db: database.db,
    listen: database.listen,
    mail: await openTransport(settings, { db: database.db, clock, secrets }),
    ...sharedThreads(settings),
    clock,
    settings,
    baseUrl: 'http://posthorn.test',
    secrets,
    log,
  }
  if (settings.DATABASE_REPLICA_URL) {
    ctx.replica = openReplica({
      url: settings.DATABASE_REPLICA_URL,
      poolSize: 10,
      maxLagMs: settings.DATABASE_REPLICA_MAX_LAG_MS,
      primary: database.pool,
      log,
    })
  }
  await makePartitions(ctx.db, clock.now())
  const services = buildServices(ctx)
  const server = buildApp(ctx, services)
  const handlers = jobs(ctx, services)
  const failureHandlers = failedJobs(ctx, services)

  async function request(method: string, url: string, options: TestRequest = {}): Promise<TestReply> {
    const payload = options.text ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const reply = await server.inject({
      method: method as 'GET',
      url,
      headers: headersFor(options, payload !== undefined),
      ...(payload === undefined ? {} : { payload }),
    })
    const isJson = String(reply.headers['content-type']).startsWith('application/json')
    const body = isJson ? JSON.parse(reply.body) : reply.body
    checkReply(method, url, reply.statusCode, reply.body, isJson)
    learnSecrets(options, body, reply.headers['set-cookie'])
    if (reply.statusCode >= 400) recordOutput('an error', reply.body)
    else if (/^\/(metrics|contacts\/export)/.test(url)) recordOutput('the metrics or an export', reply.body)
    return { status: reply.statusCode, body, headers: reply.headers as TestReply['headers'] }
  }

  return {
    ctx,
    services,
    /** Job name → handler, for tests that run a single job. */
    jobs: handlers,
    failedJobs: failureHandlers,
    clock,
    server,
    request,
    ...database,
    /** Runs every job that is due by the test's clock, then sends webhooks. */
    async drain() {
      await drainQueue({ pool: database.pool, handlers, failureHandlers, until: clock.now(), throwErrors: true })
      await services.webhookSender.sendDue()
    },
    /** Adds recorded differences to the stored counts, as a periodic job does every minute. */
    fold: () => handlers['fold-tallies']({}, { attempt: 1, at: clock.now() }),
    /** Compares stored counts with the data and corrects them. Returns how many were wrong, by tally. */
    async rebuild(): Promise<Record<string, number>> {
      const wrong = await rebuildTallies(database.db, tallies, findUncounted)
      return Object.fromEntries(Object.entries(wrong).filter(([, count]) => count > 0))
    },
    captured: () => database.db.selectFrom('captured_messages').selectAll().orderBy('id').execute(),
    async close() {
      await server.close()
      await services.close()
      await services.webhookSender.stop()
      await ctx.mail.close()
      await ctx.replica?.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const SECRET_KEY = /^(sk|phk)_[0-9a-f]{48}$/

function learnSecrets(
  { key, cookie, body }: TestRequest,
  reply: unknown,
  setCookie: string | string[] | undefined,
): void {
  if (key && SECRET_KEY.test(key)) learnSecret('a secret key', key)
  for (const text of [cookie, setCookie].flat()) learnSecret('a session', /^token=([^;]+)/.exec(text ?? '')?.[1])
  learnSecretsIn(body)
  learnSecretsIn(reply)
}

/** Tables that a refused request may change. All others must stay unchanged. */
const MAY_CHANGE = [
  'rate_windows', // a refused request counts against the rate limit
  'login_failures', // a wrong password is counted
  'sessions', // when a session was last used
  'key_uses', // when a key was last used
  'api_key_uses',
  'api_requests', // the request log
]

let stateStatement: Promise<string> | undefined

/** Changes when any row of any table changes: the number of rows, and the newest transaction that wrote one. */
export async function databaseState(app: TestApp): Promise<string> {
  stateStatement ??= buildStateStatement(app)
  const text = await stateStatement
  const client = await app.pool.connect()
  try {
    // Starting parallel workers takes ten times as long as the statement itself.
    await client.query('begin; set local max_parallel_workers_per_gather = 0')
    const { rows } = await client.query<{ state: string }>({ name: 'database-state', text })
    await client.query('commit')
    return rows.map((row) => row.state).join(', ')
  } finally {
    client.release()
  }
}

async function buildStateStatement(app: TestApp): Promise<string> {
  const tables = await listStateTables(app)
  return tables
    .map((name) => `select '${name} ' || count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) as state from ${name}`)
    .join(' union all ')
}

/** The tables that a refused request must not change. They come from the system catalog, so a new one is covered automatically. */
export async function listStateTables(app: TestApp): Promise<string[]> {
  const { rows } = await app.pool.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind in ('r', 'p') and not relispartition and not relname = any($1)
       and (relnamespace = 'public'::regnamespace or oid = 'posthorn_queue.jobs'::regclass)
     order by name`,
    [MAY_CHANGE],
  )
  return rows.map((row) => row.name)
}

export type TestApp = Awaited<ReturnType<typeof openTestApp>>

function headersFor({ key, cookie, projectId, headers }: TestRequest, hasBody: boolean): Record<string, string> {
  return {
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
    ...(key ? { authorization: `Bearer ${key}` } : {}),
    ...(cookie ? { cookie } : {}),
    ...(projectId ? { 'x-project-id': projectId } : {}),
    ...headers,
  }
}

/** Hashing a password takes longer than most requests, so everyone in a test process has the same one. */
let passwordHash: Promise<string> | undefined

/** A person with an account, the password "correct horse" and a session. */
export async function signUp({ ctx }: TestApp, email = `${randomBytes(6).toString('hex')}@example.org`) {
  passwordHash ??= hashPassword('correct horse')
  const now = ctx.clock.now()
  const account = { id: newId(now), email, passwordHash: await passwordHash, now }
  const user = await transaction(ctx.db, (tx) => insertUser(tx, account))
  if (!user) throw new Error(`${email} already has an account.`)
  const { cookie } = await openSession(ctx, ctx.db, user, { ip: '127.0.0.1', userAgent: 'tests' })
  learnSecrets({}, undefined, cookie)
  return { id: user.id, email, cookie: cookie.split(';')[0]! }
}

/** A project with both keys, an owner and the verified sender domain example.com. */
export async function createProject(app: TestApp, name = 'Test project') {
  const owner = await signUp(app)
  const { body: project } = await app.request('POST', '/users/@me/projects', { cookie: owner.cookie, body: { name } })
  await insertDomain(app.ctx.db, project.id, verifiedDomain(app.ctx))
  return { id: project.id as string, publicKey: project.public as string, secretKey: project.secret as string, owner }
}

const DAY_MS = 86_400_000

/** Generating a key takes longer than most tests, so all domains of a test process have the same one. */
let dkimKey: { publicKey: Buffer; privateKey: string } | undefined

function verifiedDomain({ clock, secrets }: Context): NewDomain {
  dkimKey ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const now = clock.now()
  return {
    id: newId(now),
    domain: 'example.com',
    status: 'VERIFIED',
    recordsFound: ['ownership', 'dkim', 'spf', 'dmarc', 'return-path'],
    nextCheckAt: new Date(now.getTime() + DAY_MS),
    ownershipToken: randomBytes(16).toString('hex'),
    dkim: {
      selector: 'ph00000000',
      publicKey: dkimKey.publicKey.toString('base64'),
      sealedPrivateKey: secrets.encrypt(dkimKey.privateKey),
    },
    now,
  }
}

const ISO_MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** A response that doesn't match the schema of its route fails the test. */
function checkReply(method: string, url: string, status: number, text: string, isJson: boolean): void {
  if (status >= 400) return
  const path = url.split('?')[0]!
  const route = patterns.find((one) => one.route.method === method && one.pattern.test(path))?.route
  if (!route) return
  if (status === 304 && isSingle(route)) return
  const promised = route.replies[status]
  if (!promised) throw new Error(`${method} ${route.path} answered ${status}, which it does not list.`)
  if (!promised.schema) return
  if (!isJson) throw new Error(`${method} ${route.path} answered without JSON.`)
  promised.schema.parse(
    JSON.parse(text, (_key, value) => (typeof value === 'string' && ISO_MOMENT.test(value) ? new Date(value) : value)),
  )
}

/** The pattern of each route's path; those with fewer parameters are first. */
const patterns = routes
  .map((route) => ({ route, pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
  .sort((a, b) => a.route.path.split('{').length - b.route.path.split('{').length)
