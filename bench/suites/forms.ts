/**
 * Submissions of a form at a steady rate, as after a post that many people read: with double opt-in, whose emails are
 * delivered meanwhile, and without. Visitors are new, except that one in ten has signed up before.
 */

import { steadyLoad } from '../load/steady-load.ts'
import { type Measurement, medianOf } from '../measure.ts'
import { watchProcessor } from '../processor.ts'
import { PROCESSOR_COLUMNS, printTable, showBars, showParts, showUnit, tenths, under, whole } from '../report.ts'
import { type Service, startService, waitForIdleQueue } from '../service.ts'

const ROUNDS = 3
const SECONDS = 10
const PER_SECOND = 200
const CONNECTIONS = 64
const WARM_UP_SECONDS = 2
/** Forms that are sent sooner are spam. */
const FILLED_IN_MS = 2_500

export async function benchForms(dataDir: string): Promise<void> {
  const service = await startService({ dataDir })
  try {
    const plain = await createForm(service, false)
    const confirmed = await createForm(service, true)
    const rounds: Record<'plain' | 'confirmed', Measurement[]> = { plain: [], confirmed: [] }
    for (let round = 1; round <= ROUNDS; round++) {
      rounds.plain.push(await submitForms(service, plain, `plain-${round}`))
      rounds.confirmed.push(await submitForms(service, confirmed, `confirmed-${round}`))
    }
    report({ plain: medianOf(rounds.plain), confirmed: medianOf(rounds.confirmed) })
  } finally {
    await service.stop()
  }
}

interface FormLink {
  page: string
  token: string
}

async function createForm({ url, keys }: Service, doubleOptIn: boolean): Promise<FormLink> {
  const response = await fetch(`${url}/forms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: `Newsletter ${doubleOptIn}`,
      fields: [
        { key: 'email', label: 'Email', type: 'email', required: true },
        { key: 'firstName', label: 'First name' },
      ],
      doubleOptIn,
      consentText: 'We send you our newsletter once a month.',
    }),
  })
  if (!response.ok) throw new Error(`POST /forms: ${response.status} ${await response.text()}`)
  const { id } = (await response.json()) as { id: string }
  const page = `${url}/f/${id}`
  const token = /name="_token" value="([^"]+)"/.exec(await (await fetch(page)).text())?.[1]
  if (!token) throw new Error('The page of the form has no token.')
  await new Promise((resolve) => setTimeout(resolve, FILLED_IN_MS))
  return { page, token }
}

async function submitForms(service: Service, { page, token }: FormLink, round: string): Promise<Measurement> {
  const visitors = (WARM_UP_SECONDS + SECONDS) * PER_SECOND
  const bodies = Array.from({ length: visitors }, (_, i) => {
    const email = i % 10 === 0 ? `known-${i % 500}@example.org` : `visitor-${round}-${i}@example.org`
    return JSON.stringify({ email, firstName: `Ada ${i}`, _token: token })
  })
  const headers = { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' }
  const plan = { url: page, headers, bodies, perSecond: PER_SECOND, connections: CONNECTIONS }
  const processorSoFar = watchProcessor(service.parties)
  const load = await steadyLoad({ ...plan, warmUpSeconds: WARM_UP_SECONDS, seconds: SECONDS }, service.parties)
  await waitForIdleQueue(service)
  return { ...load, processor: processorSoFar(load.answered) }
}

function report({ plain, confirmed }: { plain: Measurement; confirmed: Measurement }): void {
  const row = (name: string, { perSecond, p50Ms, p99Ms, processor }: Measurement) => [
    name,
    ...showUnit(processor),
    whole(perSecond),
    tenths(p50Ms),
    tenths(p99Ms),
    showBars([under(p99Ms, 100, 'p99 ms')]),
  ]
  printTable(
    `POST /f/{id} at a steady ${PER_SECOND} a second, median of ${ROUNDS} rounds of ${SECONDS} s`,
    ['', ...PROCESSOR_COLUMNS, 'submissions/s', 'p50 ms', 'p99 ms', 'target'],
    [row('a form', plain), row('a form with double opt-in, whose emails are captured meanwhile', confirmed)],
  )
  const parts = [showParts('a form', plain.processor), showParts('double opt-in', confirmed.processor)]
  console.log(parts.filter(Boolean).join('\n'))
}
