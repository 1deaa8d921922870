/**
 * `posthorn rebuild-analytics`: compares every stored count with the data, corrects wrong ones and checks again. The
 * service can keep running.
 */
import { tallies } from '../app.ts'
import { findUncounted } from '../features/operations/retention/retired-queries.ts'
import { countOf } from '../kernel/errors.ts'
import { openDatabase } from '../platform/database/connection/connect.ts'
import { rebuildTallies } from '../platform/database/tallies.ts'
import { openLog } from '../platform/log.ts'
import { readEnvironment, readSettings } from '../settings/read-settings.ts'
import { withDatabaseUrl } from './open-database.ts'

export async function runRebuild(): Promise<void> {
  const settings = readSettings(readEnvironment())
  const log = openLog({ level: settings.LOG_LEVEL, format: settings.LOG_FORMAT })
  await withDatabaseUrl(settings, async (url) => {
    const database = openDatabase({ url, poolSize: 2, log })
    try {
      const wrong = sumOf(await rebuildTallies(database.db, tallies, findUncounted))
      const stillWrong = sumOf(await rebuildTallies(database.db, tallies, findUncounted))
      process.stdout.write(`${wrong === 0 ? 'All counts were correct.' : `Corrected ${countOf(wrong, 'count')}.`}\n`)
      if (stillWrong > 0) throw new Error(`Still incorrect: ${countOf(stillWrong, 'count')}. Please report this.`)
      process.stdout.write('All counts are correct.\n')
    } finally {
      await database.close()
    }
  })
}

const sumOf = (wrong: Record<string, number>): number => Object.values(wrong).reduce((sum, count) => sum + count, 0)
