/** The queue when workers stop or exit and when the database is unavailable: no job is lost or run by two workers. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { releaseJobsOfExited } from '../../platform/queue/claimed-jobs.ts'
import { enqueue, enqueueMany } from '../../platform/queue/job-table.ts'
import { newLockNumber } from '../../platform/queue/process-lock.ts'
import { countRunningWorkers } from '../../platform/queue/running-workers.ts'
import { type DeliverEmail, email, eventually, gate, setUpQueueFixture } from './queue-fixture.ts'

const fixture = setUpQueueFixture()
let children: ChildProcess[] = []

afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children = []
})

describe('a worker', () => {
  test('records that it runs, so that other processes can report that none does', async () => {
    const lockNumber = newLockNumber()
    const running = () => countRunningWorkers(fixture.db, lockNumber)
    const worker = await fixture.work(async () => {}, { lockNumber, pace: { sweepMs: 10 } })
    await eventually(async () => (await running()) === 1, 'it is recorded')
    await worker.stop()
    expect(await countRunningWorkers(fixture.db, newLockNumber())).toBe(0)
  })

  test('is not recorded if it fails to start', async () => {
    const lockNumber = newLockNumber()
    await fixture.database.pool.query('alter table posthorn_queue.job_kinds rename to renamed_kinds')
    try {
      const timetable = [{ job: 'fold-tallies', every: '1 minute', atStart: true }] as const
      const start = fixture.work(async () => {}, { lockNumber, timetable, pace: { sweepMs: 0 } })
      await expect(start).rejects.toThrow('job_kinds')
    } finally {
      await fixture.database.pool.query('alter table posthorn_queue.renamed_kinds rename to job_kinds')
    }
    expect(await countRunningWorkers(fixture.db, lockNumber)).toBe(0)
  })
})

describe('stopping a worker', () => {
  test('waits for a running job', async () => {
    const { opened, open } = gate()
    let started = false
    let finished = false
    await enqueue(fixture.db, 'deliver-email', email('e'))
    const worker = await fixture.work(async () => {
      started = true
      await opened
      finished = true
    })
    await eventually(() => started, 'the job started')
    const stopped = worker.stop()
    expect(worker.isHealthy()).toBe(false)
    open()
    await stopped
    expect(finished).toBe(true)
    expect(await fixture.jobRows()).toEqual([])
  })

  test('releases unfinished jobs, which another worker runs immediately; those that had started count as an attempt', async () => {
    const { opened, open } = gate()
    const started = new Set<string>()
    await enqueueMany(fixture.db, 'deliver-email', ['a', 'b', 'c', 'd', 'e'].map(email))
    const slow: DeliverEmail = async ({ emailId }) => {
      started.add(emailId)
      await opened
    }
    const first = await fixture.work(slow, { concurrency: 2, pace: { handlersMs: 100 } })
    await eventually(() => started.size === 2, 'two jobs started')
    await first.stop()
    const rows = await fixture.jobRows()
    expect(rows).toHaveLength(5)
    expect(rows.every((row) => row.locked_by === null)).toBe(true)
    expect(rows.filter((row) => row.attempts === 1)).toHaveLength(2)

    const given = new Map<string, number>()
    await fixture.work(async ({ emailId }, job) => void given.set(emailId, job.attempt))
    await eventually(() => given.size === 5, 'the other worker ran all of them')
    expect([...given.values()].sort()).toEqual([1, 1, 1, 2, 2])
    open()
  })

  test('a job that is stopped in its last attempt is attempted once more', async () => {
    const { opened, open } = gate()
    let started = false
    await enqueue(fixture.db, 'deliver-email', email('e'))
    await fixture.database.pool.query('update posthorn_queue.jobs set attempts = max_attempts - 1')
    const worker = await fixture.work(
      async () => {
        started = true
        await opened
      },
      { pace: { handlersMs: 100 } },
    )
    await eventually(() => started, 'the job started')
    await worker.stop()
    open()
    const attempted: string[] = []
    await fixture.drain(async ({ emailId }) => void attempted.push(emailId))
    expect(attempted).toEqual(['e'])
  })
})

describe('when a worker exits unexpectedly', () => {
  /** A worker in a separate process that prints what it starts and never finishes it. */
  async function workElsewhere(): Promise<ChildProcess> {
    const code = `
      import pg from 'pg'
      import { startWorker } from './server/platform/queue/worker.ts'
      const pool = new pg.Pool({ connectionString: process.env.TEST_URL, max: 2 })
      const quiet = () => {}
      const forever = ({ emailId }) => { console.log('started ' + emailId); return new Promise(() => setInterval(quiet, 1000)) }
      await startWorker({
        pool, timetable: [], concurrency: 1,
        handlers: { 'deliver-email': forever, 'make-partitions': quiet, 'delete-expired': quiet },
        failureHandlers: {}, log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      })`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], {
      env: { ...process.env, TEST_URL: fixture.database.url },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    return child
  }

  const pace = { sweepMs: 100, missingForMs: 300 }

  test('its jobs are run by other workers', async () => {
    await enqueueMany(fixture.db, 'deliver-email', ['running', 'fetched'].map(email))
    const child = await workElsewhere()
    await once(child.stdout!, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    // A claimed job that hadn't started is lost in the same way.
    await fixture.database.pool.query(`update posthorn_queue.jobs set attempts = 1, locked_at = now(),
      locked_by = (select locked_by from posthorn_queue.jobs where locked_by is not null) where locked_by is null`)

    const given = new Map<string, number>()
    await fixture.work(async ({ emailId }, job) => void given.set(emailId, job.attempt), { pace: pace })
    await eventually(() => given.size === 2, 'the lost jobs ran')
    expect([...given.values()]).toEqual([2, 2])
  })

  test('the jobs of a slow worker that is still running are not taken over', async () => {
    const { opened, open } = gate()
    const given: string[] = []
    const slow: DeliverEmail = async ({ emailId }) => {
      given.push(emailId)
      if (emailId === 'slow') await opened
    }
    await enqueue(fixture.db, 'deliver-email', email('slow'))
    await fixture.work(slow, { pace: pace })
    await fixture.work(slow, { pace: pace })
    await eventually(() => given.includes('slow'), 'the slow job started')

    // If the slow worker were considered exited, that would happen before the job of a worker that exits now is
    // recovered.
    const runAt = new Date(Date.now() + 3_600_000)
    await enqueue(fixture.db, 'deliver-email', email('lost'), { runAt })
    await fixture.database.pool.query(
      `update posthorn_queue.jobs set locked_by = 1, locked_at = now(), run_at = now() where run_at = $1`,
      [runAt],
    )
    await eventually(() => given.includes('lost'), 'the lost job ran')
    expect(given).toEqual(['slow', 'lost'])
    open()
  })

  test('the jobs of a process that is known to have exited are released immediately', async () => {
    await enqueue(fixture.db, 'deliver-email', email('e'))
    await fixture.database.pool.query(`update posthorn_queue.jobs set locked_at = now(), locked_by = 1, attempts = 1`)
    expect(await releaseJobsOfExited(fixture.database.pool, [2])).toBe(0)
    expect(await releaseJobsOfExited(fixture.database.pool)).toBe(1)
    const attempts: number[] = []
    const deliver: DeliverEmail = async (_payload, job) => void attempts.push(job.attempt)
    await fixture.work(deliver, { pace: { sweepMs: 600_000 } })
    await eventually(() => attempts.length > 0, 'the job ran')
    expect(attempts).toEqual([2])
  })

  test('a job that was lost in its last attempt is recorded as failed, without another attempt', async () => {
    await enqueue(fixture.db, 'deliver-email', email('e'))
    await fixture.database.pool.query(
      'update posthorn_queue.jobs set locked_at = now(), locked_by = 1, attempts = max_attempts',
    )
    expect(await releaseJobsOfExited(fixture.database.pool)).toBe(1)
    const attempted: string[] = []
    const failed: string[] = []
    const deliver: DeliverEmail = async ({ emailId }) => void attempted.push(emailId)
    const failureHandlers = {
      'deliver-email': async ({ emailId }: { emailId: string }) => {
        failed.push(emailId)
        if (failed.length === 1) throw new Error('the database is unavailable')
      },
    }
    await fixture.drain(deliver, { failureHandlers })
    await fixture.database.pool.query('update posthorn_queue.jobs set run_at = now()')
    await fixture.drain(deliver, { failureHandlers })
    await fixture.drain(deliver, { failureHandlers })
    expect([attempted, failed]).toEqual([[], ['e', 'e']])
    expect(await fixture.jobRows()).toMatchObject([{ locked_by: null, last_error: expect.stringContaining('exited') }])
  })

  test('a job whose claim was lost is released without counting an attempt', async () => {
    const attempts: number[] = []
    const deliver: DeliverEmail = async (_payload, job) => void attempts.push(job.attempt)
    await fixture.work(deliver, { lockNumber: 77, pace: { sweepMs: 50 } })
    await enqueue(fixture.db, 'deliver-email', email('e'), { runAt: new Date(Date.now() + 3_600_000) })
    await fixture.database.pool.query('update posthorn_queue.jobs set attempts = 1, locked_by = 77, run_at = now()')
    await eventually(() => attempts.length > 0, 'the job ran')
    expect(attempts).toEqual([1])
  })

  test('a job that was replaced while its process exited does not run again', async () => {
    await enqueue(fixture.db, 'deliver-email', email('old'), { jobKey: 'k' })
    await fixture.database.pool.query('update posthorn_queue.jobs set attempts = 1, locked_by = 1')
    await enqueue(fixture.db, 'deliver-email', email('new'), { jobKey: 'k' })
    const given: string[] = []
    await fixture.work(async ({ emailId }) => void given.push(emailId), { pace: pace })
    await eventually(async () => (await fixture.jobRows()).length === 0, 'nothing is left')
    expect(given).toEqual(['new'])
  })
})

describe('when the database is unavailable', () => {
  async function cutAllConnections(): Promise<void> {
    const admin = new pg.Client({ connectionString: fixture.database.url })
    await admin.connect()
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name like 'posthorn %'`,
    )
    await admin.end()
  }

  test('the worker reconnects automatically each time, and neither loses nor repeats a job', async () => {
    const given: string[] = []
    const worker = await fixture.work(async ({ emailId }) => void given.push(emailId))
    for (let round = 1; round <= 3; round++) {
      const ids = Array.from({ length: 40 }, (_, i) => `round ${round}, email ${i}`)
      await enqueueMany(fixture.db, 'deliver-email', ids.map(email))
      await cutAllConnections()
      await eventually(() => ids.every((id) => given.includes(id)), `round ${round}`)
      await eventually(() => worker.isHealthy(), 'it is healthy again')
    }
    await eventually(async () => (await fixture.jobRows()).length === 0, 'nothing is left behind')
    expect(given).toHaveLength(new Set(given).size)
  })

  test('a job that runs during the outage is completed and not run twice', async () => {
    const { opened, open } = gate()
    let runs = 0
    await enqueue(fixture.db, 'deliver-email', email('e'))
    const worker = await fixture.work(
      async () => {
        runs++
        await opened
      },
      { pace: { sweepMs: 50, missingForMs: 2_000 } },
    )
    await eventually(() => runs === 1, 'the job started')
    await cutAllConnections()
    await eventually(
      () => fixture.logged().some((line) => line.includes('the queue reconnected to the database')),
      'reconnected',
    )
    await eventually(() => worker.isHealthy(), 'it is healthy again')
    open()
    await eventually(async () => (await fixture.jobRows()).length === 0, 'the job is completed')
    expect(runs).toBe(1)
  })
})
