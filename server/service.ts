/** The service itself: database, then worker and routes as ROLE says. Everything opened here adds its closing to `stopping`. */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { buildApp, buildServices, jobs, openMailServers, type Services, timetable } from './app.ts'
import type { Settings } from './config.ts'
import type { Context } from './context.ts'
import { prepareFirstRun, refreshFirstRun } from './first-run.ts'
import { systemClock } from './kernel/clock.ts'
import { within } from './kernel/wait.ts'
import { type OpenDatabase, openDatabase } from './platform/database/connect.ts'
import type { EmbeddedPostgres } from './platform/database/embedded-postgres.ts'
import { migrate } from './platform/database/migrate.ts'
import { makePartitions } from './platform/database/partitions.ts'
import { watchGrowth } from './platform/database/statistics.ts'
import { isTextLog } from './platform/log.ts'
import { createMessageReader } from './platform/mail/message-reader.ts'
import { openTransport } from './platform/mail/open.ts'
import { createSigner } from './platform/mail/signer.ts'
import { observeJob } from './platform/metrics.ts'
import { publishCatalogue } from './platform/queue/enqueue.ts'
import { holdLifeline, newLockNumber } from './platform/queue/lifeline.ts'
import { startWorker, type Worker } from './platform/queue/worker.ts'
import { createRenderer } from './platform/rendering/renderer.ts'
import { deriveSecrets, loadSecret } from './platform/secrets.ts'
import { VERSION } from './platform/version.ts'
import { watchDatabase } from './platform/watch-database.ts'
import { restoredWords } from './restored-holds.ts'
import { firstRunText, startScreen } from './start-screen.ts'

const REQUESTS_WITHIN_MS = 2_000
const HANDLERS_WITHIN_MS = 3_000
const DATABASE_WITHIN_MS = 500

export type Closing = () => Promise<void>

export async function serve(
  settings: Settings,
  log: Context['log'],
  embedded: EmbeddedPostgres | undefined,
  stopping: Closing[],
  canceled: AbortSignal,
): Promise<void> {
  const url = embedded?.url ?? settings.DATABASE_URL
  canceled.throwIfAborted()
  await migrate(url)
  canceled.throwIfAborted()
  const database = openDatabase({ url, poolSize: settings.DATABASE_POOL_SIZE, log })
  stopping.push(async () => void (await within(DATABASE_WITHIN_MS, database.close()))) // a statement may hang
  await publishCatalogue(database.pool)
  await makePartitions(database.db, systemClock.now())
  canceled.throwIfAborted()

  const renderer = createRenderer()
  const signer = createSigner()
  const messageReader = createMessageReader(settings)
  const mail = await openTransport(settings, database.db, systemClock)
  stopping.push(
    () => mail.close(),
    () => renderer.close(),
    () => messageReader.close(),
    () => signer.close(),
  )
  const workerLock = newLockNumber()
  const ctx: Context = {
    db: database.db,
    listen: database.listen,
    mail,
    signer,
    renderer,
    messageReader,
    clock: systemClock,
    settings,
    baseUrl: settings.BASE_URL || `http://${settings.HOST}:${settings.PORT}`,
    secrets: deriveSecrets(await loadSecret(settings.SECRET, settings.DATA_DIR)),
    log,
    workerLock,
  }
  const services = buildServices(ctx)
  stopping.push(async () => services.close())
  watchDatabase(database)
  const growth = new AbortController()
  stopping.push(async () => growth.abort())
  watchGrowth(database.db, log, growth.signal)

  if (settings.ROLE === 'api') {
    const lifeline = await holdLifeline({ pool: database.pool, log, lockNumber: workerLock })
    stopping.push(() => lifeline.close())
  }
  // Closed all at once: each may take seconds to finish what is under way, and a stop has ten in all.
  const working: Closing[] = []
  stopping.push(async () => {
    const closed = await Promise.allSettled(working.map((close) => close()))
    for (const result of closed) {
      if (result.status === 'rejected') log.error({ err: result.reason }, 'A component could not be closed')
    }
  })
  if (settings.ROLE !== 'api') {
    const worker = await startWorkerFor(ctx, services, database, embedded !== undefined)
    working.push(() => worker.stop())
  }
  if (settings.ROLE !== 'worker') {
    // Listen first: if a port is taken, no account is created. Requests wait until the account is ready.
    const { server, open } = await listen(ctx, services)
    working.push(() => closeServer(server))
    const mailServers = await openMailServers(ctx, services)
    working.push(...mailServers.map((mailServer) => () => mailServer.stop()))
    const firstRun = mail.name === 'capture' ? await prepareFirstRun(ctx) : undefined
    if (!firstRun) await refreshFirstRun(ctx)
    open()
    if (isTextLog(settings.LOG_FORMAT)) process.stdout.write(startScreen(ctx, firstRun))
    else if (firstRun) process.stdout.write(firstRunText(firstRun))
  }
  const restored = await restoredWords(settings.DATA_DIR)
  if (restored) log.warn(restored)
  const message = settings.ROLE === 'worker' ? 'working' : `serving ${ctx.baseUrl}`
  log.info({ version: VERSION, role: settings.ROLE, mail: mail.name }, message)
}

/** Takes the port; requests wait until `open` is called. Port 0 takes any free one, so the address is known only then. */
async function listen(ctx: Context, services: Services): Promise<{ server: FastifyInstance; open: () => void }> {
  const { HOST, PORT, BASE_URL } = ctx.settings
  const server = buildApp(ctx, services)
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

/** Running requests may finish; connections that are still open after two seconds are closed. */
async function closeServer(server: FastifyInstance): Promise<void> {
  const force = setTimeout(() => server.server.closeAllConnections(), REQUESTS_WITHIN_MS)
  await server.close()
  clearTimeout(force)
}

function startWorkerFor(ctx: Context, services: Services, { pool }: OpenDatabase, heldAlone: boolean): Promise<Worker> {
  return startWorker({
    pool,
    handlers: jobs(ctx, services),
    timetable,
    concurrency: ctx.settings.WORKER_CONCURRENCY,
    log: ctx.log,
    onOutcome: observeJob,
    heldAlone,
    ...(ctx.workerLock === undefined ? {} : { lockNumber: ctx.workerLock }),
    pace: { handlersMs: HANDLERS_WITHIN_MS }, // leaves time to end PostgreSQL in order
  })
}
