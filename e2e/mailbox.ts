/** Mail that the service sent and captured, read from its database: what a person would find in their mailbox. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import PostalMime from 'postal-mime'
import { eventually } from '../server/test/service-process.ts'

/** The database that a service on this folder keeps for itself. */
export async function openDatabase(dataDir: string): Promise<pg.Client> {
  const { password, port } = JSON.parse(readFileSync(path.join(dataDir, 'postgres.json'), 'utf8'))
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'posthorn', password, database: 'posthorn' })
  await client.connect()
  return client
}

/** The link in the latest mail to an address. */
export async function linkSentTo(dataDir: string, address: string): Promise<string> {
  const client = await openDatabase(dataDir)
  try {
    return await eventually<string>(`a mail to ${address}`, 20_000, async () => {
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
