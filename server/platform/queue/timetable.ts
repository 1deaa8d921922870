/**
 * Periodic jobs: each entry once per period, however many processes there are. A period that passed while no worker was
 * running isn't repeated; `atStart` also runs the job when a worker starts.
 */
import type pg from 'pg'
import type { JobCatalogue, JobName } from './catalogue.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** In UTC. Longer periods avoid the full hour, when many systems are busy. */
const PERIODS = {
  '1 minute': { every: MINUTE, offset: 0 },
  '5 minutes': { every: 5 * MINUTE, offset: 0 },
  '15 minutes': { every: 15 * MINUTE, offset: 0 },
  '1 hour': { every: HOUR, offset: 7 * MINUTE },
  '6 hours': { every: 6 * HOUR, offset: 17 * MINUTE },
  '1 day': { every: 24 * HOUR, offset: 3 * HOUR + 23 * MINUTE },
} as const

export type Period = keyof typeof PERIODS

/** Only jobs that need no payload can be in the timetable. */
type PeriodicJob = { [N in JobName]: JobCatalogue[N] extends Record<string, never> ? N : never }[JobName]

export type Timetable = ReadonlyArray<{ job: PeriodicJob; every: Period; atStart?: boolean }>

/** All occurrences share a key: if the last one is still waiting, the next one replaces it. */
export const TIMETABLE_KEYS = 'timetable:'

/** The last time an entry was due. */
export function lastOccurrence(period: Period, now: Date): Date {
  const { every, offset } = PERIODS[period]
  return new Date(Math.floor((now.getTime() - offset) / every) * every + offset)
}

export const untilNextMinute = (now: Date): number => MINUTE - (now.getTime() % MINUTE)

/**
 * Enqueues the entries that became due after `since`, unless another process has. An occurrence more than one period
 * ahead was written before the clock was set back, or by a process with a wrong clock.
 */
export async function enqueueDue(pool: pg.Pool, timetable: Timetable, since: Date, now: Date): Promise<void> {
  for (const { job, every } of timetable) {
    const at = lastOccurrence(every, now)
    if (at <= since) continue
    await pool.query(
      `with due as (
         update posthorn_queue.job_kinds set planned_at = $2
         where name = $1 and (planned_at is null or planned_at < $2 or planned_at > $2 + $4 * interval '1 millisecond') returning name
       )
       select posthorn_queue.add_job(name, '{}', $2, $3) from due`,
      [job, at, TIMETABLE_KEYS + job, PERIODS[every].every],
    )
  }
}

export async function enqueueAtStart(pool: pg.Pool, timetable: Timetable): Promise<void> {
  for (const { job, atStart } of timetable) {
    if (atStart) await pool.query(`select posthorn_queue.add_job($1, '{}', null, $2)`, [job, TIMETABLE_KEYS + job])
  }
}
