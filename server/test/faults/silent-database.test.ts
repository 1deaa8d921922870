/**
 * While email is sent, all connections to the database become silent without being closed, as if its machine had failed
 * and another one had taken over its address. New connections work. All processes are real.
 */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { within } from '../../kernel/clock.ts'
import { type MailSink, openMailSink } from '../delivery/mail-sink.ts'
import { call, eventually, type ServiceProcess, startService } from '../service-process.ts'
import { openProxy, type TcpProxy } from '../tcp-proxy.ts'
import { createTestDatabase } from '../test-databases.ts'
import { portOf, withPort } from './standby.ts'

const EMAILS = 200
const SILENT_AT = 60
/** Half a minute, and what a busy machine adds. TCP gives up after a quarter of an hour. */
const SERVED_WITHIN_MS = 45_000

const home = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-silent-'))
let database: Awaited<ReturnType<typeof createTestDatabase>>
let proxy: TcpProxy
let api: ServiceProcess
let worker: ServiceProcess
let sink: MailSink
let key: string

beforeAll(async () => {
  database = await createTestDatabase(inject('postgresUrl'))
  proxy = await openProxy(() => portOf(database))
  sink = await openMailSink()
  const settings = {
    DATA_DIR: path.join(home, 'data'),
    DATABASE_URL: withPort(database.url, proxy.port),
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
  }
  api = await startService({ ...settings, ROLE: 'api' })
  key = JSON.parse(fs.readFileSync(path.join(home, 'data/first-run.json'), 'utf8')).secretKey
  worker = await startService({ ...settings, ROLE: 'worker', MAIL_URL: sink.url })
})

afterAll(async () => {
  await Promise.all([api, worker].map((process) => process?.isRunning() && process.kill()))
  proxy?.close()
  sink?.close()
  await database?.drop()
  fs.rmSync(home, { recursive: true, force: true })
})

const to = Array.from({ length: EMAILS }, (_, i) => `reader-${i}@example.org`)
const email = { from: 'us@example.com', subject: 'Hi', body: '<p>Hi</p>' }
const send = (recipients: string[]) => call(api, 'POST', '/v1/send', { key, body: { ...email, to: recipients } })

it('requests are served again, and every email is sent once and recorded', async () => {
  expect((await send(to)).status).toBe(200)
  await sink.untilAccepted(SILENT_AT)
  proxy.silenceConnections()
  const hanging = Array.from({ length: 5 }, () => call(api, 'GET', '/contacts', { key }).catch(() => undefined))

  await eventually('an email is accepted', SERVED_WITHIN_MS, async () => {
    const reply = await within(
      2_000,
      send(['late@example.org']).catch(() => undefined),
    )
    return reply?.status === 200
  })
  const replies = await within(SERVED_WITHIN_MS, Promise.all(hanging))
  for (const reply of replies ?? [{ status: 'none' }]) expect([undefined, 200, 503]).toContain(reply?.status)

  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await eventually('every email is sent and recorded', 120_000, async () => {
      const { rows } = await client.query("select from emails where status::text not in ('SENT', 'DELIVERED')")
      return rows.length === 0
    })
    const { rows } = await client.query('select id from emails where to_email = any($1)', [to])
    expect(rows).toHaveLength(EMAILS)
    const times = new Map([...sink.accepted].map(([id, count]) => [id.split('@')[0], count]))
    expect(rows.filter((row) => times.get(row.id) !== 1)).toEqual([])
  } finally {
    await client.end()
  }
})
