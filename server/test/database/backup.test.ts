/** A backup contains everything, value by value; a restored installation sends nothing until it is resumed. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { backup } from '../../commands/backup.ts'
import { continueWorkflows, restore } from '../../commands/restore.ts'
import { restoredMessage } from '../../commands/restore-pauses.ts'
import { migrate, migrationNames } from '../../platform/database/schema/migrate.ts'
import { QUEUE_MIGRATION } from '../../platform/queue/job-table.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { openTestApp, type TestApp } from '../harness.ts'
import { dropDatabase } from '../test-databases.ts'
import { contentsOf, fillProject } from './filled-project.ts'

const SECRET = 'a secret for tests only'

let app: TestApp
let folder: string
let file: string
let targets = 0
const databases: string[] = []

beforeAll(async () => {
  app = await openTestApp()
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-backup-'))
  file = path.join(folder, 'backup.gz')
  await fillProject(app)
  await backup(sourceSettings(), file)
})
afterAll(async () => {
  await app.close()
  for (const name of databases) await dropDatabase(inject('postgresUrl'), name)
  await rm(folder, { recursive: true, force: true })
})

const sourceSettings = () =>
  readSettings({ DATA_DIR: app.ctx.settings.DATA_DIR, DATABASE_URL: app.url, SECRET, LOG_LEVEL: 'silent' })

async function admin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** An empty database and an empty folder. */
async function newTarget(env: Record<string, string> = {}) {
  const name = `restored_${randomBytes(6).toString('hex')}`
  await admin(`create database ${name}`)
  databases.push(name)
  const url = inject('postgresUrl').replace(/\/[^/]*$/, `/${name}`)
  const dataDir = path.join(folder, `data-${++targets}`)
  return { url, dataDir, settings: readSettings({ DATA_DIR: dataDir, DATABASE_URL: url, ...env }) }
}

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

/** Tables in which a restore pauses something. */
const HELD = ['campaigns', 'emails', 'workflow_executions', 'campaign_count_changes']

describe('a restored installation', () => {
  it('contains everything, value by value', async () => {
    const target = await newTarget()
    const before = await contentsOf(app.url)
    await restore(target.settings, file)
    const after = await contentsOf(target.url)
    for (const table of Object.keys(before)) {
      if (!HELD.includes(table)) expect(after[table], table).toEqual(before[table])
      else if (table !== 'campaign_count_changes') expect(after[table], table).toHaveLength(before[table]!.length)
    }
    expect(before.contacts!.length).toBeGreaterThan(0)
    expect(await readFile(path.join(target.dataDir, 'secret'), 'utf8')).toBe(SECRET)
    expect((await stat(path.join(target.dataDir, 'secret'))).mode & 0o777).toBe(0o600)
    const [{ storage_key: image }] = await query(target.url, 'select storage_key from uploads')
    const stored = (dataDir: string) => readFile(path.join(dataDir, 'uploads', image))
    expect(await stored(target.dataDir)).toEqual(await stored(app.ctx.settings.DATA_DIR))
  })

  it('has its monthly partitions', async () => {
    const target = await newTarget()
    await restore(target.settings, file)
    const [{ count }] = await query(target.url, 'select count(*)::int from emails_default')
    expect(count).toBe(0)
  })

  it('starts with campaigns and scheduled sends paused, and reports it', async () => {
    const target = await newTarget()
    const holds = await restore(target.settings, file)
    expect(holds).toMatchObject({ campaigns: 2, executions: 1 })
    expect(holds.emails).toBeGreaterThan(0)
    expect(await query(target.url, `select from emails where status in ('PENDING', 'SENDING')`)).toEqual([])
    expect(
      await query(
        target.url,
        `select status, paused_at is not null as paused, held_reason from campaigns order by status`,
      ),
    ).toEqual([
      { status: 'SCHEDULED', paused: false, held_reason: expect.stringContaining('Restored from a backup') },
      { status: 'SENDING', paused: true, held_reason: expect.stringContaining('Restored from a backup') },
    ])
    const jobs = await query(
      target.url,
      `select distinct name from posthorn_queue.jobs where name ~ 'deliver|campaign|workflow'`,
    )
    expect(jobs).toEqual([])
    expect(await restoredMessage(target.dataDir)).toContain('Paused: 2 campaigns')

    expect(await continueWorkflows(target.settings)).toBe(1)
    expect(await restoredMessage(target.dataDir)).toBeUndefined()
    expect(await query(target.url, `select alarm_set from workflow_executions where status = 'WAITING'`)).toEqual([
      { alarm_set: false },
    ])
  })

  it('accepts new requests: its triggers work again', async () => {
    const target = await newTarget()
    await restore(target.settings, file)
    const [{ project_id: projectId }] = await query(target.url, 'select project_id from contacts limit 1')
    const count = `select count(*)::int from contact_count_changes where project_id = '${projectId}'`
    const [before] = await query(target.url, count)
    await query(target.url, `delete from contacts where project_id = '${projectId}'`)
    const [after] = await query(target.url, count)
    expect(after.count).toBeGreaterThan(before.count)
  })
})

describe('a backup', () => {
  it('is readable only by its owner, and not plain text', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readFile(file)).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
  })

  it('is the same again if the restored installation is backed up', async () => {
    const target = await newTarget()
    await restore(target.settings, file)
    const second = path.join(folder, 'second.gz')
    await backup(target.settings, second)
    const third = await newTarget()
    await restore(third.settings, second)
    const [one, two] = [await contentsOf(target.url), await contentsOf(third.url)]
    for (const table of Object.keys(one)) if (!HELD.includes(table)) expect(two[table], table).toEqual(one[table])
  })

  it('is restored with its jobs and migrated at the next start if its version had no table of jobs', async () => {
    const job = { name: 'erase-contacts', payload: { contactIds: [] }, runAt: '2031-01-01 00:00:00+00' }
    const jobLine = JSON.stringify({ kind: 'job', job: { ...job, priority: 10, maxAttempts: 25, key: 'k' } })
    const made = path.join(import.meta.dirname, '../fixtures/upgrade-0.1.0/backup.gz')
    const [header, ...others] = gunzipSync(await readFile(made))
      .toString()
      .split('\n')
    const oldFile = path.join(folder, 'old.gz')
    await writeFile(oldFile, gzipSync([header, jobLine, ...others].join('\n')))

    const target = await newTarget()
    await restore(target.settings, oldFile)
    await migrate(target.url)
    const jobs = await query(
      target.url,
      `select name, payload, priority, max_attempts from posthorn_queue.jobs where key = 'k'`,
    )
    expect(jobs).toEqual([{ name: job.name, payload: job.payload, priority: 10, max_attempts: 25 }])
  })

  it('is refused for a database of an older version', async () => {
    const target = await newTarget()
    await migrate(
      target.url,
      (await migrationNames()).filter((name) => name < QUEUE_MIGRATION),
    )
    await expect(backup(target.settings, path.join(folder, 'older.gz'))).rejects.toThrow(
      'created by an older version of Posthorn',
    )
  })

  it('is not restored if there are accounts, and nothing changes', async () => {
    const before = await contentsOf(app.url)
    await expect(restore(sourceSettings(), file)).rejects.toThrow('This installation is in use')
    expect(await contentsOf(app.url)).toEqual(before)
  })

  it('is not restored with another SECRET, and nothing is left behind', async () => {
    const target = await newTarget({ SECRET: 'another secret altogether' })
    await expect(restore(target.settings, file)).rejects.toThrow("SECRET differs from the backup's")
    expect(await query(target.url, 'select from users')).toEqual([])
  })

  it('is refused completely if it is cut off, damaged or something else', async () => {
    const whole = await readFile(file)
    const lines = gunzipSync(whole).toString().split('\n')
    const cases: Record<string, Buffer> = {
      'cut.gz': whole.subarray(0, whole.length - 200),
      'no-end.gz': gzipSync(lines.filter((line) => !line.includes('"kind":"end"')).join('\n')),
      'other.gz': gzipSync('{"hello": "world"}\n'),
      'plain.txt': Buffer.from('not a backup'),
      'newer.gz': gzipSync(lines.map((line, i) => (i === 0 ? line.replace('0001-', '9999-') : line)).join('\n')),
    }
    for (const [name, bytes] of Object.entries(cases)) {
      const damaged = path.join(folder, name)
      await writeFile(damaged, bytes)
      const target = await newTarget()
      await expect(restore(target.settings, damaged), name).rejects.toThrow(/Posthorn backup|newer version of Posthorn/)
      const [{ users }] = await query(target.url, "select to_regclass('public.users') as users")
      if (users) expect(await query(target.url, 'select from users')).toEqual([])
    }
    const target = await newTarget()
    await expect(restore(target.settings, path.join(folder, 'none'))).rejects.toThrow('There is no file')
  })

  it.each([
    ['a file elsewhere', { kind: 'file', name: '../escaped', text: 'x' }],
    ['a file of another name', { kind: 'file', name: 'config', text: 'x' }],
    ['an image elsewhere', { kind: 'upload', key: '../../escaped', contentType: 'image/png', content: '' }],
    ['a table of another schema', { kind: 'table', table: 'pg_catalog.pg_authid', columns: ['rolname'] }],
    ['a row without a table', { kind: 'row', row: ['x'] }],
    ['a kind that nobody knows', { kind: 'command', text: 'x' }],
  ])('is refused before anything is written if it contains %s', async (_what, line) => {
    const lines = gunzipSync(await readFile(file))
      .toString()
      .trimEnd()
      .split('\n')
    const forged = path.join(folder, 'forged.gz')
    await writeFile(forged, gzipSync([...lines.slice(0, -1), JSON.stringify(line), lines.at(-1)].join('\n')))
    const target = await newTarget()
    await expect(restore(target.settings, forged)).rejects.toThrow(/not a Posthorn backup|damaged/)
    await expect(stat(target.dataDir)).rejects.toThrow('ENOENT')
    await expect(stat(path.join(target.dataDir, '..', 'escaped'))).rejects.toThrow('ENOENT')
    expect(await query(target.url, "select to_regclass('public.users') as users")).toEqual([{ users: null }])
  })
})
