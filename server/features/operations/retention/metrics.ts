/** What waits to be archived and dropped, in /metrics. */
import type { OpenDatabase } from '../../../platform/database/connection/connect.ts'
import { watch } from '../../../platform/metrics.ts'
import { figuresFrom, together } from '../../../platform/watch-database.ts'
import { readRetention } from './retired-queries.ts'

export function watchRetention({ db }: Pick<OpenDatabase, 'db'>): () => void {
  const figure = figuresFrom(() => readRetention(db))
  const pending = 'Old months that are detached, but not archived and dropped yet.'
  return together([
    watch('posthorn_retention_pending_tables', pending, figure('pending')),
    watch('posthorn_retention_last_run_seconds', 'When old data was last removed, in Unix time.', figure('lastRunAt')),
  ])
}
