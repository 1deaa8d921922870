/** Shared by the tests of the queue: workers that are stopped after each test, and access to the job table. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { JOB_NAMES, type JobHandlers, type QueueLog } from '../../platform/queue/catalogue.ts'
import { publishCatalogue } from '../../platform/queue/job-table.ts'
import { startWorker, type Worker, type WorkerOptions } from '../../platform/queue/worker.ts'
import { type DrainOptions, drainQueue } from '../drain-queue.ts'
import { openTestDatabase } from '../harness.ts'

export type DeliverEmail = JobHandlers['deliver-email']

export const email = (emailId: string) => ({ projectId: 'p1', emailId })
export const nothing = async () => {}

/** Every job does nothing, except for the given ones. */
export const handlersWith = (deliver: DeliverEmail, others: Partial<JobHandlers> = {}): JobHandlers => ({
  ...(Object.fromEntries(JOB_NAMES.map((name) => [name, nothing])) as unknown as JobHandlers),
  'deliver-email': deliver,
  ...others,
})

export interface JobRow {
  name: string
  key: string | null
  priority: number
  attempts: number
  run_at: Date
  locked_by: number | null
  last_error: string | null
  payload: { emailId: string }
}

/** Called once at the top of a test file: the queue is empty before each test, and no worker is left after it. */
export function setUpQueueFixture() {
  let database: Awaited<ReturnType<typeof openTestDatabase>>
  let logged: string[] = []
  let workers: Worker[] = []
  const write = (facts: object, message: string) => {
    const err = 'err' in facts && facts.err instanceof Error ? facts.err.stack : ''
    logged.push(`${message} ${JSON.stringify(facts)} ${err}`)
  }
  const log: QueueLog = { debug: write, info: write, warn: write, error: write }

  beforeAll(async () => {
    database = await openTestDatabase()
    await publishCatalogue(database.pool)
  })
  beforeEach(async () => {
    await database.pool.query('truncate posthorn_queue.jobs')
    logged = []
  })
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
    workers = []
  })
  afterAll(() => database.close())

  return {
    get database() {
      return database
    },
    get db() {
      return database.db
    },
    logged: () => logged,
    async work(deliver: DeliverEmail, options: Partial<WorkerOptions> = {}): Promise<Worker> {
      const handlers = handlersWith(deliver)
      const worker = await startWorker({
        pool: database.pool,
        handlers,
        failureHandlers: {},
        timetable: [],
        concurrency: 4,
        log,
        ...options,
      })
      workers.push(worker)
      return worker
    },
    drain: (deliver: DeliverEmail, options: Partial<DrainOptions> = {}) =>
      drainQueue({ pool: database.pool, handlers: handlersWith(deliver), log, ...options }),
    async jobRows(): Promise<JobRow[]> {
      const { rows } = await database.pool.query('select * from posthorn_queue.jobs order by id')
      return rows
    },
  }
}

export async function eventually<T>(
  look: () => T | Promise<T>,
  what: string,
  withinMs = 90_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (Date.now() > deadline) throw new Error(`did not happen within ${withinMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** For a handler that doesn't return until it is released. */
export function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
