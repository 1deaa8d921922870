/** All emails enter the database through one statement builder: `outboxSteps` in features/mail/outbox/queries.ts. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const FEATURES = path.resolve(import.meta.dirname, '../../features')

/** The files that insert into a table, once for each place, in SQL or with the query builder. */
async function filesThatInsertInto(table: string): Promise<string[]> {
  const insert = new RegExp(`\\binsert\\s+into\\s+${table}\\b|\\binsertInto\\(\\s*['"\`]${table}\\b`, 'gi')
  const files = await readdir(FEATURES, { recursive: true })
  const found = await Promise.all(
    files
      .filter((file) => file.endsWith('.ts'))
      .map(async (file) => {
        const matches = (await readFile(path.join(FEATURES, file), 'utf8')).match(insert) ?? []
        return matches.map(() => file.replaceAll(path.sep, '/'))
      }),
  )
  return found.flat().sort()
}

describe('the outbox', () => {
  it('is the only code that inserts emails, in one place', async () => {
    expect(await filesThatInsertInto('emails')).toEqual(['mail/outbox/queries.ts'])
  })

  it('is the only code that inserts contents of emails, in one place', async () => {
    expect(await filesThatInsertInto('email_contents')).toEqual(['mail/outbox/queries.ts'])
  })
})
