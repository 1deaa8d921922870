/** The queue on a real PostgreSQL: a job is added with its transaction and runs once, and urgent jobs run first. */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type JobName, type JobOutcome, PRIORITY } from '../../platform/queue/catalogue.ts'
import { addJobSql, enqueue, enqueueMany, queueDepth } from '../../platform/queue/job-table.ts'
import { enqueueDue, lastOccurrence, type Period } from '../../platform/queue/timetable.ts'
import { TryAgainAt } from '../../platform/queue/try-again.ts'
import {
  type DeliverEmail,
  email,
  eventually,
  gate,
  handlersWith,
  nothing,
  setUpQueueFixture,
} from './queue-fixture.ts'

const fixture = setUpQueueFixture()

describe('adding jobs', () => {
  test('a job exists only if its transaction commits', async () => {
    const given: string[] = []
    const undone = fixture.db.transaction().execute(async (tx) => {
      await enqueue(tx, 'deliver-email', email('undone'))
      throw new Error('changed my mind')
    })
    await expect(undone).rejects.toThrow('changed my mind')
    await fixture.db.transaction().execute((tx) => enqueue(tx, 'deliver-email', email('kept')))

    await fixture.drain(async ({ emailId }) => void given.push(emailId))
    expect(given).toEqual(['kept'])
    expect(await fixture.jobRows()).toEqual([])
  })

  test('a thousand jobs are added by one statement', async () => {
    await enqueueMany(fixture.db, 'deliver-email', [])
    expect(await fixture.jobRows()).toEqual([])

    const ids = Array.from({ length: 1000 }, (_, i) => `email ${i}`)
    const runAt = new Date(Date.now() + 3_600_000)
    await enqueueMany(fixture.db, 'deliver-email', ids.map(email), { runAt, priority: PRIORITY.campaign })
    const rows = await fixture.jobRows()
    expect(rows.map((row) => row.payload.emailId)).toEqual(ids)
    expect(rows.every((row) => row.priority === PRIORITY.campaign && +row.run_at === +runAt)).toBe(true)
  })

  test('a larger statement adds a job for each of its rows', async () => {
    const { rows } = await sql<{ id: number }>`
      with email as (select 'e' || n as id, n from generate_series(1, 3) as n)
      select ${addJobSql('deliver-email', sql`json_build_object('projectId', ${'p1'}::text, 'emailId', email.id)`, {
        priority: sql`email.n * 10`,
        jobKey: sql`'key of ' || email.id`,
      })} as id from email`.execute(fixture.db)
    const added = await fixture.jobRows()
    expect(rows).toHaveLength(3)
    expect(added.map((row) => [row.payload.emailId, row.priority, row.key])).toEqual([
      ['e1', 10, 'key of e1'],
      ['e2', 20, 'key of e2'],
      ['e3', 30, 'key of e3'],
    ])
  })

  test('a waiting job is replaced by a newer one with the same key', async () => {
    const runAt = new Date(Date.now() + 60_000)
    await enqueue(fixture.db, 'deliver-email', email('old'), { jobKey: 'k' })
    await enqueue(fixture.db, 'deliver-email', email('new'), { jobKey: 'k', runAt })
    const rows = await fixture.jobRows()
    expect(rows.map((row) => [row.payload.emailId, +row.run_at])).toEqual([['new', +runAt]])
  })

  test('a running job finishes, and a newer one with the same key runs as well', async () => {
    const given: string[] = []
    await enqueue(fixture.db, 'deliver-email', email('old'), { jobKey: 'k' })
    await fixture.drain(async ({ emailId }) => {
      given.push(emailId)
      if (emailId === 'old') await enqueue(fixture.db, 'deliver-email', email('new'), { jobKey: 'k' })
    })
    expect(given).toEqual(['old', 'new'])
  })

  test('a name that is not in the catalogue is refused', async () => {
    // @ts-expect-error there is no such job
    await expect(enqueueMany(fixture.db, 'walk-the-dog', [{}])).rejects.toThrow()
    await expect(sql`select posthorn_queue.add_job('walk-the-dog', '{}')`.execute(fixture.db)).rejects.toThrow(
      'there is no job named walk-the-dog',
    )
  })
})

describe('running jobs', () => {
  test('a job starts when it is added and not at the next poll', async () => {
    let seen = ''
    await fixture.work(async ({ emailId }) => {
      seen = emailId
    })
    const delays: number[] = []
    for (let i = 0; i < 12; i++) {
      const addedAt = performance.now()
      await enqueue(fixture.db, 'deliver-email', email(`e${i}`))
      await eventually(() => seen === `e${i}`, `job ${i}`)
      delays.push(performance.now() - addedAt)
    }
    // Each is added when the one before has started. Polls are a second apart, so nearly all would have to wait for a second.
    expect(delays.sort((a, b) => a - b)[2]).toBeLessThan(500)
  })

  test('jobs added by many transactions at once all start promptly', async () => {
    const given = new Set<string>()
    await fixture.work(async ({ emailId }) => void given.add(emailId))
    const ids = Array.from({ length: 60 }, (_, i) => `e${i}`)
    await Promise.all(ids.map((id) => enqueue(fixture.db, 'deliver-email', email(id))))
    await eventually(() => given.size === ids.length, 'all sixty ran')
  })

  test('an urgent job runs before a backlog of others', async () => {
    const order: string[] = []
    let added: Promise<unknown> | undefined
    const backlog = Array.from({ length: 60 }, (_, i) => `c${i}`)
    await enqueueMany(fixture.db, 'deliver-email', backlog.map(email), { priority: PRIORITY.campaign })
    const deliver: DeliverEmail = async ({ emailId }) => {
      order.push(emailId)
      if (order.length === 5) added = enqueue(fixture.db, 'deliver-email', email('urgent'))
      await added // both handlers wait, so that no other job starts before it is added, however slow the machine is
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await fixture.work(deliver, { concurrency: 2 })
    await eventually(() => order.length === 61, 'everything ran')
    // Two jobs may be running and two claimed when it is added, and one more claim may be in progress.
    expect(order.indexOf('urgent')).toBeLessThan(15)
  })

  test('an urgent job waits only until one of the slow jobs has finished', async () => {
    const order: string[] = []
    const slow = Array.from({ length: 60 }, (_, i) => `slow ${i}`)
    await enqueueMany(fixture.db, 'deliver-email', slow.map(email), { priority: PRIORITY.campaign })
    // PostgreSQL has statistics of a small table, so it returns a batch in table order and not by urgency.
    await fixture.database.pool.query('analyze posthorn_queue.jobs')
    const deliver: DeliverEmail = async ({ emailId }) => {
      order.push(emailId)
      const nth = order.length
      if (nth === 10) await enqueue(fixture.db, 'deliver-email', email('urgent'))
      // One slot becomes free every 300 ms. Claimed jobs don't wait that long: all but one are released.
      await new Promise((resolve) => setTimeout(resolve, Math.min(nth, 10) * 300))
    }
    await fixture.work(deliver, { concurrency: 10, pace: { handlersMs: 0 } })
    await eventually(() => order.includes('urgent'), 'the urgent job ran')
    expect(order.indexOf('urgent')).toBeLessThan(14)
  })

  test.each([2, 4])('leave one of %i slots to urgent jobs', async (concurrency) => {
    const { opened, open } = gate()
    const started: string[] = []
    const slow = Array.from({ length: concurrency }, (_, i) => `slow ${i}`)
    await enqueueMany(fixture.db, 'deliver-email', slow.map(email), { priority: PRIORITY.campaign })
    const deliver: DeliverEmail = async ({ emailId }) => {
      started.push(emailId)
      if (emailId !== 'urgent') await opened
    }
    await fixture.work(deliver, { concurrency })
    await eventually(() => started.length > 0, 'a slow job runs')
    await enqueue(fixture.db, 'deliver-email', email('urgent'))
    await eventually(() => started.includes('urgent'), 'the urgent job runs beside the slow ones')
    open()
    await eventually(() => started.length === concurrency + 1, 'the others run too')
  })

  test('jobs that were claimed ahead are released if the ones before them are slow', async () => {
    const { opened, open } = gate()
    const ids = Array.from({ length: 1000 }, (_, i) => String(i))
    await enqueueMany(fixture.db, 'deliver-email', ids.map(email))
    await fixture.work(async ({ emailId }) => void (Number(emailId) >= 700 && (await opened)), {
      pace: { handlersMs: 0 },
    })
    const others = await eventually(async () => {
      const rows = await fixture.jobRows()
      const free = rows.filter((row) => row.locked_by === null)
      return rows.length === 300 && free.length === 296 ? free : undefined
    }, '700 jobs are done, and only the four that run are locked')
    expect(others.every((row) => row.attempts === 0)).toBe(true)
    open()
  })

  test('a failed job is retried later, and fails permanently after its last attempt', async () => {
    const outcomes: Array<[JobName, JobOutcome]> = []
    const attempts: number[] = []
    await enqueue(fixture.db, 'deliver-email', email('private@example.com'))
    await fixture.database.pool.query('update posthorn_queue.jobs set max_attempts = 2')
    await fixture.work(
      async (_payload, job) => {
        attempts.push(job.attempt)
        throw new Error('no route')
      },
      { onOutcome: (job, outcome) => outcomes.push([job, outcome]) },
    )
    const waiting = await eventually(
      async () => (await fixture.jobRows()).find((row) => row.last_error),
      'the failure is recorded',
    )
    expect(waiting).toMatchObject({ attempts: 1, last_error: 'no route', locked_by: null })
    expect(+waiting.run_at).toBeGreaterThan(Date.now())

    await fixture.database.pool.query('update posthorn_queue.jobs set run_at = now()')
    await eventually(async () => (await queueDepth(fixture.db)).failed === 1, 'it failed permanently')
    expect(attempts).toEqual([1, 2])
    expect(outcomes).toEqual([
      ['deliver-email', 'failed'],
      ['deliver-email', 'gave-up'],
    ])
    expect(fixture.logged().some((line) => line.includes('a job failed permanently'))).toBe(true)
    expect(fixture.logged().filter((line) => line.includes('private@example.com'))).toEqual([])
  })
})

describe('a job that its handler reschedules', () => {
  const later = new Date('2031-01-01T12:00:00Z')

  test('runs at exactly that time, and the attempt counts', async () => {
    await enqueue(fixture.db, 'deliver-email', email('e'), { jobKey: 'k' })
    await fixture.drain(async () => {
      throw new TryAgainAt(later, { reason: 'greylisted' })
    })
    const rows = await fixture.jobRows()
    expect(rows).toMatchObject([{ attempts: 1, run_at: later, key: 'k', last_error: 'greylisted', locked_by: null }])
    expect(rows[0]!.payload).toEqual(email('e'))
  })

  test('does not count the attempt if the handler requests it', async () => {
    const attempts: number[] = []
    await enqueue(fixture.db, 'deliver-email', email('e'))
    const throttled: DeliverEmail = async (_payload, job) => {
      attempts.push(job.attempt)
      throw new TryAgainAt(new Date(+later + attempts.length), { countsAsAttempt: false })
    }
    await fixture.drain(throttled)
    await fixture.drain(throttled, { until: new Date(+later + 1) })
    expect(attempts).toEqual([1, 1])
    expect(await fixture.jobRows()).toMatchObject([{ attempts: 0, run_at: new Date(+later + 2) }])
  })

  test('is reported if it is rescheduled repeatedly before the end of a drain', async () => {
    await enqueue(fixture.db, 'deliver-email', email('e'))
    const alwaysRetry: DeliverEmail = async () => {
      throw new TryAgainAt(later, { countsAsAttempt: false })
    }
    await expect(fixture.drain(alwaysRetry, { until: later })).rejects.toThrow('does not run dry')
  })

  test('fails permanently after its last attempt', async () => {
    await enqueue(fixture.db, 'deliver-email', email('e'))
    await fixture.database.pool.query('update posthorn_queue.jobs set max_attempts = 1')
    await fixture.drain(async () => {
      throw new TryAgainAt(later)
    })
    expect(await queueDepth(fixture.db)).toMatchObject({ scheduled: 0, failed: 1 })
  })

  test('does not run again if it was replaced while it ran', async () => {
    await enqueue(fixture.db, 'deliver-email', email('old'), { jobKey: 'k' })
    await fixture.drain(async ({ emailId }) => {
      if (emailId === 'new') return
      await enqueue(fixture.db, 'deliver-email', email('new'), { jobKey: 'k' })
      throw new TryAgainAt(later, { countsAsAttempt: false })
    })
    expect(await fixture.jobRows()).toEqual([])
  })
})

describe('draining the queue', () => {
  test('runs jobs that other jobs add, and later jobs only up to the given time', async () => {
    const given: string[] = []
    const tomorrow = new Date(Date.now() + 86_400_000)
    await enqueue(fixture.db, 'deliver-email', email('first'))
    await enqueue(fixture.db, 'deliver-email', email('tomorrow'), { runAt: tomorrow })
    const deliver: DeliverEmail = async ({ emailId }) => {
      given.push(emailId)
      if (emailId === 'first') await enqueue(fixture.db, 'deliver-email', email('second'))
    }
    await fixture.drain(deliver)
    expect(given).toEqual(['first', 'second'])
    await fixture.drain(deliver, { until: new Date(+tomorrow - 1) })
    expect(given).toEqual(['first', 'second'])
    await fixture.drain(deliver, { until: tomorrow })
    expect(given).toEqual(['first', 'second', 'tomorrow'])
  })

  test('runs a failing job once per call, and rethrows its error on request', async () => {
    let runs = 0
    const failing: DeliverEmail = async () => {
      runs++
      throw new Error('no such host')
    }
    await enqueue(fixture.db, 'deliver-email', email('e'))
    const nextYear = new Date(Date.now() + 365 * 86_400_000)
    await expect(fixture.drain(failing, { throwErrors: true, until: nextYear })).rejects.toThrow('no such host')
    expect(runs).toBe(1)
    await fixture.drain(failing, { until: nextYear })
    expect(runs).toBe(2)
  })
})

describe('the timetable', () => {
  test('has each entry due once per period', () => {
    const midnight = Date.UTC(2026, 0, 1)
    const minutes = Array.from({ length: 24 * 60 }, (_, minute) => new Date(midnight + minute * 60_000))
    const timesADay = (every: Period) => minutes.filter((at) => +lastOccurrence(every, at) === +at).length
    expect(timesADay('1 minute')).toBe(1440)
    expect(timesADay('5 minutes')).toBe(288)
    expect(timesADay('15 minutes')).toBe(96)
    expect(timesADay('1 hour')).toBe(24)
    expect(timesADay('6 hours')).toBe(4)
    expect(timesADay('1 day')).toBe(1)
  })

  test('enqueues a due entry once across all processes, and not before', async () => {
    const timetable = [
      { job: 'delete-expired', every: '1 hour' },
      { job: 'make-partitions', every: '1 day' },
    ] as const
    const start = new Date('2031-05-01T10:06:00Z')
    const seven = new Date('2031-05-01T10:07:00Z')
    const pool = fixture.database.pool
    const tick = (now: Date) => Promise.all(Array.from({ length: 8 }, () => enqueueDue(pool, timetable, start, now)))
    const due = async () => (await fixture.jobRows()).map((row) => [row.name, row.run_at, row.key])

    await tick(new Date(+seven - 1))
    expect(await due()).toEqual([])
    await tick(new Date(+seven + 2))
    expect(await due()).toEqual([['delete-expired', seven, 'timetable:delete-expired']])
    await fixture.drain(nothing, { until: seven })
    await tick(new Date(+seven + 59_000))
    expect(await due()).toEqual([])
    await tick(new Date('2031-05-02T03:23:00Z'))
    expect((await due()).map(([name]) => name).sort()).toEqual(['delete-expired', 'make-partitions'])
    const before = new Date('2028-01-01T00:07:00Z') // the clock was wrong and has been corrected
    await enqueueDue(pool, timetable, new Date(+before - 1), before)
    expect(await due()).toContainEqual(['delete-expired', before, 'timetable:delete-expired'])
  })

  test('runs an entry marked `atStart` when the worker starts', async () => {
    const ran: string[] = []
    await fixture.work(nothing, {
      handlers: handlersWith(nothing, {
        'make-partitions': async () => void ran.push('make-partitions'),
        'delete-expired': async () => void ran.push('delete-expired'),
      }),
      timetable: [
        { job: 'make-partitions', every: '1 day', atStart: true },
        { job: 'delete-expired', every: '1 day' },
      ],
    })
    await eventually(() => ran.length > 0, 'it ran')
    await eventually(async () => (await fixture.jobRows()).length === 0, 'nothing waits')
    expect(ran).toEqual(['make-partitions'])
  })
})

test('the depth of the queue distinguishes ready, scheduled and failed jobs', async () => {
  expect(await queueDepth(fixture.db)).toEqual({ ready: 0, scheduled: 0, failed: 0, oldestReadySeconds: 0 })
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000)
  await enqueueMany(fixture.db, 'deliver-email', [email('a'), email('b')], { runAt: at(-100) })
  await enqueueMany(fixture.db, 'deliver-email', [email('c')], { runAt: at(-5), priority: PRIORITY.campaign })
  await enqueueMany(fixture.db, 'deliver-email', [email('d'), email('e')], {
    runAt: at(3600),
    priority: PRIORITY.campaign,
  })
  await enqueue(fixture.db, 'deliver-email', email('f'))
  await fixture.database.pool.query(
    `update posthorn_queue.jobs set attempts = max_attempts where payload->>'emailId' = 'f'`,
  )
  const { oldestReadySeconds, ...counts } = await queueDepth(fixture.db)
  expect(counts).toEqual({ ready: 3, scheduled: 2, failed: 1 })
  expect(oldestReadySeconds).toBeGreaterThanOrEqual(99)
  expect(oldestReadySeconds).toBeLessThan(130)
})
