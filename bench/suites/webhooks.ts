/**
 * What webhook endpoints cost: requests to track and to send without an endpoint and with one that wants every event, in
 * turns; how fast a backlog of deliveries is sent to a receiver in a separate process, and how much memory that takes; and
 * requests with an API key instead of a project key, because both are looked up for every request.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Party, residentMegabytes, watchCores } from '../cores.ts'
import { load } from '../load/load.ts'
import { type Measurement, median, medianOf } from '../measure.ts'
import { type ProcessorTime, watchProcessor } from '../processor.ts'
import {
  atLeast,
  PROCESSOR_COLUMNS,
  printTable,
  ratio,
  showBars,
  showCores,
  showParts,
  showUnit,
  tenths,
  under,
  whole,
} from '../report.ts'
import { type Service, startService, waitForIdleQueue } from '../service.ts'
import { sending, type Traffic, tracking } from '../traffic.ts'

const ROUNDS = 3
const SECONDS = 3
const CONNECTIONS = 64
const DELIVERIES = Number(process.env.BENCH_EVENTS ?? 100_000)
const WARM_UP = 5_000
const CONTACTS = 100
const SENT_WITHIN_MS = 600_000
const LOOK_EVERY_MS = 100

interface Receiver {
  url: string
  party: Party
  count(): Promise<number>
  stop(): void
}

interface Pair {
  without: Measurement
  with: Measurement
}

interface Backlog {
  perSecond: number
  growthMegabytes: number
  cores: Record<string, number>
  processor: ProcessorTime | undefined
}

export async function benchWebhooks(dataDir: string): Promise<void> {
  const receiver = await startReceiver()
  try {
    const accepted = await withService(dataDir, 'api', { ROLE: 'api' }, async (service) => ({
      track: await compareEndpoint(service, tracking, receiver, false),
      send: await compareEndpoint(service, sending, receiver, false),
      keys: await compareKeys(service),
    }))
    printAccepted(accepted)
    printBacklog(await withService(dataDir, 'backlog', {}, (service) => measureBacklog(service, receiver)))
    const sent = await withService(dataDir, 'all', {}, async (service) => ({
      track: await compareEndpoint(service, tracking, receiver, true),
      send: await compareEndpoint(service, sending, receiver, true),
    }))
    printRequests(sent)
  } finally {
    receiver.stop()
  }
}

/** Each with its own database, so that one doesn't deliver what another accepted. */
async function withService<T>(
  dataDir: string,
  name: string,
  env: Record<string, string>,
  run: (service: Service) => Promise<T>,
): Promise<T> {
  const own = path.join(dataDir, name)
  await mkdir(own)
  const settings = { WEBHOOK_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'warn', ...env }
  const service = await startService({ dataDir: own, env: settings })
  return run(service).finally(() => service.stop())
}

async function startReceiver(): Promise<Receiver> {
  const child: ChildProcess = fork(path.join(import.meta.dirname, '../webhook-receiver.ts'))
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    url: `http://127.0.0.1:${port}/`,
    party: { name: 'receiver', pid: child.pid! },
    async count() {
      const reply = once(child, 'message')
      child.send('count')
      return ((await reply) as [{ requests: number }])[0].requests
    },
    stop: () => child.kill(),
  }
}

async function call<T>({ url, keys }: Service, method: string, route: string, body?: object): Promise<T> {
  const response = await fetch(url + route, {
    method,
    headers: { authorization: `Bearer ${keys.secretKey}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`)
  return (response.status === 204 ? undefined : await response.json()) as T
}

const createEndpoint = (service: Service, { url }: Receiver) =>
  call<{ id: string }>(service, 'POST', '/webhook-endpoints', { url, eventTypes: ['*'] })

const deleteEndpoint = (service: Service, { id }: { id: string }) => call(service, 'DELETE', `/webhook-endpoints/${id}`)

function loadWith(service: Service, traffic: Traffic, key: string, round: number, others: Party[]) {
  return load(
    {
      url: `${service.url}${traffic.path}`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      bodies: traffic.bodies(CONNECTIONS, `${service.pid}-${key.slice(-6)}-${round}`),
      warmUpSeconds: round === 1 ? 2 : 1,
      seconds: SECONDS,
    },
    [...service.parties, ...others],
  )
}

/** In turns, so that noise affects both. `delivers` if the service has a worker that makes the requests meanwhile. */
async function compareEndpoint(
  service: Service,
  traffic: Traffic,
  receiver: Receiver,
  delivers: boolean,
): Promise<Pair> {
  const rounds: Record<keyof Pair, Measurement[]> = { without: [], with: [] }
  for (let round = 1; round <= ROUNDS; round++) {
    for (const side of ['without', 'with'] as const) {
      const endpoint = side === 'with' ? await createEndpoint(service, receiver) : undefined
      rounds[side].push(await loadWith(service, traffic, service.keys[traffic.key], round, [receiver.party]))
      if (delivers) await waitForIdleQueue(service)
      if (delivers && endpoint) await untilQuiet(receiver)
      if (endpoint) await deleteEndpoint(service, endpoint)
    }
  }
  return { without: medianOf(rounds.without), with: medianOf(rounds.with) }
}

async function compareKeys(service: Service): Promise<Pair> {
  const { key } = await call<{ key: string }>(service, 'POST', '/api-keys', { name: 'bench', scopes: ['track'] })
  const rounds: Record<keyof Pair, Measurement[]> = { without: [], with: [] }
  for (let round = 1; round <= ROUNDS; round++) {
    rounds.without.push(await loadWith(service, tracking, service.keys.publicKey, round, []))
    rounds.with.push(await loadWith(service, tracking, key, round, []))
  }
  return { without: medianOf(rounds.without), with: medianOf(rounds.with) }
}

/** Until no request has arrived for a while. */
async function untilQuiet(receiver: Receiver): Promise<void> {
  const deadline = performance.now() + SENT_WITHIN_MS
  for (let before = -1, now = await receiver.count(); now !== before; now = await receiver.count()) {
    if (performance.now() > deadline) throw new Error('Requests to the receiver did not end in time.')
    before = now
    await sleep(2_000)
  }
}

/** Deliveries of events that have a contact and data, added at once, as by a campaign. */
async function measureBacklog(service: Service, receiver: Receiver): Promise<Backlog> {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    for (let i = 0; i < CONTACTS; i++) await call(service, 'POST', '/contacts', { email: `reader-${i}@example.org` })
    const endpoint = await createEndpoint(service, receiver)
    await drain(service, client, receiver, endpoint.id, WARM_UP)
    const before = residentMegabytes(senderOf(service)) ?? 0
    const coresSoFar = watchCores([...service.parties, receiver.party])
    const processorSoFar = watchProcessor(service.parties)
    const rates: number[] = []
    let peak = 0
    for (let round = 1; round <= ROUNDS; round++) {
      const { seconds, peakMegabytes } = await drain(service, client, receiver, endpoint.id, DELIVERIES)
      rates.push(DELIVERIES / seconds)
      peak = Math.max(peak, peakMegabytes)
    }
    const processor = processorSoFar(DELIVERIES * ROUNDS)
    const cores = coresSoFar()
    await deleteEndpoint(service, endpoint)
    return { perSecond: median(rates), growthMegabytes: peak - before, cores, processor }
  } finally {
    await client.end()
  }
}

/** The process that makes the requests. */
const senderOf = ({ parties, pid }: Service) => parties.find(({ name }) => name === 'worker')?.pid ?? pid

async function drain(service: Service, client: pg.Client, receiver: Receiver, endpointId: string, count: number) {
  const target = (await receiver.count()) + count
  const { projectId } = service.keys
  await client.query(FILL, [projectId, endpointId, count])
  const startedAt = performance.now()
  let peakMegabytes = 0
  while ((await receiver.count()) < target) {
    if (performance.now() - startedAt > SENT_WITHIN_MS) throw new Error('The deliveries were not sent in time.')
    peakMegabytes = Math.max(peakMegabytes, residentMegabytes(senderOf(service)) ?? 0)
    await sleep(LOOK_EVERY_MS)
  }
  return { seconds: (performance.now() - startedAt) / 1000, peakMegabytes }
}

const FILL = `
  with event as (
    select id_at(now(), i) as id, c.id as contact_id
    from generate_series(1, $3::int) i
    join (select id, row_number() over (order by id) as number from contacts where project_id = $1) c on c.number = 1 + i % ${CONTACTS}
  )
  insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, created_at, next_attempt_at)
  select $1, derive_id(id, $2::text), $2::uuid, id, 'page.viewed', now(), contact_id, now(), now() from event`

const HEADER = ['', 'requests/s', 'ratio', 'p99 ms', 'target']

const rowsOf = (name: string, other: string, pair: Pair, least?: number) => [
  [name, whole(pair.without.perSecond), '1.00', tenths(pair.without.p99Ms), ''],
  [
    other,
    whole(pair.with.perSecond),
    ratio(pair.with.perSecond, pair.without.perSecond),
    tenths(pair.with.p99Ms),
    least === undefined ? '' : showBars([atLeast(pair.with.perSecond / pair.without.perSecond, least, 'ratio')]),
  ],
]

function printAccepted({ track, send, keys }: { track: Pair; send: Pair; keys: Pair }): void {
  printTable(`With ROLE=api: nothing is delivered. Median of ${ROUNDS} rounds of ${SECONDS} s`, HEADER, [
    ...rowsOf('POST /v1/track', '  with a webhook endpoint that wants every event', track, 0.85),
    ...rowsOf('POST /v1/send', '  with a webhook endpoint that wants every event', send, 0.85),
    ...rowsOf('POST /v1/track, public key', '  with an API key', keys, 0.95),
  ])
  for (const [name, pair] of Object.entries({ track, send }))
    console.log([showCores(`${name}, without`, pair.without), showCores(`${name}, with`, pair.with)].join('\n'))
}

function printBacklog({ perSecond, growthMegabytes, cores, processor }: Backlog): void {
  printTable(
    `${whole(DELIVERIES)} deliveries to one endpoint, median of ${ROUNDS}`,
    ['', ...PROCESSOR_COLUMNS, 'requests/s', 'memory MB', 'target'],
    [
      [
        'to a receiver in a separate process',
        ...showUnit(processor),
        whole(perSecond),
        `+${tenths(growthMegabytes)}`,
        showBars([atLeast(perSecond, 2_000, 'requests/s'), under(growthMegabytes, 80, 'MB')]),
      ],
    ],
  )
  console.log(showParts('a request', processor))
  const shares = Object.entries(cores).map(([party, busy]) => `${party} ${busy.toFixed(2)}`)
  console.log(`  cores busy: ${shares.join(', ')}`)
}

function printRequests({ track, send }: { track: Pair; send: Pair }): void {
  printTable(
    `With a worker, which makes the requests on the same cores. Median of ${ROUNDS} rounds of ${SECONDS} s`,
    HEADER,
    [
      ...rowsOf('POST /v1/track', '  with a webhook endpoint that wants every event', track),
      ...rowsOf('POST /v1/send', '  with a webhook endpoint that wants every event', send),
    ],
  )
  for (const [name, pair] of Object.entries({ track, send })) console.log(showCores(`${name}, with`, pair.with))
}
