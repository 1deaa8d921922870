/** PostgreSQL reads only the files of its own major version, which they name in PG_VERSION. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorProblem } from '../../../kernel/errors.ts'
import type { Cluster } from './cluster.ts'

const UPGRADE = 'posthorn upgrade-database (in a checkout: npm run upgrade-database)'

/** What an upgrade needs until it is finished: the old programs, and the new cluster as `complete` once it is. */
export const upgradeFolder = (dataDir: string) => join(dataDir, 'postgres.upgrade')
export const completeCluster = (dataDir: string) => join(upgradeFolder(dataDir), 'complete')

/** The major version of a cluster; undefined if there is none. */
export async function clusterMajor(folder: string): Promise<number | undefined> {
  const file = join(folder, 'PG_VERSION')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (['ENOENT', 'ENOTDIR'].includes(error.code ?? '')) return undefined
    throw error
  })
  if (text === undefined) {
    if ((await readdir(folder).catch(() => [])).length === 0) return undefined
    throw new OperatorProblem(
      `${folder} contains files but no database of PostgreSQL, because PG_VERSION is missing. ` +
        'Restore the folder from a copy, or move it elsewhere and restore a backup.',
    )
  }
  if (/^\d{2,3}\n?$/.test(text)) return Number(text)
  const content = text.trim() === '' ? 'is empty' : `contains ${JSON.stringify(text.trim().slice(0, 40))}`
  throw new OperatorProblem(
    `${file} must contain the major version of PostgreSQL, such as 18, but ${content}, so the folder is damaged. ` +
      'Restore the folder from a copy, or move it elsewhere and restore a backup.',
  )
}

/** Refuses files that these programs can't read. */
export async function refuseOtherMajor({ dataDir, folder, binaries }: Cluster): Promise<void> {
  const major = await clusterMajor(folder)
  if (major === undefined) return refuseInterruptedUpgrade(dataDir)
  if (major < binaries.major) {
    throw new OperatorProblem(
      `The database in ${folder} belongs to PostgreSQL ${major}, but this version of Posthorn uses PostgreSQL ${binaries.major}. ` +
        `Run ${UPGRADE} to upgrade it; the old files are kept.`,
    )
  }
  if (major > binaries.major) throw newerCluster(folder, major, binaries.major)
}

export const newerCluster = (folder: string, major: number, own: number) =>
  new OperatorProblem(
    `The database in ${folder} belongs to PostgreSQL ${major}, but this version of Posthorn uses PostgreSQL ${own}, which can't read it. ` +
      'Start the newer version of Posthorn that used it last, or set another DATA_DIR and restore a backup there.',
  )

/** Between the two renames that end an upgrade there is no cluster; a new, empty one must not take its place. */
async function refuseInterruptedUpgrade(dataDir: string): Promise<void> {
  if (!(await stat(completeCluster(dataDir)).catch(() => undefined))) return
  throw new OperatorProblem(
    `The upgrade of the database in ${dataDir} was interrupted when it was almost complete. Run ${UPGRADE} to finish it.`,
  )
}
