/** Old events and emails are archived before they are removed, and archives can be restored. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tallies } from '../../app.ts'
import {
  deleteOldBodies,
  deleteOldEmails,
  deleteOldEvents,
  restoreArchive,
} from '../../features/operations/retention/actions.ts'
import { readRetired } from '../../features/operations/retention/retired-queries.ts'
import { diskStorage } from '../../platform/storage/disk.ts'
import { createProject } from '../harness.ts'
import { EMAIL, type OldData, openOldData, TABLES } from './old-data.ts'

let data: OldData

beforeEach(async () => {
  data = await openOldData({ EVENT_RETENTION_DAYS: '30', EMAIL_RETENTION_DAYS: '30', ARCHIVE: 'folder' })
})
afterEach(() => data.close())

it('restored rows are identical to the originals, are kept for a while, and are archived again later', async () => {
  await data.goTo('2027-03-20')
  const before = await data.dump()
  const statistics = await data.readStatistics()
  await data.clean()
  expect(await data.dump()).toEqual([])
  const manifests = await Promise.all(
    (await readdir(data.folder)).map(async (name) => {
      return JSON.parse(await readFile(path.join(data.folder, name, 'manifest.json'), 'utf8'))
    }),
  )
  expect(manifests.map((manifest) => manifest.table).sort()).toEqual([...TABLES].sort())
  expect(manifests.reduce((sum, manifest) => sum + manifest.rows, 0)).toBe(before.length)

  await data.restoreAll()
  expect(await data.dump()).toEqual(before)
  expect(await data.readStatistics()).toEqual(statistics)
  expect(await data.app.rebuild()).toEqual({})
  expect((await data.app.pool.query('select from dropped_counts where counts[1] <> 0')).rowCount).toBe(0)
  await data.restoreAll() // a second time changes nothing
  expect(await data.dump()).toEqual(before)
  expect(await data.app.rebuild()).toEqual({})

  await data.clean()
  await deleteOldBodies({ ...data.app.ctx, settings: { ...data.app.ctx.settings, BODY_RETENTION_DAYS: 1 } })
  expect(await data.dump()).toEqual(before)
  await data.goTo('2027-07-01')
  await data.clean()
  expect(await data.dump()).toEqual([])
  expect(await readdir(data.folder)).toHaveLength(2 * TABLES.length)
  await data.app.fold()
  expect(await data.readStatistics()).toEqual(statistics)
  expect(await data.app.rebuild()).toEqual({})
})

it('PostgreSQL can read the CSV files of an archive', async () => {
  const { rows } = await data.app.pool.query('select count(*)::int as count, min(data::text) as data from events')
  await data.goTo('2027-03-20')
  await deleteOldEvents(data.app.ctx, tallies)
  const [name] = await readdir(data.folder)
  const text = gunzipSync(await readFile(path.join(data.folder, name!, '0001.csv.gz'))).toString()
  expect(text.split('\n')[0]).toBe('project_id,id,name,contact_id,email_id,data,created_at')
  expect(text.match(/^[0-9a-f-]{36},/gm)).toHaveLength(rows[0].count)
  expect(text).toContain(`"{""page"": ""a,\\""b\\""\\n"", ""empty"": """"}"`)
})

it('a crash before the drop loses nothing and leaves one archive', async () => {
  await data.goTo('2027-03-20')
  const before = await data.dump()
  await data.app.pool.query('alter table retired_tables rename column dropped_at to dropped_at_away')
  await data.app.pool.query('alter table retired_tables add column dropped_at timestamptz check (dropped_at is null)')
  await expect(data.clean()).rejects.toThrow('dropped_at')
  expect(await data.retiredTables()).toHaveLength(1)
  expect(await readdir(data.folder)).toHaveLength(1)
  await data.app.pool.query('alter table retired_tables drop column dropped_at')
  await data.app.pool.query('alter table retired_tables rename column dropped_at_away to dropped_at')
  await data.clean()
  expect(await data.retiredTables()).toEqual([])
  expect(await readdir(data.folder)).toHaveLength(TABLES.length)
  await data.restoreAll()
  expect(await data.dump()).toEqual(before)
  expect(await data.app.rebuild()).toEqual({})
})

it('nothing is dropped while the archive is unavailable', async () => {
  const { rowCount } = await data.app.pool.query('select from events')
  await data.goTo('2027-03-20')
  await rm(data.folder, { recursive: true })
  await writeFile(data.folder, 'a file where the folder should be')
  await expect(deleteOldEvents(data.app.ctx, tallies)).rejects.toThrow()
  const settings = { ...data.app.ctx.settings, ARCHIVE: '' } // of another process
  await deleteOldEvents({ ...data.app.ctx, settings }, tallies)
  const [retired] = await data.retiredTables()
  expect((await data.app.pool.query(`select from posthorn_retired.${retired!.name}`)).rowCount).toBe(rowCount)
  await rm(data.folder)
  await deleteOldEvents(data.app.ctx, tallies)
  expect(await data.retiredTables()).toEqual([])
  expect(await data.app.rebuild()).toEqual({})
})

it('a damaged archive is refused and nothing is restored', async () => {
  await data.goTo('2027-03-20')
  await deleteOldEvents(data.app.ctx, tallies)
  const [name] = await readdir(data.folder)
  const file = path.join(data.folder, name!, '0001.csv.gz')
  const bytes = await readFile(file)
  bytes[bytes.length - 6]! ^= 1
  await writeFile(file, bytes)
  const restoring = restoreArchive(data.app.db, tallies, diskStorage(data.folder), name!, data.app.clock.now())
  await expect(restoring).rejects.toThrow('is damaged')
  expect((await data.app.pool.query('select from events')).rowCount).toBe(0)
  expect(await data.retiredTables()).toEqual([])
  await expect(
    restoreArchive(data.app.db, tallies, diskStorage(data.folder), 'none', data.app.clock.now()),
  ).rejects.toThrow('There is no complete archive none')
})

it('data of contacts and projects that have since been deleted is not restored', async () => {
  const own = data.project
  const other = await createProject(data.app)
  await data.call('POST', '/events/track', { email: 'eve@example.org', event: 'other' }, other.secretKey)
  await data.goTo('2027-03-20')
  await data.clean()
  const { body } = await data.call('GET', '/contacts?search=ada')
  await data.call('DELETE', `/contacts/${body.data[0].id}`)
  const deletion = await data.app.request('DELETE', `/users/@me/projects/${other.id}`, { key: other.secretKey })
  expect(deletion.status).toBe(204)
  await data.app.drain()
  await data.restoreAll()
  await data.app.drain()
  const { rows } = await sql<{ project_id: string }>`select distinct project_id from events`.execute(data.app.db)
  expect(rows).toEqual([{ project_id: own.id }])
  expect((await data.dump()).filter((text) => text.includes('ada@example.org'))).toEqual([])
  expect((await data.dump()).filter((text) => text.includes('bob@example.org'))).not.toEqual([])
  expect((await data.app.pool.query('select from events where contact_id = $1', [body.data[0].id])).rowCount).toBe(0)
  await data.app.fold()
  expect(await data.app.rebuild()).toEqual({})
})

describe('after a contact was deleted', () => {
  const ADA = 'ada@example.org'
  const textsAbout = async (who: string) => (await data.dump()).filter((text) => text.includes(who))
  const idOf = async (email: string): Promise<string> =>
    (await data.call('GET', `/contacts?search=${email}`)).body.data[0].id
  const archiveOf = async (table: string) =>
    (await readdir(data.folder)).find((name) => name.startsWith(`${table}_2027_01`))!

  it('bodies and responses of the contact are left out, even if they are restored after the emails were erased', async () => {
    await data.call('POST', '/v1/send', {
      to: [ADA, 'bob@example.org'],
      ...EMAIL,
      subject: 'Both',
      body: 'To ada and bob',
    })
    await data.app.drain()
    await data.app.pool.query(`insert into email_notes (project_id, id, email_id, kind, words, at)
      select project_id, id, id, 'email.bounce', to_email || ' does not exist', now() from emails on conflict do nothing`)
    await data.goTo('2027-03-20')
    await data.clean()
    await expect(data.restore(await archiveOf('email_contents'))).rejects.toThrow('Restore the emails')
    await expect(data.restore(await archiveOf('email_notes'))).rejects.toThrow('Restore the emails')
    await data.call('DELETE', `/contacts/${await idOf(ADA)}`)
    await data.app.drain()
    for (const table of ['emails', 'email_contents', 'email_notes']) {
      expect((await data.restore(await archiveOf(table))).leftOut > 0, table).toBe(table !== 'emails')
      await data.app.drain()
    }
    expect(await textsAbout(ADA)).toEqual([])
    expect((await textsAbout('bob@example.org')).map((text) => text.split(' ')[0])).toEqual(
      expect.arrayContaining(['emails', 'email_contents', 'email_notes']),
    )
    expect(await textsAbout('To ada and bob')).toHaveLength(1)
    await data.call('DELETE', `/contacts/${await idOf('bob@example.org')}`)
    await data.app.drain()
    expect(await textsAbout('To ada and bob')).toEqual([])
  })

  it('its rows are erased, even if it was deleted while they were restored', async () => {
    await data.goTo('2027-03-20')
    await data.clean()
    const ada = await idOf(ADA)
    const other = await data.app.pool.connect()
    try {
      await other.query('begin; lock table restored_months in exclusive mode')
      const restoring = data.restore(await archiveOf('events'))
      await expect.poll(data.waitsForTable).toBe(true)
      await data.call('DELETE', `/contacts/${ada}`)
      await data.app.drain()
      await other.query('rollback')
      await restoring
    } finally {
      other.release(true)
    }
    await data.app.drain()
    expect((await data.app.pool.query('select from events where contact_id = $1', [ada])).rowCount).toBe(0)
    expect(await data.count('events')).toBeGreaterThan(0)
  })

  it('its rows are not archived if they were detached earlier', async () => {
    const other = await createProject(data.app)
    await data.call('POST', '/v1/send', { to: 'eve@example.org', ...EMAIL, subject: 'Hello' }, other.secretKey)
    await data.call('POST', '/events/track', { email: 'eve@example.org', event: 'other' }, other.secretKey)
    await data.app.drain()
    await data.goTo('2027-03-20')
    await rm(data.folder, { recursive: true })
    await writeFile(data.folder, 'a file where the folder should be')
    await expect(deleteOldEvents(data.app.ctx, tallies)).rejects.toThrow()
    await expect(deleteOldEmails(data.app.ctx, tallies)).rejects.toThrow()
    expect(await data.retiredTables()).toHaveLength(TABLES.length)
    const ada = await idOf(ADA)
    await data.call('DELETE', `/contacts/${ada}`)
    await data.app.request('DELETE', `/users/@me/projects/${other.id}`, { key: other.secretKey })
    await data.app.drain()
    await rm(data.folder)
    await data.clean()
    const texts = await data.readArchives()
    for (const absent of [ADA, ada, other.id]) expect(texts.filter((text) => text.includes(absent))).toEqual([])
    expect(texts.filter((text) => text.includes('bob@example.org'))).toHaveLength(2)
    await data.app.fold()
    expect(await data.app.rebuild()).toEqual({})
  })

  /** Detaches contents and notes, but not the emails, and archives nothing. */
  async function detachWithoutEmails(): Promise<void> {
    await data.app.pool.query(`insert into email_notes (project_id, id, email_id, kind, words, at)
      select project_id, id, id, 'email.bounce', to_email || ' does not exist', now() from emails on conflict do nothing`)
    await data.goTo('2027-03-20')
    await data.app.pool.query("alter table retired_tables add constraint no_emails check (parent <> 'emails')")
    await rm(data.folder, { recursive: true })
    await writeFile(data.folder, 'a file where the folder should be')
    await expect(deleteOldEmails(data.app.ctx, tallies)).rejects.toThrow('no_emails') // the first of two errors
  }

  it('its bodies and responses are not archived, if they were detached before and the emails after', async () => {
    await detachWithoutEmails()
    expect((await data.retiredTables()).map(({ name }) => name.slice(0, -23))).toEqual([
      'email_contents',
      'email_notes',
    ])
    await data.call('DELETE', `/contacts/${await idOf(ADA)}`)
    await data.app.drain()
    await rm(data.folder)
    await data.app.pool.query('alter table retired_tables drop constraint no_emails')
    await data.clean()
    const texts = await data.readArchives()
    expect(texts.filter((text) => text.includes(ADA))).toEqual([])
    expect(texts.filter((text) => text.includes('To bob@example.org'))).toHaveLength(1)
    expect(texts.filter((text) => text.includes('bob@example.org does not exist'))).toHaveLength(1)
  })

  it('its bodies are not archived, if they were detached before and the emails are still stored', async () => {
    await detachWithoutEmails()
    await data.call('DELETE', `/contacts/${await idOf(ADA)}`)
    await data.app.drain()
    await rm(data.folder)
    await expect(deleteOldEmails(data.app.ctx, tallies)).rejects.toThrow('no_emails')
    expect(await data.retiredTables()).toEqual([])
    const texts = await data.readArchives()
    expect(texts.filter((text) => text.includes(ADA))).toEqual([])
    expect(texts.filter((text) => text.includes('bob@example.org'))).toHaveLength(2)
  })
})

it('a note recorded after its email is restored and kept as long as the email', async () => {
  await data.app.pool.query(
    `insert into email_notes (project_id, id, email_id, kind, words, at)
     select project_id, ('0' || to_hex((extract(epoch from timestamptz '2027-02-20') * 1000)::bigint) || '70008000000000000001')::uuid,
       id, 'email.bounce', 'late', now() from emails order by id limit 1`,
  )
  await data.goTo('2027-03-20')
  await data.clean()
  await data.restoreAll()
  const before = await data.dump()
  await data.clean()
  expect(await data.dump()).toEqual(before)
  expect(before.filter((text) => text.includes(',late,'))).toHaveLength(1)
})

it('the body of a received email without a sender is restored', async () => {
  await data.app.pool.query(
    `update emails set source_type = 'INBOUND', status = 'RECEIVED', contact_id = null where source_type = 'TRANSACTIONAL'`,
  )
  await data.goTo('2027-03-20')
  const before = await data.dump()
  await deleteOldEmails(data.app.ctx, tallies)
  await data.restoreAll()
  expect(await data.dump()).toEqual(before)
})

it('an archive can be restored from a folder with another name', async () => {
  const events = await data.count('events')
  await data.goTo('2027-03-20')
  await deleteOldEvents(data.app.ctx, tallies)
  const [name] = await readdir(data.folder)
  await rename(path.join(data.folder, name!), path.join(data.folder, 'Copy of events.1'))
  expect(await data.restore('Copy of events.1')).toMatchObject({ rows: events, leftOut: 0 })
})

it('files that an interrupted run left in DATA_DIR are deleted by the next run', async () => {
  const draft = path.join(data.app.ctx.settings.DATA_DIR, 'archive-draft', 'events')
  await mkdir(draft, { recursive: true })
  await writeFile(path.join(draft, '0001.csv.gz'), 'personal data')
  await deleteOldEvents(data.app.ctx, tallies)
  expect(existsSync(draft)).toBe(false)
})

it('rows are read a few megabytes at a time, even if large rows follow small ones', async () => {
  await data.app.pool.query(`create table posthorn_retired.large (like email_contents including all)`)
  await data.app.pool.query(`insert into posthorn_retired.large (project_id, id, subject, body, created_at)
    select '00000000-0000-0000-0000-000000000000', lpad(to_hex(n), 32, '0')::uuid, '', repeat('x', case when n > 500 then 1000000 else 10 end), now()
    from generate_series(1, 512) n`)
  const sizes: number[] = []
  let rows = 0
  for await (const batch of readRetired(data.app.db, 'large', ['project_id', 'id', 'body'])) {
    rows += batch.length
    sizes.push(batch.reduce((sum, [, , body]) => sum + body!.length, 0))
  }
  expect(rows).toBe(512)
  expect(sizes.length).toBeLessThan(10)
  expect(Math.max(...sizes)).toBeLessThan(6_000_000)
})
