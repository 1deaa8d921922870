/** One PostgreSQL for the whole test run, and a migrated template database that every test file clones. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts'
import { migrate } from '../platform/database/migrate.ts'
import { publishCatalogue } from '../platform/queue/enqueue.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

const TEMPLATE = 'posthorn_template'

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'posthorn-test-'))
  const postgres = await startEmbeddedPostgres({ dataDir, fsync: false, settings: { max_connections: '300' } })
  await makeTemplate(postgres.url)
  project.provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function makeTemplate(url: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()

  const templateUrl = url.replace(/\/[^/]*$/, `/${TEMPLATE}`)
  await migrate(templateUrl)
  const pool = new pg.Pool({ connectionString: templateUrl })
  await publishCatalogue(pool)
  await pool.end()
}
