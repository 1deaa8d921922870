/** What /metrics tells Prometheus: requests, jobs, emails, the queue and the connection pool. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

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

const queued = new Histogram({
  name: 'posthorn_emails_queued_seconds',
  help: 'Time from accepting an email until the mail server accepted it, by priority.',
  labelNames: ['priority'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3600],
  registers: [registry],
})

export const observeRequest = (method: string, route: string, status: number, seconds: number) =>
  requests.observe({ method, route, status: String(status) }, seconds)

export const observeJob = (job: string, outcome: string, seconds: number) => jobs.observe({ job, outcome }, seconds)

export const countEmail = (outcome: 'sent' | 'failed' | 'bounced' | 'retried') => emails.inc({ outcome })

export const observeQueued = (priority: string, seconds: number) => queued.observe({ priority }, seconds)

/** A gauge whose value is looked up when it is asked for. The latest reader of a name wins. */
export function watch(name: string, help: string, read: () => number | Promise<number>): void {
  registry.removeSingleMetric(name)
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await read())
    },
  })
}

export const metricsText = (): Promise<string> => registry.metrics()
