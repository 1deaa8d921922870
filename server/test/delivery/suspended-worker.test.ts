/**
 * A worker that is suspended while it sends, as a paused virtual machine is: others take over its emails, and when it
 * continues it doesn't begin to send any of them. All processes are real.
 */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../platform/database/embedded-postgres.ts'
import { call, eventually, type ServiceProcess, startService } from '../service-process.ts'
import { type MailSink, openMailSink } from './mail-sink.ts'

const EMAILS = 400
const SUSPEND_AT = 60

const home = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-suspended-'))
let postgres: EmbeddedPostgres
let database: pg.Client
let api: ServiceProcess
let key: string
const workers: ServiceProcess[] = []
const sinks: MailSink[] = []

const start = (env: Record<string, string>) =>
  startService({
    DATA_DIR: path.join(home, 'data'),
    DATABASE_URL: postgres.url,
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    ...env,
  })

async function startWorker(): Promise<{ worker: ServiceProcess; sink: MailSink }> {
  const sink = await openMailSink()
  sinks.push(sink)
  const worker = await start({ ROLE: 'worker', MAIL_URL: sink.url })
  workers.push(worker)
  return { worker, sink }
}

beforeAll(async () => {
  postgres = await startEmbeddedPostgres({ dataDir: path.join(home, 'server') })
  database = new pg.Client({ connectionString: postgres.url })
  await database.connect()
  api = await start({ ROLE: 'api' })
  key = JSON.parse(fs.readFileSync(path.join(home, 'data/first-run.json'), 'utf8')).secretKey
}, 180_000)

afterAll(async () => {
  for (const worker of workers) if (worker.isRunning()) await worker.kill()
  if (api?.isRunning()) await api.stop()
  for (const sink of sinks) sink.close()
  await database?.end()
  await postgres?.stop()
  fs.rmSync(home, { recursive: true, force: true })
}, 60_000)

async function countOf(statuses: string[]): Promise<number> {
  const { rows } = await database.query('select count(*)::int as count from emails where status::text = any($1)', [
    statuses,
  ])
  return rows[0].count
}

it('a suspended worker, when it continues, does not begin to send an email that another worker has sent', async () => {
  const { worker, sink } = await startWorker()
  const email = (i: number) => ({ to: `r${i}@example.org`, from: 'us@example.com', subject: 'Hi', body: '<p>Hi</p>' })
  const send = async (i: number) => (await call(api, 'POST', '/v1/send', { key, body: email(i) })).status
  const sent = Array.from({ length: EMAILS }, (_, i) => send(i))
  await sink.untilAccepted(SUSPEND_AT)
  process.kill(worker.pid, 'SIGSTOP')
  expect(new Set(await Promise.all(sent))).toEqual(new Set([200]))
  const claimed = await database.query("select id from emails where status = 'SENDING'")
  expect(claimed.rows.length, 'emails that were claimed by the suspended worker').toBeGreaterThan(0)
  // What PostgreSQL does when it no longer reaches a machine.
  await database.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = posthorn_queue.worker_locks()
       and objid in (select lease_holder::oid from emails where status = 'SENDING')`,
  )
  const other = await startWorker()
  await eventually('the other worker has sent the rest', 60_000, async () => {
    return (await countOf(['PENDING', 'SENDING'])) === 0
  })
  const continuedAt = performance.now()
  process.kill(worker.pid, 'SIGCONT')
  const news = email(EMAILS)
  expect((await call(api, 'POST', '/v1/send', { key, body: news })).status).toBe(200)
  await eventually('both workers are idle again', 30_000, async () => {
    return (await countOf(['PENDING', 'SENDING'])) === 0 && /the queue reconnected/.test(worker.stdout())
  })
  const begunAgain = [...other.sink.accepted.keys()].filter((id) => (sink.begunAt.get(id) ?? 0) > continuedAt)
  expect(begunAgain).toEqual([])
  expect(await countOf(['SENT', 'DELIVERED'])).toBe(EMAILS + 1)
}, 240_000)
