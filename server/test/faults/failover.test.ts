/**
 * The primary PostgreSQL server crashes while email is sent, a standby with synchronous replication is promoted, and a
 * proxy in front of both connects to it, as HAProxy or a virtual address would. Everything continues, and no accepted
 * request is lost. All servers and processes are real.
 */
import fs from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../platform/database/embedded-postgres.ts'
import { readCredentials, SUPERUSER } from '../../platform/database/embedded-postgres-cluster.ts'
import { type MailSink, openMailSink } from '../delivery/mail-sink.ts'
import { call, eventually, type ServiceProcess, startService } from '../service-process.ts'

const EMAILS = 400
const CRASH_AT = 100

const home = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-failover-'))
const dirs = { primary: path.join(home, 'primary'), standby: path.join(home, 'standby') }
let primary: EmbeddedPostgres
let standby: EmbeddedPostgres
let password: string
let api: ServiceProcess
let worker: ServiceProcess
let sink: MailSink
let key: string

const sockets = new Set<Socket>()
let target = 0
const proxy = createServer((client) => {
  const server = connect(target, '127.0.0.1')
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    sockets.add(from)
    from.pipe(to)
    from.on('error', () => to.destroy()).on('close', () => sockets.delete(from) && to.destroy())
  }
})

const portOf = (server: EmbeddedPostgres) => Number(new URL(server.url).port)

async function asSuperuser(server: EmbeddedPostgres, statement: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port: portOf(server),
    user: SUPERUSER,
    password,
    database: 'postgres',
  })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

beforeAll(async () => {
  const first = await startEmbeddedPostgres({ dataDir: dirs.primary })
  ;({ password } = await readCredentials(dirs.primary))
  await first.stop()
  fs.cpSync(dirs.primary, dirs.standby, { recursive: true, preserveTimestamps: true })
  copyOwners(dirs.primary, dirs.standby)
  fs.writeFileSync(path.join(dirs.standby, 'postgres/standby.signal'), '')
  copyOwners(dirs.primary, dirs.standby)

  primary = await startEmbeddedPostgres({ dataDir: dirs.primary })
  const source = `host=127.0.0.1 port=${portOf(primary)} user=${SUPERUSER} password=${password} application_name=standby`
  standby = await startEmbeddedPostgres({ dataDir: dirs.standby, settings: { primary_conninfo: source } })
  await eventually('the standby follows', 30_000, async () => {
    return (await asSuperuser(primary, "select from pg_stat_replication where state = 'streaming'")).length === 1
  })
  await asSuperuser(primary, "alter system set synchronous_standby_names = 'standby'")
  await asSuperuser(primary, 'select pg_reload_conf()')

  target = portOf(primary)
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = new URL(primary.url)
  url.port = String((proxy.address() as AddressInfo).port)
  sink = await openMailSink()
  const settings = { DATA_DIR: path.join(home, 'data'), DATABASE_URL: url.href, PORT: '0', RATE_LIMIT_PER_MINUTE: '0' }
  api = await startService({ ...settings, ROLE: 'api' })
  key = JSON.parse(fs.readFileSync(path.join(home, 'data/first-run.json'), 'utf8')).secretKey
  worker = await startService({ ...settings, ROLE: 'worker', MAIL_URL: sink.url })
}, 240_000)

afterAll(async () => {
  await Promise.all([api, worker].map((process) => process?.isRunning() && process.kill()))
  for (const socket of sockets) socket.destroy()
  proxy.close()
  sink?.close()
  await primary?.stopNow()
  await standby?.stopNow()
  fs.rmSync(home, { recursive: true, force: true })
}, 60_000)

/** As root, PostgreSQL runs as another user, to whom the files belong. */
function copyOwners(from: string, to: string): void {
  if (process.getuid?.() !== 0) return
  for (const entry of fs.readdirSync(to, { withFileTypes: true, recursive: true })) {
    const copy = path.join(entry.parentPath, entry.name)
    const original = path.join(from, path.relative(to, copy))
    const { uid, gid } = fs.lstatSync(fs.existsSync(original) ? original : path.dirname(original))
    fs.lchownSync(copy, uid, gid)
  }
}

it('every accepted email is sent once, even if the primary server crashes and a standby takes over', async () => {
  const email = (i: number) => ({ to: `r${i}@example.org`, from: 'us@example.com', subject: 'Hi', body: '<p>Hi</p>' })
  /** Retries with the same key, as a careful client does. */
  const send = (i: number) =>
    eventually(`email ${i} is accepted`, 90_000, async () => {
      const headers = { 'idempotency-key': `email-${i}` }
      const reply = await call(api, 'POST', '/v1/send', { key, body: email(i), headers }).catch(() => undefined)
      return reply && (reply.status === 200 || reply.body.error?.details?.originalStatusCode === 200)
    })
  const accepted = (async () => {
    for (let i = 0; i < EMAILS; i += 20) await Promise.all(Array.from({ length: 20 }, (_, j) => send(i + j)))
  })()
  await sink.untilAccepted(CRASH_AT)
  await primary.stopNow()
  await asSuperuser(standby, 'select pg_promote()')
  target = portOf(standby)
  for (const socket of sockets) socket.destroy()

  await accepted
  const database = new pg.Client({ connectionString: standby.url })
  await database.connect()
  try {
    await eventually('every email is sent and recorded', 60_000, async () => {
      const { rows } = await database.query("select from emails where status::text not in ('SENT', 'DELIVERED')")
      return rows.length === 0
    })
    const { rows } = await database.query('select id, to_email from emails')
    expect(new Set(rows.map((row) => row.to_email)).size).toBe(EMAILS)
    expect(rows.length).toBe(EMAILS)
    const times = new Map([...sink.accepted].map(([id, count]) => [id.split('@')[0], count]))
    expect(rows.filter((row) => times.get(row.id) !== 1)).toEqual([])
  } finally {
    await database.end()
  }
}, 240_000)
