/**
 * Whichever process between the terminal and the service exits, the service notices. The processes, npm and its shell are real;
 * the program is a small one that uses tools/npm-parents.mjs like start.mjs does. The install paths (e2e/test-installs.ts) stop the whole
 * service in this way.
 */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { familyOf, listProcesses, livingOf } from '../processes.ts'
import { eventually } from '../service-process.ts'

const WITHIN_MS = 60_000
const PROGRAM = path.join(import.meta.dirname, '../fixtures/npm-child.mjs')
const home = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-npm-'))
const started: number[] = []

beforeAll(() => {
  const scripts = { start: `exec ${process.execPath} ${PROGRAM}` }
  fs.writeFileSync(path.join(home, 'package.json'), JSON.stringify({ name: 'trial', private: true, scripts }))
})

afterAll(() => {
  for (const pid of livingOf(started.flatMap(familyOf))) process.kill(pid, 'SIGKILL')
  fs.rmSync(home, { recursive: true, force: true })
})

/** What `npx` runs too. npm puts a shell between itself and the command; `npm start` replaces that shell with `exec`. */
const NPM_EXEC = ['npm', 'exec', '--offline', '-c', `${process.execPath} ${PROGRAM}`]
const NPM_START = ['npm', 'start']

async function start([command, ...args]: string[], env: Record<string, string> = {}) {
  const child = spawn(command!, args, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child.pid!)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const pid = Number(await eventually('the program runs', WITHIN_MS, () => /^(\d+)$/m.exec(output)?.[1]))
  started.push(pid) // by then it may have another parent
  const parentOf = (of: number) => listProcesses().find((entry) => entry.pid === of)!.ppid
  const hasExited = () => livingOf([pid]).length === 0
  const checks = () => output.split('checked').length
  return { child, pid, parentOf, hasExited, checks }
}

/** Waits until the program has checked its parents again, which it does each second. */
async function expectToKeepRunning({ hasExited, checks }: Awaited<ReturnType<typeof start>>): Promise<void> {
  const before = checks()
  await eventually('its parents were checked', WITHIN_MS, () => checks() > before + 1 || hasExited())
  expect(hasExited()).toBe(false)
}

describe('a program that was started with', () => {
  it.concurrent.for([
    ['npm start', 'npm', 'SIGTERM'],
    ['npm start', 'npm', 'SIGINT'],
    ['npm start', 'npm', 'SIGHUP'],
    ['npm start', 'npm', 'SIGKILL'],
    ['npx', 'npx', 'SIGTERM'],
    ['npx', 'npx', 'SIGHUP'],
    ['npx', 'npx', 'SIGKILL'],
    ['npx', 'its shell', 'SIGTERM'],
    ['npx', 'its shell', 'SIGHUP'],
    ['npx', 'its shell', 'SIGKILL'],
    // A shell that waits for its command keeps SIGINT until the command exits. Ctrl-C reaches the command itself.
  ] as const)('%s stops when %s gets %s', async ([command, member, signal]) => {
    const { child, pid, parentOf, hasExited } = await start(command === 'npx' ? NPM_EXEC : NPM_START)
    process.kill(member === 'its shell' ? parentOf(pid) : child.pid!, signal)
    await eventually('it exits', WITHIN_MS, hasExited)
  })

  it.concurrent('npm start keeps running when the shell exits that ran npm, until npm exits', async () => {
    const program = await start(['sh', '-c', 'nohup npm start & wait'])
    const npm = program.parentOf(program.pid)
    program.child.kill('SIGKILL')
    await eventually('npm has another parent', WITHIN_MS, () => program.parentOf(npm) !== program.child.pid)
    await expectToKeepRunning(program)
    process.kill(npm, 'SIGKILL')
    await eventually('it exits', WITHIN_MS, program.hasExited)
  })

  it.concurrent.for([
    ['a terminal', {}],
    ['a terminal that was opened by npm', { npm_lifecycle_event: 'editor' }],
  ] as const)('nohup in %s keeps running when the terminal is closed', async ([, env]) => {
    const program = await start(['sh', '-c', `nohup ${process.execPath} ${PROGRAM} & wait`], env)
    program.child.kill('SIGKILL')
    await eventually('it has another parent', WITHIN_MS, () => program.parentOf(program.pid) !== program.child.pid)
    await expectToKeepRunning(program)
  })
})
