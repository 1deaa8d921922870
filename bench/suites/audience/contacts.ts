/**
 * A project with a million contacts: each list endpoint compared with the same handwritten SQL, in alternation, and the
 * import of 100,000 rows compared with one handwritten insert of the same rows.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Client as HttpClient } from 'undici'
import { residentMegabytes } from '../../cores.ts'
import { median } from '../../measure.ts'
import { watchProcessor } from '../../processor.ts'
import {
  atLeast,
  PROCESSOR_COLUMNS,
  printTable,
  ratio,
  showBars,
  showParts,
  showUnit,
  tenths,
  under,
  whole,
} from '../../report.ts'
import { type Service, startService } from '../../service.ts'

const CONTACTS = 1_000_000
const IMPORT_ROWS = 100_000
const TURNS = 200
/** Enough for the code on both sides to be compiled, as in a service that has been running. */
const WARM_UP_TURNS = 2_000
const IMPORT_WITHIN_MS = 120_000

export async function benchContacts(dataDir: string): Promise<void> {
  const service = await startService({ dataDir, env: { LOG_LEVEL: 'warn' } })
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    await fill(client, service.keys.projectId)
    await benchLists(service, client)
    await benchImport(service, client)
  } finally {
    await client.end()
    await service.stop()
  }
}

/** IDs have ascending times, as in production. */
async function fill(client: pg.Client, projectId: string): Promise<void> {
  const batch = CONTACTS / 20
  for (let from = 0; from < CONTACTS; from += batch) {
    await client.query(
      `insert into contacts (project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at)
       select $1, (lpad(to_hex(1700000000000 + i), 12, '0') || '7000' || '8000' || lpad(to_hex(i), 12, '0'))::uuid,
         'user' || i || '@mail' || i % 5000 || '.example.org', i % 5 > 0, true,
         jsonb_build_object('plan', (array['free','pro','team'])[1 + i % 3], 'age', i % 80), now(), now()
       from generate_series($2::bigint, $3::bigint) i`,
      [projectId, from, from + batch - 1],
    )
  }
  await client.query('vacuum analyze contacts')
}

/** Some differences are folded into the counts and some are not, as in production. */
const KEPT_TOTAL = `
  select coalesce(sum(count), 0) from (
    select count from contact_counts where project_id = $1 and tally = 'contacts' and path = '{}'
    union all
    select change from contact_count_changes where project_id = $1 and tally = 'contacts'
  ) as parts`

const FIELDS = `
  select f.path, f.type, sum(parts.count) as contacts, (${KEPT_TOTAL}) as total
  from contact_fields f
  join (
    select path, count from contact_counts where project_id = $1 and tally = 'field'
    union all
    select path, change from contact_count_changes where project_id = $1 and tally = 'field'
  ) as parts on parts.path = f.path
  where f.project_id = $1 group by f.path, f.type having sum(parts.count) > 0`

interface Page {
  name: string
  path: string
  sql: string
  values: unknown[]
}

async function benchLists(service: Service, client: pg.Client): Promise<void> {
  const project = service.keys.projectId
  const columns = 'id, email, subscribed, data, created_at, updated_at'
  const deep = (await call(service, '/contacts?limit=100')).cursor
  const deepId = (
    await client.query('select id from contacts where project_id = $1 order by id desc offset 99 limit 1', [project])
  ).rows[0].id
  const newest = `select ${columns} from contacts where project_id = $1`
  const pages: Page[] = [
    {
      name: 'first page and total',
      path: '/contacts',
      sql: `select ${columns}, (${KEPT_TOTAL}) as total from contacts where project_id = $1 order by id desc limit 21`,
      values: [project],
    },
    {
      name: 'page by cursor',
      path: `/contacts?cursor=${deep}`,
      sql: `${newest} and id < $2 order by id desc limit 21`,
      values: [project, deepId],
    },
    {
      name: 'exact address',
      path: '/contacts?email=user4711@mail4711.example.org',
      sql: `${newest} and email = $2`,
      values: [project, 'user4711@mail4711.example.org'],
    },
    {
      name: 'part of an address',
      path: '/contacts?search=r47114@',
      sql: `${newest} and email like $2 order by id desc limit 21`,
      values: [project, '%r47114@%'],
    },
    {
      name: 'fields',
      path: '/contacts/fields',
      sql: FIELDS,
      values: [project],
    },
  ]
  // As little overhead as the PostgreSQL client: fetch takes longer for a request than the service does.
  const http = new HttpClient(service.url)
  const headers = { authorization: `Bearer ${service.keys.secretKey}` }
  const get = async (path: string) => {
    const reply = await http.request({ method: 'GET', path, headers })
    if (reply.statusCode !== 200)
      throw new Error(`${path} responded with ${reply.statusCode}: ${await reply.body.text()}`)
    return reply.body.json()
  }
  const alone: number[] = []
  for (let turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
    const ours = await timed(() => get('/config'))
    if (turn >= 0) alone.push(ours)
  }
  const rows: string[][] = [['HTTP only (GET /config)', '', tenths(median(alone)), '', '']]
  for (const { name, path, sql, values } of pages) {
    const bare: number[] = []
    const served: number[] = []
    for (let turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
      const [limit, ours] = [await timed(() => client.query(sql, values)), await timed(() => get(path))]
      if (turn < 0) continue
      bare.push(limit)
      served.push(ours)
    }
    const [limit, ours] = [median(bare), median(served)]
    const bars = [under(ours, 50, 'ms'), under(ours / limit, 2, 'ratio')]
    rows.push([name, tenths(limit), tenths(ours), ratio(ours, limit), showBars(bars)])
  }
  await http.close()
  printTable(
    `${whole(CONTACTS)} contacts, median of ${TURNS} calls, one at a time`,
    ['', 'bare SQL ms', 'served ms', 'ratio', 'target'],
    rows,
  )
}

async function benchImport(service: Service, client: pg.Client): Promise<void> {
  const lines = Array.from({ length: IMPORT_ROWS }, (_, i) => `import${i}@bulk.example.org,pro,${i % 90}`)
  const copySeconds = (await timed(() => copyRows(client, lines))) / 1000
  const memoryBefore = residentMegabytes(service.pid) ?? 0
  let peak = memoryBefore
  const processorSoFar = watchProcessor(service.parties)
  const startedAt = performance.now()
  const form = new FormData()
  form.append('file', new Blob([`email,plan,age\n${lines.join('\n')}\n`]), 'contacts.csv')
  const { jobId } = await call(service, '/contacts/import', { method: 'POST', body: form })
  for (;;) {
    const job = await call(service, `/contacts/import/${jobId}`)
    peak = Math.max(peak, residentMegabytes(service.pid) ?? 0)
    if (job.status === 'COMPLETED') break
    if (job.status === 'FAILED' || performance.now() - startedAt > IMPORT_WITHIN_MS)
      throw new Error(`The import ended as ${JSON.stringify(job)}.`)
    await sleep(50)
  }
  const perSecond = IMPORT_ROWS / ((performance.now() - startedAt) / 1000)
  const processor = processorSoFar(IMPORT_ROWS / 1_000)
  const limit = IMPORT_ROWS / copySeconds
  const bars = [atLeast(perSecond / limit, 0.5, 'ratio'), under(peak - memoryBefore, 100, 'MB')]
  printTable(
    `Import of ${whole(IMPORT_ROWS)} new rows into that project`,
    ['', ...PROCESSOR_COLUMNS, 'rows/s', 'ratio', 'memory MB', 'target'],
    [
      ['handwritten insert of the same rows', '', '', whole(limit), '1.00', '', ''],
      [
        'POST /contacts/import, processor time of 1,000 rows',
        ...showUnit(processor),
        whole(perSecond),
        ratio(perSecond, limit),
        `+${tenths(peak - memoryBefore)}`,
        showBars(bars),
      ],
    ],
  )
  console.log(showParts('1,000 rows', processor))
}

/** The same rows in one statement, into a table with the same indexes but without triggers. */
async function copyRows(client: pg.Client, lines: string[]): Promise<void> {
  await client.query('create table copied (like contacts including all)')
  await client.query(
    `insert into copied (project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at)
     select gen_random_uuid(), gen_random_uuid(), split_part(line, ',', 1), true, true,
       jsonb_build_object('plan', split_part(line, ',', 2), 'age', split_part(line, ',', 3)), now(), now()
     from unnest($1::text[]) line`,
    [lines],
  )
  await client.query('drop table copied')
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

// biome-ignore lint/suspicious/noExplicitAny: replies of several shapes, looked at field by field.
async function call(service: Service, path: string, init: RequestInit = {}): Promise<any> {
  const reply = await fetch(`${service.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${service.keys.secretKey}` },
  })
  if (!reply.ok) throw new Error(`${path} responded with ${reply.status}: ${await reply.text()}`)
  return reply.json()
}
