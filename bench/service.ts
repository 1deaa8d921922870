/** The service as users run it: `npm start` or its Node.js process, with a separate DATA_DIR. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from '../server/platform/database/connection/connect.ts'
import { SERVICE_NAME } from '../server/platform/database/embedded/cluster.ts'
import { foldTallies, type Tally } from '../server/platform/database/tallies.ts'
import type { FirstRun } from '../server/platform/first-run-file.ts'
import { type Child, freePort, startChild } from './child.ts'
import { type Party, workersOf } from './cores.ts'
import {
  enableStatements,
  profileArguments,
  profileFolder,
  recordsStatements,
  startRecording,
  writeStatements,
} from './profile.ts'

const KEYS_WITHIN_MS = 10_000
const WORKER_WITHIN_MS = 10_000
const IDLE_QUEUE_WITHIN_MS = 30_000

export interface ServiceOptions {
  dataDir: string
  env?: Record<string, string>
  /** `npm start`, including the start of npm, instead of Node.js directly. */
  throughNpm?: boolean
}

export interface Service extends Child {
  url: string
  databaseUrl: string
  keys: FirstRun
  /** The processes that share the cores during a measurement. */
  parties: Party[]
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const folder = profileFolder()
  if (!folder || options.throughNpm) return startPlainService(options)
  const { dataDir, env } = options
  if (!env?.DATABASE_URL && !(await recordsStatements(dataDir))) {
    await (await startPlainService(options)).stop()
    await enableStatements(dataDir)
  }
  const service = await startPlainService(options, profileArguments(folder))
  if (env?.DATABASE_URL) return service
  await startRecording(service.databaseUrl)
  return {
    ...service,
    async stop() {
      await writeStatements(service.databaseUrl, folder, service.pid)
      await service.stop()
    },
  }
}

async function startPlainService(
  { dataDir, env = {}, throughNpm }: ServiceOptions,
  nodeArguments: string[] = [],
): Promise<Service> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = await startChild({
    command: throughNpm ? ['npm', 'start'] : [process.execPath, ...nodeArguments, 'start.mjs'],
    env: { PORT: String(port), DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: '0', ...env },
    logFile: path.join(dataDir, 'service.log'),
    readyUrl: `${url}/ready`,
  })
  try {
    const { port: databasePort, password } = JSON.parse(await readFile(path.join(dataDir, 'postgres.json'), 'utf8'))
    const databasePid = Number.parseInt(await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
    return {
      ...child,
      url,
      databaseUrl: `postgres://${SERVICE_NAME}:${password}@127.0.0.1:${databasePort}/${SERVICE_NAME}`,
      keys: await readKeys(dataDir),
      parties: [
        { name: 'service', pid: child.pid }, // npm itself, if it started the service: only the time is measured then
        ...(throughNpm ? [] : await findWorkers(child.pid, env)).map((pid) => ({ name: 'worker', pid })),
        { name: 'PostgreSQL', pid: databasePid, withChildren: true },
      ],
    }
  } catch (error) {
    await child.stop()
    throw error
  }
}

/** A worker is started once the service responds. If there are several, the first is returned; none without /proc. */
async function findWorkers(pid: number, { ROLE = 'all', WORKERS = '1' }: Record<string, string>): Promise<number[]> {
  if (process.platform !== 'linux' || ROLE !== 'all' || WORKERS === '0') return []
  for (const deadline = performance.now() + WORKER_WITHIN_MS; performance.now() < deadline; await sleep(20)) {
    const [first] = workersOf(pid)
    if (first) return [first]
  }
  throw new Error('The service started no worker.')
}

/** On a first start, the keys are written shortly after the service responds. */
async function readKeys(dataDir: string): Promise<FirstRun> {
  const deadline = performance.now() + KEYS_WITHIN_MS
  for (;;) {
    try {
      return JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8'))
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(20)
    }
  }
}

/** Waits until the worker has delivered what a measurement enqueued, so that it doesn't affect the next one. */
export async function waitForIdleQueue({ url }: Service): Promise<void> {
  const deadline = performance.now() + IDLE_QUEUE_WITHIN_MS
  while (performance.now() < deadline) {
    const { queue } = (await (await fetch(`${url}/ready`)).json()) as { queue: { ready: number } | null }
    if (queue?.ready === 0) return
    await sleep(100)
  }
  throw new Error(`The queue was not empty within ${IDLE_QUEUE_WITHIN_MS / 1000} s.`)
}

/** Adds up all counts. While the worker does the same, a call skips them, so it is repeated until nothing is waiting. */
export async function foldAll(db: Database, client: pg.Client, tallies: readonly Tally[]): Promise<void> {
  const anyWaiting = tallies.map(({ changes }) => `exists (select from ${changes})`).join(' or ')
  for (let isDone = false; !isDone; await sleep(isDone ? 0 : 500)) {
    await foldTallies(db, tallies)
    isDone = !(await client.query<{ waiting: boolean }>(`select ${anyWaiting} as waiting`)).rows[0]!.waiting
  }
}
