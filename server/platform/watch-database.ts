/**
 * The pool, the queue, sending and the disk in /metrics. While the database is unavailable, its own figures are missing.
 * Each function returns how to remove its metrics.
 */
import { statfs } from 'node:fs/promises'
import { createBatcher } from '../kernel/flow/waiting.ts'
import type { OpenDatabase } from './database/connection/connect.ts'
import { isDatabaseUnavailable } from './database/connection/transaction.ts'
import { watch } from './metrics.ts'
import { queueDepth } from './queue/job-table.ts'
import { countRunningWorkers, SILENT_AFTER_MS } from './queue/running-workers.ts'

export const together = (removers: Array<() => void>) => () => {
  for (const remove of removers) remove()
}

export function watchPool({ pool }: Pick<OpenDatabase, 'pool'>): () => void {
  return together([
    watch('posthorn_database_connections', 'Connections in the pool.', () => pool.totalCount),
    watch('posthorn_database_waiting', 'Statements waiting for a connection.', () => pool.waitingCount),
  ])
}

/** The values of one scrape come from one query. */
export function figuresFrom<F extends string>(read: () => Promise<Record<F, number>>) {
  const readFigure = createBatcher(
    async (names: F[]) => {
      const figures = await read()
      return names.map((name) => figures[name])
    },
    { batchMax: 10, concurrency: 1 },
  )
  return (name: F) => async (): Promise<number> => {
    try {
      return await readFigure(name)
    } catch (error) {
      if (isDatabaseUnavailable(error)) return Number.NaN
      throw error
    }
  }
}

/** The queue and its workers are the same for all processes of an installation. */
export function watchQueue({ db }: Pick<OpenDatabase, 'db'>): () => void {
  const figure = figuresFrom(async () => ({ ...(await queueDepth(db)), workers: await countRunningWorkers(db) }))
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
    watch(
      'posthorn_workers_running',
      `Worker processes of the installation that were able to run jobs in the last ${SILENT_AFTER_MS / 1000} seconds.`,
      figure('workers'),
    ),
  ])
}

/** The same for all processes whose transport has the same settings. */
export function watchSending(isPaused: () => Promise<boolean>): () => void {
  const figure = figuresFrom(async () => ({ paused: (await isPaused()) ? 1 : 0 }))
  return watch('posthorn_sending_paused', 'Whether sending is paused because it fails: 1 or 0.', figure('paused'))
}

/** Reports the free space of the file system with DATA_DIR. */
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
