/**
 * One PostgreSQL for the whole test run, and a migrated template database that every test file clones. At the end, the
 * named statements that the test files collected are written (`-u`). A run of all tests fails if one of them did not run.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { bundleThreads } from '../../tools/build.mjs'
import { makePartitions } from '../features/operations/retention/partition-queries.ts'
import { openDatabase } from '../platform/database/connection/connect.ts'
import { packagedPostgres } from '../platform/database/embedded/binaries.ts'
import { migrate } from '../platform/database/schema/migrate.ts'
import { publishCatalogue } from '../platform/queue/job-table.ts'
import { installPostgres, type PostgresMajor, startPostgres } from './postgres-packages.ts'
import { readStatements, type Statements, writeStatements } from './statements.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** Where PostgreSQL stores its files. */
    postgresFolder: string
    /** Where test files leave the statements that they ran, and whether those replace the committed ones. */
    statements: { folder: string; writes: boolean }
  }
}

const TEMPLATE = 'posthorn_template'

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const temporary = makeTemporaryFolder()
  // The test processes use it too, because they start after this.
  process.env.TMPDIR = temporary
  const threads = path.join(import.meta.dirname, `../dist.threads.${process.pid}`) // where they find native packages
  process.env.POSTHORN_TEST_THREADS = threads
  await bundleThreads(threads)
  // Some tests read the write-ahead log, and creating databases makes PostgreSQL remove old parts of it.
  const settings = { max_connections: '300', wal_keep_size: '512MB' }
  const postgres = await startPostgres(await nativeFolder(), { settings })
  await makeTemplate(postgres.url)
  project.provide('postgresUrl', postgres.url)
  project.provide('postgresFolder', path.join(postgres.dataDir, 'postgres'))
  const folder = await mkdtemp(path.join(temporary, 'statements-'))
  const writes = project.config.snapshotOptions.updateSnapshot === 'all'
  project.provide('statements', { folder, writes })
  return async () => {
    await postgres.stop()
    const { ran, testFiles } = await collectedIn(folder)
    if (writes) writeStatements(ran)
    else if (await isWholeRun(project, testFiles)) failIfUntested(ran)
    for (const made of [temporary, threads]) await rm(made, { recursive: true, force: true })
  }
}

/** POSTHORN_TEST_POSTGRES is a major version; without it, the tests run on the one that comes with Posthorn. */
async function nativeFolder(): Promise<string> {
  const major = process.env.POSTHORN_TEST_POSTGRES
  if (!major) return packagedPostgres()
  const native = await installPostgres(Number(major) as PostgresMajor)
  if (!native) throw new Error(`PostgreSQL ${major} could not be installed.`)
  return native
}

async function collectedIn(folder: string): Promise<{ ran: Statements; testFiles: number }> {
  const files = await readdir(folder)
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
  return { ran: new Map(texts.flatMap((text) => JSON.parse(text))), testFiles: files.length }
}

/** Whether all tests ran: no file, folder or name was selected. */
async function isWholeRun(project: TestProject, testFiles: number): Promise<boolean> {
  const { dir, root, testNamePattern } = project.config
  if (testNamePattern || (dir && dir !== root)) return false
  return testFiles === (await project.globTestFiles()).testFiles.length
}

/** Fails the run if a statement was not run, because then its SQL in server/statements is unchecked. */
function failIfUntested(ran: Statements): void {
  const untested = [...readStatements().keys()].filter((name) => !ran.has(name))
  if (untested.length === 0) return
  console.error(`No test runs ${untested.join(', ')}, so their SQL in server/statements is unchecked.`)
  process.exitCode = 1
}

async function makeTemplate(url: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()

  const templateUrl = url.replace(/\/[^/]*$/, `/${TEMPLATE}`)
  await migrate(templateUrl)
  const { db, pool, close } = openDatabase({ url: templateUrl, poolSize: 1, log: pino({ enabled: false }) })
  await publishCatalogue(pool)
  // Every test app needs them. Copying them is faster than creating them again.
  await makePartitions(db, new Date())
  await close()
}
