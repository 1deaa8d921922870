/**
 * The `posthorn` command: starts the service, or runs one command and exits. It imports little, so that PostgreSQL can
 * start while the service itself is still being loaded.
 */
import { explainMissingPackage } from '../tools/native-packages.mjs'
import { within } from './kernel/clock.ts'
import { OperatorProblem } from './kernel/errors.ts'
import { isDatabaseUnavailable, sqlState } from './platform/database/connection/transaction.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './platform/database/embedded/embedded-postgres.ts'
import { type Log, openLog } from './platform/log.ts'
import { openPrivateFolder } from './platform/private-folder.ts'
import { VERSION } from './platform/version.ts'
import type { Closing } from './service.ts'
import type { Settings } from './settings/config.ts'
import { readEnvironment, readSettings } from './settings/read-settings.ts'
import { settingsHelp } from './settings/settings-text.ts'

const STOP_WITHIN_MS = 9_000
/** For a start that is being canceled when everything must end. */
const CANCEL_WITHIN_MS = 1_500
/** npm forwards a signal that the terminal has already delivered: two signals closer together than this are one. */
const SECOND_SIGNAL_AFTER_MS = 1_000

const USAGE = `Usage: posthorn                    Start the service
       posthorn setup --email ADDRESS --project NAME [--domain DOMAIN] [--json]
                                   Create the first account, a project and its keys
       posthorn backup FILE        Write a complete backup to a file
       posthorn restore FILE       Restore a backup into an empty installation
       posthorn restore --continue Resume workflows after a restore
       posthorn restore-archive NAME [DAYS]
                                   Put archived events or emails back
       posthorn rebuild-analytics  Verify and correct all stored counts
       posthorn upgrade-database [--postgres FOLDER]
                                   Upgrade the embedded database to the PostgreSQL of this version
       posthorn --help | --version

For a running service, with its URL and an API key (see docs/cli.md):
       posthorn login --url URL --key KEY
       posthorn send --to ADDRESS --from ADDRESS --subject TEXT --body HTML
       posthorn emails list|get|cancel|tail
       posthorn contacts list|get|import|export|delete
       posthorn templates list|pull|push|diff
       posthorn workflows list|pull|push|diff
       posthorn campaigns list|send|cancel|stats
       posthorn events track|tail
       posthorn domains list|check
       posthorn keys list|create|rotate|revoke
       posthorn webhooks list|listen|replay
       posthorn import SERVICE FILE… [--dry-run]
       posthorn export FILE
       posthorn doctor
       posthorn mcp [--allow-writes]
       posthorn completion bash|zsh|fish

In a checkout, use npm start, npm run backup -- FILE, and so on.
`

const COMMANDS: Record<string, (args: string[]) => Promise<void>> = {
  start: () => runService(),
  setup: async (args) => (await import('./commands/setup.ts')).runSetup(args),
  backup: async (args) => (await import('./commands/backup.ts')).runBackup(args),
  restore: async (args) => (await import('./commands/restore.ts')).runRestore(args),
  'restore-archive': async (args) => (await import('./commands/restore-archive.ts')).runRestoreArchive(args),
  'rebuild-analytics': async () => (await import('./commands/rebuild-analytics.ts')).runRebuild(),
  'upgrade-database': async (args) => (await import('./commands/upgrade-database.ts')).runUpgradeDatabase(args),
  '--help': async () => void process.stdout.write(`${USAGE}\n${settingsHelp()}`),
  '--version': async () => void process.stdout.write(`${VERSION}\n`),
}

const [name = 'start', ...args] = process.argv.slice(2)
const command = args.includes('--help') ? COMMANDS['--help'] : Object.hasOwn(COMMANDS, name) && COMMANDS[name]
if (!command) {
  process.stderr.write(`Unknown command "${name}".\n\n${USAGE}`)
  process.exit(2) // wrong usage, as for the commands in cli/
}
command(args).catch((error: unknown) => {
  process.stderr.write(`${sentenceFor(error)}\n`)
  process.exit(1)
})

async function runService(): Promise<void> {
  const settings = readSettings(readEnvironment())
  await import('@node-rs/argon2') // if its native part is missing, this is detected before anything is started
  // Output may go to a closed terminal, which must not prevent a clean shutdown.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const log = openLog({ level: settings.LOG_LEVEL, format: settings.LOG_FORMAT })
  const stopping: Closing[] = []
  const canceled = new AbortController()
  const stoppingNow = new AbortController()
  let postgres: EmbeddedPostgres | undefined
  let stopRequestedAt: number | undefined
  let isStoppingNow = false

  const started = (async () => {
    await openPrivateFolder(settings.DATA_DIR, log)
    postgres = await startPostgres(settings, canceled.signal)
    stopping.push(async () => postgres?.stop())
    const { serve } = await loadService()
    await serve({
      settings,
      log,
      embedded: postgres,
      stopping,
      canceled: canceled.signal,
      stoppingNow: stoppingNow.signal,
    })
  })()

  async function stop(signal: string): Promise<void> {
    log.info(`${signal} received, stopping`)
    canceled.abort()
    setTimeout(() => void stopNow(`Stopping took longer than ${STOP_WITHIN_MS / 1000} s`), STOP_WITHIN_MS).unref()
    await started.catch(() => undefined) // what is still being opened is closed too
    await stopAll(stopping, log)
    if (!isStoppingNow) process.exit(0)
  }

  async function stopNow(reason: string): Promise<void> {
    isStoppingNow = true
    stoppingNow.abort()
    log.warn(`${reason}, stopping immediately`)
    const stopped = postgres
      ? postgres.stopNow()
      : within(
          CANCEL_WITHIN_MS,
          started.catch(() => undefined),
        )
    await stopped.catch((error) => log.error({ err: error }, 'PostgreSQL could not be stopped'))
    process.exit(1)
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopRequestedAt === undefined) {
        stopRequestedAt = performance.now()
        void stop(signal)
      } else if (signal !== 'SIGHUP' && performance.now() - stopRequestedAt > SECOND_SIGNAL_AFTER_MS) {
        // A terminal or npm that has exited asks for nothing more than a stop, even if another signal came first.
        void stopNow(`${signal} received again`)
      }
    })
  }

  await started.catch(async (error) => {
    if (stopRequestedAt !== undefined) return // `stop` closes everything and exits
    await stopAll(stopping, log)
    throw explainStart(error)
  })
}

async function startPostgres(settings: Settings, canceled: AbortSignal): Promise<EmbeddedPostgres | undefined> {
  if (settings.DATABASE_URL) return undefined
  return startEmbeddedPostgres({ dataDir: settings.DATA_DIR, canceled, onLaunch: () => void loadService() })
}

let loading: Promise<typeof import('./service.ts')> | undefined

/** Starts while PostgreSQL starts. A failure is thrown where the promise is awaited. */
function loadService(): Promise<typeof import('./service.ts')> {
  loading ??= import('./service.ts')
  loading.catch(() => undefined)
  return loading
}

/** Last opened, first closed. A part that fails to close does not keep the others open. */
async function stopAll(stopping: Closing[], log: Log): Promise<void> {
  for (let close = stopping.pop(); close; close = stopping.pop()) {
    await close().catch((error) => log.error({ err: error }, 'a component could not be closed'))
  }
}

const CANNOT: Record<string, string> = {
  EADDRINUSE: 'the port is already in use. Set PORT to another port',
  EADDRNOTAVAIL: 'HOST is not an address of this machine',
  EACCES: 'a permission is missing for DATA_DIR or for a PORT below 1024',
  EEXIST: 'DATA_DIR is a file, but must be a folder',
  ENOTDIR: 'DATA_DIR is below a file, but must be a folder',
}

function explainStart(error: unknown): unknown {
  const reason = CANNOT[sqlState(error) ?? '']
  return reason ? new OperatorProblem(`Posthorn can't start: ${reason} (${(error as Error).message}).`) : error
}

/** Problems that the operator can solve are printed as one sentence; other errors keep their stack. */
function sentenceFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof OperatorProblem) return error.message
  if (isDatabaseUnavailable(error) || /^(28|3D)/.test(sqlState(error) ?? '')) {
    return `Posthorn can't start: the database can't be reached (${error.message}). Check DATABASE_URL.`
  }
  return explainMissingPackage(error) ?? error.stack ?? error.message
}
