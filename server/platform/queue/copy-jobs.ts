/** Jobs that wait, as plain values: what a backup keeps of the queue. Those of the timetable come by themselves. */
import type { ClientBase } from 'pg'

export interface CopiedJob {
  name: string
  payload: unknown
  runAt: string
  priority: number
  maxAttempts: number
  key: string | null
}

const AT_ONCE = 1_000

export async function* readJobs(client: ClientBase): AsyncGenerator<CopiedJob> {
  await client.query(`
    declare copied_jobs no scroll cursor for
    select t.identifier as name, j.payload, j.run_at::text as "runAt", j.priority, j.max_attempts as "maxAttempts", j.key
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where coalesce(j.key, '') not like 'timetable:%'`)
  for (;;) {
    const { rows } = await client.query<CopiedJob>(`fetch ${AT_ONCE} from copied_jobs`)
    if (rows.length === 0) break
    yield* rows
  }
  await client.query('close copied_jobs')
}

export async function writeJobs(client: ClientBase, jobs: CopiedJob[]): Promise<void> {
  await client.query(
    `insert into graphile_worker._private_jobs (task_id, payload, run_at, max_attempts, priority, key)
     select posthorn_queue.task_id(job.name), job.payload, job."runAt"::timestamptz, job."maxAttempts", job.priority, job.key
     from json_to_recordset($1::json)
       as job(name text, payload json, "runAt" text, "maxAttempts" smallint, priority smallint, key text)`,
    [JSON.stringify(jobs)],
  )
}
