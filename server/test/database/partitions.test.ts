/** Partitions are created while others read and write the table, and store values as the table does. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePartition, makePartitions } from '../../features/operations/retention/partition-queries.ts'
import { openTestDatabase } from '../harness.ts'

let database: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

it('creating a partition during a long transaction, such as a backup, does not block other statements', async () => {
  const backup = await database.pool.connect()
  try {
    await backup.query('begin; select from events_default')
    const making = makePartition(database.db, 'events', new Date('2031-01-01'), new Date('2031-02-01'))
    const waits = async () =>
      (
        await database.pool.query(`select from pg_locks where mode = 'AccessExclusiveLock' and not granted
          and database = (select oid from pg_database where datname = current_database())`)
      ).rowCount
    await expect.poll(waits, { interval: 20 }).toBe(1)
    await database.pool.query('select from events') // waits only until the lock is given up
    await backup.query('rollback')
    await making
    const { rows } = await database.pool.query("select to_regclass('events_2031_01') is not null as exists")
    expect(rows).toEqual([{ exists: true }])
  } finally {
    backup.release(true)
  }
})

it('every partition stores the values of each column in the same way as its table', async () => {
  await makePartitions(database.db, new Date('2032-01-01'))
  const { rows } = await database.pool.query(`
    select c.relname as partition, a.attname as column, a.attstorage as storage, p.attstorage as expected
    from pg_inherits i join pg_partitioned_table t on t.partrelid = i.inhparent
    join pg_class c on c.oid = i.inhrelid join pg_attribute a on a.attrelid = i.inhrelid and a.attnum > 0
    join pg_attribute p on p.attrelid = i.inhparent and p.attname = a.attname and p.attnum > 0`)
  expect(rows.map((row) => row.partition)).toContain('email_contents_2032_01')
  expect(rows.filter((row) => row.storage !== row.expected)).toEqual([])
})
