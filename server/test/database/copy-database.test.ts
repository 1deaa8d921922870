/** Copying a database whose schema is older than this version: the copy has the same schema, and the next start migrates it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSchema } from '../../commands/backup.ts'
import { copyDatabase } from '../../commands/copy-database.ts'
import { createTables } from '../../commands/restore.ts'
import { describeSchema } from '../../platform/database/schema/describe-schema.ts'
import { migrate, migrationNames } from '../../platform/database/schema/migrate.ts'
import { createDatabase, dropDatabases, query, withClient } from '../fixtures/upgrade-0.1.0/upgraded.ts'
import { contentsOf } from './filled-project.ts'

const SCHEMAS = ['public', 'posthorn_queue']
let source: string
let target: string

beforeAll(async () => {
  source = await createDatabase()
  target = await createDatabase()
  await migrate(source, (await migrationNames()).slice(0, -5))
  await query(
    source,
    `insert into posthorn_queue.job_kinds (name, priority, max_attempts) values ('a-former-job', 3, 4);
     insert into posthorn_queue.jobs (name, payload, priority, max_attempts, attempts, locked_by)
     select 'a-former-job', '{"n": 1}', 3, 4, 2, 17 from generate_series(1, 3);
     delete from posthorn_queue.jobs where id = 3`,
  )
  await createTables(target, (await withClient(source, readSchema))!)
})
afterAll(dropDatabases)

const copy = () => withClient(source, (from) => withClient(target, (to) => copyDatabase(from, to)))

it('a table that Posthorn did not create is named, and nothing is copied', async () => {
  await query(source, 'create table "my notes" (text text)')
  await expect(copy()).rejects.toThrow('The database contains "public"."my notes", which Posthorn did not create')
  await query(source, 'drop table "my notes"')
})

it('the copy has the same schema, rows and job numbers, and can be migrated', async () => {
  expect(await copy()).toEqual({ tables: expect.any(Number), rows: 3 })
  expect(await contentsOf(target, SCHEMAS)).toEqual(await contentsOf(source, SCHEMAS))
  expect(await describeSchema(target)).toBe(await describeSchema(source))
  await migrate(target)
  const [added] = await query(
    target,
    `insert into posthorn_queue.jobs (name, payload, priority, max_attempts) values ('a-former-job', '{}', 1, 1) returning id::text`,
  )
  expect(added).toEqual({ id: '4' })
})
