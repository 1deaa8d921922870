/** From `npm start` on a DATA_DIR that exists to the first 200, and what the service holds in memory once it is idle. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startBareFastify } from './bare-fastify.ts'
import type { Child } from './child.ts'
import { residentMegabytes } from './cores.ts'
import { median } from './measure.ts'
import { printTable, ratio, showBars, tenths, under } from './report.ts'
import { startService } from './service.ts'

const STARTS = 3
const IDLE_MS = 2_000

export async function benchStart(dataDir: string): Promise<void> {
  const first = await startAndStop(() => startService({ dataDir, throughNpm: true }))
  const fastify: number[] = []
  const again: number[] = []
  for (let round = 1; round <= STARTS; round++) {
    fastify.push(await startAndStop(() => startBareFastify(dataDir)))
    again.push(await startAndStop(() => startService({ dataDir, throughNpm: true })))
  }
  const bareMemory = await idleMemory(() => startBareFastify(dataDir))
  const memory = await idleMemory(() => startService({ dataDir }))

  const [bareSeconds, seconds] = [median(fastify) / 1000, median(again) / 1000]
  const row = (name: string, value: number, unit: string, of: number, remark = '') => [
    name,
    `${tenths(value)} ${unit}`,
    ratio(value, of),
    remark,
  ]
  printTable(
    `Start and memory, median of ${STARTS} starts`,
    ['', 'measured', 'ratio', 'bars'],
    [
      row('start of a bare Fastify', bareSeconds, 's', bareSeconds),
      row('npm start on an existing DATA_DIR', seconds, 's', bareSeconds, showBars([under(seconds, 3, 's')])),
      row('npm start on an empty DATA_DIR (once)', first / 1000, 's', bareSeconds),
      ...(bareMemory && memory
        ? [
            row('idle memory of a bare Fastify', bareMemory, 'MB', bareMemory),
            row('idle memory of the service', memory, 'MB', bareMemory, showBars([under(memory, 200, 'MB')])),
          ]
        : []),
    ],
  )
}

async function startAndStop(start: () => Promise<Child>): Promise<number> {
  const child = await start()
  await child.stop()
  return child.startMs
}

async function idleMemory(start: () => Promise<Child>): Promise<number | undefined> {
  const child = await start()
  await sleep(IDLE_MS)
  return Promise.resolve(residentMegabytes(child.pid)).finally(() => child.stop())
}
