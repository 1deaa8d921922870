/** The databases that test files use on the PostgreSQL of the test run. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** A migrated database of its own. */
export async function createTestDatabase(serverUrl: string) {
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(serverUrl, (client) => client.query(`create database ${name} template posthorn_template`))
  return { url: serverUrl.replace(/\/[^/]*$/, `/${name}`), drop: () => dropDatabase(serverUrl, name) }
}

/** Even if a process that was killed still has connections to it. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await onServer(serverUrl, (client) =>
    // A vacuum by the server can't be terminated, but it gives way to an ordinary drop.
    client.query(`drop database ${name} with (force)`).catch(() => client.query(`drop database if exists ${name}`)),
  )
}

async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
