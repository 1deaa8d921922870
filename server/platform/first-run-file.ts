/**
 * `first-run.json` in DATA_DIR: the account and the keys that a first start creates. Keys that no longer work are removed
 * from it, so that nobody uses them.
 */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isId } from '../kernel/ids.ts'

export interface FirstRun {
  email: string
  password: string
  projectId: string
  /** Empty once the keys were replaced. */
  publicKey: string
  secretKey: string
  domain: string
  baseUrl: string
  /** Why the keys are empty. */
  note?: string
}

export const firstRunFile = (dataDir: string): string => path.join(dataDir, 'first-run.json')

/** Undefined if there is no file, or if somebody has replaced its contents. */
export async function readFirstRun(dataDir: string): Promise<FirstRun | undefined> {
  try {
    const run: FirstRun | null = JSON.parse(await readFile(firstRunFile(dataDir), 'utf8'))
    return isId(String(run?.projectId)) && typeof run?.secretKey === 'string' ? run : undefined
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export const writeFirstRun = (dataDir: string, run: FirstRun): Promise<void> =>
  writeFile(firstRunFile(dataDir), `${JSON.stringify(run, null, 2)}\n`, { mode: 0o600 })

/** Replaced keys are not stored here: only their hashes are stored anywhere. */
export async function removeKeys(dataDir: string, projectId: string, now: Date): Promise<void> {
  const run = await readFirstRun(dataDir)
  if (run?.projectId !== projectId || run.secretKey === '') return
  const day = now.toISOString().slice(0, 10)
  const note = `The keys of the first start no longer work (noticed on ${day}). Use those of the project's API keys page.`
  await writeFirstRun(dataDir, { ...run, publicKey: '', secretKey: '', note })
}
