/** The time from `npm start` on an existing DATA_DIR to the first 200 response, and the memory of the idle service. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from '../child.ts'
import { type Party, proportionalMegabytes } from '../cores.ts'
import { startBareFastify } from '../limits/bare-fastify.ts'
import { startBareNode, startBareNpm, startBarePostgres } from '../limits/bare-start.ts'
import { median } from '../measure.ts'
import { printTable, ratio, showBars, tenths, under } from '../report.ts'
import { startService } from '../service.ts'

const STARTS = 5
const IDLE_MS = 5_000

export async function benchStart(dataDir: string): Promise<void> {
  const first = await startAndStop(() => startService({ dataDir, throughNpm: true }))
  const times = { node: [] as number[], npm: [] as number[], postgres: [] as number[], service: [] as number[] }
  for (let round = 1; round <= STARTS; round++) {
    times.node.push(startBareNode())
    times.npm.push(startBareNpm(dataDir))
    times.postgres.push(await startBarePostgres(dataDir))
    times.service.push(await startAndStop(() => startService({ dataDir, throughNpm: true })))
  }
  const [node, npm, postgres, service] = Object.values(times).map((list) => median(list) / 1000) as [
    number,
    number,
    number,
    number,
  ]
  const bare = node + npm + postgres
  const fastify = await startBareFastify(dataDir)
  const bareMemory = await idleMemory(fastify, [{ name: 'Fastify', pid: fastify.pid }])
  const started = await startService({ dataDir })
  const memory = await idleMemory(started, started.parties)

  const seconds = (name: string, value: number, remark = '') => [
    name,
    `${value.toFixed(2)} s`,
    ratio(value, bare),
    remark,
  ]
  printTable(
    `Start and memory, median of ${STARTS} starts`,
    ['', 'measured', 'ratio', 'target'],
    [
      seconds('bare node', node),
      seconds('bare npm', npm),
      seconds('bare PostgreSQL', postgres),
      seconds('the three together', bare),
      seconds(
        'npm start on an existing DATA_DIR',
        service,
        showBars([under(service, 2, 's'), under(service / bare, 3, 'ratio')]),
      ),
      seconds('npm start on an empty DATA_DIR (once)', first / 1000),
      ...(bareMemory && memory
        ? [
            ['idle memory of a bare Fastify', `${tenths(bareMemory)} MB`, '1.00', ''],
            [
              'idle memory of the service, its worker and PostgreSQL',
              `${tenths(memory)} MB`,
              ratio(memory, bareMemory),
              showBars([under(memory, 300, 'MB')]),
            ],
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

async function idleMemory(child: Child, parties: Party[]): Promise<number | undefined> {
  await sleep(IDLE_MS)
  return Promise.resolve(proportionalMegabytes(parties)).finally(() => child.stop())
}
