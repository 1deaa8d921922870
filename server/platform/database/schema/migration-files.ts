/** The files from which a database is made: numbered migrations, functions and triggers, and the newest schema. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { SERVER_FOLDER } from '../../root.ts'

const migrationsFolder = path.join(SERVER_FOLDER, 'migrations')

export async function migrationNames(): Promise<string[]> {
  const files = await readdir(migrationsFolder)
  return files.filter((file) => file.endsWith('.sql')).sort()
}

export const readMigration = (name: string): Promise<string> => readFile(path.join(migrationsFolder, name), 'utf8')

/** What all migrations that it names make of an empty database. */
export const readSchema = (): Promise<string> => readFile(path.join(SERVER_FOLDER, 'schema.sql'), 'utf8')

export interface SqlFile {
  /** Its path in the server's folder, with `/` on every system. */
  name: string
  text: string
  hash: string
}

/**
 * In the order in which they are applied: triggers can call any function, and features can call those of the platform.
 */
export async function readSqlFiles(): Promise<SqlFile[]> {
  const files: Array<Promise<SqlFile | undefined>> = []
  for (const file of ['functions.sql', 'triggers.sql']) {
    const folders = await foldersIn('platform')
    for (const group of await foldersIn('features')) folders.push(...(await foldersIn(group)))
    files.push(...folders.map((folder) => readSqlFile(`${folder}/${file}`)))
  }
  return (await Promise.all(files)).filter((file) => file !== undefined)
}

async function foldersIn(parent: string): Promise<string[]> {
  const entries = await readdir(path.join(SERVER_FOLDER, parent), { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return names.sort().map((name) => `${parent}/${name}`)
}

async function readSqlFile(name: string): Promise<SqlFile | undefined> {
  try {
    const text = await readFile(path.join(SERVER_FOLDER, name), 'utf8')
    return { name, text, hash: createHash('sha256').update(text).digest('hex') }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
}
