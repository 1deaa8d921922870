/**
 * What DATA_ENCRYPTION costs: requests to send, and captured emails from a full outbox, with it off and on in turns.
 * The outbox of the second is filled with one readable content, so its figure shows what encrypting each message costs.
 */

import { type Measurement, median, medianOf } from '../measure.ts'
import { atLeast, printTable, ratio, showBars, showCores, tenths, whole } from '../report.ts'
import { startService, waitForIdleQueue } from '../service.ts'
import { sending } from '../traffic.ts'
import { measureDelivery } from './delivery.ts'
import { loadService } from './http.ts'

const ROUNDS = 3
const EMAILS = Math.min(Number(process.env.BENCH_EMAILS ?? 100_000), 20_000)
const MODES = ['off', 'on'] as const

export async function benchEncryption(dataDir: string): Promise<void> {
  const sent: Record<(typeof MODES)[number], Measurement[]> = { off: [], on: [] }
  const captured: Record<(typeof MODES)[number], number[]> = { off: [], on: [] }
  for (let round = 1; round <= ROUNDS; round++) {
    for (const mode of MODES) {
      const service = await startService({ dataDir, env: { DATA_ENCRYPTION: mode } })
      try {
        sent[mode].push(await loadService(service, sending, 1)) // a new process each time: the long warm-up
        await waitForIdleQueue(service)
      } finally {
        await service.stop()
      }
      const { perSecond } = await measureDelivery(dataDir, 'capture:', [], EMAILS, { DATA_ENCRYPTION: mode })
      captured[mode].push(perSecond)
    }
  }
  const [off, on] = [medianOf(sent.off), medianOf(sent.on)]
  const [without, encrypted] = [median(captured.off), median(captured.on)]
  printTable(
    `DATA_ENCRYPTION, median of ${ROUNDS} rounds`,
    ['', 'per second', 'ratio', 'p99 ms', 'target'],
    [
      ['POST /v1/send, off', whole(off.perSecond), '1.00', tenths(off.p99Ms), ''],
      [
        'POST /v1/send, on',
        whole(on.perSecond),
        ratio(on.perSecond, off.perSecond),
        tenths(on.p99Ms),
        showBars([atLeast(on.perSecond / off.perSecond, 0.9, 'ratio')]),
      ],
      [`${whole(EMAILS)} emails captured, off`, whole(without), '1.00', '', ''],
      [
        `${whole(EMAILS)} emails captured, on`,
        whole(encrypted),
        ratio(encrypted, without),
        '',
        showBars([atLeast(encrypted / without, 0.9, 'ratio')]),
      ],
    ],
  )
  console.log([showCores('send, off', off), showCores('send, on', on)].filter(Boolean).join('\n'))
}
