/**
 * Requests to the service compared with the same SQL from a bare client, in alternation, so that noise affects both.
 * Medians are reported. The limit depends on the database, and the ratio shows what the service adds to it.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { startBareFastify } from '../limits/bare-fastify.ts'
import { loopSql } from '../limits/bare-sql.ts'
import { benchCompose } from '../limits/compose.ts'
import { oneAfterTheOther } from '../limits/mail-limit.ts'
import { type Loaded, load } from '../load/load.ts'
import { type Measurement, medianOf } from '../measure.ts'
import { watchProcessor } from '../processor.ts'
import {
  atLeast,
  type Bar,
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
import { MINIMAL_TABLES, minimalCalls, sending, type Traffic, tracking } from '../traffic.ts'

const CONNECTIONS = 64
const ROUNDS = 3
const SECONDS = 3

/** The first round includes compilation, so both sides get time for it. */
const times = (round: number) => ({ warmUpSeconds: round === 1 ? 2 : 1, seconds: SECONDS })

interface Figures {
  bare: Measurement
  /** The minimum that the database has to do for a request, from a bare client. */
  minimal: Measurement
  served: Measurement
  /** The same requests to a second process that logs only warnings, to show the cost of logging. */
  quiet: Measurement | undefined
  /** The same requests to a service without a worker. */
  alone?: Measurement
}

export async function benchTrack(dataDir: string): Promise<void> {
  const fastify = await measureBareFastify(dataDir, tracking)
  const service = await startService({ dataDir })
  try {
    const quiet = await startService({
      dataDir,
      env: { DATABASE_URL: service.databaseUrl, ROLE: 'api', LOG_LEVEL: 'warn' },
    })
    const figures = await takeTurns(service, tracking, quiet).finally(() => quiet.stop())
    const bars = [atLeast(figures.served.perSecond / figures.bare.perSecond, 1, 'ratio')]
    report(tracking, figures, bars, { fastify, atLeast: 0.85 })
  } finally {
    await service.stop()
  }
}

export async function benchSend(dataDir: string): Promise<void> {
  await benchCompose()
  const fastify = await measureBareFastify(dataDir, sending)
  const service = await startService({ dataDir })
  const figures = await takeTurns(service, sending).finally(() => service.stop())
  const { bare, served } = figures
  const bars = [atLeast(served.perSecond / bare.perSecond, 1, 'ratio'), under(served.p99Ms, 60, 'p99 ms')]
  report(sending, { ...figures, alone: await measureAlone(dataDir, sending) }, bars, { fastify, atLeast: 0.5 })
}

/** The limits that requests are compared with deliver nothing, so this shows how much of the difference is delivery. */
async function measureAlone(dataDir: string, traffic: Traffic): Promise<Measurement> {
  const own = path.join(dataDir, 'alone')
  await mkdir(own)
  const service = await startService({ dataDir: own, env: { ROLE: 'api' } })
  const rounds: Measurement[] = []
  try {
    for (let round = 1; round <= ROUNDS; round++) rounds.push(await loadService(service, traffic, round))
  } finally {
    await service.stop()
  }
  return medianOf(rounds)
}

/**
 * In every turn the service's worker delivers what the statements enqueue, and each turn starts with an empty queue.
 */
async function takeTurns(service: Service, traffic: Traffic, second?: Service): Promise<Figures> {
  const bare: Measurement[] = []
  const minimal: Measurement[] = []
  const served: Measurement[] = []
  const quiet: Measurement[] = []
  await createMinimalTables(service)
  for (let round = 1; round <= ROUNDS; round++) {
    const calls = traffic.calls(CONNECTIONS, `bare-${round}`, service.keys.projectId)
    bare.push(await loopSql({ databaseUrl: service.databaseUrl, calls, ...times(round) }, service.parties))
    await waitForIdleQueue(service)
    const least = minimalCalls(CONNECTIONS, `minimal-${round}`)
    minimal.push(await loopSql({ databaseUrl: service.databaseUrl, calls: least, ...times(round) }, service.parties))
    const processorSoFar = watchProcessor(service.parties)
    const load = await loadService(service, traffic, round)
    await waitForIdleQueue(service)
    served.push({ ...load, processor: processorSoFar(load.answered) })
    if (second) quiet.push(await loadService(second, traffic, round))
  }
  return {
    bare: medianOf(bare),
    minimal: medianOf(minimal),
    served: medianOf(served),
    quiet: second && medianOf(quiet),
  }
}

async function createMinimalTables({ databaseUrl }: Service): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(MINIMAL_TABLES).finally(() => client.end())
}

export function loadService(service: Service, traffic: Traffic, round: number): Promise<Loaded> {
  return load(
    {
      url: `${service.url}${traffic.path}`,
      headers: { authorization: `Bearer ${service.keys[traffic.key]}`, 'content-type': 'application/json' },
      bodies: traffic.bodies(CONNECTIONS, `${service.pid}-${round}`),
      ...times(round),
    },
    service.parties,
  )
}

async function measureBareFastify(dataDir: string, traffic: Traffic): Promise<Measurement> {
  const { url, ...fastify } = await startBareFastify(dataDir)
  const plan = {
    url,
    headers: { 'content-type': 'application/json' },
    bodies: traffic.bodies(CONNECTIONS, 'fastify'),
    ...times(1),
  }
  return load(plan, [{ name: 'Fastify', pid: fastify.pid }]).finally(() => fastify.stop())
}

/** The harder limit: a bare Fastify route and the minimal SQL, one after the other. */
interface Harder {
  fastify: Measurement
  atLeast: number
}

function report({ path }: Traffic, figures: Figures, bars: Bar[], { fastify, ...harder }: Harder): void {
  const { bare, minimal, served, quiet, alone } = figures
  const limit = oneAfterTheOther(fastify.perSecond, minimal.perSecond)
  const row = (name: string, m: Measurement | undefined, remark = '') =>
    m
      ? [
          [
            name,
            ...showUnit(m.processor),
            whole(m.perSecond),
            ratio(m.perSecond, bare.perSecond),
            tenths(m.p50Ms),
            tenths(m.p99Ms),
            ratio(m.p99Ms, bare.p99Ms),
            remark,
          ],
        ]
      : []
  printTable(
    `POST ${path}, ${CONNECTIONS} connections, median of ${ROUNDS} rounds of ${SECONDS} s`,
    ['', ...PROCESSOR_COLUMNS, 'requests/s', 'ratio', 'p50 ms', 'p99 ms', 'ratio', 'target'],
    [
      ...row('the same SQL, bare client: the limit', bare),
      ...row(`POST ${path}`, served, showBars(bars)),
      ...row('the same with LOG_LEVEL=warn', quiet),
      ...row('the same with ROLE=api: nothing is delivered', alone),
      ...row('a bare Fastify route (one round)', fastify),
      ...row('a minimal upsert and insert, bare client', minimal),
    ],
  )
  printTable(
    `POST ${path} against a bare Fastify route and a minimal upsert and insert, one after the other`,
    ['', 'requests/s', 'ratio', 'target'],
    [
      ['the harder limit', whole(limit), '1.00', ''],
      [
        `POST ${path}`,
        whole(served.perSecond),
        ratio(served.perSecond, limit),
        showBars([atLeast(served.perSecond / limit, harder.atLeast, 'ratio')]),
      ],
      ...(alone ? [['the same with ROLE=api', whole(alone.perSecond), ratio(alone.perSecond, limit), '']] : []),
    ],
  )
  const unit = showParts('a request and what follows from it', served.processor)
  console.log([unit, showCores('the bare SQL', bare), showCores(path, served)].filter(Boolean).join('\n'))
}
