/** An app with events and emails of January, which tests remove, archive and restore later in the year. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { tallies } from '../../app.ts'
import { deleteOldEmails, deleteOldEvents, restoreArchive } from '../../features/operations/retention/actions.ts'
import { makePartitions } from '../../features/operations/retention/partition-queries.ts'
import { diskStorage } from '../../platform/storage/disk.ts'
import { createProject, openTestApp, openTestDatabase, type TestApp, testClock } from '../harness.ts'

export const TABLES = ['events', 'emails', 'email_contents', 'email_notes'] as const
export const PEOPLE = ['ada@example.org', 'bob@example.org', 'bounce@simulator.posthorn.test'] as const
export const EMAIL = { from: 'us@example.com', subject: 'A "quoted", subject\nhere', body: '<p>Hé\\N 😀</p>' }
const KEPT_UNTIL = new Date('2027-06-30T00:00:00Z')

export type OldData = Awaited<ReturnType<typeof openOldData>>

const CONTACTS_ADDED = '2027-01-10'
const TRAFFIC = '2027-01-15'
const noonOf = (day: string) => new Date(`${day}T12:00:00.000Z`)

async function monthsOf(app: TestApp, table: string): Promise<string[]> {
  const { rows } = await app.pool.query(
    `select right(c.relname, 7) as month from pg_inherits join pg_class c on c.oid = inhrelid
     where inhparent = $1::regclass and c.relname !~ 'default$' order by 1`,
    [table],
  )
  return rows.map((row) => row.month)
}

let template: ReturnType<typeof prepareTemplate> | undefined

/** A database with a project, its contacts and traffic, which every test gets a copy of. */
async function prepareTemplate() {
  const database = await openTestDatabase()
  const app = await openTestApp({ BODY_RETENTION_DAYS: '0' }, { ...database, close: database.disconnect })
  for (const table of TABLES) {
    for (const month of await monthsOf(app, table)) await app.pool.query(`drop table ${table}_${month}`)
  }
  app.clock.set(noonOf(CONTACTS_ADDED))
  await makePartitions(app.db, app.clock.now())
  const project = await createProject(app)
  for (const email of PEOPLE) {
    await app.request('POST', '/contacts', { key: project.secretKey, body: { email, subscribed: true } })
  }
  const emailId = await makeTraffic(app, project.secretKey, TRAFFIC)
  await app.close()
  return { name: database.name, project, emailId }
}

/** Events, transactional email and a campaign, on one day. Returns an email of the campaign. */
async function makeTraffic(app: TestApp, key: string, day: string): Promise<string> {
  const call = (method: string, url: string, body?: unknown) => app.request(method, url, { key, body })
  app.clock.set(noonOf(day))
  await makePartitions(app.db, app.clock.now())
  for (const email of PEOPLE) {
    await call('POST', '/events/track', { email, event: 'visit', data: { page: 'a,"b"\n', empty: '' } })
    await call('POST', '/v1/send', { to: email, ...EMAIL, subject: 'Hello', body: `<p>To ${email}</p>` })
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

/** `ARCHIVE` can be any text: a new folder is used. */
export async function openOldData(env: Record<string, string>) {
  const folder = await mkdtemp(path.join(tmpdir(), 'posthorn-archive-'))
  template ??= prepareTemplate()
  const { name, project, emailId } = await template
  const settings = { BODY_RETENTION_DAYS: '0', ...env, ...(env.ARCHIVE && { ARCHIVE: folder }) }
  const app = await openTestApp(settings, await openTestDatabase(name), testClock(noonOf(TRAFFIC)))

  async function goTo(day: string): Promise<void> {
    app.clock.set(noonOf(day))
    await makePartitions(app.db, app.clock.now())
  }

  const call = (method: string, url: string, body?: unknown, key = project.secretKey) =>
    app.request(method, url, { key, body })

  return {
    app,
    project,
    folder,
    call,
    goTo,
    monthsOf: (table: string) => monthsOf(app, table),

    /** An email of the campaign in January. */
    emailId,
    /** The same again, on another day. Returns an email of its campaign. */
    makeTraffic: (day: string) => makeTraffic(app, project.secretKey, day),

    /** Everything the counts show, as the dashboard reads it. */
    async readStatistics(): Promise<unknown> {
      const { rows: counts } = await app.pool.query(`
        select 'usage' as of, month::text as key, source as name, count::text as counts from usage_counts
        union all select 'deliveries', day::text, '', concat_ws(' ', sent, bounces, complaints) from delivery_counts
        union all select 'campaign', campaign_id::text, '', concat_ws(' ', ended, sent, delivered, opened, bounced) from campaign_counts
        union all select 'day', day::text, name, count::text from event_days
        union all select 'emails', day::text, '', concat_ws(' ', sent, delivered, opened, bounced) from email_days
        order by 1, 2, 3`)
      const series = (await call('GET', '/analytics/timeseries?from=2027-01-01&to=2027-03-31')).body
      return { counts, series }
    },

    /** All rows as text, with the table they are in. */
    async dump(): Promise<string[]> {
      const texts: string[] = []
      for (const table of TABLES) {
        const { rows } = await app.pool.query(
          `select '${table} ' || t::text as text from ${table} t order by project_id, id`,
        )
        texts.push(...rows.map((row) => row.text))
      }
      return texts
    },

    count: async (table: string): Promise<number> =>
      (await app.pool.query(`select count(*)::int as count from ${table}`)).rows[0].count,

    retiredTables: async (): Promise<Array<{ name: string }>> =>
      (
        await app.pool.query(`select relname as name from pg_class where relnamespace = 'posthorn_retired'::regnamespace
        and relkind = 'r' order by 1`)
      ).rows,

    async clean(): Promise<void> {
      await deleteOldEvents(app.ctx, tallies)
      await deleteOldEmails(app.ctx, tallies)
    },

    restore: (name: string, from = folder) => restoreArchive(app.db, tallies, diskStorage(from), name, KEPT_UNTIL),

    /** The text of each archive. */
    readArchives: async (): Promise<string[]> =>
      Promise.all(
        (await readdir(folder)).map(async (name) =>
          gunzipSync(await readFile(path.join(folder, name, '0001.csv.gz'))).toString(),
        ),
      ),

    /** The archive can't be written until `allowArchives` is called. */
    async refuseArchives(): Promise<void> {
      await rm(folder, { recursive: true })
      await writeFile(folder, 'a file where the folder should be')
    },
    allowArchives: () => rm(folder),

    /** Whether a statement waits for the lock of a table. The view has the locks of all databases, also those of other tests. */
    waitsForTable: async (): Promise<boolean> =>
      (
        await app.pool.query(`select from pg_locks where locktype = 'relation' and not granted
          and database = (select oid from pg_database where datname = current_database())`)
      ).rowCount! > 0,

    /** Emails before what belongs to them. */
    async restoreAll(): Promise<void> {
      for (const table of TABLES) {
        for (const name of (await readdir(folder)).filter((each) => each.startsWith(`${table}_`)).sort()) {
          await restoreArchive(app.db, tallies, diskStorage(folder), name, KEPT_UNTIL)
        }
      }
      await app.fold()
    },

    async close(): Promise<void> {
      await app.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
