/**
 * Claims jobs for this process: the most urgent first, and those of a priority in the order in which they are due. If one
 * project has a great many, `claimInTurn` finds those of the others.
 */
import type { Connection, Job } from './claimed-jobs.ts'
import { IS_WAITING, LEVELS } from './job-table.ts'

export interface Claim {
  lockNumber: number
  names: string[]
  most: number
  /** Only jobs of this priority and of more urgent ones. */
  upTo?: number
  /** Jobs up to this time are due; now if absent. */
  until?: Date | undefined
  /** Ids of jobs to skip. */
  except?: string[]
}

const LOCK = `
  update posthorn_queue.jobs as job set locked_by = $1, locked_at = now(), attempts = attempts + 1
  from due where job.id = due.id
  returning job.id::text, name, payload, priority, run_at as "runAt", attempts, max_attempts as "maxAttempts"`

/**
 * The most urgent first. Each priority is read separately in the order of its index, so a million jobs that are due
 * later, or less urgent, cost nothing.
 */
const CLAIM = `/* claim-jobs */
  with recursive ${LEVELS}, due as materialized (
    select job.id from level, lateral (
      select id from posthorn_queue.jobs
      where ${IS_WAITING} and priority = level.priority and priority <= $6::smallint and run_at <= greatest($4::timestamptz, now())
        and name = any($3) and id <> all($5)
      order by run_at, id limit $2 for update skip locked
    ) as job limit $2
  )
  ${LOCK}`

const ALL_PRIORITIES = 2 ** 15 - 1

export async function claimJobs(connection: Connection, claim: Claim): Promise<Job[]> {
  const { lockNumber, names, most, upTo = ALL_PRIORITIES, until, except = [] } = claim
  const { rows } = await connection.query<Job>(CLAIM, [lockNumber, most, names, until ?? null, except, upTo])
  return inOrder(rows)
}

/** The most urgent are chosen, but an update returns them in no order. */
const inOrder = (jobs: Job[]): Job[] =>
  jobs.sort((a, b) => a.priority - b.priority || +a.runAt - +b.runAt || Number(a.id) - Number(b.id))

/** In place of a project's id; the same as in `posthorn_queue.find_in_turn`. */
const NO_PROJECT = '-'

/** Whose turn a job needs. */
export const ownerOf = ({ payload }: Pick<Job, 'payload'>): string =>
  (payload as { projectId?: string } | null)?.projectId ?? NO_PROJECT

export interface TurnClaim extends Pick<Claim, 'lockNumber' | 'names' | 'most'> {
  upTo: number
  /** Owners that have enough jobs already. */
  busy: string[]
  /** The maximum for each owner. */
  each: number
  /** The owner that had the last turn. */
  after: string
}

const CLAIM_IN_TURN = `/* claim-jobs-in-turn */
  with due as materialized (
    select id from posthorn_queue.find_in_turn($3::text[], $4::smallint, $5::text[], $6::text, $7::int, $2::int) as found(id)
  )
  ${LOCK}`

/** Owners have turns, from the one after `after` on. */
export async function claimInTurn(connection: Connection, claim: TurnClaim): Promise<Job[]> {
  const { lockNumber, names, most, upTo, busy, each, after } = claim
  const { rows } = await connection.query<Job>(CLAIM_IN_TURN, [lockNumber, most, names, upTo, busy, after, each])
  return inOrder(rows)
}

/** The last one of the owners that had a turn: owners have turns in the order of their ids, from the one after `after` on. */
export function lastInTurn(owners: string[], after: string): string {
  const [later, earlier] = [owners.filter((owner) => owner > after), owners.filter((owner) => owner <= after)]
  return (earlier.length > 0 ? earlier : later).sort().at(-1) ?? after
}
