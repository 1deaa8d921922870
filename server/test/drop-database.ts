import pg from 'pg'

/** Drops a database of a test, even if a process that was killed still has connections to it. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    // A vacuum by the server can't be terminated, but it gives way to an ordinary drop.
    await client
      .query(`drop database ${name} with (force)`)
      .catch(() => client.query(`drop database if exists ${name}`))
  } finally {
    await client.end()
  }
}
