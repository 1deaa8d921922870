import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../platform/database/connect.ts'
import { openLog } from '../../platform/log.ts'
import { metricsText } from '../../platform/metrics.ts'
import { watchDisk, watchPool, watchQueue, watchRetention } from '../../platform/watch-database.ts'
import { openTestApp, openTestDatabase } from '../harness.ts'

describe('GET /metrics', () => {
  it('requires METRICS_TOKEN if there is one', async () => {
    const app = await openTestApp({ METRICS_TOKEN: 'a-token-for-scraping' })
    try {
      const call = async (token?: string) => (await app.request('GET', '/metrics', token ? { key: token } : {})).status
      expect(await call()).toBe(401)
      expect(await call('another-token-entirely')).toBe(401)
      expect(await call('a-token-for-scraping')).toBe(200)
    } finally {
      await app.close()
    }
  })

  it('has the depth of the queue, from one query per scrape', async () => {
    const database = await openTestDatabase()
    const unwatch = [watchPool(database), watchQueue(database)]
    try {
      const text = await metricsText()
      for (const name of ['ready_jobs', 'scheduled_jobs', 'failed_jobs', 'oldest_seconds']) {
        expect(text).toContain(`\nposthorn_queue_${name} 0\n`)
      }
      expect(text).toMatch(/\nposthorn_database_connections \d+\n/)
      expect(text).toContain('\nposthorn_database_up 1\n')
      expect(database.pool.totalCount, 'connections it took').toBe(1)
    } finally {
      for (const remove of unwatch) remove()
      await database.close()
    }
  })

  it('has the size and the free space of the disk with DATA_DIR', async () => {
    const unwatch = watchDisk(import.meta.dirname)
    const text = await metricsText()
    unwatch()
    const [free, size] = ['free', 'size'].map((figure) =>
      Number(new RegExp(`\nposthorn_disk_${figure}_bytes (\\S+)\n`).exec(text)?.[1]),
    )
    expect(free).toBeGreaterThan(0)
    expect(size).toBeGreaterThan(free!)
    expect(await metricsText()).not.toContain('posthorn_disk')
  })

  it('has the state of retention', async () => {
    const database = await openTestDatabase()
    const unwatch = watchRetention(database)
    try {
      await database.pool.query(`insert into retired_tables (name, parent, retired_at, dropped_at)
        values ('a', 'events', now(), '2027-01-01Z'), ('b', 'events', now(), null)`)
      const text = await metricsText()
      expect(text).toContain('\nposthorn_retention_pending_tables 1\n')
      expect(text).toContain(`\nposthorn_retention_last_run_seconds ${Date.UTC(2027, 0) / 1000}\n`)
    } finally {
      unwatch()
      await database.close()
    }
  })

  it('still responds while the database is unavailable', async () => {
    const log = openLog({ level: 'silent', format: 'json' })
    const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', poolSize: 2, log })
    const unwatch = [watchPool(database), watchQueue(database), watchRetention(database)]
    const text = await metricsText()
    for (const remove of unwatch) remove()
    expect(text).toMatch(/\nposthorn_queue_ready_jobs nan\n/i)
    expect(text).toMatch(/\nposthorn_retention_pending_tables nan\n/i)
    expect(text).toContain('\nposthorn_database_up 0\n')
    expect(text).toContain('process_resident_memory_bytes')
    await database.close()
  })
})
