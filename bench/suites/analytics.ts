/**
 * A project with five million events: each endpoint that lists or counts them, one call at a time, and what maintained
 * counts cost POST /v1/track, alternating with and without them, including the job that adds them up.
 */
import pg from 'pg'
import { journalTallies } from '../../server/features/record/journal/tally-queries.ts'
import { openDatabase } from '../../server/platform/database/connection/connect.ts'
import { foldTallies } from '../../server/platform/database/tallies.ts'
import { openLog } from '../../server/platform/log.ts'
import { load } from '../load/load.ts'
import { median } from '../measure.ts'
import { atLeast, printTable, ratio, showBars, tenths, under, whole } from '../report.ts'
import { foldAll, type Service, startService, waitForIdleQueue } from '../service.ts'
import { tracking } from '../traffic.ts'

const EVENTS = Number(process.env.BENCH_EVENTS ?? 5_000_000)
const CONTACTS = EVENTS / 50
const NAMES = 40
const TURNS = 20
const ROUNDS = 5
const CONNECTIONS = 64
const SECONDS = 3

export async function benchAnalytics(dataDir: string): Promise<void> {
  const service = await startService({ dataDir, env: { LOG_LEVEL: 'warn' } })
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  const log = openLog({ level: 'silent', format: 'text' })
  const { db, close } = openDatabase({ url: service.databaseUrl, poolSize: 2, log })
  const fold = () => timed(() => foldTallies(db, journalTallies))
  try {
    await benchIngest(service, client, fold)
    await fill(client, service.keys.projectId)
    await foldAll(db, client, journalTallies)
    await client.query('vacuum analyze events, contacts, event_days, event_names, event_contacts')
    await benchEndpoints(service, client)
  } finally {
    await close()
    await client.end()
    await service.stop()
  }
}

/** Over the last 28 days, from contacts that have fifty each. Some names are frequent, most are not. */
async function fill(client: pg.Client, projectId: string): Promise<void> {
  await client.query(
    `insert into contacts (project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at)
     select $1, id_at(to_timestamp(1700000000) + i * interval '1 millisecond', 0), 'reader' || i || '@example.org', true, true,
       '{}', now(), now() from generate_series(1, $2::int) i on conflict do nothing`,
    [projectId, CONTACTS],
  )
  const batch = EVENTS / 20
  for (let from = 0; from < EVENTS; from += batch) {
    await client.query(
      `with person as materialized (
         select array_agg(id) as ids from contacts where project_id = $1 and email like 'reader%'
       ), moment as (
         select i, date_trunc('milliseconds', now() - interval '28 days' * (1 - i::float8 / $4)) as at
         from generate_series($2::bigint, $3::bigint) i
       )
       insert into events (project_id, id, name, contact_id, data, created_at)
       select $1, id_at(at, i % 4096), 'event-' || floor(power((i * 7919 % 1000) / 1000.0, 3) * $5),
         ids[1 + i * 31 % array_length(ids, 1)], '{"page": "/pricing"}', at
       from moment, person`,
      [projectId, from, from + batch - 1, EVENTS, NAMES],
    )
  }
}

async function benchEndpoints(service: Service, client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ contact_id: string }>(
    'select contact_id from events where project_id = $1 and contact_id is not null limit 1',
    [service.keys.projectId],
  )
  const contactId = rows[0]!.contact_id
  const { cursor } = await call(service, '/activity?limit=100')
  const paths = [
    '/events',
    '/events?name=event-3',
    `/events/contact/${contactId}`,
    '/events/stats',
    '/events/names',
    '/events/event-3/usage',
    '/activity',
    `/activity?cursor=${cursor}`,
    `/activity?types=event-39,workflow.failed`,
    `/activity?contactId=${contactId}`,
    '/activity/stats',
    '/activity/recent-count',
    '/activity/types',
    '/activity/upcoming',
    `/contacts/${contactId}/timeline`,
    '/analytics/timeseries',
    '/analytics/top-events',
    '/analytics/top-campaigns',
    '/analytics/campaign-stats',
  ]
  const table: string[][] = []
  for (const path of paths) {
    const took: number[] = []
    for (let turn = -5; turn < TURNS; turn++) {
      const ms = await timed(() => call(service, path))
      if (turn >= 0) took.push(ms)
    }
    const shown = path.replace(contactId, '{id}').replace(cursor, '…')
    table.push([
      `GET ${shown}`,
      tenths(median(took)),
      tenths(Math.max(...took)),
      showBars([under(median(took), 100, 'ms')]),
    ])
  }
  const title = `${whole(EVENTS)} events of ${whole(CONTACTS)} contacts, median of ${TURNS} calls, one at a time`
  printTable(title, ['', 'ms', 'slowest', 'target'], table)
}

/** Without the counts, events are still dispatched to workflows. */
async function benchIngest(service: Service, client: pg.Client, fold: () => Promise<number>): Promise<void> {
  const without: number[] = []
  const kept: number[] = []
  const folding: number[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    await client.query('alter table events disable trigger events_counted')
    without.push(await measureTrack(service, `without-${round}`))
    await client.query('alter table events enable trigger events_counted')
    await fold()
    kept.push(await measureTrack(service, `kept-${round}`))
    folding.push((await fold()) / 1000 / (SECONDS + 1))
  }
  await client.query('delete from events where project_id = $1', [service.keys.projectId])
  const [bare, counted, share] = [median(without), median(kept), median(folding)]
  const afterFolding = counted * (1 - share)
  printTable(
    `POST /v1/track, ${CONNECTIONS} connections, median of ${ROUNDS} turns of ${SECONDS} s`,
    ['', 'requests/s', 'ratio', 'target'],
    [
      ['without counts', whole(bare), '1.00', ''],
      [
        'with maintained counts',
        whole(counted),
        ratio(counted, bare),
        showBars([atLeast(counted / bare, 0.87, 'ratio')]),
      ],
      [
        `the same, minus the ${tenths(share * 100)}% of its time spent adding up counts`,
        whole(afterFolding),
        ratio(afterFolding, bare),
        '',
      ],
    ],
  )
}

async function measureTrack(service: Service, round: string): Promise<number> {
  await waitForIdleQueue(service)
  const plan = {
    url: `${service.url}${tracking.path}`,
    headers: { authorization: `Bearer ${service.keys.publicKey}`, 'content-type': 'application/json' },
    bodies: tracking.bodies(CONNECTIONS, round),
    warmUpSeconds: 1,
    seconds: SECONDS,
  }
  return (await load(plan, service.parties)).perSecond
}

// biome-ignore lint/suspicious/noExplicitAny: replies of many shapes, of which only the cursor is looked at.
async function call(service: Service, path: string): Promise<any> {
  const reply = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${service.keys.secretKey}` } })
  if (!reply.ok) throw new Error(`${path} responded with ${reply.status}: ${await reply.text()}`)
  return reply.json()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
