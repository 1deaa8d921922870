/** The embedded PostgreSQL with real servers and files; as root, in folders that PostgreSQL's user can't enter. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { serverUser } from '../../platform/database/embedded/binaries.ts'
import { DataDirInUse, startEmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres.ts'
import {
  asSuperuser,
  eventually,
  expectStopped,
  postmasterPid,
  query,
  start,
  useTrialFolder,
} from '../fixtures/embedded-postgres-trial.ts'

const root = useTrialFolder()

const isRoot = process.getuid?.() === 0
const modeOf = (path: string) => fs.statSync(path).mode & 0o777

describe('a first start of PostgreSQL', () => {
  const dataDir = join(root, 'first')

  test('creates a Unicode cluster that only its owner can read', async () => {
    const postgres = await start(dataDir)
    const [row] = await query<{ lowered: string; role: string; superuser: boolean; name: string; encoding: string }>(
      postgres.url,
      `select lower('ÄÖÉ Ж') as lowered, current_user as role, current_database() as name,
              current_setting('is_superuser')::bool as superuser, current_setting('server_encoding') as encoding`,
    )
    expect(row).toEqual({ lowered: 'äöé ж', role: 'posthorn', name: 'posthorn', superuser: false, encoding: 'UTF8' })
    expect(modeOf(join(dataDir, 'postgres'))).toBe(0o700)
    expect(modeOf(join(dataDir, 'postgres.json'))).toBe(0o600)
    expect(modeOf(join(dataDir, 'postgres.log'))).toBe(0o600)
    expect(fs.readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.json', 'postgres.log'])
  })

  test('listens on loopback only, opens no socket file and requires the password', async () => {
    const { url } = await start(dataDir)
    expect(await query(asSuperuser(url), 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
    expect(await query(asSuperuser(url), 'show unix_socket_directories')).toEqual([{ unix_socket_directories: '' }])
    await expect(query(url.replace(/:[^:@]+@/, ':wrong-password@'), 'select 1')).rejects.toMatchObject({
      code: '28P01',
    })
  })
})

describe('PostgreSQL on existing data', () => {
  const dataDir = join(root, 'existing')
  let password: string

  beforeAll(async () => {
    const postgres = await startEmbeddedPostgres({ dataDir, fsync: false })
    await query(postgres.url, 'create table notes (text text)', `insert into notes values ('kept')`)
    await postgres.stop()
    password = JSON.parse(fs.readFileSync(join(dataDir, 'postgres.json'), 'utf8')).password
  })

  const notes = (url: string) => query<{ text: string }>(url, 'select text from notes')

  test('a start finds the stored data, on the previous port', async () => {
    const { port } = JSON.parse(fs.readFileSync(join(dataDir, 'postgres.json'), 'utf8'))
    const postgres = await start(dataDir)
    expect(postgres.url).toBe(`postgres://posthorn:${password}@127.0.0.1:${port}/posthorn`)
    expect(await notes(postgres.url)).toEqual([{ text: 'kept' }])
  })

  test('stop leaves no process behind and can be called twice', async () => {
    const postgres = await start(dataDir)
    const pid = postmasterPid(dataDir)
    await Promise.all([postgres.stop(), postgres.stop()])
    await postgres.stop()
    expectStopped(dataDir, pid)
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('stop does not wait for open transactions', async () => {
    const postgres = await start(dataDir)
    const client = new pg.Client(postgres.url)
    client.on('error', () => undefined)
    await client.connect()
    await client.query('begin')
    await client.query(`insert into notes values ('never committed')`)
    await postgres.stop()
    expect(await notes((await start(dataDir)).url)).toEqual([{ text: 'kept' }])
  })

  test('a port in use is replaced by another, which is stored', async () => {
    const { port } = JSON.parse(fs.readFileSync(join(dataDir, 'postgres.json'), 'utf8'))
    const otherServer = createServer().listen(port, '127.0.0.1')
    await once(otherServer, 'listening')
    try {
      const postgres = await start(dataDir)
      expect(await notes(postgres.url)).toEqual([{ text: 'kept' }])
      const remembered = JSON.parse(fs.readFileSync(join(dataDir, 'postgres.json'), 'utf8'))
      expect(remembered.port).not.toBe(port)
      expect(postgres.url).toContain(`:${remembered.port}/`)
    } finally {
      otherServer.close()
    }
  })

  test('a second start is refused with a sentence, and the first continues', async () => {
    const first = await start(dataDir)
    const refusal = startEmbeddedPostgres({ dataDir, fsync: false })
    await expect(refusal).rejects.toThrow(DataDirInUse)
    await expect(refusal).rejects.toThrow(
      `Another Posthorn process is already using DATA_DIR ${dataDir}. Stop it or set another DATA_DIR.`,
    )
    expect(await notes(first.url)).toEqual([{ text: 'kept' }])
  })

  test.each([
    ['lost', undefined],
    ['damaged', '{"password":'],
    ['out of date', JSON.stringify({ port: 1, password: 'somebody-elses-password' })],
  ])("a postgres.json that is %s doesn't lose data", async (_, content) => {
    const file = join(dataDir, 'postgres.json')
    if (content === undefined) fs.unlinkSync(file)
    else fs.writeFileSync(file, content)
    const postgres = await start(dataDir)
    expect(await notes(postgres.url)).toEqual([{ text: 'kept' }])
    expect(postgres.url).toContain(JSON.parse(fs.readFileSync(file, 'utf8')).password)
    expect(postgres.url).not.toContain(password)
  })

  test('a running server with an unknown password is not touched, with advice', async () => {
    const postgres = await start(dataDir)
    const file = join(dataDir, 'postgres.json')
    const kept = fs.readFileSync(file)
    fs.unlinkSync(file)
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
      `A PostgreSQL server (process ${postmasterPid(dataDir)}) is running on ${dataDir}/postgres, but postgres.json`,
    )
    expect(await notes(postgres.url)).toEqual([{ text: 'kept' }])
    fs.writeFileSync(file, kept)
  })

  test("a server that can't start reports why", async () => {
    await expect(start(dataDir, { shared_buffers: 'plenty' })).rejects.toThrow(
      'PostgreSQL did not start: invalid value for parameter "shared_buffers": "plenty"',
    )
  })

  test('a folder with other content is not overwritten', async () => {
    const foreign = join(root, 'foreign')
    fs.mkdirSync(join(foreign, 'postgres/precious'), { recursive: true })
    await expect(start(foreign)).rejects.toThrow(
      `${foreign}/postgres contains files but no database of PostgreSQL, because PG_VERSION is missing.`,
    )
    expect(fs.readdirSync(foreign)).toEqual(['postgres'])
  })

  test('a log over 10 MB is started again', async () => {
    const log = join(dataDir, 'postgres.log')
    fs.truncateSync(log, 11 * 1024 * 1024)
    await start(dataDir)
    expect(fs.statSync(log).size).toBeLessThan(10_000)
  })

  test('backends sort on disk, build indexes, reload and create databases', async () => {
    const postgres = await start(dataDir, { work_mem: '64kB', max_parallel_workers_per_gather: '2' })
    const [sorted] = await query<{ first: string }>(
      postgres.url,
      `create table big as select md5(n::text) as word from generate_series(1, 200000) n`,
      'create index on big (word)',
      'vacuum analyze big',
      'create temporary table small as select word from big limit 1000',
      'select word as first from (select word, md5(word) r from big order by r, word limit 150000) t order by 1 limit 1',
    )
    const tempFiles = `select temp_files::int as n from pg_stat_database where datname = 'posthorn' and temp_files > 0`
    expect(await eventually(async () => (await query<{ n: number }>(postgres.url, tempFiles))[0])).toBeDefined()
    expect(sorted?.first).toMatch(/^0000/)

    await query(asSuperuser(postgres.url), `alter system set work_mem = '65kB'`, 'select pg_reload_conf()')
    await query(postgres.url, 'create database another template template0')
    expect(await query(postgres.url.replace(/posthorn$/, 'another'), 'select 1 as one')).toEqual([{ one: 1 }])
    await query(asSuperuser(postgres.url), 'alter system reset all', 'drop database another')
    await query(postgres.url, 'drop table big')
  })
})

describe.skipIf(!isRoot)('PostgreSQL started by root', () => {
  test("runs as an unprivileged user in a folder that this user can't enter", async () => {
    const hidden = join(root, 'hidden')
    fs.mkdirSync(hidden, { mode: 0o700 })
    const dataDir = join(hidden, 'data')
    await start(dataDir)
    const user = serverUser(join(dataDir, 'postgres'))
    expect(user.uid).not.toBe(0)
    expect(fs.statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(user.uid)
    expect(() => execFileSync('/bin/ls', [hidden], { ...user, stdio: 'ignore' })).toThrow()
  })

  test('a cluster that root restored is owned by the unprivileged user again', async () => {
    const dataDir = join(root, 'restored')
    const before = await start(dataDir)
    await query(before.url, 'create table notes as select 1 as n')
    await before.stop()
    execFileSync('chown', ['-R', '0:0', join(dataDir, 'postgres')])
    expect(await query((await start(dataDir)).url, 'select n from notes')).toEqual([{ n: 1 }])
  })
})
