/** The databases that test files use on the PostgreSQL of the test run. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** A copy of a database that nobody is connected to. The default is migrated and empty. */
export async function createTestDatabase(serverUrl: string, template = 'posthorn_template') {
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(serverUrl, (client) => client.query(`create database ${name} template ${template} strategy file_copy`))
  return { name, url: serverUrl.replace(/\/[^/]*$/, `/${name}`), drop: () => dropDatabase(serverUrl, name) }
}

/** How long a server that is busy with other tests may take to end the connections of a database. */
const DROP_WITHIN_MS = 25_000

/** Errors of PostgreSQL: the database is in use; a process may not be terminated. */
const IN_USE = new Set(['55006', '42501'])

/** Even if a process that was killed still has connections to it. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  const deadline = Date.now() + DROP_WITHIN_MS
  await onServer(serverUrl, async (client) => {
    for (let force = true; ; force = !force) {
      try {
        // A vacuum by the server can't be terminated, but it gives way to an ordinary drop.
        await client.query(`drop database if exists ${name} ${force ? 'with (force)' : ''}`)
        return
      } catch (error) {
        if (!IN_USE.has((error as pg.DatabaseError).code!) || Date.now() > deadline) throw error
      }
    }
  })
}

export async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
