/** Reads the emails that the service captured from its database, as a recipient would find them in their mailbox. */
import pg from 'pg'
import PostalMime from 'postal-mime'
import { eventually } from '../server/test/service-process.ts'

/** Connects to the database of a service. */
export async function openDatabase(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  return client
}

/** The first link in the latest email to an address. */
export async function linkSentTo(databaseUrl: string, address: string): Promise<string> {
  const client = await openDatabase(databaseUrl)
  try {
    return await eventually<string>(`an email to ${address}`, 20_000, async () => {
      const { rows } = await client.query<{ raw: Buffer }>(
        'select raw from captured_messages where $1 = any(recipients) order by id desc limit 1',
        [address],
      )
      const { text = '' } = rows[0] ? await PostalMime.parse(rows[0].raw) : {}
      return /https?:\/\/\S+/.exec(text)?.[0] ?? ''
    })
  } finally {
    await client.end()
  }
}
