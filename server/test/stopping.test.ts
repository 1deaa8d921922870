/**
 * Stopping the service the ways people do: Ctrl-C in a terminal, a signal to one process or to the whole group, a terminal
 * that is closed. Whatever arrives, nothing keeps running. Real processes, a real terminal.
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
import { familyOf, isAlive, postgresProcesses } from './processes.ts'
import { eventually } from './service-process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CTRL_C = '\x03'
const STOPS_WITHIN_MS = 10_000

const home = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-stopping-'))
const dataDir = path.join(home, 'data')
const started: ChildProcess[] = []

afterAll(() => {
  for (const { pid } of started) if (pid) for (const member of familyOf(pid)) endIfAlive(member)
  for (const pid of postgresProcesses(dataDir)) endIfAlive(pid)
  fs.rmSync(home, { recursive: true, force: true })
})

function endIfAlive(pid: number): void {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL')
}

/** `npm start`, as the leader of a process group or inside a terminal, once it serves requests. */
async function start({ inTerminal }: { inTerminal: boolean }) {
  const { command, args } = inTerminal ? terminalCommand() : { command: 'npm', args: ['start'] }
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: '0', TERM: 'xterm' }
  const child = spawn(command, args, { cwd: ROOT, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const exited = once(child, 'close').then(([code]) => code as number | null)
  const port = await eventually('the service is ready', 90_000, () => {
    if (child.exitCode !== null) throw new Error(`It exited early:\n${output}`)
    return /(?:serving|Dashboard +) ?http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1]
  })
  const family = familyOf(child.pid!)
  expect(postgresProcesses(dataDir)).not.toEqual([])
  return { child, family, port: Number(port), output: () => output, exited }
}

/** util-linux and the BSDs agree on the program and not on its arguments. */
const terminalCommand = () =>
  process.platform === 'linux'
    ? { command: 'script', args: ['--quiet', '--return', '--flush', '--command', 'exec npm start', '/dev/null'] }
    : { command: 'script', args: ['-q', '/dev/null', 'npm', 'start'] }

const hasTerminal = spawnSync('script', ['--version']).error === undefined

async function expectNothingLeft(family: number[]): Promise<void> {
  await eventually('every process has ended', STOPS_WITHIN_MS, () => family.filter(isAlive).length === 0)
  expect(postgresProcesses(dataDir)).toEqual([])
}

describe.runIf(hasTerminal)('in a terminal', () => {
  it('shows where the service is instead of JSON lines', async () => {
    const { child, family, output, exited } = await start({ inTerminal: true })
    expect(output()).toContain('is running. Press Ctrl-C to stop.')
    expect(output()).toMatch(/Dashboard +http:\/\/127\.0\.0\.1:\d+\r?\n/)
    expect(output()).not.toContain('{"level"')
    child.stdin.write(CTRL_C)
    await exited
    await expectNothingLeft(family)
  }, 120_000)

  it('stops in order, PostgreSQL included, and exits with 0 on Ctrl-C', async () => {
    const { child, family, output, exited } = await start({ inTerminal: true })
    const from = performance.now()
    child.stdin.write(CTRL_C)
    expect(await exited, output()).toBe(0)
    expect(performance.now() - from).toBeLessThan(STOPS_WITHIN_MS)
    await expectNothingLeft(family)
  }, 120_000)

  it('stops at once on a second Ctrl-C a second later', async () => {
    const { child, family, port, output, exited } = await start({ inTerminal: true })
    const request = await openRequest(port)
    child.stdin.write(CTRL_C)
    await eventually('it is stopping', 5_000, () => output().includes('SIGINT received, stopping'))
    await sleep(1_200) // what makes the second Ctrl-C deliberate is the time between the two
    child.stdin.write(CTRL_C)
    expect(await exited, output()).not.toBe(0)
    expect(output()).toContain('SIGINT received again')
    request.destroy()
    await expectNothingLeft(family)
  }, 120_000)

  it('stops when the terminal is closed', async () => {
    const { child, family, exited } = await start({ inTerminal: true })
    child.kill('SIGKILL')
    await exited
    await expectNothingLeft(family)
  }, 120_000)
})

describe('outside a terminal', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'stops in order when %s goes to the whole process group',
    async (signal) => {
      const { child, family, exited } = await start({ inTerminal: false })
      const from = performance.now()
      process.kill(-child.pid!, signal)
      await exited
      await expectNothingLeft(family)
      expect(performance.now() - from).toBeLessThan(STOPS_WITHIN_MS)
    },
    120_000,
  )

  it('counts two signals at the same moment as one, and exits with 0', async () => {
    const { child, family, output, exited } = await start({ inTerminal: false })
    child.kill('SIGTERM')
    child.kill('SIGTERM')
    expect(await exited, output()).toBe(0)
    await expectNothingLeft(family)
  }, 120_000)

  it('ends within ten seconds although a client never finishes its request', async () => {
    const { child, family, port, output, exited } = await start({ inTerminal: false })
    const request = await openRequest(port)
    const from = performance.now()
    child.kill('SIGTERM')
    expect(await exited, output()).toBe(0)
    expect(performance.now() - from).toBeLessThan(STOPS_WITHIN_MS)
    request.destroy()
    await expectNothingLeft(family)
  }, 120_000)
})

/** A request whose body never ends: it keeps the service busy for as long as it waits for requests under way. */
async function openRequest(port: number) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write('POST /v1/track HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{')
  return socket
}
