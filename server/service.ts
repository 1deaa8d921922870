/**
 * The service: database, then routes and workers, depending on ROLE and WORKERS. Everything opened here adds its close
 * function to `stopping`.
 */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { buildApp, buildMonitoring, buildServices, openMailServers, type Services } from './app.ts'
import { prepareFirstRun, refreshFirstRun } from './commands/first-run.ts'
import { restoredMessage } from './commands/restore-pauses.ts'
import { announceStart } from './commands/start-screen.ts'
import type { Context } from './context.ts'
import { watchWebhooks } from './features/insight/webhooks/metrics.ts'
import { endPausesOfOtherSettings, findTransportPause } from './features/mail/delivery/breaker.ts'
import { watchRetention } from './features/operations/retention/metrics.ts'
import { makePartitions } from './features/operations/retention/partition-queries.ts'
import { setMissingIssuers } from './features/tenants/oauth/actions.ts'
import { failedJobs, jobs, timetable } from './jobs.ts'
import { systemClock, within } from './kernel/clock.ts'
import { type OpenDatabase, openDatabase } from './platform/database/connection/connect.ts'
import { openReplica } from './platform/database/connection/replica.ts'
import { isOutOfTime } from './platform/database/connection/transaction.ts'
import type { EmbeddedPostgres } from './platform/database/embedded/embedded-postgres.ts'
import { migrate } from './platform/database/schema/migrate.ts'
import { watchGrowth } from './platform/database/statistics.ts'
import type { Log } from './platform/log.ts'
import { observeJob, startDeliveryMetrics } from './platform/metrics.ts'
import { createComposer } from './platform/mime/composer.ts'
import { createMessageReader } from './platform/mime/message-reader.ts'
import { createSigner } from './platform/mime/signer.ts'
import { createMjmlCompiler } from './platform/mjml/mjml-compiler.ts'
import { releaseJobsOfExited } from './platform/queue/claimed-jobs.ts'
import { publishCatalogue } from './platform/queue/job-table.ts'
import { holdProcessLock, newLockNumber } from './platform/queue/process-lock.ts'
import { startWorker, type Worker } from './platform/queue/worker.ts'
import { createRenderer } from './platform/rendering/renderer.ts'
import { deriveSecrets, loadSecret } from './platform/secrets.ts'
import { openTransport } from './platform/transports/open.ts'
import { VERSION } from './platform/version.ts'
import { watchDisk, watchPool, watchQueue, watchSending } from './platform/watch-database.ts'
import type { Assignment } from './platform/worker-processes.ts'
import type { Settings } from './settings/config.ts'

const REQUESTS_WITHIN_MS = 2_000
/** Emails that are being sent when the process stops are sent twice if they take longer. */
const HANDLERS_WITHIN_MS = 5_000
const DATABASE_WITHIN_MS = 500
/** Callers have given up by then. Jobs can take longer, so this is for processes without a worker. */
const REQUEST_TIMEOUTS = { statementMs: 60_000, lockMs: 15_000 }

export type Closing = () => Promise<void>

export interface ServeOptions {
  settings: Settings
  log: Log
  embedded: EmbeddedPostgres | undefined
  stopping: Closing[]
  canceled: AbortSignal
  /** Ends the worker processes without waiting for their jobs. */
  stoppingNow: AbortSignal
}

export async function serve({ settings, log, embedded, stopping, canceled, stoppingNow }: ServeOptions): Promise<void> {
  const { ROLE, WORKERS } = settings
  const runsJobs = ROLE === 'worker' || (ROLE === 'all' && WORKERS === 0)
  const databaseUrl = embedded?.url ?? settings.DATABASE_URL
  canceled.throwIfAborted()
  await migrate(databaseUrl)
  canceled.throwIfAborted()
  const opened = await open({
    settings,
    log,
    databaseUrl,
    baseUrl: '',
    lockNumber: newLockNumber(),
    stopping,
    runsJobs,
    processName: 'main',
  })
  const { ctx, services, database } = opened
  if (ROLE !== 'worker' && settings.DATABASE_REPLICA_URL) {
    ctx.replica = openReplica({
      url: settings.DATABASE_REPLICA_URL,
      poolSize: settings.DATABASE_POOL_SIZE,
      maxLagMs: settings.DATABASE_REPLICA_MAX_LAG_MS,
      primary: database.pool,
      timeouts: REQUEST_TIMEOUTS,
      log,
    })
    stopping.push(async () => void (await within(DATABASE_WITHIN_MS, ctx.replica!.close())))
  }
  await publishCatalogue(database.pool)
  await makePartitions(database.db, systemClock.now()).catch((error: unknown) => {
    if (!isOutOfTime(error)) throw error
    log.warn(
      'partitions could not be created because a long transaction, such as a backup, holds a lock; a job will create them',
    )
  })
  if (embedded) await releaseJobsOfExited(database.pool) // no process of another installation can be using it
  canceled.throwIfAborted()
  watchQueue(database)
  watchSending(async () => (await findTransportPause(ctx)) !== undefined)
  watchRetention(database)
  watchWebhooks(database)
  watchDisk(settings.DATA_DIR)
  const growth = new AbortController()
  stopping.push(async () => growth.abort())
  watchGrowth(database.db, log, growth.signal)

  if (!runsJobs) {
    const { pool, suspectConnections: onReconnect } = database
    const processLock = await holdProcessLock({ pool, log, lockNumber: ctx.workerLock!, onReconnect })
    stopping.push(async () => void (await within(DATABASE_WITHIN_MS, processLock.close())))
  }
  // Closed concurrently: each may take seconds to finish its work, and a shutdown has ten in total.
  const working: Closing[] = []
  stopping.push(async () => {
    const closed = await Promise.allSettled(working.map((close) => close()))
    for (const result of closed) {
      if (result.status === 'rejected') log.error({ err: result.reason }, 'a component could not be closed')
    }
  })
  let startWorkers: ((baseUrl: string) => void) | undefined
  if (ROLE === 'all' && WORKERS > 0) {
    startWorkers = prepareWorkers(opened, databaseUrl, stoppingNow)
    working.push(() => services.workerProcesses.stop())
  }
  if (runsJobs) {
    const worker = await startWorkerFor(opened)
    working.push(() => worker.stop())
  }
  if (ROLE !== 'worker') {
    // Listen first: if a port is taken, no account is created. Requests wait until the account is ready.
    const { server, open } = await listen(ctx, services)
    working.push(() => closeServer(server))
    const mailServers = await openMailServers(ctx, services)
    working.push(...mailServers.map((mailServer) => () => mailServer.stop()))
    const firstRun = ctx.mail.capabilities.captures ? await prepareFirstRun(ctx) : undefined
    if (!firstRun) await refreshFirstRun(ctx)
    await setMissingIssuers(ctx, services.signInProviders)
    open()
    await announceStart(ctx, firstRun)
  } else await announceStart(ctx)
  const monitoring = ROLE === 'worker' ? await listenForMonitoring(ctx, services) : undefined
  if (monitoring) working.push(() => closeServer(monitoring.server))
  const restored = await restoredMessage(settings.DATA_DIR)
  if (restored) log.warn(restored)
  const message = ROLE === 'worker' ? 'working' : `serving ${ctx.baseUrl}`
  log.info({ version: VERSION, role: ROLE, mail: ctx.mail.kind, ...(monitoring && { url: monitoring.url }) }, message)
  startWorkers?.(ctx.baseUrl)
}

/** Worker processes load their code at once and begin when the returned function is called. */
function prepareWorkers({ ctx, services, database }: Opened, databaseUrl: string, stoppingNow: AbortSignal) {
  let start = (_baseUrl: string): void => {}
  const baseUrl = new Promise<string>((resolve) => {
    start = resolve
  })
  services.workerProcesses.start({
    count: ctx.settings.WORKERS,
    from: import.meta.url,
    databaseUrl,
    baseUrl,
    newLockNumber,
    recover: (lockNumber) => releaseJobsOfExited(database.pool, [lockNumber]),
    stoppingNow,
  })
  return start
}

/** Runs in a worker process of the API, which has prepared the database. */
export async function work(settings: Settings, log: Log, assignment: Assignment, stopping: Closing[]): Promise<void> {
  const opened = await open({ settings, log, ...assignment, stopping, runsJobs: true, processName: assignment.name })
  const worker = await startWorkerFor(opened)
  stopping.push(() => worker.stop())
  log.info({ version: VERSION, mail: opened.ctx.mail.kind }, 'working')
}

interface OpenOptions {
  settings: Settings
  log: Log
  databaseUrl: string
  /** Empty: the setting applies. */
  baseUrl: string
  lockNumber: number
  stopping: Closing[]
  /** Whether this process runs jobs, which may take longer than requests. */
  runsJobs: boolean
  processName: string
}

interface Opened {
  ctx: Context
  services: Services
  database: OpenDatabase
}

/** Everything that a process needs, whatever its role. */
export async function open({
  settings,
  log,
  databaseUrl,
  baseUrl,
  lockNumber,
  stopping,
  runsJobs,
  processName,
}: OpenOptions): Promise<Opened> {
  const database = openDatabase({
    url: databaseUrl,
    poolSize: settings.DATABASE_POOL_SIZE,
    log,
    ...(!runsJobs && { timeouts: REQUEST_TIMEOUTS }),
  })
  stopping.push(async () => void (await within(DATABASE_WITHIN_MS, database.close()))) // a statement may hang
  const renderer = createRenderer()
  const mjml = createMjmlCompiler()
  const composer = createComposer()
  const signer = createSigner()
  const messageReader = createMessageReader(settings)
  const secrets = deriveSecrets(await loadSecret(settings.SECRET, settings.DATA_DIR), {
    previous: settings.PREVIOUS_SECRETS,
    encryptContents: settings.DATA_ENCRYPTION === 'on',
  })
  const mail = await openTransport(settings, { db: database.db, clock: systemClock, secrets })
  stopping.push(
    () => mail.close(),
    () => renderer.close(),
    () => mjml.close(),
    () => messageReader.close(),
    () => composer.close(),
    () => signer.close(),
  )
  const ctx: Context = {
    db: database.db,
    listen: database.listen,
    mail,
    composer,
    signer,
    renderer,
    mjml,
    messageReader,
    clock: systemClock,
    settings,
    baseUrl: baseUrl || settings.BASE_URL || `http://${settings.HOST}:${settings.PORT}`,
    secrets,
    log,
    workerLock: lockNumber,
  }
  const services = buildServices(ctx)
  stopping.push(() => services.close())
  watchPool(database)
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT) {
    const { startTelemetry } = await import('./platform/telemetry/telemetry.ts')
    const telemetry = startTelemetry({ settings, log, processName })
    stopping.push(() => telemetry.stop()) // after requests and jobs, whose spans it exports, and before the database
  }
  return { ctx, services, database }
}

/**
 * Opens the port; requests wait until `open` is called. Port 0 selects any free one, so the address is known only then.
 */
async function listen(ctx: Context, services: Services): Promise<{ server: FastifyInstance; open: () => void }> {
  const { PORT, BASE_URL } = ctx.settings
  const server = buildApp(ctx, services)
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  server.addHook('onRequest', () => opened)
  const url = await listenOn(server, ctx, PORT)
  ctx.baseUrl = BASE_URL || url
  return { server, open }
}

async function listenOn(server: FastifyInstance, { settings: { HOST } }: Context, port: number): Promise<string> {
  await server.listen({ host: HOST, port })
  const address = server.server.address() as AddressInfo
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${address.port}`
}

/** Undefined if it can't listen, for example because another worker on this machine does: jobs are run all the same. */
async function listenForMonitoring(ctx: Context, services: Services) {
  const server = buildMonitoring(ctx, services)
  const { WORKER_PORT } = ctx.settings
  try {
    return { server, url: await listenOn(server, ctx, WORKER_PORT) }
  } catch (error) {
    const problem = 'this worker does not serve /health, /ready and /metrics; check HOST and WORKER_PORT'
    ctx.log.warn({ reason: (error as Error).message }, problem)
    await server.close()
    return undefined
  }
}

/** Running requests may finish; connections that are still open after two seconds are closed. */
async function closeServer(server: FastifyInstance): Promise<void> {
  const force = setTimeout(() => server.server.closeAllConnections(), REQUESTS_WITHIN_MS)
  await server.close()
  clearTimeout(force)
}

async function startWorkerFor({ ctx, services, database }: Opened): Promise<Pick<Worker, 'stop'>> {
  startDeliveryMetrics()
  await endPausesOfOtherSettings(ctx)
  const worker = await startWorker({
    pool: database.pool,
    handlers: jobs(ctx, services),
    failureHandlers: failedJobs(ctx, services),
    timetable,
    concurrency: ctx.settings.WORKER_CONCURRENCY,
    log: ctx.log,
    onOutcome: observeJob,
    onReconnect: database.suspectConnections,
    ...(ctx.workerLock === undefined ? {} : { lockNumber: ctx.workerLock }),
    pace: { handlersMs: HANDLERS_WITHIN_MS }, // leaves time for a clean shutdown of PostgreSQL
  })
  services.webhookSender.start()
  return {
    async stop() {
      services.delivery.stop()
      await Promise.all([worker.stop(), services.webhookSender.stop()])
    },
  }
}
