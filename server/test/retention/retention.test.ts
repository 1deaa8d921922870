/** Old events and emails are removed in whole months, counts by day stay, and archives can be restored. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tallies } from '../../app.ts'
import { deleteOldBodies } from '../../features/emails/actions.ts'
import { deleteOldEmails, deleteOldEvents, restoreArchive } from '../../features/retention/actions.ts'
import { makePartitions } from '../../platform/database/partitions.ts'
import { diskStorage } from '../../platform/storage/disk.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

type Project = Awaited<ReturnType<typeof createProject>>

const TABLES = ['events', 'emails', 'email_contents', 'email_notes'] as const
const EMAIL = { from: 'us@example.com', subject: 'A "quoted", subject\nhere', body: '<p>Hé\\N 😀</p>' }
const PEOPLE = ['ada@example.org', 'bob@example.org', 'bounce@simulator.posthorn.test']

let app: TestApp
let project: Project
let folder: string

const call = (method: string, url: string, body?: unknown, key = project.secretKey) =>
  app.request(method, url, { key, body })

async function goTo(day: string): Promise<void> {
  app.clock.set(new Date(`${day}T12:00:00.000Z`))
  await makePartitions(app.db, app.clock.now())
}

/** Events, transactional email and a campaign, on one day. */
async function makeTraffic(day: string): Promise<string> {
  await goTo(day)
  for (const email of PEOPLE) {
    await call('POST', '/events/track', { email, event: 'visit', data: { page: 'a,"b"\n', empty: '' } })
    await call('POST', '/v1/send', { to: email, ...EMAIL, subject: 'Hello' })
  }
  const { body } = await call('POST', '/campaigns', { name: day, ...EMAIL, subject: 'News', audienceType: 'ALL' })
  await call('POST', `/campaigns/${body.id}/send`)
  await app.drain()
  const [email] = (await call('GET', `/emails?campaignId=${body.id}`)).body.data
  await call('POST', `/emails/${email.id}/simulate`, { outcome: 'open' })
  await app.drain()
  await app.fold()
  return email.id
}

/** Everything the counts show, as the dashboard reads it. */
async function readStatistics(): Promise<unknown> {
  const { rows: counts } = await app.pool.query(`
    select 'usage' as of, month::text as key, source as name, count::text as counts from usage_counts
    union all select 'deliveries', day::text, '', concat_ws(' ', sent, bounces, complaints) from delivery_counts
    union all select 'campaign', campaign_id::text, '', concat_ws(' ', ended, sent, delivered, opened, bounced) from campaign_counts
    union all select 'day', day::text, name, count::text from event_days
    union all select 'emails', day::text, '', concat_ws(' ', sent, delivered, opened, bounced) from email_days
    order by 1, 2, 3`)
  const series = (await call('GET', '/analytics/timeseries?from=2027-01-01&to=2027-03-31')).body
  return { counts, series }
}

/** All rows as text, with the table they are in. */
async function dump(): Promise<string[]> {
  const texts: string[] = []
  for (const table of TABLES) {
    const { rows } = await app.pool.query(
      `select '${table} ' || t::text as text from ${table} t order by project_id, id`,
    )
    texts.push(...rows.map((row) => row.text))
  }
  return texts
}

const monthsOf = async (table: string): Promise<string[]> => {
  const { rows } = await app.pool.query(
    `select right(c.relname, 7) as month from pg_inherits join pg_class c on c.oid = inhrelid
     where inhparent = $1::regclass and c.relname !~ 'default$' order by 1`,
    [table],
  )
  return rows.map((row) => row.month)
}

const retiredTables = async () =>
  (
    await app.pool.query(`select relname as name from pg_class where relnamespace = 'posthorn_retired'::regnamespace
    and relkind = 'r'`)
  ).rows

const clean = async () => {
  await deleteOldEvents(app.ctx, tallies)
  await deleteOldEmails(app.ctx, tallies)
}

async function restoreAll(): Promise<void> {
  for (const name of (await readdir(folder)).sort()) {
    await restoreArchive(app.db, tallies, diskStorage(folder), name, new Date('2027-06-30T00:00:00Z'))
  }
  await app.fold()
}

async function open(env: Record<string, string>): Promise<void> {
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-archive-'))
  app = await openTestApp({ BODY_RETENTION_DAYS: '0', ...env, ...(env.ARCHIVE && { ARCHIVE: folder }) })
  for (const table of TABLES) {
    for (const month of await monthsOf(table)) await app.pool.query(`drop table ${table}_${month}`)
  }
  await goTo('2027-01-10')
  project = await createProject(app)
  for (const email of PEOPLE) await call('POST', '/contacts', { email, subscribed: true })
}
const close = async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
}

describe('without retention settings', () => {
  beforeAll(() => open({}))
  afterAll(close)

  it('nothing is removed, however old it is', async () => {
    await makeTraffic('2027-01-10')
    await goTo('2040-01-01')
    const before = await dump()
    await clean()
    expect(await dump()).toEqual(before)
    expect((await app.pool.query('select from retired_tables')).rowCount).toBe(0)
  })
})

describe('with retention settings', () => {
  beforeEach(() => open({ EVENT_RETENTION_DAYS: '30', EMAIL_RETENTION_DAYS: '30' }))
  afterEach(close)

  it('whole months are dropped, and every statistic stays the same, also after a rebuild', async () => {
    const old = await makeTraffic('2027-01-15')
    const recent = await makeTraffic('2027-02-15')
    await goTo('2027-03-20')
    const before = await readStatistics()
    await clean()
    await app.fold()
    for (const table of TABLES) expect(await monthsOf(table), table).not.toContain('2027_01')
    expect(await monthsOf('events')).toContain('2027_02')
    expect(await retiredTables()).toEqual([])
    expect(await readStatistics()).toEqual(before)
    expect(await app.rebuild()).toEqual({})
    await app.fold()
    expect(await readStatistics()).toEqual(before)

    expect((await call('GET', `/emails/${recent}`)).status).toBe(200)
    const gone = await call('GET', `/emails/${old}`)
    expect(gone.status).toBe(404)
    expect(gone.body.error.message).toContain('older than the retention period of 30 days')
  })

  it('rebuild-analytics still corrects the counts of dropped months', async () => {
    await makeTraffic('2027-01-15')
    await goTo('2027-03-20')
    await clean()
    await app.fold()
    const before = await readStatistics()
    await app.pool.query('update event_days set count = count + 5')
    await app.pool.query('delete from email_days')
    await app.pool.query('update campaign_counts set sent = sent + 3')
    expect(Object.keys(await app.rebuild()).sort()).toEqual(['campaigns', 'emails by day', 'events by day'])
    await app.fold()
    expect(await readStatistics()).toEqual(before)
  })

  it('the list and the names of events contain only stored events', async () => {
    await makeTraffic('2027-01-15')
    await goTo('2027-03-20')
    await call('POST', '/events/track', { email: PEOPLE[0], event: 'late' })
    await clean()
    const expected = { total: 1, data: [{ name: 'late', count: 1, contacts: 1 }] }
    expect((await call('GET', '/events/stats')).body).toEqual(expected)
    await app.fold()
    expect((await call('GET', '/events/stats')).body).toEqual(expected)
    expect((await call('GET', '/events?limit=10')).body).toMatchObject({ total: 1, data: [{ name: 'late' }] })
  })

  it('deleting events by name and resetting the project remove the counts of dropped events too', async () => {
    await makeTraffic('2027-01-15')
    await goTo('2027-03-20')
    await clean()
    const daysOf = async () =>
      (await app.pool.query('select name, sum(count)::int as count from event_days group by 1 having sum(count) <> 0'))
        .rows
    expect(await daysOf()).toContainEqual({ name: 'visit', count: 3 })
    await call('DELETE', '/events/visit')
    await app.fold()
    expect((await daysOf()).map((day) => day.name)).not.toContain('visit')
    expect(await app.rebuild()).toEqual({})

    expect((await call('POST', `/users/@me/projects/${project.id}/reset`, {})).status).toBe(200)
    await app.drain()
    await app.fold()
    expect(await daysOf()).toEqual([])
    expect((await app.pool.query('select from dropped_counts')).rowCount).toBe(0)
    expect(await app.rebuild()).toEqual({})
  })

  it('old rows in the default partition are removed in batches, and others stay', async () => {
    await makeTraffic('2027-01-15')
    await makeTraffic('2027-02-15')
    const before = await readStatistics()
    for (const table of TABLES) {
      for (const month of ['2027_01', '2027_02']) {
        await app.pool.query(`alter table ${table} detach partition ${table}_${month}`)
        await app.pool.query(`insert into ${table}_default select * from ${table}_${month}`)
        await app.pool.query(`drop table ${table}_${month}`)
      }
    }
    await goTo('2027-03-20')
    await clean()
    const { rows } = await app.pool.query(`
      select 'events' as table, min(created_at) as oldest from events union all select 'emails', min(created_at) from emails`)
    for (const { oldest } of rows) expect(oldest.toISOString().slice(0, 7)).toBe('2027-02')
    expect(await app.rebuild()).toEqual({})
    expect(await readStatistics()).toEqual(before)
  })

  it('no note on an email outlives it, and no row of a test email', async () => {
    await makeTraffic('2027-01-15')
    await app.pool.query(
      `insert into email_notes (project_id, id, email_id, kind, words, at)
       select project_id, ('0' || to_hex((extract(epoch from timestamptz '2027-02-20') * 1000)::bigint) || '70008000000000000001')::uuid,
         id, 'email.bounce', 'late', now() from emails order by id limit 1`,
    )
    await app.pool.query('insert into test_emails select project_id, id, null from emails')
    await goTo('2027-03-20')
    await clean()
    for (const table of ['email_notes', 'test_emails', 'captured_messages', 'emails', 'email_contents']) {
      const { rowCount } = await app.pool.query(`select from ${table}`)
      expect(rowCount, table).toBe(0)
    }
  })

  it.each([
    [
      'an email that is not sent yet',
      "update emails set status = 'PENDING' where id = (select id from emails limit 1)",
    ],
    ['the content of an unfinished campaign', "update campaigns set status = 'SENDING'"],
  ])('a month with %s is kept', async (_what, change) => {
    await makeTraffic('2027-01-15')
    await app.pool.query(change)
    const emails = (await app.pool.query('select from emails')).rowCount
    await goTo('2027-03-20')
    await clean()
    expect((await app.pool.query('select from emails')).rowCount).toBe(emails)
    expect((await app.pool.query('select from events')).rowCount).toBe(0)
  })

  it('a rebuild between detaching a month and counting it finds nothing to correct', async () => {
    await makeTraffic('2027-01-15')
    await goTo('2027-03-20')
    await app.pool.query('alter table dropped_counts rename to dropped_counts_away') // counting fails, as in a crash
    await expect(clean()).rejects.toThrow('dropped_counts')
    await app.pool.query('alter table dropped_counts_away rename to dropped_counts')
    expect(await retiredTables()).toHaveLength(1)
    const before = await readStatistics()
    expect(await app.rebuild()).toEqual({})
    await clean()
    await app.fold()
    expect(await retiredTables()).toEqual([])
    expect(await app.rebuild()).toEqual({})
    expect(await readStatistics()).toEqual(before)
  })
})

describe('with an archive', () => {
  beforeEach(() => open({ EVENT_RETENTION_DAYS: '30', EMAIL_RETENTION_DAYS: '30', ARCHIVE: 'folder' }))
  afterEach(close)

  it('restored rows are the same as before, are kept, and are archived again later', async () => {
    await makeTraffic('2027-01-15')
    await goTo('2027-03-20')
    const before = await dump()
    const statistics = await readStatistics()
    await clean()
    expect(await dump()).toEqual([])
    const manifests = await Promise.all(
      (await readdir(folder)).map(async (name) => {
        return JSON.parse(await readFile(path.join(folder, name, 'manifest.json'), 'utf8'))
      }),
    )
    expect(manifests.map((manifest) => manifest.table).sort()).toEqual([...TABLES].sort())
    expect(manifests.reduce((sum, manifest) => sum + manifest.rows, 0)).toBe(before.length)

    await restoreAll()
    expect(await dump()).toEqual(before)
    expect(await readStatistics()).toEqual(statistics)
    expect(await app.rebuild()).toEqual({})
    expect((await app.pool.query('select from dropped_counts where counts[1] <> 0')).rowCount).toBe(0)
    await restoreAll() // a second time changes nothing
    expect(await dump()).toEqual(before)
    expect(await app.rebuild()).toEqual({})

    await clean()
    await deleteOldBodies({ ...app.ctx, settings: { ...app.ctx.settings, BODY_RETENTION_DAYS: 1 } })
    expect(await dump()).toEqual(before)
    await goTo('2027-07-01')
    await clean()
    expect(await dump()).toEqual([])
    expect(await readdir(folder)).toHaveLength(2 * TABLES.length)
    await app.fold()
    expect(await readStatistics()).toEqual(statistics)
    expect(await app.rebuild()).toEqual({})
  })

  it('the files are CSV that PostgreSQL reads', async () => {
    await makeTraffic('2027-01-15')
    const { rows } = await app.pool.query('select count(*)::int as count, min(data::text) as data from events')
    await goTo('2027-03-20')
    await deleteOldEvents(app.ctx, tallies)
    const [name] = await readdir(folder)
    const text = gunzipSync(await readFile(path.join(folder, name!, '0001.csv.gz'))).toString()
    expect(text.split('\n')[0]).toBe('project_id,id,name,contact_id,email_id,data,created_at')
    expect(text.match(/^[0-9a-f-]{36},/gm)).toHaveLength(rows[0].count)
    expect(text).toContain(`"{""page"": ""a,\\""b\\""\\n"", ""empty"": """"}"`)
  })

  it('a crash before the drop loses nothing and leaves one archive', async () => {
    await makeTraffic('2027-01-15')
    await goTo('2027-03-20')
    const before = await dump()
    await app.pool.query('alter table retired_tables rename column dropped_at to dropped_at_away')
    await app.pool.query('alter table retired_tables add column dropped_at timestamptz check (dropped_at is null)')
    await expect(clean()).rejects.toThrow('dropped_at')
    expect(await retiredTables()).toHaveLength(1)
    expect(await readdir(folder)).toHaveLength(1)
    await app.pool.query('alter table retired_tables drop column dropped_at')
    await app.pool.query('alter table retired_tables rename column dropped_at_away to dropped_at')
    await clean()
    expect(await retiredTables()).toEqual([])
    expect(await readdir(folder)).toHaveLength(TABLES.length)
    await restoreAll()
    expect(await dump()).toEqual(before)
    expect(await app.rebuild()).toEqual({})
  })

  it('nothing is dropped while the archive is not available', async () => {
    await makeTraffic('2027-01-15')
    const { rowCount } = await app.pool.query('select from events')
    await goTo('2027-03-20')
    await rm(folder, { recursive: true })
    await writeFile(folder, 'a file where the folder should be')
    await expect(deleteOldEvents(app.ctx, tallies)).rejects.toThrow()
    const settings = { ...app.ctx.settings, ARCHIVE: '' } // of another process
    await deleteOldEvents({ ...app.ctx, settings }, tallies)
    const [retired] = await retiredTables()
    expect((await app.pool.query(`select from posthorn_retired.${retired.name}`)).rowCount).toBe(rowCount)
    await rm(folder)
    await deleteOldEvents(app.ctx, tallies)
    expect(await retiredTables()).toEqual([])
    expect(await app.rebuild()).toEqual({})
  })

  it('a damaged archive is refused and nothing is restored', async () => {
    await makeTraffic('2027-01-15')
    await goTo('2027-03-20')
    await deleteOldEvents(app.ctx, tallies)
    const [name] = await readdir(folder)
    const file = path.join(folder, name!, '0001.csv.gz')
    const bytes = await readFile(file)
    bytes[bytes.length - 6]! ^= 1
    await writeFile(file, bytes)
    const restoring = restoreArchive(app.db, tallies, diskStorage(folder), name!, app.clock.now())
    await expect(restoring).rejects.toThrow('is damaged')
    expect((await app.pool.query('select from events')).rowCount).toBe(0)
    expect(await retiredTables()).toEqual([])
    await expect(restoreArchive(app.db, tallies, diskStorage(folder), 'none', app.clock.now())).rejects.toThrow(
      'There is no complete archive none',
    )
  })

  it('data of contacts and projects that were deleted since is not restored', async () => {
    const own = project
    const other = await createProject(app)
    await makeTraffic('2027-01-15')
    await call('POST', '/events/track', { email: 'eve@example.org', event: 'other' }, other.secretKey)
    await goTo('2027-03-20')
    await clean()
    const { body } = await call('GET', '/contacts?search=ada')
    await call('DELETE', `/contacts/${body.data[0].id}`)
    const deletion = await app.request('DELETE', `/users/@me/projects/${other.id}`, { key: other.secretKey })
    expect(deletion.status).toBe(204)
    await app.drain()
    await restoreAll()
    await app.drain()
    const { rows } = await sql<{ project_id: string }>`select distinct project_id from events`.execute(app.db)
    expect(rows).toEqual([{ project_id: own.id }])
    expect((await dump()).filter((text) => text.includes('ada@example.org'))).toEqual([])
    expect((await dump()).filter((text) => text.includes('bob@example.org'))).not.toEqual([])
    expect((await app.pool.query('select from events where contact_id = $1', [body.data[0].id])).rowCount).toBe(0)
    await app.fold()
    expect(await app.rebuild()).toEqual({})
  })
})
