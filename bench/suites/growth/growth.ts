/**
 * One project at 10,000 contacts, then at ten times as many, and so on, with ten events and one email for each. At every
 * step the same requests are timed and the tables measured; the exponent of growth follows from all steps. Sizes above
 * BENCH_GROWTH_MAX are extrapolated.
 */
import { statfs } from 'node:fs/promises'
import pg from 'pg'
import { tallies } from '../../../server/app.ts'
import { findUncounted } from '../../../server/features/operations/retention/retired-queries.ts'
import { openDatabase } from '../../../server/platform/database/connection/connect.ts'
import { rebuildTallies } from '../../../server/platform/database/tallies.ts'
import { openLog } from '../../../server/platform/log.ts'
import { median } from '../../measure.ts'
import { type Bar, printTable, showBars, tenths, whole } from '../../report.ts'
import { foldAll, type Service, startService, waitForIdleQueue } from '../../service.ts'
import { fillProject } from './fill.ts'
import { openProject, type TimedRequest, timedRequests } from './requests.ts'

const STEPS = [10_000, 100_000, 1_000_000, 10_000_000]
const MAX = Number(process.env.BENCH_GROWTH_MAX ?? 1_000_000)
const FLAT_EXPONENT_MAX = 0.15
const LINEAR_EXPONENT_MAX = 1.1

/** The tables that grow with contacts, events and emails; each with its partitions. */
const TABLES = [
  'contacts',
  'events',
  'emails',
  'email_contents',
  'event_contacts',
  'event_days',
  'contact_counts',
] as const

interface Step {
  contacts: number
  /** Milliseconds by the name of the request. */
  ms: Map<string, number>
  /** Bytes of each table and of its indexes. */
  bytes: Map<string, { table: number; indexes: number }>
}

export async function benchGrowth(dataDir: string): Promise<void> {
  const sizes = STEPS.filter((size) => size <= MAX)
  if (sizes.length < 2) throw new Error(`BENCH_GROWTH_MAX is ${MAX}; at least two steps, 10000 and 100000, are needed.`)
  const service = await startService({ dataDir, env: { LOG_LEVEL: 'warn' } })
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  const log = openLog({ level: 'silent', format: 'text' })
  const { db, close } = openDatabase({ url: service.databaseUrl, poolSize: 2, log })
  const steps: Step[] = []
  let left = ''
  let requests: TimedRequest[] = []
  const project = await openProject(service, client)
  try {
    for (const contacts of sizes) {
      const before = steps.at(-1)
      const missing = before && (await missingBytes(dataDir, before, contacts))
      if (missing) {
        left = `there is not enough disk: about ${whole(missing / 1e9)} GB more are needed`
        break
      }
      const startedAt = performance.now()
      await fillProject(client, service.keys.projectId, before?.contacts ?? 0, contacts)
      // The rows of emails are inserted as already sent, which the triggers of a real email don't see.
      await rebuildTallies(
        db,
        tallies.filter((tally) => tally.of === 'emails'),
        findUncounted,
      )
      await foldAll(db, client, tallies)
      await client.query('vacuum (analyze)')
      await waitForIdleQueue(service)
      const filledAt = performance.now()
      requests = await timedRequests(project, contacts)
      const step: Step = { contacts, ms: new Map(), bytes: await measureTables(client) }
      for (const request of requests) step.ms.set(request.name, await time(request, service))
      steps.push(step)
      const [filling, timing] = [(filledAt - startedAt) / 1000, (performance.now() - filledAt) / 1000]
      console.log(`  ${whole(contacts)} contacts: filled in ${whole(filling)} s, measured in ${whole(timing)} s`)
    }
    printGrowth(steps, requests, left || `BENCH_GROWTH_MAX is ${MAX}`)
  } finally {
    await project.close()
    await close()
    await client.end()
    await service.stop()
  }
}

async function time({ turns, warmUp, run }: TimedRequest, service: Service): Promise<number> {
  const took: number[] = []
  for (let turn = -warmUp; turn < turns; turn++) {
    const ms = await run()
    if (turn >= 0) took.push(ms)
  }
  await waitForIdleQueue(service)
  return median(took)
}

async function measureTables(client: pg.Client): Promise<Step['bytes']> {
  const { rows } = await client.query<{ name: string; table: string; indexes: string }>(
    `select name, sum(pg_table_size(part)) as table, sum(pg_indexes_size(part)) as indexes
     from unnest($1::text[]) as name, lateral (
       select name::regclass as part union select relid from pg_partition_tree(name::regclass)
     ) as parts group by name`,
    [TABLES],
  )
  return new Map(rows.map(({ name, table, indexes }) => [name, { table: Number(table), indexes: Number(indexes) }]))
}

const bytesOf = ({ bytes }: Step): number =>
  [...bytes.values()].reduce((sum, { table, indexes }) => sum + table + indexes, 0)

/** A step is expected to need the bytes per contact of the one before, twice: for the rows, and for logs and sorting. */
async function missingBytes(dataDir: string, before: Step, contacts: number): Promise<number> {
  const { bavail, bsize } = await statfs(dataDir)
  const needed = (bytesOf(before) / before.contacts) * (contacts - before.contacts) * 2
  return Math.max(0, needed - bavail * bsize)
}

/** The slope of the least squares line through log size and log value: 0 doesn't grow, 1 is linear. */
function growthExponent(points: Array<{ size: number; value: number }>): number {
  const logs = points.map(({ size, value }) => [Math.log(size), Math.log(value)] as const)
  const mean = (at: 0 | 1) => logs.reduce((sum, log) => sum + log[at], 0) / logs.length
  const [x, y] = [mean(0), mean(1)]
  const spread = logs.reduce((sum, [size]) => sum + (size - x) ** 2, 0)
  return logs.reduce((sum, [size, value]) => sum + (size - x) * (value - y), 0) / spread
}

function printGrowth(steps: Step[], requests: TimedRequest[], why: string): void {
  const last = steps.at(-1)!
  const beyond = STEPS.filter((size) => size > last.contacts)
  const header = ['', ...steps.map(({ contacts }) => whole(contacts)), ...beyond.map((size) => `≈ ${whole(size)}`)]
  const points = (of: (step: Step) => number) => steps.map((step) => ({ size: step.contacts, value: of(step) }))
  const extrapolated = (value: number, exponent: number, show: (value: number) => string) =>
    beyond.map((size) => show(value * (size / last.contacts) ** Math.max(0, exponent)))

  const noise = Math.max(...steps.map(({ ms }) => ms.get(NOTHING)!))
  printTable(
    `Milliseconds by number of contacts, median; ten events and one email for each contact`,
    [...header, 'exponent', 'target'],
    requests.map(({ name, growth }) => {
      const times = steps.map(({ ms }) => ms.get(name)!)
      const exponent = growthExponent(points(({ ms }) => ms.get(name)!))
      return [
        name,
        ...times.map(tenths),
        ...extrapolated(times.at(-1)!, exponent, tenths),
        exponent.toFixed(2),
        showBars(barsOf(growth, exponent, times.at(-1)! - times[0]!, noise)),
      ]
    }),
  )
  console.log(
    `  A request that grows by less than ${noise.toFixed(2)} ms, the time of a request that reads nothing, doesn't grow: its exponent is noise.`,
  )

  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
  const sizeRows: Array<[string, (step: Step) => number]> = TABLES.flatMap((name) => [
    [name, (step) => step.bytes.get(name)!.table],
    [`${name}, indexes`, (step) => step.bytes.get(name)!.indexes],
  ])
  printTable(
    'Megabytes by number of contacts',
    [...header, 'exponent', 'target'],
    [...sizeRows, ['all of these', bytesOf] as (typeof sizeRows)[number]].map(([name, sizeOf]) => {
      const exponent = growthExponent(points(sizeOf))
      return [
        name,
        ...steps.map((step) => megabytes(sizeOf(step))),
        ...extrapolated(sizeOf(last), exponent, megabytes),
        exponent.toFixed(2),
        showBars([{ says: `exponent ≤ ${LINEAR_EXPONENT_MAX}`, met: exponent <= LINEAR_EXPONENT_MAX }]),
      ]
    }),
  )
  if (beyond.length > 0)
    console.log(`  ≈ was not measured (${why}): it is the largest step, continued with the exponent.`)
}

const NOTHING = 'a request that reads nothing'

function barsOf(growth: TimedRequest['growth'], exponent: number, grownMs: number, noiseMs: number): Bar[] {
  if (growth === 'unused') return []
  if (growth === 'linear') return [{ says: `exponent ≤ ${LINEAR_EXPONENT_MAX}`, met: exponent <= LINEAR_EXPONENT_MAX }]
  const isNoise = exponent > FLAT_EXPONENT_MAX && grownMs < noiseMs
  return [
    {
      says: `exponent ≤ ${FLAT_EXPONENT_MAX}${isNoise ? ' (noise)' : ''}`,
      met: isNoise || exponent <= FLAT_EXPONENT_MAX,
    },
  ]
}
