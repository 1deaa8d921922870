/**
 * The primary PostgreSQL server crashes while email is sent, a standby with synchronous replication is promoted, and a
 * proxy in front of both connects to it, as HAProxy or a virtual address would. Everything continues, and no accepted
 * request is lost. All servers and processes are real.
 */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MailSink, openMailSink } from '../delivery/mail-sink.ts'
import { call, eventually, type ServiceProcess, startService } from '../service-process.ts'
import { openProxy, type TcpProxy } from '../tcp-proxy.ts'
import { portOf, startWithStandby, withPort } from './standby.ts'

const EMAILS = 400
const CRASH_AT = 100

const home = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-failover-'))
let servers: Awaited<ReturnType<typeof startWithStandby>>
let proxy: TcpProxy
let target: number
let api: ServiceProcess
let worker: ServiceProcess
let sink: MailSink
let key: string

beforeAll(async () => {
  servers = await startWithStandby(home)
  const { primary, asSuperuser } = servers
  await asSuperuser(primary, "alter system set synchronous_standby_names = 'standby'", 'select pg_reload_conf()')

  target = portOf(primary)
  proxy = await openProxy(() => target)
  const url = withPort(primary.url, proxy.port)
  sink = await openMailSink()
  const settings = { DATA_DIR: path.join(home, 'data'), DATABASE_URL: url, PORT: '0', RATE_LIMIT_PER_MINUTE: '0' }
  api = await startService({ ...settings, ROLE: 'api' })
  key = JSON.parse(fs.readFileSync(path.join(home, 'data/first-run.json'), 'utf8')).secretKey
  worker = await startService({ ...settings, ROLE: 'worker', MAIL_URL: sink.url })
})

afterAll(async () => {
  await Promise.all([api, worker].map((process) => process?.isRunning() && process.kill()))
  proxy?.close()
  sink?.close()
  await servers?.primary.stopNow()
  await servers?.standby.stopNow()
  fs.rmSync(home, { recursive: true, force: true })
})

it('every accepted email is sent once, even if the primary server crashes and a standby takes over', async () => {
  const email = (i: number) => ({ to: `r${i}@example.org`, from: 'us@example.com', subject: 'Hi', body: '<p>Hi</p>' })
  /** Retries with the same key, as a careful client does. */
  const send = (i: number) =>
    eventually(`email ${i} is accepted`, 120_000, async () => {
      const headers = { 'idempotency-key': `email-${i}` }
      const reply = await call(api, 'POST', '/v1/send', { key, body: email(i), headers }).catch(() => undefined)
      return reply && (reply.status === 200 || reply.body.error?.details?.originalStatusCode === 200)
    })
  const accepted = (async () => {
    for (let i = 0; i < EMAILS; i += 20) await Promise.all(Array.from({ length: 20 }, (_, j) => send(i + j)))
  })()
  await sink.untilAccepted(CRASH_AT)
  const { primary, standby, asSuperuser } = servers
  await primary.stopNow()
  await asSuperuser(standby, 'select pg_promote()')
  target = portOf(standby)
  proxy.closeConnections()

  await accepted
  const database = new pg.Client({ connectionString: standby.url })
  await database.connect()
  try {
    await eventually('every email is sent and recorded', 120_000, async () => {
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
})
