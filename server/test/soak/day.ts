/**
 * A day of mixed traffic in SOAK_MINUTES (60): an API process and two workers serve requests, campaigns, workflows, imports,
 * received email and open dashboards, at a share of what the machine can do. It checks that everything was sent and counted once,
 * and that memory, dead rows, the queue and latencies did not grow towards the end.
 */
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { residentBytes } from '../processes.ts'
import { call, eventually, type ServiceProcess } from '../service-process.ts'
import { type Clients, createClients, TO_READERS } from './clients.ts'
import { compareQuarters, type Limit, quantile, type Sample } from './flat.ts'
import { type Installation, inInstallation } from './installation.ts'

const MINUTES = Number(process.env.SOAK_MINUTES ?? 60)
/** Every minute, or more often in a short run. */
const SAMPLE_MS = Math.min(60_000, (MINUTES * 60_000) / 20)
const FINISHES_WITHIN_MS = 180_000
const MEASURE_MS = 10_000
const MEASURE_CLIENTS = 8
/** The share of the measured rate, so that nothing has to wait; campaigns, imports and dashboards come on top. */
const SHARE = 0.15
const RECEIVED_PER_SEND = 0.1
const DASHBOARDS = 3
const DASHBOARD_PAUSE_MS = 2_000
/** The service ends a stream after a quarter of an hour, so that the client is authenticated again. */
const STREAM_LASTS_MS = 15 * 60_000
const PAGES = [
  '/contacts?limit=50',
  '/contacts?search=customer-1',
  '/emails?limit=50',
  '/events?limit=50',
  '/campaigns',
  '/workflows',
  '/activity',
  '/activity/stats',
  '/analytics/timeseries',
  '/analytics/top-events',
]
const TIMED = ['send', 'track', 'list']
/** PostgreSQL looks for dead rows once a minute, so a shorter run only shows them. */
const VACUUM_MINUTES = 8
const MEGABYTE = 1024 ** 2

interface Unit {
  installation: Installation
  clients: Clients
  processes: Record<string, ServiceProcess>
  inboundPort: number
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function open(installation: Installation): Promise<Unit> {
  const inboundPort = await freePort()
  const api = await installation.start({ ROLE: 'api', INBOUND_SMTP_PORT: String(inboundPort) })
  const workers = await Promise.all([1, 2].map(() => installation.start({ ROLE: 'worker' })))
  const processes = { API: api, 'worker 1': workers[0]!, 'worker 2': workers[1]! }
  return { installation, clients: createClients(installation, () => api.baseUrl), processes, inboundPort }
}

/** Sends and visits per second that are accepted and sent, by clients that don't pause. */
async function measureRate({ clients, installation }: Unit): Promise<number> {
  const from = performance.now()
  const isOver = () => performance.now() - from > MEASURE_MS
  let rounds = 0
  const work = async (client: number) => {
    for (let i = 0; !isOver(); i++) {
      await clients.send(`first-${client}-${i}@example.org`)
      await clients.track(`first-visitor-${client}-${i}@example.org`)
      rounds++
    }
  }
  await Promise.all(Array.from({ length: MEASURE_CLIENTS }, (_, client) => work(client)))
  await eventually('the first emails are sent', FINISHES_WITHIN_MS, async () => {
    return installation.sink.accepted.size >= clients.sentCount()
  })
  return (rounds * 1_000) / (performance.now() - from)
}

/** Starts at fixed times, even if earlier runs are still in progress. */
async function pace(perSecond: number, isOver: () => boolean, work: (i: number) => Promise<unknown>): Promise<void> {
  const from = performance.now()
  const begun = new Set<Promise<unknown>>()
  for (let i = 0; !isOver(); i++) {
    await sleep(Math.max(0, from + (i * 1_000) / perSecond - performance.now()))
    const working = work(i).finally(() => begun.delete(working))
    begun.add(working)
  }
  await Promise.all(begun)
}

/**
 * A browser tab: a stream that is opened again where it ended, and pages one after the other. Returns how many items were
 * streamed.
 */
async function openDashboard({ clients, installation, processes }: Unit, isOver: () => boolean): Promise<number> {
  const { email, password, projectId } = installation.firstRun()
  const { baseUrl } = processes.API!
  const login = await call({ baseUrl }, 'POST', '/auth/login', { body: { email, password } })
  const cookie = login.headers.get('set-cookie')!.split(';')[0]!
  const headers = { cookie, 'x-project-id': projectId }
  const closing = new AbortController()
  const items = new Set<string>()
  const streaming = (async () => {
    while (!closing.signal.aborted) {
      const from = performance.now()
      const lastId = [...items].at(-1)
      await readStream(`${baseUrl}/activity/stream`, {
        headers: { ...headers, ...(lastId && { 'last-event-id': lastId }) },
        signal: closing.signal,
        onId: (id) => items.add(id),
      })
      if (performance.now() - from < STREAM_LASTS_MS) clients.fail('activity: the stream ended early')
    }
  })().catch((error: Error) => !closing.signal.aborted && clients.fail(`activity: ${error.message}`))
  for (let i = 0; !isOver(); i++) {
    await clients.request('list', 'GET', PAGES[i % PAGES.length]!, { headers, key: '' })
    await sleep(DASHBOARD_PAUSE_MS)
  }
  closing.abort()
  await streaming
  return items.size
}

interface StreamReading {
  headers: Record<string, string>
  signal: AbortSignal
  onId(id: string): void
}

async function readStream(url: string, { headers, signal, onId }: StreamReading): Promise<void> {
  const stream = await fetch(url, { headers, signal })
  if (!stream.ok) throw new Error(`the stream responded with ${stream.status}`)
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream.body!) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split('\n')
    text = lines.pop()!
    for (const line of lines) if (line.startsWith('id: ')) onId(line.slice(4))
  }
}

async function takeSample({ installation, clients, processes }: Unit, minutes: number): Promise<Sample> {
  const sample: Sample = { minutes }
  for (const [name, { pid }] of Object.entries(processes))
    sample[`memory of the ${name}, MB`] = residentBytes(pid) / MEGABYTE
  const [tables] = await installation.query<{ live: number; dead: number; size: number; jobs: number }>(`
    select sum(n_live_tup)::float8 as live, sum(n_dead_tup)::float8 as dead, sum(pg_total_relation_size(relid))::float8 as size,
      pg_total_relation_size('posthorn_queue.jobs')::float8 as jobs
    from pg_stat_user_tables`)
  sample['dead rows per live row'] = tables!.dead / Math.max(1, tables!.live)
  sample['size of the jobs table, MB'] = tables!.jobs / MEGABYTE
  sample['size of all tables, MB'] = tables!.size / MEGABYTE
  sample['ready jobs'] = await installation.count(
    'select count(*) from posthorn_queue.jobs where locked_by is null and attempts < max_attempts and run_at <= now()',
  )
  const latencies = clients.takeLatencies()
  for (const name of TIMED) {
    const values = latencies.get(name) ?? []
    sample[`${name} p50, ms`] = quantile(values, 0.5)
    sample[`${name} p99, ms`] = quantile(values, 0.99)
  }
  return sample
}

/** Ratios of the last quarter to the second. */
function limits(perSecond: number): Record<string, Limit> {
  const latencies = TIMED.flatMap(
    (name): Array<[string, Limit]> => [
      [`${name} p50, ms`, { ratio: 2 }],
      [`${name} p99, ms`, { ratio: 3 }],
    ],
  )
  const memory = ['API', 'worker 1', 'worker 2'].map((name): [string, Limit] => [
    `memory of the ${name}, MB`,
    { ratio: 1.3 },
  ])
  return {
    ...Object.fromEntries([...memory, ...latencies]),
    ...(MINUTES >= VACUUM_MINUTES && {
      // PostgreSQL cleans up a table when a fifth of its rows are dead.
      'dead rows per live row': { ratio: 1.5, floor: 0.2 },
      'size of the jobs table, MB': { ratio: 1.5 },
    }),
    'ready jobs': { ratio: 2, floor: perSecond },
  }
}

async function runTraffic(unit: Unit, perSecond: number): Promise<{ samples: Sample[]; streamed: number[] }> {
  const { clients } = unit
  const from = performance.now()
  const isOver = () => performance.now() - from > MINUTES * 60_000
  const perSample = Math.ceil((perSecond * SAMPLE_MS) / 1_000 / 4)
  await clients.addContacts(Array.from({ length: perSample }, (_, i) => `reader-${i}@example.org`))
  clients.takeLatencies()
  const samples: Sample[] = []
  const sampling = pace(1_000 / SAMPLE_MS, isOver, async (i) => {
    if (i > 0) samples.push(await takeSample(unit, (performance.now() - from) / 60_000))
  })
  const traffic = [
    pace(perSecond, isOver, (i) => clients.send(`customer-${i}@example.org`)),
    pace(perSecond, isOver, (i) => clients.track(`visitor-${i}@example.org`)),
    pace(perSecond * RECEIVED_PER_SEND, isOver, (i) => clients.receive(unit.inboundPort, `writer-${i}@example.net`)),
    pace(1_000 / SAMPLE_MS, isOver, () => clients.sendCampaign(TO_READERS)),
    pace(1_000 / SAMPLE_MS, isOver, (i) =>
      clients.importContacts(Array.from({ length: perSample }, (_, j) => `imported-${i}-${j}@example.org`)),
    ),
  ]
  const dashboards = Array.from({ length: DASHBOARDS }, () => openDashboard(unit, isOver))
  await Promise.all([...traffic, sampling])
  return { samples, streamed: await Promise.all(dashboards) }
}

const shown = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0))

function printTable(rows: Array<Record<string, string | number>>): void {
  const columns = Object.keys(rows[0] ?? {})
  const cell = (value: string | number | undefined) => (typeof value === 'number' ? shown(value) : (value ?? ''))
  console.log(`\n| ${columns.join(' | ')} |\n|${columns.map(() => '---|').join('')}`)
  for (const row of rows) console.log(`| ${columns.map((column) => cell(row[column])).join(' | ')} |`)
}

const LARGEST = `
  select relname as "table", pg_total_relation_size(relid)::float8 / ${MEGABYTE} as "MB with indexes",
    pg_indexes_size(relid)::float8 / ${MEGABYTE} as "MB of indexes", n_live_tup::float8 as "live rows", n_dead_tup::float8 as "dead rows"
  from pg_stat_user_tables order by 2 desc limit 10`

async function day(installation: Installation): Promise<string[]> {
  const unit = await open(installation)
  const { clients } = unit
  await clients.addWorkflow()
  const perSecond = (await measureRate(unit)) * SHARE
  console.log(`${perSecond.toFixed(1)} emails and ${perSecond.toFixed(1)} events per second for ${MINUTES} minutes.`)
  const { samples, streamed } = await runTraffic(unit, perSecond)
  const left = await clients.untilDone(FINISHES_WITHIN_MS)
  const errors = [...left, ...(await clients.findErrors())]
  if (streamed.some((items) => items === 0)) errors.push('An activity stream was empty.')
  const quarters = compareQuarters(samples, limits(perSecond))
  printTable(samples)
  printTable(await installation.query<Record<string, string | number>>(LARGEST))
  printTable(quarters.map(({ holds, ...figures }) => ({ ...figures, holds: holds ? 'yes' : 'NO' })))
  console.log(
    `\n${clients.requests()} requests, ${clients.failures.length} failed. ${clients.sentCount()} single emails, ` +
      `${clients.campaigns.length} campaigns, ${installation.sink.accepted.size} messages received by the mail server, ` +
      `${clients.visitCount()} executions, ${clients.imports.length} imports, ${clients.receivedCount()} received emails, ` +
      `${streamed.join(' and ')} streamed items.`,
  )
  const growing = quarters.filter(({ holds }) => !holds).map(({ name }) => `still growing: ${name}`)
  return [...errors, ...growing]
}

await inInstallation(day)
