/**
 * Segments by what contacts did, over a million contacts and ten million events: counting the contacts that match a condition
 * compared with the same handwritten query, in alternation.
 */
import pg from 'pg'
import { median } from '../../measure.ts'
import { watchProcessor } from '../../processor.ts'
import { printTable, ratio, showBars, tenths, under, whole } from '../../report.ts'
import { type Service, startService } from '../../service.ts'

const CONTACTS = Number(process.env.BENCH_CONTACTS ?? 1_000_000)
const EVENTS = Number(process.env.BENCH_EVENTS ?? 10_000_000)
const TURNS = 5
const LINK = 'https://shop.example/offer'

export async function benchBehavior(dataDir: string): Promise<void> {
  const service = await startService({ dataDir, env: { LOG_LEVEL: 'warn' } })
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    await fill(service, client)
    await benchCounts(service, client)
  } finally {
    await client.end()
    await service.stop()
  }
}

const FILLED = ['contacts', 'suppressions', 'events', 'emails', 'link_clicks']
const CONTACT_ID = `id_at(to_timestamp(1700000000) + (%) * interval '1 millisecond', 0)`
const contactId = (number: string) => CONTACT_ID.replace('%', number)
/** Evenly over the last 60 days. */
const moment = (rows: number) => `now() - interval '60 days' * (1 - i / ${rows}::float8)`

/**
 * Every fourth event is a purchase. Every contact got an email, and every fifth clicked its link. Triggers would count all of
 * these rows, which takes longer than the measurement.
 */
async function fill(service: Service, client: pg.Client): Promise<void> {
  const project = service.keys.projectId
  const { id: topic } = await call(service, 'POST', '/topics', {
    key: 'offers',
    name: 'Offers',
    defaultSubscribed: true,
  })
  const { rows } = await client.query('select number from topics where id = $1', [topic])
  const triggers = async (action: 'disable' | 'enable') => {
    for (const table of FILLED) await client.query(`alter table ${table} ${action} trigger user`)
  }
  await triggers('disable')
  const inBatches = async (count: number, sql: string, values: unknown[] = []) => {
    const batch = Math.ceil(count / 20)
    for (let from = 0; from < count; from += batch)
      await client.query(sql, [project, from, Math.min(from + batch, count) - 1, ...values])
  }
  await inBatches(
    CONTACTS,
    `insert into contacts (project_id, id, email, subscribed, subscribed_before, topics, data, created_at, updated_at)
     select $1, ${contactId('i')}, 'user' || i || '@mail' || i % 5000 || '.example.org', i % 5 > 0, true,
       case when i % 7 = 0 then array[-$4::int] else '{}' end, '{"plan": "pro"}', now(), now()
     from generate_series($2::bigint, $3::bigint) i`,
    [rows[0].number],
  )
  await inBatches(
    CONTACTS / 100,
    `insert into suppressions (project_id, email, id, reason, created_at)
     select $1, 'user' || i * 100 || '@mail' || (i * 100) % 5000 || '.example.org', gen_random_uuid(), 'MANUAL', now()
     from generate_series($2::bigint, $3::bigint) i`,
  )
  await inBatches(
    EVENTS,
    `insert into events (project_id, id, name, contact_id, data, created_at)
     select $1, id_at(at, (i % 4096)::int), case when i % 4 = 0 then 'purchase' else 'visit' end,
       ${contactId(`(i * 7919) % ${CONTACTS}`)}, jsonb_build_object('total', i % 100), at
     from generate_series($2::bigint, $3::bigint) i, lateral (select ${moment(EVENTS)} as at) as happened`,
  )
  await inBatches(
    CONTACTS,
    `insert into emails (project_id, id, contact_id, content_id, to_email, from_email, source_type, status, sent_at, delivered_at, created_at, updated_at)
     select $1, id_at(at, (i % 4096)::int), ${contactId(`(i * 31) % (${CONTACTS} / 2 + 1)`)}, gen_random_uuid(), 'a@example.org', 'us@example.com', 'CAMPAIGN',
       'DELIVERED', at, at, at, at
     from generate_series($2::bigint, $3::bigint) i, lateral (select ${moment(CONTACTS)} as at) as happened`,
  )
  await inBatches(
    CONTACTS / 5,
    `insert into link_clicks (project_id, email_id, link_hash, link, contact_id, clicks, first_at, last_at)
     select $1, gen_random_uuid(), gen_random_uuid(), case when i % 3 = 0 then '${LINK}' else 'https://shop.example/' || i % 40 end,
       ${contactId('i * 5')}, 1, now(), now() from generate_series($2::bigint, $3::bigint) i`,
  )
  await triggers('enable')
  await client.query(`vacuum analyze ${FILLED.join(', ')}`)
}

const PURCHASES = `select contact_id from events where project_id = $1 and name = 'purchase' and contact_id is not null`
const RECENT = `created_at > now() - interval '30 days' and id >= first_id_at(now() - interval '30 days')`
const AT_MOST_ONE = `not exists (select from (${PURCHASES} and ${RECENT} group by 1 having count(*) > 1) x where x.contact_id = contacts.id)`

interface BehaviorQuery {
  name: string
  filter: object
  /** A condition on contacts. */
  handwritten: string
}

const QUERIES: BehaviorQuery[] = [
  {
    name: 'an event at least twice in 30 days',
    filter: { field: 'event.purchase', operator: 'countAtLeast', value: 2, within: { value: 30, unit: 'days' } },
    handwritten: `id in (${PURCHASES} and ${RECENT} group by 1 having count(*) >= 2)`,
  },
  {
    name: 'an event at most once in 30 days',
    filter: { field: 'event.purchase', operator: 'countAtMost', value: 1, within: { value: 30, unit: 'days' } },
    handwritten: AT_MOST_ONE,
  },
  {
    name: 'an event with a property at least twice',
    filter: {
      field: 'event.purchase',
      operator: 'countAtLeast',
      value: 2,
      where: [{ property: 'total', operator: 'greaterThan', value: 50 }],
    },
    handwritten: `id in (${PURCHASES} and (data ->> 'total')::numeric > 50 group by 1 having count(*) >= 2)`,
  },
  {
    name: 'clicked a link',
    filter: {
      field: 'email.clicked',
      operator: 'triggered',
      where: [{ property: 'link', operator: 'equals', value: LINK }],
    },
    handwritten: `id in (select contact_id from link_clicks where project_id = $1 and link = '${LINK}')`,
  },
  {
    name: 'got at most one email in 30 days',
    filter: { field: 'email.sent', operator: 'countAtMost', value: 1, within: { value: 30, unit: 'days' } },
    handwritten: `not exists (select from (select contact_id from emails where project_id = $1 and sent_at > now() - interval '30 days'
      and contact_id is not null group by 1 having count(*) > 1) x where x.contact_id = contacts.id)`,
  },
  {
    name: 'receives a topic',
    filter: { field: 'topics.offers', operator: 'equals', value: true },
    handwritten: `subscribed and (paused_until is null or paused_until < now())
      and not (select -number from topics where project_id = $1 and key = 'offers') = any(topics)
      and not exists (select from suppressions s where s.project_id = contacts.project_id and s.email = contacts.email)`,
  },
]

async function benchCounts(service: Service, client: pg.Client): Promise<void> {
  const rows: string[][] = []
  for (const { name, filter, handwritten } of QUERIES) {
    const condition = { logic: 'AND', groups: [{ filters: [filter] }] }
    const { id } = await call(service, 'POST', '/segments', { name, condition })
    const bare = async () =>
      Number(
        (
          await client.query(`select count(*) from contacts where project_id = $1 and ${handwritten}`, [
            service.keys.projectId,
          ])
        ).rows[0].count,
      )
    const served = async () => (await call(service, 'POST', `/segments/${id}/refresh`)).memberCount as number
    const [limits, ours]: [Turn[], Turn[]] = [[], []]
    for (let turn = 0; turn < TURNS; turn++) {
      limits.push(await measured(service, bare))
      ours.push(await measured(service, served))
    }
    if (limits[0]!.count !== ours[0]!.count)
      throw new Error(`${name}: ${ours[0]!.count} contacts, but ${limits[0]!.count} handwritten.`)
    const of = (turns: Turn[], field: 'processorMs' | 'ms') => median(turns.map((turn) => turn[field]))
    const byProcessor = of(ours, 'processorMs') / of(limits, 'processorMs')
    rows.push([
      name,
      tenths(of(limits, 'processorMs')),
      tenths(of(ours, 'processorMs')),
      byProcessor.toFixed(2),
      tenths(of(limits, 'ms')),
      tenths(of(ours, 'ms')),
      ratio(of(ours, 'ms'), of(limits, 'ms')),
      showBars([under(byProcessor, 1.5, 'processor ratio')]),
    ])
  }
  printTable(
    `Counting contacts by what they did, among ${whole(CONTACTS)} with ${whole(EVENTS)} events, median of ${TURNS} calls`,
    ['', 'processor ms handwritten', 'served', 'ratio', 'ms handwritten', 'served', 'ratio', 'target'],
    rows,
  )
}

interface Turn {
  count: number
  processorMs: number
  ms: number
}

/** Measures all processes of the service. */
async function measured(service: Service, work: () => Promise<number>): Promise<Turn> {
  const processorSoFar = watchProcessor(service.parties)
  const startedAt = performance.now()
  const count = await work()
  return { count, ms: performance.now() - startedAt, processorMs: processorSoFar(1)?.totalMs ?? Number.NaN }
}

// biome-ignore lint/suspicious/noExplicitAny: replies of several shapes, looked at field by field.
async function call(service: Service, method: string, path: string, body?: unknown): Promise<any> {
  const reply = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${service.keys.secretKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${path} responded with ${reply.status}: ${await reply.text()}`)
  return reply.json()
}
