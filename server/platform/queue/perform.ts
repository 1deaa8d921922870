/** Runs the handler of a job and returns its outcome. */
import { errorType, runInSpan, startTrace } from '../../kernel/tracing.ts'
import {
  type FailureHandlers,
  JOB_DEFAULTS,
  type JobHandlers,
  type JobName,
  type JobOutcome,
  type QueueLog,
} from './catalogue.ts'
import type { Job, Retry } from './claimed-jobs.ts'
import { withTrace } from './job-table.ts'
import { TryAgainAt } from './try-again.ts'

const RECORD_FAILURE_AGAIN_MS = 60_000

export interface PerformOptions {
  handlers: JobHandlers
  failureHandlers: FailureHandlers
  log: QueueLog | undefined
  onOutcome?: ((job: JobName, outcome: JobOutcome, seconds: number) => void) | undefined
}

interface Performed {
  /** Absent if the job is done. */
  retry?: Retry
  error?: unknown
}

/** Runs a job's handler, measures it and logs a failure. A job that was enqueued with a trace continues it. */
export async function perform(job: Job, options: PerformOptions): Promise<Performed> {
  const { name, attempts } = job
  const { traceparent } = (job.payload ?? {}) as { traceparent?: unknown }
  const attributes = { 'posthorn.job.name': name, 'posthorn.job.attempt': attempts }
  const span = startTrace(`job ${name}`, traceparent, { kind: 'consumer', attributes })
  if (!span) return measure(job, options)
  const onOutcome: PerformOptions['onOutcome'] = (name, outcome, seconds) => {
    span.set({ 'posthorn.job.outcome': outcome })
    options.onOutcome?.(name, outcome, seconds)
  }
  try {
    const performed = await runInSpan(span, () => measure(job, { ...options, onOutcome }))
    if (performed.error !== undefined) span.fail(errorType(performed.error))
    return performed
  } finally {
    span.end()
  }
}

async function measure(job: Job, options: PerformOptions): Promise<Performed> {
  const { id, name, attempts, maxAttempts } = job
  const { log } = options
  const startedAt = performance.now()
  const report = (outcome: JobOutcome) => options.onOutcome?.(name, outcome, (performance.now() - startedAt) / 1000)
  try {
    if (attempts > JOB_DEFAULTS[name].maxAttempts) throw new Error('the process exited during the last attempt')
    const handler = options.handlers[name] as (payload: unknown, run: object) => Promise<void>
    await handler(job.payload, { attempt: attempts, priority: job.priority, at: job.runAt })
    report('done')
    return {}
  } catch (error) {
    const isLast = attempts >= maxAttempts
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof TryAgainAt && !(error.countsAsAttempt && isLast)) {
      report('postponed')
      const { at, countsAsAttempt, payload } = error
      return { retry: { id, at, countsAsAttempt, payload: payload && withTrace(payload), error: message } }
    }
    const facts = { job: name, jobId: id, attempt: attempts, maxAttempts, err: error }
    if (!isLast) {
      log?.warn(facts, 'a job failed and will be retried')
      report('failed')
      return { retry: { id, countsAsAttempt: true, error: message }, error }
    }
    log?.error(facts, 'a job failed permanently')
    report('gave-up')
    return { retry: await recordFailure(job, message, options), error }
  }
}

/** If the failure can't be recorded, the last attempt is repeated. */
async function recordFailure(job: Job, error: string, { failureHandlers, log }: PerformOptions): Promise<Retry> {
  const { id, name } = job
  try {
    const handler = failureHandlers[name] as ((payload: unknown) => Promise<void>) | undefined
    await handler?.(job.payload)
    return { id, countsAsAttempt: true, error }
  } catch (failure) {
    log?.warn({ job: name, jobId: id, err: failure }, 'the failure of a job could not be recorded yet; retrying')
    return { id, at: new Date(Date.now() + RECORD_FAILURE_AGAIN_MS), countsAsAttempt: false, error }
  }
}
