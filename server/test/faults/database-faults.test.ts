/**
 * Faults of the database server while email is sent: no free connections, read-only, locked tables and a full disk. Requests
 * return 503 with Retry-After, work resumes without a restart, and every accepted email is sent once. All processes are real.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { readCredentials, SUPERUSER } from '../../platform/database/embedded/cluster.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres.ts'
import { type MailSink, openMailSink } from '../delivery/mail-sink.ts'
import { call, eventually, type Reply, type ServiceProcess, startService } from '../service-process.ts'

const DISK_MB = 400
const RECOVERS_WITHIN_MS = 60_000

const home = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-database-faults-'))
const disk = path.join(home, 'disk')
const hasSmallDisk = mountSmallDisk()
let postgres: EmbeddedPostgres
let service: ServiceProcess
let sink: MailSink
let key: string
let counter = 0
const accepted: string[] = []

/** Only root can create one; containers often can't. */
function mountSmallDisk(): boolean {
  fs.mkdirSync(disk)
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const settings = () => ({
  DATA_DIR: path.join(home, 'data'),
  DATABASE_URL: postgres.url,
  PORT: '0',
  WORKERS: '0',
  RATE_LIMIT_PER_MINUTE: '0',
})

beforeAll(async () => {
  sink = await openMailSink()
  postgres = await startEmbeddedPostgres({ dataDir: disk })
  const first = await startService(settings()) // captures email, so it creates a project with a verified domain
  await first.stop()
  key = JSON.parse(fs.readFileSync(path.join(home, 'data/first-run.json'), 'utf8')).secretKey
  service = await startService({ ...settings(), MAIL_URL: sink.url })
})

afterAll(async () => {
  if (service?.isRunning()) await service.stop()
  sink?.close()
  await postgres?.stop()
  if (hasSmallDisk) execFileSync('umount', ['-l', disk])
  fs.rmSync(home, { recursive: true, force: true })
})

async function asSuperuser(...statements: string[]): Promise<void> {
  const { password } = await readCredentials(disk)
  const port = Number(new URL(postgres.url).port)
  const client = new pg.Client({ host: '127.0.0.1', port, user: SUPERUSER, password, database: 'postgres' })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

const END_SESSIONS = `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'posthorn'`

async function send(): Promise<Reply> {
  const to = `customer-${++counter}@example.org`
  const reply = await call(service, 'POST', '/v1/send', {
    key,
    body: { to, from: 'us@example.com', subject: 'Receipt', body: `<p>${'Thanks. '.repeat(1_000)}</p>` },
  })
  if (reply.status === 200) accepted.push(to)
  return reply
}

/** Sends until a request is refused; every response is a success or a 503. */
const untilRefused = () =>
  eventually('a request is refused', RECOVERS_WITHIN_MS, async () => {
    const reply = await send()
    if (reply.status !== 200) {
      expect(reply.body.error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', statusCode: 503 })
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    return reply.status === 503
  })

/** An email that isn't sent in time is sent by the next attempt, and never lost. */
afterEach(async () => {
  await eventually('a request is accepted again', RECOVERS_WITHIN_MS, async () => (await send()).status === 200)
  await eventually('every accepted email is sent', RECOVERS_WITHIN_MS, () => {
    return accepted.every((to) => sink.recipients.has(to))
  })
  expect(accepted.filter((to) => sink.recipients.get(to) !== 1)).toEqual([])
  expect(service.isRunning()).toBe(true)
})

it('while the server has no free connections, requests return 503', async () => {
  await asSuperuser('alter database posthorn connection limit 0', END_SESSIONS)
  await untilRefused()
  await asSuperuser('alter database posthorn connection limit -1')
})

it('while the database is read-only, as after a failover, requests return 503', async () => {
  await asSuperuser('alter database posthorn set default_transaction_read_only = on', END_SESSIONS)
  await untilRefused()
  await asSuperuser('alter database posthorn reset default_transaction_read_only', END_SESSIONS)
})

it('emails accepted before the tables were locked are sent once they are unlocked', async () => {
  const holder = new pg.Client({ connectionString: postgres.url })
  await holder.connect()
  try {
    for (let i = 0; i < 20; i++) expect((await send()).status).toBe(200)
    await holder.query('begin; lock table emails in exclusive mode; select pg_sleep(2)')
  } finally {
    await holder.end()
  }
})

it.skipIf(!hasSmallDisk)(
  'while the disk is full, requests return 503',
  async () => {
    const filler = path.join(disk, 'filler')
    const { bavail, bsize } = fs.statfsSync(disk)
    const file = fs.openSync(filler, 'w')
    const chunk = Buffer.alloc(2 ** 20)
    try {
      for (let written = 0; written < bavail * bsize; written += chunk.length) fs.writeSync(file, chunk)
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
    } finally {
      fs.closeSync(file)
    }
    await untilRefused()
    fs.rmSync(filler)
  },
  120_000,
)
