/** Starts the service: settings, database, then routes and worker as ROLE says; and stops it cleanly. */
import { mkdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { buildApp, jobs, openMailServers, timetable } from './app.ts'
import { readEnvironment, readSettings, type Settings, settingsHelp, WrongSettings } from './config.ts'
import type { Context } from './context.ts'
import { firstRunBanner, prepareFirstRun, refreshFirstRun } from './first-run.ts'
import { systemClock } from './kernel/clock.ts'
import { within } from './kernel/wait.ts'
import { type OpenDatabase, openDatabase } from './platform/database/connect.ts'
import { DataDirInUse, type EmbeddedPostgres, startEmbeddedPostgres } from './platform/database/embedded-postgres.ts'
import { migrate, UnusableDatabase } from './platform/database/migrate.ts'
import { makePartitions } from './platform/database/partitions.ts'
import { watchGrowth } from './platform/database/statistics.ts'
import { isDatabaseAway, sqlState } from './platform/database/transaction.ts'
import { openLog } from './platform/log.ts'
import { openTransport } from './platform/mail/open.ts'
import { createSigner } from './platform/mail/signer.ts'
import { observeJob } from './platform/metrics.ts'
import { publishCatalogue } from './platform/queue/enqueue.ts'
import { newLockNumber } from './platform/queue/lifeline.ts'
import { startWorker, type Worker } from './platform/queue/worker.ts'
import { createRenderer } from './platform/rendering/renderer.ts'
import { deriveSecrets, loadSecret } from './platform/secrets.ts'
import { SmtpStartProblem } from './platform/smtp/refusal.ts'
import { VERSION } from './platform/version.ts'
import { watchDatabase } from './platform/watch-database.ts'
import { restoredWords } from './restored-holds.ts'

const STOP_WITHIN_MS = 10_000
const REQUESTS_WITHIN_MS = 2_000
const HANDLERS_WITHIN_MS = 4_000
const DATABASE_WITHIN_MS = 500

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
  const stopping: Array<() => Promise<void>> = []
  const started = start(settings, log, stopping)

  const stop = async (signal: string) => {
    log.info(`${signal}: stopping`)
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    await started.catch(() => undefined) // a signal during the start: what is being opened gets closed too
    await stopAll(stopping, log)
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  await started.catch(async (error) => {
    await stopAll(stopping, log)
    throw error
  })
}

async function start(settings: Settings, log: Context['log'], stopping: Array<() => Promise<void>>): Promise<void> {
  await mkdir(settings.DATA_DIR, { recursive: true })
  const embedded = settings.DATABASE_URL ? undefined : await startEmbeddedPostgres({ dataDir: settings.DATA_DIR })
  stopping.push(async () => embedded?.stop())
  await serve(settings, log, embedded, stopping)
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
  stopping.push(async () => void (await within(DATABASE_WITHIN_MS, database.close()))) // a statement may hang
  await publishCatalogue(database.pool)
  await makePartitions(database.db, systemClock.now())

  const renderer = createRenderer()
  const signer = createSigner()
  const mail = openTransport(settings, database.db, systemClock)
  stopping.push(
    () => mail.close(),
    () => renderer.close(),
    () => signer.close(),
  )
  const ctx: Context = {
    db: database.db,
    mail,
    signer,
    renderer,
    clock: systemClock,
    settings,
    baseUrl: settings.BASE_URL || `http://${settings.HOST}:${settings.PORT}`,
    secrets: deriveSecrets(await loadSecret(settings.SECRET, settings.DATA_DIR)),
    log,
    workerLock: newLockNumber(),
  }
  watchDatabase(database)
  const growth = new AbortController()
  stopping.push(async () => growth.abort())
  watchGrowth(database.db, log, growth.signal)

  if (settings.ROLE !== 'api') {
    const worker = await startWorkerFor(ctx, database, embedded !== undefined)
    stopping.push(() => worker.stop())
  }
  if (settings.ROLE !== 'worker') {
    // The ports first, so that a taken one does not use up the welcome; whoever calls waits until that is prepared.
    const { server, open } = await listen(ctx)
    stopping.push(() => closeServer(server))
    const mailServers = await openMailServers(ctx)
    stopping.push(async () => void (await Promise.all(mailServers.map((mailServer) => mailServer.stop()))))
    const firstRun = mail.name === 'capture' ? await prepareFirstRun(ctx) : undefined
    if (firstRun) process.stdout.write(firstRunBanner(firstRun))
    else await refreshFirstRun(ctx)
    open()
  }
  const restored = await restoredWords(settings.DATA_DIR)
  if (restored) log.warn(restored)
  log.info(
    { version: VERSION, role: settings.ROLE, mail: mail.name },
    settings.ROLE === 'worker' ? 'working' : `serving ${ctx.baseUrl}`,
  )
}

/** Takes the port; requests wait until `open` is called. Port 0 takes any free one, so the address is known only then. */
async function listen(ctx: Context): Promise<{ server: FastifyInstance; open: () => void }> {
  const { HOST, PORT, BASE_URL } = ctx.settings
  const server = buildApp(ctx)
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  server.addHook('onRequest', () => opened)
  await server.listen({ host: HOST, port: PORT })
  const { port } = server.server.address() as AddressInfo
  ctx.baseUrl = BASE_URL || `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`
  return { server, open }
}

/** Requests under way may finish; a client that never does, or never says anything, does not hold us up. */
async function closeServer(server: FastifyInstance): Promise<void> {
  const force = setTimeout(() => server.server.closeAllConnections(), REQUESTS_WITHIN_MS)
  await server.close()
  clearTimeout(force)
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
    ...(ctx.workerLock === undefined ? {} : { lockNumber: ctx.workerLock }),
    pace: { handlersMs: HANDLERS_WITHIN_MS }, // leaves time to end PostgreSQL in order
  })
}

/** Last opened, first closed; one that fails to close does not keep the others open. */
async function stopAll(stopping: Array<() => Promise<void>>, log: Context['log']): Promise<void> {
  for (const close of stopping.reverse()) {
    await close().catch((error) => log.error({ err: error }, 'something could not be closed'))
  }
}

const CANNOT: Record<string, string> = {
  EADDRINUSE: 'the port is taken. Set PORT to another one',
  EADDRNOTAVAIL: 'HOST is not an address of this machine',
  EACCES: 'it lacks a permission, for DATA_DIR or for a PORT below 1024',
  EEXIST: 'DATA_DIR is a file; it must be a folder',
  ENOTDIR: 'DATA_DIR lies below a file; it must be a folder',
}

const EXPLAINED = [WrongSettings, DataDirInUse, UnusableDatabase, SmtpStartProblem]

/** What a person can act on is one sentence; anything else keeps its stack. */
function sentenceFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (EXPLAINED.some((kind) => error instanceof kind)) return error.message
  const code = sqlState(error) ?? ''
  if (CANNOT[code]) return `Posthorn cannot start: ${CANNOT[code]} (${error.message}).`
  if (isDatabaseAway(error) || /^(28|3D)/.test(code)) {
    return `Posthorn cannot start: the database cannot be reached (${error.message}). Check DATABASE_URL.`
  }
  return error.stack ?? error.message
}
