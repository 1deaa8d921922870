/** Kills the processes that own an embedded PostgreSQL, and the servers themselves, and expects them to recover. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { serverUser } from '../../platform/database/embedded/binaries.ts'
import { DataDirInUse, startEmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres.ts'
import {
  asSuperuser,
  eventually,
  expectStopped,
  kill,
  lockHolders,
  postmasterPid,
  query,
  start,
  startElsewhere,
  useTrialFolder,
} from '../fixtures/embedded-postgres-trial.ts'

const root = useTrialFolder()

describe('a first start of PostgreSQL', () => {
  test("doesn't block the next if it was killed halfway", async () => {
    const halfway = join(root, 'halfway')
    const { owner } = startElsewhere(halfway)
    await eventually(() => fs.readdirSync(halfway).some((name) => name.startsWith('postgres.new-')))
    const gone = once(owner, 'exit')
    process.kill(-owner.pid!, 'SIGKILL')
    await gone
    expect(fs.existsSync(join(halfway, 'postgres'))).toBe(false)

    const { url } = await start(halfway)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(fs.readdirSync(halfway).sort()).toEqual(['postgres', 'postgres.json', 'postgres.log'])
  })

  test('at the same time as another has exactly one winner', async () => {
    const contested = join(root, 'contested')
    const answers = await Promise.all([startElsewhere(contested).said, startElsewhere(contested).said])
    const [winner] = answers.filter((answer) => answer.url)
    const [loser] = answers.filter((answer) => answer.refused)
    expect(loser).toMatchObject({ refused: 'DataDirInUse' })
    expect(await query(winner!.url!, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('PostgreSQL on existing data', () => {
  const dataDir = join(root, 'existing')

  beforeAll(async () => {
    const postgres = await startEmbeddedPostgres({ dataDir, fsync: false })
    await query(postgres.url, 'create table notes (text text)', `insert into notes values ('kept')`)
    await postgres.stop()
  })

  const notes = (url: string) => query<{ text: string }>(url, 'select text from notes')

  test('a server whose owner was killed is adopted while it runs', async () => {
    const { owner, said } = startElsewhere(dataDir)
    const { url } = await said
    const pid = postmasterPid(dataDir)
    await kill(owner)

    const adopted = await start(dataDir)
    expect(adopted.url).toBe(url)
    expect(postmasterPid(dataDir)).toBe(pid)
    expect(await notes(adopted.url)).toEqual([{ text: 'kept' }])
    await adopted.stop()
    expectStopped(dataDir, pid)
  })

  test('nothing that was committed is lost if owner and server are killed together', async () => {
    const { owner, said } = startElsewhere(dataDir)
    const { url } = await said
    await query(url!, 'set synchronous_commit = on', 'create table crash as select generate_series(1, 1000) as n')
    process.kill(postmasterPid(dataDir), 'SIGKILL')
    await kill(owner)

    const postgres = await start(dataDir)
    expect(await query(postgres.url, 'select count(*)::int as n from crash')).toEqual([{ n: 1000 }])
    await query(postgres.url, 'drop table crash')
  })

  test('a server that is killed is restarted on its port each time, with the same owner', async () => {
    const { url } = await start(dataDir)
    for (let round = 0; round < 2; round++) {
      const pid = postmasterPid(dataDir)
      process.kill(pid, 'SIGKILL')
      await eventually(async () => (await lockHolders(url)).length === 1)
      expect(await notes(url)).toEqual([{ text: 'kept' }])
      expect(postmasterPid(dataDir)).not.toBe(pid)
    }
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(DataDirInUse)
  })

  test('an adopted server that is killed is restarted too', async () => {
    const { owner, said } = startElsewhere(dataDir)
    await said
    await kill(owner)
    const postgres = await start(dataDir)
    process.kill(postmasterPid(dataDir), 'SIGKILL')
    expect(await eventually(() => notes(postgres.url))).toEqual([{ text: 'kept' }])
  })

  test('the lock is taken again if only its session ended', async () => {
    const { url } = await start(dataDir)
    const [before] = await lockHolders(url)
    await query(asSuperuser(url), `select pg_terminate_backend(${before!.pid})`)
    const after = await eventually(async () => (await lockHolders(url)).find(({ pid }) => pid !== before!.pid))
    expect(after).toBeDefined()
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(DataDirInUse)
  })

  test('stop ends the server even if the lock was just lost', async () => {
    const postgres = await start(dataDir)
    const pid = postmasterPid(dataDir)
    const owner = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'posthorn-owner'`
    await query(asSuperuser(postgres.url), owner)
    await postgres.stop()
    expectStopped(dataDir, pid)
  })

  test('stop ends the server even while it is being restarted', async () => {
    const postgres = await start(dataDir)
    const killed = postmasterPid(dataDir)
    process.kill(killed, 'SIGKILL')
    await eventually(() => postmasterPid(dataDir) !== killed)
    const pid = postmasterPid(dataDir)
    await postgres.stop()
    expectStopped(dataDir, pid)
  })

  test("a pid file that names another running program doesn't block the start", async () => {
    const { uid, gid } = serverUser(join(dataDir, 'postgres'))
    const otherProgram = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore' })
    try {
      const pidFile = join(dataDir, 'postgres/postmaster.pid')
      fs.writeFileSync(pidFile, `${otherProgram.pid}\n${dataDir}/postgres\n1700000000\n5432\n\n127.0.0.1\n`, {
        mode: 0o600,
      })
      if (uid !== undefined && gid !== undefined) fs.chownSync(pidFile, uid, gid)
      const postgres = await start(dataDir)
      expect(await notes(postgres.url)).toEqual([{ text: 'kept' }])
      expect(otherProgram.exitCode).toBeNull()
      expect(otherProgram.signalCode).toBeNull()
    } finally {
      otherProgram.kill('SIGKILL')
    }
  })

  test('a server whose data folder was deleted can still be stopped', async () => {
    const deleted = join(root, 'deleted')
    const postgres = await start(deleted)
    const pid = postmasterPid(deleted)
    // Processes that are still starting don't find their files, and the server stops.
    await query(postgres.url, 'select pg_sleep(0.5)')
    fs.rmSync(deleted, { recursive: true })
    await postgres.stop()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})
