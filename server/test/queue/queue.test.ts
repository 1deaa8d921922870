/** The queue against a real PostgreSQL: what goes in with its transaction comes out once, and what is urgent first. */
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

  test('a waiting job gives way to a newer one with its key', async () => {
    const runAt = new Date(Date.now() + 60_000)
    await enqueue(fixture.db, 'deliver-email', email('old'), { jobKey: 'k' })
    await enqueue(fixture.db, 'deliver-email', email('new'), { jobKey: 'k', runAt })
    const rows = await fixture.jobRows()
    expect(rows.map((row) => [row.payload.emailId, +row.run_at])).toEqual([['new', +runAt]])
  })

  test('a running job finishes and the newer one with its key runs as well', async () => {
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
    const startedAt = Date.now()
    for (let i = 0; i < 12; i++) {
      await enqueue(fixture.db, 'deliver-email', email(`e${i}`))
      await eventually(() => seen === `e${i}`, `job ${i}`)
    }
    // Polls are a second apart: twelve of them would have taken six seconds on average.
    expect(Date.now() - startedAt).toBeLessThan(3_000)
  })

  test('jobs added by many transactions at once all start promptly', async () => {
    const given = new Set<string>()
    await fixture.work(async ({ emailId }) => void given.add(emailId))
    const ids = Array.from({ length: 60 }, (_, i) => `e${i}`)
    await Promise.all(ids.map((id) => enqueue(fixture.db, 'deliver-email', email(id))))
    await eventually(() => given.size === ids.length, 'all sixty ran')
  })

  test('an urgent job overtakes a backlog of others', async () => {
    const order: string[] = []
    let added: Promise<unknown> | undefined
    const backlog = Array.from({ length: 60 }, (_, i) => `c${i}`)
    await enqueueMany(fixture.db, 'deliver-email', backlog.map(email), { priority: PRIORITY.campaign })
    const deliver: DeliverEmail = async ({ emailId }) => {
      order.push(emailId)
      if (order.length === 5) added = enqueue(fixture.db, 'deliver-email', email('urgent'))
      await added // by both hands: however slow the machine is, nobody works on before it is there
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await fixture.work(deliver, { concurrency: 2 })
    await eventually(() => order.length === 61, 'everything ran')
    // Two may be running and two lie fetched when it comes; one more fetch may be under way.
    expect(order.indexOf('urgent')).toBeLessThan(15)
  })

  test('an urgent job beside slow ones waits for a free hand only', async () => {
    const order: string[] = []
    const slow = Array.from({ length: 60 }, (_, i) => `slow ${i}`)
    await enqueueMany(fixture.db, 'deliver-email', slow.map(email), { priority: PRIORITY.campaign })
    // Knowing the table to be small, PostgreSQL returns a batch in the order of the table and not of urgency.
    await fixture.database.pool.query('analyze posthorn_queue.jobs')
    const deliver: DeliverEmail = async ({ emailId }) => {
      order.push(emailId)
      const nth = order.length
      if (nth === 10) await enqueue(fixture.db, 'deliver-email', email('urgent'))
      // One hand becomes free every 300 ms. That is longer than fetched jobs may lie waiting: all but one go back.
      await new Promise((resolve) => setTimeout(resolve, Math.min(nth, 10) * 300))
    }
    await fixture.work(deliver, { concurrency: 10, pace: { handlersMs: 0 } })
    await eventually(() => order.includes('urgent'), 'the urgent job ran')
    expect(order.indexOf('urgent')).toBeLessThan(14)
  })

  test('jobs that were claimed ahead are given back when the ones before them turn out slow', async () => {
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

  test('a failed job is tried again later, and given up after its last attempt', async () => {
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
      'the failure is written down',
    )
    expect(waiting).toMatchObject({ attempts: 1, last_error: 'no route', locked_by: null })
    expect(+waiting.run_at).toBeGreaterThan(Date.now())

    await fixture.database.pool.query('update posthorn_queue.jobs set run_at = now()')
    await eventually(async () => (await queueDepth(fixture.db)).failed === 1, 'it is given up')
    expect(attempts).toEqual([1, 2])
    expect(outcomes).toEqual([
      ['deliver-email', 'failed'],
      ['deliver-email', 'gave-up'],
    ])
    expect(fixture.logged().some((line) => line.includes('a job failed permanently'))).toBe(true)
    expect(fixture.logged().filter((line) => line.includes('private@example.com'))).toEqual([])
  })
})

describe('trying again at a time of the handler’s choice', () => {
  const later = new Date('2031-01-01T12:00:00Z')

  test('the job waits for exactly that moment, with the attempt counted', async () => {
    await enqueue(fixture.db, 'deliver-email', email('e'), { jobKey: 'k' })
    await fixture.drain(async () => {
      throw new TryAgainAt(later, { reason: 'greylisted' })
    })
    const rows = await fixture.jobRows()
    expect(rows).toMatchObject([{ attempts: 1, run_at: later, key: 'k', last_error: 'greylisted', locked_by: null }])
    expect(rows[0]!.payload).toEqual(email('e'))
  })

  test('an attempt that is not the job’s fault is not counted', async () => {
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

  test('a job that keeps coming back before the end of a drain is reported', async () => {
    await enqueue(fixture.db, 'deliver-email', email('e'))
    const stubborn: DeliverEmail = async () => {
      throw new TryAgainAt(later, { countsAsAttempt: false })
    }
    await expect(fixture.drain(stubborn, { until: later })).rejects.toThrow('does not run dry')
  })

  test('the last attempt is the last one all the same', async () => {
    await enqueue(fixture.db, 'deliver-email', email('e'))
    await fixture.database.pool.query('update posthorn_queue.jobs set max_attempts = 1')
    await fixture.drain(async () => {
      throw new TryAgainAt(later)
    })
    expect(await queueDepth(fixture.db)).toMatchObject({ scheduled: 0, failed: 1 })
  })

  test('a job that was replaced while it ran does not come back', async () => {
    await enqueue(fixture.db, 'deliver-email', email('old'), { jobKey: 'k' })
    await fixture.drain(async ({ emailId }) => {
      if (emailId === 'new') return
      await enqueue(fixture.db, 'deliver-email', email('new'), { jobKey: 'k' })
      throw new TryAgainAt(later, { countsAsAttempt: false })
    })
    expect(await fixture.jobRows()).toEqual([])
  })
})

describe('draining', () => {
  test('jobs that jobs add are run too, and those of the future only when told so', async () => {
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

  test('a failing job is run once a call, and its error is rethrown if asked for', async () => {
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
  test('each entry comes up once a period', () => {
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

  test('an entry that becomes due is enqueued once by all processes together, and not before', async () => {
    const timetable = [
      { job: 'forget-expired', every: '1 hour' },
      { job: 'make-partitions', every: '1 day' },
    ] as const
    const start = new Date('2031-05-01T10:06:00Z')
    const seven = new Date('2031-05-01T10:07:00Z')
    const pool = fixture.database.pool
    const tick = (now: Date) => Promise.all([1, 2, 3].map(() => enqueueDue(pool, timetable, start, now)))
    const due = async () => (await fixture.jobRows()).map((row) => [row.name, row.run_at, row.key])

    await tick(new Date(+seven - 1))
    expect(await due()).toEqual([])
    await tick(new Date(+seven + 2))
    expect(await due()).toEqual([['forget-expired', seven, 'timetable:forget-expired']])
    await fixture.drain(nothing, { until: seven })
    await tick(new Date(+seven + 59_000))
    expect(await due()).toEqual([])
    await tick(new Date('2031-05-02T03:23:00Z'))
    expect((await due()).map(([name]) => name).sort()).toEqual(['forget-expired', 'make-partitions'])
    const before = new Date('2028-01-01T00:07:00Z') // the clock was wrong, and is set right
    await enqueueDue(pool, timetable, new Date(+before - 1), before)
    expect(await due()).toContainEqual(['forget-expired', before, 'timetable:forget-expired'])
  })

  test('an entry marked so runs when the worker starts', async () => {
    const ran: string[] = []
    await fixture.work(nothing, {
      handlers: handlersWith(nothing, {
        'make-partitions': async () => void ran.push('make-partitions'),
        'forget-expired': async () => void ran.push('forget-expired'),
      }),
      timetable: [
        { job: 'make-partitions', every: '1 day', atStart: true },
        { job: 'forget-expired', every: '1 day' },
      ],
    })
    await eventually(() => ran.length > 0, 'it ran')
    await eventually(async () => (await fixture.jobRows()).length === 0, 'nothing waits')
    expect(ran).toEqual(['make-partitions'])
  })
})

test('the depth of the queue tells ready, scheduled and failed jobs apart', async () => {
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
