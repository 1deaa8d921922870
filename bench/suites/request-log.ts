/**
 * What the request log costs: the processor time of recording and writing a request, as a share of that of the request. A
 * service with the log and one without can't be compared, because two equal services differ by several percent.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../server/context.ts'
import { createRequestLog, type RequestLog } from '../../server/features/record/requests/log.ts'
import { newId } from '../../server/kernel/ids.ts'
import { openDatabase } from '../../server/platform/database/connection/connect.ts'
import { openLog } from '../../server/platform/log.ts'
import { type Party, TICKS_PER_SECOND, ticksOfParty } from '../cores.ts'
import { median } from '../measure.ts'
import { watchProcessor } from '../processor.ts'
import { printTable, showBars, under } from '../report.ts'
import { type Service, startService } from '../service.ts'
import { tracking } from '../traffic.ts'
import { loadService } from './http.ts'

const ROUNDS = 5
const RECORDED = 200_000
const WARM_UP = 20_000
const IDLE_MS = 2_000
const IDLE_TICKS = 2
const IDLE_TRIES_MAX = 30
/** The log is written twice a second. */
const WRITES_PER_SECOND = 2

export async function benchRequestLog(dataDir: string): Promise<void> {
  const service = await startService({ dataDir, env: { ROLE: 'api' } })
  try {
    const requests = await measureRequests(service)
    if (!requests) {
      console.log('The processor time of the request log is measured on Linux only.')
      return
    }
    report(requests.ms, await measureLog(service, requests.perSecond))
  } finally {
    await service.stop()
  }
}

/** Milliseconds of processor time for a request, and how many arrive in a second. */
async function measureRequests(service: Service) {
  const ms: number[] = []
  const perSecond: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const processorSoFar = watchProcessor(service.parties)
    const load = await loadService(service, tracking, round + 1)
    const processor = processorSoFar(load.answered)
    if (!processor) return undefined
    if (round === 0) continue // a warm-up
    ms.push(processor.totalMs)
    perSecond.push(load.perSecond)
  }
  return { ms: median(ms), perSecond: median(perSecond) }
}

interface LogCost {
  recordingMs: number
  databaseMs: number
}

/** Milliseconds of processor time for recording and writing a request, in this process and in PostgreSQL. */
async function measureLog(service: Service, perSecond: number): Promise<LogCost> {
  const log = openLog({ level: 'warn', format: 'json' })
  const { db, close } = openDatabase({ url: service.databaseUrl, poolSize: 1, log })
  const requestLog = createRequestLog({ db, log, settings: { REQUEST_LOG: 'on' } } as Context)
  const postgres = service.parties.find(({ name }) => name === 'PostgreSQL')!
  const perWrite = Math.max(1, Math.round(perSecond / WRITES_PER_SECOND))
  try {
    await recordRequests(requestLog, service, idsOf(WARM_UP, perSecond), perWrite)
    const ids = idsOf(RECORDED, perSecond)
    await waitUntilIdle(postgres)
    const [before, ticks] = [process.cpuUsage(), ticksOfParty(postgres)]
    await recordRequests(requestLog, service, ids, perWrite)
    const { user, system } = process.cpuUsage(before)
    return {
      recordingMs: (user + system) / 1000 / RECORDED,
      databaseMs: ((ticksOfParty(postgres) - ticks) * 1000) / TICKS_PER_SECOND / RECORDED,
    }
  } finally {
    await requestLog.stop()
    await close()
  }
}

/** PostgreSQL still writes and analyzes what the requests before have left. */
async function waitUntilIdle(postgres: Party): Promise<void> {
  for (let tries = 0; tries < IDLE_TRIES_MAX; tries++) {
    const before = ticksOfParty(postgres)
    await sleep(IDLE_MS)
    if (ticksOfParty(postgres) - before <= IDLE_TICKS) return
  }
}

/** Every request has one, with or without the log. */
function idsOf(count: number, perSecond: number): string[] {
  const startedAt = Date.now()
  return Array.from({ length: count }, (_, n) => newId(new Date(startedAt + (n / perSecond) * 1000)))
}

/** As many for each write as there are in the service at this rate. */
async function recordRequests(
  requestLog: RequestLog,
  { keys }: Service,
  ids: string[],
  perWrite: number,
): Promise<void> {
  const { projectId } = keys
  const key = { type: 'public', id: null, name: 'Public key' } as const
  const url = tracking.path
  for (const [n, id] of ids.entries()) {
    requestLog.record({ projectId, key, id, method: 'POST', url, status: 200, durationMs: 3.5, ip: '127.0.0.1' })
    if (n % perWrite === 0) await requestLog.flush()
  }
  await requestLog.flush()
}

function report(requestMs: number, { recordingMs, databaseMs }: LogCost): void {
  const share = ((recordingMs + databaseMs) / requestMs) * 100
  const micro = (ms: number) => (ms * 1000).toFixed(1)
  printTable(
    'The request log and POST /v1/track, microseconds of processor time for a request',
    ['request', 'recording', 'PostgreSQL', 'share %', 'target'],
    [[micro(requestMs), micro(recordingMs), micro(databaseMs), share.toFixed(2), showBars([under(share, 2, '%')])]],
  )
}
