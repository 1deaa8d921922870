/**
 * How a thread is started, and a pool of threads for work that other people's input can make long. Owners (projects, or
 * the networks of clients) have turns in it. A thread whose job exceeds its deadline is stopped, whatever it is doing,
 * and another one starts when it is needed. Where the system tells, only the processor time of the thread counts, so that
 * a slow or busy machine stops no job that is quick. Threads without work end after a minute. Jobs must have no side effects.
 */
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, type ResourceLimits, Worker, type WorkerOptions } from 'node:worker_threads'
import { createTurns, type Turn } from '../kernel/flow/turns.ts'
import { processorMsOf, threadFolder } from './processor-time.ts'

export interface ThreadPoolOptions<Request> {
  /** Starts one thread; its file calls `serveJobs`. */
  start(limits: ResourceLimits): Worker
  /** How many threads one owner can use if it is alone. One more starts for the others, so that they needn't wait. */
  threads: number
  /** How many jobs a thread may have at a time: more than one only for jobs that mostly wait. */
  jobsPerThread?: number
  /** How many jobs of one owner may run however busy the others are. */
  share?: number
  /** Milliseconds one job may take, not counting its wait for a thread, or for a processor unless it `mostlyWaits`. */
  deadlineMs: number | ((request: Request) => number)
  /** Jobs that wait for the network take little processor time, so all of their time counts. */
  mostlyWaits?: boolean
  /** Why a request whose turn has come is not run after all. */
  refuse?(request: Request, owner: string): Error | undefined
  limits: ResourceLimits
}

export interface ThreadPool<Request, Result> {
  run(request: Request, owner: string): Promise<Result>
  close(): Promise<void>
}

/** The thread of a job was stopped: the job took too long or needed too much memory. */
export class ThreadStopped extends Error {
  readonly reason: 'time' | 'memory'

  constructor(reason: 'time' | 'memory') {
    super(reason === 'time' ? 'The job took too long and was stopped.' : 'The job needed too much memory.')
    this.reason = reason
  }
}

interface Job<Request, Result> {
  request: Request
  resolve(result: Result): void
  reject(error: Error): void
}

/** A thread without work ends after this time, because it needs several megabytes. The next job starts another. */
const IDLE_MS = 60_000
/** A job takes at most so many times its deadline, however little processor time its thread gets. */
const SLOWDOWN_MAX = 10

interface Slot<Request, Result> {
  worker: Worker
  ready: boolean
  /** See `threadFolder`. */
  folder: string | undefined
  idle: NodeJS.Timeout | undefined
  jobs: Map<number, Running<Request, Result>>
}

interface Running<Request, Result> {
  turn: Turn<Job<Request, Result>>
  timer: NodeJS.Timeout
  /** When it is stopped in any case. */
  endsAt: number
  /** The processor time of its thread at its deadline; undefined if that doesn't count. */
  processorMs: number | undefined
}

type ThreadReply<Result> =
  | { kind: 'ready'; folder?: string | undefined }
  | { kind: 'done'; id: number; result: Result }
  | Failure
interface Failure {
  kind: 'failed'
  id: number
  message: string
}

export function createThreadPool<Request, Result>(options: ThreadPoolOptions<Request>): ThreadPool<Request, Result> {
  const { threads, jobsPerThread = 1, share = 1, deadlineMs, mostlyWaits = false } = options
  type OneSlot = Slot<Request, Result>
  const slots = new Set<OneSlot>()
  const turns = createTurns<Job<Request, Result>>({ slots: threads * jobsPerThread, share })
  /** Their turn has come, and the thread for them is starting. */
  const next: Turn<Job<Request, Result>>[] = []
  let closed = false
  let lastId = 0
  const deadlineOf = typeof deadlineMs === 'number' ? () => deadlineMs : deadlineMs

  function assign(): void {
    for (let turn = turns.take(); turn; turn = turns.take()) {
      const refusal = options.refuse?.(turn.item.request, turn.owner)
      if (!refusal) next.push(turn)
      else {
        turns.release(turn.owner)
        turn.item.reject(refusal)
      }
    }
    for (const slot of slots) {
      while (slot.ready && slot.jobs.size < jobsPerThread && next.length > 0) begin(slot, next.shift()!)
    }
    const starting = [...slots].filter(({ ready }) => !ready).length
    for (let missing = next.length - starting * jobsPerThread; missing > 0; missing -= jobsPerThread) start()
  }

  function start(): void {
    const worker = options.start(options.limits)
    const slot: OneSlot = { worker, ready: false, folder: undefined, idle: undefined, jobs: new Map() }
    slots.add(slot)
    slot.worker.on('message', (reply: ThreadReply<Result>) => receive(slot, reply))
    slot.worker.on('error', (error) => drop(slot, error))
    slot.worker.on('exit', () => drop(slot, new Error('A thread exited unexpectedly.')))
  }

  function begin(slot: OneSlot, turn: Turn<Job<Request, Result>>): void {
    const id = ++lastId
    const { request } = turn.item
    const deadline = deadlineOf(request)
    const used = mostlyWaits ? undefined : processorMsOf(slot.folder)
    slot.jobs.set(id, {
      turn,
      timer: setTimeout(lookAgain, deadline, slot, id),
      endsAt: performance.now() + deadline * (used === undefined ? 1 : SLOWDOWN_MAX),
      processorMs: used === undefined ? undefined : used + deadline,
    })
    slot.worker.ref()
    clearTimeout(slot.idle)
    try {
      slot.worker.postMessage({ id, request })
    } catch (error) {
      finish(slot, id)?.reject(error as Error) // a request that cannot be copied
      setImmediate(assign)
    }
  }

  /** A reply that arrived while this process was busy is handled before the deadline. */
  const lookAgain = (slot: OneSlot, id: number) => setImmediate(stopIfLate, slot, id)

  function stopIfLate(slot: OneSlot, id: number): void {
    const job = slot.jobs.get(id)
    if (!job) return
    const processorLeft = job.processorMs === undefined ? 0 : job.processorMs - (processorMsOf(slot.folder) ?? Infinity)
    const left = Math.min(processorLeft, job.endsAt - performance.now())
    if (left < 1) drop(slot, new ThreadStopped('time'))
    else job.timer = setTimeout(lookAgain, left, slot, id)
  }

  function finish(slot: OneSlot, id: number): Job<Request, Result> | undefined {
    const entry = slot.jobs.get(id)
    slot.jobs.delete(id)
    clearTimeout(entry?.timer)
    if (entry) turns.release(entry.turn.owner)
    if (slot.jobs.size === 0) {
      slot.worker.unref() // an idle thread does not keep the process running
      clearTimeout(slot.idle)
      slot.idle = setTimeout(drop, IDLE_MS, slot, new Error('The thread had no work.')).unref()
    }
    return entry?.turn.item
  }

  function receive(slot: OneSlot, reply: ThreadReply<Result>): void {
    if (!slots.has(slot)) return
    if (reply.kind === 'ready') Object.assign(slot, { ready: true, folder: reply.folder })
    else if (reply.kind === 'done') finish(slot, reply.id)?.resolve(reply.result)
    else finish(slot, reply.id)?.reject(new Error(reply.message))
    assign()
  }

  /** The thread exited or is stopped. One that never became ready would fail the next time as well. */
  function drop(slot: OneSlot, reason: Error): void {
    clearTimeout(slot.idle)
    if (!slots.delete(slot)) return
    const error = 'code' in reason && reason.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadStopped('memory') : reason
    for (const id of [...slot.jobs.keys()]) finish(slot, id)?.reject(error)
    if (!slot.ready) rejectWaiting(error)
    void slot.worker.terminate()
    assign()
  }

  function rejectWaiting(error: Error): void {
    for (const { item, owner } of next.splice(0)) {
      turns.release(owner)
      item.reject(error)
    }
    for (const job of turns.takeAll()) job.reject(error)
  }

  return {
    run(request, owner) {
      if (closed) return Promise.reject(new Error('The threads are closed.'))
      return new Promise<Result>((resolve, reject) => {
        turns.add({ request, resolve, reject }, owner)
        assign()
      })
    },
    async close() {
      closed = true
      const ending = [...slots]
      const error = new Error('The threads were closed.')
      rejectWaiting(error)
      for (const slot of ending) {
        slots.delete(slot)
        for (const id of [...slot.jobs.keys()]) finish(slot, id)?.reject(error)
        clearTimeout(slot.idle)
      }
      await Promise.all(ending.map(({ worker }) => worker.terminate()))
    },
  }
}

/** Called in the thread: runs each job it receives, until it is stopped. Memory that `movedOf` returns is moved, not copied. */
export function serveJobs<Request, Result>(
  work: (request: Request) => Result | Promise<Result>,
  movedOf: (result: Result) => ArrayBuffer[] = () => [],
): void {
  const port = parentPort
  if (!port) throw new Error('This file runs only in a thread.')
  const send = (reply: ThreadReply<Result>) =>
    port.postMessage(reply, reply.kind === 'done' ? movedOf(reply.result) : [])
  port.on('message', async ({ id, request }: { id: number; request: Request }) => {
    try {
      send({ kind: 'done', id, result: await work(request) })
    } catch (error) {
      send({ kind: 'failed', id, message: String(error) })
    }
  })
  send({ kind: 'ready', folder: threadFolder() })
}

/**
 * Starts a thread from its source file: `name` is a file next to `from`, the caller's own URL, without its extension. In
 * the bundle the file is next to ours; tests have bundled it. From the sources it is TypeScript, which Node 20 can load
 * in a thread only after the thread has registered the loader (`--import` has no effect there).
 */
export function startThread(name: string, from: string, resourceLimits: ResourceLimits = {}): Worker {
  const options: WorkerOptions = { env: {}, execArgv: [], resourceLimits }
  if (!from.endsWith('.ts')) return new Worker(new URL(`./${name}.js`, from), options)
  const bundled = process.env.POSTHORN_TEST_THREADS
  if (bundled) return new Worker(path.join(bundled, `${name}.js`), options)
  const entry = new URL(`./${name}.ts`, from).href
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))
  const loader = new URL('dist/esm/api/index.mjs', tsx).href
  const bootstrap = `import('${loader}').then((tsx) => { tsx.register(); return import('${entry}') })`
  return new Worker(bootstrap, { ...options, eval: true })
}
