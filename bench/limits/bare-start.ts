/** The parts that every start needs: Node.js, npm and PostgreSQL, each started alone and idle. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ensureCluster, openCluster, SUPERUSER } from '../../server/platform/database/embedded/cluster.ts'
import { freePort, launch, shutDown } from '../../server/platform/database/embedded/postmaster.ts'

export function startBareNode(): number {
  return timed(() => spawnSync(process.execPath, ['-e', '0']))
}

/** `npm start` of a package whose script does nothing. */
export function startBareNpm(folder: string): number {
  const home = path.join(folder, 'bare-npm')
  mkdirSync(home, { recursive: true })
  writeFileSync(path.join(home, 'package.json'), '{ "scripts": { "start": "exit 0" } }')
  return timed(() => spawnSync('npm', ['start'], { cwd: home, shell: process.platform === 'win32' }))
}

function timed(work: () => void): number {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}

const PASSWORD = 'only-for-the-bench'

/** The same binaries on a new cluster, until the first query returns. */
export async function startBarePostgres(folder: string): Promise<number> {
  const cluster = await openCluster(path.join(folder, 'bare-postgres'))
  await ensureCluster(cluster, PASSWORD, true)
  const port = await freePort()
  const startedAt = performance.now()
  const { server } = await launch(cluster, port, { fsync: true, settings: {} })
  try {
    for (const deadline = startedAt + 30_000; performance.now() < deadline; await sleep(5)) {
      if (await responds(port)) return performance.now() - startedAt
    }
    throw new Error('A bare PostgreSQL did not respond within 30 s.')
  } finally {
    await shutDown(cluster, server!)
  }
}

async function responds(port: number): Promise<boolean> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: SUPERUSER, password: PASSWORD, database: 'postgres' })
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
