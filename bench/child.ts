/** Starts the measured programs as separate processes, waits until they respond, and stops them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ROOT = path.join(import.meta.dirname, '..')
const RESPONSE_TIMEOUT_MS = 30_000
const STOP_WITHIN_MS = 15_000

export interface Child {
  pid: number
  /** From spawning the process to its first 200 response. */
  startMs: number
  stop(): Promise<void>
}

export interface ChildOptions {
  command: string[]
  env: Record<string, string>
  logFile: string
  /** Returns 200 when the program is ready. */
  readyUrl: string
}

/** Its output is written to a file, as in production; a pipe would have to be read by this process. */
export async function startChild({ command, env, logFile, readyUrl }: ChildOptions): Promise<Child> {
  const startedAt = performance.now()
  const log = openSync(logFile, 'a')
  const child = spawn(command[0]!, command.slice(1), {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', log, log],
    detached: true, // a separate process group: Ctrl-C reaches only this process, and killing the group leaves nothing running
  })
  closeSync(log)
  running.add(child)
  child.once('exit', () => running.delete(child))
  const failed = new Promise<never>((_resolve, reject) => child.once('error', reject))
  try {
    await Promise.race([firstAnswer(child, readyUrl, logFile), failed])
  } catch (error) {
    await stop(child)
    throw error
  }
  return { pid: child.pid!, startMs: performance.now() - startedAt, stop: () => stop(child) }
}

async function firstAnswer(child: ChildProcess, url: string, logFile: string): Promise<void> {
  const deadline = performance.now() + RESPONSE_TIMEOUT_MS
  while (performance.now() < deadline) {
    if (hasEnded(child)) throw new Error(`${nameOf(child)} exited before it responded:\n${endOf(logFile)}`)
    if (await responds(url)) return
    await sleep(10)
  }
  throw new Error(`${nameOf(child)} did not respond at ${url} within ${RESPONSE_TIMEOUT_MS} ms:\n${endOf(logFile)}`)
}

const nameOf = (child: ChildProcess) => child.spawnargs.join(' ')
const endOf = (file: string) => readFileSync(file, 'utf8').slice(-2_000)

async function responds(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false // not listening yet
  }
}

const running = new Set<ChildProcess>()

/** For an interrupted run. */
export async function stopEverything(): Promise<void> {
  await Promise.all([...running].map(stop))
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM') // only npm gets the signal, because it forwards it and waits; if the whole group got it, npm would exit before the service
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), STOP_WITHIN_MS)
  await ended
  clearTimeout(timer)
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
