/**
 * What happens again and again: each entry once per period, however many processes there are. A period missed
 * while nobody was there isn't made up for; `atStart` runs the job when a worker starts, for those that shouldn't wait.
 */
import { type ParsedCronItem, parseCronItems } from 'graphile-worker'
import type pg from 'pg'
import { JOB_DEFAULTS, type JobCatalogue, type JobName } from './catalogue.ts'

/** Times are UTC. Longer periods avoid the full hour, when everyone's machines are busy. */
const PATTERNS = {
  '1 minute': '* * * * *',
  '5 minutes': '*/5 * * * *',
  '15 minutes': '*/15 * * * *',
  '1 hour': '7 * * * *',
  '6 hours': '17 */6 * * *',
  '1 day': '23 3 * * *',
} as const

export type Period = keyof typeof PATTERNS

/** Only jobs that need no payload can be in the timetable. */
type PeriodicJob = { [N in JobName]: JobCatalogue[N] extends Record<string, never> ? N : never }[JobName]

export type Timetable = ReadonlyArray<{ job: PeriodicJob; every: Period; atStart?: boolean }>

/** One key for all occurrences: if the last one is still waiting, the next one takes its place. */
const keyOf = (job: PeriodicJob) => `timetable:${job}`

export function toCronItems(timetable: Timetable): ParsedCronItem[] {
  return parseCronItems(
    timetable.map(({ job, every }) => ({
      task: job,
      match: PATTERNS[every],
      identifier: keyOf(job),
      options: { ...JOB_DEFAULTS[job], jobKey: keyOf(job), backfillPeriod: 0 },
    })),
  )
}

export async function enqueueAtStart(pool: pg.Pool, timetable: Timetable): Promise<void> {
  for (const { job, atStart } of timetable) {
    if (!atStart) continue
    const { maxAttempts, priority } = JOB_DEFAULTS[job]
    await pool.query(`select posthorn_queue.add_job($1, '{}', null, $2, $3, $4)`, [
      job,
      maxAttempts,
      priority,
      keyOf(job),
    ])
  }
}
