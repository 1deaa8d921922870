/** A PostgreSQL server and a standby that follows it by streaming replication, both real. */
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { readCredentials, SUPERUSER } from '../../platform/database/embedded/cluster.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres.ts'
import { eventually } from '../service-process.ts'

export const portOf = (server: { url: string }) => Number(new URL(server.url).port)

export const withPort = (url: string, port: number): string => Object.assign(new URL(url), { port: String(port) }).href

/** Creates both in this folder. */
export async function startWithStandby(home: string) {
  const dirs = { primary: path.join(home, 'primary'), standby: path.join(home, 'standby') }
  const first = await startEmbeddedPostgres({ dataDir: dirs.primary })
  const { password } = await readCredentials(dirs.primary)
  await first.stop()
  fs.cpSync(dirs.primary, dirs.standby, { recursive: true, preserveTimestamps: true })
  fs.writeFileSync(path.join(dirs.standby, 'postgres/standby.signal'), '')
  copyOwners(dirs.primary, dirs.standby)

  const primary = await startEmbeddedPostgres({ dataDir: dirs.primary })
  const source = `host=127.0.0.1 port=${portOf(primary)} user=${SUPERUSER} password=${password} application_name=standby`
  const standby = await startEmbeddedPostgres({ dataDir: dirs.standby, settings: { primary_conninfo: source } })

  async function asSuperuser(server: EmbeddedPostgres, ...statements: string[]): Promise<pg.QueryResultRow[]> {
    const [host, port] = ['127.0.0.1', portOf(server)]
    const client = new pg.Client({ host, port, user: SUPERUSER, password, database: 'postgres' })
    await client.connect()
    try {
      let rows: pg.QueryResultRow[] = []
      for (const statement of statements) rows = (await client.query(statement)).rows
      return rows
    } finally {
      await client.end()
    }
  }

  await eventually('the standby follows', 120_000, async () => {
    return (await asSuperuser(primary, "select from pg_stat_replication where state = 'streaming'")).length === 1
  })
  return { primary, standby, asSuperuser }
}

/** As root, PostgreSQL runs as another user, to whom the files belong. */
function copyOwners(from: string, to: string): void {
  if (process.getuid?.() !== 0) return
  for (const entry of fs.readdirSync(to, { withFileTypes: true, recursive: true })) {
    const copy = path.join(entry.parentPath, entry.name)
    const original = path.join(from, path.relative(to, copy))
    const { uid, gid } = fs.lstatSync(fs.existsSync(original) ? original : path.dirname(original))
    fs.lchownSync(copy, uid, gid)
  }
}
