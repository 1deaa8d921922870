/**
 * `posthorn rebuild-analytics`: compares every kept count with the events and emails it stands for, corrects those that
 * are wrong and looks again. With DATABASE_URL it may run beside the service; the embedded database is started for it.
 */
import { readEnvironment, readSettings } from './config.ts'
import { rebuildCounts } from './features/analytics/actions.ts'
import { openDatabase } from './platform/database/connect.ts'
import { startEmbeddedPostgres } from './platform/database/embedded-postgres.ts'
import { openLog } from './platform/log.ts'

export async function runRebuild(): Promise<void> {
  const settings = readSettings(readEnvironment())
  const embedded = settings.DATABASE_URL ? undefined : await startEmbeddedPostgres({ dataDir: settings.DATA_DIR })
  const log = openLog({ level: settings.LOG_LEVEL, format: settings.LOG_FORMAT })
  const database = openDatabase({ url: embedded?.url ?? settings.DATABASE_URL, poolSize: 2, log })
  try {
    const wrong = sumOf(await rebuildCounts(database))
    const stillWrong = sumOf(await rebuildCounts(database))
    process.stdout.write(`${wrong === 0 ? 'Every count was right.' : `Corrected ${wrong} counts.`}\n`)
    if (stillWrong > 0) throw new Error(`${stillWrong} counts are still wrong. Please report this.`)
    process.stdout.write('Every count equals what it stands for.\n')
  } finally {
    await database.close()
    await embedded?.stop()
  }
}

const sumOf = (differences: object): number => Object.values(differences).reduce((sum: number, n: number) => sum + n, 0)
