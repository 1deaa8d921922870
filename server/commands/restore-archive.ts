/**
 * `posthorn restore-archive NAME`: puts events or emails that were archived and deleted back into the database. NAME is an
 * archive in ARCHIVE, or the path of its folder. The service can keep running.
 */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { tallies } from '../app.ts'
import { restoreArchive } from '../features/operations/retention/actions.ts'
import { countOf, OperatorProblem } from '../kernel/errors.ts'
import { openDatabase } from '../platform/database/connection/connect.ts'
import { isOutOfTime } from '../platform/database/connection/transaction.ts'
import { openLog } from '../platform/log.ts'
import { diskStorage } from '../platform/storage/disk.ts'
import { openArchive } from '../platform/storage/open-storage.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { Settings } from '../settings/config.ts'
import { readEnvironment, readSettings } from '../settings/read-settings.ts'
import { withDatabaseUrl } from './open-database.ts'

const DAY_MS = 86_400_000
const KEEP_DAYS = 30
const USAGE = `Usage: posthorn restore-archive NAME [DAYS] (in a checkout: npm run restore-archive -- NAME [DAYS]). NAME is a folder in ARCHIVE, or its path. DAYS is how long the rows are kept; the default is ${KEEP_DAYS}.`
const LEFT_OUT = 'stored already, or of a project, contact or email that is no longer stored.'
const LOCKED =
  'A long transaction, such as a backup, uses the table, so nothing was restored. Repeat the command when it has ended.'

export async function runRestoreArchive([argument, days = String(KEEP_DAYS)]: string[]): Promise<void> {
  if (!argument || !/^[1-9]\d{0,4}$/.test(days)) throw new OperatorProblem(USAGE)
  const settings = readSettings(readEnvironment())
  const { storage, name } = await findArchive(settings, argument)
  const keepUntil = new Date(Date.now() + Number(days) * DAY_MS)
  const log = openLog({ level: settings.LOG_LEVEL, format: settings.LOG_FORMAT })
  await withDatabaseUrl(settings, async (url) => {
    const database = openDatabase({ url, poolSize: 2, log })
    try {
      const { rows, months, leftOut } = await restoreArchive(database.db, tallies, storage, name, keepUntil)
      process.stdout.write(
        `Restored ${countOf(rows, 'row')} of ${months.join(', ') || 'no month'}, kept until ${keepUntil.toISOString().slice(0, 10)}.\n`,
      )
      if (leftOut > 0) process.stdout.write(`Left out ${countOf(leftOut, 'row')}: ${LEFT_OUT}\n`)
    } catch (error) {
      if (isOutOfTime(error)) throw new OperatorProblem(LOCKED)
      throw error
    } finally {
      await database.close()
    }
  })
}

/** A path of this machine, or else a name in ARCHIVE. */
async function findArchive(settings: Settings, argument: string): Promise<{ storage: Storage; name: string }> {
  const folder = path.resolve(argument.replace(/[\\/]?manifest\.json$/, ''))
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (isFolder) return { storage: diskStorage(path.dirname(folder)), name: path.basename(folder) }
  const storage = openArchive(settings)
  if (!storage) throw new OperatorProblem(`There is no folder ${folder}, and ARCHIVE is not set.`)
  return { storage, name: argument.replace(/\/(manifest\.json)?$/, '') }
}
