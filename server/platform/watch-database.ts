/**
 * The pool, the queue and the disk in /metrics. While the database is unavailable, the figures of the queue are missing.
 * Each function returns how to remove its metrics.
 */
import { statfs } from 'node:fs/promises'
import { createBatcher } from '../kernel/waiting.ts'
import type { OpenDatabase } from './database/connect.ts'
import { isDatabaseUnavailable } from './database/transaction.ts'
import { watch } from './metrics.ts'
import { type QueueDepth, queueDepth } from './queue/job-table.ts'

const together = (removers: Array<() => void>) => () => {
  for (const remove of removers) remove()
}

export function watchPool({ pool }: Pick<OpenDatabase, 'pool'>): () => void {
  return together([
    watch('posthorn_database_connections', 'Connections in the pool.', () => pool.totalCount),
    watch('posthorn_database_waiting', 'Statements waiting for a connection.', () => pool.waitingCount),
  ])
}

/** The queue is the same for all processes of an installation. */
export function watchQueue({ db }: Pick<OpenDatabase, 'db'>): () => void {
  // The values of one scrape come from one query of the queue.
  const look = createBatcher(
    async (figures: Array<keyof QueueDepth>) => {
      const depth = await queueDepth(db)
      return figures.map((figure) => depth[figure])
    },
    { batchMax: 10, concurrency: 1 },
  )
  const figure = (name: keyof QueueDepth) => async () => {
    try {
      return await look(name)
    } catch (error) {
      if (isDatabaseUnavailable(error)) return Number.NaN
      throw error
    }
  }
  const isUp = async () => (Number.isNaN(await figure('ready')()) ? 0 : 1)
  return together([
    watch('posthorn_database_up', 'Whether the database responds: 1 or 0.', isUp),
    watch('posthorn_queue_ready_jobs', 'Jobs due now.', figure('ready')),
    watch('posthorn_queue_scheduled_jobs', 'Jobs due later.', figure('scheduled')),
    watch('posthorn_queue_failed_jobs', 'Jobs that failed permanently.', figure('failed')),
    watch(
      'posthorn_queue_oldest_seconds',
      'How long the oldest due job has been waiting.',
      figure('oldestReadySeconds'),
    ),
  ])
}

/** Of the file system with DATA_DIR. */
export function watchDisk(folder: string): () => void {
  const figure = (read: (disk: { bavail: number; blocks: number; bsize: number }) => number) => () =>
    statfs(folder).then(read, () => Number.NaN)
  return together([
    watch(
      'posthorn_disk_free_bytes',
      'Free space of the file system with DATA_DIR.',
      figure(({ bavail, bsize }) => bavail * bsize),
    ),
    watch(
      'posthorn_disk_size_bytes',
      'Size of the file system with DATA_DIR.',
      figure(({ blocks, bsize }) => blocks * bsize),
    ),
  ])
}
