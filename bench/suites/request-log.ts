/**
 * What the request log costs: the processor time of requests to two processes of one database, with it and without, in
 * turns. A difference of a few percent shows only in the median of many short turns.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../measure.ts'
import { watchProcessor } from '../processor.ts'
import { printTable, showBars, under } from '../report.ts'
import { type Service, startService } from '../service.ts'
import { tracking } from '../traffic.ts'
import { loadService } from './http.ts'

const ROUNDS = 12
/** The log is written twice a second. */
const WRITTEN_WITHIN_MS = 3_000
const SIDES = ['without', 'with'] as const
type Side = (typeof SIDES)[number]

export async function benchRequestLog(dataDir: string): Promise<void> {
  const host = await startService({ dataDir }) // has the database and the worker
  const started: Service[] = []
  try {
    const start = async (setting: string) => {
      const env = { DATABASE_URL: host.databaseUrl, ROLE: 'api', REQUEST_LOG: setting }
      const service = await startService({ dataDir, env })
      started.push(service)
      return service
    }
    report(await takeTurns({ without: await start('off'), with: await start('on') }))
  } finally {
    for (const service of started) await service.stop()
    await host.stop()
  }
}

async function takeTurns(services: Record<Side, Service>): Promise<Record<Side, number[]>> {
  const ms: Record<Side, number[]> = { without: [], with: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    // Whichever is first has the caches of the other's turn, so they swap.
    for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
      const processorSoFar = watchProcessor(services[side].parties)
      const { answered } = await loadService(services[side], tracking, round + 1)
      await sleep(WRITTEN_WITHIN_MS)
      const processor = processorSoFar(answered)
      if (round > 0 && processor) ms[side].push(processor.totalMs) // the first round is a warm-up
    }
  }
  return ms
}

function report(ms: Record<Side, number[]>): void {
  if (ms.with.length === 0) {
    console.log('The processor time of the request log is measured on Linux only.')
    return
  }
  const share = (median(ms.with.map((each, round) => each / ms.without[round]!)) - 1) * 100
  printTable(
    `POST /v1/track with and without the request log, median of ${ROUNDS} rounds`,
    ['', 'processor ms', 'more %', 'target'],
    [
      ['without', median(ms.without).toFixed(3), '', ''],
      ['with', median(ms.with).toFixed(3), share.toFixed(1), showBars([under(share, 2, '%')])],
    ],
  )
}
