/**
 * Segments over a million contacts: counting and listing matching contacts compared with the same handwritten query, in
 * alternation, and updating the members of a tracked segment.
 */
import pg from 'pg'
import { median } from '../../measure.ts'
import { printTable, ratio, showBars, tenths, under, whole } from '../../report.ts'
import { type Service, startService } from '../../service.ts'

const CONTACTS = 1_000_000
const EVENTS = 200_000
const TURNS = 7

export async function benchSegments(dataDir: string): Promise<void> {
  const service = await startService({ dataDir, env: { LOG_LEVEL: 'warn' } })
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    await fill(client, service.keys.projectId)
    await benchQueries(service, client)
    await benchTracking(service, client)
  } finally {
    await client.end()
    await service.stop()
  }
}

/** Every tenth contact has two events. Contacts that another suite has created before don't matter. */
async function fill(client: pg.Client, projectId: string): Promise<void> {
  await client.query('delete from contacts where project_id = $1', [projectId])
  const batch = CONTACTS / 20
  for (let from = 0; from < CONTACTS; from += batch) {
    await client.query(
      `insert into contacts (project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at)
       select $1, id_at(to_timestamp(1700000000) + i * interval '1 millisecond', 0),
         'user' || i || '@mail' || i % 5000 || '.example.org', i % 5 > 0, true,
         jsonb_build_object('plan', (array['free','pro','team'])[1 + i % 3], 'age', i % 80, 'city', 'c' || i % 900), now(), now()
       from generate_series($2::bigint, $3::bigint) i`,
      [projectId, from, from + batch - 1],
    )
  }
  await client.query(
    `insert into events (project_id, id, name, contact_id, created_at)
     select $1, id_at(now(), row_number() over ()), 'signup', c.id, now()
     from (select id from contacts where project_id = $1 and (data ->> 'age')::int % 10 = 3) c, generate_series(1, 2)
     limit $2`,
    [projectId, EVENTS],
  )
  await client.query('vacuum analyze contacts, events')
}

interface SegmentQuery {
  name: string
  filters: object[]
  handwritten: string
}

const QUERIES: SegmentQuery[] = [
  {
    name: 'two filters on data',
    filters: [
      { field: 'data.plan', operator: 'equals', value: 'pro' },
      { field: 'data.age', operator: 'greaterThan', value: 40 },
    ],
    handwritten: `data ->> 'plan' = 'pro' and (data ->> 'age')::numeric > 40`,
  },
  {
    name: 'a value that few have',
    filters: [{ field: 'data.city', operator: 'equals', value: 'c7' }],
    handwritten: `data ->> 'city' = 'c7'`,
  },
  {
    name: 'data and an event of this month',
    filters: [
      { field: 'data.plan', operator: 'notEquals', value: 'free' },
      { field: 'event.signup', operator: 'triggeredWithin', value: 30, unit: 'days' },
    ],
    handwritten: `data ->> 'plan' <> 'free' and exists (select from events e where e.project_id = contacts.project_id
      and e.contact_id = contacts.id and e.name = 'signup' and e.created_at > now() - interval '30 days')`,
  },
]

async function benchQueries(service: Service, client: pg.Client): Promise<void> {
  const project = service.keys.projectId
  const rows: string[][] = []
  for (const { name, filters, handwritten } of QUERIES) {
    const condition = { logic: 'AND', groups: [{ filters }] }
    const { id } = await call(service, 'POST', '/segments', { name, condition })
    const from = `from contacts where project_id = $1 and ${handwritten}`
    const count = () => client.query(`select count(*) ${from}`, [project])
    const pairs: Array<[string, () => Promise<unknown>, () => Promise<unknown>]> = [
      [`${name}: count`, count, () => call(service, 'POST', `/segments/${id}/refresh`)],
      [`${name}: page and total`, count, () => call(service, 'GET', `/segments/${id}/contacts`)],
    ]
    for (const [what, bare, served] of pairs) {
      const limits: number[] = []
      const ours: number[] = []
      for (let turn = 0; turn < TURNS; turn++) {
        limits.push(await timed(bare))
        ours.push(await timed(served))
      }
      const [limit, our] = [median(limits), median(ours)]
      rows.push([what, tenths(limit), tenths(our), ratio(our, limit), showBars([under(our / limit, 1.5, 'ratio')])])
    }
  }
  printTable(
    `Contacts that match a condition, among ${whole(CONTACTS)}, median of ${TURNS} calls, one at a time`,
    ['', 'handwritten ms', 'served ms', 'ratio', 'target'],
    rows,
  )
}

/** At the first computation all contacts enter, with an event each; at the next, nothing has changed. */
async function benchTracking(service: Service, client: pg.Client): Promise<void> {
  const condition = { logic: 'AND', groups: [{ filters: QUERIES[0]!.filters }] }
  const segment = { name: 'tracked', condition, trackMembership: true }
  const { id, memberCount } = await call(service, 'POST', '/segments', segment)
  const compute = () => call(service, 'POST', `/segments/${id}/compute`)
  const entering = await timed(compute)
  await client.query('vacuum analyze segment_members')
  const again = median([await timed(compute), await timed(compute), await timed(compute)])
  printTable(
    `A tracked segment of ${whole(memberCount)} among ${whole(CONTACTS)} contacts`,
    ['', 'ms', 'target'],
    [
      ['everyone enters, with events', tenths(entering), ''],
      ['nothing changed', tenths(again), showBars([under(again, 3_000, 'ms')])],
    ],
  )
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
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
