/** Metrics for Prometheus: requests, jobs, emails, the queue and the connection pool. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import type { PriorityName } from './queue/catalogue.ts'

const registry = new Registry()
collectDefaultMetrics({ register: registry })

const requests = new Histogram({
  name: 'posthorn_http_request_seconds',
  help: 'Duration of requests.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  registers: [registry],
})

const jobs = new Histogram({
  name: 'posthorn_job_seconds',
  help: 'Duration of jobs, by outcome.',
  labelNames: ['job', 'outcome'],
  buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120],
  registers: [registry],
})

const emails = new Counter({
  name: 'posthorn_emails_total',
  help: 'Emails passed to the transport, by outcome.',
  labelNames: ['outcome'],
  registers: [registry],
})

const reports = new Counter({
  name: 'posthorn_email_reports_total',
  help: 'Bounces and complaints that were reported for emails. A report that is repeated counts again.',
  labelNames: ['report'],
  registers: [registry],
})

const webhooks = new Counter({
  name: 'posthorn_webhook_requests_total',
  help: 'Requests to webhook endpoints, by outcome.',
  labelNames: ['outcome'],
  registers: [registry],
})

export const countWebhook = (outcome: 'succeeded' | 'retried' | 'failed'): void => webhooks.inc({ outcome })

const replicaReads = new Counter({
  name: 'posthorn_replica_reads_total',
  help: 'Requests that the replica may serve, by the database that served them.',
  labelNames: ['database'],
  registers: [registry],
})

const RESOLUTION_MS = 10
const QUANTILES = { '0.5': 50, '0.99': 99, '1': 100 }
/** Metrics are usually read more often. */
const DELAYS_KEPT_MS = 60_000
const eventLoop = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
eventLoop.enable()
let delaysSince = performance.now()
let delaysBefore: Record<string, number> = {}

/**
 * The longer delay of the current and the previous minute. Reading resets nothing, because there can be several readers,
 * such as Prometheus and OpenTelemetry.
 */
function readDelays(): Record<string, number> {
  // The histogram holds the time between two samples, which includes their interval.
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1e3)
  const current = Object.fromEntries(
    Object.entries(QUANTILES).map(([quantile, percent]) => [quantile, seconds(eventLoop.percentile(percent))]),
  )
  const longest = Object.fromEntries(
    Object.entries(current).map(([quantile, delay]) => [quantile, Math.max(delay, delaysBefore[quantile] ?? 0)]),
  )
  if (performance.now() - delaysSince > DELAYS_KEPT_MS) {
    delaysSince = performance.now()
    delaysBefore = current
    eventLoop.reset()
  }
  return longest
}

new Gauge({
  name: 'posthorn_event_loop_delay_seconds',
  help: 'How long the event loop was blocked in the last minutes, by quantile (1 is the longest).',
  labelNames: ['quantile'],
  registers: [registry],
  collect() {
    for (const [quantile, seconds] of Object.entries(readDelays())) this.set({ quantile }, seconds)
  },
})

const queued = new Histogram({
  name: 'posthorn_emails_queued_seconds',
  help: 'Time from when an email is accepted until the mail server accepts it, by priority.',
  labelNames: ['priority'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3600],
  registers: [registry],
})

const droppedSpans = new Counter({
  name: 'posthorn_telemetry_dropped_spans_total',
  help: 'Spans that were not exported to OpenTelemetry, by reason: the queue was full, the endpoint refused them, or the service stopped.',
  labelNames: ['reason'],
  registers: [registry],
})

const droppedRequests = new Counter({
  name: 'posthorn_request_log_dropped_total',
  help: 'Requests that are missing in the request log, because they could not be written in time.',
  registers: [registry],
})

export const countDroppedRequests = (count: number): void => droppedRequests.inc(count)

const EMAIL_OUTCOMES = ['sent', 'failed', 'bounced', 'retried'] as const
const EMAIL_PRIORITIES: PriorityName[] = ['transactional', 'burst', 'workflow', 'campaign']
const REPORTS = ['bounce', 'transient-bounce', 'complaint'] as const
const DATABASES = ['replica', 'primary'] as const
const DROP_REASONS = ['queue-full', 'refused', 'stopped'] as const

// A series that begins with its first event has no earlier value, so `increase` and `rate` don't include that event.
for (const report of REPORTS) reports.inc({ report }, 0)
for (const database of DATABASES) replicaReads.inc({ database }, 0)
for (const reason of DROP_REASONS) droppedSpans.inc({ reason }, 0)

/** Only in processes that send email: an alert fires if Prometheus reads none of them. */
export function startDeliveryMetrics(): void {
  for (const outcome of EMAIL_OUTCOMES) emails.inc({ outcome }, 0)
  for (const priority of EMAIL_PRIORITIES) queued.zero({ priority })
}

export const observeRequest = (method: string, route: string, status: number, seconds: number) =>
  requests.observe({ method, route, status: String(status) }, seconds)

export const observeJob = (job: string, outcome: string, seconds: number) => jobs.observe({ job, outcome }, seconds)

export const countEmail = (outcome: (typeof EMAIL_OUTCOMES)[number]) => emails.inc({ outcome })

export const countReports = (report: (typeof REPORTS)[number], count: number) => reports.inc({ report }, count)

export const countReplicaRead = (database: (typeof DATABASES)[number]) => replicaReads.inc({ database })

export const observeQueued = (priority: PriorityName, seconds: number) => queued.observe({ priority }, seconds)

export const countDroppedSpans = (reason: (typeof DROP_REASONS)[number], count: number) =>
  droppedSpans.inc({ reason }, count)

/** A gauge whose value is read when it is scraped. The latest reader of a name is used. Returns how to remove it. */
export function watch(name: string, help: string, read: () => number | Promise<number>): () => void {
  registry.removeSingleMetric(name)
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await read())
    },
  })
  return () => registry.removeSingleMetric(name)
}

export type ProcessMetrics = Array<MetricObjectWithValues<MetricValue<string>>>

export const metricsOfThisProcess = (): Promise<ProcessMetrics> => registry.getMetricsAsJSON()

/**
 * One text for all processes. Every series has the name of its process: a sum would drop while a process doesn't respond, and
 * Prometheus treats a counter that drops as reset.
 */
export async function metricsText(others: Array<{ process: string; metrics: ProcessMetrics }> = []): Promise<string> {
  const all = [{ process: 'main', metrics: await metricsOfThisProcess() }, ...others]
  const labelled = all.map(({ process, metrics }) =>
    metrics.map((metric) => ({
      ...metric,
      aggregator: 'first' as const,
      values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } })),
    })),
  )
  return AggregatorRegistry.aggregate(labelled).metrics()
}
