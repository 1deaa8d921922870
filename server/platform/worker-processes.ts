/**
 * The worker processes of an API process. One that exits is restarted, after a pause that grows while it keeps failing.
 * They stop when they are signaled or when this process exits.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { pause, within } from '../kernel/clock.ts'
import type { Log } from './log.ts'
import type { ProcessMetrics } from './metrics.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** A worker that has run for this long has started successfully, so the next pause is short again. */
const STEADY_MS = 60_000
/** A worker stops within seven seconds, whatever its jobs do. */
const STOPS_WITHIN_MS = 7_500
const METRICS_WITHIN_MS = 1_000

/** What a worker process needs besides the settings, which it inherits. */
export interface Assignment {
  name: string
  databaseUrl: string
  baseUrl: string
  lockNumber: number
}

export type ToWorker = { kind: 'start'; assignment: Assignment } | { kind: 'metrics' } | { kind: 'stop' }
export type FromWorker = { kind: 'working' } | { kind: 'metrics'; metrics: ProcessMetrics }

export interface StartOptions {
  count: number
  /** The URL of the caller's module: the program of a worker process is the file `worker-process` next to it. */
  from: string
  databaseUrl: string
  /** Known once this process listens. Until then workers load their code, so that they work soon after. */
  baseUrl: Promise<string>
  newLockNumber(): number
  /** Called before a worker is started to replace one that exited with this lock number. */
  recover(lockNumber: number): Promise<unknown>
  /** Stops the workers immediately, without waiting for their jobs. */
  stoppingNow: AbortSignal
}

export type WorkerProcesses = ReturnType<typeof createWorkerProcesses>

interface Running {
  name: string
  child: ChildProcess
  working: boolean
}

export function createWorkerProcesses({ log }: { log: Log }) {
  const stopping = new AbortController()
  const running = new Set<Running>()
  /** Names of workers that exited and have not been restarted yet. */
  const missing = new Set<string>()
  let keeping: Array<Promise<void>> = []

  /** Restarts the process until the workers are stopped. */
  async function keep(name: string, options: StartOptions): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !stopping.signal.aborted; ) {
      const startedAt = performance.now()
      const lockNumber = options.newLockNumber()
      // Starting a process fails if the system has no memory for it.
      const ended = await run(name, lockNumber, options).catch((error: unknown) => ({ err: error }))
      if (stopping.signal.aborted) return
      missing.add(name)
      if (performance.now() - startedAt > STEADY_MS) pauseMs = FIRST_PAUSE_MS
      log.error({ worker: name, ...ended, restartMs: pauseMs }, 'a worker process exited and will be restarted')
      await pause(pauseMs, stopping.signal).catch(() => undefined)
      if (stopping.signal.aborted) return
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      await options
        .recover(lockNumber)
        .catch((error) => log.debug({ err: error }, 'the jobs of the worker process could not be recovered yet'))
    }
  }

  function startProcess(from: string): ChildProcess {
    const ending = from.endsWith('.ts') ? 'ts' : 'js'
    return fork(fileURLToPath(new URL(`./worker-process.${ending}`, from)), {
      execArgv: process.execArgv.filter((argument) => !argument.startsWith('--inspect')), // this process listens on that port
      env: { ...process.env, WATCH_REPORT_DEPENDENCIES: undefined }, // of node --watch, which this process reports to
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    })
  }

  async function run(name: string, lockNumber: number, { from, databaseUrl, baseUrl }: StartOptions) {
    const child = startProcess(from)
    const worker: Running = { name, child, working: false }
    running.add(worker)
    child.on('message', (message: FromWorker) => {
      if (message.kind !== 'working') return
      worker.working = true
      missing.delete(name)
    })
    child.on('error', (error) => log.debug({ err: error, worker: name }, 'a worker process could not be reached'))
    void baseUrl.then((url) =>
      sendMessage(child, { kind: 'start', assignment: { name, databaseUrl, baseUrl: url, lockNumber } }),
    )
    return new Promise<{ code: number | null; signal: string | null }>((resolve) => {
      child.once('exit', (code, signal) => end({ code, signal }))
      child.once('error', () => child.pid === undefined && end({ code: null, signal: null })) // it was never started
      const end = (ended: { code: number | null; signal: string | null }) => {
        running.delete(worker)
        resolve(ended)
      }
    })
  }

  const sendMessage = (child: ChildProcess, message: ToWorker): void => {
    if (child.connected) child.send(message, () => undefined) // if it exits in the meantime, its exit is handled
  }

  const kill = () => {
    for (const { child } of running) child.kill('SIGKILL')
  }

  async function metricsOf({ name, child, working }: Running) {
    if (!working) return []
    const done = new AbortController()
    const response = (async () => {
      for (;;) {
        const [message] = (await once(child, 'message', { signal: done.signal })) as [FromWorker]
        if (message.kind === 'metrics') return [{ process: name, metrics: message.metrics }]
      }
    })().catch(() => [])
    sendMessage(child, { kind: 'metrics' })
    const received = await within(METRICS_WITHIN_MS, response)
    done.abort()
    return received ?? []
  }

  return {
    start(options: StartOptions): void {
      const name = (i: number) => (options.count === 1 ? 'worker' : `worker-${i + 1}`)
      options.stoppingNow.addEventListener('abort', kill)
      keeping = Array.from({ length: options.count }, (_, i) => keep(name(i), options))
    },
    /** Returns the metrics of the processes that respond in time. */
    async metrics(): Promise<Array<{ process: string; metrics: ProcessMetrics }>> {
      return (await Promise.all([...running].map(metricsOf))).flat()
    },
    missing: (): string[] => [...missing],
    /** Running jobs may finish. Safe to call more than once. */
    async stop(): Promise<void> {
      stopping.abort()
      for (const { child, working } of running) {
        if (working) sendMessage(child, { kind: 'stop' })
        else child.kill('SIGTERM') // while it loads it reads no messages
      }
      const late = setTimeout(kill, STOPS_WITHIN_MS)
      await Promise.all(keeping)
      clearTimeout(late)
    },
  }
}
