/**
 * API requests and delivery at the same time: a full outbox is sent to a mail server, first alone, then while 64
 * connections call POST /v1/send, then alone again. Neither should slow the other down much.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { load } from '../load/load.ts'
import { atLeast, printTable, ratio, showBars, showCores, tenths, under, whole } from '../report.ts'
import { startService } from '../service.ts'
import { startSink } from '../sink.ts'
import { sending } from '../traffic.ts'
import { fillOutbox } from './delivery.ts'

const CONNECTIONS = 64
const SECONDS = Number(process.env.BENCH_SECONDS ?? 60)
const ALONE_SECONDS = SECONDS / 3
const WARM_UP_SECONDS = 5
/** More than any machine sends in that time. */
const EMAILS = Number(process.env.BENCH_EMAILS ?? 400_000)

export async function benchConcurrent(dataDir: string): Promise<void> {
  const sink = await startSink()
  await (await startService({ dataDir })).stop() // the first start creates a project only while email is captured
  const env = { LOG_LEVEL: 'warn', MAIL_URL: `smtp://127.0.0.1:${sink.port}?tls=off` }
  const service = await startService({ dataDir, env })
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  const countAccepted = async () => (await sink.counts()).messages

  async function rateAlone(): Promise<number> {
    const before = await countAccepted()
    await sleep(ALONE_SECONDS * 1000)
    return ((await countAccepted()) - before) / ALONE_SECONDS
  }

  try {
    await fillOutbox(service, client, EMAILS)
    await sleep(WARM_UP_SECONDS * 1000)
    const first = await rateAlone()
    let concurrentFrom = 0
    const measuring = sleep(WARM_UP_SECONDS * 1000).then(async () => {
      concurrentFrom = await countAccepted()
    })
    const calls = await load(
      {
        url: `${service.url}${sending.path}`,
        headers: { authorization: `Bearer ${service.keys.secretKey}`, 'content-type': 'application/json' },
        bodies: sending.bodies(CONNECTIONS, 'concurrent'),
        warmUpSeconds: WARM_UP_SECONDS,
        seconds: SECONDS,
      },
      [...service.parties, sink.party],
    )
    await measuring
    const concurrent = ((await countAccepted()) - concurrentFrom) / SECONDS
    const last = await rateAlone()
    const alone = (first + last) / 2
    const { rows } = await client.query(`select exists (select from emails where status = 'PENDING') as "isFull"`)
    if (!rows[0].isFull) throw new Error(`${whole(EMAILS)} emails were not enough. Set BENCH_EMAILS to more.`)

    printTable(
      `POST /v1/send at ${CONNECTIONS} connections for ${SECONDS} s, during delivery from a full outbox`,
      ['', 'per second', 'ratio', 'p50 ms', 'p99 ms', 'ratio', 'bars'],
      [
        ['emails sent without callers', whole(alone), '1.00', '', '', '', ''],
        [
          'emails sent during these requests',
          whole(concurrent),
          ratio(concurrent, alone),
          '',
          '',
          '',
          showBars([atLeast(concurrent / alone, 0.7, 'ratio')]),
        ],
        [
          'requests',
          whole(calls.perSecond),
          '',
          tenths(calls.p50Ms),
          tenths(calls.p99Ms),
          ratio(calls.p99Ms, calls.p50Ms),
          showBars([under(calls.p99Ms / calls.p50Ms, 2.5, 'p99 / p50')]),
        ],
      ],
    )
    console.log(showCores('the requests', calls))
  } finally {
    await client.end()
    await service.stop()
    sink.stop()
  }
}
