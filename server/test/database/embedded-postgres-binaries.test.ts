/** The programs of the npm package, if its install script didn't run or if PostgreSQL's user can't enter its folder. */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBinaries, packagedPostgres, serverUser } from '../../platform/database/embedded/binaries.ts'

const root = fs.mkdtempSync(join(tmpdir(), 'posthorn-binaries-'))
const user = serverUser(join(root, 'no-cluster-yet'))
const isRoot = user.uid !== undefined
const ADVICE = 'Set DATABASE_URL to a server with PostgreSQL 15 or newer.'

beforeAll(() => fs.chmodSync(root, 0o711)) // its subfolders decide which of it can be reached
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

/** The package as npm unpacks it, before its install script has created any link. */
function unpackTo(folder: string, mode: number): string {
  fs.mkdirSync(folder, { mode })
  const packaged = packagedPostgres()
  const native = join(folder, 'native')
  fs.cpSync(join(packaged, '../package.json'), join(folder, 'package.json'))
  fs.cpSync(packaged, native, { recursive: true, filter: (path) => !fs.lstatSync(path).isSymbolicLink() })
  return native
}

describe.skipIf(!isRoot)('as root, PostgreSQL runs as', () => {
  const usersFile = join(root, 'passwd')
  const userAmong = (names: string[], cluster = join(root, 'no-cluster-yet')) => {
    const ids: Record<string, number> = { root: 0, nobody: 65534, postgres: 999, posthorn: 998 }
    const lines = names.map((name) => `${name}:x:${ids[name]}:${ids[name]}::/:/bin/false\n`)
    fs.writeFileSync(usersFile, lines.join(''))
    return serverUser(cluster, usersFile)
  }

  test.each([
    [['root', 'nobody', 'postgres', 'posthorn'], 998],
    [['root', 'nobody', 'postgres'], 999],
    [['root', 'nobody'], 65534],
  ])('a user that other services do not use, if there is one: of %j, %i', (names, uid) => {
    expect(userAmong(names)).toEqual({ uid, gid: uid })
  })

  test('the owner of the files if they exist', () => {
    const cluster = join(root, 'cluster')
    fs.mkdirSync(cluster)
    fs.chownSync(cluster, 997, 997)
    expect(userAmong(['root', 'nobody', 'posthorn'], cluster)).toEqual({ uid: 997, gid: 997 })
  })

  test('nobody else: without such a user it does not start', () => {
    expect(() => userAmong(['root'])).toThrow(/Start Posthorn as an ordinary user/)
  })
})

test('links that npm omitted are created in a writable package', async () => {
  const native = unpackTo(join(root, 'unlinked'), 0o755)
  const [link] = JSON.parse(fs.readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { target: string }[]
  expect(fs.existsSync(join(native, '..', link!.target))).toBe(false)
  const { initdb } = await findBinaries(root, user, native, [])
  expect(initdb.startsWith(native)).toBe(true)
  expect(execFileSync(initdb, ['--version'], { ...user, encoding: 'utf8', cwd: '/' })).toContain('PostgreSQL')
})

test.skipIf(isRoot)('a read-only package is copied to DATA_DIR and linked there', async () => {
  const native = unpackTo(join(root, 'read-only'), 0o755)
  fs.chmodSync(join(native, 'lib'), 0o555)
  const dataDir = join(root, 'data')
  fs.mkdirSync(dataDir)
  try {
    const { postgres } = await findBinaries(dataDir, user, native)
    expect(postgres.startsWith(dataDir)).toBe(true)
  } finally {
    fs.chmodSync(join(native, 'lib'), 0o755)
  }
})

test("a machine on which the programs don't run gets an error with advice", async () => {
  const native = unpackTo(join(root, 'foreign'), 0o755)
  fs.unlinkSync(join(native, 'bin/postgres'))
  await expect(findBinaries(root, user, native, [])).rejects.toThrow(ADVICE)
})

describe.skipIf(!isRoot)("programs in a folder that the unprivileged user can't enter", () => {
  const place = join(root, 'place')
  let native: string

  beforeAll(() => {
    fs.mkdirSync(place, { mode: 0o755 })
    native = unpackTo(join(root, 'hidden'), 0o700)
    fs.chmodSync(join(native, 'lib/libz.so.1'), 0o600) // as installed with umask 077
  })

  const find = () => findBinaries(root, user, native, [place])

  test('are copied once to a readable place', async () => {
    const first = await find()
    expect(first.postgres.startsWith(place)).toBe(true)
    const made = fs.statSync(dirname(first.postgres)).ino
    expect(await find()).toEqual(first)
    expect(fs.statSync(dirname(first.postgres)).ino).toBe(made)
    expect(fs.readdirSync(place)).toHaveLength(1)
  })

  test('are copied again if the copy was damaged', async () => {
    const missing = join(dirname((await find()).postgres), '../share/postgresql/postgres.bki')
    fs.unlinkSync(missing)
    await find()
    expect(fs.existsSync(missing)).toBe(true)
    expect(fs.readdirSync(place)).toHaveLength(1)
  })

  test('are never run from a copy that another user could have changed', async () => {
    const copy = dirname(dirname((await find()).postgres))
    fs.chmodSync(copy, 0o777)
    await expect(find()).rejects.toThrow(ADVICE)
    fs.rmSync(copy, { recursive: true })
    fs.symlinkSync('/usr', copy)
    await expect(find()).rejects.toThrow(ADVICE)
  })
})
