/** GET /ready and the installation page without a worker: what they report depends on what the process is to run. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createReadiness } from '../../features/operations/service/actions.ts'
import { metricsText } from '../../platform/metrics.ts'
import { newLockNumber } from '../../platform/queue/process-lock.ts'
import { recordRunning } from '../../platform/queue/running-workers.ts'
import { watchQueue } from '../../platform/watch-database.ts'
import { openTestApp, signUp, type TestApp } from '../harness.ts'

const worker = newLockNumber()
let app: TestApp
let operator: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  app = await openTestApp({ ROLE: 'all' })
  operator = await signUp(app)
})
afterAll(() => app.close())
beforeEach(() => app.pool.query('delete from posthorn_queue.running_workers'))

/** The state that a process of this role reports after it has run for so long. */
async function stateOf(ROLE: 'all' | 'api' | 'worker', seconds: number) {
  const ctx = { ...app.ctx, settings: { ...app.ctx.settings, ROLE }, workerLock: worker }
  const readiness = createReadiness(ctx, app.services.workerProcesses)
  app.clock.forward(seconds * 1000)
  const { ready, degraded } = await readiness.read()
  return { ready, degraded }
}

const lastSeen = async (secondsAgo: number, lockNumber = worker) => {
  await recordRunning(app.pool, lockNumber)
  await app.pool.query(
    `update posthorn_queue.running_workers set seen_at = now() - make_interval(secs => $2) where lock_number = $1`,
    [lockNumber, secondsAgo],
  )
}

const HEALTHY = { ready: true, degraded: [] }

describe('a service that runs its own workers', () => {
  it('is not ready if no worker has run jobs for 30 seconds', async () => {
    expect(await stateOf('all', 30)).toEqual(HEALTHY)
    expect(await stateOf('all', 31)).toEqual({
      ready: false,
      degraded: [expect.stringMatching(/^No worker is running/)],
    })
  })

  it('is ready while any worker runs jobs, however long it has been running itself', async () => {
    await lastSeen(25)
    expect(await stateOf('all', 86_400)).toEqual(HEALTHY)
    await lastSeen(31)
    expect(await stateOf('all', 86_400)).toMatchObject({ ready: false })
  })

  it('does not count a worker whose record is in the future, because the clock was set back', async () => {
    await lastSeen(-3_600)
    expect(await stateOf('all', 31)).toMatchObject({ ready: false })
    await recordRunning(app.pool, worker)
    expect(await stateOf('all', 31)).toEqual(HEALTHY)
  })
})

it('a process with ROLE=api is ready without a worker, and reports that none is running', async () => {
  expect(await stateOf('api', 31)).toEqual({
    ready: true,
    degraded: [expect.stringMatching(/^No worker is running.*ROLE=worker/)],
  })
  await lastSeen(0, newLockNumber())
  expect(await stateOf('api', 31)).toEqual(HEALTHY)
})

it('a process with ROLE=worker is not ready if it runs no jobs itself, even if others do', async () => {
  await lastSeen(0, newLockNumber())
  expect(await stateOf('worker', 31)).toEqual({
    ready: false,
    degraded: [expect.stringMatching(/^This worker is not running/)],
  })
  await lastSeen(0)
  expect(await stateOf('worker', 31)).toEqual(HEALTHY)
})

it('GET /ready returns 503 with the reason, and the installation page and the metrics show the number of workers', async () => {
  const unwatch = watchQueue(app)
  const read = async () => {
    const ready = await app.request('GET', '/ready')
    const { body: installation } = await app.request('GET', '/installation', { cookie: operator.cookie })
    const [, metric] = /^posthorn_workers_running\{process="main"\} (\d+)$/m.exec(await metricsText())!
    return { status: ready.status, degraded: ready.body.degraded, installation, metric }
  }
  app.clock.forward(31_000)
  const without = await read()
  expect(without).toMatchObject({
    status: 503,
    degraded: [expect.stringMatching(/^No worker is running/)],
    installation: { runningWorkers: 0, degraded: without.degraded },
    metric: '0',
  })
  await lastSeen(0)
  await lastSeen(0, newLockNumber())
  expect(await read()).toMatchObject({ status: 200, degraded: [], installation: { runningWorkers: 2 }, metric: '2' })
  unwatch()
})

it('records of processes that exited long ago are removed', async () => {
  await lastSeen(3_601, newLockNumber())
  await recordRunning(app.pool, worker)
  const { rows } = await app.pool.query('select lock_number from posthorn_queue.running_workers')
  expect(rows).toEqual([{ lock_number: worker }])
})
