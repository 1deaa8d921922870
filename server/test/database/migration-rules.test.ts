/**
 * Migrations only add to the schema, so that processes of the version before can go on working until they are stopped. What is
 * no longer used is removed one release later, by a migration that is listed here with the release that stopped using it.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { migrationNames } from '../../platform/database/schema/migrate.ts'
import { SERVER_FOLDER } from '../../platform/root.ts'

/** Version 0.2.0 can't run beside 0.1.0, so its first migrations are exempt. */
const EXEMPT_UP_TO = '0065'

/** Migration → what it removes, and since which release nothing uses it. */
const REMOVALS: Record<string, string> = {
  '0069-notification-job.sql': 'the job take-notification, which no release after 0.1.0 has enqueued',
  '0310-campaign-wave-recipients.sql': 'the wave of a recipient, which no release has used',
  '0321-requests-of-a-second.sql': 'the request log of one row a request, which no release has had',
}

const RULES: Array<[RegExp, string]> = [
  [/\bdrop\s+(table|schema|type|view)\b/, 'drops something that the version before may use'],
  [
    /\bdrop\s+(column\s+)?(if\s+exists\s+)?(?!constraint|not|default|index|trigger|function)\w+\s*(,|;|$)/,
    'drops a column',
  ],
  [/\brename\b/, 'renames something that the version before may use'],
  [/\balter\s+(column\s+)?\w+\s+(set\s+data\s+)?type\b/, 'changes the type of a column, which also rewrites the table'],
  [/\bdelete\s+from\s+posthorn_queue\.job_kinds\b/, 'removes a job that the version before may enqueue'],
  [/\bset\s+not\s+null\b/, 'requires a value that the version before may not write'],
  [
    /\badd\s+(column\s+)?(if\s+not\s+exists\s+)?(?!constraint)\w+\s+(?![^,;]*\bdefault\b)[^,;]*\bnot\s+null\b/,
    'adds a column without a default',
  ],
]

function violations(text: string): string[] {
  const statements = text
    .replaceAll(/--.*$/gm, '')
    .toLowerCase()
    .split(';')
    .map((statement) => `${statement.trim()};`)
  return statements.flatMap((statement) =>
    RULES.filter(([pattern]) => /^(alter|drop|delete)\b/.test(statement) && pattern.test(statement)).map(
      ([, what]) => what,
    ),
  )
}

describe('a migration', () => {
  it('only adds to the schema', async () => {
    const names = (await migrationNames()).filter((name) => name.slice(0, 4) > EXEMPT_UP_TO && !(name in REMOVALS))
    for (const name of names) {
      const text = await readFile(path.join(SERVER_FOLDER, 'migrations', name), 'utf8')
      expect({ name, violations: violations(text) }).toEqual({ name, violations: [] })
    }
  })

  it.each([
    'drop table contacts',
    'alter table contacts drop column email',
    'alter table contacts drop email, add column mail text',
    'alter table contacts rename to people',
    'alter table contacts rename column email to mail',
    'alter table contacts alter column email type varchar(10)',
    'alter table contacts alter email set data type text',
    'alter table contacts alter column name set not null',
    'alter table contacts add column name text not null',
    "delete from posthorn_queue.job_kinds where name = 'deliver-email'",
    'ALTER TABLE contacts -- a comment\n DROP COLUMN email',
  ])('is refused if it contains "%s"', (statement) => {
    expect(violations(`${statement};`)).not.toEqual([])
  })

  it.each([
    'create table pets (name text not null)',
    'alter table contacts add column pet text',
    "alter table contacts add column pet text not null default 'cat'",
    'alter table contacts drop constraint contacts_check',
    'alter table contacts alter column pet drop not null',
    'alter table contacts alter column pet drop default',
    'drop index contacts_email',
    'delete from contacts where false',
    "update posthorn_queue.jobs set name = 'rename'",
  ])('is accepted if it contains "%s"', (statement) => {
    expect(violations(`${statement};`)).toEqual([])
  })
})
