/** PostgreSQL crashes or is suspended while email is being sent: every email is sent once. Real processes throughout. */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { postgresProcesses } from '../processes.ts'
import { call, eventually, type ServiceProcess, startService } from '../service-process.ts'
import { type MailSink, openMailSink } from './mail-sink.ts'

const RECIPIENTS = 400
const CRASH_AT = 100
/** Longer than a process waits for a reply over the connection that holds its lock, and then for those over the others. */
const SUSPENDED_MS = 22_000

const home = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-restart-'))
const dataDir = path.join(home, 'data')
let sink: MailSink
let service: ServiceProcess

const start = (mailUrl: string) =>
  startService({ DATA_DIR: dataDir, PORT: '0', RATE_LIMIT_PER_MINUTE: '0', MAIL_URL: mailUrl })

beforeAll(async () => {
  sink = await openMailSink()
  service = await start('capture:') // the first start creates a project with a verified domain
})

afterAll(async () => {
  if (service?.isRunning()) await service.stop()
  const [left] = postgresProcesses(dataDir)
  if (left) process.kill(left, 'SIGQUIT')
  sink?.close()
  fs.rmSync(home, { recursive: true, force: true })
})

const postmasterPid = () =>
  Number(fs.readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

function request(method: string, url: string, body?: unknown) {
  const key = JSON.parse(fs.readFileSync(path.join(dataDir, 'first-run.json'), 'utf8')).secretKey
  return call(service, method, url, { key, body })
}

it('a campaign is sent exactly once although PostgreSQL crashes in the middle of it', async () => {
  const create = (i: number) => request('POST', '/contacts', { email: `reader-${i}@example.org`, subscribed: true })
  for (let i = 0; i < RECIPIENTS; i += 20) {
    const replies = await Promise.all(Array.from({ length: 20 }, (_, j) => create(i + j)))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201))
  }
  const { total } = (await request('GET', '/contacts')).body
  await service.stop()
  service = await start(sink.url)
  const news = { name: 'News', subject: 'Hello', body: '<p>Hi</p>', from: 'us@example.com', audienceType: 'ALL' }
  const { id } = (await request('POST', '/campaigns', news)).body
  expect((await request('POST', `/campaigns/${id}/send`)).status).toBe(200)
  await sink.untilAccepted(CRASH_AT)
  const pid = postmasterPid()
  process.kill(pid, 'SIGQUIT') // an immediate shutdown: sessions end, and the next start recovers

  await eventually('PostgreSQL serves again', 120_000, async () => {
    return (await request('GET', '/ready')).status === 200 && postmasterPid() !== pid
  })
  const statuses = async () => {
    const [waiting, sending] = await Promise.all(
      ['PENDING', 'SENDING'].map(async (status) => (await request('GET', `/emails?status=${status}`)).body.total),
    )
    return { waiting, sending }
  }
  await eventually('every email has an outcome', 120_000, async () => {
    const { waiting, sending } = await statuses()
    return sink.accepted.size >= total && waiting === 0 && sending === 0
  })
  expect((await request('GET', '/emails?status=DELIVERED')).body.total).toBe(total)
  expect([...sink.accepted].filter(([, times]) => times !== 1)).toEqual([])
  expect(sink.accepted.size).toBe(total)
})

it('requests wait while PostgreSQL is suspended, and take effect once', async () => {
  const send = (to: string[]) =>
    request('POST', '/v1/send', { to, from: 'us@example.com', subject: 'Hi', body: '<p>Hi</p>' })
  // Opens connections: while PostgreSQL is suspended, none can be opened.
  await Promise.all(Array.from({ length: 20 }, () => request('GET', '/contacts')))
  const before = sink.accepted.size
  const first = Array.from({ length: 100 }, (_, i) => `first-${i}@example.org`)
  expect((await send(first)).status).toBe(200)
  await sink.untilAccepted(before + 20)
  const suspended = postgresProcesses(dataDir)
  for (const pid of suspended) process.kill(pid, 'SIGSTOP')
  const during = [send(['during-1@example.org']), send(['during-2@example.org'])]
  await sleep(SUSPENDED_MS)
  for (const pid of suspended) process.kill(pid, 'SIGCONT')

  expect((await Promise.all(during)).map(({ status }) => status)).toEqual(during.map(() => 200))
  await eventually('every email is sent', 120_000, () => sink.accepted.size >= before + 102)
  expect(sink.accepted.size).toBe(before + 102)
  expect([...sink.accepted].filter(([, times]) => times !== 1)).toEqual([])
})
