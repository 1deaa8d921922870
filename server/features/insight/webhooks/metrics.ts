/** Deliveries that are due, and endpoints that fail, in /metrics. */
import type { OpenDatabase } from '../../../platform/database/connection/connect.ts'
import { watch } from '../../../platform/metrics.ts'
import { figuresFrom, together } from '../../../platform/watch-database.ts'
import { readBacklog } from './backlog-queries.ts'

export function watchWebhooks({ db }: Pick<OpenDatabase, 'db'>): () => void {
  const figure = figuresFrom(() => readBacklog(db))
  return together([
    watch('posthorn_webhook_backlog', 'Deliveries to webhook endpoints that are due, up to 10,000.', figure('waiting')),
    watch('posthorn_webhook_oldest_seconds', 'How long the oldest of them has been due.', figure('oldestSeconds')),
    watch('posthorn_webhook_endpoints_failing', 'Webhook endpoints whose last attempt failed.', figure('failing')),
  ])
}
