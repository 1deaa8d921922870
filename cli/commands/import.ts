import { createHash } from 'node:crypto'
import { mkdirSync, openAsBlob, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { BrokenFile, type Checkpoint, move, openFiles, type Report } from '../../movers/move.ts'
import type { Api, Source } from '../../movers/record.ts'
import { problemLines, summaryLines } from '../../movers/report.ts'
import { SOURCES } from '../../movers/sources.ts'
import { targetOf } from '../../movers/target.ts'
import { unwrap } from '../../sdk/index.ts'
import type { Command, Input } from '../command.ts'
import { profilesFile } from '../connection.ts'
import { CommandError, UsageError } from '../errors.ts'
import { untilInterrupted } from '../live-stream.ts'

const RESPOND_WITHIN_MS = 60_000
const RETRIES = 5
const RETRY_AFTER_MAX_S = 120

export const imports: Record<string, Command> = Object.fromEntries(
  SOURCES.map((source) => [source.id, commandFor(source)] as const),
)

function commandFor(source: Source): Command {
  return {
    summary: `Move from ${source.title}: contacts with their opt-outs, topics and templates`,
    args: [source.api ? 'FILE?' : 'FILE', 'FILE?', 'FILE?', 'FILE?', 'FILE?', 'FILE?'],
    options: {
      'dry-run': { summary: 'Only print what would change' },
      subscribe: {
        summary: 'Also subscribe people whose export has no state of their subscription; only if they all agreed',
      },
      from: { value: 'ADDRESS', summary: 'The sender of templates and campaigns that have none' },
      restart: { summary: 'Begin again, instead of continuing an import that was interrupted' },
      ...(source.api
        ? { 'api-key': { value: 'KEY', summary: `Read the account through the API of ${source.title} with this key` } }
        : {}),
    },
    run: (input) => runImport(source, input),
  }
}

async function runImport(source: Source, input: Input): Promise<void> {
  const { args, options, has, output, posthorn, connection } = input
  if (args.length === 0 && !options['api-key']) throw new UsageError(`FILE or --api-key is missing. ${source.files}.`)
  const files = await openFiles(await Promise.all(args.map(opened))).catch(refuse)
  const client = posthorn()
  const { project } = await unwrap(client.request('GET /me'))
  const dryRun = has('dry-run')
  const place = checkpointFile([
    connection().url,
    project.id,
    source.id,
    String(has('subscribe')),
    ...args.map(fingerprint),
  ])
  // What an API lists may have changed meanwhile, and a dry run leaves nothing to continue.
  const mayResume = !dryRun && !options['api-key']
  const resume = mayResume && !has('restart') ? readCheckpoint(place) : undefined
  if (resume) output.say('Continuing the import that was interrupted. Use --restart to begin again.')
  const report = await move({
    source,
    input: {
      files,
      subscribe: has('subscribe'),
      api: options['api-key'] ? apiOf(source, options['api-key']) : undefined,
    },
    target: targetOf(client),
    dryRun,
    from: options.from,
    resume,
    signal: untilInterrupted(),
    onProgress: (checkpoint) => {
      if (mayResume) saveCheckpoint(place, checkpoint)
      showProgress(checkpoint.report)
    },
  }).catch(refuse)
  if (process.stderr.isTTY) process.stderr.write('\r')
  rmSync(place, { force: true })
  output.item(report, () => [...summaryLines(report), ...problemLines(report)].join('\n'))
  if (report.problemCount > 0) process.exitCode = 1
}

/** What is wrong with a file is a sentence for the user. */
function refuse(error: unknown): never {
  const { name, message } = error as Error
  if (name === 'AbortError') throw new CommandError('Interrupted. Run the command again to continue.')
  throw error instanceof BrokenFile ? new CommandError(message) : error
}

async function opened(file: string): Promise<{ name: string; blob: Blob }> {
  const blob = await openAsBlob(file).catch((error: Error) => {
    throw new UsageError(`${file} can't be read: ${error.message}`)
  })
  return { name: path.basename(file), blob }
}

function showProgress({ contacts }: Report): void {
  if (!process.stderr.isTTY) return
  const done = contacts.created + contacts.updated + contacts.unchanged + contacts.failed
  process.stderr.write(`\r${done.toLocaleString('en')} contacts`)
}

/** The same file, without reading it. */
function fingerprint(file: string): string {
  const { size, mtimeMs } = statSync(file)
  return `${path.resolve(file)} ${size} ${mtimeMs}`
}

const checkpointFile = (facts: string[]) =>
  path.join(
    path.dirname(profilesFile()),
    'imports',
    `${createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 32)}.json`,
  )

function readCheckpoint(file: string): Checkpoint | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Checkpoint
  } catch {
    return undefined // nothing to continue
  }
}

/** Only you can read it, because problems name addresses. */
function saveCheckpoint(file: string, checkpoint: Checkpoint): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, JSON.stringify(checkpoint), { mode: 0o600 })
}

/** Waits as long as the service asks for when it limits requests. */
function apiOf({ title, api }: Source, key: string): Api {
  const { origin, headers } = api!
  const base = process.env.POSTHORN_IMPORT_ORIGIN ?? origin // for tests, and for proxies
  return async (place) => {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(base + place, {
        headers: headers(key),
        signal: AbortSignal.timeout(RESPOND_WITHIN_MS),
      }).catch(() => undefined)
      if (response?.ok) return response.json()
      if (response?.status === 401 || response?.status === 403) {
        throw new CommandError(
          `${title} refused the key for ${place.split('?')[0]}. Use one that may read contacts and suppressions.`,
          3,
        )
      }
      const isTemporary = response === undefined || response.status === 429 || response.status >= 500
      if (!isTemporary || attempt > RETRIES) {
        throw new CommandError(`${title} responded to ${place.split('?')[0]} with ${response?.status ?? 'nothing'}.`)
      }
      const requested = Number(response?.headers.get('retry-after') ?? response?.headers.get('ratelimit-reset'))
      const seconds = Number.isFinite(requested) && requested > 0 ? Math.min(requested, RETRY_AFTER_MAX_S) : attempt
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
    }
  }
}
