/**
 * A worker process alongside the API, started by platform/worker-processes.ts: delivery and all other jobs. It gets its
 * settings through the environment and its instructions over the channel to the main process. When the main process
 * exits, the channel closes and the worker stops. If the main process was killed, the worker also stops its PostgreSQL.
 */
import { fileURLToPath } from 'node:url'
import { applyNodeSettings } from '../tools/node-settings.mjs'
import { within } from './kernel/clock.ts'
import { type Log, openLog } from './platform/log.ts'
import { metricsOfThisProcess } from './platform/metrics.ts'
import type { Assignment, FromWorker, ToWorker } from './platform/worker-processes.ts'
import type { Closing } from './service.ts'
import { readSettings } from './settings/read-settings.ts'

const STOP_WITHIN_MS = 8_000

const isBuilt = !import.meta.url.endsWith('.ts')
applyNodeSettings(isBuilt ? fileURLToPath(new URL('./cache', import.meta.url)) : undefined)
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
// The terminal sends these to every process of its group. The main process gets them too, and tells the workers when to
// stop.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)

const stopping: Closing[] = []
const service = import('./service.ts')
service.catch(fail)
let started: Promise<void> | undefined
let log: Log | undefined
let isStopping = false

process.on('message', (message: ToWorker) => {
  if (message.kind === 'start') {
    started = start(message.assignment)
    started.catch(fail)
  }
  if (message.kind === 'metrics')
    void metricsOfThisProcess().then((metrics) => sendMessage({ kind: 'metrics', metrics }))
  if (message.kind === 'stop') void stop()
})
process.on('SIGTERM', () => void stop('SIGTERM received, stopping'))
process.on('disconnect', () => void stop('the main process exited, stopping'))

const sendMessage = (message: FromWorker) => process.connected && process.send!(message, () => undefined)

async function start(assignment: Assignment): Promise<void> {
  const settings = readSettings(process.env)
  log = openLog({ level: settings.LOG_LEVEL, format: settings.LOG_FORMAT, processName: assignment.name })
  const { work } = await service
  await work(settings, log, assignment, stopping)
  sendMessage({ kind: 'working' })
}

async function stop(reason?: string): Promise<void> {
  if (isStopping) return
  isStopping = true
  if (reason) log?.info(reason)
  const closed = await within(STOP_WITHIN_MS, closeAll())
  if (!process.connected) await stopPostgres()
  process.exit(closed ? 0 : 1)
}

async function closeAll(): Promise<true> {
  await started?.catch(() => undefined) // what is still being opened is closed too
  for (let close = stopping.pop(); close; close = stopping.pop()) {
    await close().catch((error) => log?.error({ err: error }, 'a component could not be closed'))
  }
  return true
}

/** The main process does this itself unless it was killed. */
async function stopPostgres(): Promise<void> {
  const { DATABASE_URL, DATA_DIR } = readSettings(process.env)
  if (DATABASE_URL) return
  const { stopAbandonedPostgres } = await import('./platform/database/embedded/embedded-postgres.ts')
  await stopAbandonedPostgres(DATA_DIR).catch((error) => log?.warn({ err: error }, 'PostgreSQL could not be stopped'))
}

function fail(error: unknown): void {
  if (isStopping) return
  if (log) log.error({ err: error }, 'the worker could not start')
  else console.error(error)
  process.exit(1)
}
