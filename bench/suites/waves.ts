/**
 * What variants, topics, a frequency cap and time zones cost a campaign: freezing its audience, and delivering its emails in waves,
 * compared with a plain campaign of the same contacts, in alternation.
 */
import pg from 'pg'
import { median } from '../measure.ts'
import { watchProcessor } from '../processor.ts'
import { atLeast, printTable, showBars, tenths, whole } from '../report.ts'
import { type Service, startService } from '../service.ts'
import { startSink } from '../sink.ts'
import { call, create, fill, until } from './campaign.ts'

const CONTACTS = Number(process.env.BENCH_CONTACTS ?? 1_000_000)
const EMAILS = Number(process.env.BENCH_EMAILS ?? 100_000)
const TURNS = 3
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Asia/Kolkata',
  'America/Sao_Paulo',
]
const DAY_MS = 86_400_000

export async function benchWaves(dataDir: string): Promise<void> {
  const first = await startService({ dataDir })
  await first.stop()
  const sink = await startSink()
  const env = { LOG_LEVEL: 'warn', MAIL_URL: `smtp://127.0.0.1:${sink.port}?tls=off` }
  const service = await startService({ dataDir, env })
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    const kinds = await listKinds(service)
    await fillWithZones(client, service.keys.projectId, CONTACTS)
    await report(
      `Freezing ${whole(CONTACTS)} contacts, median of ${TURNS}`,
      'contact',
      CONTACTS,
      0.6,
      await inTurn(kinds, (kind) => freeze(service, client, kind)),
    )
    await fillWithZones(client, service.keys.projectId, EMAILS)
    await deliver(service, client, kinds[0]!)
    await report(
      `Delivering ${whole(EMAILS)} emails to a mail server, median of ${TURNS}`,
      'email',
      EMAILS,
      0.9,
      await inTurn(kinds, (kind) => deliver(service, client, kind)),
    )
  } finally {
    await client.end()
    await service.stop()
    sink.stop()
  }
}

interface Kind {
  name: string
  /** Fields of the campaign. */
  fields: object
  /** What is sent to start it. */
  send: object
  variants: number
}

async function listKinds(service: Service): Promise<Kind[]> {
  const { id: topicId } = await call(service, 'POST', '/topics', {
    key: 'news',
    name: 'News',
    defaultSubscribed: true,
  })
  const fields = { topicId }
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)
  const at = (date: string) => ({ localTime: { date, time: '09:00', fallback: 'UTC' }, spreadMinutes: 1 })
  return [
    { name: 'plain', fields: {}, send: {}, variants: 0 },
    { name: 'a topic and time zones', fields, send: { freeze: at(tomorrow), deliver: at(yesterday) }, variants: 0 },
    { name: 'a topic and 5 variants', fields, send: {}, variants: 5 },
  ]
}

/** Contacts of all kinds of zones, some without one. */
async function fillWithZones(client: pg.Client, projectId: string, contacts: number): Promise<void> {
  await fill(client, projectId, contacts)
  await client.query(
    `update contacts set data = data || jsonb_build_object('timezone', ($2::text[])[1 + (data ->> 'n')::int % 7])
     where project_id = $1 and (data ->> 'n')::int % 7 < 6`,
    [projectId, ZONES],
  )
  const cap = { frequencyCap: { emails: 1_000, days: 7 } }
  await client.query('update projects set sending = sending || $2 where id = $1', [projectId, cap])
  await client.query('vacuum analyze contacts')
}

interface Turn {
  processorMs: number
  ms: number
}

async function inTurn(
  kinds: Kind[],
  work: (kind: Kind) => Promise<Turn>,
): Promise<Array<{ kind: Kind; turns: Turn[] }>> {
  const results = kinds.map((kind) => ({ kind, turns: [] as Turn[] }))
  for (let turn = 0; turn < TURNS; turn++) {
    for (const { kind, turns } of results) turns.push(await work(kind))
  }
  return results
}

async function report(
  title: string,
  unit: string,
  units: number,
  bar: number,
  results: Array<{ kind: Kind; turns: Turn[] }>,
): Promise<void> {
  const of = (turns: Turn[], field: keyof Turn) => median(turns.map((turn) => turn[field]))
  const plain = results[0]!.turns
  printTable(
    title,
    ['', `processor ms per 1,000 ${unit}s`, 'ratio', `${unit}s/s`, 'ratio', 'target'],
    results.map(({ kind, turns }, i) => {
      const byProcessor = of(plain, 'processorMs') / of(turns, 'processorMs')
      return [
        kind.name,
        tenths((of(turns, 'processorMs') / units) * 1000),
        byProcessor.toFixed(2),
        whole((units / of(turns, 'ms')) * 1000),
        (of(plain, 'ms') / of(turns, 'ms')).toFixed(2),
        i === 0 ? '' : showBars([atLeast(byProcessor, bar, 'processor ratio')]),
      ]
    }),
  )
}

async function prepare(service: Service, { fields, variants }: Kind): Promise<string> {
  const id = await create(service, fields)
  if (variants > 0) {
    const names = Array.from({ length: variants }, (_, i) => ({ name: `V${i}`, subject: `News ${i} for {{ name }}` }))
    const experiment = { variants: names, share: 50, metric: 'opens', waitMinutes: 10_080, winner: 'manual' }
    await call(service, 'PUT', `/campaigns/${id}/experiment`, experiment)
  }
  return id
}

/** Measures all processes of the service. A pause keeps the emails from being written while it is measured. */
async function freeze(service: Service, client: pg.Client, kind: Kind): Promise<Turn> {
  const id = await prepare(service, kind)
  const end = start(service)
  await call(service, 'POST', `/campaigns/${id}/send`, timingOf(kind, 'freeze'))
  await call(service, 'POST', `/campaigns/${id}/pause`)
  await until(async () => (await stateOf(client, id)).frozen_at !== null)
  const turn = end()
  await call(service, 'POST', `/campaigns/${id}/cancel`)
  await until(async () => (await client.query(LEFT_OVER)).rows.length === 0)
  return turn
}

/** Clearing them takes processor time, which would count for the next turn. */
const LEFT_OVER = `
  (select from campaign_recipients limit 1) union all (select from campaign_wave_recipients limit 1)`

/** Until all emails are sent. Of an experiment, a winner is chosen as soon as its test is sent. */
async function deliver(service: Service, client: pg.Client, kind: Kind): Promise<Turn> {
  await client.query('truncate emails, email_contents, events')
  const id = await prepare(service, kind)
  const end = start(service)
  await call(service, 'POST', `/campaigns/${id}/send`, timingOf(kind, 'deliver'))
  if (kind.variants > 0) {
    await until(async () => (await client.query(TEST_IS_WRITTEN, [id])).rows[0].written)
    await call(service, 'POST', `/campaigns/${id}/experiment/winner`, { variant: 'V0' })
  }
  await until(async () => (await stateOf(client, id)).status === 'SENT')
  return end()
}

const TEST_IS_WRITTEN = `
  select count(*) > 0 and bool_and(queued = recipients) as written from campaign_waves where campaign_id = $1 and variant is not null`

const timingOf = ({ send }: Kind, moment: string): object => (send as Record<string, object>)[moment] ?? {}

function start({ parties }: Service): () => Turn {
  const processorSoFar = watchProcessor(parties)
  const startedAt = performance.now()
  return () => ({ ms: performance.now() - startedAt, processorMs: processorSoFar(1)?.totalMs ?? Number.NaN })
}

const stateOf = async (client: pg.Client, id: string) =>
  (await client.query('select status, frozen_at from campaigns where id = $1', [id])).rows[0]
