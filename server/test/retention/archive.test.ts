/** The files of an archive, in a folder and in an S3 server. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readArchive, readManifest, writeArchive } from '../../features/operations/retention/archive.ts'
import type { TextRow } from '../../features/operations/retention/retired-queries.ts'
import { openArchive } from '../../platform/storage/open-storage.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { type S3Server, startS3Server } from '../s3-server.ts'

const NO_KEYS = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_SESSION_TOKEN: '' }
const ODD = [
  '',
  null,
  'null',
  '"',
  '""',
  ',',
  '\n',
  '\r\n',
  '\\',
  '\\N',
  '\\.',
  ' ',
  'ä€😀',
  '{"a": "b,\\"c\\""}',
  '\\x00ff',
]
const COLUMNS = ['project_id', 'id', 'name']
const ROWS: TextRow[] = [...ODD.map((odd, i) => [String(i), odd, 'x']), ...ODD.map((odd) => [odd, 'y', odd])]

let folder: string
let s3: S3Server
let strict: Server
const stores: Record<string, Storage> = {}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-archive-'))
  s3 = await startS3Server('old')
  strict = createServer((asked, reply) => {
    const { method, url, headers } = asked
    const passed = request({ host: '127.0.0.1', port: s3.port, method, path: url, headers }, (answer) => {
      reply.writeHead(answer.statusCode === 404 ? 403 : answer.statusCode!, answer.headers)
      answer.pipe(reply)
    })
    asked.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(strict, 'listening')
  stores.folder = openArchive({ ...NO_KEYS, ARCHIVE: path.join(folder, 'files') })!
  stores.S3 = openArchive({ ...NO_KEYS, ARCHIVE: s3.urlOf('/archive') })!
  stores.strict = openArchive({ ...NO_KEYS, ARCHIVE: s3.urlOf('/archive', (strict.address() as AddressInfo).port) })!
})
afterAll(async () => {
  strict.closeAllConnections()
  strict.close()
  s3.close()
  await rm(folder, { recursive: true, force: true })
})

async function* batches(...each: TextRow[][]) {
  yield* each
}
const options = () => ({ draftFolder: path.join(folder, 'draft') })
const table = (name: string) => ({ name, table: 'events' as const, columns: COLUMNS })

async function rowsOf(storage: Storage, name: string): Promise<TextRow[]> {
  const rows: TextRow[] = []
  for await (const batch of readArchive(storage, name, await readManifest(storage, name))) rows.push(...batch)
  return rows
}

describe.each(['folder', 'S3'])('an archive in %s', (store) => {
  it('returns every value unchanged', async () => {
    const storage = stores[store]!
    const manifest = await writeArchive(storage, table('odd'), batches(ROWS), options())
    expect(manifest).toMatchObject({ rows: ROWS.length, files: [{ name: '0001.csv.gz', rows: ROWS.length }] })
    expect(await rowsOf(storage, 'odd')).toEqual(ROWS)
  })

  it('is divided into files, which are verified one by one', async () => {
    const storage = stores[store]!
    const written = writeArchive(storage, table('parts'), batches(ROWS, ROWS, ROWS), {
      ...options(),
      fileCharacters: 1,
    })
    expect((await written).files.map((file) => file.rows)).toEqual([ROWS.length, ROWS.length, ROWS.length])
    expect(await rowsOf(storage, 'parts')).toEqual([...ROWS, ...ROWS, ...ROWS])
    await storage.remove('parts/0002.csv.gz')
    await expect(rowsOf(storage, 'parts')).rejects.toThrow('has no file 0002.csv.gz')
  })

  it('is incomplete until its last file is written, and can then be written again', async () => {
    const storage = stores[store]!
    async function* failing() {
      yield ROWS
      throw new Error('the database is gone')
    }
    const failed = writeArchive(storage, table('broken'), failing(), { ...options(), fileCharacters: 1 })
    await expect(failed).rejects.toThrow('the database is gone')
    await expect(readManifest(storage, 'broken')).rejects.toThrow('There is no complete archive broken')
    await writeArchive(storage, table('broken'), batches(ROWS), options())
    expect(await rowsOf(storage, 'broken')).toEqual(ROWS)
    expect(existsSync(path.join(folder, 'draft'))).toBe(false)
  })

  it('has only the rows of the last call, even if an earlier one wrote more files and no manifest', async () => {
    const storage = stores[store]!
    async function* failing() {
      yield ROWS
      yield ROWS
      yield ROWS
      throw new Error('the database is gone')
    }
    const storedFiles = async (name: string) =>
      Promise.all(
        ['0001.csv.gz', '0002.csv.gz', '0003.csv.gz', 'manifest.json'].map(async (file) => {
          const stored = await storage.get(`${name}/${file}`)
          stored?.content.destroy()
          return stored !== undefined
        }),
      )
    for (const name of ['fewer', 'none']) {
      const failed = writeArchive(storage, table(name), failing(), { ...options(), fileCharacters: 1 })
      await expect(failed).rejects.toThrow('the database is gone')
    }
    await writeArchive(storage, table('fewer'), batches(ROWS), options())
    expect(await storedFiles('fewer')).toEqual([true, false, false, true])
    await writeArchive(storage, table('none'), batches(), options())
    expect(await storedFiles('none')).toEqual([false, false, false, false])
    await writeArchive(storage, table('fewer'), batches(), options())
    expect(await storedFiles('fewer')).toEqual([false, false, false, false])
  })

  it('is refused if the store returns other bytes than were written', async () => {
    const lossy: Storage = {
      ...stores[store]!,
      putFile: (key, _file, type) => stores[store]!.put(key, Buffer.from('other bytes'), type),
    }
    await expect(writeArchive(lossy, table('lossy'), batches(ROWS), options())).rejects.toThrow('is damaged')
    await expect(readManifest(stores[store]!, 'lossy')).rejects.toThrow('There is no complete archive')
  })
})

it('an archive is written to S3 with keys that may not list the bucket, for which a missing file is refused', async () => {
  await writeArchive(stores.strict!, table('unlisted'), batches(ROWS), options())
  await writeArchive(stores.strict!, table('unlisted'), batches(ROWS.slice(1)), options())
  expect(await rowsOf(stores.strict!, 'unlisted')).toEqual(ROWS.slice(1))
  await writeArchive(stores.strict!, table('empty'), batches(), options())
})
