/** Turns our handlers into the library's tasks: measures them, logs what failed, and honours `TryAgainAt`. */
import type { JobHelpers, Task, TaskList } from 'graphile-worker'
import {
  JOB_NAMES,
  type JobCatalogue,
  type JobHandlers,
  type JobName,
  type JobOutcome,
  type QueueLog,
} from './catalogue.ts'
import { postponeJob, TryAgainAt } from './try-again.ts'

export interface TaskSet {
  tasks: TaskList
  /** Resolves when no handler is running. The library may call itself finished earlier than that. */
  idle(): Promise<void>
}

export interface PerformOptions {
  handlers: JobHandlers
  log: QueueLog | undefined
  onOutcome?: (job: JobName, outcome: JobOutcome, seconds: number) => void
  onError?: (error: unknown, jobId: string) => void
}

export function perform(options: PerformOptions): TaskSet {
  const running = new Set<Promise<void>>()
  const tasks: TaskList = {}
  for (const name of JOB_NAMES) {
    const task = toTask(name, options)
    tasks[name] = async (payload, helpers) => {
      const run = Promise.resolve(task(payload, helpers)) as Promise<void>
      running.add(run)
      try {
        await run
      } finally {
        running.delete(run)
      }
    }
  }
  const idle = async () => {
    while (running.size > 0) await Promise.allSettled(running)
  }
  return { tasks, idle }
}

function toTask<N extends JobName>(name: N, { handlers, log, onOutcome, onError }: PerformOptions): Task {
  return async (payload, helpers) => {
    const { job } = helpers
    const startedAt = performance.now()
    const report = (outcome: JobOutcome) => onOutcome?.(name, outcome, (performance.now() - startedAt) / 1000)
    try {
      await handlers[name](payload as JobCatalogue[N], {
        attempt: job.attempts,
        maxAttempts: job.max_attempts,
        priority: job.priority,
        at: job.run_at,
      })
      report('done')
    } catch (error) {
      if (error instanceof TryAgainAt && (await postpone(helpers, error))) return report('postponed')
      const last = job.attempts >= job.max_attempts
      const facts = { job: name, jobId: job.id, attempt: job.attempts, maxAttempts: job.max_attempts, err: error }
      if (last) log?.error(facts, 'a job failed for good')
      else log?.warn(facts, 'a job failed and will be tried again')
      report(last ? 'gave-up' : 'failed')
      onError?.(error, job.id)
      throw error
    }
  }
}

async function postpone({ job, withPgClient }: JobHelpers, wish: TryAgainAt): Promise<boolean> {
  if (wish.countsAsAttempt && job.attempts >= job.max_attempts) return false
  try {
    return await withPgClient((client) => postponeJob(client, job, wish))
  } catch {
    return false // the database is away: the usual back-off is the next best thing
  }
}
