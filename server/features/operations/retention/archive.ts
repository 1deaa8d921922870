/**
 * The archive of a table: files of gzipped CSV, in the form of PostgreSQL's `COPY … CSV HEADER`, and a manifest with the
 * number of rows and the SHA-256 of each file. The manifest is written last, so an archive without one is incomplete.
 */
import { createHash, type Hash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { parse } from 'csv-parse'
import { z } from 'zod'
import { OperatorProblem } from '../../../kernel/errors.ts'
import { type Storage, StorageRefused } from '../../../platform/storage/storage.ts'
import { VERSION } from '../../../platform/version.ts'
import { PARTITIONED, type PartitionedTable } from './partition-queries.ts'
import type { TextRow } from './retired-queries.ts'

const Manifest = z.object({
  kind: z.literal('posthorn-archive'),
  form: z.literal(1),
  version: z.string(),
  name: z.string().regex(/^[a-z0-9_]+$/),
  table: z.enum(PARTITIONED),
  columns: z.array(z.string().regex(/^[a-z_][a-z0-9_]*$/)).min(1),
  rows: z.number(),
  files: z.array(
    z.object({ name: z.string().regex(/^\d+\.csv\.gz$/), rows: z.number(), bytes: z.number(), sha256: z.string() }),
  ),
})
export type Manifest = z.infer<typeof Manifest>
type ArchivedFile = Manifest['files'][number]

/** Before compression. A file is first written to the local disk. */
const FILE_CHARACTERS = 50_000_000

const manifestKey = (name: string) => `${name}/manifest.json`
const fileName = (number: number) => `${String(number).padStart(4, '0')}.csv.gz`

export interface ArchivedTable {
  name: string
  table: PartitionedTable
  columns: string[]
}

/**
 * Writes all rows and verifies what was stored, or nothing if there are no rows. A second call for the same table replaces
 * what the first has written, complete or not, because rows may have been erased since. Each file is first written to
 * `draftFolder`, which is deleted at the end.
 */
export async function writeArchive(
  storage: Storage,
  { name, table, columns }: ArchivedTable,
  batches: AsyncIterable<TextRow[]>,
  { draftFolder, fileCharacters = FILE_CHARACTERS }: { draftFolder: string; fileCharacters?: number },
): Promise<Manifest> {
  await mkdir(draftFolder, { recursive: true })
  const files: ArchivedFile[] = []
  let draft: Draft | undefined

  async function store(): Promise<void> {
    if (!draft) return
    const finished = await draft.finish()
    draft = undefined
    await storage.putFile(`${name}/${finished.name}`, path.join(draftFolder, finished.name), 'application/gzip')
    await rm(path.join(draftFolder, finished.name))
    await verifyFile(storage, name, finished)
    files.push(finished)
  }

  try {
    for await (const rows of batches) {
      draft ??= openDraft(draftFolder, fileName(files.length + 1), columns)
      await draft.add(rows)
      if (draft.characters() >= fileCharacters) await store()
    }
    await store()
    const rows = files.reduce((sum, file) => sum + file.rows, 0)
    const manifest: Manifest = {
      kind: 'posthorn-archive',
      form: 1,
      version: VERSION,
      name,
      table,
      columns,
      rows,
      files,
    }
    if (rows > 0) {
      await storage.put(manifestKey(name), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), 'application/json')
      await readManifest(storage, name)
    }
    await deleteFilesAfter(storage, name, files.length)
    if (rows === 0 && (await exists(storage, manifestKey(name)))) await storage.remove(manifestKey(name))
    return manifest
  } finally {
    await draft?.finish().catch(() => undefined)
    await rm(draftFolder, { recursive: true, force: true })
  }
}

/** Files of an earlier call. The last is deleted first, so that none is missed if the process exits meanwhile. */
async function deleteFilesAfter(storage: Storage, name: string, count: number): Promise<void> {
  let last = count
  while (await exists(storage, `${name}/${fileName(last + 1)}`)) last++
  for (; last > count; last--) await storage.remove(`${name}/${fileName(last)}`)
}

/** Amazon S3 refuses to read a missing file, unless the keys have the permission to list the bucket. */
async function exists(storage: Storage, key: string): Promise<boolean> {
  try {
    const stored = await storage.get(key)
    stored?.content.destroy()
    return stored !== undefined
  } catch (error) {
    if (error instanceof StorageRefused) return false
    throw error
  }
}

type Draft = ReturnType<typeof openDraft>

function openDraft(folder: string, name: string, columns: string[]) {
  const gzip = createGzip()
  const digest = digesting()
  const written = pipeline(gzip, digest.stream, createWriteStream(path.join(folder, name), { mode: 0o600 }))
  const failed = written.then(() => undefined)
  failed.catch(() => undefined)
  let [rowCount, characters] = [0, 0]

  async function write(text: string): Promise<void> {
    characters += text.length
    if (!gzip.write(text)) await Promise.race([once(gzip, 'drain'), failed])
  }
  const header = write(lineOf(columns))
  return {
    characters: () => characters,
    async add(rows: TextRow[]): Promise<void> {
      await header
      rowCount += rows.length
      await write(rows.map(lineOf).join(''))
    },
    async finish(): Promise<ArchivedFile> {
      gzip.end()
      await written
      return { name, rows: rowCount, bytes: digest.bytes(), sha256: digest.hash.digest('hex') }
    },
  }
}

/** Null is an empty field, an empty text is "". */
const fieldOf = (value: string | null): string => {
  if (value === null) return ''
  return value === '' || /[",\r\n\\]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

const lineOf = (row: TextRow): string => `${row.map(fieldOf).join(',')}\n`

function digesting(): { stream: Transform; hash: Hash; bytes: () => number } {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  return { stream, hash, bytes: () => bytes }
}

async function verifyFile(storage: Storage, name: string, file: ArchivedFile): Promise<void> {
  const hash = createHash('sha256')
  for await (const chunk of await openFile(storage, name, file.name)) hash.update(chunk as Buffer)
  if (hash.digest('hex') !== file.sha256) throw damaged(name, file.name)
}

async function openFile(storage: Storage, name: string, fileName: string): Promise<Readable> {
  const stored = await storage.get(`${name}/${fileName}`)
  if (!stored) throw new OperatorProblem(`The archive ${name} has no file ${fileName}.`)
  return stored.content
}

const damaged = (name: string, fileName: string) =>
  new OperatorProblem(`The file ${fileName} of the archive ${name} is damaged: it doesn't match the manifest.`)

export async function readManifest(storage: Storage, name: string): Promise<Manifest> {
  const stored = await storage.get(manifestKey(name))
  if (!stored) throw new OperatorProblem(`There is no complete archive ${name}: ${manifestKey(name)} doesn't exist.`)
  const chunks: Buffer[] = []
  for await (const chunk of stored.content) chunks.push(chunk as Buffer)
  const manifest = Manifest.safeParse(jsonIn(Buffer.concat(chunks).toString()))
  if (!manifest.success) throw new OperatorProblem(`${manifestKey(name)} is not the manifest of an archive.`)
  return manifest.data
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ROWS_AT_ONCE = 500
const BATCH_CHARACTERS = 4_000_000

/**
 * All rows, a batch at a time. Throws at the end of a file that doesn't match the manifest. The folder may have been
 * renamed.
 */
export async function* readArchive(
  storage: Storage,
  folder: string,
  { columns, files }: Manifest,
): AsyncGenerator<TextRow[]> {
  for (const file of files) {
    const digest = digesting()
    const parser = parse({
      record_delimiter: '\n',
      cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
    })
    const unpacked = pipeline(await openFile(storage, folder, file.name), digest.stream, createGunzip(), parser)
    unpacked.catch(() => undefined) // the loop below throws it
    let [rowCount, characters] = [-1, 0] // without the header
    let batch: TextRow[] = []
    try {
      for await (const row of parser as AsyncIterable<TextRow>) {
        if (++rowCount === 0) {
          if (row.join() !== columns.join()) throw damaged(folder, file.name)
          continue
        }
        batch.push(row)
        characters += row.reduce((sum, value) => sum + (value?.length ?? 0), 0)
        if (batch.length < ROWS_AT_ONCE && characters < BATCH_CHARACTERS) continue
        yield batch
        batch = []
        characters = 0
      }
      await unpacked
    } catch (error) {
      if (isUnreadable(error)) throw damaged(folder, file.name)
      throw error
    }
    if (batch.length > 0) yield batch
    if (rowCount !== file.rows || digest.hash.digest('hex') !== file.sha256) throw damaged(folder, file.name)
  }
}

/** Errors of zlib and of the CSV parser. */
const isUnreadable = (error: unknown): boolean => /^(Z_|CSV_)/.test(String((error as NodeJS.ErrnoException).code ?? ''))
