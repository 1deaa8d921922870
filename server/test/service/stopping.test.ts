/**
 * Stopping the service in every way people do: Ctrl-C in a terminal, a signal to one process or to the whole group, a
 * closed terminal. Nothing keeps running. The processes and the terminal are real.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { familyOf, listProcesses, livingOf, postgresProcesses, workersOf } from '../processes.ts'
import { eventually } from '../service-process.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const CTRL_C = '\x03'
const STOPS_WITHIN_MS = 10_000

const home = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-stopping-'))
const dataDir = path.join(home, 'data')
const started: ChildProcess[] = []

afterAll(() => {
  const left = started.flatMap(({ pid }) => (pid ? familyOf(pid) : []))
  for (const pid of livingOf([...left, ...postgresProcesses(dataDir)])) process.kill(pid, 'SIGKILL')
  fs.rmSync(home, { recursive: true, force: true })
})

/** As the leader of a process group. */
function launch([command, ...args]: string[], env: Record<string, string> = {}) {
  const child = spawn(command!, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: '0', TERM: 'xterm', ...env },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  started.push(child)
  return child
}

const NPM_START = ['npm', 'start']
const NODE = [process.execPath, 'start.mjs']

/** util-linux and BSD have different arguments, and BSD's accepts input from a pipe only, not from a socket. */
const IN_TERMINAL =
  process.platform === 'linux'
    ? ['script', '--quiet', '--return', '--flush', '--command', 'exec npm start', '/dev/null']
    : ['sh', '-c', 'cat | script -q /dev/null npm start']

const hasTerminal =
  process.platform === 'linux'
    ? spawnSync('script', ['--quiet', '--return', '--flush', '--command', 'true', '/dev/null']).status === 0
    : spawnSync('script', ['-q', '/dev/null', 'true'], { stdio: 'ignore' }).status === 0

/** Started and ready for requests. */
async function start(command: string[]) {
  const child = launch(command)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const exited = once(child, 'close').then(([code]) => code as number | null)
  const port = await eventually('the service is ready', 120_000, () => {
    if (child.exitCode !== null) throw new Error(`It exited early:\n${output}`)
    return /(?:serving|Dashboard +) ?http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1]
  })
  await eventually('its worker runs', 120_000, () => familyOf(child.pid!).some((pid) => workersOf(pid).length > 0))
  const family = familyOf(child.pid!)
  expect(postgresProcesses(dataDir)).not.toEqual([])
  return { child, family, port: Number(port), output: () => output, exited }
}

async function expectNothingLeft(family: number[]): Promise<void> {
  await eventually('every process has ended', STOPS_WITHIN_MS, () => livingOf(family).length === 0)
  expect(postgresProcesses(dataDir)).toEqual([])
}

describe.runIf(hasTerminal)('npm start in a terminal', () => {
  it('shows where the service is instead of JSON lines, and on Ctrl-C shuts down cleanly, PostgreSQL included, and exits with 0', async () => {
    const { child, family, output, exited } = await start(IN_TERMINAL)
    expect(output()).toContain('is running. Press Ctrl-C to stop.')
    expect(output()).toMatch(/Dashboard +http:\/\/127\.0\.0\.1:\d+\r?\n/)
    expect(output()).not.toContain('{"level"')
    const from = performance.now()
    child.stdin.write(CTRL_C)
    expect(await exited, output()).toBe(0)
    expect(performance.now() - from).toBeLessThan(STOPS_WITHIN_MS)
    await expectNothingLeft(family)
  })

  it('stops immediately, PostgreSQL included, on a second Ctrl-C a second later', async () => {
    const { child, family, output, exited } = await start(IN_TERMINAL)
    process.kill(postgresProcesses(dataDir)[0]!, 'SIGSTOP') // a clean stop would wait for it
    child.stdin.write(CTRL_C)
    await eventually('it is stopping', 120_000, () => output().includes('SIGINT received, stopping'))
    await sleep(1_200) // the delay makes the second Ctrl-C a deliberate one
    child.stdin.write(CTRL_C)
    expect(await exited, output()).not.toBe(0)
    expect(output()).toContain('SIGINT received again')
    await expectNothingLeft(family)
  })

  it('stops when the terminal is closed', async () => {
    const { child, family } = await start(IN_TERMINAL)
    const terminal = listProcesses().find(({ pid, command }) => family.includes(pid) && /^script\b/.test(command))
    process.kill(terminal?.pid ?? child.pid!, 'SIGKILL')
    await expectNothingLeft(family)
  })
})

describe('the service outside a terminal', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'shuts down cleanly and exits with 0 when %s goes to the whole process group',
    async (signal) => {
      const { child, family, output, exited } = await start(NODE)
      const from = performance.now()
      process.kill(-child.pid!, signal)
      expect(await exited, output()).toBe(0)
      await expectNothingLeft(family)
      expect(performance.now() - from).toBeLessThan(STOPS_WITHIN_MS)
    },
  )

  it('leaves nothing running when SIGTERM goes to npm and its whole process group', async () => {
    const { child, family } = await start(NPM_START)
    process.kill(-child.pid!, 'SIGTERM')
    await expectNothingLeft(family)
  })

  it('counts two signals at the same moment as one, and exits with 0 within ten seconds even if a client never finishes its request', async () => {
    const { child, family, port, output, exited } = await start(NPM_START)
    const request = await openRequest(port)
    const from = performance.now()
    child.kill('SIGTERM')
    child.kill('SIGTERM')
    expect(await exited, output()).toBe(0)
    expect(performance.now() - from).toBeLessThan(STOPS_WITHIN_MS)
    request.destroy()
    await expectNothingLeft(family)
  })
})

describe('a signal before the service is ready', () => {
  it('ends the setup of the database and exits with 0', async () => {
    const fresh = path.join(home, 'fresh')
    const child = launch(NODE, { DATA_DIR: fresh })
    const exited = once(child, 'close')
    const isSettingUp = () =>
      fs.existsSync(fresh) && fs.readdirSync(fresh).some((name) => name.startsWith('postgres.new-'))
    await eventually('the database is being set up', 120_000, isSettingUp)
    const family = familyOf(child.pid!)
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    await expectNothingLeft(family)
    expect(fs.existsSync(path.join(fresh, 'postgres'))).toBe(false)
  })

  it('ends a backup and the PostgreSQL that was started for it', async () => {
    const child = launch([...NODE, 'backup', path.join(home, 'interrupted.backup')])
    const exited = once(child, 'close')
    await eventually('PostgreSQL runs', 120_000, () => postgresProcesses(dataDir).length > 0)
    const family = familyOf(child.pid!)
    child.kill('SIGINT')
    await exited
    await expectNothingLeft(family)
    expect(fs.readdirSync(home).filter((name) => name.endsWith('.part'))).toEqual([])
  })
})

/** A request whose body never ends: a clean stop waits for it. */
async function openRequest(port: number) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write('POST /v1/track HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{')
  return socket
}
