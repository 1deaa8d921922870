/** The life cycle of an installation: first start, refused starts, crashes, stops. All processes are real. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { type AddressInfo, createServer, connect as openSocket, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SETTINGS } from '../../settings/config.ts'
import { openOutboxView } from '../outbox/outbox-view.ts'
import { isAlive, ownersOf, postgresProcesses, workersOf } from '../processes.ts'
import { call, eventually, launchService, runService, type ServiceProcess, startService } from '../service-process.ts'

const run = promisify(execFile)
const ROOT = path.resolve(import.meta.dirname, '../../..')
const isRoot = process.getuid?.() === 0

// mkdtemp creates a folder with mode 0700: as root, everything here runs where PostgreSQL's user can't enter.
const home = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-process-'))
const dataDir = path.join(home, 'data')
const other = path.join(home, 'other')
const running = new Set<ServiceProcess>()
let service: ServiceProcess
let firstRun: Record<string, string>

async function start(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const started = await startService({ DATA_DIR: dataDir, PORT: '0', ...env })
  running.add(started)
  return started
}

beforeAll(async () => {
  service = await start()
  firstRun = readFirstRun()
})

afterAll(async () => {
  for (const one of running) if (one.isRunning()) await one.stop()
  for (const name of fs.readdirSync(home)) {
    const [left] = postgresProcesses(path.join(home, name)) // left by a test that failed after a kill
    if (left) process.kill(left, 'SIGQUIT')
  }
  fs.rmSync(home, { recursive: true, force: true })
})

const readFirstRun = (folder = dataDir) => JSON.parse(fs.readFileSync(path.join(folder, 'first-run.json'), 'utf8'))
const key = () => firstRun.secretKey!
const send = (to: string) =>
  call(service, 'POST', '/v1/send', {
    key: key(),
    body: { to, from: 'hello@example.com', subject: 'Hello {{name}}', body: '<p>Hello</p>', data: { name: 'Ada' } },
  })
const statusOf = async (emailId: string) =>
  (await call(service, 'GET', `/emails/${emailId}`, { key: key() })).body.status

const postmasterPid = () =>
  Number(fs.readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

/** For people: one line of text, without a stack trace. */
function expectOneSentence(stderr: string, words: RegExp): void {
  expect(stderr.trimEnd()).toMatch(words)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
}

describe('posthorn without starting the service', () => {
  const nowhere = path.join(home, 'nowhere')

  it('prints every setting with --help', async () => {
    const { code, stdout, stderr } = await runService({ DATA_DIR: nowhere }, ['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const [name, { help }] of Object.entries(SETTINGS)) {
      expect(stdout).toContain(`  ${name} `)
      expect(stdout).toContain(help)
    }
    for (const [page] of stdout.matchAll(/docs\/[\w./-]*\w/g))
      expect(fs.existsSync(path.join(ROOT, page)), page).toBe(true)
    expect(fs.existsSync(nowhere)).toBe(false)
  })

  it('prints its version with --version', async () => {
    const { version } = JSON.parse(fs.readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
    expect(await runService({}, ['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` })
  })

  it('prints the usage for an unknown command and exits with 2', async () => {
    const { code, stderr } = await runService({}, ['backpu'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Unknown command "backpu"\.\n\nUsage: posthorn/)
  })

  it('reports all invalid settings at once', async () => {
    const wrong = { PORT: '65536', ROLE: 'boss', DATABASE_URL: 'mysql://root:hidden@db/x', DISABLE_SIGNUPS: 'maybe' }
    const { code, stdout, stderr } = await runService({ DATA_DIR: nowhere, ...wrong })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr.trimEnd().split('\n')).toHaveLength(5)
    expect(stderr).toContain('4 settings are invalid')
    for (const name of Object.keys(wrong)) expect(stderr).toContain(`\n  ${name} must be `)
    expect(stderr).not.toContain('hidden')
    expect(fs.existsSync(nowhere)).toBe(false)
  })

  it('reports an unreachable database in one sentence', async () => {
    const { code, stderr } = await runService({ DATA_DIR: nowhere, DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/x' })
    expect(code).toBe(1)
    expectOneSentence(stderr, /^Posthorn can't start: the database can't be reached .*127\.0\.0\.1:1.*DATABASE_URL\.$/)
    expect(stderr).not.toContain('hidden')
  })

  it("reports a database that doesn't respond in one sentence", async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const { code, stderr } = await runService({ DATA_DIR: nowhere, DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/x` })
    silent.close()
    expect(code).toBe(1)
    expectOneSentence(stderr, /^Posthorn can't start: the database can't be reached .*DATABASE_URL\.$/)
  })
})

describe('a first start of the service', () => {
  it('prints everything needed once, and stores it in a file that only its owner can read', () => {
    const keys = ['email', 'password', 'projectId', 'publicKey', 'secretKey', 'domain', 'baseUrl']
    expect(Object.keys(firstRun).sort()).toEqual(keys.sort())
    expect(firstRun).toMatchObject({ domain: 'example.com', baseUrl: service.baseUrl })
    expect(fs.statSync(path.join(dataDir, 'first-run.json')).mode & 0o777).toBe(0o600)
    expect(fs.statSync(dataDir).mode & 0o777).toBe(0o700)
    const { projectId: _, ...shown } = firstRun
    for (const value of Object.values(shown)) expect(service.stdout()).toContain(value)
    expect(service.stdout().match(/Welcome to Posthorn/g)).toHaveLength(1)
    expect(service.stderr()).toBe('')
  })

  it('prints a curl command that sends an email, and one that shows it delivered', async () => {
    const [sending, listing] = service.stdout().match(/curl (?:.*\\\n)*.*/g)!
    const sent = await perform(sending!)
    expect(sent).toMatchObject({ success: true, data: { emails: [{ contact: { email: 'ada@example.org' } }] } })
    const emailId = sent.data.emails[0].email
    const listed = await eventually('the email is delivered', 120_000, async () => {
      const { data } = await perform(listing!)
      return data.find((email: { id: string; status: string }) => email.id === emailId && email.status === 'DELIVERED')
    })
    expect(listed).toMatchObject({ subject: 'Hello Ada', to: 'ada@example.org', from: 'hello@example.com' })
  })

  it('creates an account that can sign in and owns the project', async () => {
    const { email, password, projectId } = firstRun
    const login = await call(service, 'POST', '/auth/login', { body: { email, password } })
    expect(login.status).toBe(200)
    const cookie = login.headers.get('set-cookie')!.split(';')[0]!
    const projects = await call(service, 'GET', '/users/@me/projects', { cookie })
    expect(projects.body).toMatchObject([{ id: projectId, role: 'OWNER' }])
  })

  it.runIf(isRoot && process.platform === 'linux')(
    'by root, in a folder that only root can enter, runs PostgreSQL as another user',
    () => {
      expect(fs.statSync(home)).toMatchObject({ uid: 0, mode: 0o40700 })
      const uids = postgresProcesses(dataDir).map(ownersOf)
      expect(uids.length).toBeGreaterThan(3)
      expect(uids.flat()).not.toContain('0')
    },
  )
})

/** Runs a printed command in a shell; if curl isn't installed, makes the same request. */
async function perform(command: string) {
  const { stdout } = await run('sh', ['-c', 'command -v curl || true'])
  if (stdout.trim()) return JSON.parse((await run('sh', ['-c', command])).stdout)
  const url = /https?:\S+/.exec(command)![0]
  const headers = [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name!, value!] as const)
  const method = /-X (\w+)/.exec(command)?.[1] ?? 'GET'
  return (
    await fetch(url, { method, headers: [...headers] as [string, string][], body: /-d '(.*)'/.exec(command)?.[1] })
  ).json()
}

describe('a second start of the service', () => {
  const expectRunning = async () => expect((await call(service, 'GET', '/ready')).body).toMatchObject({ ready: true })

  it('on the same DATA_DIR is refused with one sentence, and the first continues', async () => {
    const { code, stdout, stderr } = await runService({ DATA_DIR: dataDir, PORT: '0' })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expectOneSentence(stderr, /^Another Posthorn process is already using DATA_DIR .*\.$/)
    await expectRunning()
  })

  it('on the same port is refused with one sentence and leaves no PostgreSQL behind', async () => {
    const { code, stdout, stderr } = await runService({ DATA_DIR: other, PORT: new URL(service.baseUrl).port })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expectOneSentence(stderr, /^Posthorn can't start: the port is already in use\. Set PORT .*\.$/)
    expect(fs.existsSync(path.join(other, 'postgres/PG_VERSION'))).toBe(true)
    expect(postgresProcesses(other)).toEqual([])
    await expectRunning()
  })

  it('logs only the name of the file with LOG_FORMAT=json, even if the first one failed', async () => {
    const welcoming = await start({ DATA_DIR: other, LOG_FORMAT: 'json' })
    await welcoming.stop()
    const { password, publicKey, secretKey } = readFirstRun(other)
    expect(welcoming.stdout()).toContain(JSON.stringify(path.join(other, 'first-run.json')))
    for (const secret of [password, publicKey, secretKey]) expect(welcoming.stdout()).not.toContain(secret)
  })

  it('leaves no PostgreSQL behind if it is stopped before it serves', async () => {
    const starting = launchService({ DATA_DIR: other, PORT: '0' })
    await eventually('PostgreSQL runs', 120_000, () => postgresProcesses(other).length > 0)
    const { ms } = await starting.stop()
    expect(ms).toBeLessThan(10_000)
    expect(postgresProcesses(other)).toEqual([])
  })
})

describe('posthorn setup', () => {
  it.each([
    ['that is running', dataDir],
    ['that was stopped', other],
  ])(
    'in the DATA_DIR of a service %s changes nothing',
    async (_state, folder) => {
      const args = ['setup', '--email', 'ada@example.org', '--project', 'Shop', '--json']
      const { code, stdout, stderr } = await runService({ DATA_DIR: folder }, args)
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
      expectOneSentence(
        stderr,
        /^This installation already has an account, so nothing was changed\. Sign in at http:.*\.$/,
      )
      if (folder === other) expect(postgresProcesses(other)).toEqual([])
    },
    120_000,
  )
})

describe('a PostgreSQL server that is killed', () => {
  it('is restarted automatically; until then callers get a 503 with Retry-After', async () => {
    const killed = postmasterPid()
    process.kill(killed, 'SIGKILL')

    let accepted: string | undefined
    await eventually('a request is accepted again', 120_000, async () => {
      const [reply, health] = await Promise.all([send('after@example.org'), call(service, 'GET', '/health')])
      expect(health.status).toBe(200)
      if (reply.status !== 200) {
        expect(reply.body).toMatchObject({ success: false, error: { code: 'SERVICE_UNAVAILABLE', statusCode: 503 } })
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
      } else if (postmasterPid() !== killed) accepted = reply.body.data.emails[0].email
      return accepted
    })
    await eventually('the worker delivers again', 120_000, async () => (await statusOf(accepted!)) === 'DELIVERED')
    expect(service.isRunning()).toBe(true)
  })
})

describe('stopping the service', () => {
  let emailId: string
  const clients: Socket[] = []
  afterAll(() => {
    for (const client of clients) client.destroy()
  })

  it('takes less than ten seconds, exits with 0 and leaves no process behind, even if something hangs', async () => {
    const outbox = await openOutboxView(embeddedUrl())
    const release = await outbox.holdAt('SENDING')
    emailId = (await send('kept@example.org')).body.data.emails[0].email
    await eventually('the worker is stuck', 120_000, async () => (await outbox.heldSessions()).length > 0)
    clients.push(await openClient(''), await openClient(UNFINISHED_REQUEST))

    const before = postgresProcesses(dataDir)
    expect(before.length).toBeGreaterThan(3)
    const { code, ms } = await service.stop()
    await release().catch(() => undefined) // it stopped with PostgreSQL, unless that is still running
    expect(code).toBe(0)
    expect(ms).toBeLessThan(10_000)
    expect(before.filter(isAlive)).toEqual([])
    expect(postgresProcesses(dataDir)).toEqual([])
    expect(service.stderr()).toBe('')
  })

  it('loses nothing: the next start has all data, the same keys, and no second first-run text', async () => {
    service = await start({ RATE_LIMIT_PER_MINUTE: '0' })
    expect(service.stdout()).not.toContain('Welcome')
    expect(readFirstRun()).toEqual({ ...firstRun, baseUrl: service.baseUrl })
    // The service may have been stopped just after a worker claimed an email: then its lease of a minute must expire
    // first.
    await eventually('the last email is delivered', 120_000, async () => (await statusOf(emailId)) === 'DELIVERED')
    const { body } = await call(service, 'GET', '/emails', { key: key() })
    expect(body.data.map((email: { to: string }) => email.to)).toContain('ada@example.org')
    const { email, password } = firstRun
    expect((await call(service, 'POST', '/auth/login', { body: { email, password } })).status).toBe(200)
  })
})

describe('killing the service while it sends', () => {
  it('loses no accepted email, and repeats only those that were being sent', async () => {
    const outbox = await openOutboxView(embeddedUrl())
    const before = new Set(await outbox.idsIn('DELIVERED'))
    const flood = startFlood()
    await eventually(
      'some mail is delivered',
      120_000,
      async () => (await outbox.idsIn('DELIVERED')).length > before.size + 20,
    )
    const release = await outbox.holdAt('DELIVERED')
    await eventually('several hundred are accepted', 120_000, () => flood.accepted.length > 400)
    await eventually('mail has left that is not recorded', 120_000, async () => {
      const captures = await outbox.captures()
      return (await outbox.idsIn('SENDING')).some((id) => captures.has(id))
    })
    const workers = workersOf(service.pid)
    const killed = service.kill()
    for (const pid of workers) process.kill(pid, 'SIGKILL') // a worker that is left would stop PostgreSQL
    await killed
    await flood.stop()

    await outbox.endSessionsOf(['posthorn', 'posthorn queue', 'posthorn processLock'])
    await release()
    const inProgress = new Set(await outbox.idsIn('SENDING'))
    const sentBefore = await outbox.captures()
    expect((await outbox.idsIn('PENDING')).length).toBeGreaterThan(100)
    expect([...inProgress].some((id) => sentBefore.has(id))).toBe(true)
    expect(inProgress.size).toBeLessThanOrEqual(Number(SETTINGS.WORKER_CONCURRENCY.default))

    service = await start({ RATE_LIMIT_PER_MINUTE: '0' })
    await eventually('everything is delivered', 120_000, async () => {
      return [...(await outbox.statuses()).values()].every((status) => status === 'DELIVERED')
    })
    const [statuses, captures, sentEvents] = [
      await outbox.statuses(),
      await outbox.captures(),
      await outbox.sentEvents(),
    ]
    await outbox.close()
    expect(flood.accepted.filter((id) => !statuses.has(id))).toEqual([])
    for (const id of statuses.keys()) {
      expect([id, captures.get(id)]).toEqual([id, inProgress.has(id) && sentBefore.has(id) ? 2 : 1])
      expect([id, sentEvents.get(id)]).toEqual([id, 1])
    }
  })
})

const UNFINISHED_REQUEST =
  'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{'

/** A client that sends this much and then keeps the connection open. */
async function openClient(words: string): Promise<Socket> {
  const socket = openSocket(Number(new URL(service.baseUrl).port), '127.0.0.1')
  socket.on('error', () => undefined) // it expects to be disconnected
  await once(socket, 'connect')
  if (words) socket.write(words)
  return socket
}

function embeddedUrl(): string {
  const { port, password } = JSON.parse(fs.readFileSync(path.join(dataDir, 'postgres.json'), 'utf8'))
  return `postgres://posthorn:${password}@127.0.0.1:${port}/posthorn`
}

/** Ten callers that each send one email after the other, until they are stopped or have sent a thousand. */
function startFlood() {
  const accepted: string[] = []
  let asked = 0
  let over = false
  async function caller(): Promise<void> {
    while (!over && asked < 1_000) {
      const reply = await send(`flood-${asked++}@example.org`).catch(() => undefined) // the service may be killed meanwhile
      if (reply?.status === 200) accepted.push(reply.body.data.emails[0].email)
    }
  }
  const callers = Promise.all(Array.from({ length: 10 }, caller))
  return {
    accepted,
    async stop() {
      over = true
      await callers
    },
  }
}
