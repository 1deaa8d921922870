import { describe, expect, it } from 'vitest'
import { watchRetention } from '../../features/operations/retention/metrics.ts'
import { openDatabase } from '../../platform/database/connection/connect.ts'
import { openLog } from '../../platform/log.ts'
import { countEmail, metricsOfThisProcess, metricsText } from '../../platform/metrics.ts'
import { watchDisk, watchPool, watchQueue } from '../../platform/watch-database.ts'
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
        expect(text).toContain(`\nposthorn_queue_${name}{process="main"} 0\n`)
      }
      expect(text).toMatch(/\nposthorn_database_connections\{process="main"\} \d+\n/)
      expect(text).toContain('\nposthorn_database_up{process="main"} 1\n')
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
      Number(new RegExp(`\nposthorn_disk_${figure}_bytes{process="main"} (\\S+)\n`).exec(text)?.[1]),
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
      expect(text).toContain('\nposthorn_retention_pending_tables{process="main"} 1\n')
      expect(text).toContain(`\nposthorn_retention_last_run_seconds{process="main"} ${Date.UTC(2027, 0) / 1000}\n`)
    } finally {
      unwatch()
      await database.close()
    }
  })

  it('has a series for each process, so that no count falls while one of them does not respond', async () => {
    countEmail('sent')
    const worker = { process: 'worker-1', metrics: await metricsOfThisProcess() }
    const sentBy = (text: string) =>
      [...text.matchAll(/^posthorn_emails_total\{outcome="sent",process="([^"]+)"\} (\d+)$/gm)].map(([, name]) => name)
    const both = await metricsText([worker])
    expect(sentBy(both)).toEqual(['main', 'worker-1'])
    expect(both.match(/^# TYPE posthorn_emails_total /gm)).toHaveLength(1)
    const alone = await metricsText()
    expect(sentBy(alone)).toEqual(['main'])
    expect(alone.split('\n').filter((line) => /^[a-z]/.test(line) && !line.includes('process="main"'))).toEqual([])
  })

  it('reports to every reader how long the event loop was blocked', async () => {
    // A module of its own, because other tests can have blocked this process for longer than anyone wants to wait.
    const module = '../../platform/metrics.ts?alone'
    const alone: typeof import('../../platform/metrics.ts') = await import(module)
    const longest = async () => {
      const text = await alone.metricsText()
      return Number(/^posthorn_event_loop_delay_seconds\{quantile="1",process="main"\} (\S+)$/m.exec(text)![1])
    }
    const before = await longest()
    // Repeated, because reading can begin a new period, and the first sample of a period counts for nothing.
    const readAfterBlocking = () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100 + before * 1_000) // blocks without computing
      return longest()
    }
    await expect.poll(readAfterBlocking).toBeGreaterThan(before)
    const first = await longest()
    expect(await longest()).toBeGreaterThanOrEqual(first)
  })

  it('still responds while the database is unavailable', async () => {
    const log = openLog({ level: 'silent', format: 'json' })
    const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', poolSize: 2, log })
    const unwatch = [watchPool(database), watchQueue(database), watchRetention(database)]
    const text = await metricsText()
    for (const remove of unwatch) remove()
    expect(text).toMatch(/\nposthorn_queue_ready_jobs\{process="main"\} nan\n/i)
    expect(text).toMatch(/\nposthorn_retention_pending_tables\{process="main"\} nan\n/i)
    expect(text).toContain('\nposthorn_database_up{process="main"} 0\n')
    expect(text).toContain('process_resident_memory_bytes')
    await database.close()
  })
})
