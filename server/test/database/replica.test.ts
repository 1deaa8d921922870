/**
 * DATABASE_REPLICA_URL: which requests are read from a standby, that their responses are as fresh as the primary's, and that
 * the primary serves them if the standby can't. Both servers are real; the standby is reached through a proxy that can be cut.
 */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../app.ts'
import { openDatabase } from '../../platform/database/connection/connect.ts'
import { sqlState } from '../../platform/database/connection/transaction.ts'
import { migrate } from '../../platform/database/schema/migrate.ts'
import { publishCatalogue } from '../../platform/queue/job-table.ts'
import { portOf, startWithStandby, withPort } from '../faults/standby.ts'
import { CAMPAIGN, EXAMPLES } from '../gate/gate-examples.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { openCheckedLog } from '../known-secrets.ts'
import { eventually } from '../service-process.ts'
import { openProxy, type TcpProxy } from '../tcp-proxy.ts'

const home = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-replica-'))
let servers: Awaited<ReturnType<typeof startWithStandby>>
let proxy: TcpProxy
let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let isReachable = true

beforeAll(async () => {
  servers = await startWithStandby(home)
  const { primary, standby } = servers
  proxy = await openProxy(() => (isReachable ? portOf(standby) : undefined))
  await migrate(primary.url)
  const database = openDatabase({ url: primary.url, poolSize: 10, log: openCheckedLog() })
  await publishCatalogue(database.pool)
  app = await openTestApp(
    {
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URL: withPort(standby.url, proxy.port),
      DATABASE_REPLICA_MAX_LAG_MS: '2000', // other tests keep the machine busy
    },
    { ...database, url: primary.url },
  )
  project = await createProject(app)
  await readsFrom('replica')
})

afterAll(async () => {
  await app?.close()
  proxy?.close()
  await servers?.primary.stopNow()
  await servers?.standby.stopNow()
  fs.rmSync(home, { recursive: true, force: true })
})

const request = async (method: string, url: string, body?: unknown) => {
  const reply = await app.request(method, url, { key: project.secretKey, body })
  expect([reply.status, reply.body], `${method} ${url}`).toEqual([
    expect.toSatisfy((status) => status < 300),
    reply.body,
  ])
  return reply.body
}

/** How many requests each database has served. */
async function served(): Promise<{ replica: number; primary: number }> {
  const { body: text } = await app.request('GET', '/metrics')
  const count = (name: string) =>
    Number(
      new RegExp(`^posthorn_replica_reads_total\\{database="${name}",process="main"\\} (\\d+)`, 'm').exec(text)?.[1] ??
        0,
    )
  return { replica: count('replica'), primary: count('primary') }
}

async function servedBy(work: () => Promise<unknown>): Promise<{ replica: number; primary: number }> {
  const before = await served()
  await work()
  const after = await served()
  return { replica: after.replica - before.replica, primary: after.primary - before.primary }
}

/** Waits until a request is served by this database. */
const readsFrom = (database: 'replica' | 'primary') =>
  eventually(`requests are served by the ${database}`, 120_000, async () => {
    return (await servedBy(() => request('GET', '/contacts')))[database] === 1
  })

const onStandby = (...statements: string[]) => servers.asSuperuser(servers.standby, ...statements)

const addContact = (name: string) =>
  request('POST', '/contacts', { email: `${name}@example.org`, subscribed: true }) as Promise<{ id: string }>

const REPLICA_ROUTES = [
  'GET /activity',
  'GET /activity/recent-count',
  'GET /activity/stats',
  'GET /activity/types',
  'GET /activity/upcoming',
  'GET /analytics/breakdown',
  'GET /analytics/campaign-stats',
  'GET /analytics/confirmations',
  'GET /analytics/timeseries',
  'GET /analytics/top-campaigns',
  'GET /analytics/top-events',
  'GET /campaigns',
  'GET /campaigns/{id}/comparison',
  'GET /campaigns/{id}/recipients',
  'GET /campaigns/{id}/report',
  'GET /campaigns/{id}/stats',
  'GET /contacts',
  'GET /contacts/consents/export',
  'GET /contacts/export',
  'GET /contacts/fields',
  'GET /contacts/fields/{field}/values',
  'GET /contacts/{id}/consents',
  'GET /contacts/{id}/segments',
  'GET /contacts/{id}/timeline',
  'GET /emails',
  'GET /events',
  'GET /events/contact/{contactId}',
  'GET /events/names',
  'GET /events/stats',
  'GET /events/{eventName}/days',
  'GET /events/{eventName}/fields',
  'GET /forms',
  'GET /forms/{id}/spam',
  'GET /forms/{id}/stats',
  'GET /projects/{id}/audit-log',
  'GET /segments',
  'GET /segments/{id}/contacts',
  'GET /segments/{id}/history',
  'GET /suppressions',
  'GET /suppressions/export',
  'GET /tags',
  'GET /templates',
  'GET /topics',
  'GET /workflows',
  'GET /workflows/counts',
  'GET /workflows/failures',
  'GET /workflows/{id}/executions',
  'GET /workflows/{id}/stats',
  'POST /campaigns/audience-preview',
  'POST /segments/preview',
]

it('these requests can be read from the replica, and they change nothing', () => {
  const listed = routes.filter((route) => route.replica)
  expect(listed.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(REPLICA_ROUTES)
  expect(listed.filter(({ method, readOnly }) => method !== 'GET' && !readOnly)).toEqual([])
})

it('each of them is served by the standby', async () => {
  const contact = await addContact('reader')
  const created = {
    campaigns: (await request('POST', '/campaigns', CAMPAIGN)).id,
    contacts: contact.id,
    forms: (await request('POST', '/forms', { name: 'Newsletter' })).id,
    projects: project.id,
    segments: (await request('POST', '/segments', EXAMPLES['POST /segments'])).id,
    workflows: (await request('POST', '/workflows', EXAMPLES['POST /workflows'])).id,
  }
  const urlOf = (template: string) =>
    template
      .replace('{id}', created[template.split('/')[1] as keyof typeof created])
      .replace('{contactId}', contact.id)
      .replace('{field}', 'data.plan')
      .replace(/breakdown$/, 'breakdown?by=campaign')
  const scans = async () => Number((await onContactsOf('standby'))[0]!.scans) // counted by each server separately

  const before = await scans()
  for (const name of REPLICA_ROUTES) {
    const [method, template] = name.split(' ') as [string, string]
    const counts = await servedBy(() =>
      request(method, urlOf(template), method === 'POST' ? EXAMPLES[name] : undefined),
    )
    expect({ name, ...counts }).toEqual({ name, replica: 1, primary: 0 })
  }
  await eventually('the standby has counted scans of contacts', 120_000, async () => (await scans()) > before)
})

async function onContactsOf(server: 'primary' | 'standby') {
  const database = openDatabase({ url: servers[server].url, poolSize: 2, log: openCheckedLog() })
  try {
    const { rows } = await sql<{ scans: number }>`
      select coalesce(seq_scan, 0) + coalesce(idx_scan, 0) as scans from pg_stat_user_tables where relname = 'contacts'`.execute(
      database.db,
    )
    return rows
  } finally {
    await database.close()
  }
}

it('a list includes what was written just before, although the standby serves it', async () => {
  const counts = await servedBy(async () => {
    for (let i = 0; i < 20; i++) {
      const { id } = await addContact(`fresh-${i}`)
      const { data } = await request('GET', '/contacts?limit=1')
      expect(data[0].id).toBe(id)
    }
  })
  expect(counts.replica).toBeGreaterThan(0)
})

it('a list includes commits that are not on disk yet', async () => {
  const counts = await servedBy(async () => {
    for (let i = 0; i < 10; i++) {
      await app.pool.query(`
        begin; set local synchronous_commit = off;
        update contacts set data = '{"round": ${i}}' where project_id = '${project.id}' and email = 'reader@example.org'; commit`)
      const { data } = await request('GET', '/contacts?search=reader@example.org')
      expect(data[0].data).toEqual({ round: i })
    }
  })
  expect(counts.replica).toBeGreaterThan(0)
})

it('while the standby is too far behind, the primary serves fresh lists without waiting each time', async () => {
  await onStandby('select pg_wal_replay_pause()')
  try {
    const counts = await servedBy(async () => {
      for (let i = 0; i < 5; i++) {
        const { id } = await addContact(`behind-${i}`)
        expect((await request('GET', '/contacts?limit=1')).data[0].id).toBe(id)
      }
    })
    expect(counts).toEqual({ replica: 0, primary: 5 })
    const { body: metrics } = await app.request('GET', '/metrics')
    expect(metrics).toMatch(/^posthorn_database_replica_lag_bytes\{process="main"\} ([1-9]\d*|Nan)$/m)
  } finally {
    await onStandby('select pg_wal_replay_resume()')
  }
  await readsFrom('replica')
})

it('a list read page by page skips nothing when some pages come from the primary', async () => {
  for (let i = 0; i < 10; i++) await addContact(`page-${i}`)
  const { rows } = await app.pool.query('select id from contacts where project_id = $1', [project.id])
  const seen = new Set<string>()
  const counts = await servedBy(async () => {
    let cursor: string | null = null
    for (let page = 0; page === 0 || cursor; page++) {
      await onStandby(page % 2 === 0 ? 'select pg_wal_replay_pause()' : 'select pg_wal_replay_resume()')
      await addContact(`meanwhile-${page}`)
      if (page % 2 === 1) await readsFrom('replica')
      const list: { data: Array<{ id: string }>; cursor: string | null } = await request(
        'GET',
        `/contacts?limit=15${cursor ? `&cursor=${cursor}` : ''}`,
      )
      for (const { id } of list.data) seen.add(id)
      cursor = list.cursor
    }
    await onStandby('select pg_wal_replay_resume()')
  })
  expect(rows.filter(({ id }) => !seen.has(id))).toEqual([])
  expect(counts.replica).toBeGreaterThan(1)
  expect(counts.primary).toBeGreaterThan(1)
  await readsFrom('replica')
})

it('a read that the standby cancels, because it conflicts with replication, is repeated on the primary', async () => {
  const { ctx, pool } = app
  await pool.query('create table short_lived (n int)')
  await onStandby('alter system set max_standby_streaming_delay = 0', 'select pg_reload_conf()')
  await readsFrom('replica')
  let canceledWith: string | undefined
  const reading = ctx.replica!.read<unknown>(Promise.resolve(true), async (onReplica) => {
    if (!onReplica) return 'the primary'
    try {
      return await sql`select pg_sleep(60), (select count(*) from short_lived)`.execute(ctx.replica!.db)
    } catch (error) {
      canceledWith = sqlState(error)
      throw error
    }
  })
  await eventually('the statement runs', 120_000, async () => {
    const rows = await onStandby(
      "select from pg_stat_activity where query like '%from short_lived%' and pid <> pg_backend_pid() and state = 'active'",
    )
    return rows.length === 1
  })
  await pool.query('drop table short_lived')
  expect([await reading, canceledWith]).toEqual(['the primary', '40001'])
  await onStandby('alter system reset max_standby_streaming_delay', 'select pg_reload_conf()')
})

it('requests succeed while connections to the standby break, and use it again later', async () => {
  await readsFrom('replica')
  const readers = Array.from({ length: 8 }, async () => {
    for (let i = 0; i < 20; i++) await request('GET', '/contacts')
  })
  isReachable = false
  proxy.closeConnections()
  await Promise.all(readers)
  expect(await servedBy(() => request('GET', '/contacts'))).toEqual({ replica: 0, primary: 1 })
  isReachable = true
  await readsFrom('replica')
})

it('a standby that stopped replying without closing its connections is read again over new ones', async () => {
  await readsFrom('replica')
  proxy.silenceConnections()
  await readsFrom('primary')
  await readsFrom('replica')
})

it('a promoted standby is no longer read, and refuses writes from here', async () => {
  await readsFrom('replica')
  await onStandby('select pg_promote()')
  const { id } = await addContact('after-promotion')
  const counts = await servedBy(async () => {
    expect((await request('GET', '/contacts?limit=1')).data[0].id).toBe(id)
  })
  expect(counts).toEqual({ replica: 0, primary: 1 })
  const write = app.ctx.replica!.db.updateTable('contacts').set({ subscribed: false }).where('id', '=', id).execute()
  await expect(write).rejects.toMatchObject({ code: '25006' })
})
