/** Starts the service: settings, database, then routes and worker as ROLE says; and stops it cleanly. */
import { mkdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { buildApp, jobs, timetable } from './app.ts'
import { readEnvironment, readSettings, type Settings, settingsHelp, WrongSettings } from './config.ts'
import type { Context } from './context.ts'
import { firstRunBanner, prepareFirstRun, refreshFirstRun } from './first-run.ts'
import { systemClock } from './kernel/clock.ts'
import { type OpenDatabase, openDatabase } from './platform/database/connect.ts'
import { DataDirInUse, type EmbeddedPostgres, startEmbeddedPostgres } from './platform/database/embedded-postgres.ts'
import { migrate, UnusableDatabase } from './platform/database/migrate.ts'
import { makePartitions } from './platform/database/partitions.ts'
import { isDatabaseAway, sqlState } from './platform/database/transaction.ts'
import { openLog } from './platform/log.ts'
import { captureTransport } from './platform/mail/capture.ts'
import { observeJob, watch } from './platform/metrics.ts'
import { queueDepth } from './platform/queue/depth.ts'
import { migrateQueue } from './platform/queue/migrate.ts'
import { startWorker, type Worker } from './platform/queue/worker.ts'
import { createRenderer } from './platform/rendering/renderer.ts'
import { deriveSecrets, loadSecret } from './platform/secrets.ts'
import { VERSION } from './platform/version.ts'

const STOP_WITHIN_MS = 10_000

if (process.argv.includes('--help')) {
  process.stdout.write(settingsHelp())
} else {
  run().catch((error: unknown) => {
    process.stderr.write(`${sentenceFor(error)}\n`)
    process.exit(1)
  })
}

async function run(): Promise<void> {
  const settings = readSettings(readEnvironment())
  const log = openLog({ level: settings.LOG_LEVEL, format: settings.LOG_FORMAT })
  await mkdir(settings.DATA_DIR, { recursive: true })

  const embedded = settings.DATABASE_URL ? undefined : await startEmbeddedPostgres({ dataDir: settings.DATA_DIR })
  const stopping: Array<() => Promise<void>> = [async () => embedded?.stop()]
  try {
    await serve(settings, log, embedded, stopping)
  } catch (error) {
    await stopAll(stopping)
    throw error
  }

  const stop = async (signal: string) => {
    log.info(`${signal}: stopping`)
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    await stopAll(stopping)
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

async function serve(
  settings: Settings,
  log: Context['log'],
  embedded: EmbeddedPostgres | undefined,
  stopping: Array<() => Promise<void>>,
): Promise<void> {
  const url = embedded?.url ?? settings.DATABASE_URL
  await migrate(url)
  const database = openDatabase({ url, poolSize: settings.DATABASE_POOL_SIZE, log })
  stopping.push(() => database.close())
  await migrateQueue(database.pool, log)
  await makePartitions(database.db, systemClock.now())

  const renderer = createRenderer()
  const mail = captureTransport(database.db, systemClock)
  stopping.push(
    () => mail.close(),
    () => renderer.close(),
  )
  const ctx: Context = {
    db: database.db,
    mail,
    renderer,
    clock: systemClock,
    settings,
    baseUrl: settings.BASE_URL || `http://${settings.HOST}:${settings.PORT}`,
    secrets: deriveSecrets(await loadSecret(settings.SECRET, settings.DATA_DIR)),
    log,
  }
  watchInside(database, ctx)

  if (settings.ROLE !== 'api') {
    const worker = await startWorkerFor(ctx, database, embedded !== undefined)
    stopping.push(() => worker.stop())
  }
  if (settings.ROLE !== 'worker') {
    const firstRun = await prepareFirstRun(ctx)
    const server = await listen(ctx)
    stopping.push(() => server.close())
    await refreshFirstRun(ctx)
    if (firstRun) process.stdout.write(firstRunBanner({ ...firstRun, baseUrl: ctx.baseUrl }))
  }
  log.info(
    { version: VERSION, role: settings.ROLE, mail: mail.name },
    settings.ROLE === 'worker' ? 'working' : `serving ${ctx.baseUrl}`,
  )
}

/** Port 0 takes any free port; the address is known once we listen. */
async function listen(ctx: Context): Promise<FastifyInstance> {
  const { HOST, PORT, BASE_URL } = ctx.settings
  const server = buildApp(ctx)
  await server.listen({ host: HOST, port: PORT })
  const { port } = server.server.address() as AddressInfo
  ctx.baseUrl = BASE_URL || `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`
  return server
}

function startWorkerFor(ctx: Context, { pool }: OpenDatabase, heldAlone: boolean): Promise<Worker> {
  return startWorker({
    pool,
    handlers: jobs(ctx),
    timetable,
    concurrency: ctx.settings.WORKER_CONCURRENCY,
    log: ctx.log,
    onOutcome: observeJob,
    heldAlone,
  })
}

function watchInside({ pool }: OpenDatabase, ctx: Context): void {
  watch('posthorn_database_connections', 'Connections of the pool.', () => pool.totalCount)
  watch('posthorn_database_waiting', 'Statements that wait for a connection.', () => pool.waitingCount)
  watch('posthorn_queue_ready_jobs', 'Jobs due now.', async () => (await queueDepth(ctx.db)).ready)
  watch('posthorn_queue_failed_jobs', 'Jobs given up.', async () => (await queueDepth(ctx.db)).failed)
  watch(
    'posthorn_queue_oldest_seconds',
    'How long the oldest ready job has been due.',
    async () => (await queueDepth(ctx.db)).oldestReadySeconds,
  )
}

/** Last opened, first closed. */
async function stopAll(stopping: Array<() => Promise<void>>): Promise<void> {
  for (const close of stopping.reverse()) await close()
}

/** What a person can act on is one sentence; anything else keeps its stack. */
function sentenceFor(error: unknown): string {
  if (error instanceof WrongSettings || error instanceof DataDirInUse || error instanceof UnusableDatabase)
    return error.message
  if (sqlState(error) === 'EADDRINUSE')
    return `Posthorn cannot start: the port is taken (${(error as Error).message}). Set PORT to another one.`
  if (isDatabaseAway(error) || /^(28|3D)/.test(sqlState(error) ?? '')) {
    return `Posthorn cannot start: the database cannot be reached (${(error as Error).message}). Check DATABASE_URL.`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
