/**
 * The backup file: gzipped lines of JSON. The last line marks the end, so an incomplete file is detected. The file
 * contains secrets and is readable only by its owner.
 */
import { once } from 'node:events'
import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { OperatorProblem } from '../kernel/errors.ts'
import type { TableColumns, TextRow } from './database/schema/copy-tables.ts'
import type { CopiedJob } from './queue/job-table.ts'

/** What is needed to create the tables that a backup was made from. */
export interface BackupSchema {
  migrations: string[]
  months: string[]
}

export type BackupLine =
  | ({ kind: 'posthorn-backup'; form: 1; version: string; madeAt: string } & BackupSchema)
  | { kind: 'file'; name: 'secret' | 'first-run.json'; text: string }
  | ({ kind: 'table' } & TableColumns)
  | { kind: 'row'; row: TextRow }
  | { kind: 'job'; job: CopiedJob }
  | { kind: 'upload'; key: string; contentType: string; content: string }
  | { kind: 'end' }

const texts = z.array(z.string())
const name = z.string().regex(/^[a-z_][a-z0-9_]*$/)

/** The possible lines. A file can come from anywhere, so nothing in it can name an arbitrary path. */
const Line = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('posthorn-backup'),
    form: z.number(),
    version: z.string(),
    madeAt: z.iso.datetime(),
    migrations: texts,
    months: z.array(z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/)),
  }),
  z.object({ kind: z.literal('file'), name: z.enum(['secret', 'first-run.json']), text: z.string() }),
  z.object({ kind: z.literal('table'), table: name, columns: z.array(name).min(1) }),
  z.object({ kind: z.literal('row'), row: z.array(z.string().nullable()) }),
  z.object({
    kind: z.literal('job'),
    job: z.object({
      name: z.string(),
      payload: z.unknown(),
      runAt: z.string(),
      priority: z.number(),
      maxAttempts: z.number(),
      key: z.string().nullable(),
    }),
  }),
  z.object({
    kind: z.literal('upload'),
    key: z.string().regex(/^[\w-]+\/[\w-]+(\.[\w-]+)*$/),
    contentType: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/),
    content: z.string(),
  }),
  z.object({ kind: z.literal('end') }),
])

/** A problem with a backup that the operator can solve. */
export class BackupProblem extends OperatorProblem {}

/** Writes to a temporary file and renames it, so that a failed backup keeps the previous one. */
export async function writeBackupFile(
  file: string,
  write: (put: (line: BackupLine) => Promise<void>) => Promise<void>,
): Promise<void> {
  const draft = `${file}.${process.pid}.part`
  const gzip = createGzip({ level: 6 })
  const written = pipeline(gzip, createWriteStream(draft, { mode: 0o600, flags: 'wx' }))
  const removeDraft = () => rmSync(draft, { force: true })
  process.once('exit', removeDraft) // when a signal ends the command
  const failed = written.then(() => undefined)
  failed.catch(() => undefined)
  const put = async (line: BackupLine) => {
    if (!gzip.write(`${JSON.stringify(line)}\n`)) await Promise.race([once(gzip, 'drain'), failed])
  }
  try {
    await write(put)
    await put({ kind: 'end' })
    gzip.end()
    await written
    await rename(draft, file)
  } catch (error) {
    gzip.destroy()
    await rm(draft, { force: true })
    if (!(error instanceof Error && 'syscall' in error && 'path' in error)) throw error
    throw new BackupProblem(`${file} can't be written: ${error.message}.`)
  } finally {
    process.off('exit', removeDraft)
  }
}

export async function* readBackupFile(file: string): AsyncGenerator<BackupLine> {
  const source = createReadStream(file)
  const gunzip = createGunzip()
  const unpacked = pipeline(source, gunzip).catch((error: Error) => gunzip.destroy(error))
  let ended = false
  let number = 1
  try {
    for await (const text of createInterface({ input: gunzip, crlfDelay: Infinity })) {
      const read = Line.safeParse(JSON.parse(text))
      if (!read.success) throw new BackupProblem(`${file} is not a Posthorn backup: line ${number} is invalid.`)
      const line = read.data as BackupLine
      number++
      if (line.kind === 'end') ended = true
      else yield line
    }
    await unpacked
  } catch (error) {
    if (['ENOENT', 'EISDIR'].includes(String((error as NodeJS.ErrnoException).code)))
      throw new BackupProblem(`There is no file ${file}.`)
    if (isUnreadable(error)) throw new BackupProblem(`${file} is not a complete Posthorn backup.`)
    throw error
  }
  if (!ended) throw new BackupProblem(`${file} is not a complete Posthorn backup: its end is missing.`)
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof SyntaxError || String((error as NodeJS.ErrnoException).code).startsWith('Z_')
