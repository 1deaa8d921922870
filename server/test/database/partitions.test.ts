/** Partitions are created while others read and write the table. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePartition } from '../../platform/database/partitions.ts'
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
    await expect.poll(waits, { timeout: 10_000, interval: 20 }).toBe(1)
    await database.pool.query('select from events') // waits only until the lock is given up
    await backup.query('rollback')
    await making
    const { rows } = await database.pool.query("select to_regclass('events_2031_01') is not null as exists")
    expect(rows).toEqual([{ exists: true }])
  } finally {
    backup.release(true)
  }
})
