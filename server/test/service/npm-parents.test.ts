/**
 * Whichever process between the terminal and the service exits, the service notices. The processes, npm and its shell are real;
 * the program is a small one that uses npm-parents.mjs like start.mjs does. The install paths (e2e/test-installs.ts) stop the whole
 * service in this way.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { familyOf, listProcesses, livingOf } from '../processes.ts'
import { eventually } from '../service-process.ts'

const WITHIN_MS = 60_000
const program = path.join(import.meta.dirname, '../fixtures/npm-child.mjs')
const home = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-npm-'))
const started: ChildProcess[] = []

beforeAll(() => {
  const scripts = { start: `exec ${process.execPath} ${program}` }
  fs.writeFileSync(path.join(home, 'package.json'), JSON.stringify({ name: 'trial', private: true, scripts }))
})

afterAll(() => {
  for (const pid of livingOf(started.flatMap(({ pid }) => familyOf(pid!)))) process.kill(pid, 'SIGKILL')
  fs.rmSync(home, { recursive: true, force: true })
})

/** What `npx` runs too. npm puts a shell between itself and the command; `npm start` replaces that shell with `exec`. */
const NPM_EXEC = ['npm', 'exec', '--offline', '-c', `${process.execPath} ${program}`]
const NPM_START = ['npm', 'start']

async function start([command, ...args]: string[], env: Record<string, string> = {}) {
  const child = spawn(command!, args, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const pid = Number(await eventually('the program runs', WITHIN_MS, () => /^(\d+)$/m.exec(output)?.[1]))
  const parentOf = (of: number) => listProcesses().find((entry) => entry.pid === of)!.ppid
  const hasExited = () => livingOf([pid]).length === 0
  const checks = () => output.split('checked').length
  return { child, pid, parentOf, hasExited, checks }
}

describe('a program that npm started', () => {
  it.concurrent.for([
    ['npm', 'npm start', 'SIGTERM'],
    ['npm', 'npm start', 'SIGINT'],
    ['npm', 'npm start', 'SIGHUP'],
    ['npm', 'npm start', 'SIGKILL'],
    ['npx', 'npx', 'SIGTERM'],
    ['npx', 'npx', 'SIGHUP'],
    ['npx', 'npx', 'SIGKILL'],
    ['the shell', 'npx', 'SIGTERM'],
    ['the shell', 'npx', 'SIGHUP'],
    ['the shell', 'npx', 'SIGKILL'],
    // A shell that waits for its command keeps SIGINT until the command exits. Ctrl-C reaches the command itself.
  ] as const)(
    'stops when %s of %s gets %s',
    async ([member, command, signal]) => {
      const { child, pid, parentOf, hasExited } = await start(command === 'npx' ? NPM_EXEC : NPM_START)
      process.kill(member === 'the shell' ? parentOf(pid) : child.pid!, signal)
      await eventually('it exits', WITHIN_MS, hasExited)
    },
    120_000,
  )

  it.concurrent('keeps running when the shell exits from which npm was started', async () => {
    const { child, pid, parentOf, hasExited, checks } = await start(['sh', '-c', 'nohup npm start & wait'])
    const npm = parentOf(pid)
    process.kill(child.pid!, 'SIGKILL')
    await eventually('npm has another parent', WITHIN_MS, () => parentOf(npm) !== child.pid)
    const before = checks()
    await eventually('its parents were checked', WITHIN_MS, () => checks() > before + 1 || hasExited())
    expect(hasExited()).toBe(false)
    process.kill(npm, 'SIGKILL')
    await eventually('it exits with npm', WITHIN_MS, hasExited)
  }, 120_000)
})

describe('a program that npm did not start', () => {
  it.concurrent.for([
    ['in a terminal', {}],
    ['in a terminal that was opened by npm', { npm_lifecycle_event: 'editor' }],
  ] as const)(
    'keeps running when its shell exits (%s)',
    async ([, env]) => {
      const shell = ['sh', '-c', `nohup ${process.execPath} ${program} & wait`]
      const { child, pid, parentOf, hasExited, checks } = await start(shell, env)
      process.kill(child.pid!, 'SIGKILL')
      await eventually('it has another parent', WITHIN_MS, () => parentOf(pid) !== child.pid)
      const before = checks()
      await eventually('its parents were checked', WITHIN_MS, () => checks() > before + 1 || hasExited())
      expect(hasExited()).toBe(false)
      process.kill(pid, 'SIGKILL')
    },
    120_000,
  )
})
