/**
 * The built service as a real process, started like `npm start`, for tests of starting, stopping and crashing. Every
 * wait has a limit, and no child outlives the test process.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Long, because a first start creates a database cluster, possibly while other tests run. */
const SERVES_WITHIN_MS = 90_000
const ENDS_WITHIN_MS = 60_000
const POLL_MS = 25
const POLL_MS_MAX = 250
const OUTPUT_MAX = 4_000_000

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface StartedProcess {
  pid: number
  stdout(): string
  stderr(): string
  exited: Promise<Exit>
  isRunning(): boolean
  /** SIGTERM; returns how long stopping took. */
  stop(): Promise<Exit & { ms: number }>
  /** kill -9. */
  kill(): Promise<Exit>
}

export interface LaunchOptions {
  root?: string | undefined
  through?: string[]
}

export interface ServiceProcess extends StartedProcess {
  /** For a worker, the address of /health, /ready and /metrics; empty if its port was taken. */
  baseUrl: string
}

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/**
 * Starts it and collects its output. Settings come from `env` only, and there is no `.env` in its folder. `root` is a checkout
 * of another version. `through` is a command that runs it, for example on another machine.
 */
export function launchService(
  env: Record<string, string>,
  args: string[] = [],
  { root = ROOT, through = [] }: LaunchOptions = {},
): StartedProcess {
  const [program, ...rest] = [...through, process.execPath, path.join(root, 'start.mjs'), ...args]
  const child = spawn(program!, rest, {
    cwd: env.DATA_DIR ? path.dirname(env.DATA_DIR) : tmpdir(),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      if (text[name].length < OUTPUT_MAX) text[name] += chunk
    })
  }
  const exited = once(child, 'close').then(([code, signal]): Exit => {
    children.delete(child)
    return { code, signal }
  })
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return endOf(exited, () => child.kill('SIGKILL'))
  }
  return {
    pid: child.pid!,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    exited,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      const from = performance.now()
      return { ...(await end('SIGTERM')), ms: performance.now() - from }
    },
    kill: () => end('SIGKILL'),
  }
}

/** A process that takes too long is killed, which the exit code shows. */
async function endOf(exited: Promise<Exit>, kill: () => void): Promise<Exit> {
  const late = setTimeout(kill, ENDS_WITHIN_MS)
  const exit = await exited
  clearTimeout(late)
  return exit
}

/** Runs it until it exits: `--help`, and every start that must be refused. */
export async function runService(env: Record<string, string>, args: string[] = []) {
  const started = launchService(env, args)
  const exit = await endOf(started.exited, () => process.kill(started.pid, 'SIGKILL'))
  return { ...exit, stdout: started.stdout(), stderr: started.stderr() }
}

/** Starts it and waits until it is ready. */
export async function startService(env: Record<string, string>, options?: LaunchOptions): Promise<ServiceProcess> {
  const started = launchService(env, [], options)
  const readiness = () =>
    /(?:"msg":"|info {2})serving (?<url>[^"\s]+)|(?:"url":"(?<workerUrl>[^"]+)",)?(?:"msg":"|info {2})working/.exec(
      started.stdout(),
    )
  const deadline = performance.now() + SERVES_WITHIN_MS
  while (!readiness()) {
    if (!started.isRunning() || performance.now() > deadline) {
      await started.kill()
      throw new Error(`The service did not come up.\n${started.stdout()}\n${started.stderr()}`)
    }
    await sleep(POLL_MS)
  }
  const { url, workerUrl } = readiness()!.groups!
  return { ...started, baseUrl: url ?? workerUrl ?? '' }
}

export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape.
  body: any
}

export interface CallOptions {
  key?: string
  cookie?: string
  headers?: Record<string, string>
  body?: unknown
}

/** One request over a real socket. */
export async function call(
  service: Pick<ServiceProcess, 'baseUrl'>,
  method: string,
  url: string,
  { key, cookie, headers, body }: CallOptions = {},
): Promise<Reply> {
  const reply = await fetch(service.baseUrl + url, {
    method,
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(cookie ? { cookie } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
  const text = await reply.text()
  const isJson = reply.headers.get('content-type')?.startsWith('application/json')
  return { status: reply.status, headers: reply.headers, body: isJson ? JSON.parse(text) : text }
}

/**
 * Repeats the probe until its result is neither empty nor false, and fails with a description at the deadline. The longer
 * it waits, the less often it probes: a probe takes processor time from what it waits for, and is late by a tenth at most.
 */
export async function eventually<T>(
  what: string,
  withinMs: number,
  probe: () => T | Promise<T>,
): Promise<Exclude<T, false | null | undefined>> {
  const from = performance.now()
  for (;;) {
    const answer = await probe()
    if (answer) return answer as Exclude<T, false | null | undefined>
    const waitedMs = performance.now() - from
    if (waitedMs > withinMs) throw new Error(`Not within ${withinMs / 1000} s: ${what}.`)
    await sleep(Math.min(Math.max(POLL_MS, waitedMs / 10), POLL_MS_MAX))
  }
}
